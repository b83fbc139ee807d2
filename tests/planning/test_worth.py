"""What more judges would buy, against the document's figures, a known distribution and plain limits."""

import numpy as np
import pytest

from panelcal.errors import ImpossiblePlan
from panelcal.planning.worth import (
    error_left,
    expected_rankings,
    objects_per_assessor,
)

# Mean rank correlation of additive calibration over 40 simulations of 54 talks, 18 judges, 2 features, 5 points; one
# mean of 20 has a standard error of about 0.03 at 2 judges a talk and less than 0.02 from 4 on.
PUBLISHED = {2: 0.582, 4: 0.746, 8: 0.858}
LUCK = {2: 0.09, 4: 0.07, 8: 0.05}


@pytest.fixture(scope="module")
def rankings():
    return expected_rankings(54, 18, per_object=(1, 2, 4, 8), n_features=2, simulations=20)


def test_the_rank_correlations_are_those_measured_with_the_document_s_generator(rankings):
    for ranking in rankings[1:]:
        expected = PUBLISHED[ranking.per_object]
        assert ranking.correlation == pytest.approx(expected, abs=LUCK[ranking.per_object])


def test_more_judges_rank_better_and_each_adds_less_than_the_one_before(rankings):
    correlations = [ranking.correlation for ranking in rankings]
    assert correlations == sorted(correlations)
    one, two, four, eight = correlations
    assert two - one > (four - two) / 2 > (eight - four) / 4
    assert all(
        low <= mean <= high for mean, (low, high) in zip(correlations, (r.interval for r in rankings), strict=True)
    )
    assert rankings[0].best_among_three < rankings[3].best_among_three


def test_the_document_s_arithmetic_of_loads():
    """50 talks, 10 judges, 4 judges a talk: 20 talks each; K = 8 of 54 and 18: 24, K = 4: 12."""
    assert objects_per_assessor(50, 10, 4) == 20
    assert [objects_per_assessor(54, 18, k) for k in (4, 8)] == [12, 24]
    assert objects_per_assessor(10, 4, 3) == 8


def test_the_expected_error_is_the_scatter_about_the_regression_and_falls_with_more_judges(rankings):
    errors = [ranking.expected_error for ranking in rankings]
    assert errors == sorted(errors, reverse=True) and 0.4 < errors[-1] < errors[0] < 1
    drawn = np.random.default_rng(5)
    true = drawn.normal(0, 3, 60)
    estimate = 2 * true + drawn.normal(0, 4, 60)
    slope, start = np.polyfit(estimate, true, 1)
    assert error_left(estimate, true) == pytest.approx(np.std(true - slope * estimate - start) / np.std(true))


def test_no_more_judges_a_talk_than_there_are(rankings):
    few = expected_rankings(6, 2, simulations=2)
    assert [ranking.per_object for ranking in few] == [1, 2]
    assert [ranking.per_assessor for ranking in few] == [3, 6]


def test_the_same_seed_gives_the_same_figures():
    one, again, other = (expected_rankings(8, 4, per_object=[3], simulations=3, seed=seed) for seed in (1, 1, 2))
    assert one == again != other


def test_nothing_to_rank_is_said():
    with pytest.raises(ImpossiblePlan, match="at least 3 objects"):
        expected_rankings(2, 5)
