"""What to advise, and in which words, once the error to expect of each choice is known."""

from __future__ import annotations

from typing import Literal

import numpy as np

from panelcal.calibration.expected_errors import ExpectedErrors
from panelcal.frozen import dataclass

Advice = Literal["calibrate", "shrink", "average", "no difference", "cannot tell"]

_SIGNIFICANT = 0.05
_WORTH_A_SWITCH = 0.975  # an expected error must be this much smaller to recommend the less direct method
_NOTHING_TO_SHRINK = 0.995
_TIE, _CLEAR = 1.0, 2.0  # differences of expected squares, in standard errors
_COINCIDE = 0.1  # of the calibrated values' typical error: changes below this make no difference
_CORRELATION_SHOWN, _CORRELATION_CLEAR = 0.2, 2.5


@dataclass(frozen=True, slots=True)
class Found:
    """What the sentence is about."""

    p_value: float
    expected: ExpectedErrors
    bias_deviation: float
    largest_change: float


@dataclass(frozen=True, slots=True)
class Nouns:
    """Words for what is judged."""

    assessors: str
    objects: str


def advise(expected: ExpectedErrors, largest_change: float) -> Advice:
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


def advice_sentence(advice: Advice, found: Found, nouns: Nouns) -> str:
    """Say what is advised, and why."""
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


def selection_sentence(expected: ExpectedErrors, nouns: Nouns) -> str:
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
