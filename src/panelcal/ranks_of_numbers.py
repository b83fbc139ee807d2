"""Ranks of numbers, equal ones sharing the average or the better rank, without or with ranks left out after them.

As `scipy.stats.rankdata` gives them; but scipy.stats takes as long to load as everything else together.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices


def average_ranks(numbers: Array) -> Array:
    """Return the ranks (n, ...) of numbers (n, ...) along the first axis, smallest = 1; equal ones share the average.

    None may be NaN.
    """
    order = np.argsort(numbers, axis=0, kind="stable")
    ordered = np.take_along_axis(numbers, order, axis=0)
    begins = np.ones(ordered.shape, dtype=np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    place = np.arange(1.0, len(numbers) + 1).reshape(-1, *[1] * (numbers.ndim - 1))
    in_order = np.broadcast_to(place, ordered.shape)
    if not begins.all():
        ends = np.ones_like(begins)
        ends[:-1] = begins[1:]
        first = np.maximum.accumulate(np.where(begins, place, 0.0), axis=0)
        last = np.minimum.accumulate(np.where(ends, place, np.inf)[::-1], axis=0)[::-1]
        in_order = (first + last) / 2
    ranks = np.empty(ordered.shape)
    np.put_along_axis(ranks, order, in_order, axis=0)
    return ranks


def better_ranks(numbers: Array) -> Array | Indices:
    """Return the ranks (n,) of numbers (n,), smallest = 1; equal ones share the smallest rank, and NaN stays NaN."""
    known = ~np.isnan(numbers)
    found = 1 + np.searchsorted(np.sort(numbers[known]), numbers[known])
    if known.all():
        return found
    ranks = np.full(len(numbers), np.nan)
    ranks[known] = found
    return ranks


def dense_ranks(values: Array) -> Array:
    """Leave no rank out after tied numbers (n,): 1, 2, 2, 3."""
    ranks: Array = np.unique(values, return_inverse=True)[1].reshape(values.shape) + np.float64(1.0)
    return ranks
