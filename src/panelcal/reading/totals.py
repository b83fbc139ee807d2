"""Find columns that are the sum or the mean of the other columns although their heading does not say so."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LEAST_ROWS = 4
_TRAILING = 3
# Means rounded to whole numbers prove nothing on a short scale, where judges agree by chance.
_LEAST_SPREAD_FOR_WHOLE = 20.0


def total_columns(scores: NDArray[np.float64]) -> tuple[int, ...]:
    """Find the columns that equal the sum or mean of the others in every row.

    A column counts only if there are at least 4 rows in which the others have 2 or more scores, and it equals their sum
    or mean (rounded to its own decimals) in all of these. Where several single columns pass, they agree with each
    other rather than sum each other up, and none is reported.

    Parameters
    ----------
    scores
        (n_objects, n_columns), NaN = no score.
    """
    n_columns = scores.shape[1]
    for count in range(min(_TRAILING, n_columns - 2), 1, -1):
        first = n_columns - count
        summed = scores[:, :first]
        if all(_totals(summed, scores[:, j]) for j in range(first, n_columns)) and not _agreeing(summed):
            return tuple(range(first, n_columns))
    passing: list[int] = []
    for j in _nearly_totals(scores):
        if _totals(np.delete(scores, j, axis=1), scores[:, j]):
            passing.append(int(j))
        if len(passing) > 1:
            return ()
    return tuple(passing)


def _agreeing(scores: NDArray[np.float64]) -> bool:
    """Tell whether a column is the sum or mean of the others here already, as where all judges give the same."""
    shared = scores[(~np.isnan(scores)).sum(axis=1) >= 2]
    if len(shared) and (np.nanmax(shared, axis=1) == np.nanmin(shared, axis=1)).all():
        return True
    return any(_totals(np.delete(scores, j, axis=1), scores[:, j]) for j in _nearly_totals(scores))


def _nearly_totals(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Find the columns that are within rounding of a total, all at once, so that few need the full test."""
    given = ~np.isnan(scores)
    filled = np.where(given, scores, 0.0)
    counts = given.sum(axis=1, keepdims=True) - given
    sums = filled.sum(axis=1, keepdims=True) - filled
    aside = counts < 2
    slack = 0.5 + 1e-6 * np.abs(sums)
    near = [given & (np.abs(filled - expected) <= slack) | aside for expected in (sums, sums / np.maximum(counts, 1))]
    enough = (~aside).sum(axis=0) >= _LEAST_ROWS
    return np.flatnonzero(enough & (near[0].all(axis=0) | near[1].all(axis=0)))


def _totals(others: NDArray[np.float64], column: NDArray[np.float64]) -> bool:
    """Tell whether a column is the sum or the mean of the others."""
    given = ~np.isnan(others)
    counts = given.sum(axis=1)
    rows = counts >= 2
    if rows.sum() < _LEAST_ROWS or np.isnan(column[rows]).any():
        return False
    sums = np.where(given, others, 0.0).sum(axis=1)[rows]
    values = column[rows]
    spread = float(np.nanmax(others) - np.nanmin(others))
    tolerance = _rounding(values, spread)
    return any(
        bool((np.abs(values - expected) <= tolerance + 1e-9 * np.maximum(1.0, np.abs(expected))).all())
        for expected in (sums, sums / counts[rows])
    )


def _rounding(values: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """Half a unit of the last decimal that each value shows."""
    tolerance = np.zeros(len(values))
    for decimals in range(4, 0, -1):
        tolerance[np.abs(values - np.round(values, decimals)) <= 1e-12] = 0.5 * 10.0**-decimals
    tolerance[values == np.round(values)] = 0.5 if spread > _LEAST_SPREAD_FOR_WHOLE else 0.0
    return tolerance
