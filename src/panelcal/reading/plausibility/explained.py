"""Lines that are weighted sums or weighted means of the others, with weights that nobody wrote down.

A weighted sum is looked for by least squares with blanks as nothing; a weighted mean, whose weights are shared out
anew where cells are blank, by solving sum_j w_j (x_ij - v_i) = 0 over the cells that are there. Weights of a total are
never negative, which tells the total from its parts. A fit counts when nine in ten cells are met to rounding and
assessors explained in the same way are not met; where the line is written as coarsely as the others, also when chance
would hardly meet so many cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass
from panelcal.reading.plausibility.lines import half_steps

Fit = Callable[[Array, Array, Mask], Array | None]

MOST_LINES = 40
"""Weights of more lines than this are not looked for."""

_TURNS = 4  # each without the cells furthest off
_SPARE_CELLS = 8  # beyond the unknown weights
_SHARE_MET = 0.9
_COARSE, _COARSE_ALIKE = 0.06, 0.25  # of the standard deviation: on coarser steps a fit proves nothing
_CHANCE = math.log(1e-5)
_LEAST_RATE = 0.2
_CELLS_FOR_EACH, _FINE = 2, 12  # cells for each weight, and levels, where a line is written as coarsely as the others
_OTHERS_MET = 0.5
_LOWEST_WEIGHT = -1e-3  # relative to the largest


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """A line that is a weighted sum or mean of others.

    Attributes
    ----------
    line
        Its number among the columns of the array.
    form
        "weighted sum" or "weighted mean".
    share
        Share of its cells that are met to rounding.
    """

    line: int
    form: str
    share: float


def explained_lines(scores: Array) -> tuple[Explained, ...]:
    """Find the lines that are weighted sums or means of the lines before them, after them, or of all others.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    found = (explained_line(scores, line) for line in range(scores.shape[1]))
    return tuple(explained for explained in found if explained is not None)


def explained_line(scores: Array, line: int) -> Explained | None:
    """Try to explain one line by the others; None where that fails or would prove nothing."""
    n_lines = scores.shape[1]
    others = [k for k in range(n_lines) if k != line]
    before, after = others[:line], others[line:]
    for base in ([before] if len(before) >= 2 else []) + ([after] if len(after) >= 2 else []) + [others]:
        if not 2 <= len(base) <= MOST_LINES:
            continue
        told = _told(scores[:, base], scores[:, line])
        for form, fit in (("weighted mean", _as_mean), ("weighted sum", _as_sum)) if told.enough else ():
            share, cells, alike = _share_met(told, fit), len(told.whole), told.alike
            if share < _SHARE_MET or (alike and form == "weighted sum"):
                continue
            usual = _usually_met(scores[:, base], fit)
            spare = share * cells - len(base) - 1  # a weight for every line makes as many cells fit
            if usual < _OTHERS_MET and (not alike or spare * math.log(usual + _LEAST_RATE) < _CHANCE):
                return Explained(line, form, share)
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The cells of a line that say whether it is made of others.

    Attributes
    ----------
    parts, whole
        (n, k) and (n,): the others, NaN = no score, and the line.
    step, alike
        Half a unit of the last decimal of the line, and whether it is written as coarsely as the others.
    fewest, enough
        How many cells a fit takes, and whether there are as many and on steps that are fine enough.
    """

    parts: Array
    whole: Array
    step: float
    alike: bool
    fewest: int
    enough: bool


def _told(parts: Array, whole: Array) -> _Told:
    """Choose the cells of `whole` (n,) that say whether it is made of `parts` (n, k)."""
    rows = ~np.isnan(whole) & (~np.isnan(parts)).any(axis=1)
    parts, whole = parts[rows], whole[rows]
    fewest = parts.shape[1] + 1 + _SPARE_CELLS
    if len(whole) < fewest:
        return _Told(parts, whole, 0.0, False, fewest, False)
    step = float(half_steps(whole[:, None])[0])
    alike = step >= float(half_steps(parts).min())
    if alike:
        inside = (whole > np.nanmin(parts)) & (whole < np.nanmax(parts))  # at the ends everybody may be alike
        parts, whole, fewest = parts[inside], whole[inside], max(fewest, _CELLS_FOR_EACH * (parts.shape[1] + 1))
        if len(whole) < fewest or len(np.unique(parts)) < _FINE:
            return _Told(parts, whole, step, alike, fewest, False)
    return _Told(parts, whole, step, alike, fewest, step <= (_COARSE_ALIKE if alike else _COARSE) * float(whole.std()))


def _share_met(told: _Told, fit: Fit) -> float:
    """Share of the cells that are met to rounding by the best weights of the others, none negative; 0 without a fit."""
    parts, whole = told.parts, told.whole
    if not told.enough:
        return 0.0
    kept = met = np.ones(len(whole), dtype=np.bool_)
    for turn in range(_TURNS):
        if kept.sum() < told.fewest:
            return 0.0
        fitted = fit(parts, whole, kept)
        if fitted is None:
            return 0.0
        away = np.abs(fitted - whole)
        met = away <= 1.05 * told.step + 1e-9 * np.abs(whole)
        if met.all() or turn == _TURNS - 1:
            break
        # A few cells changed by hand must not bend the weights.
        kept = away <= np.quantile(away, 0.9)
    return float(met.mean())


def _as_sum(parts: Array, whole: Array, kept: Mask) -> Array | None:
    """Fit a weighted sum with a constant, blanks as nothing; None when a weight is negative."""
    filled = np.hstack([np.nan_to_num(parts), np.ones((len(parts), 1))])
    weights = np.linalg.lstsq(filled[kept], whole[kept], rcond=1e-10)[0]
    if weights[:-1].min() < _LOWEST_WEIGHT * max(float(np.abs(weights[:-1]).max()), 1e-12):
        return None
    return np.asarray(filled @ weights)


def _as_mean(parts: Array, whole: Array, kept: Mask) -> Array | None:
    """Fit a weighted mean of the parts that are there; None when a weight is negative."""
    given = ~np.isnan(parts)
    apart = np.where(given, parts - whole[:, None], 0.0)
    size = apart[kept].T @ apart[kept]
    size += 1e-12 * np.trace(size) * np.eye(len(size))
    try:
        weights = np.linalg.solve(size, np.ones(len(size)))
    except np.linalg.LinAlgError:
        return None
    if weights.min() < _LOWEST_WEIGHT * float(np.abs(weights).max()):
        return None
    shares = given @ weights
    return whole + np.divide(apart @ weights, shares, out=np.zeros(len(whole)), where=shares > 0)


def _usually_met(parts: Array, fit: Fit) -> float:
    """Share of cells to which the parts explain each other, as where all assessors agree; the median of a few."""
    if parts.shape[1] <= 2:
        return 0.0
    shares = [_share_met(_told(np.delete(parts, k, axis=1), parts[:, k]), fit) for k in range(min(parts.shape[1], 5))]
    return float(np.median(shares))
