"""The sampler against distributions whose moments are known."""

import numpy as np
import pytest
from scipy import stats

from panelcal.ordinal.convergence import effective_size, split_rhat
from panelcal.ordinal.sampler import HamiltonianSampler

ERRORS = 4.5  # standard errors allowed


class _Normal:
    """A normal distribution with correlated coordinates of very different spread."""

    def __init__(self):
        factor = np.array([[1.0, 0, 0], [2.7, 1.5, 0], [0.0, 0.0, 0.01]])
        self.mean = np.array([[1.0], [-2.0], [0.3]])
        self.covariance = factor @ factor.T
        self.precision = np.linalg.inv(self.covariance)

    def gradient(self, x):
        return -self.precision @ (x - self.mean)

    def value_and_gradient(self, x):
        slope = self.gradient(x)
        return (slope * (x - self.mean)).sum(axis=0) / 2, slope


class _Gumbel:
    """Independent skewed coordinates: log density x - e^x."""

    def gradient(self, x):
        return 1 - np.exp(x)

    def value_and_gradient(self, x):
        return (x - np.exp(x)).sum(axis=0), self.gradient(x)


def _sample(density, dimension, iterations, seed=0, scale=1.0):
    random = np.random.default_rng(seed)
    start = random.standard_normal((dimension, 12))
    sampler = HamiltonianSampler(density, start, np.full(dimension, scale), random)
    sampler.warm_up(200)
    draws = []
    for _ in range(iterations):
        sampler.move()
        draws.append(sampler.points.T)
    return np.array(draws)


def test_moments_of_a_correlated_normal():
    target = _Normal()
    draws = _sample(target, 3, 1000, scale=0.1)
    assert split_rhat(draws).max() < 1.03
    centred = draws - target.mean[:, 0]
    spread = np.sqrt(np.diag(target.covariance))
    errors = spread / np.sqrt(effective_size(draws))
    assert (np.abs(centred.mean(axis=(0, 1))) < ERRORS * errors).all()
    products = centred[..., [0, 1, 2, 0]] * centred[..., [0, 1, 2, 1]]
    expected = np.append(np.diag(target.covariance), target.covariance[0, 1])
    errors = products.std(axis=(0, 1)) / np.sqrt(effective_size(products))
    assert (np.abs(products.mean(axis=(0, 1)) - expected) < ERRORS * errors).all()


def test_distribution_of_a_skewed_coordinate():
    """Draws thinned to independence against the distribution function, by Kolmogorov and Smirnov."""
    draws = _sample(_Gumbel(), 2, 900)[::9]
    for k in range(2):
        assert stats.kstest(draws[:, :, k].ravel(), stats.loggamma(1).cdf).pvalue > 0.001


def test_the_same_source_of_randomness_gives_the_same_draws():
    assert np.array_equal(_sample(_Gumbel(), 2, 20), _sample(_Gumbel(), 2, 20))
    assert not np.array_equal(_sample(_Gumbel(), 2, 20), _sample(_Gumbel(), 2, 20, seed=1))


@pytest.mark.slow
def test_where_the_density_is_not_a_number_no_chain_goes():
    class Cliff:
        """A normal that ends at 1."""

        def gradient(self, x):
            return np.where(x < 1, -x, np.nan)

        def value_and_gradient(self, x):
            return np.where(x < 1, -(x**2) / 2, np.nan).sum(axis=0), self.gradient(x)

    random = np.random.default_rng(0)
    sampler = HamiltonianSampler(Cliff(), -random.random((1, 12)), np.ones(1), random)
    sampler.warm_up(100)
    draws = []
    for _ in range(600):
        sampler.move()
        draws.append(sampler.points[0])
    assert np.max(draws) < 1
    assert np.mean(draws) == pytest.approx(stats.truncnorm(-np.inf, 1).mean(), abs=0.1)


class _WideAndNarrow:
    """Half a normal of spread 1 and half one of spread 1/10, in one coordinate; beside it a plain normal."""

    spreads = np.array([[1.0], [0.1]])

    def value_and_gradient(self, x):
        parts = np.exp(-((x[:1] / self.spreads) ** 2) / 2) / self.spreads
        value = np.log(parts.sum(axis=0)) - x[1] ** 2 / 2
        return value, np.stack([-(parts * x[:1] / self.spreads**2).sum(axis=0) / parts.sum(axis=0), -x[1]])

    def gradient(self, x):
        return self.value_and_gradient(x)[1]


def test_steps_are_shorter_where_the_density_bends_more_than_its_spread_tells():
    random = np.random.default_rng(0)
    start = random.standard_normal((2, 12)) * [[0.7], [1.0]]
    sampler = HamiltonianSampler(_WideAndNarrow(), start, np.ones(2), random)
    sampler.warm_up(400)
    bent, plain = sampler.scales
    assert 0.4 < bent / np.sqrt((1 + 0.01) / 2) < 0.8
    assert plain == pytest.approx(1.0, abs=0.12)
