"""What a chair or a secretary reads: figures that agree from sheet to sheet, and nothing said of what is not there."""

from dataclasses import replace

import numpy as np
import pytest

from panelcal import Panel
from panelcal.reading.nouns import Nouns
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from questions import questions_of
from readings import reading_of

pytestmark = pytest.mark.slow

RUN = RunFacts(created="2026-01-02T03:04:05")


def _jury(biases, *, confidences=None):
    """A jury in which each sees three of every four, scores without noise but for a pattern of half points."""
    n, m = 24, len(biases)
    objects, assessors = zip(*[(o, a) for o in range(n) for a in range(m) if (o + a) % 4], strict=True)
    objects, assessors = np.array(objects), np.array(assessors)
    scores = 40.0 + objects + np.array(biases)[assessors] + 0.5 * ((objects * 7 + assessors * 3) % 5 - 2)
    return Panel.from_records(objects, [f"J{a + 1:02d}" for a in assessors], scores, confidences)


def _without_confidences(panel):
    reading = reading_of(panel)
    return compute_results(replace(reading, nouns=Nouns("Competitor", "Juror", "Score"), declared=()))


def _texts(report, name):
    sheet = next(sheet for sheet in report.sheets if sheet.name == name)
    return [sheet.explanation, *(note.text for note in sheet.notes), *(chart.title for chart in sheet.charts)]


@pytest.fixture(scope="module")
def leaning():
    """Results of a jury of which four score far above the other six."""
    return compute_results(reading_of(_jury([6, 6, 7, 8, 0, 0, 1, 0, -1, 0])))


def test_a_note_against_the_rest_says_from_where_it_is_counted(leaning):
    report = build_report(leaning, RUN)
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal assessors")
    (said,) = [note.text for note in sheet.notes if note.text.startswith("Against the rest")]
    centre = float(said.split("counted from ")[1].split(",")[0])
    table = sheet.tables[0]
    columns = {column.heading: column.cells for column in table.columns}
    noted = [
        (float(bias), float(note.split(" by ")[1].split(" against")[0]))
        for bias, note in zip(columns["Bias"], columns["Note"], strict=True)
        if note.startswith("Clearly generous")
    ]
    assert len(noted) == 5 and min(bias for bias, _ in noted) < 0  # generous, and below the zero of the whole panel
    for bias, off in noted:
        assert bias - centre == pytest.approx(off, abs=0.1)
    printed = max(block.last_row for block in sheet.printed)
    assert {note.row for note in sheet.notes if note.text.startswith(("Against", "Not printed"))} <= set(
        range(table.last_row, printed + 1)
    )


def test_where_nobody_is_off_nothing_is_said_of_the_rest():
    report = build_report(compute_results(reading_of(_jury([0, 0, 0, 0, 0, 0]))), RUN)
    assert not any(text.startswith("Against the rest") for text in _texts(report, "Cal assessors"))


def test_where_all_count_alike_cal_methods_does_not_speak_of_confidences(leaning):
    said = " ".join(_texts(build_report(_without_confidences(leaning.panel), RUN), "Cal methods"))
    assert "what confidences" not in said and "Without confidences" not in said and "If the confidences" not in said
    assert "All scores count alike" in said and "Calibrating moves" in said
    with_them = _jury(
        [6, 6, 7, 8, 0, 0, 1, 0, -1, 0], confidences=np.resize([10.0, 20.0, 15.0], leaning.panel.n_assessments)
    )
    said = " ".join(_texts(build_report(compute_results(reading_of(with_them)), RUN), "Cal methods"))
    assert "what calibrating and what credits change" in said and "Without credits, calibrating moves" in said


def test_two_methods_that_are_best_alike_are_not_called_undecided(leaning):
    report = build_report(_without_confidences(leaning.panel), RUN)
    titles = [title for title in _texts(report, "Cal methods") if "left-out score best" in title]
    assert any(title.startswith("2 of 4 methods guess") for title in titles)
    assert not any(title.startswith("No method guesses") for title in titles)


def test_a_change_too_small_to_show_is_below_a_tenth_on_the_tile_and_in_the_sentence(leaning):
    moved = np.where(np.arange(leaning.panel.n_objects), 0.02, 3.0)
    front = build_report(replace(leaning, raw=leaning.values - moved), RUN).sheets[0].front
    assert front.tiles[0].figure == "<0.1" and "less than 0.1" in front.sentence


def test_what_changed_says_no_value_rather_than_0_values(leaning):
    words = questions_of(build_report(leaning, RUN))["What changed"][1]
    assert words.startswith("No value unchanged to one decimal.")


def test_of_a_method_that_is_no_calibration_it_is_not_said_that_calibrating_is_worth_doing(leaning):
    results = compute_results(reading_of(leaning.panel, method="kemeny"))
    summary = build_report(results, RUN).sheets[0]
    assert summary.front.sentence.startswith("Calibrating by Fewest reversals moves")
    assert "worth" not in summary.front.sentence and "averages" not in summary.front.sentence
    ranked = next(table for table in summary.tables if table.name == "ranked")
    for column in ranked.columns:
        assert any(cell is not None for cell in column.cells), column.heading
