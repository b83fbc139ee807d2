"""Kendall's tau against scipy and against counting pairs."""

import itertools

import numpy as np
import pytest
from scipy.stats import kendalltau

from panelcal.anchors.rank_correlation import kendall_tau


@pytest.mark.parametrize("levels", [3, 10, 1000])
@pytest.mark.parametrize("n", [5, 40, 1500])
def test_tau_and_its_one_sided_p_value_are_scipys(n, levels):
    random = np.random.default_rng(n + levels)
    x = random.integers(0, levels, n).astype(float)
    y = random.integers(0, levels, n) - 0.2 * x
    found = kendall_tau(x, y)
    other = kendalltau(x, y, method="asymptotic", alternative="less")
    assert found.value == pytest.approx(other.statistic, abs=1e-12)
    assert found.p_reversed == pytest.approx(other.pvalue, rel=1e-8)


def test_reversed_pairs_are_counted_one_by_one():
    random = np.random.default_rng(0)
    x, y = random.integers(0, 6, 30), random.integers(0, 6, 30)
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in itertools.combinations(range(30), 2)]
    found = kendall_tau(x.astype(float), y.astype(float))
    assert found.reversed_share == pytest.approx(signs.count(-1) / (signs.count(1) + signs.count(-1)))


def test_a_constant_side_says_nothing():
    found = kendall_tau(np.ones(9), np.arange(9.0))
    assert (found.value, found.p_reversed) == (0.0, 1.0)
    assert np.isnan(found.reversed_share)
