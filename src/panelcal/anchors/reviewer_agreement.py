"""How far reviewers agree beyond chance: Fleiss' kappa on classes, Krippendorff's alpha on scores, and their ceilings.

A ceiling is what reviewers could reach at most who keep every score they gave, or every class, and deal them out to the
anchors anew: what is missing from there to 1 comes from using the scale differently, not from seeing anchors
differently. J. L. Fleiss, Psychological Bulletin 76 (1971); K. Krippendorff, Content Analysis (1980); J. Cohen,
Educational and Psychological Measurement 20 (1960) for the highest kappa of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass

_PAIR = 2


@dataclass(frozen=True, slots=True, eq=False)
class ReviewerAgreement:
    """Agreement of the reviewers of a bank of anchors.

    Attributes
    ----------
    n_anchors
        How many anchors have two reviews or more.
    kappa, kappa_ceiling
        Fleiss' kappa of the classes, and what it could be at most.
    alpha, alpha_ceiling
        Krippendorff's alpha of the scores (interval), and what it could be at most.
    reliability
        Of the mean of as many reviews as anchors have on average (Spearman and Brown), 0 to 1.
    agent_ceiling
        Correlation with such a consensus that an agent without any error would have.
    apart
        Mean difference in points between two reviews of the same anchor.
    offsets
        (n_reviewers,) mean in points by which each lies above the others on the same anchors; NaN where there is none.
    """

    n_anchors: int
    kappa: float
    kappa_ceiling: float
    alpha: float
    alpha_ceiling: float
    reliability: float
    agent_ceiling: float
    apart: float
    offsets: Array


def reviewer_agreement(reviews: Array, boundaries: Sequence[float]) -> ReviewerAgreement:
    """Measure how far reviewers agree.

    Parameters
    ----------
    reviews
        (n_anchors, n_reviewers) in points; NaN = not reviewed. A column is one reviewer.
    boundaries
        Where the classes above the lowest one begin, in points.
    """
    seen = np.isfinite(reviews)
    classes = np.where(seen, np.searchsorted(np.sort(boundaries), reviews, side="right").astype(float), np.nan)
    paired = seen.sum(axis=1) >= _PAIR
    alpha = krippendorff_alpha(reviews)
    each = float(seen[paired].sum(axis=1).mean()) if paired.any() else np.nan
    reliability = each * alpha / (1.0 + (each - 1.0) * alpha) if alpha > 0 else 0.0 * alpha
    return ReviewerAgreement(
        n_anchors=int(paired.sum()),
        kappa=fleiss_kappa(classes),
        kappa_ceiling=kappa_ceiling(classes),
        alpha=alpha,
        alpha_ceiling=alpha_ceiling(reviews),
        reliability=reliability,
        agent_ceiling=float(np.sqrt(reliability)),
        apart=_apart(reviews),
        offsets=_offsets(reviews),
    )


def fleiss_kappa(classes: Array) -> float:
    """Return Fleiss' kappa; anchors may have different numbers of reviews, those with fewer than two do not count.

    Parameters
    ----------
    classes
        (n_anchors, n_reviewers) numbers of classes; NaN = not reviewed.

    Returns
    -------
    float
        1 = all agree, 0 = as chance would; NaN where all reviews are of one class or no anchor has two.
    """
    counts = _counts(classes)
    totals = counts.sum(axis=1)
    agreed = (counts * (counts - 1)).sum(axis=1) / (totals * (totals - 1))
    by_chance = _by_chance(counts)
    return _beyond_chance(float(agreed.mean()) if len(agreed) else np.nan, by_chance)


def kappa_ceiling(classes: Array) -> float:
    """Return a bound on Fleiss' kappa for reviewers who keep how often they gave each class.

    Two reviewers can agree at most on the smaller of their two counts of each class; the bound is the mean over all
    pairs, and exact for two. Only anchors that all reviewed count; NaN where there are none.
    """
    complete = classes[np.isfinite(classes).all(axis=1)]
    if not len(complete):
        return np.nan
    kinds = np.unique(complete)
    shares = [(complete[:, k, None] == kinds).mean(axis=0) for k in range(complete.shape[1])]
    most = float(np.mean([np.minimum(one, other).sum() for one, other in combinations(shares, 2)] or [np.nan]))
    return _beyond_chance(most, _by_chance(_counts(complete)))


def krippendorff_alpha(values: Array, level: Literal["nominal", "interval"] = "interval") -> float:
    """Return Krippendorff's alpha.

    Parameters
    ----------
    values
        (n_units, n_observers); NaN = not observed. Units observed once do not count.
    level
        Whether two values differ or not, or differ by the square of their difference.

    Returns
    -------
    float
        1 = no disagreement, 0 = as chance would; NaN where no two values can be compared or all are equal.
    """
    paired = values[np.isfinite(values).sum(axis=1) >= _PAIR]
    pooled = paired[np.isfinite(paired)]
    total = len(pooled)
    if not total:
        return np.nan
    within = sum(_disagreements(row[np.isfinite(row)], level) / (np.isfinite(row).sum() - 1) for row in paired)
    by_chance = _disagreements(pooled, level) / (total - 1)
    return float(1.0 - within / by_chance) if by_chance > 0 else np.nan


def alpha_ceiling(values: Array) -> float:
    """Return the highest alpha (interval) for reviewers who keep their scores and deal them out to the anchors anew.

    All put the anchors in the same order then, which makes every pair's squared differences as small as they can be.
    Only anchors that all reviewed count; NaN where there are none.
    """
    complete = values[np.isfinite(values).all(axis=1)]
    return krippendorff_alpha(np.sort(complete, axis=0)) if len(complete) else np.nan


def _counts(classes: Array) -> Array:
    """How many reviews (n_anchors with two or more, n_classes) put an anchor into each class."""
    kinds = np.unique(classes[np.isfinite(classes)])
    counts = (classes[:, :, None] == kinds).sum(axis=1).astype(float)
    return counts[counts.sum(axis=1) >= _PAIR]


def _by_chance(counts: Array) -> float:
    shares = counts.sum(axis=0) / max(counts.sum(), 1.0)
    return float(shares @ shares)


def _beyond_chance(agreed: float, by_chance: float) -> float:
    return (agreed - by_chance) / (1.0 - by_chance) if by_chance < 1.0 else np.nan


def _disagreements(values: Array, level: str) -> float:
    """Add up the differences over ordered pairs of values."""
    if level == "interval":
        return float(2 * len(values) * ((values - values.mean()) ** 2).sum())
    counts = np.unique(values, return_counts=True)[1]
    return float(len(values) ** 2 - (counts**2).sum())


def _apart(reviews: Array) -> float:
    pairs = [np.abs(reviews[:, i] - reviews[:, j]) for i, j in combinations(range(reviews.shape[1]), 2)]
    differences = np.concatenate(pairs) if pairs else np.empty(0)
    differences = differences[np.isfinite(differences)]
    return float(differences.mean()) if len(differences) else np.nan


def _offsets(reviews: Array) -> Array:
    """Mean (n_reviewers,) of a reviewer's score less the mean of the others on the same anchor."""
    seen = np.isfinite(reviews)
    filled = np.where(seen, reviews, 0.0)
    others = seen.sum(axis=1, keepdims=True) - 1
    both = seen & (others > 0)
    less = np.where(both, reviews - (filled.sum(axis=1, keepdims=True) - filled) / np.maximum(others, 1), 0.0)
    counts = both.sum(axis=0)
    return np.where(counts > 0, less.sum(axis=0) / np.maximum(counts, 1), np.nan)
