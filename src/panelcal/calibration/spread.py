"""Assessors with different spreads as well as different biases: s = lambda_a v + b_a + sigma eta, eq. (23).

Written around the mean score mu, s = mu + lambda_a (v - mu) + b_a, with lambda_a = exp(l_a), and fitted by minimising

    sum of c (s - mu - lambda_a (v - mu) - b_a)^2 / w  +  sum of l_a^2 / 0.25^2

The second sum is a prior on the logarithms of the spreads; it also makes them add up to 0, since stretching all values
and shrinking all spreads changes nothing else. Newton's method with the values eliminated, as in eq. (15), started at
the basic fit; w is brought up to date between rounds.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from scipy import linalg

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel, as_dense

FEWEST_OBJECTS = 6
_MOST_STEPS = 100
_MOST_ROUNDS = 20
_SETTLED = 1e-11
_ROUND_SETTLED = 1e-5
_MOST_CELLS = 50_000_000
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class SpreadFit:
    """Calibration with a spread for every assessor.

    Attributes
    ----------
    panel
        What was fitted.
    values
        (n_objects,) v_o, in score units.
    value_errors
        (n_objects,) standard errors from the curvature at the fit, in score units.
    biases
        (n_assessors,) b_a at the mean score, in score units; sum of C'_a b_a = 0, eq. (36).
    spreads
        (n_assessors,) lambda_a; their geometric mean is 1. Above 1: uses more of the scale than others.
    spread_errors
        (n_assessors,) standard errors of log lambda_a, against the mean of all.
    centre
        mu, the confidence-weighted mean score.
    noise_variance
        w, variance of a score of confidence 1.
    prior_deviation
        Standard deviation of the prior on log lambda_a.
    """

    panel: Panel
    values: Array
    value_errors: Array
    biases: Array
    spreads: Array
    spread_errors: Array
    centre: float
    noise_variance: float
    prior_deviation: float

    def predict(self, objects: Indices, assessors: Indices) -> Array:
        """Return the scores (k,) that these assessors are expected to give these objects."""
        return self.centre + self.spreads[assessors] * (self.values[objects] - self.centre) + self.biases[assessors]


@dataclass(frozen=True, slots=True, eq=False)
class _Normal:
    """One step's normal equations: values on the diagonal, (b, l) dense once the values are eliminated."""

    own: Array  # (n_objects,) diagonal of the value block
    links: Array | scipy.sparse.csr_array  # (n_objects, 2 n_assessors) values against (b, l)
    kept: Array  # (2 n_assessors, 2 n_assessors) after elimination, gauge added
    pin: float  # weight with which the gauge was added
    along: float  # gauge . null direction


def fit_spreads(panel: Panel, *, prior_deviation: float = 0.25) -> SpreadFit:
    """Fit eq. (23).

    Parameters
    ----------
    panel
        The assessments.
    prior_deviation
        How much the spreads are expected to differ: standard deviation of log lambda_a beforehand.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If an assessor has fewer than six objects, or the basic model leaves no residuals beyond rounding.
    """
    _require_enough(panel)
    basic = calibrate(panel)
    if basic.degrees_of_freedom <= 0 or np.abs(basic.residuals).max() <= _ROUNDING * np.abs(panel.scores).max():
        raise MethodNotApplicable("Spreads cannot be told from noise here: the basic model leaves no residuals.")
    m = panel.n_assessors
    centre = basic.centre
    precision = np.full(m, 1 / prior_deviation**2)
    values, biases, logs = basic.centred_values.copy(), basic.biases.copy(), np.zeros(m)
    scores = basic.centred_scores[0]
    w = basic.w_unbiased
    for _ in range(_MOST_ROUNDS):
        values, biases, logs = _minimise(panel, scores, w, precision, (values, biases, logs))
        normal, _ = _normal_equations(panel, scores, w, precision, (values, biases, logs))
        inverse = linalg.inv(normal.kept)
        left = scores - np.exp(logs[panel.assessor_index]) * values[panel.object_index] - biases[panel.assessor_index]
        # A spread that the prior holds fast costs no degree of freedom, one that the scores decide costs one.
        spent = m - float(inverse.diagonal()[m:] @ precision)
        freedom = basic.degrees_of_freedom - min(spent, m - 1.0)
        if freedom < 1:
            raise MethodNotApplicable("There are too few scores beyond the unknowns to fit a spread for everybody.")
        new = float(panel.confidences @ left**2) / freedom
        settled = abs(new - w) <= _ROUND_SETTLED * w
        w = new
        if settled:
            break
    # That the spreads' geometric mean is 1 is a convention, like the gauge: errors are those within it.
    common = inverse[:, m:].sum(axis=1)
    inverse = inverse - np.outer(common, common) / common[m:].sum()
    reach = _scaled(normal.links, 1 / normal.own)
    variances = 1 / normal.own + np.asarray(((reach @ inverse) * reach).sum(axis=1)).ravel()
    return SpreadFit(
        panel=panel,
        values=centre + values,
        # What pinning the gauge added along the null direction is no uncertainty within the gauge.
        value_errors=np.sqrt(np.maximum(variances - 1 / (normal.pin * normal.along**2), 0.0)),
        biases=biases,
        spreads=np.exp(logs),
        spread_errors=np.sqrt(np.maximum(inverse.diagonal()[m:], 0.0)),
        centre=centre,
        noise_variance=w,
        prior_deviation=prior_deviation,
    )


def _require_enough(panel: Panel) -> None:
    distinct = np.unique(np.column_stack([panel.assessor_index, panel.object_index]), axis=0)
    counts = np.bincount(distinct[:, 0], minlength=panel.n_assessors)
    few = np.flatnonzero(counts < FEWEST_OBJECTS)
    if few.size:
        raise MethodNotApplicable(
            f"A spread needs at least {FEWEST_OBJECTS} objects from every assessor, but {panel.assessors[few[0]]} has "
            f"{counts[few[0]]} ({few.size} of {panel.n_assessors} assessors have too few)."
        )
    if panel.n_objects * panel.n_assessors > _MOST_CELLS:
        raise MethodNotApplicable("This panel is too large for spreads to be fitted.")
    if panel.n_assessors < 2:
        raise MethodNotApplicable("With one assessor there is no other spread to compare with.")


def _minimise(
    panel: Panel, scores: Array, w: float, precision: Array, start: tuple[Array, Array, Array]
) -> tuple[Array, Array, Array]:
    """Newton steps, or Gauss-Newton where the curvature is not positive; halved while they do not lower the cost."""
    current = start
    cost = _cost(panel, scores, w, precision, current)
    for _ in range(_MOST_STEPS):
        try:
            step = _solve(*_normal_equations(panel, scores, w, precision, current, exact=True))
        except linalg.LinAlgError:
            step = _solve(*_normal_equations(panel, scores, w, precision, current))
        scale = max(float(np.abs(current[0]).max()), 1e-300)
        size = max(
            float(np.abs(step[0]).max()) / scale, float(np.abs(step[1]).max()) / scale, float(np.abs(step[2]).max())
        )
        share = 1.0
        while share > 1e-6:
            proposed = (current[0] + share * step[0], current[1] + share * step[1], current[2] + share * step[2])
            new = _cost(panel, scores, w, precision, proposed)
            if new <= cost * (1 + 1e-14):
                current, cost = proposed, new
                break
            share /= 2
        else:
            break
        if size <= _SETTLED:
            break
    return current


def _cost(panel: Panel, scores: Array, w: float, precision: Array, at: tuple[Array, Array, Array]) -> float:
    values, biases, logs = at
    left = scores - np.exp(logs)[panel.assessor_index] * values[panel.object_index] - biases[panel.assessor_index]
    return float(panel.confidences @ left**2 / w + precision @ logs**2)


def _normal_equations(
    panel: Panel, scores: Array, w: float, precision: Array, at: tuple[Array, Array, Array], *, exact: bool = False
) -> tuple[_Normal, tuple[Array, Array]]:
    """Return the normal equations of one step and their right-hand side for values and for (b, l).

    Gauss and Newton's leave out the curvature of lambda v; `exact` ones have it, and converge in a few steps also where
    the noise is large.
    """
    values, biases, logs = at
    o, a = panel.object_index, panel.assessor_index
    slope = np.exp(logs)[a]
    stretch = slope * values[o]
    left = scores - stretch - biases[a]
    weight = panel.confidences / w

    own = panel.object_totals(weight * slope**2)
    curved = stretch - left if exact else stretch
    links = _side_by_side(panel.table(weight * slope), panel.table(weight * slope * curved))
    crossed = panel.assessor_totals(weight * stretch)
    kept = np.block(
        [
            [np.diag(panel.assessor_totals(weight)), np.diag(crossed)],
            [np.diag(crossed), np.diag(panel.assessor_totals(weight * stretch * curved) + precision)],
        ]
    )
    kept -= as_dense(links.T @ _scaled(links, 1 / own))
    # Moving all values by k and every bias by -lambda k changes nothing; pinning the gauge takes that freedom away
    # without changing the step, because the gradient has no part along it.
    share = panel.assessor_totals(panel.confidences) / panel.confidences.sum()
    gauge = np.concatenate([share, np.zeros(panel.n_assessors)])
    pin = float(weight.sum())
    kept += pin * np.outer(gauge, gauge)
    by_value = panel.object_totals(weight * slope * left)
    by_kept = np.concatenate(
        [panel.assessor_totals(weight * left), panel.assessor_totals(weight * stretch * left) - precision * logs]
    )
    by_kept -= pin * (gauge[: panel.n_assessors] @ biases) * gauge
    return _Normal(own, links, kept, pin, float(share @ np.exp(logs))), (by_value, by_kept)


def _side_by_side(
    one: Array | scipy.sparse.csr_array, two: Array | scipy.sparse.csr_array
) -> Array | scipy.sparse.csr_array:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return np.hstack([one, two])
    return scipy.sparse.hstack([one, two], format="csr")


def _scaled(matrix: Array | scipy.sparse.csr_array, rows: Array) -> Array | scipy.sparse.csr_array:
    """Return the matrix with each row multiplied by its factor."""
    return matrix * rows[:, None] if isinstance(matrix, np.ndarray) else scipy.sparse.diags_array(rows) @ matrix


def _solve(normal: _Normal, right: tuple[Array, Array]) -> tuple[Array, Array, Array]:
    by_value, by_kept = right
    factor = linalg.cho_factor(normal.kept, lower=True, check_finite=False)
    kept = linalg.cho_solve(factor, by_kept - normal.links.T @ (by_value / normal.own), check_finite=False)
    values = (by_value - normal.links @ kept) / normal.own
    m = len(kept) // 2
    return values, kept[:m], kept[m:]
