"""Summaries of draws against counting one draw at a time."""

import numpy as np
import pytest

from ordinal.ordinal_cases import made_up_ratings
from panelcal import MethodNotApplicable, OrdinalPriors
from panelcal.ordinal.fitting import preview_ordinal
from panelcal.ordinal.posterior import Diagnosis, Draws, interval, rank_objects, summarise

LEVEL = 0.89


def _totals(n=7, draws=401, seed=0):
    random = np.random.default_rng(seed)
    return random.standard_normal((draws, n)) + 0.6 * np.arange(n)[::-1]


def _ranks(row):
    """Rank 1 for the highest, by comparing every pair."""
    return [1 + sum(other > own for other in row) for own in row]


def test_probabilities_and_ranks_are_those_of_counting():
    totals = _totals()
    found = rank_objects(totals, LEVEL)
    ranks = np.array([_ranks(row) for row in totals])
    assert found.best_probability == pytest.approx((ranks == 1).mean(axis=0))
    assert found.rank_mean == pytest.approx(ranks.mean(axis=0))
    for i in range(7):
        for j in range(7):
            expected = 0.5 if i == j else sum(row[i] > row[j] for row in totals) / len(totals)
            assert found.beats[i, j] == pytest.approx(expected)
    for i in range(7):
        low, high = found.rank_interval[i]
        tail = (1 - LEVEL) / 2
        assert (ranks[:, i] <= low).mean() >= tail > (ranks[:, i] < low).mean()
        assert (ranks[:, i] <= high).mean() >= 1 - tail > (ranks[:, i] < high).mean()


def test_the_winner_set_is_the_smallest_that_holds_the_best():
    """Over all subsets of seven objects."""
    totals = _totals()
    found = rank_objects(totals, LEVEL)
    best = np.array([int(np.argmax(row)) for row in totals])
    holds = [
        bin(members).count("1")
        for members in range(1, 2**7)
        if np.mean([(members >> int(i)) & 1 for i in best]) >= LEVEL
    ]
    assert len(found.winner_set) == min(holds)
    assert np.isin(best, found.winner_set).mean() >= LEVEL


def test_who_is_not_reliably_below_the_leader():
    totals = _totals()
    found = rank_objects(totals, LEVEL)
    leader = int(np.argmin([np.mean([_ranks(row)[i] for row in totals]) for i in range(7)]))
    near = {i for i in range(7) if i == leader or np.mean([row[leader] > row[i] for row in totals]) < LEVEL}
    assert found.not_reliably_below_leader[0] == leader
    assert set(found.not_reliably_below_leader) == near


def test_clean_cuts_separate_every_pair():
    """Three objects far above two others, and otherwise chance."""
    random = np.random.default_rng(1)
    totals = random.standard_normal((300, 5)) + np.array([0.0, 20.0, 0.0, 20.0, 20.0])
    assert rank_objects(totals, LEVEL).clean_cuts == (3,)
    assert rank_objects(random.standard_normal((300, 5)), LEVEL).clean_cuts == ()


def test_a_single_object_is_first():
    found = rank_objects(np.zeros((10, 1)), LEVEL)
    assert found.best_probability.tolist() == [1.0]
    assert found.winner_set == (0,)
    assert found.rank_interval.tolist() == [[1, 1]]
    assert found.clean_cuts == ()


def _posterior(weights=(1.0, 1.0)):
    ratings = made_up_ratings(0, 5, 3, 2, n_features=2, n_cutpoints=3)
    random = np.random.default_rng(2)
    draws = Draws(
        scores=random.standard_normal((200, 5, 2)),
        cutpoints=random.standard_normal((50, 3, 2, 3)),
        tau=random.random((200, 2)),
        spread=random.random((200, 2, 3)),
        correlation=np.tile(np.eye(2), (200, 1, 1)),
    )
    return draws, summarise(
        ratings,
        draws,
        Diagnosis(True, 1.0, 1.0, 200.0, 0.1, False, ()),
        feature_weights=np.array(weights),
        correlated_cutpoints=True,
        priors=OrdinalPriors(),
        seed=0,
        level=LEVEL,
        components=ratings.components(),
    )


def test_totals_are_the_weighted_sum_of_features():
    draws, posterior = _posterior((2.0, -1.0))
    expected = np.array([[2 * score[0] - score[1] for score in draw] for draw in draws.scores])
    assert posterior.totals == pytest.approx(expected)
    assert posterior.total_mean == pytest.approx(expected.mean(axis=0))
    assert posterior.total_interval[:, 0] == pytest.approx(np.quantile(expected, 0.055, axis=0))
    assert posterior.total_interval[:, 1] == pytest.approx(np.quantile(expected, 0.945, axis=0))


def test_top_probability_counts_places():
    _, posterior = _posterior()
    for k in (1, 2, 5):
        expected = (np.array([_ranks(row) for row in posterior.totals]) <= k).mean(axis=0)
        assert posterior.top_probability(k) == pytest.approx(expected)
    assert posterior.top_probability(1) == pytest.approx(posterior.best_probability)
    for k in (0, 6):
        with pytest.raises(MethodNotApplicable, match="between 1 and 5"):
            posterior.top_probability(k)


def test_shapes_and_the_ends_of_intervals():
    draws, posterior = _posterior()
    assert posterior.cutpoints.shape == (3, 2, 3)
    assert posterior.cutpoint_interval.shape == (3, 2, 3, 2)
    assert posterior.cutpoint_spread_interval.shape == (2, 3, 2)
    assert posterior.tau_interval == pytest.approx(interval(draws.tau, LEVEL))
    assert (posterior.feature_interval[..., 0] < posterior.feature_mean).all()


def test_severity_is_the_mean_level_less_that_of_a_judge_draw_by_draw():
    """The expected level from the chance of each level, features weighted."""
    draws, posterior = _posterior((2.0, 1.0))
    drawn = np.empty((len(draws.cutpoints), 3))
    for d, judges in enumerate(draws.cutpoints):
        levels = []
        for judge in judges:
            expected = 0.0
            for weight, cuts in zip((2 / 3, 1 / 3), judge, strict=True):
                below = [0.0, *(1 / (1 + np.exp(-cut)) for cut in cuts), 1.0]
                expected += weight * sum(level * (below[level + 1] - below[level]) for level in range(4))
            levels.append(expected)
        drawn[d] = np.mean(levels) - levels
    assert posterior.severity == pytest.approx(drawn.mean(axis=0))
    assert posterior.severity_interval == pytest.approx(np.quantile(drawn, [0.055, 0.945], axis=0).T)


def test_judges_who_share_their_cut_points_are_equally_severe():
    ratings = made_up_ratings(0, 5, 3, 2, n_features=1, n_cutpoints=2)
    fit = preview_ordinal(ratings, shared_cutpoints=True)
    assert fit.severity.tolist() == [0.0] * 3 and fit.severity_interval.tolist() == [[0.0, 0.0]] * 3


def test_curves_rise_from_the_highest_scores_to_the_lowest():
    """At a score equal to a cut-point, half of the ratings lie below it."""
    _, posterior = _posterior()
    assert posterior.cumulative_probabilities(np.array([-50.0, 50.0]))[..., 0] == pytest.approx(1.0)
    assert posterior.cumulative_probabilities(np.array([-50.0, 50.0]))[..., 1] == pytest.approx(0.0)
    at_cut = posterior.cumulative_probabilities(posterior.cutpoints[1, 0, [2]])
    assert at_cut[1, 0, 2, 0] == pytest.approx(0.5)
