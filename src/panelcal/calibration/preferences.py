"""Who was placed above whom by each assessor, and how many of these preferences a ranking reverses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.panel import Panel

MOST_PAIRS = 20_000_000
_LARGE = 2_000  # rows at once, so that a table of pairs stays small


def preference_counts(panel: Panel) -> NDArray[np.int64]:
    """Return (n_objects, n_objects): how many assessors scored the first above the second; ties count nowhere."""
    counts = np.zeros((panel.n_objects, panel.n_objects), dtype=np.int64)
    for objects, scores in _by_assessor(panel):
        np.add.at(counts, (objects[:, None], objects[None, :]), scores[:, None] > scores[None, :])
    return counts


def reversed_share(panel: Panel, values: Array) -> float:
    """Return the share of all assessors' preferences between two objects that the order of the values turns round.

    A tie in the values counts half. NaN where nobody prefers anything, or with more than 20,000,000 pairs.
    """
    pairs = np.bincount(panel.assessor_index) ** 2
    if int(pairs.sum()) > MOST_PAIRS:
        return float("nan")
    stated = turned = 0.0
    for objects, scores in _by_assessor(panel):
        own = values[objects]
        for first in range(0, len(scores), _LARGE):
            rows = slice(first, first + _LARGE)
            prefers = scores[rows, None] > scores[None, :]
            stated += float(np.count_nonzero(prefers))
            turned += float(np.count_nonzero(prefers & (own[rows, None] < own[None, :])))
            turned += float(np.count_nonzero(prefers & (own[rows, None] == own[None, :]))) / 2
    return turned / stated if stated else float("nan")


def _by_assessor(panel: Panel) -> list[tuple[Indices, Array]]:
    """Objects and scores of each assessor."""
    order = np.argsort(panel.assessor_index, kind="stable")
    cuts = np.cumsum(np.bincount(panel.assessor_index))[:-1]
    return [(panel.object_index[rows], panel.scores[rows]) for rows in np.split(order, cuts)]
