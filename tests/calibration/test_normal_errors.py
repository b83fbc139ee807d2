"""Intervals and boundaries by normal errors, against scipy's normal distribution."""

import numpy as np
import pytest
from scipy.stats import norm

from panelcal import MethodNotApplicable
from panelcal.calibration.normal_errors import NormalErrors

VALUES, ERRORS = np.array([50.0, 61.5, 70.0]), np.array([2.0, 0.7, 3.1])


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_intervals_are_central_in_the_normal_distribution(level):
    found = NormalErrors(VALUES, ERRORS).value_interval(level)
    low, high = norm.interval(level, loc=VALUES, scale=ERRORS)
    assert found == pytest.approx(np.column_stack([low, high]), rel=1e-12)


def test_the_chance_to_exceed_is_the_upper_tail_where_values_are_drawn_to_their_mean_already():
    found = NormalErrors(VALUES, ERRORS, drawn=True).exceeds(60.0)
    assert found == pytest.approx(norm.sf(60.0, VALUES, ERRORS), rel=1e-9)


def test_other_values_are_drawn_to_their_mean_for_it():
    """2,000 true values N(60, 5^2) seen with errors of 5: 65 stands for 62.5, give or take 5/sqrt(2)."""
    random = np.random.default_rng(0)
    values = random.normal(60, 5, 2000) + 5 * random.standard_normal(2000)
    found = NormalErrors(values, np.full(2000, 5.0)).exceeds(63.0)
    assert found == pytest.approx(norm.sf(63.0, (60 + values) / 2, 5 / np.sqrt(2)), abs=0.03)


def test_values_without_error_are_certain_and_one_on_the_boundary_is_a_toss_up():
    found = NormalErrors(np.array([59.0, 60.0, 61.0]), np.zeros(3)).exceeds(60.0)
    assert found.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(MethodNotApplicable, match="between 0 and 1"):
        NormalErrors(VALUES, ERRORS).value_interval(level)
