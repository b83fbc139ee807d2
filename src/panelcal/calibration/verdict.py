"""Is calibrating worthwhile on this panel? An F test, variance components, and the error to expect of each choice.

Calibration removes the assessors' biases at the price of estimating them. The F test asks whether there are any; the
restricted likelihood (REML) of the biases as random, with the objects fixed so that streamed assignment does no harm,
says how large; `expected_errors` says what averages, calibrated values and shrunken biases make of them on this graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.advice import Advice, Found, Nouns, advice_sentence, advise, selection_sentence
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.expected_errors import expected_errors, expected_errors_at_scale
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.variance_components import (
    assessor_system,
    components_by_likelihood,
    components_by_moments,
    object_shares,
    object_variance,
    system_trace,
)
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Shown
from panelcal.tails import fdtrc

_ROUNDING = 1e-12  # of the largest score: below this, scatter is rounding
_MOST_BY_LIKELIHOOD = 600  # assessors, whose system needs all its eigenvectors


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
    """Whether to calibrate.

    Source: an F test of additive biases, and variance components by REML (Patterson and Thompson 1971).

    Attributes
    ----------
    f_statistic, p_value
        F test that all biases are equal, on (n_assessors - 1, N - p) degrees of freedom; NaN where it cannot be made.
    noise_variance
        w: variance of a score of confidence 1 beyond value and bias.
    assessor_variance
        Variance of the biases, with objects fixed, in score units squared.
    object_variance
        Variance of the true values: that of the calibrated values less their estimation error (never below 0).
    expected_error
        Root mean square error to expect of "raw" (confidence-weighted averages), "calibrated" and "shrunken" values on
        this graph, in score units, apart from a shift common to all objects. One panel's figure for averages is rough:
        within a factor of two.
    expected_square
        The same before the root and before what falls below 0 is cut off: right on average over panels, whoever was
        assigned to whom.
    correlation, correlation_error
        Of an object's value with the mean bias of its own assessors, freed of estimation error; and its standard error
        if there were none. Above 0: able objects met generous assessors. NaN where either does not vary.
    largest_change
        The largest difference of calibrated value and average, the common shift taken out, in score units.
    advice
        "calibrate", "shrink", "average", "no difference" (averages and calibrated values coincide) or "cannot tell".
    sentence
        The same in words.
    method
        How the variances were estimated: "restricted likelihood" (REML); "moments" (Henderson's third method, 1953)
        with more than 600 assessors, where the error to expect of shrunken values is estimated to about one part in a
        hundred; "none" where there is nothing to estimate.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> verdict(panel).advice
    'no difference'
    """

    f_statistic: float
    p_value: float
    noise_variance: float
    assessor_variance: float
    object_variance: float
    expected_error: dict[str, float]
    expected_square: dict[str, float]
    correlation: float
    correlation_error: float
    largest_change: float
    advice: Advice
    sentence: str
    method: Literal["restricted likelihood", "moments", "none"]

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "advice", self.advice
        yield "F", self.f_statistic
        yield "p", self.p_value
        yield "noise_variance", self.noise_variance
        yield "assessor_variance", self.assessor_variance
        yield "largest_change", self.largest_change


def verdict(
    panel: Panel,
    *,
    calibration: Calibration | None = None,
    assessors: str = "assessors",
    objects: str = "objects",
) -> Verdict:
    """Judge whether calibrating this connected panel is expected to help.

    Source: an F test of additive biases, and variance components by REML (Patterson and Thompson 1971).

    Parameters
    ----------
    panel
        The assessments.
    calibration
        A calibration of the same panel, to save the work; any gauge.
    assessors, objects
        What the sentence calls them.

    Returns
    -------
    Verdict
        Test, variances, expected errors and advice.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> verdict(panel).p_value < 0.05
    True
    """
    fit = calibrate(panel) if calibration is None else calibration
    freedom, n_assessors = fit.degrees_of_freedom, panel.n_assessors
    nan = float("nan")
    if freedom == 0 or n_assessors == 1:
        why = (
            "There is only one assessor, so there is nothing to calibrate."
            if n_assessors == 1
            else "There are no more scores than unknowns, so nothing says how large the noise is."
        )
        unknown = {"raw": nan, "calibrated": nan, "shrunken": nan}
        return _untested(nan, nan, nan, unknown, "cannot tell", why)

    raw = weighted_average(panel)
    raw_sum = float(panel.confidences @ (panel.scores - raw[panel.object_index]) ** 2)
    explained = max(raw_sum - fit.weighted_residual_sum, 0.0)
    rounding = (_ROUNDING * float(np.abs(panel.scores).max())) ** 2 * fit.equations.total_confidence
    if raw_sum <= rounding:
        none = {"raw": 0.0, "calibrated": 0.0, "shrunken": 0.0}
        variance = float(np.var(fit.values, ddof=1)) if panel.n_objects > 1 else nan
        return _untested(0.0, variance, 0.0, none, "average", f"All {assessors} agree: nothing to calibrate.")
    off = _without_common_shift(raw - fit.values, fit)
    if fit.weighted_residual_sum <= rounding:
        return _without_noise(fit, off, assessors)
    noise_mean = fit.weighted_residual_sum / freedom
    f_statistic = explained / (n_assessors - 1) / noise_mean
    p_value = float(fdtrc(n_assessors - 1, freedom, f_statistic))

    shares = object_shares(fit)
    by_moments = n_assessors > _MOST_BY_LIKELIHOOD
    if by_moments:
        noise, ratio = components_by_moments(noise_mean, explained, system_trace(fit, shares), n_assessors)
        expected = expected_errors_at_scale(fit, shares, noise_mean, ratio)
    else:
        powers, directions = assessor_system(fit, shares)
        noise, ratio = components_by_likelihood(
            fit.biases, fit.weighted_residual_sum, panel.n_assessments - panel.n_objects, powers[1:], directions[:, 1:]
        )
        expected = expected_errors(fit, shares, powers, directions, noise_mean, ratio)
    largest = float(np.abs(off).max())
    advice = advise(expected, largest)
    found = Found(p_value, expected, float(np.sqrt(ratio * noise)), largest)
    nouns = Nouns(assessors, objects)
    return Verdict(
        f_statistic=f_statistic,
        p_value=p_value,
        noise_variance=noise,
        assessor_variance=ratio * noise,
        object_variance=object_variance(fit),
        expected_error=expected.roots,
        expected_square=expected.squares,
        correlation=expected.correlation,
        correlation_error=expected.correlation_error,
        largest_change=largest,
        advice=advice,
        sentence=advice_sentence(advice, found, nouns) + selection_sentence(expected, nouns),
        method="moments" if by_moments else "restricted likelihood",
    )


def _without_common_shift(off: Array, fit: Calibration) -> Array:
    weights = fit.equations.object_confidence / fit.equations.total_confidence
    return off - weights @ off


def _untested(
    noise: float, of_objects: float, of_assessors: float, errors: dict[str, float], advice: Advice, sentence: str,
    *, f_statistic: float = float("nan"), p_value: float = float("nan"), largest: float = float("nan"),
) -> Verdict:  # fmt: skip
    """Return a verdict where there is nothing to estimate."""
    nan = float("nan")
    squares = {name: error**2 for name, error in errors.items()}
    return Verdict(
        f_statistic, p_value, noise, of_assessors, of_objects, errors, squares, nan, nan, largest, advice, sentence,
        "none",
    )  # fmt: skip


def _without_noise(fit: Calibration, off: Array, assessors: str) -> Verdict:
    """Judge a panel whose scores fit value + bias exactly: calibrated values are right, averages are off by biases."""
    expected = {"raw": float(np.sqrt(np.mean(off**2))), "calibrated": 0.0, "shrunken": 0.0}
    variance = float(np.var(fit.values, ddof=1)) if len(fit.values) > 1 else float("nan")
    spread, largest = float(np.var(fit.biases, ddof=1)), float(np.abs(off).max())
    advice: Advice = "calibrate"
    sentence = f"Calibrate: the {assessors} differ by constant amounts and agree exactly once these are taken out."
    if largest <= np.sqrt(_ROUNDING) * float(np.abs(fit.biases).max()):
        advice = "no difference"
        sentence = f"It makes no difference: the {assessors} differ by constant amounts, alike for everyone."
    return _untested(
        0.0, variance, spread, expected, advice, sentence, f_statistic=float("inf"), p_value=0.0, largest=largest
    )
