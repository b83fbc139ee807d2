"""Straight-line curves: least squares, and the two rescalings people use without it (min-max, mean and SD).

The rescalings look at the anchors' scores and at the consensus but not at which goes with which; they are here to be
compared with.
"""

from __future__ import annotations

import numpy as np

from panelcal.anchors.pieces import Pieces, straight_line
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
