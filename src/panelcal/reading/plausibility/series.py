"""Lines that are no judgement by themselves: always the same, counting up, ranks, years, dates, times, long numbers.

Chance is judged by how often the other lines hold the same values: on a scale of five levels with a ceiling, an
assessor who gave the highest to everybody is believed; a column of 100s beside marks of all kinds is not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from panelcal.reading.plausibility.lines import Array, Lines
from panelcal.reading.plausibility.rounding import log_frequencies

FEWEST_ALIKE = 5
_FEWEST_LONG = 3
_CHANCE = math.log(1e-5)
_RANKING_LINES = 1 / 3
_SHARE_APART = 0.6
_USUAL_SHARE = 0.02
_AT_AN_END = 0.02
_YEARS, _DATES, _TIMES = (1900.0, 2100.0), (15_000.0, 73_050.0), (8e8, 2.6e9)
_LEAST_LONG_NUMBER = 1e4


@dataclass(frozen=True, slots=True)
class Series:
    """A line that is a series or a kind of number of its own: `kind` is the words for it."""

    line: int
    kind: str


CONSTANT, SEQUENCE, RANKS = "the same number throughout", "a sequence", "ranks"
YEARS, DATES, TIMES, LONG_NUMBERS = "years", "dates", "times", "telephone, id or other long numbers"


def series_lines(lines: Lines) -> tuple[Series, ...]:
    """Find the lines that are constant, a sequence, ranks, years, dates, times or long numbers, each once."""
    low, high = lines.each(np.minimum, lines.values, np.nan), lines.each(np.maximum, lines.values, np.nan)
    whole = lines.each(np.minimum, lines.values == np.round(lines.values), 0.0) > 0
    found = {line: Series(line, kind) for line, kind in _long_numbers(lines, low, high, whole)}
    constant = (low == high) & (lines.counts >= FEWEST_ALIKE)
    for line in np.flatnonzero(constant).tolist():
        if line not in found and _hardly_constant(lines, line):
            found[line] = Series(line, CONSTANT)
    for line in np.flatnonzero(_even_steps(lines) & ~constant).tolist():
        if line not in found and _hardly_chance(lines, line, slice(2, None)):
            found[line] = Series(line, SEQUENCE)
    ranks = _own_ranks(lines, low, high, whole)
    if len(ranks) <= _RANKING_LINES * len(lines):
        for line in ranks:
            if line not in found and _hardly_chance(lines, line, slice(None), math.lgamma(len(lines.of(line)) + 1)):
                found[line] = Series(line, RANKS)
    return tuple(found[line] for line in sorted(found))


def _hardly_chance(lines: Lines, line: int, part: slice, ways: float = 0.0) -> bool:
    """Tell whether the numbers of a line are unlikely draws from the other lines; `ways` is the log of the number."""
    pool = lines.beside(line)
    return bool(len(pool) and log_frequencies(lines.of(line)[part], pool).sum() + ways < _CHANCE)


def _hardly_constant(lines: Lines, line: int) -> bool:
    """Tell whether a line that is constant is unlike the others: they vary, and hardly reach the same number."""
    values, pool = lines.of(line), lines.beside(line)
    if not len(pool):
        return False
    share = float(np.exp(log_frequencies(values[:1], pool)[0]))
    if values[0] in (pool.min(), pool.max()) and share > _AT_AN_END:
        return False  # a floor or a ceiling that others reach as well
    others = [np.unique(lines.of(k), return_counts=True)[1] for k in range(len(lines)) if k != line]
    most_alike = [counts.max() / counts.sum() for counts in others if counts.sum() >= FEWEST_ALIKE and len(counts) > 1]
    usual = float(np.quantile(most_alike, 0.9)) if most_alike else 0.5
    return len(values) * math.log(share) < _CHANCE and len(values) * math.log(usual) < math.log(_USUAL_SHARE)


def _long_numbers(lines: Lines, low: Array, high: Array, whole: NDArray[np.bool_]) -> list[tuple[int, str]]:
    """Find whole numbers of a kind that scores are not, where the other lines hold nothing of that size."""
    found = []
    enough = whole & (lines.counts >= _FEWEST_LONG)
    candidates = np.flatnonzero(enough & ((low >= _LEAST_LONG_NUMBER) | ((low >= _YEARS[0]) & (high <= _YEARS[1]))))
    if not len(candidates) or len(candidates) > len(lines) / 2:
        return []
    rest = np.ones(len(lines), dtype=np.bool_)
    rest[candidates] = False
    others = float(np.nanmax(np.abs(high[rest]), initial=0.0)) if rest.any() else 0.0
    for line in candidates.tolist():
        if 2 * others > low[line]:
            continue
        kind = next(
            (name for name, (first, last) in ((YEARS, _YEARS), (DATES, _DATES), (TIMES, _TIMES), (TIMES, (8e11, 2.6e12)))
             if first <= low[line] and high[line] <= last),
            LONG_NUMBERS,
        )  # fmt: skip
        found.append((line, kind))
    return found


def _even_steps(lines: Lines) -> NDArray[np.bool_]:
    """(n_lines,) true where at least five numbers follow each other in equal steps."""
    if len(lines.values) < 2:
        return np.zeros(len(lines), dtype=np.bool_)
    steps = np.diff(lines.values)
    counts = np.maximum(lines.counts - 1, 0)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    within = np.ones(len(steps), dtype=np.bool_)
    edges = lines.starts[1:-1]
    within[edges[(edges > 0) & (edges <= len(steps))] - 1] = False
    inner = Lines(np.round(steps[within], 9), starts)
    if len(inner.values) != starts[-1]:
        return np.zeros(len(lines), dtype=np.bool_)  # a line without numbers between two others
    low, high = inner.each(np.minimum, inner.values, np.nan), inner.each(np.maximum, inner.values, np.nan)
    return np.asarray((low == high) & (low != 0) & (lines.counts >= FEWEST_ALIKE))


def _own_ranks(lines: Lines, low: Array, high: Array, whole: NDArray[np.bool_]) -> list[int]:
    """Find the lines that hold the ranks of their own numbers: 1 to n, ties included."""
    candidates = whole & (low == 1) & (high <= lines.counts) & (lines.counts >= FEWEST_ALIKE) & (high > low)
    found = []
    for line in np.flatnonzero(candidates).tolist():
        values = lines.of(line)
        if np.array_equal(values, rankdata(values, "min")) and len(np.unique(values)) >= _SHARE_APART * len(values):
            found.append(line)
    return found
