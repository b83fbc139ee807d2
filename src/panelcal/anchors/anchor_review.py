"""Anchors unlike the others: those whose consensus is doubtful, and those an agent seems to know already.

Agents see the same things in an item, so their residuals on one anchor resemble each other. An anchor that all miss the
same way, by far more than any other, has a doubtful consensus. An agent that alone is right where the others are far
off, all the same way, may have met the anchor before (ASC 2026, section 6: leakage).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from panelcal.anchors.columns import as_floats
from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass
from panelcal.tails import holm

_FEWEST = 10  # anchors from which a scale can be had
_CLOSE, _FAR_OFF = 1 / 3, 1.5  # an agent's usual residuals
_NORMAL = 1.4826  # median absolute deviation -> standard deviation


@dataclass(frozen=True, slots=True, eq=False)
class AnchorReview:
    """Anchors to look at.

    Attributes
    ----------
    common_residuals
        (n_anchors,) mean over agents of consensus - calibrated score; NaN where nobody scored it.
    unlike_scores
        (n_anchors,) the same in robust standard deviations from its median.
    unlike
        (n_anchors,) whether the consensus is doubtful.
    leak_scores
        (n_agents, n_anchors) an agent's residual minus the mean of the others', in the agent's robust standard
        deviations; NaN where it or all others are missing.
    leaked
        (n_agents, n_anchors) whether the agent alone is close to the consensus.
    sentences
        One for each anchor or pair flagged; agents and anchors count from 1.
    """

    common_residuals: Array
    unlike_scores: Array
    unlike: Mask
    leak_scores: Array
    leaked: Mask
    sentences: tuple[str, ...]


def review_anchors(residuals: ArrayLike, *, level: float = 0.001) -> AnchorReview:
    """Look for anchors whose residuals are unlike the others'.

    Parameters
    ----------
    residuals
        (n_agents, n_anchors) consensus - calibrated score; NaN = not scored. Best from `predict_left_out`, so that no
        anchor has drawn the curve to itself.
    level
        Probability that a sound bank has any anchor flagged "unlike", and likewise any "leaked", if residuals are
        normal; Holm's correction.
    """
    table = as_floats(residuals, 2)
    seen = ~np.isnan(table)
    counts = seen.sum(axis=0)
    totals = np.where(seen, table, 0.0).sum(axis=0)
    common = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    unlike_scores = _standardised(common)
    unlike = _outlying(unlike_scores, level)

    alone = seen & (counts > 1)
    others = np.where(alone, (totals - np.where(seen, table, 0.0)) / np.maximum(counts - 1, 1), np.nan)
    leak_scores = np.array([_standardised(row) for row in table - others]).reshape(table.shape)
    spread = np.array([_spread(row) for row in table])[:, None] * np.ones(table.shape)
    # Among all agents and anchors somebody is often close by luck; it tells only where the others are far off.
    with np.errstate(invalid="ignore"):
        right = (np.abs(table) < _CLOSE * spread) & (np.abs(others) > _FAR_OFF * spread)
    leaked = _outlying(leak_scores, level) & right
    sentences = [
        f"Anchor {a + 1}: all agents miss its consensus by {common[a]:+.0f} points on average, unlike any other; "
        "check the consensus or replace the anchor."
        for a in np.flatnonzero(unlike)
    ]
    sentences += [
        f"Anchor {a + 1}: agent {g + 1} is within {abs(table[g, a]):.0f} points of the consensus while the others miss "
        f"it by {others[g, a]:+.0f}; the agent may know this anchor, replace it."
        for g, a in zip(*np.nonzero(leaked), strict=True)
    ]
    return AnchorReview(common, unlike_scores, unlike, leak_scores, leaked, tuple(sentences))


def _spread(row: Array) -> float:
    known = row[~np.isnan(row)]
    if len(known) < _FEWEST:
        return float("nan")
    return _NORMAL * float(np.median(np.abs(known - np.median(known))))


def _standardised(row: Array) -> Array:
    spread = _spread(row)
    if not spread > 0:
        return np.full(row.shape, np.nan)
    return (row - np.nanmedian(row)) / spread


def _outlying(scores: Array, level: float) -> Mask:
    with np.errstate(invalid="ignore"):
        return holm(2 * ndtr(-np.abs(scores)).ravel()).reshape(scores.shape) < level
