"""The Gaussian approximation against a general optimiser and the plain model."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit

from ordinal.ordinal_cases import made_up_ratings
from panelcal.ordinal.laplace import LaplaceModel, Scales, fit_laplace

MODE_TOLERANCE = 0.01
COVARIANCE_TOLERANCE = 0.03
STEP = 1e-3


def _scales(P, Q):
    random = np.random.default_rng(5)

    def correlation(size):
        return 0.7 * np.eye(size) + 0.3

    return Scales(1 + random.random(Q), correlation(Q), 0.5 + random.random(P), correlation(P))


def _plain_log_density(ratings, model, scales, latent):
    """Scores, eta and centre given the scales, rating by rating."""
    n, M, Q, L, P = model.n, model.M, model.Q, model.L, model.P
    scores = latent[: Q * n].reshape(Q, n)
    eta = latent[Q * n : Q * n + P * M].reshape(P, M)
    covariance = scales.feature_correlation * np.outer(scales.tau, scales.tau)
    total = stats.multivariate_normal(np.zeros(Q), covariance).logpdf(scores.T).sum()
    mean, spread = np.tile([-1.0] + [0.0] * (L - 1), Q), np.tile([1.0] + [0.5] * (L - 1), Q)
    if model.shared:
        total += stats.norm.logpdf(eta[:, 0], mean, spread).sum()
    else:
        centre = latent[Q * n + P * M :]
        covariance = scales.cutpoint_correlation * np.outer(scales.spread, scales.spread)
        total += stats.multivariate_normal(np.zeros(P), covariance).logpdf((eta - centre[:, None]).T).sum()
        total += stats.norm.logpdf(centre, mean, spread).sum()
    for row, q in np.argwhere(ratings.ratings >= 0):
        own = eta[q * L : (q + 1) * L, 0 if model.shared else ratings.assessor_index[row]]
        cuts = own[0] + np.concatenate([[0.0], np.cumsum(np.exp(own[1:]))])
        below = np.concatenate([[0.0], expit(cuts - scores[q, ratings.object_index[row]]), [1.0]])
        total += np.log(np.diff(below)[ratings.ratings[row, q]])
    return total


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_mode_and_covariance_given_the_scales(shared):
    """The mode is where a general optimiser ends; draws there have the inverse Hessian as covariance."""
    ratings = made_up_ratings(1, 4, 2, 2, n_features=2, n_cutpoints=2, missing=0.1)
    model = LaplaceModel(ratings, shared_cutpoints=shared, correlated_cutpoints=True)
    scales = _scales(model.P, model.Q)
    mode = model.find_mode(scales, *model.first_point())
    found = np.concatenate([mode.scores, mode.rest])

    def negative(latent):
        return -_plain_log_density(ratings, model, scales, latent)

    best = minimize(negative, np.concatenate(model.first_point()), method="BFGS", options={"gtol": 1e-5})
    assert found == pytest.approx(best.x, abs=MODE_TOLERANCE)

    size = len(found)
    steps = STEP * np.eye(size)
    hessian = np.empty((size, size))
    for i, j in zip(*np.tril_indices(size), strict=True):
        a, b = steps[i], steps[j]
        around = negative(found + a + b) - negative(found + a - b) - negative(found - a + b) + negative(found - a - b)
        hessian[i, j] = hessian[j, i] = around / (4 * STEP**2)
    draws = model.draw(mode, 100_000, np.random.default_rng(0))
    flat = [draws.scores.reshape(100_000, -1), draws.eta.reshape(100_000, -1)]
    together = np.concatenate(flat if shared else [*flat, draws.centre], axis=1)
    covariance = np.linalg.inv(hessian)
    spread = np.sqrt(np.diag(covariance))
    difference = (np.cov(together.T) - covariance) / np.outer(spread, spread)
    assert np.abs(difference).max() < COVARIANCE_TOLERANCE


def test_improving_the_scales_finds_those_behind_plenty_of_data():
    """Forty judges rating all of 80 objects on two levels; scores have spread 1.5."""
    ratings = made_up_ratings(3, 80, 40, 40, n_cutpoints=1)
    model = LaplaceModel(ratings, shared_cutpoints=False, correlated_cutpoints=True)
    scales, mode = fit_laplace(model)
    assert scales.tau[0] == pytest.approx(1.5, abs=0.3)
    assert scales.spread[0] == pytest.approx(np.sqrt(4 + 1), abs=0.6)
    assert np.isfinite(mode.scores).all()
