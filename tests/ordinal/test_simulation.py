"""Forward models against the distributions they are said to draw from."""

import numpy as np
import pytest
from scipy.stats import kstest, norm

from panelcal import MethodNotApplicable, OrdinalPriors, prior_predictive, simulate_ratings
from panelcal.ordinal.correlations import draw_correlation

SIMULATIONS = 300
RARE = 1e-4


def test_the_document_s_generator_has_its_spreads():
    """Scores N(0, 1.5^2); a mean cut-point is N(0, (2^2 + 1^2)) over panels when there is one cut-point."""
    made = [simulate_ratings(3, 2, 2, n_levels=2, seed=seed) for seed in range(SIMULATIONS)]
    assert kstest(np.concatenate([one.scores[:, 0] for one in made]), norm(0, 1.5).cdf).pvalue > RARE
    assert kstest(np.concatenate([one.cutpoints[:, 0, 0] for one in made]), norm(0, 5**0.5).cdf).pvalue > RARE
    several = simulate_ratings(40, 30, 3, n_features=2, seed=1)
    assert (np.diff(several.cutpoints, axis=2) > 0).all()
    assert several.totals == pytest.approx(several.scores.sum(axis=1))


def test_ratings_are_ordered_logistic_given_the_truth():
    """Over many ratings the levels at or below each cut-point are as many as their probabilities add up to."""
    made = simulate_ratings(400, 10, 5, n_features=2, seed=3)
    ratings = made.ratings
    below = 1 / (1 + np.exp(made.scores[ratings.object_index][:, :, None] - made.cutpoints[ratings.assessor_index]))
    found = (ratings.ratings[:, :, None] <= np.arange(4)).sum(axis=0)
    error = np.sqrt((below * (1 - below)).sum(axis=0))
    assert (np.abs(found - below.sum(axis=0)) < 4.5 * error).all()


def test_every_object_has_different_assessors_and_loads_are_nearly_alike():
    ratings = simulate_ratings(54, 18, 4, seed=2).ratings
    pairs = set(zip(ratings.object_index.tolist(), ratings.assessor_index.tolist(), strict=True))
    assert len(pairs) == 54 * 4
    loads = np.bincount(ratings.assessor_index)
    assert len(loads) == 18
    assert np.abs(loads - 12).max() <= 2


def test_the_prior_predictive_draws_what_the_priors_say():
    """With one feature and two levels: scores over tau, and a first cut-point of mean 3 with next to no spread."""
    priors = OrdinalPriors(first_cut_mean=3.0, first_cut_spread=0.5, assessor_spread=1e-9, object_spread=2.0)
    made = [prior_predictive(1, 1, 1, n_levels=2, priors=priors, seed=seed) for seed in range(SIMULATIONS)]
    assert kstest([one.cutpoints[0, 0, 0] for one in made], norm(3.0, 0.5).cdf).pvalue > RARE
    # tau z with tau exponential of mean m has mean square 2 m^2 and mean modulus m sqrt(2/pi).
    assert np.mean([abs(one.scores[0, 0]) for one in made]) == pytest.approx(2 * np.sqrt(2 / np.pi), rel=0.25)
    usual = prior_predictive(20, 6, 3, n_features=2, seed=4)
    assert usual.cutpoints.shape == (6, 2, 4)
    assert (np.diff(usual.cutpoints, axis=2) > 0).all()


@pytest.mark.parametrize("simulate", [simulate_ratings, prior_predictive])
def test_the_seed_decides(simulate):
    one, again, other = (simulate(12, 5, 3, n_features=2, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.ratings.ratings, again.ratings.ratings)
    assert np.array_equal(one.scores, again.scores)
    assert not np.array_equal(one.scores, other.scores)


@pytest.mark.parametrize(
    ("sizes", "options", "words"),
    [
        ((0, 3, 1), {}, "need an object"),
        ((5, 3, 4), {}, "cannot be found among 3"),
        ((5, 3, 2), {"n_levels": 12}, "2 to 11 levels"),
    ],
)
def test_what_cannot_be_simulated_is_said(sizes, options, words):
    for simulate in (simulate_ratings, prior_predictive):
        with pytest.raises(MethodNotApplicable, match=words):
            simulate(*sizes, **options)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_correlations_drawn_have_the_spread_of_an_lkj_distribution(size):
    """A single correlation under LKJ(eta) is 2 Beta(a, a) - 1 with a = eta - 1 + d/2, whose variance is 1/(2a + 1)."""
    random = np.random.default_rng(7)
    drawn = np.array([draw_correlation(size, 2.0, random) for _ in range(3000)])
    shape = 2 - 1 + size / 2
    off = drawn[:, *np.triu_indices(size, 1)]
    assert off.var(axis=0) == pytest.approx(1 / (2 * shape + 1), rel=0.12)
    assert np.linalg.eigvalsh(drawn).min() > 0
