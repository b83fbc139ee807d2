"""Worst cases in three norms: against columns of the solution computed one score at a time."""

import numpy as np
import pytest

from panelcal import Panel, calibrate, robustness, uncertainty
from panelcal.calibration.norms import solution_rows, worst_cases
from panels import connected_simulated_panel


@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
@pytest.mark.parametrize("shape", [(12, 5, 3), (5, 14, 8)])
def test_rows_are_what_changing_one_score_does(shape, gauge):
    panel = connected_simulated_panel(*shape, seed=1)
    reference = 50.0 if gauge == "reference" else None
    fit = calibrate(panel, gauge=gauge, reference=reference)
    moved = np.empty((panel.n_objects, panel.n_assessments))
    for k in range(panel.n_assessments):
        scores = panel.scores.copy()
        scores[k] += 1
        other = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        order = [other.objects.index(str(o)) for o in range(panel.n_objects)]
        moved[:, k] = calibrate(other, gauge=gauge, reference=reference).values[order] - fit.values
    assert solution_rows(fit, np.arange(panel.n_objects)) == pytest.approx(moved, abs=1e-9)
    found = worst_cases(fit)
    in_deviations = np.abs(moved) / np.sqrt(panel.confidences)
    assert found.sum_norm == pytest.approx(in_deviations.max(axis=1), abs=1e-9)
    assert found.supremum_norm == pytest.approx(in_deviations.sum(axis=1), abs=1e-9)
    assert found.every_score == pytest.approx(np.abs(moved).sum(axis=1), abs=1e-9)


@pytest.mark.parametrize("gauge", ["weighted", "equal"])
def test_the_papers_norm_gives_the_unit_standard_error_and_lies_between_the_others(gauge):
    fit = calibrate(connected_simulated_panel(40, 9, 4, seed=2), gauge=gauge)
    found = worst_cases(fit)
    assert found.paper_norm == pytest.approx(uncertainty(fit).unit_value_errors, rel=1e-9)
    assert (found.sum_norm <= found.paper_norm).all()
    assert (found.paper_norm <= found.supremum_norm).all()
    assert (found.supremum_norm <= np.sqrt(fit.panel.n_assessments) * found.paper_norm).all()


def test_with_equal_confidences_the_sum_norm_is_the_sensitivity_to_single_scores():
    panel = connected_simulated_panel(30, 8, 3, seed=3)
    fit = calibrate(panel.with_confidences(np.ones(panel.n_assessments)))
    assert worst_cases(fit).sum_norm == pytest.approx(robustness(fit).value_sensitivities, rel=1e-9)
