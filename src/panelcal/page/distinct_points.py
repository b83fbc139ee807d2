"""Points of a chart that fall on the same spot are told once: no screen shows 20,000 of them side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices

ACROSS, UPRIGHT = 320, 180
"""Spots that a picture of a chart has either way: two pixels each, which the dots that are drawn there cover."""


def distinct_points(x: Array, y: Array, low: Array, high: Array) -> Indices:
    """Return the numbers of points that look different from those before them, in their order.

    Parameters
    ----------
    x, y
        Where each point is, shape (n,); NaN = nowhere, such points are left out.
    low, high
        Ends of its error bar, shape (n,); NaN = as `y`.
    """
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    across = _spots(x[known], ACROSS)
    ends = [np.where(np.isfinite(end), end, y)[known] for end in (y, low, high)]
    upright = _spots(np.concatenate(ends), UPRIGHT).reshape(3, -1)
    spots = across
    for heights in upright:
        spots = spots * (UPRIGHT + 1) + heights
    return known[np.sort(np.unique(spots, return_index=True)[1])]


def _spots(places: Array, count: int) -> NDArray[np.int64]:
    """Number the spots between the least and the greatest place, 0 to `count`."""
    span = np.ptp(places) if places.size else 0.0
    return np.zeros(places.size, np.int64) if span == 0.0 else ((places - places.min()) / span * count).astype(np.int64)
