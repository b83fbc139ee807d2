"""Ranks are those of scipy.stats.rankdata."""

import numpy as np
import pytest
from scipy.stats import rankdata

from panelcal.ranks_of_numbers import average_ranks, better_ranks, dense_ranks


@pytest.mark.parametrize("shape", [(1,), (7,), (40,), (40, 3), (9, 0)])
def test_ranks_with_and_without_ties(shape):
    random = np.random.default_rng(1)
    for numbers in (random.standard_normal(shape), random.integers(0, 6, shape).astype(float), np.zeros(shape)):
        assert np.array_equal(average_ranks(numbers), rankdata(numbers, axis=0))
        if len(shape) == 1:
            assert np.array_equal(better_ranks(numbers), rankdata(numbers, method="min"))
            assert np.array_equal(dense_ranks(numbers), rankdata(numbers, method="dense"))


def test_what_is_no_number_has_no_rank():
    assert np.array_equal(better_ranks(np.array([3.0, np.nan, 3.0, 1.0])), [2, np.nan, 2, 1], equal_nan=True)
