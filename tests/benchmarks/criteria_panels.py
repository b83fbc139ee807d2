"""Made-up ratings in several criteria with the truth behind them, for the benchmarks and tests of that model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from panelcal import Ratings


@dataclass(frozen=True, slots=True, eq=False)
class CriteriaPanel:
    """Ratings and their truth, logit scale, in the order of the labels of `ratings`.

    `values` (n, K), `difficulties` (K,), `leanings` (M, K), `cuts` (M, L).
    """

    ratings: Ratings
    values: np.ndarray
    difficulties: np.ndarray
    leanings: np.ndarray
    cuts: np.ndarray


def made_up_panel(
    seed: int,
    *,
    objects: int = 30,
    assessors: int = 6,
    criteria: int = 4,
    levels: int = 5,
    per_object: int = 3,
    value_spread: float = 1.5,
    own_spread: float = 0.5,
    halo: float = 0.7,
    lean_spread: float = 0.4,
    leaning: float = 0.0,
    missing: float = 0.0,
) -> CriteriaPanel:
    """Draw a panel; the assessor 0 leans by `leaning` on the last criterion (+ = severe)."""
    random = np.random.default_rng(seed)
    whole = value_spread * random.standard_normal(objects)
    values = whole[:, None] + own_spread * random.standard_normal((objects, criteria))
    difficulties = 0.6 * random.standard_normal(criteria)
    difficulties -= difficulties.mean()
    middle = np.linspace(-2.0, 2.0, levels - 1)
    gaps = np.diff(middle, prepend=0.0) * np.exp(0.2 * random.standard_normal((assessors, levels - 1)))
    cuts = np.cumsum(gaps, axis=1) + 0.8 * random.standard_normal((assessors, 1))
    leanings = lean_spread * random.standard_normal((assessors, criteria))
    leanings -= leanings.mean(axis=1, keepdims=True)
    leanings[0, -1] += leaning
    object_of = np.repeat(np.arange(objects), per_object)
    assessor_of = np.concatenate([random.permutation(assessors)[:per_object] for _ in range(objects)])
    slips = halo * random.standard_normal(len(object_of))
    distance = (
        cuts[assessor_of][:, None]
        + (difficulties + leanings[assessor_of])[..., None]
        - (values[object_of] + slips[:, None])[..., None]
    )
    rated = 1.0 + (random.random((len(object_of), criteria, 1)) > 1 / (1 + np.exp(-distance))).sum(axis=2)
    rated[random.random(rated.shape) < missing] = np.nan
    ratings = Ratings.from_records(object_of.tolist(), assessor_of.tolist(), rated, levels=range(1, levels + 1))
    here, who = [[int(label) for label in labels] for labels in (ratings.objects, ratings.assessors)]
    return CriteriaPanel(ratings, values[here], difficulties, leanings[who], cuts[who])
