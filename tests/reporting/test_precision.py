"""Figures that are estimates say so on the sheets they stand on."""

from dataclasses import replace

import numpy as np
import pytest

from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.precision import estimated_figures, precision_notes, precision_rows
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from readings import reading_of


@pytest.fixture(scope="module")
def results():
    return compute_results(reading_of(connected_simulated_panel(30, 8, 4, seed=3)))


def test_on_an_ordinary_panel_everything_is_exact_and_the_audit_says_so(results):
    assert estimated_figures(results) == () and precision_notes(results) == ()
    assert "exact" in precision_rows(results)[0][3]


def test_estimates_are_labelled_with_their_own_error_on_values_residuals_and_audit(results):
    proven = results.robustness.sensitivities_proven & (np.arange(30) > 4)
    estimated = replace(
        results,
        uncertainty=replace(results.uncertainty, stated_error=0.08, method="estimated from 64 random solutions"),
        robustness=replace(results.robustness, sensitivities_proven=proven),
    )
    said = " ".join(estimated_figures(estimated))
    assert "estimated from 64 random solutions, each within about 8%" in said
    assert "For 5 of 30 " in said
    report = build_report(estimated, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}))
    sheets = {sheet.name: sheet for sheet in report.sheets}
    for name in ("Cal values", "Cal residuals"):
        assert any(note.row == 3 and note.text.startswith("Estimates: ") for note in sheets[name].notes)
    audit = sheets["Cal audit"].tables[0]
    assert 0.08 in list(audit.columns[2].cells)
