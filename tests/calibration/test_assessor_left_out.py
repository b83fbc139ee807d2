"""Leaving an assessor out, against doing it by label."""

import numpy as np
import pytest

from panelcal import Panel, calibrate
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
        assert panel.objects[found.moved_most[a]] == max(shifts, key=shifts.get)
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
