"""Estimates for assessors measured from the rest: those who are off are taken out of the zero before others are judged.

As in `calibration.assessor_differences`: one assessor far off drags the mean of all and would make the innocent look
off. Here the estimates may be any, with their covariance.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass
from panelcal.tails import holm

_NEARLY_AS_FAR = 0.8  # of the largest: taken out together with it
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class AgainstRest:
    """Estimates (n,) from the mean of the rest, their standard errors and two-sided p-values, not adjusted."""

    estimates: Array
    errors: Array
    p_values: Array


def against_rest(
    estimates: Array, covariance: Array, weights: Array, freedom: int, *, level: float, negligible: float = 0.0
) -> AgainstRest:
    """Measure estimates from the weighted mean of those that are not clearly off.

    Parameters
    ----------
    estimates, covariance, weights
        (n,), (n, n) and (n,) above 0.
    freedom
        Degrees of freedom of Student's t.
    level
        Chance of taking anybody out when none is off.
    negligible
        Differences up to this are rounding.
    """
    rest = np.ones(len(weights), dtype=np.bool_)
    tested = _from_mean_of(rest, estimates, covariance, weights, freedom, negligible)
    while freedom > 0 and rest.sum() > 1:
        sizes = np.where(rest, np.abs(tested.estimates) / np.maximum(tested.errors, _TINY), 0.0)
        off = rest & (tested.p_values * rest.sum() <= level) & (sizes >= _NEARLY_AS_FAR * sizes.max())
        if not off.any() or off.sum() == rest.sum():
            break
        rest = rest & ~off
        tested = _from_mean_of(rest, estimates, covariance, weights, freedom, negligible)
    while (innocent := ~rest & (holm(tested.p_values) > level)).any():
        rest = rest | innocent
        tested = _from_mean_of(rest, estimates, covariance, weights, freedom, negligible)
    return tested


def _from_mean_of(
    rest: Mask, estimates: Array, covariance: Array, weights: Array, freedom: int, negligible: float
) -> AgainstRest:
    shares = np.where(rest, weights, 0.0) / weights[rest].sum()
    differences = estimates - shares @ estimates
    carried = covariance @ shares
    errors = np.sqrt(np.maximum(np.diag(covariance) - 2 * carried + shares @ carried, 0.0))
    if freedom <= 0:
        return AgainstRest(differences, errors, np.full_like(differences, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(differences) / errors)
    return AgainstRest(differences, errors, np.where(np.abs(differences) <= negligible, 1.0, p))
