"""Who leans on which criterion, in sentences."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.criteria_figures import LEVEL, CriteriaFigures
from panelcal.reporting.wording import InWords, named, number, some_of

_MOST_NAMED = 1
_HARDLY = 0.1  # correlation below which nothing to speak of goes together


def leaning_assessors(figures: CriteriaFigures) -> list[int]:
    """Return the assessors who clearly score some criterion otherwise than the rest of theirs, surest first."""
    least = np.min(np.where(np.isnan(figures.adjusted_leaning_p), 1.0, figures.adjusted_leaning_p), axis=1)
    found = np.flatnonzero(least <= LEVEL)
    return [int(a) for a in found[np.argsort(least[found], kind="stable")]]


def leaning_in_words(results: InWords, figures: CriteriaFigures, a: int) -> str:
    """Say how an assessor leans: "Judge Reed is severe on Presentation only, by 10.1 against the rest."."""
    who = named(results.reading.nouns.assessor, figures.assessors[a])
    off = np.flatnonzero(figures.adjusted_p[a] <= LEVEL)
    used = np.flatnonzero(~np.isnan(figures.biases[a]))
    if not len(off):
        k = int(np.nanargmin(figures.adjusted_leaning_p[a]))
        more = "higher" if figures.leanings[a, k] > 0 else "lower"
        return (
            f"{who} scores {figures.criteria[k]} {more}, by {number(abs(float(figures.leanings[a, k])))}, than the "
            "other criteria let expect."
        )
    if len(off) == 1:
        only = "only " if len(used) > 1 else ""
        k = int(off[0])
        side = _side(figures, a, k)
        return f"{who} is {side} on {figures.criteria[k]} {only}(by {_size(figures, a, k)} against the rest)."
    parts = []
    for side in ("severe", "generous"):
        these = [int(k) for k in off if _side(figures, a, int(k)) == side]
        if these:
            which = " and ".join(f"{figures.criteria[k]} (by {_size(figures, a, k)})" for k in these)
            parts.append(f"{side} on {which}")
    every = ", on each to a different extent" if len(off) == len(used) and len(parts) == 1 else ""
    return f"{who} is {' but '.join(parts)}{every}."


def leanings_in_words(results: InWords, figures: CriteriaFigures) -> str:
    """Name everybody who leans, in a line or two."""
    found = leaning_assessors(figures)
    if figures.too_few:
        return f"There are too few {results.scores_noun} to tell who leans on which criterion."
    if not found:
        return f"No {results.assessor_noun} clearly leans on one criterion more than on the others."
    sentences = " ".join(leaning_in_words(results, figures, a) for a in found[:_MOST_NAMED])
    rest = [figures.assessors[a] for a in found[_MOST_NAMED:]]
    return f"{sentences} Also leaning: {some_of(rest)}." if rest else sentences


def slips_in_words(correlation: float) -> str:
    """Say how far what is left goes together between the criteria of one assessment."""
    how = "hardly goes together" if abs(correlation) < _HARDLY else "goes together" if correlation > 0 else "goes apart"
    return f"What is left {how} between the criteria of one assessment (correlation {number(correlation, 2)})"


def _side(figures: CriteriaFigures, a: int, k: int) -> str:
    return "generous" if (figures.differences[a, k] > 0) == figures.generous_up else "severe"


def _size(figures: CriteriaFigures, a: int, k: int) -> str:
    return number(abs(float(figures.differences[a, k])))
