"""The density of rated criteria: its gradient, its prior, and the posterior against weighing draws from the prior."""

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.criteria_panels import made_up_panel
from panelcal import Ratings, fit_ordinal_facets
from panelcal.facets.rated_density import DIFFICULTY_SPREAD, RatedDensity, _contrasts

PRIOR_DRAWS = 400_000
ERRORS = 5  # standard errors allowed


@pytest.mark.parametrize(("levels", "missing", "leaning_spread"), [(5, 0.2, None), (2, 0.0, None), (4, 0.0, 2.0)])
def test_the_gradient_is_that_of_the_value(levels, missing, leaning_spread):
    panel = made_up_panel(1, objects=5, assessors=3, criteria=3, levels=levels, per_object=2, missing=missing)
    density = RatedDensity(panel.ratings, leaning_spread=leaning_spread)
    x = np.random.default_rng(0).normal(0, 0.7, (density.dimension, 1))
    gradient = density.gradient(x)[:, 0]
    step = 1e-5 * np.eye(density.dimension)
    up, down = density.value_and_gradient(x + step)[0], density.value_and_gradient(x - step)[0]
    assert np.allclose((up - down) / 2e-5, gradient, atol=1e-6)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_contrasts_give_numbers_of_variance_one_that_add_up_to_zero(count):
    basis = _contrasts(count)
    assert np.allclose(basis.sum(axis=0), 0)
    assert np.allclose(np.diag(basis @ basis.T), 1)
    assert np.allclose((basis @ basis.T)[0, 1:], -1 / (count - 1))


def _weighed_prior(ratings):
    """Draw everything from the prior and weigh it by the likelihood, written out rating by rating; L = 2."""
    random = np.random.default_rng(0)
    n, M, K, P = ratings.n_objects, ratings.n_assessors, ratings.n_features, len(ratings.ratings)
    D = PRIOR_DRAWS
    tau, kappa, eta = random.exponential(size=(3, D, 1))
    omega = random.exponential(size=(D, 1, K))
    values = (tau * random.standard_normal((D, n)))[..., None] + omega * random.standard_normal((D, n, K))
    halo = eta * random.standard_normal((D, P))

    def around_zero(*shape):
        normal = random.standard_normal((*shape, K))
        return np.sqrt(K / (K - 1)) * (normal - normal.mean(axis=-1, keepdims=True))

    difficulties, leanings = DIFFICULTY_SPREAD * around_zero(D), kappa[..., None] * around_zero(D, M)
    rho = 2 * random.beta(2, 2, (D, 1)) - 1
    spread = random.exponential(size=(D, 2))
    first, second = random.standard_normal((2, D, M))
    start = (-1 + random.standard_normal(D))[:, None] + spread[:, :1] * first
    step = (0.5 * random.standard_normal(D))[:, None] + spread[:, 1:] * (rho * first + np.sqrt(1 - rho**2) * second)
    cuts = np.stack([start, start + np.exp(step)], axis=2)
    weight = np.ones(D)
    for p, k in np.argwhere(ratings.ratings >= 0):
        i, j, level = ratings.object_index[p], ratings.assessor_index[p], ratings.ratings[p, k]
        shifted = cuts[:, j] + (difficulties[:, k] + leanings[:, j, k])[:, None]
        below = expit(shifted - (values[:, i, k] + halo[:, p])[:, None])
        edges = np.concatenate([np.zeros((D, 1)), below, np.ones((D, 1))], axis=1)
        weight *= edges[:, level + 1] - edges[:, level]
    return values, difficulties, leanings, cuts, weight / weight.sum()


@pytest.mark.slow
def test_it_samples_the_posterior_that_weighing_prior_draws_gives():
    rated = [[1, 2], [3, 3], [1, None], [2, 2], [3, 1], [2, 3]]
    ratings = Ratings.from_records("AABBCC", "xyxyxy", rated, levels=[1, 2, 3])
    values, difficulties, leanings, cuts, weight = _weighed_prior(ratings)
    fit = fit_ordinal_facets(ratings)
    posterior = fit.posterior
    assert posterior.converged

    def close(found, draws):
        mean = np.tensordot(weight, draws, axes=1)
        variance = np.tensordot(weight, (draws - mean) ** 2, axes=1)
        effective = min(1 / (weight**2).sum(), posterior.effective_sample_size) / 2
        assert (np.abs(found - mean) < ERRORS * np.sqrt(variance / effective)).all()

    totals = values.sum(axis=2)
    close(posterior.total_mean, totals)
    close(posterior.feature_mean, values)
    close(fit.difficulties, difficulties)
    shifted = cuts[:, :, None] + (difficulties[:, None] + leanings)[..., None]
    close(posterior.cutpoints, shifted)
    close(posterior.best_probability, totals == totals.max(axis=1, keepdims=True))
