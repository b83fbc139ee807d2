"""Lines that are worked out from some of the others: the best four, all but the lowest, the highest, the count.

Like `recomputed`, a line is worked out anew from the lines before it, after it or from all others, and how often the
other lines meet the same statistic by chance says how much a match proves. Highest and lowest are compared only where
they are not the end of everybody's scale: an able candidate at the ceiling is the highest, and honestly so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.plausibility.recomputed import FEWEST_CELLS, half_steps_where_fine

Array = NDArray[np.float64]

MOST_LINES = 40
_MOST_CELLS = 300
_SHARE_MET = 0.9
_FIRST_LOOK, _SHARE_AT_FIRST = 40, 0.7
_CHANCE, _CHANCE_OF_COUNTS = math.log(1e-6), math.log(1e-9)
_MOST_DROPPED = 2
_COUNT = "the number of entries"


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
        likely = {
            what
            for what, values in _statistics(parts[first])
            if _met(own[first], values, scores[first, line : line + 1], what)[0] >= _SHARE_AT_FIRST
        }
        for what, values in _statistics(parts) if likely else ():
            if what not in likely:
                continue
            share, cells = _met(own, values, scores[:, [line]], what)
            among = what == _COUNT and bool(np.nanmin(parts) <= np.nanmax(own) and np.nanmin(own) <= np.nanmax(parts))
            limit = _CHANCE_OF_COUNTS if among else _CHANCE
            if share >= _SHARE_MET and cells >= FEWEST_CELLS and _log_chance(parts, what, share, cells) < limit:
                return Selected(line, what, base)
    return None


def _statistics(parts: Array) -> Iterator[tuple[str, Array]]:
    """Work out every statistic of the entries of each row (n, k); NaN where a row cannot tell it from another."""
    counts = (~np.isnan(parts)).sum(axis=1)
    ordered = np.sort(parts, axis=1)  # blanks last
    sums = np.concatenate([np.zeros((len(parts), 1)), np.cumsum(np.nan_to_num(ordered), axis=1)], axis=1)
    rows = np.arange(len(parts))
    whole, several = sums[rows, counts], counts >= 2
    for best in range(2, parts.shape[1]):
        usable, kept = several & (counts > best - 1), np.minimum(best, counts)
        if not (counts > best).any():
            continue
        total = np.where(usable, whole - sums[rows, counts - kept], np.nan)
        yield f"the sum of the best {best}", total
        yield f"the mean of the best {best}", total / np.maximum(kept, 1)
    for dropped in range(1, min(_MOST_DROPPED, parts.shape[1] - 2) + 1):
        usable = counts > dropped + 1
        lowest, lines = (f"{dropped} lowest" if dropped > 1 else "lowest"), np.maximum(counts - dropped, 1)
        total = np.where(usable, whole - sums[rows, np.minimum(dropped, counts)], np.nan)
        yield f"the sum without the {lowest}", total
        yield f"the mean without the {lowest}", total / lines
        total = np.where(usable, sums[rows, np.maximum(counts - dropped, 0)], np.nan)
        yield f"the sum without the {lowest.replace('lowest', 'highest')}", total
        yield f"the mean without the {lowest.replace('lowest', 'highest')}", total / lines
    if not np.isnan(ordered).all():
        low, high = float(np.nanmin(ordered)), float(np.nanmax(ordered))
        top = np.where(several, ordered[rows, np.maximum(counts - 1, 0)], np.nan)
        yield "the highest", np.where(top < high, top, np.nan)
        yield "the lowest", np.where(several & (ordered[:, 0] > low), ordered[:, 0], np.nan)
    yield _COUNT, np.where(several, counts, np.nan).astype(np.float64)


def _met(own: Array, values: Array, line: Array, what: str) -> tuple[float, int]:
    """Share of the cells of a line (n,) that meet a statistic (n,), and how many could be compared."""
    step = 1e-9 if "mean" not in what else float(half_steps_where_fine(line)[0])
    compared = ~np.isnan(values) & ~np.isnan(own)
    if not compared.any() or step < 0:
        return 0.0, 0
    with np.errstate(invalid="ignore"):
        near = np.abs(own - values) <= step + 1e-9 * np.abs(values)
    return float(near[compared].mean()), int(compared.sum())


def _log_chance(parts: Array, what: str, share: float, cells: int) -> float:
    """Logarithm of the chance of so many matches, by how often the others meet the statistic of each other."""
    met, compared = 0.5, 1.0
    for k in range(parts.shape[1]):
        values = dict(_statistics(np.delete(parts, k, axis=1))).get(what)
        if values is None and parts.shape[1] == 2:
            values = parts[:, 1 - k]
        if values is not None:
            rate, count = _met(parts[:, k], values, parts[:, [k]], what)
            met, compared = met + rate * count, compared + count
    matches = round(share * cells)
    tried = math.log(4 * parts.shape[1] * (parts.shape[1] + 1))
    return matches * math.log(min(met / compared, 1.0)) + math.log(math.comb(cells, cells - matches)) + tried
