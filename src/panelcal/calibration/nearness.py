"""Bias by nearness: whether assessors value objects near to their own expertise otherwise than those further away.

The paper's "some assessors value objects nearer to their expertise more highly than those further away" (SI,
refinements), as a mixed model: s = v_o + b_a + (beta + g_a)(x_ao - mean of x) + noise, x the nearness of assessor and
object, values and biases free, g_a normal with mean 0. Values, biases and all that is known of the noise enter through
the residuals of the calibration; what is left has one unknown for each assessor, and the restricted likelihood is that
of the whole model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc, stdtr

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.line_search import lowest_on_line
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Tabled
from panelcal.tails import holm

_NOTHING_LEFT = 1e-9
_MOST_ASSESSORS = 300
_NEGLIGIBLE = 1e-6
_NO_GAIN = 1e-9
_RATIOS = np.concatenate([[0.0], np.geomspace(1e-4, 1e4, 81)])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NearnessBias(Tabled):
    """How bias depends on nearness.

    Source: bias towards what is near, suggested in the SI of MacKay, Kenna, Low and Parker (2015); restricted
    likelihood and Henderson's equations (1953).

    Attributes
    ----------
    calibration
        The calibration without it, in gauge "weighted".
    nearness
        (N,) of each assessment, from its confidence-weighted mean.
    slope, slope_error
        beta, by how much more an assessor scores for each unit of nearness as a rule, and its standard error.
    any_f, any_p
        F for "nearness means nothing to anybody".
    slope_p
        Chance of a common slope so far from 0 if beta is 0: Student's t on one degree of freedom fewer than there are
        assessors to tell by, since slopes may differ between them.
    differ_f, differ_p
        F for "all assessors have the same slope"; NaN where too little is left to tell.
    slope_sd
        Standard deviation of the g_a, by restricted likelihood. Slopes and values are averaged over what it may be.
    noise_variance
        w, the variance of a score of confidence 1 around this model.
    own_slopes, own_errors
        (n_assessors,) slope of each assessor from its own scores alone, and standard error; NaN where there are none to
        tell.
    adjusted_p
        (n_assessors,) chance of an own slope so far from 0 if nearness meant nothing to anybody, by Holm.
    slopes, slope_errors
        (n_assessors,) beta + g_a, own slopes drawn to the common one, and standard errors of prediction.
    values, value_errors
        (n_objects,) what an assessor with bias 0 and mean nearness would give.
    biases
        (n_assessors,) at mean nearness, in gauge "weighted".
    degrees_of_freedom
        N - p of the calibration.

    Examples
    --------
    >>> panel = simulate_panel(20, 6, 3, seed=1).panel
    >>> nearness = [k % 3 for k in range(panel.n_assessments)]
    >>> bias_by_nearness(panel, nearness).slopes.shape
    (6,)
    """

    calibration: Calibration
    nearness: Array
    slope: float
    slope_error: float
    any_f: float
    any_p: float
    slope_p: float
    differ_f: float
    differ_p: float
    slope_sd: float
    noise_variance: float
    own_slopes: Array
    own_errors: Array
    adjusted_p: Array
    slopes: Array
    slope_errors: Array
    values: Array
    value_errors: Array
    biases: Array
    degrees_of_freedom: int

    @property
    def value_changes(self) -> Array:
        """(n_objects,) by how much each value moves once nearness is counted."""
        moved: Array = self.values - self.calibration.values
        return moved

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "slope", self.slope
        yield "p of nearness", self.any_p
        yield "p that slopes differ", self.differ_p
        yield "values", self.values


def bias_by_nearness(panel: Panel, nearness: ArrayLike) -> NearnessBias:
    """Estimate how bias depends on nearness, test it, and take it off the values.

    Source: bias towards what is near, suggested in the SI of MacKay, Kenna, Low and Parker (2015); restricted
    likelihood and Henderson's equations (1953).

    Parameters
    ----------
    panel
        The assessments, connected and with more scores than unknowns.
    nearness
        (N,) how near each object is to its assessor's expertise, larger = nearer; only differences count.

    Returns
    -------
    NearnessBias
        Slopes of everybody and of each assessor, tests, and values without it.

    Raises
    ------
    DisconnectedPanel
        If the panel falls into groups that share nothing.
    MethodNotApplicable
        If nearness is not a finite number for each assessment, cannot be told from values and biases (the same for all
        assessors of an object, or for all objects of an assessor), or too few scores are left to judge by.

    Examples
    --------
    >>> panel = simulate_panel(20, 6, 3, seed=1).panel
    >>> nearness = [k % 3 for k in range(panel.n_assessments)]
    >>> 0 < bias_by_nearness(panel, nearness).any_p < 1
    True
    """
    given = np.asarray(nearness, dtype=np.float64)
    if given.shape != panel.scores.shape or not np.isfinite(given).all():
        raise MethodNotApplicable(f"Nearness must be a finite number for each of {panel.n_assessments} assessments.")
    if panel.n_assessors > _MOST_ASSESSORS:
        raise MethodNotApplicable(f"Bias by nearness is worked out for up to {_MOST_ASSESSORS:,} assessors.")
    calibration = calibrate(panel)
    freedom = calibration.degrees_of_freedom
    x = given - float(panel.confidences @ given) / float(panel.confidences.sum())
    design = _freed_of_values_and_biases(calibration, x)
    together = float(design.information.sum())
    if not together > _NOTHING_LEFT * float(panel.confidences @ x**2):
        raise MethodNotApplicable(
            "Nearness cannot be told from values and biases here: it hardly differs between the assessors of an "
            "object, or between the objects of an assessor."
        )
    if freedom < 2:  # the slope takes one, the noise needs another
        raise MethodNotApplicable("Too few scores are left to tell whether bias depends on nearness.")
    any_f, any_p, differ_f, differ_p = _tested(calibration, design)
    own, own_errors, own_p = _own_slopes(calibration, design)
    fitted = _restricted(calibration, design)
    values, errors, biases = _values(calibration, design, fitted)
    error = float(np.sqrt(fitted.covariance[0, 0])) or np.finfo(np.float64).tiny
    return NearnessBias(
        calibration,
        x,
        float(fitted.means[0]),
        error,
        any_f,
        any_p,
        float(2 * stdtr(max(len(design.informed) - 1, 1), -abs(fitted.means[0]) / error)),
        differ_f,
        differ_p,
        float(np.sqrt(fitted.ratio * fitted.noise)),
        fitted.noise,
        own,
        own_errors,
        holm(own_p),
        fitted.slopes,
        np.sqrt(np.maximum(fitted.slope_variances(), 0.0)),
        values,
        errors,
        biases,
        freedom,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Design:
    """One column x_ao for each assessor, freed of values and biases.

    `information` (m, m) holds the products of the freed columns, `pull` (m,) their products with the residuals, and
    `on_values` (n, m), `on_biases` (m, m) what values and biases take up of each column, in gauge "weighted".
    """

    information: Array
    pull: Array
    on_values: Array
    on_biases: Array

    @property
    def informed(self) -> Indices:
        """Places of the assessors whose own slope leaves something once values and biases are taken up."""
        diagonal = np.diag(self.information)
        return np.flatnonzero(diagonal > _NOTHING_LEFT * max(float(diagonal.max()), 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """The mixed model: w and sigma_g^2/w by restricted likelihood; beta and g (1 + m,) with their joint covariance.

    Means and covariance (1 + m, 1 + m) are averaged over what sigma_g may be: restricted likelihood, flat in sigma_g.
    """

    noise: float
    ratio: float
    means: Array
    covariance: Array

    @property
    def slopes(self) -> Array:
        """(m,) beta + g_a."""
        slopes: Array = self.means[0] + self.means[1:]
        return slopes

    def slope_variances(self) -> Array:
        """Return (m,) the variance of prediction of beta + g_a."""
        c = self.covariance
        variances: Array = c[0, 0] + 2 * c[0, 1:] + np.diag(c)[1:]
        return variances


def _freed_of_values_and_biases(calibration: Calibration, x: Array) -> _Design:
    panel, count = calibration.panel, calibration.panel.n_assessors
    weighted = panel.confidences * x
    on_values, on_biases = np.empty((panel.n_objects, count)), np.empty((count, count))
    gauge = calibration.centred_gauge()
    by_assessor = panel.assessor_totals(weighted)
    for a in range(count):
        own = np.where(panel.assessor_index == a, weighted, 0.0)
        side = np.zeros(count)
        side[a] = by_assessor[a]
        values, biases = calibration.equations.apply_inverse(panel.object_totals(own), side)
        shift = gauge.shift(values, biases)
        on_values[:, a], on_biases[:, a] = values + shift, biases - shift
    fitted = on_values[panel.object_index] + on_biases[panel.assessor_index]  # (N, m)
    information = -np.stack([panel.assessor_totals(weighted * fitted[:, a]) for a in range(count)], axis=1)
    information[np.diag_indices(count)] += panel.assessor_totals(weighted * x)
    pull = panel.assessor_totals(weighted * calibration.residuals)
    return _Design((information + information.T) / 2, pull, on_values, on_biases)


def _tested(calibration: Calibration, design: _Design) -> tuple[float, float, float, float]:
    """Return F and p for all slopes being 0, and for all being the same."""
    left, freedom = calibration.weighted_residual_sum, calibration.degrees_of_freedom
    by_one = float(design.pull.sum()) ** 2 / float(design.information.sum())
    rank = int(np.linalg.matrix_rank(design.information, tol=_tolerance(design), hermitian=True))
    by_all = float(design.pull @ np.linalg.pinv(design.information, rcond=_NOTHING_LEFT, hermitian=True) @ design.pull)
    if freedom <= rank:
        any_f = by_one / ((left - by_one) / (freedom - 1))
        return any_f, float(fdtrc(1, freedom - 1, any_f)), float("nan"), float("nan")
    noise = (left - by_all) / (freedom - rank)
    any_f = by_all / rank / noise
    any_p = float(fdtrc(rank, freedom - rank, any_f))
    if rank < 2:
        return any_f, any_p, float("nan"), float("nan")
    differ_f = (by_all - by_one) / (rank - 1) / noise
    return any_f, any_p, differ_f, float(fdtrc(rank - 1, freedom - rank, differ_f))


def _tolerance(design: _Design) -> float:
    return _NOTHING_LEFT * float(np.linalg.eigvalsh(design.information)[-1])


def _own_slopes(calibration: Calibration, design: _Design) -> tuple[Array, Array, Array]:
    """Return own slopes, errors and p-values (m,); NaN where an assessor's scores alone cannot tell."""
    count = calibration.panel.n_assessors
    slopes, errors, p = (np.full(count, np.nan) for _ in range(3))
    who = design.informed
    inner = design.information[np.ix_(who, who)]
    freedom = calibration.degrees_of_freedom - len(who)
    if freedom <= 0 or np.linalg.matrix_rank(inner, tol=_tolerance(design), hermitian=True) < len(who):
        return slopes, errors, p
    inverse = np.linalg.inv(inner)
    slopes[who] = inverse @ design.pull[who]
    noise = (calibration.weighted_residual_sum - float(design.pull[who] @ slopes[who])) / freedom
    errors[who] = np.sqrt(noise * np.diag(inverse))
    with np.errstate(divide="ignore", invalid="ignore"):
        p[who] = 2 * stdtr(freedom, -np.abs(slopes[who]) / errors[who])
    return slopes, errors, p


class _Likelihood:
    """The restricted likelihood in sigma_g^2 / w, with w and beta taken along in closed form."""

    def __init__(self, calibration: Calibration, design: _Design) -> None:
        eigenvalues, self.directions = np.linalg.eigh(design.information)
        self.design, self.eigenvalues = design, np.maximum(eigenvalues, 0.0)
        self.ones, self.pull = self.directions.sum(axis=0), self.directions.T @ design.pull
        self.left, self.freedom = calibration.weighted_residual_sum, calibration.degrees_of_freedom - 1

    def at(self, ratio: float) -> tuple[float, float, float]:
        """Return -2 log likelihood (up to a constant), beta and w."""
        shrink = 1 / (1 + ratio * self.eigenvalues)
        weight = float((self.ones**2 * self.eigenvalues * shrink).sum())
        slope = float((self.ones * self.pull * shrink).sum()) / weight
        rest = self.left - ratio * float((self.pull**2 * shrink).sum()) - slope**2 * weight
        noise = max(rest, np.finfo(np.float64).tiny) / self.freedom
        return (
            self.freedom * np.log(noise) + float(np.log1p(ratio * self.eigenvalues).sum()) + np.log(weight),
            slope,
            noise,
        )

    def effects(self, ratio: float) -> tuple[Array, Array]:
        """Return beta and g (1 + m,) and their covariance (1 + m, 1 + m), sigma_g known: Henderson's equations."""
        _, slope, noise = self.at(ratio)
        count, across = len(self.pull), self.design.information.sum(axis=1)
        effects: Array = np.zeros(1 + count)
        covariance: Array = np.zeros((1 + count, 1 + count))
        effects[0] = slope
        if ratio == 0.0:
            covariance[0, 0] = noise / across.sum()
            return effects, covariance
        shrunken = (self.pull - self.eigenvalues * self.ones * slope) / (1 + ratio * self.eigenvalues)
        covariance[0, 0], covariance[0, 1:], covariance[1:, 0] = across.sum(), across, across
        covariance[1:, 1:] = self.design.information + np.eye(count) / ratio
        effects[1:] = ratio * self.directions @ shrunken
        return effects, np.asarray(noise * np.linalg.inv(covariance), dtype=np.float64)


def _restricted(calibration: Calibration, design: _Design) -> _Fitted:
    """Maximise the restricted likelihood, and average beta and g over it."""
    likelihood = _Likelihood(calibration, design)
    # A typical ratio is the noise left in an own slope, so that the search is the same in any unit of nearness.
    ratios = _RATIOS / float(likelihood.eigenvalues.max())
    deviances = np.array([likelihood.at(ratio)[0] for ratio in ratios])
    best = int(deviances.argmin())
    low, high = ratios[max(best - 1, 0)], ratios[min(best + 1, len(ratios) - 1)]
    share, lowest = lowest_on_line(
        lambda shares: np.array([likelihood.at(high * one)[0] for one in shares]), low / high, 1.0
    )
    ratio = high * share if lowest < deviances[0] - _NO_GAIN else 0.0
    roots = np.sqrt(ratios)
    widths = np.diff(roots, prepend=roots[0], append=roots[-1])
    weights = np.exp((deviances.min() - deviances) / 2) * (widths[1:] + widths[:-1])
    weights /= weights.sum()
    counted = np.flatnonzero(weights > _NEGLIGIBLE)
    means, covariances = zip(*(likelihood.effects(ratios[k]) for k in counted), strict=True)
    shares, places = weights[counted] / weights[counted].sum(), np.stack(means)
    mean = shares @ places
    covariance = np.einsum("k,kij->ij", shares, np.stack(covariances))
    covariance += (places - mean).T @ (shares[:, None] * (places - mean))
    return _Fitted(likelihood.at(ratio)[2], ratio, mean, covariance)


def _values(calibration: Calibration, design: _Design, fitted: _Fitted) -> tuple[Array, Array, Array]:
    """Return values (n,), their errors and biases (m,) with what nearness did taken off."""
    equations = calibration.equations
    shift, _ = calibration.centred_gauge().correction(equations)
    diagonal, _ = equations.diagonals()
    plain = fitted.noise * np.maximum(diagonal - 2 * shift, 0.0)
    both = np.column_stack([design.on_values.sum(axis=1), design.on_values])
    carried = np.einsum("ij,jk,ik->i", both, fitted.covariance, both)
    values = calibration.values - design.on_values @ fitted.slopes
    biases = calibration.biases - design.on_biases @ fitted.slopes
    return values, np.sqrt(plain + np.maximum(carried, 0.0)), biases
