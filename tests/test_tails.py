"""Tails of distributions are those of scipy, and exact sums of binomial chances, to nearly all digits."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from panelcal import tails

RANDOM = np.random.default_rng(20)
FREEDOM = np.exp(RANDOM.uniform(np.log(0.8), np.log(3e4), 600))
FREEDOM[:300] = np.round(FREEDOM[:300])
T = RANDOM.standard_normal(600) * np.exp(RANDOM.uniform(-4, 2.2, 600))
F = np.exp(RANDOM.standard_normal(600) * RANDOM.uniform(0.02, 1.0, 600))


def test_tails_of_t_and_f_are_those_of_scipy():
    assert tails.stdtr(FREEDOM, T) == pytest.approx(special.stdtr(FREEDOM, T), rel=5e-13, abs=1e-300)
    between = np.exp(RANDOM.uniform(np.log(0.2), np.log(3e4), 600))
    for own, theirs in ((tails.fdtr, special.fdtr), (tails.fdtrc, special.fdtrc)):
        found, expected = own(between, FREEDOM, F), theirs(between, FREEDOM, F)
        assert found == pytest.approx(expected, rel=2e-12, abs=1e-100)
        some = expected > 1e-100
        assert np.median(np.abs(found[some] / expected[some] - 1)) < 1e-14
    assert tails.stdtr(549, 0.0) == 0.5
    assert tails.stdtr(5, [np.nan, np.inf, -np.inf, -1e120]) == pytest.approx([np.nan, 1.0, 0.0, 0.0], nan_ok=True)


def test_binomial_tails_are_exact_sums():
    trials = RANDOM.integers(1, 60, 60)
    successes = RANDOM.integers(0, trials + 1)
    chances = RANDOM.integers(1, 128, 60)
    exact = []
    for k, n, numerator in zip(successes.tolist(), trials.tolist(), chances.tolist(), strict=True):
        p = Fraction(numerator, 128)
        exact.append(float(sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1, n + 1))))
    assert tails.bdtrc(successes, trials, chances / 128) == pytest.approx(exact, rel=1e-13, abs=0)


def test_normal_and_chi_squared_tails_and_quantiles_are_those_of_scipy():
    deviates = np.linspace(-12, 9, 301)
    assert tails.ndtr(deviates) == pytest.approx(special.ndtr(deviates), rel=1e-14, abs=0)
    shares = np.r_[RANDOM.uniform(0, 1, 60), 10 ** RANDOM.uniform(-100, -1, 40), 0.5 + 10 ** RANDOM.uniform(-9, -1, 20)]
    own = [tails.ndtri(share) for share in shares.tolist()]
    assert own == pytest.approx(special.ndtri(shares), rel=2e-15, abs=0)
    freedom, x = FREEDOM[:200], FREEDOM[:200] * F[:200]
    own = [tails.chdtrc(one, value) for one, value in zip(freedom.tolist(), x.tolist(), strict=True)]
    assert own == pytest.approx(special.chdtrc(freedom, x), rel=1e-11, abs=1e-100)


def test_a_quantile_of_t_has_its_share_below():
    for freedom, share in zip(FREEDOM[:40:2].tolist(), RANDOM.uniform(0.0005, 0.9995, 20).tolist(), strict=True):
        below = float(special.stdtr(freedom, tails.stdtrit(freedom, share)))
        assert below == pytest.approx(share, rel=1e-12)
    assert tails.stdtrit(7.0, 0.5) == 0.0


def test_what_is_unusual_is_left_to_scipy():
    assert np.isnan(tails.stdtr(0, 1.0))
    assert tails.stdtr(1e9, -1.0) == special.stdtr(1e9, -1.0)
    assert tails.fdtrc(3, 1e8, 2.0) == special.fdtrc(3, 1e8, 2.0)
    assert tails.stdtrit(1e9, 0.975) == special.stdtrit(1e9, 0.975)
    assert tails.ndtri(0.0) == -np.inf


@pytest.mark.parametrize("wild", [0, 1, 400, 3_000])
def test_holm_puts_only_small_p_values_in_order_and_changes_none(wild):
    random = np.random.default_rng(wild)
    p = random.random(5_000)
    p[:wild] *= 10.0 ** random.uniform(-9, -3, wild)
    p[[7, 70, 700]] = np.nan, 0.0, 1.0
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    expected = np.full(len(p), np.nan)
    expected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    assert np.array_equal(tails.holm(p), expected, equal_nan=True)
