"""Leaving an assessor out, against doing it by label."""

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.calibration import assessor_left_out
from panelcal.calibration.assessor_left_out import assessors_left_out
from panels import connected_simulated_panel


@pytest.mark.parametrize("shape", [(25, 7, 3), (7, 25, 12)])
def test_the_largest_shift_is_that_of_calibrating_without_the_assessor(shape):
    panel = connected_simulated_panel(*shape, seed=5)
    base = calibrate(panel)
    found = assessors_left_out(base)
    before = dict(zip(panel.objects, base.values, strict=True))
    for a in range(panel.n_assessors):
        if found.splits[a]:
            continue
        rest = calibrate(panel.subset(panel.assessor_index != a))
        shifts = {label: abs(v - before[label]) for label, v in zip(rest.panel.objects, rest.values, strict=True)}
        assert found.largest_shift[a] == pytest.approx(max(shifts.values()))
        assert shifts[panel.objects[found.moved_most[a]]] == pytest.approx(max(shifts.values()), rel=1e-10, abs=1e-11)
        assert found.objects_lost[a] == panel.n_objects - len(shifts)


def test_the_only_link_between_two_groups_splits_the_panel():
    panel = Panel.from_matrix(
        [[50, 60, np.nan], [52, 66, np.nan], [np.nan, 58, 70], [np.nan, 61, 72]], assessors=["x", "link", "y"]
    )
    found = assessors_left_out(calibrate(panel))
    assert found.splits.tolist() == [False, True, False]
    assert np.isnan(found.largest_shift[1])
    assert found.moved_most[1] == -1


def test_a_panel_of_one_assessor_has_nothing_left():
    found = assessors_left_out(calibrate(Panel.from_matrix([[50.0], [60.0]])))
    assert found.objects_lost.tolist() == [2]
    assert np.isnan(found.largest_shift).all()


def _again(panel, a, **options):
    """Values by label of calibrating without an assessor."""
    rest = calibrate(panel.subset(panel.assessor_index != a), **options)
    return dict(zip(rest.panel.objects, rest.values, strict=True))


@pytest.mark.parametrize("options", [{}, {"gauge": "equal"}, {"gauge": "reference", "reference": 55.0}])
@pytest.mark.parametrize("shape", [(12, 12, 2), (60, 8, 3), (6, 40, 3)])
def test_the_formula_says_what_calibrating_again_says(shape, options, monkeypatch):
    whole = connected_simulated_panel(*shape, seed=8)
    random = np.random.default_rng(8)
    twice = np.append(np.arange(whole.n_assessments), [0, 5])
    objects = [whole.objects[k] for k in whole.object_index[twice]]
    assessors = [whole.assessors[k] for k in whole.assessor_index[twice]]
    scores = np.append(whole.scores, [61.0, 43.0])
    panel = Panel.from_records(objects, assessors, scores, random.choice([0.1, 1.0, 3.0, 10.0], len(scores)))
    base = calibrate(panel, **options)
    refits = []
    monkeypatch.setattr(assessor_left_out, "calibrate", lambda *given, **named: refits.append(given))
    found = assessors_left_out(base)
    assert not refits
    before = dict(zip(panel.objects, base.values, strict=True))
    for a in np.flatnonzero(~found.splits):
        shifts = {label: abs(value - before[label]) for label, value in _again(panel, a, **options).items()}
        assert found.largest_shift[a] == pytest.approx(max(shifts.values()), rel=1e-10, abs=1e-11)
        assert shifts[panel.objects[found.moved_most[a]]] == pytest.approx(max(shifts.values()), rel=1e-9, abs=1e-11)


def test_where_the_formula_would_lose_digits_the_panel_is_calibrated_again():
    scores = [[50.0, 60.0, 58.0], [52.0, 66.0, 61.0], [np.nan, 58.0, 70.0], [np.nan, 61.0, 72.0]]
    weak = [[1.0, 1.0, 1e-9], [1.0, 1.0, 1e-9], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    panel = Panel.from_matrix(scores, weak)
    base = calibrate(panel)
    found = assessors_left_out(base)
    assert not found.splits.any()
    before = dict(zip(panel.objects, base.values, strict=True))
    expected = [max(abs(v - before[label]) for label, v in _again(panel, a).items()) for a in range(3)]
    assert found.largest_shift == pytest.approx(expected, rel=1e-10)


def test_of_objects_that_move_alike_the_first_is_named():
    panel = Panel.from_matrix([[50.0, 60.0, 48.0], [52.0, 66.0, np.nan], [57.0, 61.0, np.nan]])
    assert assessors_left_out(calibrate(panel)).moved_most[2] == 0
