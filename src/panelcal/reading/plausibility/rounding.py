"""To how many decimals the numbers of a line are written."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array

_MOST_DECIMALS = 4
_SHARE_ON_STEP = 0.95


def half_steps(scores: Array) -> Array:
    """Half a unit of the last decimal that each line is written to, in units of the scores.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    given = ~np.isnan(scores)
    counts = np.maximum(given.sum(axis=0), 1)
    filled = np.where(given, scores, 0.0)
    steps = 1e-9 * np.maximum(1.0, np.abs(filled).max(axis=0, initial=0.0))
    for decimals in range(_MOST_DECIMALS, -1, -1):
        off = np.abs(filled - np.round(filled, decimals)) > 1e-9 * np.maximum(1.0, np.abs(filled))
        steps = np.where(1.0 - off.sum(axis=0) / counts >= _SHARE_ON_STEP, 0.5 * 10.0**-decimals + 1e-9, steps)
    return steps
