"""Is calibrating worthwhile on this panel? An F test, variance components, and the error to expect of each choice.

Calibration removes the assessors' biases at the price of estimating them. The F test asks whether there are any; the
restricted likelihood (REML) of the biases as random, with the objects fixed so that streamed assignment does no harm,
says how large; `expected_errors` says what averages, calibrated values and shrunken biases make of them on this graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from panelcal.calibration.averages import weighted_average
from panelcal.calibration.expected_errors import ExpectedErrors, expected_errors, expected_errors_at_scale
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.variance_components import (
    assessor_system,
    components_by_likelihood,
    components_by_moments,
    object_shares,
    object_variance,
)
from panelcal.panel import Panel
from panelcal.shown import Shown

Array = NDArray[np.float64]
Advice = Literal["calibrate", "shrink", "average", "no difference", "cannot tell"]

_SIGNIFICANT = 0.05
_ROUNDING = 1e-12  # of the largest score: below this, scatter is rounding
_MOST_BY_LIKELIHOOD = 600  # assessors, whose system needs all its eigenvectors
_WORTH_A_SWITCH = 0.975  # an expected error must be this much smaller to recommend the less direct method
_NOTHING_TO_SHRINK = 0.995
_TIE, _CLEAR = 1.0, 2.0  # differences of expected squares, in standard errors
_COINCIDE = 0.1  # of the calibrated values' typical error: changes below this make no difference
_CORRELATION_SHOWN, _CORRELATION_CLEAR = 0.2, 2.5


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
    """Whether to calibrate.

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
        noise, ratio = components_by_moments(fit, shares, explained)
        expected = expected_errors_at_scale(fit, shares, noise_mean, ratio)
    else:
        powers, directions = assessor_system(fit, shares)
        noise, ratio = components_by_likelihood(fit, powers, directions)
        expected = expected_errors(fit, shares, powers, directions, noise_mean, ratio)
    largest = float(np.abs(off).max())
    advice = _advise(expected, largest)
    found = _Found(p_value, expected, float(np.sqrt(ratio * noise)), largest)
    nouns = _Nouns(assessors, objects)
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
        sentence=_sentence(advice, found, nouns) + _selection_sentence(expected, nouns),
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


@dataclass(frozen=True, slots=True)
class _Found:
    """What the sentence is about."""

    p_value: float
    expected: ExpectedErrors
    bias_deviation: float
    largest_change: float


@dataclass(frozen=True, slots=True)
class _Nouns:
    """Words for what is judged."""

    assessors: str
    objects: str


def _advise(expected: ExpectedErrors, largest_change: float) -> Advice:
    """Weigh the three choices; where averages and calibrated values cannot be told apart, say so.

    Which of the two is better is judged without assuming chance assignment. Whether shrinking beats both is judged by
    the steadier figures that do assume it, unless averages are clearly worse than calibrated values: there they may be
    wrong.
    """
    if largest_change <= _COINCIDE * expected.roots["calibrated"]:
        return "no difference"
    gain = expected.squares["raw"] - expected.squares["calibrated"]
    difference = gain / expected.difference_error if expected.difference_error > 0 else np.sign(gain) * np.inf
    assumed = expected.by_chance
    if difference < _CLEAR and assumed["shrunken"] < _WORTH_A_SWITCH**2 * min(assumed["raw"], assumed["calibrated"]):
        return "shrink"
    if abs(difference) >= _TIE:
        return "calibrate" if difference > 0 else "average"
    return "average" if assumed["shrunken"] > _NOTHING_TO_SHRINK**2 * assumed["raw"] else "cannot tell"


def _sentence(advice: Advice, found: _Found, nouns: _Nouns) -> str:
    p_value, assessors = found.p_value, nouns.assessors
    errors = found.expected.roots
    raw, calibrated, shrunken = errors["raw"], errors["calibrated"], errors["shrunken"]
    chance = "p below 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    differ = (
        f"the {assessors} differ ({chance}, typical bias {found.bias_deviation:.1f})"
        if p_value <= _SIGNIFICANT
        else f"there is no clear sign that the {assessors} differ ({chance})"
    )
    two = f"expected error {raw:.2f} for plain averages, {calibrated:.2f} for calibrated values"
    three = f"{two}, {shrunken:.2f} with shrunken biases" if shrunken < min(raw, calibrated) else two
    if advice == "no difference":
        return (
            f"It makes no difference: averages and calibrated values coincide, or nearly so (largest change "
            f"{found.largest_change:.2f}, expected error {calibrated:.2f} of either), because the {assessors} are "
            "shared almost evenly."
        )
    if advice == "calibrate":
        further = f" Shrunken biases would hardly do better ({shrunken:.2f})." if shrunken < calibrated else ""
        worth = "and it is worth correcting" if p_value <= _SIGNIFICANT else "but averages are likely further off"
        return f"Calibrate: {differ}, {worth}: {two}.{further}"
    if advice == "shrink":
        return (
            f"Calibrate with care: {differ}, but the links are thin, so that full correction adds noise of its own; "
            f"shrunken biases do better on panels like this one: {three}."
        )
    if advice == "cannot tell":
        return (
            f"Cannot tell: {differ}; averages and calibrated values are about equally far off, and this panel does not "
            f"show which is closer: {two}. Either can be defended."
        )
    if calibrated < raw:
        return (
            f"Do not calibrate on this evidence: {differ}, though there may be too few scores to see it; if they do "
            f"differ as much as estimated, {three}."
        )
    return f"Do not calibrate: {differ}, and plain averages are about as good or better: {three}."


def _selection_sentence(expected: ExpectedErrors, nouns: _Nouns) -> str:
    """Say who met whom where it was not by chance; it matters because averages reward it."""
    size, error = expected.correlation, expected.correlation_error
    if not (abs(size) >= _CORRELATION_SHOWN and abs(size) >= _CORRELATION_CLEAR * error):
        return ""
    # Turning the scale round turns both, so this holds whether high scores or low ones are good.
    met, averages = ("generous", "flatter") if size > 0 else ("severe", "wrong")
    return (
        f" Stronger {nouns.objects} had more {met} {nouns.assessors} (correlation {size:.1f}), so that plain averages "
        f"{averages} them."
    )
