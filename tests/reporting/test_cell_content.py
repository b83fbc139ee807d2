"""Ranks of long columns."""

import numpy as np
import pytest

from panelcal.reporting.cell_content import places_of, ranks


@pytest.mark.parametrize("higher", [True, False])
def test_equal_values_share_the_better_rank(higher):
    values = np.random.default_rng(3).integers(0, 40, 300) + np.random.default_rng(4).normal(0, 1e-12, 300)
    better = values.round() if higher else -values.round()
    assert ranks(values, higher) == [1 + int((better > own).sum()) for own in better]
    assert ranks(np.array([]), higher) == []


def test_those_without_a_value_come_last_together():
    assert places_of(np.array([np.nan, 5.0, np.nan, 7.0]), True).tolist() == [3, 2, 3, 1]
