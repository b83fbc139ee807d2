"""Lines that are worked out from the lines beside them: sums, means, means without the extremes, highest, lowest.

A line (a column of the sheet, or a row) is worked out anew from the lines before it, after it, or from all others. How
often the *other* lines meet the same statistic by chance says how much a match proves: judges who agree with each
other are no means of each other.
"""

from __future__ import annotations

import math
from enum import Enum

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.plausibility.lines import half_steps

FEWEST_CELLS = 4
_SHARE_MET = 0.9
_CHANCE = 1e-5
_COARSE = 0.025  # of the range of all scores


class Statistic(Enum):
    """What a line may be of the others; the value is the word for it."""

    SUM = "sum"
    MEAN = "mean"
    TRIMMED_SUM = "sum without highest and lowest"
    TRIMMED_MEAN = "mean without highest and lowest"
    HIGHEST = "highest"
    LOWEST = "lowest"
    COUNT = "count"


PROVEN_BY_NUMBERS = (Statistic.SUM, Statistic.MEAN, Statistic.TRIMMED_SUM, Statistic.TRIMMED_MEAN)
"""Statistics that chance hardly makes of an honest line; a lenient assessor is the highest in every row."""
_SUMS = (Statistic.SUM, Statistic.TRIMMED_SUM)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A line that is a statistic of others.

    Attributes
    ----------
    line
        Its number among the columns of the array.
    statistic
        Which statistic it is.
    base
        "before", "after" or "all": of which other lines.
    share
        Share of its cells that meet the statistic to rounding.
    """

    line: int
    statistic: Statistic
    base: str
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """Sum, count, highest and lowest of the lines before (after, beside) each line, each (n_cells, n_lines)."""

    total: Array
    count: Array
    highest: Array
    lowest: Array

    def beside(self, other: _Base) -> _Base:
        return _Base(
            self.total + other.total,
            self.count + other.count,
            np.maximum(self.highest, other.highest),
            np.minimum(self.lowest, other.lowest),
        )

    def statistics(self) -> dict[Statistic, Array]:
        """(n_cells, n_lines) of each statistic, NaN where too few cells make it."""
        several, inner = self.count >= 2, self.count >= 4
        spread = several & (self.highest > self.lowest)
        with np.errstate(invalid="ignore"):
            extremes = self.highest + self.lowest
            return {
                Statistic.SUM: np.where(several, self.total, np.nan),
                Statistic.MEAN: np.where(spread, self.total / np.maximum(self.count, 1), np.nan),
                Statistic.TRIMMED_SUM: np.where(inner & spread, self.total - extremes, np.nan),
                Statistic.TRIMMED_MEAN: np.where(
                    inner & spread, (self.total - extremes) / np.maximum(self.count - 2, 1), np.nan
                ),
                Statistic.HIGHEST: np.where(spread, self.highest, np.nan),
                Statistic.LOWEST: np.where(spread, self.lowest, np.nan),
                Statistic.COUNT: np.where(self.count >= 1, self.count, np.nan),
            }


def _before(scores: Array) -> _Base:
    given = ~np.isnan(scores)
    first = np.zeros((len(scores), 1))

    def exclusive(accumulated: Array, start: float) -> Array:
        return np.hstack([first + start, accumulated[:, :-1]])

    return _Base(
        exclusive(np.cumsum(np.where(given, scores, 0.0), axis=1), 0.0),
        exclusive(np.cumsum(given, axis=1, dtype=np.float64), 0.0),
        exclusive(np.maximum.accumulate(np.where(given, scores, -np.inf), axis=1), -np.inf),
        exclusive(np.minimum.accumulate(np.where(given, scores, np.inf), axis=1), np.inf),
    )


def _after(scores: Array) -> _Base:
    turned = _before(scores[:, ::-1])
    return _Base(*(part[:, ::-1] for part in (turned.total, turned.count, turned.highest, turned.lowest)))


def bases_of(scores: Array) -> dict[str, dict[Statistic, Array]]:
    """Every statistic of the lines before, after and beside each line; arrays (n_cells, n_lines)."""
    before, after = _before(scores), _after(scores)
    return {"all": before.beside(after).statistics(), "before": before.statistics(), "after": after.statistics()}


def share_met(line: Array, statistic: Array) -> tuple[float, int]:
    """Share of the cells of a line (n,) that meet a statistic (n,) to rounding, and how many could be compared."""
    compared = ~np.isnan(statistic)
    if not compared.any() or np.isnan(line).all():
        return 0.0, 0
    near = np.abs(line - statistic) <= half_steps(line[:, None])[0] + 1e-9 * np.abs(statistic)
    return float(near[compared].mean()), int(compared.sum())


def recomputed_lines(scores: Array) -> tuple[Recomputed, ...]:
    """Find the lines that chance would hardly make a statistic of the others.

    At least four cells must be there to compare, nine in ten of them must meet the statistic, and lines like the others
    must not do so: the chance of that many matches, by how often the others meet the same statistic, is below 1e-5.
    Where one line is found, the search goes on without it, and among the lines behind it (subtotals).

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    found: dict[int, Recomputed] = {}
    left = list(range(scores.shape[1]))
    while len(left) > 2:
        parts = [left, *[[line for line in left if line > before] for before in sorted(found)]]
        results = ((part, _found_among(scores[:, part])) for part in parts)
        part, here = next(((part, one) for part, one in results if one is not None), (left, None))
        if here is None:
            break
        line = part[here.line]
        found[line] = Recomputed(line, here.statistic, here.base, here.share)
        left.remove(line)
    return tuple(sorted(found.values(), key=lambda one: one.line))


def half_steps_where_fine(scores: Array, coarse: float = -np.inf) -> Array:
    """(n_lines,) half a rounding step of each line; `coarse` where steps are so wide that a match proves nothing."""
    steps = half_steps(scores)
    given = scores[~np.isnan(scores)]
    wide = steps > _COARSE * (np.ptp(given) if len(given) else 0.0)
    return np.where(wide, coarse, steps)


def half_steps_of_each_where_fine(scores: Array) -> Array:
    """(n_lines,) half a rounding step of each line; -inf where it is wide beside the numbers of that line alone."""
    given = ~np.isnan(scores)
    highest = np.where(given, scores, -np.inf).max(axis=0, initial=-np.inf)
    lowest = np.where(given, scores, np.inf).min(axis=0, initial=np.inf)
    steps = half_steps(scores)
    return np.where(steps > _COARSE * np.where(given.any(axis=0), highest - lowest, 0.0), -np.inf, steps)


def _steps(scores: Array) -> tuple[Array, Array]:
    """Half a rounding step of each line (n_lines,), for sums and for means: none for a mean on coarse steps."""
    return half_steps_where_fine(scores, 1e-9), half_steps_where_fine(scores)


def _found_among(scores: Array) -> Recomputed | None:
    """Return the line that the least chance would make a statistic of the others; None when chance may be it."""
    if scores.shape[1] < 3:
        return None
    best: tuple[float, Recomputed] | None = None
    of_sums, of_means = _steps(scores)
    for base, statistics in bases_of(scores).items():
        for statistic in PROVEN_BY_NUMBERS:
            values, steps = statistics[statistic], of_sums if statistic in _SUMS else of_means
            compared = ~np.isnan(values)
            with np.errstate(invalid="ignore"):
                met = np.abs(scores - values) <= steps + 1e-9 * np.abs(values)
            counts, matches = compared.sum(axis=0), (met & compared).sum(axis=0)
            for j in np.flatnonzero((counts >= FEWEST_CELLS) & (matches >= _SHARE_MET * counts)):
                chance = _log_chance(np.delete(scores, j, axis=1), statistic, int(matches[j]), int(counts[j]))
                chance += math.log(scores.shape[1])
                if chance < math.log(_CHANCE) and (best is None or chance < best[0]):
                    best = chance, Recomputed(int(j), statistic, base, float(matches[j] / counts[j]))
    return None if best is None else best[1]


def _log_chance(others: Array, statistic: Statistic, matches: int, counts: int) -> float:
    """Logarithm of the chance of so many matches, by how often the other lines meet the statistic of each other."""
    if others.shape[1] == 2:
        values = others[:, ::-1]  # one line alone has no statistic but itself: how often the two agree
    else:
        values = _before(others).beside(_after(others)).statistics()[statistic]
    compared = ~np.isnan(values) & ~np.isnan(others)
    of_sums, of_means = _steps(others)
    steps = of_sums if statistic in _SUMS else of_means
    met = (np.abs(others - values) <= steps + 1e-9 * np.abs(values)) & compared
    rate = (met.sum() + 0.5) / (compared.sum() + 1.0)
    misses = counts - matches
    return matches * math.log(rate) + math.log(math.comb(counts, misses))
