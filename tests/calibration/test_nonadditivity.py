"""Tukey's one degree of freedom: against a regression worked out with all columns, and in simulations."""

import numpy as np
import pytest
from scipy import stats

from panelcal import MethodNotApplicable, Panel, calibrate, nonadditivity
from panels import simulated_panel


def _stretched(seed, theta, top=None, n_assessors=20):
    """480 scores, assessors with biases of SD 5 that stretch values by 1 + theta x bias."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(60), 8)
    assessors = np.concatenate([random.choice(n_assessors, 8, replace=False) for _ in range(60)])
    values, biases = random.normal(0, 9, 60), random.normal(0, 5, n_assessors)
    scores = 60 + biases[assessors] + (1 + theta * biases[assessors]) * values[objects]
    scores += random.normal(0, 7, 480)
    return Panel.from_records(objects, assessors, scores if top is None else np.minimum(scores, top))


def test_slope_and_p_value_are_those_of_the_regression_with_one_more_column():
    panel = simulated_panel(25, 8, 4, seed=5)
    calibration = calibrate(panel)
    found = nonadditivity(calibration)
    design = np.zeros((100, 34))
    design[np.arange(100), panel.object_index] = 1
    design[np.arange(100), 25 + panel.assessor_index] = 1
    design[:, 33] = calibration.values[panel.object_index] * calibration.biases[panel.assessor_index]
    root = np.sqrt(panel.confidences)[:, None]
    solution, *_ = np.linalg.lstsq(design * root, panel.scores * root[:, 0], rcond=None)
    left = (root[:, 0] * (panel.scores - design @ solution)) ** 2
    freedom = calibration.degrees_of_freedom - 1
    f = (calibration.weighted_residual_sum - left.sum()) / (left.sum() / freedom)
    assert found.degrees_of_freedom == freedom
    assert found.slope == pytest.approx(solution[33], rel=1e-6)
    assert found.f_statistic == pytest.approx(f, rel=1e-6)
    assert found.p_value == pytest.approx(stats.f.sf(f, 1, freedom), rel=1e-6)
    assert (found.slope / found.slope_error) ** 2 == pytest.approx(f, rel=1e-6)


@pytest.mark.slow
def test_without_a_slope_one_panel_in_twenty_is_below_one_in_twenty():
    """On incomplete panels; the formula for complete tables gives at most one in a hundred."""
    below = sum(nonadditivity(calibrate(simulated_panel(20, 6, 3, seed))).p_value < 0.05 for seed in range(300))
    assert stats.binomtest(below, 300, 0.05).pvalue > 0.001


def test_generous_assessors_who_are_flatter_are_found_and_the_method_spread_is_named():
    found = nonadditivity(calibrate(_stretched(1, -0.03)))
    assert found.p_value < 0.001
    assert found.slope == pytest.approx(-0.03, abs=3 * found.slope_error)
    assert "generous are also flatter" in found.sentence
    assert "method spread" in found.sentence
    assert "steeper" in nonadditivity(calibrate(_stretched(1, 0.03))).sentence


def test_a_ceiling_is_named_first():
    found = nonadditivity(calibrate(_stretched(2, 0.0, top=64)))
    assert found.p_value < 0.01
    assert found.slope < 0
    assert "of the scores are the highest one" in found.sentence
    assert "look there first" in found.sentence
    assert "method spread" not in found.sentence


@pytest.mark.parametrize(
    ("scores", "words"),
    [([[1.0, 2.0], [3.0, 5.0]], "too few scores"), ([[1.0, 1.0, 1.0]] * 3, "Nothing is left")],
)
def test_where_nothing_can_be_told_it_says_so(scores, words):
    with pytest.raises(MethodNotApplicable, match=words):
        nonadditivity(calibrate(Panel.from_matrix(np.array(scores))))


def test_scores_that_fit_exactly_have_no_slope():
    scores = np.add.outer(np.arange(6.0), np.array([0.0, 3.0, 5.0, 9.0]))
    assert nonadditivity(calibrate(Panel.from_matrix(scores))).p_value == 1.0
