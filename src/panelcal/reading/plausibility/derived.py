"""Lines that follow from the others without being a sum or mean of them: percentiles, curved marks, counts, groups.

Whatever is worked out from a total keeps its order, in every row; no assessor agrees so well with all others together.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array

ORDERED, COUNTED, GROUPED = "in the very order of the mean of all others", "the number of all others", "groups in order"
_FEWEST_CELLS, _FEWEST_LEVELS = 12, 5
_MOST_CELLS, _MOST_LINES = 300, 60
_USUALLY_ORDERED = 0.85
_MOSTLY_APART = 0.9  # of the pairs
_FEWEST_GROUPS = 4


def derived_lines(scores: Array) -> dict[int, str]:
    """Find lines that follow from the others, each with what it is.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    n_cells, n_lines = scores.shape
    if n_cells < _FEWEST_CELLS or not 3 <= n_lines <= _MOST_LINES:
        return {}
    if n_cells > _MOST_CELLS:
        scores = scores[np.linspace(0, n_cells - 1, _MOST_CELLS).astype(np.intp)]
    found = {line: COUNTED for line in range(n_lines) if _counts(scores, line)}
    found |= {line: GROUPED for line in range(n_lines) if line not in found and _groups(scores[:, line])}
    shares = np.array([_ordered(scores, line) for line in range(n_lines)])
    for line in np.flatnonzero(shares == 1.0).tolist():
        usual = np.median(np.delete(shares, line))
        if line not in found and usual < _USUALLY_ORDERED:
            found[line] = ORDERED
    return found


def _counts(scores: Array, line: int) -> bool:
    """Tell whether a line says how many of the others there are in each cell, which is not always as many."""
    own = scores[:, line]
    counts = (~np.isnan(np.delete(scores, line, axis=1))).sum(axis=1)
    return bool(np.array_equal(own, counts) and min((own == own[0]).sum(), (own != own[0]).sum()) >= 3)


def _groups(own: Array) -> bool:
    """Tell whether a line counts 1, 1, 1, 2, 2, 2 and so on down the sheet, as tables and heats are numbered."""
    if np.isnan(own).any() or own[0] != 1 or not np.isin(np.diff(own), (0, 1)).all():
        return False
    sizes = np.unique(own, return_counts=True)[1]
    return bool(len(sizes) >= _FEWEST_GROUPS and sizes[0] > 1 and (sizes[:-1] == sizes[0]).all())


def _ordered(scores: Array, line: int) -> float:
    """Share of pairs of cells with different means of the others that a line does not put the other way round."""
    own, others = scores[:, line], np.delete(scores, line, axis=1)
    rows = ~np.isnan(own) & ((~np.isnan(others)).sum(axis=1) > 1)
    if rows.sum() < _FEWEST_CELLS or len(np.unique(own[rows])) < _FEWEST_LEVELS:
        return 0.0
    own, means = own[rows], np.nanmean(others[rows], axis=1)
    order = np.sign(own[:, None] - own[None, :]) * np.sign(np.round(means[:, None] - means[None, :], 9))
    apart = order != 0
    if apart.sum() < _MOSTLY_APART * len(own) * (len(own) - 1):
        return 0.0  # ties agree with everything
    return float((order[apart] > 0).mean())
