"""How sure each value and bias is: standard errors, intervals, differences, ranks and boundaries.

From the posterior of the paper's "Posterior probability distribution": with w unknown it is a multivariate Student t
around (v, b) with scale w G, G the inverse of L in the gauge. Standard errors use w = R/(N - p).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.value_posterior import probability_at_or_above
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Shown
from panelcal.tails import stdtrit

RANK_DRAWS = 4000
_MOST_RANKS = 80_000_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Uncertainty(Shown):
    """Standard errors of a calibration, in its gauge.

    Source: MacKay, Kenna, Low and Parker (2015), "Posterior probability distribution", with w = R/(N - p).

    Attributes
    ----------
    calibration
        What they belong to.
    value_errors, bias_errors
        (n_objects,) and (n_assessors,) standard errors with w = R/(N - p), in score units; NaN when N = p.
    unit_value_errors, unit_bias_errors
        The same for w = 1: square roots of the diagonal of the inverse of L in this gauge, in 1/sqrt(confidence).
    stated_error
        0 where they are exact. Where a panel is too large for that they are estimated from solutions for random scores,
        and this is the largest relative standard error of that estimate (0.05 = 5% of the standard error).
    method
        "exact", or how they were estimated.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> errors = uncertainty(calibration)
    >>> errors.value_errors.round(3).tolist()
    [0.577, 0.577, 0.577]
    """

    calibration: Calibration
    value_errors: Array
    bias_errors: Array
    unit_value_errors: Array
    unit_bias_errors: Array
    stated_error: float
    method: str

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "value_errors", self.value_errors
        yield "largest", float(self.value_errors.max())
        yield "bias_errors", self.bias_errors
        yield "largest", float(self.bias_errors.max())
        yield "method", self.method

    def value_interval(self, level: float = 0.95, *, zero_point_error: float = 0.0) -> Array:
        """Return (n_objects, 2) lower and upper ends by Student's t with N - p degrees of freedom.

        They are for true values in the calibration's gauge, whose zero they take as given. With the `zero_point_error`
        of `value_posterior` they are for true values beyond it, as all assessors that might have been would give them.
        """
        errors = np.hypot(self.value_errors, zero_point_error)
        return _interval(self.calibration.values, errors, self.calibration.degrees_of_freedom, level)

    def bias_interval(self, level: float = 0.95) -> Array:
        """Return (n_assessors, 2) lower and upper ends by Student's t with N - p degrees of freedom."""
        return _interval(self.calibration.biases, self.bias_errors, self.calibration.degrees_of_freedom, level)

    def difference_errors(self, i: ArrayLike, j: ArrayLike) -> Array:
        """Return standard errors of v_i - v_j for object indices i and j (broadcast); the same in every gauge."""
        first, second = np.broadcast_arrays(np.asarray(i, dtype=np.intp), np.asarray(j, dtype=np.intp))
        variances = self.calibration.equations.value_differences(first.ravel(), second.ravel())
        return np.sqrt(self.calibration.w_unbiased * variances).reshape(first.shape)

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each true value, in this gauge, is at the boundary or above it.

        As `probability_at_or_above`: not the tail of the interval, which leaves out where values lie as a rule.
        """
        return probability_at_or_above(self.calibration, boundary)

    def rank_interval(
        self, level: float = 0.95, *, seed: int = 0, draws: int = RANK_DRAWS, among: Indices | None = None
    ) -> Indices:
        """Return (n_objects, 2) best and worst plausible rank, 1 = highest value; a row for each of `among`, if given.

        Ends of the central `level` of each object's rank over 4,000 draws (or as many as asked for) from the joint
        posterior of all values. The same seed gives the same answer.

        Raises
        ------
        MethodNotApplicable
            When N = p: nothing is left to judge the noise by; or with more than 20,000 objects.
        """
        _check_level(level)
        calibration = self.calibration
        if calibration.degrees_of_freedom == 0:
            raise MethodNotApplicable("Ranks have no interval here: there are no more scores than unknowns.")
        equations = calibration.equations
        if calibration.panel.n_objects * RANK_DRAWS > _MOST_RANKS or not equations.system.is_small:
            raise MethodNotApplicable("There are too many objects for intervals of their ranks.")
        random = np.random.default_rng(seed)
        kept = np.zeros((draws, len(equations.kept_confidence)))
        kept[:, equations.system.dense.others] = equations.system.dense.draws(random, draws)
        if equations.keeps_assessors:
            own = random.standard_normal((draws, calibration.panel.n_objects))
            noise = own / np.sqrt(equations.object_confidence) - np.asarray(equations.shares @ kept.T).T
        else:
            noise = kept
        freedom = calibration.degrees_of_freedom
        scale = np.sqrt(calibration.w_unbiased * freedom / random.chisquare(freedom, draws))
        drawn = calibration.centred_values + noise * scale[:, None]
        drawn = drawn if among is None else drawn[:, among]
        # Equal values can only be where nothing is noise; there the order of the panel decides.
        order = np.argsort(-drawn, axis=1, kind="quicksort" if scale.min() > 0 else "stable")
        ranks = np.empty(order.shape, dtype=np.int16)  # 16 bits sort in no time, and hold the 20,000
        np.put_along_axis(ranks, order, np.arange(1, order.shape[1] + 1, dtype=np.int16)[None, :], axis=1)
        ranks.sort(axis=0, kind="stable")
        tail = (1 - level) / 2
        low, high = (ranks[max(int(np.ceil(draws * share)) - 1, 0)] for share in (tail, 1 - tail))
        return np.column_stack([low, high]).astype(np.intp)


def uncertainty(calibration: Calibration) -> Uncertainty:
    """Compute the standard errors of all values and biases in the calibration's gauge.

    The gauge-free covariance G becomes P G P' by the gauge's projection P, so the same few numbers serve all gauges.

    Source: MacKay, Kenna, Low and Parker (2015), "Posterior probability distribution", with w = R/(N - p).

    Returns
    -------
    Uncertainty
        Errors, and intervals by Student's t.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> uncertainty(calibration).value_interval(0.9).shape
    (3, 2)
    """
    object_diagonal, assessor_diagonal = calibration.equations.diagonals()
    object_shift, assessor_shift = calibration.centred_gauge().correction(calibration.equations, of_everything=True)
    unit_values = np.sqrt(np.maximum(object_diagonal - 2 * object_shift, 0.0))
    unit_biases = np.sqrt(np.maximum(assessor_diagonal + 2 * assessor_shift, 0.0))
    scale = np.sqrt(calibration.w_unbiased)
    entries = calibration.equations.entries
    return Uncertainty(
        calibration=calibration,
        value_errors=scale * unit_values,
        bias_errors=scale * unit_biases,
        unit_value_errors=unit_values,
        unit_bias_errors=unit_biases,
        stated_error=entries.stated_error,
        method=entries.method,
    )


def student_quantile(freedom: int, level: float) -> float:
    """Return the factor that turns a standard error into the half-width of a two-sided interval of that level."""
    _check_level(level)
    return float(stdtrit(freedom, (1 + level) / 2)) if freedom > 0 else float("nan")


def _interval(estimates: Array, errors: Array, freedom: int, level: float) -> Array:
    half = student_quantile(freedom, level) * errors
    return np.column_stack([estimates - half, estimates + half])


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
