"""Ranks as scipy counts them."""

import numpy as np
import pytest
from scipy.stats import rankdata

from panelcal.reading.plausibility.ranking import competition_ranks, dense_ranks, mean_ranks

WAYS = {"min": competition_ranks, "dense": dense_ranks, "average": mean_ranks}


@pytest.mark.parametrize("way", WAYS)
def test_ties_are_counted_in_each_way(way):
    values = np.random.default_rng(1).integers(0, 9, 30).astype(float)
    np.testing.assert_array_equal(WAYS[way](values), rankdata(values, way))
