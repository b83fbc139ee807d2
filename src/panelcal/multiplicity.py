"""Many tests at once: Holm's correction (1979), valid however the tests depend on each other."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array


def holm(p_values: Array) -> Array:
    """Return p-values (k,) adjusted so that any of them falls below a level, by chance, no more often than the level.

    The j-th smallest of k is multiplied by k - j + 1, and none may be smaller than one before it. NaN stays NaN and is
    not counted.
    """
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    raised = p_values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted
