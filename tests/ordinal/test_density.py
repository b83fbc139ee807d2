"""The log density against a plain reading of the model with scipy, and its gradient against finite differences."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from ordinal.ordinal_cases import made_up_ratings
from panelcal.ordinal.correlations import CorrelationPrior
from panelcal.ordinal.density import OrdinalDensity

VALUE_TOLERANCE = 1e-9
GRADIENT_TOLERANCE = 2e-6  # of central differences, relative to 1 + the gradient
STEP = 1e-5

SHAPES = [
    {"n_features": 1, "n_cutpoints": 1},
    {"n_features": 1, "n_cutpoints": 4},
    {"n_features": 2, "n_cutpoints": 4, "missing": 0.2},
    {"n_features": 3, "n_cutpoints": 2},
    {"n_features": 1, "n_cutpoints": 10},
]
OPTIONS = [
    {"shared_cutpoints": False, "correlated_cutpoints": True},
    {"shared_cutpoints": False, "correlated_cutpoints": False},
    {"shared_cutpoints": True, "correlated_cutpoints": True},
]


def _plain_cholesky(free, size):
    """L from partial correlations, entry by entry."""
    partial = np.zeros((size, size))
    partial[np.tril_indices(size, -1)] = np.tanh(free)
    lower = np.zeros((size, size))
    for i in range(size):
        left = 1.0
        for j in range(i):
            lower[i, j] = partial[i, j] * np.sqrt(left)
            left -= lower[i, j] ** 2
        lower[i, i] = np.sqrt(left)
    return lower


def _plain_spread(free):
    """Spreads and the logarithms of their slopes, unit 1/2."""
    return np.log1p(np.exp(free)) / 2, np.log(expit(free) / 2)


def _log_lkj(free, size, shape=2.0):
    """Log |R|^(shape - 1) plus the log Jacobian of R by the free numbers, by finite differences."""
    below = np.tril_indices(size, -1)

    def entries(numbers):
        lower = _plain_cholesky(numbers, size)
        return (lower @ lower.T)[below]

    jacobian = [(entries(free + step) - entries(free - step)) / (2 * STEP) for step in STEP * np.eye(len(free))]
    lower = _plain_cholesky(free, size)
    return (shape - 1) * np.linalg.slogdet(lower @ lower.T)[1] + np.linalg.slogdet(np.array(jacobian))[1]


def _plain_log_density(ratings, density, x):
    """The model rating by rating, from scipy's distributions."""
    n, M, Q, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    part = {name: x[place] for name, place in density.blocks.items()}
    spread, log_slope = _plain_spread(part["spreads"])
    between_features, between_cuts = np.split(part["partials"], [Q * (Q - 1) // 2])
    tau, spread = np.split(spread, [Q])
    z = part["objects"].reshape(Q, n)
    scores = np.diag(tau) @ _plain_cholesky(between_features, Q) @ z
    mean = -1.0 if L <= 6 else None
    total = stats.norm.logpdf(part["objects"]).sum() + stats.expon.logpdf(tau).sum() + log_slope.sum()
    if Q > 1:
        total += _log_lkj(between_features, Q)
    centre = part["centre"].reshape(Q, L)
    total += stats.norm.logpdf(centre[:, 0], -1, 1).sum()
    total += stats.norm.logpdf(centre[:, 1:], 0.0 if mean else np.log(4 / (L - 1)), 0.5).sum()
    eta = np.repeat(part["centre"][:, None], M, axis=1)
    if len(part["assessors"]):
        own = part["assessors"].reshape(Q * L, M)
        total += stats.norm.logpdf(own).sum() + stats.expon.logpdf(spread).sum()
        lower = np.eye(Q * L)
        if len(between_cuts):
            lower = _plain_cholesky(between_cuts, Q * L)
            total += _log_lkj(between_cuts, Q * L)
        eta = eta + np.diag(spread) @ lower @ own
    for row, q in np.argwhere(ratings.ratings >= 0):
        own = eta[q * L : (q + 1) * L, ratings.assessor_index[row]]
        cuts = own[0] + np.concatenate([[0.0], np.cumsum(np.exp(own[1:]))])
        below = np.concatenate([[0.0], expit(cuts - scores[q, ratings.object_index[row]]), [1.0]])
        total += np.log(np.diff(below)[ratings.ratings[row, q]])
    return total


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_density_is_the_model_read_plainly(shape, options):
    """Up to a constant: differences between points are compared."""
    ratings = made_up_ratings(1, 5, 3, 2, **shape)
    density = OrdinalDensity(ratings, **options)
    x = 0.5 * np.random.default_rng(0).standard_normal((density.dimension, 3))
    value, _ = density.value_and_gradient(x)
    plain = np.array([_plain_log_density(ratings, density, column) for column in x.T])
    assert value - value[0] == pytest.approx(plain - plain[0], abs=1e-6)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gradient_is_that_of_finite_differences(shape, options):
    ratings = made_up_ratings(2, 6, 3, 2, **shape)
    density = OrdinalDensity(ratings, **options)
    x = 0.6 * np.random.default_rng(1).standard_normal((density.dimension, 2))
    _, gradient = density.value_and_gradient(x)
    assert density.gradient(x) == pytest.approx(gradient)
    steps = STEP * np.eye(density.dimension)
    for chain in range(2):
        point = x[:, [chain]]
        difference = density.value_and_gradient(point + steps)[0] - density.value_and_gradient(point - steps)[0]
        found = gradient[:, chain]
        assert difference / (2 * STEP) == pytest.approx(found, rel=GRADIENT_TOLERANCE, abs=GRADIENT_TOLERANCE)


def test_chains_do_not_touch_each_other():
    ratings = made_up_ratings(3, 6, 4, 3, n_features=2)
    density = OrdinalDensity(ratings, shared_cutpoints=False, correlated_cutpoints=True)
    x = np.random.default_rng(2).standard_normal((density.dimension, 5))
    together = density.value_and_gradient(x)
    for chain in range(5):
        alone = density.value_and_gradient(np.ascontiguousarray(x[:, [chain]]))
        assert alone[0] == pytest.approx(together[0][[chain]], rel=VALUE_TOLERANCE)
        assert alone[1][:, 0] == pytest.approx(together[1][:, chain], rel=1e-7, abs=VALUE_TOLERANCE)


def test_far_away_the_density_is_very_low_but_finite():
    ratings = made_up_ratings(4, 6, 4, 3)
    density = OrdinalDensity(ratings, shared_cutpoints=False, correlated_cutpoints=True)
    x = np.zeros((density.dimension, 1))
    x[density.blocks["centre"]] = -60.0
    with np.errstate(over="ignore"):
        value, gradient = density.value_and_gradient(x)
    assert np.isfinite(value).all()
    assert np.isfinite(gradient).all()
    assert value[0] < -1000


@pytest.mark.parametrize("size", [1, 2, 4])
def test_free_numbers_and_correlations_are_each_others_inverse(size):
    prior = CorrelationPrior((size, 2.0))
    free = np.random.default_rng(3).standard_normal((prior.n_free, 1))
    lower = prior.factor(free).lower[:, :, 0]
    assert lower == pytest.approx(_plain_cholesky(free[:, 0], size), abs=VALUE_TOLERANCE)
    assert np.diag(lower @ lower.T) == pytest.approx(1.0, abs=VALUE_TOLERANCE)
    assert prior.free_numbers(lower @ lower.T) == pytest.approx(free[:, 0], abs=1e-6)
