"""Biases drawn towards their mean (Platt and Burges, "Regularized least squares to remove reviewer bias").

Minimise sum of c (s - v_o - b_a)^2 / w + sum of b_a^2 / t, the prior on biases that the paper's SI suggests: ridge
regression with penalty w/t. The noise variance w and the variance t of the biases come from the restricted likelihood
(REML) with the objects fixed. t -> 0 gives plain weighted averages, t -> infinity calibration with confidence.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from panelcal.arrays import Array
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.student_mixture import StudentMixture, ratio_places
from panelcal.calibration.verdict import verdict
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel, as_dense

FEWEST_ASSESSORS = 3
_ROUNDING = 1e-12
_MOST_AVERAGED = 400  # assessors beyond whom variances are known well enough


@dataclass(frozen=True, slots=True, eq=False)
class ShrunkenBiases:
    """Values with shrunken biases.

    Attributes
    ----------
    panel
        What was fitted.
    values, value_errors
        (n_objects,) in score units, kept at the confidence-weighted mean score as in gauge (36). The errors are
        posterior standard deviations given the two variances: too small on small panels, where `value_distribution`
        takes the doubt about the variances in.
    biases
        (n_assessors,) in score units, sum of C'_a b_a = 0.
    noise_variance
        w, variance of a score of confidence 1.
    bias_variance
        t, variance of the biases; 0 = no sign that assessors differ, and the values are plain weighted averages.
    kept_share
        (n_assessors,) between 0 and 1: how much of an assessor's own evidence the shrinkage keeps, C'_a/(C'_a + w/t).
    """

    panel: Panel
    values: Array
    value_errors: Array
    biases: Array
    noise_variance: float
    bias_variance: float
    kept_share: Array

    def value_distribution(self) -> StudentMixture:
        """Return where each value may lie, averaged over the variances; truths are v_o + the weighted mean of b_a."""
        return _averaged(self)


def shrunken_biases(
    panel: Panel, *, noise_variance: float | None = None, bias_variance: float | None = None
) -> ShrunkenBiases:
    """Fit values with shrunken biases.

    Parameters
    ----------
    panel
        The assessments.
    noise_variance, bias_variance
        w and t in score units squared; None = estimated by REML (give both or neither).

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected: the prior would join its groups by assumption alone.
    MethodNotApplicable
        If the panel is too small for the variances to be estimated.
    """
    if noise_variance is None or bias_variance is None:
        noise_variance, bias_variance = _estimate(panel)
    means = weighted_average(panel)
    object_total = panel.object_totals(panel.confidences)
    assessor_total = panel.assessor_totals(panel.confidences)
    shares = panel.table(panel.confidences / object_total[panel.object_index])
    mean_share = assessor_total / assessor_total.sum()
    if bias_variance > 0:
        penalty = noise_variance / bias_variance
        weights = panel.table(panel.confidences)
        system = np.diag(assessor_total + penalty) - as_dense(weights.T @ shares)
        right = panel.assessor_totals(panel.confidences * (panel.scores - means[panel.object_index]))
        factor = linalg.cho_factor(system, lower=True, check_finite=False)
        biases = linalg.cho_solve(factor, right, check_finite=False)
        # What is estimated is v_o + (weighted mean of b), the value in gauge (36), not v_o where biases have mean 0.
        apart = as_dense(shares) - mean_share
        half = linalg.solve_triangular(factor[0], apart.T, lower=True, check_finite=False)
        carried = np.einsum("ao,ao->o", half, half)
        kept = assessor_total / (assessor_total + penalty)
    else:
        biases, carried, kept = np.zeros(panel.n_assessors), np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
    shift = float(mean_share @ biases)
    return ShrunkenBiases(
        panel=panel,
        values=means - shares @ biases + shift,
        value_errors=np.sqrt(noise_variance * (1 / object_total + carried)),
        biases=biases - shift,
        noise_variance=noise_variance,
        bias_variance=bias_variance,
        kept_share=kept,
    )


def _estimate(panel: Panel) -> tuple[float, float]:
    if panel.n_assessors < FEWEST_ASSESSORS:
        raise MethodNotApplicable(
            f"The variance of the biases cannot be estimated from {panel.n_assessors} "
            f"assessor{'s' if panel.n_assessors > 1 else ''}: it takes at least {FEWEST_ASSESSORS}."
        )
    fit = calibrate(panel)
    if fit.degrees_of_freedom <= 0 or np.abs(fit.residuals).max() <= _ROUNDING * np.abs(panel.scores).max():
        raise MethodNotApplicable("The scores leave no residuals, so nothing says how far to shrink the biases.")
    judged = verdict(panel, calibration=fit)
    return judged.noise_variance, judged.assessor_variance


def _averaged(found: ShrunkenBiases) -> StudentMixture:
    """Weigh the values at every variance of the biases by restricted likelihood and prior.

    In the eigenvectors of the assessors' system the likelihood at every ratio of variances, and what the biases are
    there, cost nothing more.
    """
    panel, c = found.panel, found.panel.confidences
    freedom = panel.n_assessments - panel.n_objects
    if panel.n_assessors > _MOST_AVERAGED or freedom < 1:
        values, errors = found.values[:, None], found.value_errors[:, None]
        return StudentMixture(found.values, values, errors, np.ones(1), max(freedom, 1))
    means = weighted_average(panel)
    object_total, assessor_total = panel.object_totals(c), panel.assessor_totals(c)
    shares = panel.table(c / object_total[panel.object_index])
    system = np.diag(assessor_total) - as_dense(panel.table(c).T @ shares)
    powers, directions = linalg.eigh(system, check_finite=False, driver="evd")
    powers = np.maximum(powers, 0.0)
    left = panel.scores - means[panel.object_index]
    evidence = directions.T @ panel.assessor_totals(c * left)
    squares, unit = float(c @ left**2), panel.n_assessments / float(c.sum())

    def shrink_at(logs: Array) -> Array:
        ratios = unit * np.exp(logs)[:, None]
        return ratios / (1 + ratios * powers)

    def noise_at(logs: Array) -> Array:
        return np.maximum(squares - shrink_at(logs) @ evidence**2, _ROUNDING * squares) / freedom

    def deviance(logs: Array) -> Array:
        return freedom * np.log(noise_at(logs)) + np.log1p(unit * np.exp(logs)[:, None] * powers).sum(axis=1)

    logs, depths = ratio_places(deviance)
    weights = np.exp(-0.5 * (depths - depths.min()))
    shrink = shrink_at(logs).T
    apart = np.asarray((as_dense(shares) - assessor_total / assessor_total.sum()) @ directions)
    centres = means[:, None] - apart @ (shrink * evidence[:, None])
    scales = np.sqrt(noise_at(logs) * (1 / object_total[:, None] + apart**2 @ shrink))
    return StudentMixture(found.values, centres, scales, weights / weights.sum(), freedom)
