"""Lines that are no judgement by themselves: always the same, counting up, ranks, years, dates, times, long numbers.

Chance is judged by how often the other lines hold the same numbers: on a scale of five levels with a ceiling, an
assessor who gave the highest to everybody is believed; a column of 3s beside marks of all kinds is not.
"""

from __future__ import annotations

import math

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass
from panelcal.ranks_of_numbers import better_ranks
from panelcal.reading.plausibility.lines import Commonness, Lines

FEWEST_ALIKE = 5
_FEWEST_LONG = 3
_CHANCE = math.log(1e-5)
_USUAL = 1 / 3  # of the lines: what so many are is no exception
_SHARE_APART = 0.6
_USUAL_REPETITION = 0.02
_AT_AN_END = 0.02
_YEARS, _DATES, _TIMES, _MILLISECONDS = (1900.0, 2100.0), (15_000.0, 73_050.0), (8e8, 2.6e9), (8e11, 2.6e12)
_LEAST_LONG_NUMBER, _SAME_STEP = 1e4, 1e-9

CONSTANT, SEQUENCE, RANKS = "the same number throughout", "a sequence", "ranks"
YEARS, DATES, TIMES, LONG_NUMBERS = "years", "dates", "times", "telephone, id or other long numbers"


@dataclass(frozen=True, slots=True)
class Series:
    """A line that is a series or a kind of number of its own: `kind` is the words for it."""

    line: int
    kind: str


def series_lines(lines: Lines) -> tuple[Series, ...]:
    """Find the lines that are constant, a sequence, ranks, years, dates, times or long numbers, each once."""
    if len(lines) < 2 or not len(lines.values):
        return ()
    low, high, whole, common = lines.lowest, lines.highest, lines.whole, Commonness.of(lines)
    found = dict(_long_numbers(lines, low, high, whole))
    constant = (low == high) & (lines.counts >= FEWEST_ALIKE)
    candidates = (
        (CONSTANT, np.flatnonzero(constant), _hardly_constant),
        (SEQUENCE, np.flatnonzero(_even_steps(lines) & ~constant), _hardly_sequence),
        (RANKS, _own_ranks(lines, low, high, whole), _hardly_ranks),
    )
    for kind, places, hardly_chance in candidates:
        if len(places) <= max(1.0, _USUAL * len(lines)):
            for line in places.tolist():
                if line not in found and hardly_chance(common, line):
                    found[line] = kind
    return tuple(Series(line, found[line]) for line in sorted(found))


def _hardly_constant(common: Commonness, line: int) -> bool:
    """Tell whether a line that is constant is unlike the others: they vary, and hardly reach the same number."""
    value, count, everything = common.lines.of(line)[0], common.lines.counts[line], common.ordered
    log_share = float(common.log_shares(line)[0])
    at_an_end = value <= everything[0] or value >= everything[-1]
    reached = np.searchsorted(everything, value, "right") - np.searchsorted(everything, value, "left") > count
    if at_an_end and (reached or log_share > math.log(_AT_AN_END)):
        return False  # a floor or a ceiling that others reach as well
    if count * log_share >= _CHANCE:
        return False
    return count * math.log(common.usual_repetition(line, FEWEST_ALIKE)) < math.log(_USUAL_REPETITION)


def _hardly_sequence(common: Commonness, line: int) -> bool:
    """Tell whether the third and further numbers, which the first two determine, are unlikely elsewhere.

    Numbers that all lie between those of the others are believed.
    """
    own, everything = np.sort(common.lines.of(line)), common.ordered
    reached = len(everything) - np.searchsorted(everything, own[-1]) > 1
    within = own[0] > everything[0] and reached
    return not within and bool(common.log_shares(line)[2:].sum() < _CHANCE)


def _hardly_ranks(common: Commonness, line: int) -> bool:
    """Tell whether the ranks, in any order, are unlikely draws from the other lines."""
    shares = common.log_shares(line)
    return bool(shares.sum() + math.lgamma(len(shares) + 1) < _CHANCE)


def _long_numbers(lines: Lines, low: Array, high: Array, whole: Mask) -> list[tuple[int, str]]:
    """Find whole numbers of a kind that scores are not, where the other lines hold nothing of that size."""
    enough = whole & (lines.counts >= _FEWEST_LONG)
    long = (low >= _LEAST_LONG_NUMBER) | ((low >= _YEARS[0]) & (high <= _YEARS[1]))
    candidates = enough & long
    if not candidates.any() or 2 * candidates.sum() > len(lines):
        return []
    others = float(np.nanmax(np.abs(np.concatenate([high[~candidates], low[~candidates]]))))
    kinds = (YEARS, _YEARS), (DATES, _DATES), (TIMES, _TIMES), (TIMES, _MILLISECONDS)
    return [
        (line, next((name for name, (a, b) in kinds if a <= low[line] and high[line] <= b), LONG_NUMBERS))
        for line in np.flatnonzero(candidates).tolist()
        if low[line] > 2 * others
    ]


def _even_steps(lines: Lines) -> Mask:
    """(n_lines,) true where at least five numbers follow each other in equal steps."""
    result = np.zeros(len(lines), dtype=np.bool_)
    long = np.flatnonzero(lines.counts >= FEWEST_ALIKE)
    if not len(long):
        return result
    first = lines.values[lines.starts[:-1][long] + 1] - lines.values[lines.starts[:-1][long]]
    second = lines.values[lines.starts[:-1][long] + 2] - lines.values[lines.starts[:-1][long] + 1]
    for line in long[(first != 0) & (np.abs(first - second) < _SAME_STEP)].tolist():
        steps = np.diff(lines.of(line))
        result[line] = bool((np.abs(steps - steps[0]) <= _SAME_STEP).all())
    return result


def _own_ranks(lines: Lines, low: Array, high: Array, whole: Mask) -> Indices:
    """Find the lines that hold the ranks of their own numbers: 1 to n, ties included."""
    candidates = whole & (low == 1) & (high <= lines.counts) & (lines.counts >= FEWEST_ALIKE)
    candidates &= high >= _SHARE_APART * lines.counts
    found = []
    for line in np.flatnonzero(candidates).tolist():
        values = lines.of(line)
        if np.array_equal(values, better_ranks(values)) and len(np.unique(values)) >= _SHARE_APART * len(values):
            found.append(line)
    return np.array(found, dtype=np.intp)
