"""Lines on another scale than the others: out of 10 among marks out of 100, weights, credits, every second column.

A severe assessor moves all scores down and keeps their spread; another scale shrinks the spread as much as the scores.
Scores piled up at the floor of the scale lose their spread too, and are no sign of another scale.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass
from panelcal.panel import by_number
from panelcal.reading.plausibility.lines import Lines
from panelcal.tails import fdtr, fdtrc

FEWEST_NUMBERS = 3
_APART, _FAR_APART, _FAR_APART_FOR_FEW = 2.2, 5.0, 15.0
_ENOUGH_NUMBERS = 5
_CHANCE = 1e-4
_SPREAD_FOLLOWS = 3.0
_OTHER_SPREAD = 0.6
_PILED_UP, _SHORT = 0.1, 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """Which lines are on another scale than most.

    Attributes
    ----------
    lines
        Their numbers.
    usual
        (lowest, highest) of the lines that share a scale.
    every_second
        True when every second line, or one half of the lines after the other, is on the other scale.
    """

    lines: tuple[int, ...]
    usual: tuple[float, float]
    every_second: bool


def other_scales(lines: Lines, *, downwards: bool = True) -> Scales | None:
    """Find the lines on another scale; None when there are none.

    Parameters
    ----------
    downwards
        False: only lines with larger numbers than the others (an object may be far worse than all others).
    """
    usable = np.flatnonzero(lines.counts >= FEWEST_NUMBERS)
    if len(usable) < 2:
        return None
    sizes, spreads = _sizes(lines)[usable], _spreads(lines)[usable]
    usual = _usual(sizes)
    size, spread = float(np.median(sizes[usual])), float(np.median(spreads[usual]))
    if size <= 0 or spread <= 0:
        return None
    ratios = sizes / size
    apart = ratios >= _APART
    if downwards:
        apart |= ratios <= 1 / _APART
    if not apart.any() or apart.all():
        return None
    pool = np.concatenate([lines.of(line) for line in usable[~apart].tolist()])
    cells = float((lines.counts[usable[~apart]] - 1).sum())
    found = [
        int(usable[k])
        for k in np.flatnonzero(apart)
        if _other_scale(lines.of(usable[k]), pool, float(ratios[k]), float(spreads[k]) / spread, cells)
    ]
    if not found:
        return None
    rest = np.ones(len(lines), dtype=np.bool_)
    rest[found] = False
    usual_range = float(np.nanmin(lines.lowest[rest])), float(np.nanmax(lines.highest[rest]))
    return Scales(tuple(found), usual_range, _is_half(found, len(lines)))


def _sizes(lines: Lines) -> Array:
    """(n_lines,) what a quarter of the numbers of each line, signs aside, reach or exceed."""
    line = np.repeat(np.arange(len(lines)), lines.counts)
    size = np.abs(lines.values)
    order = np.argsort(size)
    ordered = size[order[by_number(line[order], len(lines))]]
    at = np.minimum(lines.starts[:-1] + (3 * np.maximum(lines.counts - 1, 0)) // 4, np.maximum(lines.starts[1:] - 1, 0))
    return np.where(lines.counts > 0, ordered[np.minimum(at, len(ordered) - 1)], np.nan)


def _spreads(lines: Lines) -> Array:
    """(n_lines,) standard deviation of each line."""
    counts = np.maximum(lines.counts, 1)
    means = lines.each(np.add, lines.values, 0.0) / counts
    squares = lines.each(np.add, (lines.values - np.repeat(means, lines.counts)) ** 2, 0.0)
    return np.sqrt(squares / np.maximum(counts - 1, 1))


def _usual(sizes: Array) -> Mask:
    """(n,) true for the largest group of lines of about one size; the first line's group where two are as large."""
    order = np.argsort(sizes, kind="stable")
    steps = np.diff(np.log(np.maximum(sizes[order], 1e-12)))
    group = np.empty(len(sizes), dtype=np.intp)
    group[order] = np.concatenate([[0], np.cumsum(steps > np.log(_APART))])
    counts = np.bincount(group)
    best = group[0] if counts[group[0]] == counts.max() else int(np.argmax(counts))
    return np.asarray(group == best)


def _other_scale(line: Array, pool: Array, ratio: float, spread_ratio: float, cells: float) -> bool:
    """Tell whether one line (n,) cannot be on the scale of the others (m,)."""
    up = ratio > 1
    floors = {0.0, float(pool.min()), *([1.0] if pool.max() <= _SHORT else [])}
    if not up and line.min() in floors and (line == line.min()).mean() > _PILED_UP:
        return False
    (low, high), (pool_low, pool_high) = np.quantile(line, [0.25, 0.75]), np.quantile(pool, [0.25, 0.75])
    if low < pool_high if up else high > pool_low:
        return False  # a slip of the pen or two
    disjoint = line.min() > pool.max() if up else line.max() < pool.min()
    far_apart = _FAR_APART if len(line) >= _ENOUGH_NUMBERS else _FAR_APART_FOR_FEW
    far = not 1 / far_apart < ratio < far_apart
    moved = spread_ratio > 1 / _OTHER_SPREAD if up else spread_ratio < _OTHER_SPREAD
    if disjoint and far and moved:
        return True
    if not 1 / _SPREAD_FOLLOWS < spread_ratio / max(ratio, 1e-12) < _SPREAD_FOLLOWS:
        return False
    tail = fdtrc if up else fdtr
    return bool(tail(len(line) - 1, cells, spread_ratio**2) < _CHANCE)


def _is_half(found: list[int], n_lines: int) -> bool:
    """Tell whether these are every second line, or the second half of the lines."""
    half = n_lines // 2
    return 2 * len(found) == n_lines >= 4 and (
        found == list(range(1, n_lines, 2))
        or found == list(range(0, n_lines, 2))
        or found == list(range(half, n_lines))
    )
