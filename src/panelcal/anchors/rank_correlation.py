"""Kendall's rank correlation: of all pairs of anchors, how many the agent puts in the order of the consensus.

It asks only for order, which is all that a monotone curve needs. Normal approximation with ties (Kendall 1970).
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from panelcal.arrays import Array
from panelcal.frozen import dataclass

_AT_ONCE = 1000  # anchors compared with all others at a time


@dataclass(frozen=True, slots=True)
class Tau:
    """Kendall's tau-b.

    Attributes
    ----------
    value
        From -1 (always reversed) to 1 (always in order); 0 where either side is constant.
    p_reversed
        Probability of a value this low or lower if there were no association: small = anti-correlated.
    reversed_share
        Of the pairs that differ on both sides, the share that the agent puts the wrong way round; NaN without any.
    """

    value: float
    p_reversed: float
    reversed_share: float


def kendall_tau(x: Array, y: Array) -> Tau:
    """Return Kendall's tau-b of two columns (n,) without gaps."""
    n = len(x)
    concordant = discordant = 0
    for start in range(0, n, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        higher = x[part, None] > x  # so that each pair is met once
        concordant += int(np.count_nonzero(higher & (y[part, None] > y)))
        discordant += int(np.count_nonzero(higher & (y[part, None] < y)))
    surplus, decided = concordant - discordant, concordant + discordant
    pairs = n * (n - 1) / 2
    ties_x, ties_y = _ties(x), _ties(y)
    room = (pairs - ties_x[0]) * (pairs - ties_y[0])
    if room <= 0:
        return Tau(0.0, 1.0, float("nan"))
    variance = (n * (n - 1) * (2 * n + 5) - ties_x[2] - ties_y[2]) / 18 + 2 * ties_x[0] * ties_y[0] / (n * (n - 1))
    if n > 2:
        variance += ties_x[1] * ties_y[1] / (9 * n * (n - 1) * (n - 2))
    return Tau(
        value=float(surplus / np.sqrt(room)),
        p_reversed=float(ndtr(surplus / np.sqrt(variance))),
        reversed_share=discordant / decided if decided else float("nan"),
    )


def _ties(x: Array) -> tuple[float, float, float]:
    """Sums over groups of t equal values: t(t-1)/2, t(t-1)(t-2), t(t-1)(2t+5)."""
    t = np.unique(x, return_counts=True)[1].astype(np.float64)
    return (
        float((t * (t - 1)).sum() / 2),
        float((t * (t - 1) * (t - 2)).sum()),
        float((t * (t - 1) * (2 * t + 5)).sum()),
    )
