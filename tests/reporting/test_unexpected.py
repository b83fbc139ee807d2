"""Unexpected scores: each with its fitted value, and where it is told."""

import re

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.reading.settings import Band
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.outcome import outcome_sentences
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.calibration.unexpected import standardised_residuals, unexpected_scores
from panelcal.systems.calibration.why import explain_value, explain_values
from panels import connected_simulated_panel, simulated_panel
from questions import questions_of
from readings import reading_of

SPOILT, ALSO = 17, 101


@pytest.fixture(scope="module")
def results():
    """A panel in which one mark is 60 too low and another 60 too high."""
    panel = connected_simulated_panel(40, 8, 5, seed=3)
    scores = panel.scores.copy()
    scores[SPOILT] -= 60
    scores[ALSO] += 60
    objects = [panel.objects[k] for k in panel.object_index]
    assessors = [panel.assessors[k] for k in panel.assessor_index]
    spoilt = Panel.from_records(objects, assessors, scores, panel.confidences)
    return compute_results(reading_of(spoilt, bands=(Band("Pass", 50.0), Band("Fail", 0.0))))


def test_the_score_is_named_with_its_fitted_value(results):
    panel = results.panel
    k = SPOILT
    assert unexpected_scores(results)[k]
    o, a = int(panel.object_index[k]), panel.assessors[panel.assessor_index[k]]
    calibration = calibrate(panel)
    fits = calibration.values[o] + calibration.biases[panel.assessor_index[k]]
    texts = explain_values(results, classify(results))
    told = re.search(rf"Unexpected: {re.escape(a)} \((-?[\d.]+), where (-?[\d.]+) would fit\)", texts[o])
    assert float(told[1]) == pytest.approx(panel.scores[k], rel=1e-4)
    assert float(told[2]) == pytest.approx(fits, abs=0.051)
    assert sum("Unexpected" in text for text in texts) == len(
        set(panel.object_index[unexpected_scores(results)].tolist())
    )


def test_the_student_is_not_told(results):
    at = int(results.panel.object_index[SPOILT])
    assert "Unexpected" not in explain_value(results, classify(results), at)


def test_a_case_with_an_unexpected_mark_says_so_on_the_page_for_the_board(results):
    """Whether it crosses a boundary or is borderline."""
    k = SPOILT
    assert unexpected_scores(results)[k]
    at, assessor = results.panel.object_index[k], results.panel.assessors[results.panel.assessor_index[k]]
    label, low, high = results.panel.objects[at], *sorted((results.raw[at], results.values[at]))
    objects = results.panel.objects
    concerned = {objects[o] for o in results.panel.object_index[unexpected_scores(results)]}
    found, told, expected = [], set(), set()
    for boundary, zone in (((low + high) / 2, 0.0), (high + 0.01, 5.0)):
        bands = (Band("Pass", float(boundary)), Band("Fail", 0.0))
        reading = reading_of(results.panel, bands=bands, borderline_zone=zone, borderline_credit_share=0.0)
        for table in build_report(compute_results(reading), RunFacts(created="2026-01-02")).sheets[0].tables:
            if table.name == "cases":
                words = dict(zip(table.columns[0].cells, table.columns[2].cells, strict=True))
                found += [(boundary, words[label])] if label in words else []
                told |= {name for name, text in words.items() if "; unexpected: " in text}
                expected |= words.keys() & concerned
    assert len({boundary for boundary, _ in found}) == 2  # crosses the one, and is borderline to the other
    assert all(assessor in text.partition("; unexpected: ")[2].split(", ") for _, text in found)
    assert told == expected


def test_all_are_named_with_their_cells_the_most_unexpected_first(results):
    panel = results.panel
    size = np.abs(standardised_residuals(results))
    found = sorted(np.flatnonzero(unexpected_scores(results)), key=lambda k: -size[k])
    (told,) = (text for text in outcome_sentences(results) if text.startswith("Unexpected marks"))
    assert told.endswith(": " + ", ".join(f"C{k + 2} ({panel.scores[k]:g})" for k in found) + ".")
    assert len(found) > 1


def test_of_two_scores_that_tie_both_are_named():
    """A student with two marks that are 60 apart: which of them is odd cannot be told."""
    panel = simulated_panel(40, 8, 5, seed=3)
    objects = [panel.objects[k] for k in panel.object_index] + ["two", "two"]
    assessors = [panel.assessors[k] for k in panel.assessor_index] + ["0", "1"]
    scores = [*panel.scores, 10.0, 95.0]
    reading = reading_of(Panel.from_records(objects, assessors, scores, [*panel.confidences, 15.0, 15.0]))
    results = compute_results(reading)
    n = len(scores)
    why = explain_values(results, None)[results.panel.objects.index("two")]
    assert re.search(r"Unexpected: one of 0 \(10, where [\d.]+ would fit\) and 1 \(95, where [\d.]+ would fit\)\.", why)
    report = build_report(results, RunFacts(created="2026-01-02"))
    sheets = {sheet.name: sheet for sheet in report.sheets}
    columns = {column.heading: column.cells for column in sheets["Cal residuals"].tables[0].columns}
    notes = dict(zip(columns["Cell"], columns["Note"], strict=True))
    assert notes[f"C{n}"] == f"One of these two: this, or 1 for two (C{n + 1})."
    answers = questions_of(report)
    assert answers["Unexpected marks"][0] == 1
    assert "For 1 of them the fault may lie in either of two" in answers["Unexpected marks"][1]


def test_every_unexpected_score_stands_out_in_the_picture_however_many_there_are():
    panel = connected_simulated_panel(60, 12, 6, seed=3)
    scores = panel.scores.copy()
    scores[[5, 47, 101, 166, 222, 280]] += 70
    objects = [panel.objects[k] for k in panel.object_index]
    assessors = [panel.assessors[k] for k in panel.assessor_index]
    results = compute_results(reading_of(Panel.from_records(objects, assessors, scores, panel.confidences)))
    odd = int(unexpected_scores(results).sum())
    assert odd > 4
    report = build_report(results, RunFacts(created="2026-01-02"))
    (chart,) = next(sheet for sheet in report.sheets if sheet.name == "Cal residuals").charts
    others, *shown = chart.series
    assert others.y.first_row == 5 + odd
    assert sum(one.y.last_row - one.y.first_row + 1 for one in shown) == odd
    assert shown[-1].name == f"{odd - 3} more that are unexpected"
