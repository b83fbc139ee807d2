"""Lines that are worked out from some of the others: the best four, all but the lowest, the highest, the count.

Like `recomputed`, a line is worked out anew from the lines before it, after it or from all others, and how often the
other lines meet the same statistic by chance says how much a match proves. Highest and lowest are compared only where
they are not the end of everybody's scale: an able candidate at the ceiling is the highest, and honestly so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from panelcal.frozen import dataclass
from panelcal.reading.plausibility.recomputed import FEWEST_CELLS, half_steps_where_fine

Array = NDArray[np.float64]

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
    found = []
    for line in range(scores.shape[1]) if candidates is None else candidates:
        one = _selected(scores, line)
        if one is not None:
            found.append(one)
    return tuple(found)


def _selected(scores: Array, line: int) -> Selected | None:
    """Return what a line is of some others, None for nothing."""
    n_lines = scores.shape[1]
    others = np.array([k for k in range(n_lines) if k != line])
    for base, held in (("all", others), ("before", others[others < line]), ("after", others[others > line])):
        if len(held) < 2 or (base != "all" and len(held) == n_lines - 1):
            continue
        parts, own = scores[:, held], scores[:, line]
        first = slice(0, _FIRST_LOOK)
        if not any(_proof(own[first], *_ends(parts[first]))):
            continue
        if not _shares(own[first], _Statistics.of(parts[first]))[0].max(initial=0.0) >= _SHARE_AT_FIRST:
            continue
        statistics = _Statistics.of(parts)
        shares, cells = _shares(own, statistics)
        for k in np.flatnonzero((shares >= _SHARE_MET) & (cells >= FEWEST_CELLS)).tolist():
            what = statistics.names[k]
            if what == _MEDIAN and (parts == own[:, None]).all(axis=0).any():
                continue  # of two that say the same, each is easily the median of the others
            if _log_chance(parts, what, float(shares[k]), int(cells[k])) < _CHANCE:
                return Selected(line, what, base)
    return None


def _ends(parts: Array) -> tuple[float, float, int]:
    """Lowest and highest of the entries (n, k), NaN without any, and how many different ones there are."""
    different = np.unique(parts[~np.isnan(parts)])
    return (float(different[0]), float(different[-1]), len(different)) if len(different) else (math.nan, math.nan, 0)


def _proof(own: Array, low: float, high: float, levels: int) -> tuple[bool, bool, bool]:
    """Whether a line (n,) that meets sums, means or the number of entries between such ends proves anything by it."""
    held = own[~np.isnan(own)]
    if not len(held):
        return False, False, False
    fine = levels >= _FINE or bool((np.abs(held - np.round(held)) > _WHOLE).any() and levels < len(held))
    return bool(held.max() > high), fine, bool(held.max() < low or held.min() > high)


@dataclass(frozen=True, slots=True, eq=False)
class _Statistics:
    """Statistics of the entries of each row, with what proves nothing left out.

    `values` (n, n_statistics), NaN where a row says nothing; `names` says which; `low`, `high` are the ends of the
    entries and `levels` is how many different ones there are.
    """

    names: tuple[str, ...]
    values: Array
    low: float
    high: float
    levels: int

    @classmethod
    def of(cls, parts: Array) -> _Statistics:
        """Work them out for entries (n, k)."""
        given = ~np.isnan(parts)
        if not given.any():
            return cls((), np.zeros((len(parts), 0)), 0.0, 0.0, 0)
        counts = given.sum(axis=1)[:, None]
        ordered = np.sort(parts, axis=1)  # blanks last
        sums = np.concatenate([np.zeros((len(parts), 1)), np.cumsum(np.nan_to_num(ordered), axis=1)], axis=1)
        whole = np.take_along_axis(sums, counts, axis=1)
        low, high, levels = _ends(parts)
        best = np.arange(2, min(parts.shape[1], _MOST_BEST + 1))
        kept = np.minimum(best, counts)
        of_best = np.where(counts >= best, whole - np.take_along_axis(sums, counts - kept, axis=1), np.nan)
        of_best[:, (counts <= best).all(axis=0)] = np.nan  # nothing is left out anywhere
        dropped = np.arange(1, min(_MOST_DROPPED, parts.shape[1] - 2) + 1)
        left = np.maximum(counts - dropped, 1)
        enough = counts > dropped + 1
        above = np.where(enough, whole - np.take_along_axis(sums, np.minimum(dropped, counts), axis=1), np.nan)
        below = np.where(enough, np.take_along_axis(sums, np.maximum(counts - dropped, 0), axis=1), np.nan)
        several = counts[:, 0] >= 2
        top = np.take_along_axis(ordered, np.maximum(counts - 1, 0), axis=1)[:, 0]
        lower, upper = ((counts - 1) // 2).clip(0), (counts // 2).clip(0, parts.shape[1] - 1)
        halves = [np.take_along_axis(ordered, middle, axis=1)[:, 0] for middle in (lower, upper)]
        ends = np.column_stack(
            [
                np.where(several, top, np.nan),
                np.where(several, ordered[:, 0], np.nan),
                np.where(counts[:, 0] > _PAIR, (halves[0] + halves[1]) / 2, np.nan),
            ]
        )
        means = np.hstack([of_best / np.maximum(kept, 1), above / left, below / left, ends])
        with np.errstate(invalid="ignore"):
            # At the ends of the scale everybody may be alike.
            means = np.where((means > low) & (means < high), means, np.nan)
        number = np.where(several, counts[:, 0], np.nan).astype(np.float64)[:, None]
        without = [
            f"the {{}} without the {f'{d} ' if d > 1 else ''}{end}" for end in ("lowest", "highest") for d in dropped
        ]
        some = [*(f"the {{}} of the best {b}" for b in best), *without]
        names = (
            *(one.format("sum") for one in some),
            *(one.format("mean") for one in some),
            "the highest",
            "the lowest",
            _MEDIAN,
        )
        values = np.hstack([of_best, above, below, means, number])
        return cls((*names, _COUNT), values, low, high, levels)

    def proving(self, own: Array) -> NDArray[np.bool_]:
        """(n_statistics,) which of them a match with a line (n,) would prove anything about."""
        beyond, fine, apart = _proof(own, self.low, self.high, self.levels)
        kinds = {_COUNT: apart, "the highest": self.levels >= _FINE, "the lowest": self.levels >= _FINE}
        return np.array([kinds.get(name, beyond if " sum " in name else fine) for name in self.names], dtype=np.bool_)


def _shares(own: Array, statistics: _Statistics) -> tuple[Array, NDArray[np.intp]]:
    """Share of the cells of a line (n,) that meet each statistic (n_statistics,), and how many could be compared."""
    compared = ~np.isnan(statistics.values) & ~np.isnan(own)[:, None]
    cells = compared.sum(axis=0)
    if not len(statistics.names) or np.isnan(own).all():
        return np.zeros(len(cells)), cells
    rounding = float(half_steps_where_fine(own[:, None])[0])
    steps = np.array([rounding if " mean " in name else 1e-9 for name in statistics.names])
    with np.errstate(invalid="ignore"):
        near = np.abs(own[:, None] - statistics.values) <= steps + 1e-9 * np.abs(statistics.values)
    shares = (near & compared).sum(axis=0) / np.maximum(cells, 1)
    return np.where(statistics.proving(own) & (steps > 0), shares, 0.0), cells


def _log_chance(parts: Array, what: str, share: float, cells: int) -> float:
    """Logarithm of the chance of so many matches, by how often the others meet the statistic of each other."""
    met, compared = 0.5, 1.0
    for k in range(parts.shape[1]):
        statistics = _Statistics.of(np.delete(parts, k, axis=1))
        if what in statistics.names:
            at = statistics.names.index(what)
            shares, counts = _shares(parts[:, k], statistics)
            met, compared = met + shares[at] * counts[at], compared + counts[at]
    matches = round(share * cells)
    tried = math.log(4 * parts.shape[1] * (parts.shape[1] + 1))
    return matches * math.log(min(met / compared, 1.0)) + math.log(math.comb(cells, cells - matches)) + tried
