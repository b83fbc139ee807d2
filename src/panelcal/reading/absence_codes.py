"""Numbers that stand for no score: 999, 99 or -1 far outside all others, as survey programs write what is missing.

Zeros are harder: nothing done earns one, and so does nothing seen. They are doubted where many of an assessor's scores
are 0 and the others' scores of the very same objects, and this assessor's other scores, are far from it.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.errors import Answer
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings
from panelcal.reading.terms import Terms

_USUAL = frozenset(
    float(sign * code) for sign in (1, -1) for code in (7, 8, 9, 88, 98, 99, 888, 998, 999, 8888, 9999)
) | {
    -1.0,
    -2.0,
}
_FEWEST = 3
_LEAST_WIDTH, _NARROW = 3.0, 2.0
_FEWEST_ZEROS, _SHARE_OF_ZEROS, _MOSTLY = 4, 0.2, 0.9
_LOWER_PART, _STEPS_BETWEEN = 0.25, 0.1
_FAR_BELOW, _LEAST_SPREAD = 4.0, 0.02
_ROUNDS = 10
_NORMAL = 1.4826  # standard deviations in a median distance of a normal distribution


def absence_code(scores: Array) -> float | None:
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


def ask_about_absence(scores: Array, noun: str, sheet: str, settings: Settings, problems: Problems) -> None:
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


def unlikely_zeros(scores: Array, thing: Indices, assessor: Indices) -> Indices:
    """Find the zeros that the other scores of the same object and of the same assessor make incredible.

    Every score but the zeros is taken for the value of its object and the bias of its assessor; a zero is incredible
    four robust standard deviations below what these let expect, with hardly a score in the quarter of the scale next
    to it.

    Parameters
    ----------
    scores, thing, assessor
        (K,) scores, and whose of whom each is.

    Returns
    -------
    places
        Of all zeros, where an assessor has at least a fifth of them and nine in ten of these are incredible; else none.
    """
    none = np.zeros(0, dtype=np.intp)
    zero = scores == 0
    if zero.sum() < _FEWEST_ZEROS or zero.all() or scores.min() < 0:
        return none
    levels = np.unique(scores)
    near = _LOWER_PART * levels[-1]
    if np.diff(levels).min() > near or (~zero & (scores <= near)).sum() > _STEPS_BETWEEN * zero.sum():
        return none  # a floor, or steps too wide to tell: what is a little better than nothing is there as well
    counts, zeros = np.bincount(assessor), np.bincount(assessor, zero)
    many = (zeros >= _SHARE_OF_ZEROS * counts) & (zeros < counts)
    doubted = np.flatnonzero(zero & many[assessor])
    if len(doubted) < _FEWEST_ZEROS:
        return none
    kept = ~zero
    values, biases, spread = _additive(scores[kept], thing[kept], assessor[kept], (int(thing.max()) + 1, len(counts)))
    expected = values[thing[doubted]] + biases[assessor[doubted]]
    known = ~np.isnan(expected)
    if known.sum() < _FEWEST_ZEROS or (expected[known] > _FAR_BELOW * spread).mean() < _MOSTLY:
        return none
    return np.flatnonzero(zero)


def _additive(scores: Array, thing: Indices, assessor: Indices, shape: tuple[int, int]) -> tuple[Array, Array, float]:
    """Fit value + bias in a few rounds: (n_objects,) and (n_assessors,), NaN without a score, and the robust spread."""
    n_things, n_assessors = np.bincount(thing, minlength=shape[0]), np.bincount(assessor, minlength=shape[1])
    values, biases = np.zeros(shape[0]), np.zeros(shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(_ROUNDS):
            values = np.bincount(thing, scores - biases[assessor], shape[0]) / n_things
            biases = np.bincount(assessor, scores - values[thing], shape[1]) / n_assessors
    off = scores - values[thing] - biases[assessor]
    freedom = len(scores) - (n_things > 0).sum() - (n_assessors > 0).sum() + 1
    robust = _NORMAL * float(np.median(np.abs(off))) * (len(scores) / max(freedom, 1)) ** 0.5
    return values, biases, max(robust, _LEAST_SPREAD * float(np.ptp(scores)), float(off.std()))


def ask_about_unlikely_zeros(scores: Array, thing: Indices, assessor: Indices, terms: Terms) -> None:
    """Ask whether zeros that all other scores make incredible are scores; parameters as in `unlikely_zeros`."""
    found = () if "0" in terms.settings.codes else unlikely_zeros(scores, thing, assessor)
    if not len(found):
        return
    rest, noun = scores[scores != 0], terms.score
    answers = (
        Answer({"codes": {"0": "exclude"}}, "take 0 as not assessed"),
        Answer({"codes": {"0": "zero"}}, f"count it as {with_article(noun)} of 0"),
    )
    sentence = (
        f"{len(found)} {plural(noun)} on sheet {terms.sheet} are 0 where the other {plural(noun)} for the same "
        f"{plural(terms.thing)} are far from it (they go from {rest.min():g} to {rest.max():g}), as where nothing was "
        "assessed."
    )
    terms.problems.ask(terms.sheet, sentence, answers)
