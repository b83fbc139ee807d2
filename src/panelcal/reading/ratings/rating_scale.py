"""The levels of a rating scale: as the settings declare it, else as the ratings show it, never more than 11."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import InputRefused
from panelcal.ordinal.ratings import MOST_LEVELS
from panelcal.reading.answers import how_to_set
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import SourceKind
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import Settings

_STEPS = (1.0, 0.5)


def refuse_above(
    numbers: Array, cells: Sequence[str], sheet: str, noun: str, settings: Settings, problems: Problems
) -> None:
    """Stop at ratings above the declared scale: a level that does not exist cannot be given.

    Parameters
    ----------
    numbers, cells
        (K,) ratings and their addresses.
    """
    high = np.inf if settings.scale_high is None else settings.scale_high
    wider = how_to_set(_ends(settings.scale_low, float(numbers.max(initial=-np.inf))), problems.way.kind)
    for k in np.flatnonzero(numbers > high).tolist():
        problems.add(
            sheet,
            f"{{where}} [holds {with_article(noun)}|hold {plural(noun)}] above {high:g}, the highest by the settings "
            f"({{values}}): correct [it|them], or {wider}.",
            cells[k],
            f"{numbers[k]:g}",
        )


def levels_of(numbers: Array, sheet: str, settings: Settings, kind: SourceKind) -> tuple[Array, list[Decision]]:
    """Return the levels of the scale, worst first, and what was decided about them.

    Parameters
    ----------
    numbers
        (K,) every rating; none below or above a declared scale.
    kind
        What the file is, for what is said of how the scale is given.

    Raises
    ------
    InputRefused
        If there are more levels than judges' cut-points can be estimated for, or only one.
    """
    low, high = settings.scale_low, settings.scale_high
    declared = low is not None and high is not None
    first = float(numbers.min()) if low is None else low
    last = float(numbers.max()) if high is None else high
    words = np.array(sorted({*settings.rating_words.values(), *settings.grades.values()}))
    if len(words) and np.isin(numbers, words).all() and not declared:
        count, levels, shown = len(words), words, False
        found_from = "the rating words of the settings"
    else:
        count, levels = _evenly_spaced(numbers, first, last)
        shown = not declared
        found_from = "the scale of the settings" if declared else "the ratings themselves"
    if count > MOST_LEVELS:
        raise InputRefused(
            f"Sheet {sheet} has scores from {first:g} to {last:g}, {count:,} levels, and the method ordinal is for "
            f"ratings in at most {MOST_LEVELS} levels: choose the method confidence for scores as fine as these."
        )
    if count < 2:
        raise InputRefused(
            f"Every rating on sheet {sheet} is {first:g}, so nothing tells one from another: check the sheet."
        )
    spelt = listed([f"{level:g}" for level in levels])
    sentence = f"The scale has the {count} levels {spelt}, by {found_from}."
    if shown:
        sentence += (
            f" If that is right, {how_to_set(_ends(first, last), kind)}; if it has more, give its own lowest and "
            "highest: a level that nobody used bears on the result too."
        )
    decision = Decision(About.LEVELS_OF_THE_SCALE, (), sentence, "warning" if shown else "note", sheet)
    return (levels if settings.higher_is_better else levels[::-1]), [decision]


def _ends(low: float | None, high: float) -> dict[str, float]:
    return {"scale_high": high} if low is None else {"scale_low": low, "scale_high": high}


def _evenly_spaced(numbers: Array, first: float, last: float) -> tuple[int, Array]:
    """Count and return the whole points from first to last, or half points, or else what is there.

    Where there are too many, only their number is meant: a stray 6,000,000,000 must not cost as many levels.
    """
    for step in _STEPS:
        places = (numbers - first) / step
        if np.allclose(places, np.round(places)):
            count = round((last - first) / step) + 1
            return count, np.linspace(first, first + step * (count - 1), min(count, MOST_LEVELS))
    levels = np.unique(np.concatenate([numbers, [first, last]]))
    return len(levels), levels
