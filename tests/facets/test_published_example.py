"""Published figures: Shrout and Fleiss (1979), Psychological Bulletin 86, table 2: 6 targets scored by 4 judges."""

import numpy as np
import pytest

from panelcal import FacetPanel, Panel, calibrate, calibrate_facets, fit, verdict

SCORES = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)


def test_mean_squares_of_judges_and_error_are_those_published():
    panel = Panel.from_matrix(SCORES)
    found = calibrate(panel)
    assert found.w_unbiased == pytest.approx(1.02, abs=0.005)  # EMS
    assert found.degrees_of_freedom == 15
    assert 6 * (found.biases**2).sum() / 3 == pytest.approx(32.49, abs=0.005)  # JMS
    assert 4 * ((found.values - found.values.mean()) ** 2).sum() / 5 == pytest.approx(11.24, abs=0.005)  # BMS
    assert verdict(panel).f_statistic == pytest.approx(32.49 / 1.02, rel=0.005)


def test_the_same_judges_as_criteria_of_one_assessor_have_these_levels():
    panel = FacetPanel.from_table([f"T{k}" for k in range(6)], ["A"] * 6, SCORES, criteria="abcd")
    found = calibrate_facets(panel, values_differ=False, biases_differ=False)
    assert np.allclose(found.levels, calibrate(Panel.from_matrix(SCORES)).biases)
    assert 6 * (found.levels**2).sum() / 3 == pytest.approx(32.49, abs=0.005)


def test_variances_give_the_published_reliabilities():
    panel = Panel.from_matrix(SCORES)
    detail = fit(panel, "random_effects").detail
    objects, assessors, noise = detail.value_variance, detail.bias_variance, detail.noise_variance
    assert objects / (objects + assessors + noise) == pytest.approx(0.29, abs=0.005)  # ICC(2, 1)
    assert objects / (objects + noise) == pytest.approx(0.71, abs=0.005)  # ICC(3, 1)
