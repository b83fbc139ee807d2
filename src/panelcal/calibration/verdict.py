"""Is calibrating worthwhile on this panel? An F test, variance components, and the error to expect of each choice.

Calibration removes the assessors' biases at the price of estimating them. The F test asks whether there are any; the
restricted likelihood (REML) of the biases as random, with the objects fixed so that streamed assignment does no harm,
says how large; and on this very graph the two give the expected error of plain averages, of calibrated values and of
values with shrunken biases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import fdtrc

from panelcal.calibration.averages import weighted_average
from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.gauges import Gauge
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.line_search import lowest_on_line
from panelcal.panel import Panel, as_dense

Array = NDArray[np.float64]
Advice = Literal["calibrate", "shrink", "average", "cannot tell"]

_SIGNIFICANT = 0.05
_SMALLEST, _LARGEST = 1e-10, 1e30  # bias variance over noise variance, in units of the system's mean
_ROUNDING = 1e-12  # of the largest score: below this, scatter is rounding
_MOST_BY_LIKELIHOOD = 600  # assessors, whose system needs all its eigenvectors
_FEWEST_PROBES, _PROBED_ASSESSORS = 4, 20_000
_PROBE_TOLERANCE, _PROBE_STEPS = 1e-5, 1000
_WORTH_A_SWITCH = 0.95  # an expected error must be this much smaller to recommend the less direct method


@dataclass(frozen=True, slots=True)
class Verdict:
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
        this graph, in score units, apart from a shift common to all objects.
    advice
        "calibrate", "shrink", "average" or "cannot tell".
    sentence
        The same in words.
    method
        How the variances were estimated: "restricted likelihood" (REML); "moments" (Henderson's third method, 1953)
        with more than 600 assessors, where the error to expect of shrunken values is estimated to about one part in a
        hundred; "none" where there is nothing to estimate.
    """

    f_statistic: float
    p_value: float
    noise_variance: float
    assessor_variance: float
    object_variance: float
    expected_error: dict[str, float]
    advice: Advice
    sentence: str
    method: Literal["restricted likelihood", "moments", "none"]


def verdict(panel: Panel, *, calibration: Calibration | None = None, assessors: str = "assessors") -> Verdict:
    """Judge whether calibrating this connected panel is expected to help.

    Parameters
    ----------
    panel
        The assessments.
    calibration
        A calibration of the same panel, to save the work; any gauge.
    assessors
        What the sentence calls the assessors.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
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
        return Verdict(nan, nan, nan, nan, nan, unknown, "cannot tell", why, "none")

    raw = weighted_average(panel)
    raw_sum = float(panel.confidences @ (panel.scores - raw[panel.object_index]) ** 2)
    explained = max(raw_sum - fit.weighted_residual_sum, 0.0)
    rounding = (_ROUNDING * float(np.abs(panel.scores).max())) ** 2 * fit.equations.total_confidence
    if raw_sum <= rounding:
        none = {"raw": 0.0, "calibrated": 0.0, "shrunken": 0.0}
        variance = float(np.var(fit.values, ddof=1)) if panel.n_objects > 1 else nan
        why = f"All {assessors} agree: nothing to calibrate."
        return Verdict(nan, nan, 0.0, 0.0, variance, none, "average", why, "none")
    if fit.weighted_residual_sum <= rounding:
        return _without_noise(fit, raw, assessors)
    noise_mean = fit.weighted_residual_sum / freedom
    f_statistic = explained / (n_assessors - 1) / noise_mean
    p_value = float(fdtrc(n_assessors - 1, freedom, f_statistic))

    shares = _object_shares(fit)
    by_moments = n_assessors > _MOST_BY_LIKELIHOOD
    if by_moments:
        noise, ratio = _components_by_moments(fit, shares, explained)
        expected = _expected_errors_at_scale(fit, shares, noise, ratio)
    else:
        powers, directions = _assessor_system(fit, shares)
        noise, ratio = _components(fit, powers, directions)
        expected = _expected_errors(fit, shares, powers, directions, noise, ratio)
    scatter = float(np.var(fit.values, ddof=1)) if panel.n_objects > 1 else float("nan")
    object_variance = max(scatter - _mean_difference_variance(fit, noise), 0.0)
    advice = _advise(p_value, expected)
    return Verdict(
        f_statistic=f_statistic,
        p_value=p_value,
        noise_variance=noise,
        assessor_variance=ratio * noise,
        object_variance=object_variance,
        expected_error=expected,
        advice=advice,
        sentence=_sentence(advice, p_value, expected, np.sqrt(ratio * noise), assessors),
        method="moments" if by_moments else "restricted likelihood",
    )


def _without_noise(fit: Calibration, raw: Array, assessors: str) -> Verdict:
    """Judge a panel whose scores fit value + bias exactly: calibrated values are right, averages are off by biases."""
    off = raw - fit.values
    weights = fit.equations.object_confidence / fit.equations.total_confidence
    expected = {"raw": float(np.sqrt(np.mean((off - weights @ off) ** 2))), "calibrated": 0.0, "shrunken": 0.0}
    variance = float(np.var(fit.values, ddof=1)) if len(fit.values) > 1 else float("nan")
    spread = float(np.var(fit.biases, ddof=1))
    sentence = f"Calibrate: the {assessors} differ by constant amounts and agree exactly once these are taken out."
    return Verdict(float("inf"), 0.0, 0.0, spread, variance, expected, "calibrate", sentence, "none")


def _object_shares(fit: Calibration) -> Array | sp.csr_array:
    """Shares c_ao/C_o (n_objects, n_assessors): rows sum to 1."""
    equations, panel = fit.equations, fit.panel
    if equations.keeps_assessors:
        return equations.shares
    return panel.table(panel.confidences / equations.object_confidence[panel.object_index])


def _assessor_system(fit: Calibration, shares: Array | sp.csr_array) -> tuple[Array, Array]:
    """Eigenvalues (n_assessors,) and eigenvectors of the system (15) between assessors; the null one comes first."""
    panel, equations = fit.panel, fit.equations
    weights = panel.table(panel.confidences)
    system = np.diag(equations.assessor_confidence) - as_dense(weights.T @ shares)
    powers, directions = linalg.eigh(system, check_finite=False, driver="evd")
    # A connected panel has exactly one null direction, all biases alike.
    powers[0] = 0.0
    directions[:, 0] = 1 / np.sqrt(len(powers))
    return np.maximum(powers, 0.0), directions


def _components(fit: Calibration, powers: Array, directions: Array) -> tuple[float, float]:
    """Noise variance w and the ratio (bias variance)/w by REML, objects fixed.

    In the eigenvectors of (15) the estimated biases' projections t_i are independent, N(0, w s_i (1 + ratio s_i)) after
    scaling by s_i, and R is independent of them, so the restricted likelihood needs nothing else.
    """
    s = np.maximum(powers[1:], np.finfo(np.float64).tiny)
    t = s * (directions[:, 1:].T @ fit.biases)
    r, n = fit.weighted_residual_sum, fit.panel.n_assessments - fit.panel.n_objects

    def noise_at(ratios: Array) -> Array:
        return (r + (t**2 / (s * (1 + ratios[:, None] * s))).sum(axis=1)) / n

    def criterion(ratios: Array) -> Array:
        return n * np.log(noise_at(ratios)) + np.log1p(ratios[:, None] * s).sum(axis=1)

    # The criterion can have two minima.
    ends = np.log(_SMALLEST / s.mean()), np.log(_LARGEST / s.mean())
    place, lowest = lowest_on_line(lambda logs: criterion(np.exp(logs)), *ends)
    none = np.zeros(1)
    ratio = none if lowest >= criterion(none)[0] else np.exp([place])
    return float(noise_at(ratio)[0]), float(ratio[0])


def _components_by_moments(fit: Calibration, shares: Array | sp.csr_array, explained: float) -> tuple[float, float]:
    """Noise variance w and the ratio (bias variance)/w: what biases explain has mean w (N_A - 1) + variance x trace."""
    own = (shares * shares).T @ fit.equations.object_confidence
    trace = float((fit.equations.assessor_confidence - own).sum())
    noise = fit.w_unbiased
    surplus = explained - noise * (fit.panel.n_assessors - 1)
    return noise, max(surplus / trace, 0.0) / noise if trace > 0 else 0.0


def _expected_errors_at_scale(
    fit: Calibration, shares: Array | sp.csr_array, noise: float, ratio: float
) -> dict[str, float]:
    """As `_expected_errors`, without eigenvectors: estimation errors from G, the rest by random probes (Hutchinson)."""
    equations, panel = fit.equations, fit.panel
    total = equations.total_confidence
    mean_share = equations.assessor_confidence / total
    own = float(np.mean(1 / equations.object_confidence)) - 1 / total
    squares = np.asarray((shares * shares).sum(axis=1)).ravel()
    apart = float(np.mean(squares - 2 * (shares @ mean_share) + mean_share @ mean_share))
    diagonal, _ = equations.diagonals()
    weighted = Gauge(np.zeros(panel.n_objects), equations.assessor_confidence, 0.0)
    calibrated = float(np.mean(diagonal - 2 * weighted.correction(equations)[0])) - 1 / total
    shrunken = own
    if ratio > 0:
        probes = max(_FEWEST_PROBES, _PROBED_ASSESSORS // panel.n_assessors)
        signs = np.random.default_rng(0).choice([-1.0, 1.0], (panel.n_objects, probes))
        right = shares.T @ signs - np.outer(mean_share, signs.sum(axis=0))

        def multiply(x: Array) -> Array:
            through = equations.object_confidence[:, None] * (shares @ x)
            return x / ratio + equations.assessor_confidence[:, None] * x - shares.T @ through

        scale = 1 / ratio + equations.assessor_confidence
        solved, _ = conjugate_gradients(multiply, scale, right, tolerance=_PROBE_TOLERANCE, most_steps=_PROBE_STEPS)
        shrunken += float(np.einsum("ak,ak->", right, solved)) / probes / panel.n_objects
    variances = {"raw": own + ratio * apart, "calibrated": calibrated, "shrunken": shrunken}
    return {name: float(np.sqrt(max(noise * variance, 0.0))) for name, variance in variances.items()}


def _expected_errors(
    fit: Calibration, shares: Array | sp.csr_array, powers: Array, directions: Array, noise: float, ratio: float
) -> dict[str, float]:
    """Root mean square errors to expect of the three choices, each after taking out its confidence-weighted mean."""
    equations = fit.equations
    total = equations.total_confidence
    own = 1 / equations.object_confidence - 1 / total  # noise of an average, beyond the common shift
    mean_share = equations.assessor_confidence / total
    squares = np.asarray((shares * shares).sum(axis=1)).ravel()
    apart = squares - 2 * (shares @ mean_share) + mean_share @ mean_share  # |shares of o - mean shares|^2

    def carried_over(inverse_powers: Array) -> Array:
        """Variance per unit noise that estimated biases of this covariance pass on to each object."""
        root = (shares @ directions - mean_share @ directions) * np.sqrt(inverse_powers)
        return np.einsum("ok,ok->o", root, root)

    inverse = np.zeros_like(powers)
    inverse[1:] = 1 / powers[1:]
    raw = noise * (own + ratio * apart)
    calibrated = noise * (own + carried_over(inverse))
    shrunken = noise * (own + carried_over(ratio / (ratio * powers + 1)))
    errors = {"raw": raw, "calibrated": calibrated, "shrunken": shrunken}
    return {name: float(np.sqrt(np.maximum(variance, 0.0).mean())) for name, variance in errors.items()}


def _mean_difference_variance(fit: Calibration, noise: float) -> float:
    """What estimation error adds, on average, to the sample variance of the calibrated values."""
    n = fit.panel.n_objects
    if n < 2:
        return 0.0
    diagonal, _ = fit.equations.diagonals()
    together, _ = fit.equations.apply_inverse(np.ones(n), np.zeros(fit.panel.n_assessors))
    return noise * float(diagonal.sum() - together.sum() / n) / (n - 1)


def _advise(p_value: float, expected: dict[str, float]) -> Advice:
    raw, calibrated, shrunken = expected["raw"], expected["calibrated"], expected["shrunken"]
    if calibrated <= raw or np.isnan(raw):
        direct, advice = calibrated, "calibrate"
    else:
        direct, advice = raw, "average"
    if shrunken < _WORTH_A_SWITCH * direct:
        return "shrink"
    if advice == "calibrate" and p_value > _SIGNIFICANT:
        return "average"
    return "calibrate" if advice == "calibrate" else "average"


def _sentence(advice: Advice, p_value: float, expected: dict[str, float], bias_deviation: float, assessors: str) -> str:
    chance = "p below 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    differ = (
        f"the {assessors} differ ({chance}, typical bias {bias_deviation:.1f})"
        if p_value <= _SIGNIFICANT
        else f"there is no clear sign that the {assessors} differ ({chance})"
    )
    errors = (
        f"expected error {expected['raw']:.2f} for plain averages, {expected['calibrated']:.2f} for calibrated values, "
        f"{expected['shrunken']:.2f} with shrunken biases"
    )
    if advice == "calibrate":
        raw, calibrated, shrunken = expected["raw"], expected["calibrated"], expected["shrunken"]
        further = f" Shrunken biases would hardly do better ({shrunken:.2f})." if shrunken < calibrated else ""
        return (
            f"Calibrate: {differ}, and it is worth correcting: expected error {raw:.2f} for plain averages, "
            f"{calibrated:.2f} for calibrated values.{further}"
        )
    if advice == "shrink":
        return (
            f"Calibrate with care: {differ}, but the links are thin, so that full correction adds noise of its own; "
            f"shrunken biases would do better: {errors}."
        )
    if expected["calibrated"] < expected["raw"]:
        return (
            f"Do not calibrate on this evidence: {differ}, though there may be too few scores to see it; if they do "
            f"differ as much as estimated, {errors}."
        )
    return f"Do not calibrate: {differ}, and plain averages are about as good or better: {errors}."
