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


def test_the_chance_to_exceed_is_the_upper_tail():
    assert NormalErrors(VALUES, ERRORS).exceeds(60.0) == pytest.approx(norm.sf(60.0, VALUES, ERRORS), rel=1e-9)


def test_values_without_error_are_certain_and_one_on_the_boundary_is_a_toss_up():
    found = NormalErrors(np.array([59.0, 60.0, 61.0]), np.zeros(3)).exceeds(60.0)
    assert found.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(MethodNotApplicable, match="between 0 and 1"):
        NormalErrors(VALUES, ERRORS).value_interval(level)
