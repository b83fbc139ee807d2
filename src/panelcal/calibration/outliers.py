"""Fits that a few gross errors cannot move: Tukey's median polish and his bisquare.

Median polish sweeps medians out of objects and assessors in turn. The bisquare fit starts at least absolute deviations
(a linear programme) and repeats calibration with every confidence multiplied by (1 - u^2)^2, u = residual / (k scale)
in units of the declared standard deviation, 0 from u = 1 on. The scale is 1.4826 x the median |residual| after dropping
the smallest share p/N: a least-absolute fit goes through p scores exactly, and they say nothing about the noise.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import require_connected
from panelcal.panel import Panel

TUNING = 4.685  # 95% as good as least squares where there are no gross errors
_TO_DEVIATION = 1.4826
_LEAST_WEIGHT = 1e-9  # keeps the panel connected when every score of a link is rejected
_MOST_SWEEPS = 200
_MOST_STEPS = 200
_SETTLED = 1e-9
_POLISHED = 1e-12  # of the widest score: what is left of a sweep must not tell apart what is equal
_MOST_FOR_PROGRAMME = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class MedianPolish:
    """Tukey's median polish.

    Attributes
    ----------
    panel
        What was polished.
    values, biases
        (n_objects,), (n_assessors,) in score units; the median bias is 0.
    residuals
        (N,) what is left, in score units.
    sweeps
        How many rounds it took.
    """

    panel: Panel
    values: Array
    biases: Array
    residuals: Array
    sweeps: int


@dataclass(frozen=True, slots=True, eq=False)
class BisquareFit:
    """Robust calibration.

    Attributes
    ----------
    calibration
        The last weighted fit: values, biases, residuals; its panel carries confidence x weight, its gauge is (36).
    panel
        The panel as it was given.
    value_errors
        (n_objects,) approximate standard errors (Huber 1981, section 7.6, with his factor K), in score units.
    weights
        (N,) between 0 (set aside as a gross error) and 1 (taken in full).
    scale
        Standard deviation of a score of confidence 1, robustly.
    steps
        Rounds of reweighting.
    """

    calibration: Calibration
    panel: Panel
    value_errors: Array
    weights: Array
    scale: float
    steps: int

    @property
    def values(self) -> Array:
        """(n_objects,) in score units."""
        return self.calibration.values

    @property
    def biases(self) -> Array:
        """(n_assessors,) in score units."""
        return self.calibration.biases


def median_polish(panel: Panel) -> MedianPolish:
    """Sweep out medians until they stay, confidences aside.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    """
    require_connected(panel)
    by_object = _Medians(panel.object_index, panel.n_objects)
    by_assessor = _Medians(panel.assessor_index, panel.n_assessors)
    centre = float(np.median(panel.scores))
    left = panel.scores - centre
    values, biases = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
    small = _POLISHED * max(float(np.abs(left).max()), 1e-300)
    sweeps = 0
    while sweeps < _MOST_SWEEPS:
        sweeps += 1
        more_value = by_object(left)
        values += more_value
        left = left - more_value[panel.object_index]
        more_bias = by_assessor(left)
        biases += more_bias
        left = left - more_bias[panel.assessor_index]
        if max(float(np.abs(more_value).max()), float(np.abs(more_bias).max())) <= small:
            break
    middle = float(np.median(biases))
    return MedianPolish(panel, centre + values + middle, biases - middle, left, sweeps)


def bisquare(panel: Panel, *, tuning: float = TUNING, scale: float | None = None) -> BisquareFit:
    """Fit with Tukey's bisquare from a least-absolute start.

    Parameters
    ----------
    panel
        The assessments.
    tuning
        k: residuals of k scales and more are set aside altogether.
    scale
        Standard deviation of a score of confidence 1; None = judged from the residuals, anew at every step.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If there are so few scores beyond the unknowns that no score can be told to be a gross error.
    """
    require_connected(panel)
    unknowns = panel.n_objects + panel.n_assessors - 1
    if panel.n_assessments < unknowns + max(3, unknowns // 5):
        raise MethodNotApplicable(
            f"There are {panel.n_assessments} scores for {unknowns} unknowns: too few to tell which scores are gross "
            "errors."
        )
    values, biases = least_absolute(panel)
    root = np.sqrt(panel.confidences)
    left = root * (panel.scores - values[panel.object_index] - biases[panel.assessor_index])
    rounding = 1e-12 * float(np.abs(root * (panel.scores - np.median(panel.scores))).max()) + 1e-300
    fit = calibrate(panel)
    unit = uncertainty(fit).unit_value_errors
    sigma, steps = 0.0, 0
    weights = np.ones_like(root)
    while steps < _MOST_STEPS:
        steps += 1
        sigma = _scale(left, unknowns) if scale is None else scale
        if sigma <= rounding:
            raise MethodNotApplicable(
                "The model fits most scores exactly, so there is no noise to compare errors with."
            )
        weights = _weights(left / (tuning * sigma))
        new = calibrate(panel.with_confidences(panel.confidences * np.maximum(weights, _LEAST_WEIGHT)))
        moved = float(np.abs(new.fitted - fit.fitted).max())
        fit = new
        left = root * fit.residuals
        if steps > 1 and moved <= _SETTLED * sigma / float(root.max()):
            break
    u = left / (tuning * sigma)
    inside = np.abs(u) < 1
    influence = np.where(inside, left * (1 - u**2) ** 2, 0.0)
    slopes = np.where(inside, (1 - u**2) * (1 - 5 * u**2), 0.0)
    slope = max(float(slopes.mean()), 0.05)
    freedom = panel.n_assessments - unknowns
    # Huber's correction for fitted residuals: slopes seen at them are too alike.
    factor = 1 + unknowns / panel.n_assessments * float(slopes.var()) / slope**2
    spread = factor * np.sqrt(float(influence @ influence) / freedom) / slope
    return BisquareFit(fit, panel, spread * unit, weights, sigma, steps)


def least_absolute(panel: Panel) -> tuple[Array, Array]:
    """Return values and biases that minimise the sum of |residual| in units of the declared standard deviation.

    By linear programming (HiGHS); for panels too large for that, calibration reweighted by 1/|residual| comes close.
    """
    n, m, count = panel.n_objects, panel.n_assessors, panel.n_assessments
    root = np.sqrt(panel.confidences / panel.confidences.mean())
    if count > _MOST_FOR_PROGRAMME:
        return _reweighted_absolute(panel, root)
    centre = float(np.median(panel.scores))
    left = panel.scores - centre
    unit = max(float(np.abs(left).max()), 1e-300)
    # The dual: maximise y . s over |y| <= root with y adding up to 0 for every object and assessor. It has one row per
    # unknown in place of one per score; values and biases are its multipliers. One row is redundant.
    rows = np.concatenate([panel.object_index, n + panel.assessor_index])
    columns = np.tile(np.arange(count), 2)
    balance = scipy.sparse.csr_array((np.ones(2 * count), (rows, columns)), shape=(n + m, count))[:-1]
    from scipy.optimize import linprog  # half a second, for the few panels that come here

    found = linprog(
        -left / unit,
        A_eq=balance,
        b_eq=np.zeros(n + m - 1),
        bounds=np.column_stack([-root, root]),
        method="highs-ds",
    )
    if found.status != 0:
        return _reweighted_absolute(panel, root)
    multipliers = np.append(-unit * found.eqlin.marginals, 0.0)
    return centre + multipliers[:n], multipliers[n:]


def _reweighted_absolute(panel: Panel, root: Array) -> tuple[Array, Array]:
    fit = calibrate(panel)
    floor = 1e-3 * float(np.median(np.abs(root * fit.residuals))) + 1e-300
    for _ in range(30):
        fit = calibrate(panel.with_confidences(root**2 / np.maximum(np.abs(root * fit.residuals), floor)))
    return fit.values, fit.biases


def _scale(left: Array, unknowns: int) -> float:
    """1.4826 x median |residual| after dropping the smallest share p/N."""
    sizes = np.sort(np.abs(left))
    return _TO_DEVIATION * float(np.median(sizes[unknowns:]))


def _weights(u: Array) -> Array:
    return np.where(np.abs(u) < 1, (1 - np.minimum(u**2, 1.0)) ** 2, 0.0)


class _Medians:
    """Medians by group, for groups that stay the same."""

    def __init__(self, index: Indices, count: int) -> None:
        self._index = index
        self._start = np.concatenate([[0], np.cumsum(np.bincount(index, minlength=count))])

    def __call__(self, amounts: Array) -> Array:
        """Return the median of `amounts` (N,) in every group."""
        ordered = amounts[np.lexsort((amounts, self._index))]
        size = np.diff(self._start)
        low, high = self._start[:-1] + (size - 1) // 2, self._start[:-1] + size // 2
        return (ordered[low] + ordered[high]) / 2
