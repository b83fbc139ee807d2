"""Ranks of numbers, smallest = 1, in the three ways in which ties are counted."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array


def competition_ranks(values: Array) -> Array:
    """Give tied numbers (n,) the lowest rank among them: 1, 2, 2, 4."""
    ranks: Array = np.searchsorted(np.sort(values), values, side="left") + np.float64(1.0)
    return ranks


def dense_ranks(values: Array) -> Array:
    """Leave no rank out after tied numbers (n,): 1, 2, 2, 3."""
    ranks: Array = np.unique(values, return_inverse=True)[1].reshape(values.shape) + np.float64(1.0)
    return ranks


def mean_ranks(values: Array) -> Array:
    """Give tied numbers (n,) the mean of their ranks: 1, 2.5, 2.5, 4."""
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values, side="left") + np.searchsorted(ordered, values, side="right") + 1) / 2
