"""Numbers that stand for no score: 999, 99 or -1 far outside all others, as survey programs write what is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.errors import Answer
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings

_USUAL = frozenset(
    float(sign * code) for sign in (1, -1) for code in (7, 8, 9, 88, 98, 99, 888, 998, 999, 8888, 9999)
) | {
    -1.0,
    -2.0,
}
_FEWEST = 3
_LEAST_WIDTH, _NARROW = 3.0, 2.0


def absence_code(scores: NDArray[np.float64]) -> float | None:
    """Find a usual code for what is missing that comes several times and far outside everything else.

    Parameters
    ----------
    scores
        NaN where there is none.

    Returns
    -------
    code
        The highest (or the lowest) number, where the gap to the next is as wide as all others are apart, or where it
        is the only one below nothing; None without one.
    """
    given = scores[~np.isnan(scores)]
    if not len(given):
        return None
    for code in (float(given.max()), float(given.min())):
        rest = given[given != code]
        if code not in _USUAL or len(given) - len(rest) < _FEWEST or not len(rest):
            continue
        low, high = float(rest.min()), float(rest.max())
        width = high - low
        alone_below = code < 0 <= low
        gap = code - high if code > high else low - code
        far = gap >= width if width >= _LEAST_WIDTH else width >= _NARROW and gap >= _NARROW * width
        if far or (alone_below and width >= _LEAST_WIDTH):
            return code
    return None


def ask_about_absence(
    scores: NDArray[np.float64], noun: str, sheet: str, settings: Settings, problems: Problems
) -> None:
    """Ask whether a number far outside all others is a score; one that the declared scale has is believed."""
    code = absence_code(scores)
    if code is None or f"{code:g}" in settings.codes or not (settings.scale_low is settings.scale_high is None):
        return
    rest = scores[~np.isnan(scores) & (scores != code)]
    low, high = min(code, float(rest.min())), max(code, float(rest.max()))
    count = int((scores == code).sum())
    answers = (
        Answer({"codes": {f"{code:g}": "exclude"}}, f"take {code:g} as not assessed"),
        Answer({"scale_low": low, "scale_high": high}, f"count it as {with_article(noun)} of {code:g}"),
    )
    sentence = (
        f"{count} {plural(noun)} on sheet {sheet} are {code:g}, which often stands for no {plural(noun, 1)}; all "
        f"others go from {rest.min():g} to {rest.max():g}."
    )
    problems.ask(sheet, sentence, answers)
