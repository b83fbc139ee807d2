"""Assessors off the rest: against a contrast worked out by hand, and with one that drags the zero."""

import numpy as np
import pytest
from scipy import stats

from panelcal import Panel, assessor_differences, calibrate, uncertainty
from panels import bordered_solution, simulated_panel


def _panel(seed, biases, n_objects=60, per_object=3, noise=5.0):
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(n_objects), per_object)
    assessors = np.concatenate([random.choice(len(biases), per_object, replace=False) for _ in range(n_objects)])
    scores = random.normal(60, 9, n_objects)[objects] + np.asarray(biases)[assessors]
    scores += noise * random.standard_normal(len(objects))
    return Panel.from_records([f"o{o}" for o in objects], [f"a{a}" for a in assessors], scores)


def _named(panel, **options):
    found = assessor_differences(calibrate(panel), **options)
    return {panel.assessors[a] for a in np.flatnonzero(found.clearly_off)}


@pytest.mark.parametrize("gauge", ["weighted", "equal"])
def test_with_nobody_off_these_are_the_biases_their_errors_and_holm(gauge):
    calibration = calibrate(_panel(0, np.zeros(6)), gauge=gauge)
    found = assessor_differences(calibration)
    errors = uncertainty(calibration).bias_errors
    p = 2 * stats.t.sf(np.abs(calibration.biases) / errors, calibration.degrees_of_freedom)
    assert not found.freed
    assert found.biases == pytest.approx(calibration.biases, abs=1e-10)
    assert found.standard_errors == pytest.approx(errors, rel=1e-9)
    assert found.p_values == pytest.approx(p, rel=1e-7)
    order = np.argsort(p)
    by_hand = np.empty(6)
    by_hand[order] = np.minimum(np.maximum.accumulate(p[order] * [6, 5, 4, 3, 2, 1]), 1)
    assert found.adjusted_p_values == pytest.approx(by_hand, rel=1e-7)


def test_one_far_off_is_named_and_the_innocent_are_not():
    """The plain biases name the four others: the zero lies between."""
    panel = _panel(1, [20, 0, 0, 0, 0])
    calibration = calibrate(panel)
    plain = np.abs(calibration.biases / uncertainty(calibration).bias_errors)
    assert (plain > 3).all()
    assert _named(panel) == {"a0"}
    found = assessor_differences(calibration)
    assert found.biases[panel.assessors.index("a0")] == pytest.approx(20, abs=3)
    assert found.biases + found.centre == pytest.approx(calibration.biases, abs=1e-10)


def test_errors_from_the_rest_are_those_of_the_contrast():
    panel = _panel(1, [20, 0, 0, 0, 0])
    calibration = calibrate(panel)
    found = assessor_differences(calibration)
    totals = panel.assessor_totals(panel.confidences)
    _, _, inverse = bordered_solution(panel, np.zeros(panel.n_objects), totals, 0.0)
    covariance = calibration.w_unbiased * inverse[panel.n_objects :, panel.n_objects :]
    weights = np.where(np.isin(np.arange(5), found.freed), 0.0, totals)
    contrasts = np.eye(5) - weights / weights.sum()
    expected = np.sqrt(np.diag(contrasts @ covariance @ contrasts.T))
    assert found.standard_errors == pytest.approx(expected, rel=1e-9)


def test_several_off_are_all_named_and_their_number_does_not_hide_them():
    assert _named(_panel(2, [15, 15, -15, 0, 0, 0, 0, 0, 0, 0])) == {"a0", "a1", "a2"}


def test_two_who_differ_are_both_off_each_other():
    assert len(_named(_panel(3, [8, -8], per_object=2))) == 2


@pytest.mark.slow
def test_luck_names_somebody_in_one_panel_of_twenty():
    """300 panels of 12 assessors without any bias; plain intervals name somebody in nearly half."""
    named = [bool(_named(_panel(seed, np.zeros(12), n_objects=30))) for seed in range(300)]
    assert stats.binomtest(sum(named), 300, 0.05, alternative="greater").pvalue > 0.001


def test_scores_that_fit_exactly():
    objects, assessors = np.divmod(np.arange(30), 3)
    alike = assessor_differences(calibrate(Panel.from_records(objects, assessors, 5.0 * objects)))
    assert not alike.clearly_off.any()
    off = assessor_differences(calibrate(Panel.from_records(objects, assessors, 5.0 * objects + 7 * (assessors == 1))))
    assert off.clearly_off.tolist() == [False, True, False]


def test_without_scores_to_spare_nothing_is_said():
    found = assessor_differences(calibrate(Panel.from_records("aab", "xyy", [1.0, 2.0, 4.0])))
    assert np.isnan(found.adjusted_p_values).all()
    assert not found.clearly_off.any()


def test_the_panel_is_not_changed_by_adding_a_constant_or_by_the_unit_of_confidence():
    panel = simulated_panel(30, 6, 3, seed=8)
    one = assessor_differences(calibrate(panel))
    moved = Panel.from_records(
        [panel.objects[k] for k in panel.object_index],
        [panel.assessors[k] for k in panel.assessor_index],
        panel.scores + 1e6,
        panel.confidences * 3,
    )
    assert assessor_differences(calibrate(moved)).p_values == pytest.approx(one.p_values, rel=1e-6)


@pytest.mark.parametrize("shape", [(60, 9), (9, 60)])
def test_freeing_somebody_works_out_no_values(monkeypatch, shape):
    """Biases alone are asked for, which takes no step through the scores where objects outnumber assessors."""
    panel = simulated_panel(*shape, 4 if shape[0] > shape[1] else 30, seed=4)
    equations = calibrate(panel).equations
    right = np.random.default_rng(2).normal(0, 1, panel.n_assessors)
    right -= right.mean()
    assert np.array_equal(equations.biases_alone(right), equations.apply_inverse(np.zeros(panel.n_objects), right)[1])
    if shape[0] > shape[1]:
        monkeypatch.setattr(type(equations), "apply_inverse", None)
        assert len(equations.biases_alone(right)) == panel.n_assessors
