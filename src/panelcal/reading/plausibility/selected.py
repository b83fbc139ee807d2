"""Lines that are worked out from some of the others: the best four, all but the lowest, the highest, the count.

Like `recomputed`, a line is worked out anew from the lines before it, after it or from all others, and how often the
other lines meet the same statistic by chance says how much a match proves. Highest and lowest are compared only where
they are not the end of everybody's scale: an able candidate at the ceiling is the highest, and honestly so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass
from panelcal.reading.plausibility.recomputed import FEWEST_CELLS, half_steps_of_each_where_fine

MOST_LINES = 40
_MOST_CELLS = 300
_SHARE_MET = 0.9
_FIRST_LOOK, _SHARE_AT_FIRST = 40, 0.7
_CHANCE = math.log(1e-6)
_MOST_BEST, _MOST_DROPPED = 8, 2
_FINE = 22  # levels: on fewer, assessors give the same number too often
_WHOLE = 1e-9
_COUNT = "the number of entries"
_MEDIAN = "the median"
_PAIR = 2  # their median is their mean


@dataclass(frozen=True, slots=True)
class Selected:
    """A line that is worked out from some of the others.

    Attributes
    ----------
    line
        Its number among the columns of the array.
    what
        What it is, such as "the mean of the best 4".
    base
        "before", "after" or "all": of which other lines.
    """

    line: int
    what: str
    base: str


def selected_lines(scores: Array, candidates: Iterable[int] | None = None) -> tuple[Selected, ...]:
    """Find the lines that chance would hardly make a statistic of some of the others.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here. Of many cells, some are looked at.
    candidates
        Lines to look at; None = all.
    """
    if not 3 <= scores.shape[1] <= MOST_LINES:
        return ()
    if len(scores) > _MOST_CELLS:
        scores = scores[np.linspace(0, len(scores) - 1, _MOST_CELLS).astype(np.intp)]
    lines = list(range(scores.shape[1]) if candidates is None else candidates)
    found: dict[int, Selected] = {}
    for line, base, held in _promising(scores, lines):
        if line not in found:
            what = _what(scores[:, line], scores[:, held])
            if what is not None:
                found[line] = Selected(line, what, base)
    return tuple(found[line] for line in lines if line in found)


def _promising(scores: Array, lines: list[int]) -> list[tuple[int, str, Indices]]:
    """Return the lines, with the others they may be made of, where the first cells (n_cells, n_lines) do not say no."""
    first, n_lines = scores[:_FIRST_LOOK], scores.shape[1]
    numbers = np.arange(n_lines)
    tried = []
    for line in lines:
        for base, held in (("all", numbers != line), ("before", numbers < line), ("after", numbers > line)):
            if held.sum() >= 2 and (base == "all" or held.sum() < n_lines - 1):
                tried.append((line, base, held))
    if not tried:
        return []
    held_by = np.array([held for _, _, held in tried])
    own = first[:, [line for line, _, _ in tried]].T
    ends = _ends_of_each(first, held_by)
    worth = np.flatnonzero(np.any(_proof(own, ends), axis=0))
    if not len(worth):
        return []
    parts = np.where(held_by[worth, None, :], first, np.nan)  # (n_tried, n_cells, n_lines)
    statistics = _Statistics.of(parts, ends.where(worth))
    passed = _shares(own[worth], statistics)[0].max(axis=1, initial=0.0) >= _SHARE_AT_FIRST
    return [(tried[k][0], tried[k][1], np.flatnonzero(tried[k][2])) for k in worth[passed].tolist()]


def _what(own: Array, parts: Array) -> str | None:
    """Return what a line (n,) is of some others (n, k), None for nothing."""
    statistics = _Statistics.of(parts, _ends(parts))
    shares, cells = _shares(own, statistics)
    for k in np.flatnonzero((shares >= _SHARE_MET) & (cells >= FEWEST_CELLS)).tolist():
        what = statistics.names[k]
        if what == _MEDIAN and (parts == own[:, None]).all(axis=0).any():
            continue  # of two that say the same, each is easily the median of the others
        if _log_chance(parts, what, float(shares[k]), int(cells[k])) < _CHANCE:
            return what
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """Lowest and highest of some entries, NaN without any, and how many different ones there are; (...) each."""

    low: Array
    high: Array
    levels: Indices

    def where(self, kept: Indices) -> _Ends:
        return _Ends(self.low[kept], self.high[kept], self.levels[kept])


def _ends(parts: Array) -> _Ends:
    """Ends of the entries (n, k)."""
    different = np.unique(parts[~np.isnan(parts)])
    low, high = (different[0], different[-1]) if len(different) else (math.nan, math.nan)
    return _Ends(np.array(low), np.array(high), np.array(len(different)))


def _ends_of_each(scores: Array, held_by: Mask) -> _Ends:
    """Ends of the entries (n_cells, n_lines) of several choices of lines (n_choices, n_lines)."""
    rows, lines = np.nonzero(~np.isnan(scores))
    if not len(rows):
        nothing = np.full(len(held_by), np.nan)
        return _Ends(nothing, nothing, np.zeros(len(held_by), dtype=np.intp))
    different, codes = np.unique(scores[rows, lines], return_inverse=True)
    seen = np.zeros((scores.shape[1], len(different)), dtype=np.float32)
    seen[lines, codes] = 1.0
    there = held_by.astype(np.float32) @ seen > 0
    some = there.any(axis=1)
    last = len(different) - 1 - there[:, ::-1].argmax(axis=1)
    low, high = np.where(some, different[there.argmax(axis=1)], np.nan), np.where(some, different[last], np.nan)
    return _Ends(low, high, there.sum(axis=1))


def _proof(own: Array, ends: _Ends) -> tuple[Mask, Mask, Mask]:
    """Whether a line (..., n) that meets sums, means or the number of entries between such ends (...) proves anything.

    Returns
    -------
    beyond, fine, apart
        Each (...): for sums, for means, for numbers of entries.
    """
    given = ~np.isnan(own)
    held = given.sum(axis=-1)
    highest = np.where(given, own, -np.inf).max(axis=-1, initial=-np.inf)
    lowest = np.where(given, own, np.inf).min(axis=-1, initial=np.inf)
    broken = (np.abs(own - np.round(own)) > _WHOLE).any(axis=-1)
    fine = (ends.levels >= _FINE) | (broken & (ends.levels < held))
    some = held > 0
    return some & (highest > ends.high), some & fine, some & ((highest < ends.low) | (lowest > ends.high))


@dataclass(frozen=True, slots=True, eq=False)
class _Statistics:
    """Statistics of the entries of each row, with what proves nothing left out.

    `values` (..., n, n_statistics), NaN where a row says nothing; `names` says which; `ends` of the entries.
    """

    names: tuple[str, ...]
    values: Array
    ends: _Ends

    @classmethod
    def of(cls, parts: Array, ends: _Ends) -> _Statistics:
        """Work them out for entries (..., n, k)."""
        counts = (~np.isnan(parts)).sum(axis=-1, keepdims=True)
        ordered = np.sort(parts, axis=-1)  # blanks last
        nothing = np.zeros((*parts.shape[:-1], 1))
        sums = np.concatenate([nothing, np.cumsum(np.nan_to_num(ordered), axis=-1)], axis=-1)
        whole = np.take_along_axis(sums, counts, axis=-1)
        best = np.arange(2, min(parts.shape[-1], _MOST_BEST + 1))
        kept = np.minimum(best, counts)
        # Where no row has more entries, nothing is left out anywhere.
        leaves_out = (counts >= best) & (counts > best).any(axis=-2, keepdims=True)
        of_best = np.where(leaves_out, whole - np.take_along_axis(sums, counts - kept, axis=-1), np.nan)
        dropped = np.arange(1, min(_MOST_DROPPED, parts.shape[-1] - 2) + 1)
        left = np.maximum(counts - dropped, 1)
        enough = counts > dropped + 1
        above = np.where(enough, whole - np.take_along_axis(sums, np.minimum(dropped, counts), axis=-1), np.nan)
        below = np.where(enough, np.take_along_axis(sums, np.maximum(counts - dropped, 0), axis=-1), np.nan)
        several = counts >= 2
        top = np.take_along_axis(ordered, np.maximum(counts - 1, 0), axis=-1)
        lower, upper = ((counts - 1) // 2).clip(0), (counts // 2).clip(0, parts.shape[-1] - 1)
        middle = (np.take_along_axis(ordered, lower, axis=-1) + np.take_along_axis(ordered, upper, axis=-1)) / 2
        outer = [np.where(several, top, np.nan), np.where(several, ordered[..., :1], np.nan)]
        halves = np.where(counts > _PAIR, middle, np.nan)
        means = np.concatenate([of_best / np.maximum(kept, 1), above / left, below / left, *outer, halves], axis=-1)
        with np.errstate(invalid="ignore"):
            # At the ends of the scale everybody may be alike.
            inside = (means > ends.low[..., None, None]) & (means < ends.high[..., None, None])
        number = np.where(several, counts, np.nan).astype(np.float64)
        values = np.concatenate([of_best, above, below, np.where(inside, means, np.nan), number], axis=-1)
        return cls(_names(best.tolist(), dropped.tolist()), values, ends)

    def proving(self, own: Array) -> Mask:
        """(..., n_statistics) which of them a match with a line (..., n) would prove anything about."""
        beyond, fine, apart = _proof(own, self.ends)
        many = self.ends.levels >= _FINE
        kinds = {_COUNT: apart, "the highest": many, "the lowest": many}
        return np.stack([kinds.get(name, beyond if " sum " in name else fine) for name in self.names], axis=-1)


def _names(best: Iterable[int], dropped: Iterable[int]) -> tuple[str, ...]:
    """Return what the statistics are called, in their order."""
    without = [
        f"the {{}} without the {f'{d} ' if d > 1 else ''}{end}" for end in ("lowest", "highest") for d in dropped
    ]
    some = [*(f"the {{}} of the best {b}" for b in best), *without]
    sums, means = (one.format("sum") for one in some), (one.format("mean") for one in some)
    return (*sums, *means, "the highest", "the lowest", _MEDIAN, _COUNT)


def _shares(own: Array, statistics: _Statistics) -> tuple[Array, Indices]:
    """Share of the cells of a line (..., n) that meet each statistic (..., n_statistics), and how many it is of."""
    compared = ~np.isnan(statistics.values) & ~np.isnan(own)[..., None]
    cells = compared.sum(axis=-2)
    means = np.array([" mean " in name for name in statistics.names])
    steps = np.where(means, _rounding(own)[..., None], 1e-9)
    with np.errstate(invalid="ignore"):
        allowed = steps[..., None, :] + 1e-9 * np.abs(statistics.values)
        near = np.abs(own[..., None] - statistics.values) <= allowed
    shares = (near & compared).sum(axis=-2) / np.maximum(cells, 1)
    return np.where(statistics.proving(own) & (steps > 0), shares, 0.0), cells


def _rounding(own: Array) -> Array:
    """(...) half a rounding step of each line (..., n), -inf where it is so wide that a match proves nothing."""
    return half_steps_of_each_where_fine(np.atleast_2d(own).T).reshape(own.shape[:-1])


def _log_chance(parts: Array, what: str, share: float, cells: int) -> float:
    """Logarithm of the chance of so many matches, by how often the others meet the statistic of each other."""
    met, compared = 0.5, 1.0
    for k in range(parts.shape[1]):
        rest = np.delete(parts, k, axis=1)
        statistics = _Statistics.of(rest, _ends(rest))
        if what in statistics.names:
            at = statistics.names.index(what)
            shares, counts = _shares(parts[:, k], statistics)
            met, compared = met + shares[at] * counts[at], compared + counts[at]
    matches = round(share * cells)
    tried = math.log(4 * parts.shape[1] * (parts.shape[1] + 1))
    return matches * math.log(min(met / compared, 1.0)) + math.log(math.comb(cells, cells - matches)) + tried
