"""Agreement of reviewers: published figures, programs of others, every way to deal scores out, and the rules."""

from itertools import combinations, permutations

import numpy as np
import pytest

from panelcal.anchors.review_consensus import ReviewRules, consensus_of_reviews
from panelcal.anchors.reviewer_agreement import (
    alpha_ceiling,
    fleiss_kappa,
    kappa_ceiling,
    krippendorff_alpha,
    reviewer_agreement,
)

NO = np.nan
# The worked example of the usual presentation of Fleiss (1971): 10 subjects, 14 raters, 5 categories, kappa 0.210.
TEN_SUBJECTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# K. Krippendorff's example "C" (1980; 2011): four observers, twelve units; alpha 0.743 nominal, 0.849 interval.
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3],
        [NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO],
    ]
).T


def test_fleiss_kappa_of_the_published_example():
    classes = np.array([np.repeat(np.arange(5.0), row) for row in TEN_SUBJECTS])
    assert fleiss_kappa(classes) == pytest.approx(0.210, abs=5e-4)


def test_krippendorff_s_alpha_of_the_published_example():
    assert krippendorff_alpha(FOUR_OBSERVERS, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(FOUR_OBSERVERS) == pytest.approx(0.849, abs=5e-4)


def test_fleiss_kappa_as_statsmodels_has_it():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    classes = np.random.default_rng(1).integers(0, 4, (30, 3)).astype(float)
    table, _ = rater.aggregate_raters(classes)
    assert fleiss_kappa(classes) == pytest.approx(rater.fleiss_kappa(table), abs=1e-12)


def test_alpha_with_its_pairs_written_out():
    values = np.random.default_rng(2).normal(50, 20, (12, 3))
    values[[0, 1, 5, 5], [0, 2, 0, 1]] = NO
    units = [row[np.isfinite(row)] for row in values if np.isfinite(row).sum() > 1]
    within = np.concatenate([[(x - y) ** 2 / (len(row) - 1) for x, y in permutations(row, 2)] for row in units])
    pooled = np.concatenate(units)
    between = np.mean([(x - y) ** 2 for x, y in permutations(pooled, 2)])
    assert krippendorff_alpha(values) == pytest.approx(1 - within.sum() / len(pooled) / between, abs=1e-12)


@pytest.mark.slow
def test_no_way_to_deal_the_scores_out_reaches_beyond_the_ceilings():
    drawn = np.random.default_rng(3)
    for _ in range(3):
        scores = drawn.integers(0, 100, (4, 3)).astype(float)
        classes = np.floor(scores / 34)
        ways = [
            np.column_stack([scores[:, 0], scores[list(one), 1], scores[list(other), 2]])
            for one in permutations(range(4))
            for other in list(permutations(range(4)))[::3]
        ]
        assert max(map(krippendorff_alpha, ways)) <= alpha_ceiling(scores) + 1e-12
        assert max(fleiss_kappa(np.floor(way / 34)) for way in ways[::5]) <= kappa_ceiling(classes) + 1e-12
        two = [np.column_stack([scores[:, 0], scores[list(one), 1]]) for one in permutations(range(4))]
        assert max(map(krippendorff_alpha, two)) == pytest.approx(alpha_ceiling(scores[:, :2]))
        best = max(fleiss_kappa(np.floor(way / 34)) for way in two)
        assert best == pytest.approx(kappa_ceiling(classes[:, :2]), nan_ok=True)


@pytest.mark.slow
def test_the_ceiling_of_agents_is_what_an_agent_without_error_reaches():
    drawn = np.random.default_rng(4)
    truth = drawn.normal(50, 20, 4_000)
    reviews = truth[:, None] + drawn.normal(0, 15, (len(truth), 3))
    found = reviewer_agreement(reviews, [25.0, 50.0, 75.0])
    assert found.agent_ceiling == pytest.approx(np.corrcoef(truth, reviews.mean(axis=1))[0, 1], abs=0.01)
    assert found.reliability == pytest.approx(20**2 / (20**2 + 15**2 / 3), abs=0.02)
    pairs = [np.abs(reviews[:, i] - reviews[:, j]).mean() for i, j in combinations(range(3), 2)]
    assert found.apart == pytest.approx(np.mean(pairs))


def test_the_rules_for_disagreement():
    reviews = np.array([[40, 50, 45], [10, 40, 20], [10, 40, 20], [70, NO, NO], [NO, NO, NO], [60, 79, NO]])
    adjudicated = np.array([NO, NO, 33, NO, 12, NO])
    found = consensus_of_reviews(reviews, adjudicated, ReviewRules(20.0))
    np.testing.assert_array_equal(found.values, [45, NO, 33, NO, 12, 69.5])
    assert found.open.tolist() == [False, True, False, True, False, False]
    assert found.adjudicated.tolist() == [False, False, True, False, True, False]
    np.testing.assert_array_equal(found.apart, [10, 30, 30, NO, NO, 19])
    kept = consensus_of_reviews(reviews, adjudicated, ReviewRules(20.0, "median", "keep"))
    np.testing.assert_array_equal(kept.values, [45, 20, 33, 70, 12, 69.5])


def test_who_lies_above_the_others():
    reviews = np.array([[50.0, 40, 30], [60, 50, 40], [80, NO, 60]])
    found = reviewer_agreement(reviews, [50.0])
    np.testing.assert_allclose(found.offsets, [(15 + 15 + 20) / 3, 0.0, (-15 - 15 - 20) / 3])
