"""What is to be looked at before the results: slips first, codes together, and a verdict that waits for slips."""

import dataclasses

import pytest

from panelcal.reading.decisions import About, Decision
from panelcal.reporting.cautions import cautions, codes_left_out, until_slips_are_corrected
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.outcome import outcome_sentences
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of


def code(name, *cells):
    sentence = f'"{name}" in {", ".join(cells)} was taken as not assessed.'
    return Decision(About.CODE_EXCLUDED, cells, sentence, "warning", "Marks", len(cells), name)


HIDDEN = Decision(About.HIDDEN_INCLUDED, ("C3",), "A hidden column was read.", "warning", "Marks")
SLIP = Decision(About.FAR_ABOVE, ("F19",), "F19 holds 645.", "warning", "Marks")
ODD = Decision(About.FAR_OFF, ("G7", "H7"), "G7 and H7 are far off.", "warning", "Marks")
ADDED = Decision(About.CRITERIA_ADDED_UP, ("C5:C9",), "Each mark is a sum.", "warning", "Marks")
MEAN = Decision(About.TOTAL_OR_STATISTIC, ("Z5:Z9",), "Not read, going by the heading: Mean.", "note", "Marks")


def test_slips_come_first_and_codes_last_in_one_sentence_that_counts_them():
    *first, together = cautions([ADDED, code("ABS", "C4", "C9"), HIDDEN, SLIP, MEAN, code("MC", "D4"), ODD])
    assert first == [SLIP.sentence, ODD.sentence, HIDDEN.sentence, ADDED.sentence]
    assert together.startswith('Taken as not assessed: "ABS" in C4, C9, "MC" in D4. ')
    assert "zero" in together


def test_a_single_code_keeps_its_own_sentence_with_its_cells():
    assert cautions([code("ABS", "C4", "C9")]) == ('"ABS" in C4, C9 was taken as not assessed.',)
    assert cautions([MEAN]) == ()


def test_codes_of_several_sheets_are_counted_together():
    assert codes_left_out([code("ABS", "C4"), code("ABS", "D4", "E4"), SLIP]) == '"ABS" (3)'
    assert codes_left_out([SLIP]) == ""


@pytest.mark.parametrize("slip", [SLIP, ODD])
def test_while_a_slip_stands_in_the_sheet_the_verdict_is_called_provisional(slip):
    reading = reading_of(connected_simulated_panel(30, 6, 4, seed=9))
    plain = compute_results(reading)
    results = compute_results(dataclasses.replace(reading, decisions=(slip,)))
    warned = f"First look at {', '.join(slip.cells)}: until then this says little. "
    first = f"First look at {', '.join(slip.cells)}: a slip can turn every result."
    assert outcome_sentences(results)[0].startswith(first)
    assert outcome_sentences(results)[1:] == outcome_sentences(plain)[1:]
    verdict = outcome_sentences(plain)[0]
    report = build_report(results, RunFacts(created="2026-01-02"))
    assert questions_of(report)["Is calibrating worthwhile?"][1].startswith(warned + verdict)
    assert report.sheets[0].front.sentence.startswith(f"First look at {', '.join(slip.cells)}, ")
    assert report.sheets[0].front.tiles[-1].figure == slip.cells[0] and report.sheets[0].front.tiles[-1].asks
    assert until_slips_are_corrected(plain.reading.decisions) == ""
