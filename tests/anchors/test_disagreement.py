"""Disagreement, spread, error and correlation against sums written out and scipy; intervals against brute force."""

import itertools

import numpy as np
import pytest
from scipy.stats import pearsonr

from panelcal import MethodNotApplicable, disagreement
from panelcal.anchors.disagreement import agreement, agreement_change

SAME = 1e-10
GAP = float("nan")


def table_with_gaps(seed=0):
    random = np.random.default_rng(seed)
    known = random.uniform(0, 100, 60)
    scores = known + random.normal(0, 10, (4, 60)) + 5 * np.arange(4)[:, None]
    scores[random.random((4, 60)) < 0.2] = GAP
    known[:3] = GAP
    return scores, known


def written_out(scores):
    means = []
    for i, j in itertools.combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[i]) & ~np.isnan(scores[j])
        means.append(np.abs(scores[i, both] - scores[j, both]).mean())
    return float(np.mean(means))


def test_d_is_the_mean_absolute_difference_over_pairs():
    assert disagreement([[0, 10], [4, 10], [0, 40]]) == pytest.approx((2 + 15 + 17) / 3)


def test_d_with_gaps_takes_each_pair_on_its_common_items():
    scores, _ = table_with_gaps()
    assert disagreement(scores) == pytest.approx(written_out(scores), abs=SAME)


def test_pairs_without_a_common_item_are_left_out():
    scores = [[1, 2, GAP, GAP], [2, 4, 7, GAP], [GAP, GAP, 10, 5]]
    assert disagreement(scores) == pytest.approx((1.5 + 3) / 2)
    found = agreement(scores, draws=5)
    assert np.isnan(found.pairs[0, 2])
    assert found.pairs[1, 2] == pytest.approx(3)


def test_the_other_figures_are_those_of_numpy_and_scipy():
    scores, known = table_with_gaps()
    found = agreement(scores, known, draws=5)
    assert found.disagreement.value == pytest.approx(written_out(scores), abs=SAME)
    assert found.spread.value == pytest.approx(np.nanstd(scores, axis=1).mean(), abs=SAME)
    assert found.relative.value == pytest.approx(found.disagreement.value / found.spread.value)
    errors, correlations = [], []
    for row in scores:
        both = ~np.isnan(row) & ~np.isnan(known)
        errors.append(np.sqrt(np.mean((row[both] - known[both]) ** 2)))
        correlations.append(pearsonr(row[both], known[both]).statistic)
    mean = np.nanmean(scores, axis=0)
    both = ~np.isnan(mean) & ~np.isnan(known)
    assert found.error.value == pytest.approx(np.mean(errors), abs=SAME)
    assert found.mean_error.value == pytest.approx(np.sqrt(np.mean((mean[both] - known[both]) ** 2)), abs=SAME)
    assert found.correlation.value == pytest.approx(np.mean(correlations), abs=SAME)
    assert found.best_agent == np.argmax(correlations)
    assert found.best_correlation.value == pytest.approx(max(correlations), abs=SAME)
    assert found.mean_correlation.value == pytest.approx(pearsonr(mean[both], known[both]).statistic, abs=SAME)


def test_intervals_are_those_of_items_drawn_again_one_draw_at_a_time():
    scores, known = table_with_gaps(1)
    found = agreement(scores, known, draws=400, seed=7)
    random = np.random.default_rng(99)
    drawn = [written_out(scores[:, random.integers(0, 60, 60)]) for _ in range(2000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    width = high - low
    assert found.disagreement.low == pytest.approx(low, abs=0.1 * width)
    assert found.disagreement.high == pytest.approx(high, abs=0.1 * width)


def test_shrinking_lowers_d_but_not_d_over_spread():
    scores, _ = table_with_gaps()
    change = agreement_change(scores, 50 + 0.2 * (scores - 50), draws=50)
    assert change.reduction.value == pytest.approx(0.8)
    assert change.relative_reduction.value == pytest.approx(0, abs=1e-9)
    assert change.relative_reduction.high == pytest.approx(0, abs=1e-9)


def test_an_offset_of_a_thousand_million_costs_no_digits_of_the_correlation():
    scores, known = table_with_gaps()
    near, far = agreement(scores, known, draws=2), agreement(scores + 1e9, known + 1e9, draws=2)
    assert far.correlation.value == pytest.approx(near.correlation.value, abs=1e-6)


def test_constant_agents_have_no_correlation_and_no_warning():
    found = agreement([[5, 5, 5], [5, 5, 5]], [1, 2, 3], draws=10)
    assert found.disagreement.value == 0
    assert np.isnan(found.correlation.value)
    assert found.best_agent is None


@pytest.mark.parametrize(
    ("words", "scores", "known"),
    [
        ("at least two agents", [[1, 2]], None),
        ("No two agents", [[1, GAP], [GAP, 1]], None),
        ("2 items but 3", [[1, 2], [3, 4]], [1, 2, 3]),
        ("infinite", [[1, float("inf")], [3, 4]], None),
    ],
)
def test_what_cannot_be_compared_is_refused(words, scores, known):
    with pytest.raises(MethodNotApplicable, match=words):
        agreement(scores, known)


def test_before_and_after_must_be_of_the_same_items():
    with pytest.raises(MethodNotApplicable, match="same agents and items"):
        agreement_change([[1, 2], [3, 4]], [[1, 2, 3], [3, 4, 5]])
