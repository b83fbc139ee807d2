"""Curves with nothing to choose: straight lines, and the best non-decreasing steps (pool adjacent violators).

The two rescalings that people use without least squares (min-max, mean and SD) look at the anchors' scores and at the
consensus but not at which goes with which; they are here to be compared with. For steps, anchors with the same score
are merged first; they are joined by lines, and outside the anchors' scores the curve is flat, never undefined.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from panelcal.anchors.pieces import Pieces, broken_line, straight_line
from panelcal.arrays import Array


def fit_line(scores: Array, consensus: Array, weights: Array) -> Pieces:
    """Return the least-squares line of the consensus (n,) on the scores (n,), flat where it would fall."""
    middle, level = np.average(scores, weights=weights), np.average(consensus, weights=weights)
    away = scores - middle
    slope = (weights * away) @ (consensus - level) / ((weights * away) @ away)
    return straight_line(float(middle), float(level), max(float(slope), 0.0))


def match_range(scores: Array, consensus: Array, weights: Array) -> Pieces:
    """Return the line that takes the lowest and highest score to the lowest and highest consensus."""
    seen = weights > 0
    low, high = scores[seen].min(), scores[seen].max()
    slope = np.ptp(consensus[seen]) / (high - low)
    return straight_line(float(low), float(consensus[seen].min()), float(slope))


def match_mean_and_sd(scores: Array, consensus: Array, weights: Array) -> Pieces:
    """Return the line that gives the scores the mean and the standard deviation of the consensus."""
    middle, level = np.average(scores, weights=weights), np.average(consensus, weights=weights)
    spread = weights @ (consensus - level) ** 2 / (weights @ (scores - middle) ** 2)
    return straight_line(float(middle), float(level), float(np.sqrt(spread)))


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
