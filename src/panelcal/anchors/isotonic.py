"""Isotonic curve: the best non-decreasing steps through the anchors (pool adjacent violators), joined by lines.

Anchors with the same score are merged first; outside the anchors' scores the curve is flat, never undefined.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from panelcal.anchors.pieces import Pieces, broken_line
from panelcal.arrays import Array


def fit_isotonic(scores: Array, consensus: Array, weights: Array) -> tuple[Pieces, float]:
    """Return the isotonic curve and its degrees of freedom, the number of different levels (Meyer and Woodroofe 2000).

    Parameters
    ----------
    scores, consensus
        (n,) finite.
    weights
        (n,) not negative; anchors of weight 0 do not count.
    """
    seen = weights > 0
    distinct, place = np.unique(scores[seen], return_inverse=True)
    total = np.bincount(place, weights[seen])
    means = np.bincount(place, weights[seen] * consensus[seen]) / total
    levels = np.asarray(isotonic_regression(means, weights=total).x)
    n_levels = 1 + int(np.count_nonzero(np.diff(levels)))
    return broken_line(distinct, levels), float(n_levels)
