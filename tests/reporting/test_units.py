"""Confidences and scores in any units, up to the limits of what is accepted."""

import numpy as np
import pytest

from panelcal import Panel
from panelcal.errors import LARGEST
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from readings import reading_of


@pytest.fixture(scope="module")
def panel():
    return connected_simulated_panel(12, 5, 3, seed=1)


@pytest.mark.parametrize("unit", [1e-48, 1e-20, 1e20, 1e48])
def test_the_unit_of_confidences_changes_nothing_but_w_and_bounds(panel, unit):
    ordinary = compute_results(reading_of(panel))
    in_units = compute_results(reading_of(panel.with_confidences(panel.confidences * unit)))
    assert in_units.values == pytest.approx(ordinary.values, rel=1e-12)
    assert in_units.value_errors == pytest.approx(ordinary.value_errors, rel=1e-10)
    assert in_units.calibration.w_unbiased == pytest.approx(unit * ordinary.calibration.w_unbiased, rel=1e-10)
    assert in_units.robustness.mu2 == pytest.approx(ordinary.robustness.mu2, rel=1e-10)
    worst = in_units.robustness.worst_cases * np.sqrt(unit)
    assert worst == pytest.approx(ordinary.robustness.worst_cases, rel=1e-10)
    assert in_units.verdict.advice == ordinary.verdict.advice


@pytest.mark.parametrize(("unit", "confidence"), [(1e-48, 1.0), (1e-90, 1.0), (1e47, 1e48), (1e47, 1e-48)])
def test_the_unit_of_scores_goes_through_to_the_values(panel, unit, confidence):
    ordinary = compute_results(reading_of(panel))
    pairs = [panel.objects[k] for k in panel.object_index], [panel.assessors[k] for k in panel.assessor_index]
    other = Panel.from_records(*pairs, panel.scores * unit, panel.confidences * confidence)
    in_units = compute_results(reading_of(other))
    assert np.abs(other.scores).max() < LARGEST
    assert in_units.values / unit == pytest.approx(ordinary.values, rel=1e-12)
    assert in_units.value_errors / unit == pytest.approx(ordinary.value_errors, rel=1e-10)
    assert in_units.verdict.advice == ordinary.verdict.advice
