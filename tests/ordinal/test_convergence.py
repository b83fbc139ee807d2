"""R-hat and effective sample size against ArviZ and against what theory says of autoregressive chains."""

import numpy as np
import pytest
from scipy.signal import lfilter

from panelcal.ordinal.convergence import (
    bulk_effective_size,
    effective_size,
    split_rhat,
    split_rhat_and_effective_size,
)

ARVIZ_TOLERANCE = 1e-9
SEED, LENGTH, CHAINS = 7, 120, 4
# ArviZ 0.23.4 on `_four_kinds()`: rhat(...) and ess(..., method="bulk")
ARVIZ_RHAT = [1.0075435935467176, 1.1179140209968415, 1.228453072333268, 1.2087243257342801]
ARVIZ_BULK_ESS = [502.38110311108204, 28.069801640075916, 13.896389377008962, 502.17651229695014]


def _autoregressive(correlation, length, chains, n, seed=0):
    noise = np.random.default_rng(seed).standard_normal((length, chains, n))
    noise[0] /= np.sqrt(1 - correlation**2)
    return lfilter([1], [1, -correlation], noise, axis=0)


def _four_kinds():
    """Independent; slow; one chain shifted; one chain wider."""
    plain = _autoregressive(0.0, LENGTH, CHAINS, 1, SEED)
    slow = _autoregressive(0.9, LENGTH, CHAINS, 1, SEED + 1)
    shifted = plain + np.array([0, 0, 0, 1.5])[:, None]
    wider = plain * np.array([1, 1, 1, 4])[:, None]
    return np.concatenate([plain, slow, shifted, wider], axis=2)


def test_rhat_agrees_with_arviz():
    assert split_rhat(_four_kinds()) == pytest.approx(ARVIZ_RHAT, abs=ARVIZ_TOLERANCE)


def test_bulk_effective_size_agrees_with_arviz():
    assert bulk_effective_size(_four_kinds()) == pytest.approx(ARVIZ_BULK_ESS, rel=ARVIZ_TOLERANCE)


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.5, 0.9])
def test_effective_size_of_autoregressive_chains(correlation):
    """In the long run, N (1 - rho)/(1 + rho)."""
    draws = _autoregressive(correlation, 20_000, 4, 3)
    expected = 80_000 * (1 - correlation) / (1 + correlation)
    assert effective_size(draws) == pytest.approx(expected, rel=0.1)


def test_chains_that_do_not_move_are_told_from_chains_that_cannot():
    still = np.zeros((20, 3, 1))
    assert split_rhat(still) == pytest.approx(1.0)
    apart = still + np.arange(3)[:, None]
    assert split_rhat(apart)[0] == np.inf


def test_both_at_once_are_each_alone():
    draws = _four_kinds()
    rhat, effective = split_rhat_and_effective_size(draws)
    assert np.array_equal(rhat, split_rhat(draws))
    assert np.array_equal(effective, bulk_effective_size(draws))
