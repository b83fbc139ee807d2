"""Sums and products kept to about twice double precision, as pairs (high, low) of doubles.

Error-free transformations of Dekker (1971) and Knuth (1969), and exact summation by extraction in the manner of
Rump, Ogita and Oishi (2008). Refinement and certificates rest on them; numpy's longdouble is no more than a double on
Windows and on ARM Macs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.panel import totals_by

Array = NDArray[np.float64]

_SPLITTER = 134217729.0  # 2^27 + 1, cuts a double into two halves of 26 bits
SUM_ERROR = 2.0**-94


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


def group_sums(weights: Array, pair: tuple[Array, Array], groups: NDArray[np.intp], n_groups: int) -> Array:
    """Return sum of weights x (high + low) per group (n_groups,), as if added exactly and rounded once.

    The leading bits of all products are cut off on a common grid, where they add up without rounding, twice; what is
    left over is so small that its own rounding does not matter. For up to a million terms the error is below
    `SUM_ERROR` times the largest product for each term, plus half a unit in the last place of the sum.
    """
    high, low = two_product(weights, pair[0])
    layers: list[Array] = []
    for _ in range(2):
        largest = float(np.max(np.abs(high), initial=0.0))
        if largest == 0.0:
            break
        # Multiples of grid x 2^-52 whose sum stays below grid add up exactly.
        grid = 2.0 ** (np.ceil(np.log2(largest)) + np.ceil(np.log2(len(high) + 1)) + 1)
        leading = (high + grid) - grid
        layers.append(totals_by(groups, leading, n_groups))
        high = high - leading
    total = totals_by(groups, high + (low + weights * pair[1]), n_groups)
    for layer in reversed(layers):
        total = layer + total
    return total


def exact_dot(weights: Array, numbers: Array) -> float:
    """Return the sum of weights x numbers with one rounding at the end."""
    return float(group_sums(weights, (numbers, np.zeros_like(numbers)), np.zeros(len(numbers), dtype=np.intp), 1)[0])


def _split(a: Array) -> tuple[Array, Array]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high
