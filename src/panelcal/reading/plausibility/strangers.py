"""Lines that go their own way while the others go together, on numbers the others hardly have: ages, prices, tariffs.

A severe or a careless assessor stays on the scale and its steps; an able one follows the others. What does neither is
no judgement of the same things.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array

_FEWEST_LINES, _FEWEST_CELLS, _MOST_LINES = 4, 8, 200
_TOGETHER, _OWN_WAY = 0.45, 0.3
_APART = 3.0
_OUTSIDE, _WIDENED = 0.5, 0.1
_MOSTLY_BROKEN, _HARDLY_BROKEN = 0.5, 0.02


def stranger_lines(scores: Array) -> tuple[int, ...]:
    """Find the lines that do not go with the others and lie outside their numbers.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    if not _FEWEST_LINES <= scores.shape[1] <= _MOST_LINES:
        return ()
    left = np.flatnonzero((~np.isnan(scores)).sum(axis=0) >= _FEWEST_CELLS).tolist()
    found: list[int] = []
    while len(left) >= _FEWEST_LINES:
        candidates = [k for k in left if _outside(scores[:, k], scores[:, [one for one in left if one != k]])]
        if not candidates:
            break
        apart = [(_lag(scores[:, left], left.index(k)), k) for k in candidates]
        most, line = max(apart)
        if most < _APART:
            break
        found.append(line)
        left.remove(line)
    return tuple(sorted(found))


def _outside(line: Array, others: Array) -> bool:
    """Tell whether many numbers of a line lie beyond those of the others, or between their steps."""
    own = line[~np.isnan(line)]
    given = others[~np.isnan(others)]
    if len(own) < _FEWEST_CELLS or not len(given):
        return False
    if _fractions(own) > _MOSTLY_BROKEN and _fractions(given) < _HARDLY_BROKEN:
        return True
    low, high = np.quantile(given, [0.01, 0.99])
    margin = _WIDENED * (high - low)
    return bool(((own < low - margin) | (own > high + margin)).mean() > _OUTSIDE)


def _fractions(numbers: Array) -> float:
    """Share of numbers that are not whole."""
    return float((numbers != np.round(numbers)).mean())


def _lag(scores: Array, line: int) -> float:
    """How many standard errors a line follows the others less than these follow each other; 0 where it follows."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.nanstd(scores, axis=0)
        standardised = (scores - np.nanmean(scores, axis=0)) / np.where(spread > 0, spread, np.nan)
    rest = np.delete(standardised, line, axis=1)
    usual = [one for k in range(rest.shape[1]) if np.isfinite(one := _together(rest, k)[0])]
    own, cells = _together(standardised, line)
    if len(usual) < _FEWEST_LINES - 1 or not np.isfinite(own) or own > _OWN_WAY:
        return 0.0
    typical = float(np.median(usual))
    if typical < _TOGETHER:
        return 0.0
    return float((np.arctanh(min(typical, 0.95)) - np.arctanh(max(own, -0.95))) * np.sqrt(max(cells - 3, 0)))


def _together(standardised: Array, line: int) -> tuple[float, int]:
    """Correlation of a line with the mean of the others, and in how many cells both are."""
    rest = np.delete(standardised, line, axis=1)
    rows = ~np.isnan(standardised[:, line]) & (~np.isnan(rest)).any(axis=1)
    if rows.sum() < _FEWEST_CELLS:
        return np.nan, 0
    own, mean = standardised[rows, line], np.nanmean(rest[rows], axis=1)
    if own.std() == 0 or mean.std() == 0:
        return np.nan, 0
    return float(np.corrcoef(own, mean)[0, 1]), int(rows.sum())
