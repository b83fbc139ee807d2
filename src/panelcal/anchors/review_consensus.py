"""The consensus of an anchor from several reviews: their average, or an adjudicator's word where they are apart."""

from __future__ import annotations

from typing import Literal

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass

Average = Literal["mean", "median"]
Unresolved = Literal["stop", "leave out", "keep"]
_LEAST = 2


@dataclass(frozen=True, slots=True)
class ReviewRules:
    """What makes the consensus.

    Attributes
    ----------
    adjudicate_from
        Reviews whose highest and lowest are at least so many points apart need an adjudicator.
    average
        What the consensus of reviews is that need none.
    unresolved
        What becomes of an anchor that needs an adjudicator and has none: everything stops, it is left out, or the
        average counts all the same.
    """

    adjudicate_from: float
    average: Average = "mean"
    unresolved: Unresolved = "stop"


@dataclass(frozen=True, slots=True, eq=False)
class ReviewConsensus:
    """What the reviews of anchors come to.

    Attributes
    ----------
    values
        (n_anchors,) consensus in points; NaN where there is none.
    apart
        (n_anchors,) highest less lowest review in points; NaN with fewer than two.
    counts
        (n_anchors,) how many reviews there are.
    adjudicated
        (n_anchors,) whether the adjudicator's word counts.
    open
        (n_anchors,) whether an adjudicator is needed and missing.
    """

    values: Array
    apart: Array
    counts: Indices
    adjudicated: Mask
    open: Mask


def consensus_of_reviews(reviews: Array, adjudicated: Array, rules: ReviewRules) -> ReviewConsensus:
    """Find the consensus of each anchor.

    Where an adjudicator has spoken, that word counts, whatever the reviews say. A single review is no consensus: it
    needs an adjudicator as well.

    Parameters
    ----------
    reviews
        (n_anchors, n_reviewers) in points; NaN = not reviewed.
    adjudicated
        (n_anchors,) the adjudicator's values; NaN = none.
    rules
        What makes the consensus.
    """
    seen = np.isfinite(reviews)
    counts = seen.sum(axis=1)
    highest = np.where(seen, reviews, -np.inf).max(axis=1)
    lowest = np.where(seen, reviews, np.inf).min(axis=1)
    apart = np.where(counts >= _LEAST, highest - lowest, np.nan)
    decided = np.isfinite(adjudicated)
    needed = (counts < _LEAST) | (apart >= rules.adjudicate_from)
    is_open = needed & ~decided
    values = np.where(decided, adjudicated, _average(reviews, rules.average))
    if rules.unresolved != "keep":
        values = np.where(is_open, np.nan, values)
    return ReviewConsensus(values, apart, counts, decided, is_open)


def _average(reviews: Array, average: Average) -> Array:
    """Mean or median (n_anchors,) of the reviews there are; NaN where there are none."""
    found = np.full(len(reviews), np.nan)
    some = np.isfinite(reviews).any(axis=1)
    found[some] = (np.nanmean if average == "mean" else np.nanmedian)(reviews[some], axis=1)
    return found
