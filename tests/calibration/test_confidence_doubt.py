"""Values under wrong confidences, against calibrating again with other confidences."""

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate
from panelcal.calibration.confidence_doubt import confidence_doubt, log_slopes
from panels import connected_simulated_panel

STEP = 1e-5
GAUGES = [("weighted", None), ("equal", None), ("reference", None), ("reference", 55.0)]


def with_confidences(panel: Panel, confidences: np.ndarray) -> Panel:
    return Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, panel.scores, confidences)


def slopes_by_refitting(panel: Panel, gauge: str, reference: float | None) -> np.ndarray:
    columns = []
    for k in range(panel.n_assessments):
        ends = []
        for sign in (1, -1):
            confidences = panel.confidences.copy()
            confidences[k] *= np.exp(sign * STEP)
            ends.append(calibrate(with_confidences(panel, confidences), gauge=gauge, reference=reference).values)
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.array(columns).T


@pytest.mark.parametrize("shape", [(9, 5, 3), (5, 9, 4)])
@pytest.mark.parametrize(("gauge", "reference"), GAUGES)
def test_slopes_and_typical_moves_are_those_of_refits(shape, gauge, reference):
    panel = connected_simulated_panel(*shape, seed=6)
    calibration = calibrate(panel, gauge=gauge, reference=reference)
    expected = slopes_by_refitting(panel, gauge, reference)
    assert log_slopes(calibration, np.arange(panel.n_assessments)) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    found = confidence_doubt(calibration, factor=3.0)
    assert found.typical_moves == pytest.approx(np.log(3) * np.sqrt((expected**2).sum(axis=1)), rel=1e-5)


def test_moves_are_those_of_confidences_drawn_wrong():
    panel = connected_simulated_panel(9, 6, 4, seed=6)
    calibration = calibrate(panel)
    random = np.random.default_rng(0)
    moved = [
        calibrate(
            with_confidences(panel, panel.confidences * np.exp(0.1 * random.standard_normal(len(panel.scores))))
        ).values
        - calibration.values
        for _ in range(600)
    ]
    found = confidence_doubt(calibration, factor=float(np.exp(0.1))).typical_moves
    assert np.sqrt(np.mean(np.square(moved), axis=0)) == pytest.approx(found, rel=0.12)


def test_slopes_of_one_value_add_up_to_nothing_for_a_common_factor():
    calibration = calibrate(connected_simulated_panel(9, 5, 3, seed=6))
    slopes = log_slopes(calibration, np.arange(calibration.panel.n_assessments))
    assert np.abs(slopes.sum(axis=1)).max() < 1e-9 * np.abs(slopes).max() * slopes.shape[1]


def test_a_factor_of_one_or_less_is_no_doubt():
    with pytest.raises(MethodNotApplicable, match="above 1"):
        confidence_doubt(calibrate(Panel.from_matrix([[50.0, 60.0], [55.0, 64.0]])), factor=1.0)
