"""Confidences that need calibrating themselves (the paper, SI): a factor for each assessor or each declared level.

The noise variance is let to be w f_g / c for assessments of group g, and the factors come from the restricted
likelihood (REML), values and biases fixed. At its maximum, with residuals r and leverages h of the fit that uses c/f,

    f_g = sum over g of c r^2 / w  divided by  sum over g of (1 - h)

which is iterated. A prior worth a few assessments at f = 1 keeps a group with hardly any room from running away.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import chdtrc

from panelcal.arrays import Array, Indices
from panelcal.calibration.declared import kurtosis_factor
from panelcal.calibration.influence import leverages
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel, totals_by

Grouping = Literal["assessor", "level"]

_MOST_LEVELS = 12
_MOST_STEPS = 500
_SETTLED = 1e-10
_SMALLEST, _LARGEST = 1e-4, 1e4


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceFactors:
    """Factors on the declared noise variances, and the refit.

    Attributes
    ----------
    by
        "assessor" or "level".
    groups
        Labels of the groups: assessors, or the declared confidences of the levels.
    factors
        (n_groups,) f_g: 2 = twice the variance that was declared, relative to the others; the geometric mean over
        assessments is 1.
    room
        (n_groups,) sum of 1 - leverage: how many assessments' worth of evidence each factor rests on.
    p_value
        That all factors are 1, by the ratio of restricted likelihoods corrected for the kurtosis of the noise
        (chi-squared, approximate).
    calibration
        The refit with confidences c/f, in the gauge asked for.
    converged
        Whether the factors came to rest.
    """

    by: Grouping
    groups: tuple[str, ...]
    factors: Array
    room: Array
    p_value: float
    calibration: Calibration
    converged: bool


def calibrate_confidences(
    panel: Panel, *, by: Grouping = "assessor", prior_assessments: float = 4.0, gauge: str = "weighted"
) -> ConfidenceFactors:
    """Estimate how much noisier than declared each assessor or each level is, and refit.

    Parameters
    ----------
    panel
        The assessments.
    by
        "assessor" or "level" (distinct declared confidences, at most 12).
    prior_assessments
        How many assessments the prior that all factors are 1 is worth; 0 = plain REML.
    gauge
        Gauge of the refit.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If there is only one group, there are too many levels, or no residuals to judge by.
    """
    labels, group = _groups(panel, by)
    count = len(labels)
    if count < 2:
        raise MethodNotApplicable("There is only one group of confidences, so there is nothing to compare it with.")
    plain = calibrate(panel)
    if plain.degrees_of_freedom <= 0 or not plain.weighted_residual_sum > 0:
        raise MethodNotApplicable("The scores leave no residuals, so nothing says what the confidences are worth.")
    sizes = np.bincount(group, minlength=count)
    factors = np.ones(count)
    fit, room = plain, np.zeros(count)
    converged = False
    for _ in range(_MOST_STEPS):
        fit = calibrate(panel.with_confidences(panel.confidences / factors[group]))
        room = totals_by(group, 1 - leverages(fit), count)
        squares = totals_by(group, panel.confidences * fit.residuals**2, count)
        prior = prior_assessments * fit.w_unbiased
        with np.errstate(divide="ignore", invalid="ignore"):
            new = (squares + prior) / (room + prior_assessments)
        new = np.where(np.isfinite(new), new, 1.0)
        new /= np.exp(sizes @ np.log(np.maximum(new, 1e-300)) / sizes.sum())
        new = np.clip(new, _SMALLEST, _LARGEST)
        moved = float(np.abs(np.log(new / factors)).max())
        factors = new
        if moved <= _SETTLED:
            converged = True
            break
    surplus = restricted_deviance(plain) - restricted_deviance(fit)
    surplus /= kurtosis_factor(plain, 1 - leverages(plain))
    return ConfidenceFactors(
        by=by,
        groups=labels,
        factors=factors,
        room=room,
        p_value=float(chdtrc(count - 1, max(surplus, 0.0))),
        calibration=calibrate(panel.with_confidences(panel.confidences / factors[group]), gauge=gauge),
        converged=converged,
    )


def restricted_deviance(calibration: Calibration) -> float:
    """Return -2 x restricted log likelihood of the confidences, w profiled out, up to a constant of the graph."""
    equations = calibration.equations
    free = calibration.degrees_of_freedom
    determinant = np.log(equations.eliminated_confidence).sum() + 2 * np.log(equations.factor.diagonal()).sum()
    return float(free * np.log(calibration.w_unbiased) + determinant - np.log(calibration.panel.confidences).sum())


def _groups(panel: Panel, by: str) -> tuple[tuple[str, ...], Indices]:
    if by == "assessor":
        return panel.assessors, panel.assessor_index
    if by != "level":
        raise MethodNotApplicable(f'Confidences can be calibrated by assessor or by level, not by "{by}".')
    levels, group = np.unique(panel.confidences, return_inverse=True)
    if len(levels) > _MOST_LEVELS:
        raise MethodNotApplicable(
            f"There are {len(levels)} different confidences: a factor for each level needs at most {_MOST_LEVELS}."
        )
    return tuple(f"{level:g}" for level in levels), group
