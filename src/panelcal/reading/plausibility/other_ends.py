"""Lines that would fit if turned round or doubled: 1 taken for the best, marks out of 10 among marks out of 20.

A severe assessor gives less than the others and keeps the distances; who uses half the scale halves the distances too.
Whoever goes against all others, who go together, has most likely taken the other end of the scale for the best.
"""

from __future__ import annotations

import math

import numpy as np

from panelcal.arrays import Array
from panelcal.reading.plausibility.lines import Lines
from panelcal.tails import fdtrc

TURNED = "against all others: high where they are low, and low where they are high"
HALVED = "as if on another scale, of half or twice the length"
BEYOND = "mostly beyond the highest score that any other gives, as on a longer scale"
_FEWEST_LINES, _FEWEST_CELLS, _MOST_LINES = 4, 10, 200
_TOGETHER, _AGAINST, _SURE = 0.45, -0.35, 3.3
_MOST_CELLS = 2_000
_TOPS = (5.0, 6.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 80.0, 100.0, 120.0, 150.0, 200.0)
_ENDS, _FEWEST_BEYOND, _KEPT_TO, _LONGER = (5.0, 6.0, 10.0, 20.0, 50.0, 100.0), 8, 0.75, 1.5
_REACHED = 0.6  # of the highest possible score
_LIKE = 0.5  # relative difference of a spread that is still alike
_CHANCE = 0.03
_PILED_UP = 0.1
_MOST_OF_MIDDLE = 0.6


def ends_mistaken(scores: Array) -> dict[int, str]:
    """Find the lines that fit the others only when turned round, or on a scale of half or twice the length.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.

    Returns
    -------
    found
        Line -> what it is.
    """
    if not _FEWEST_LINES <= scores.shape[1] <= _MOST_LINES or len(scores) < _FEWEST_CELLS:
        return {}
    scores = scores[:_MOST_CELLS]
    found = dict.fromkeys(_turned(scores), TURNED)
    rest = [k for k in range(scores.shape[1]) if k not in found]
    found |= {rest[k]: HALVED for k in _halved(scores[:, rest])}
    found |= {k: BEYOND for k in _beyond(scores) if k not in found}
    return found


def _beyond(scores: Array) -> list[int]:
    """Find the few lines that mostly give more than the end of a usual scale that all others keep to."""
    given = ~np.isnan(scores)
    enough = given.sum(axis=0) >= _FEWEST_BEYOND
    highest = np.nanmax(np.where(given, scores, -np.inf), axis=0)
    if enough.sum() < _FEWEST_LINES or scores[given].min() < 0:
        return []
    for top in _ENDS:
        out = [
            k for k in np.flatnonzero(enough & (highest > top)).tolist() if _mostly_above(scores[given[:, k], k], top)
        ]
        within = np.delete(highest, out)
        if out and len(out) <= scores.shape[1] / 4 and _KEPT_TO * top <= within.max() <= top:
            usual = float(np.nanmedian(np.delete(scores, out, axis=1)))
            return [k for k in out if np.nanmedian(scores[:, k]) >= _LONGER * usual]
    return []


def _mostly_above(own: Array, top: float) -> bool:
    return bool((own > top).mean() > _REACHED)


def _turned(scores: Array) -> list[int]:
    """Find the few lines whose correlation with the mean of the others is negative beyond chance."""
    given = ~np.isnan(scores)
    counts = given.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = np.where(given, scores - np.nanmean(np.where(counts > 0, scores, 0.0), axis=0), 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / np.maximum(counts, 1))
    standardised = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    total, present = standardised.sum(axis=1), given.sum(axis=1)
    together = np.full(scores.shape[1], np.nan)
    cells = np.zeros(scores.shape[1])
    for k in range(scores.shape[1]):
        rows = given[:, k] & (present > 1)
        own, mean = standardised[rows, k], (total - standardised[:, k])[rows] / (present[rows] - 1)
        if rows.sum() >= _FEWEST_CELLS and own.std() > 0 and mean.std() > 0:
            together[k], cells[k] = np.corrcoef(own, mean)[0, 1], rows.sum()
    known = together[np.isfinite(together)]
    if len(known) < _FEWEST_LINES or np.median(known) < _TOGETHER:
        return []
    against = [
        k
        for k in np.flatnonzero(together <= _AGAINST).tolist()
        if math.atanh(min(-together[k], 0.99)) * math.sqrt(cells[k] - 3) >= _SURE
    ]
    return against if len(against) <= len(known) / 4 else []


def _halved(scores: Array) -> list[int]:
    """Find one line that halves (or doubles) what the others give, where a shift explains it far worse."""
    if scores.shape[1] < _FEWEST_LINES:
        return []
    found = []
    for k in range(scores.shape[1]):
        others = np.delete(scores, k, axis=1)
        for factor in (2.0, 0.5):
            if _fits_when_stretched(scores[:, k], others, factor):
                found.append(k)
    return found if len(found) == 1 else []


def _fits_when_stretched(own: Array, others: Array, factor: float) -> bool:
    """Tell whether a line (n,), times a factor, is like the others (n, m), and moved by a constant far less so."""
    rows = ~np.isnan(own) & ~np.isnan(others).all(axis=1)
    if rows.sum() < _FEWEST_CELLS or others[~np.isnan(others)].min() < 0 or own[rows].min() < 0:
        return False
    own, others = own[rows], others[rows]
    highest = float(np.nanmax(others))
    top = next((top for top in _TOPS if top >= highest), 0.0)
    own_top = top / factor
    if not top or highest < _REACHED * top or not _REACHED * own_top <= own.max() <= own_top:
        return False
    if factor < 1 and (own > top).mean() < _REACHED / 2:
        return False
    if factor > 1 and (own == min(own.min(), float(np.nanmin(others)))).mean() > _PILED_UP:
        return False  # scores at the floor lose their spread
    filled = (~np.isnan(others)).any(axis=0)
    others = others[:, filled] - np.nanmean(others[:, filled], axis=0) + np.nanmean(others)
    usual = np.nanmean(others, axis=1)
    stretched = factor * own
    if abs(math.log(max(stretched.std(), 1e-9) / max(usual.std(), 1e-9))) > _LIKE:
        return False
    if abs(stretched.mean() - usual.mean()) > _LIKE * usual.std() * 3:
        return False
    scale = max(1.0, factor)
    moved = ((own - usual) - (own - usual).mean()) * (1.0 if factor > 1 else factor)
    fitted = (stretched - usual - (stretched - usual).mean()) / (scale if factor > 1 else 1.0)
    ratio = float((moved**2).sum() / max((fitted**2).sum(), 1e-12))
    freedom = len(own) - 1
    return bool(fdtrc(freedom, freedom, ratio) < _CHANCE)


def half_used(lines: Lines) -> tuple[int, ...]:
    """Find the few lines that never leave the lower half of what the others use: severe, or out of half as much."""
    if len(lines) < _FEWEST_LINES:
        return ()
    highest, enough = lines.highest, lines.counts >= _FEWEST_CELLS
    middles = np.array([np.median(lines.of(k)) if enough[k] else np.nan for k in range(len(lines))])
    if not enough.any():
        return ()
    top, middle = float(np.median(highest[enough])), float(np.nanmedian(middles))
    low = enough & (highest <= top / 2) & (middles <= _MOST_OF_MIDDLE * middle)
    return tuple(np.flatnonzero(low).tolist()) if low.sum() <= len(lines) / 4 and lines.values.min() >= 0 else ()
