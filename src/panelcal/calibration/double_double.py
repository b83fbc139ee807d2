"""Sums and products kept to about twice double precision, as pairs (high, low) of doubles.

Error-free transformations of Dekker (1971) and Knuth (1969), and exact summation by extraction in the manner of
Rump, Ogita and Oishi (2008). Refinement and certificates rest on them; numpy's longdouble is no more than a double on
Windows and on ARM Macs.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.panel import Panel, totals_by

_SPLITTER = 134217729.0  # 2^27 + 1, cuts a double into two halves of 26 bits
SUM_ERROR = 2.0**-94
_AT_ONCE = 16384


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return (high, low) with high = fl(a + b) and high + low = a + b exactly."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """Return (high, low) with high = fl(a b) and high + low = a b exactly (barring over- and underflow)."""
    high = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


def residuals(scores: tuple[Array, Array], values: Array, biases: Array) -> tuple[Array, Array]:
    """Return scores - values - biases as (high, low), entry by entry.

    The pair is right to about 2^-104 of the largest of the three.
    """
    high, low_1 = two_sum(scores[0], -values)
    high, low_2 = two_sum(high, -biases)
    return two_sum(high, (low_1 + low_2) + scores[1])


def shifted(numbers: Array, by: float) -> tuple[Array, Array]:
    """Return numbers + by (n,) as (high, low), exactly."""
    high, low = np.empty(len(numbers)), np.empty(len(numbers))
    for block in _blocks(len(numbers)):
        high[block], low[block] = two_sum(numbers[block], np.array(by))
    return high, low


def indexed_residuals(
    scores: tuple[Array, Array],
    values: Array,
    biases: Array,
    object_index: Indices,
    assessor_index: Indices,
) -> tuple[Array, Array]:
    """Return score - value - bias of every assessment (N,) as (high, low), see `residuals`."""
    high, low = np.empty(len(object_index)), np.empty(len(object_index))
    for block in _blocks(len(object_index)):
        high[block], low[block] = residuals(
            (scores[0][block], scores[1][block]), values[object_index[block]], biases[assessor_index[block]]
        )
    return high, low


def plain_residuals(panel: Panel, centre: float, values: Array, biases: Array) -> Array:
    """Return score - centre - value - bias of every assessment (N,), in plain doubles; values are from `centre`."""
    residuals = np.empty(panel.n_assessments)
    for block in _blocks(len(residuals)):
        left = residuals[block]
        np.subtract(panel.scores[block], centre, out=left)
        left -= values[panel.object_index[block]]
        left -= biases[panel.assessor_index[block]]
    return residuals


def group_sums(weights: Array, pair: tuple[Array, Array], groups: Indices, n_groups: int) -> Array:
    """Return sum of weights x (high + low) per group (n_groups,), as if added exactly and rounded once."""
    return sums_by_groupings(weights, pair, (groups, n_groups))[0]


def sums_by_groupings(
    weights: Array, pair: tuple[Array, Array], *groupings: tuple[Indices, int], cuts: int = 2
) -> tuple[Array, ...]:
    """Return, for each grouping (index (N,), n_groups), the sums of weights x (high + low) per group (n_groups,).

    They come out as if added exactly and rounded once. The leading bits of all products are cut off on a common grid,
    where they add up without rounding, twice; what is left over is so small that its own rounding does not matter. For
    up to a million terms the error is below `SUM_ERROR` times the largest product for each term, plus half a unit in
    the last place of the sum. With `cuts` = 1 it is 2^-80 times the largest product instead, which is quicker.
    """
    count = len(weights)
    high, rest = np.empty(count), np.empty(count)
    largest = 0.0
    blocks = _blocks(count)
    for block in blocks:
        product, low = two_product(weights[block], pair[0][block])
        high[block] = product
        rest[block] = low + weights[block] * pair[1][block]
        largest = max(largest, float(np.abs(product).max()))
    layers: list[Array] = []
    if largest > 0.0:
        room = 2.0 ** (np.ceil(np.log2(count + 1)) + 1)
        # Multiples of grid x 2^-52 whose sum stays below grid add up exactly; what they leave is at most grid x 2^-53.
        grids = [2.0 ** np.ceil(np.log2(largest)) * room]
        if cuts == 2:
            grids.append(grids[0] * 2.0**-53 * room)
        layers = [high, *(np.empty(count) for _ in grids[1:])]
        for block in blocks:
            left = high[block]
            for layer, grid in zip(layers, grids, strict=True):
                leading = (left + grid) - grid
                left = left - leading
                layer[block] = leading
            rest[block] += left
    else:
        rest += high
    totals = []
    for groups, n_groups in groupings:
        total = totals_by(groups, rest, n_groups)
        for layer in reversed(layers):
            total = totals_by(groups, layer, n_groups) + total
        totals.append(total)
    return tuple(totals)


def exact_dot(weights: Array, numbers: Array) -> float:
    """Return the sum of weights x numbers with one rounding at the end."""
    return float(group_sums(weights, (numbers, np.zeros_like(numbers)), np.zeros(len(numbers), dtype=np.intp), 1)[0])


def _blocks(count: int) -> list[slice]:
    """Blocks that stay in the processor's cache: a million numbers at a time would wait for memory at every step."""
    return [slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE)]


def _split(a: Array) -> tuple[Array, Array]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high
