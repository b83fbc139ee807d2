"""The page for the Board: what is said first, what is watched, who is named, and the figures at the end."""

import dataclasses
import re

import numpy as np
import pytest

from panelcal import Panel, assessor_differences, calibrate, fit, probability_at_or_above, robustness
from panelcal.files.load import load_source
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, address
from panelcal.reading.settings import Band
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.up_to_date import watched_block
from panelcal.run import understand
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.outcome import outcome_sentences
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.choices import Choices
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of

CREATED = "2026-01-02T03:04:05"


@pytest.fixture(scope="module")
def panel():
    return connected_simulated_panel(30, 6, 4, seed=9)


def summary_of(reading, grid=None):
    return build_report(compute_results(reading), RunFacts(created=CREATED, input_grid=grid)).sheets[0]


def rows_of(reading):
    return questions_of(build_report(compute_results(reading), RunFacts(created=CREATED)))


def table_named(sheet, name):
    return next((table for table in sheet.tables if table.name == name), None)


def credits_beside(panel, **changed):
    """The sheet of `reading_of`: marks in column C, credits in D."""
    rows = [("Student", "Module", "Mark", "Credits")]
    rows += [("s", "m", float(s), float(c)) for s, c in zip(panel.scores, panel.confidences, strict=True)]
    cells = [list(row) for row in rows]
    for cell, value in changed.items():
        cells[int(cell[1:]) - 1][ord(cell[0]) - ord("A")] = value
    return Grid("Marks", tuple(map(tuple, cells)))


def with_credits(reading):
    span = f"D2:D{reading.panel.n_assessments + 1}"
    return dataclasses.replace(reading, confidence_block=span)


def test_warnings_of_the_reader_come_first_and_a_slip_of_the_pen_before_the_others(panel):
    decisions = (
        Decision(About.HIDDEN_INCLUDED, ("C3",), "A hidden column was read.", "warning", "Marks"),
        Decision(About.FAR_ABOVE, ("F19",), "F19 holds 645: a slip.", "warning", "Marks"),
        Decision(About.CODE_EXCLUDED, ("C4",), "ABS was left out.", "note", "Marks", 1),
    )
    reading = dataclasses.replace(reading_of(panel), decisions=decisions)
    assert next(iter(rows_of(reading).items())) == (
        "Warnings when reading", (2, "First: F19 holds 645: a slip. The others stand below.")
    )  # fmt: skip
    assert "Warnings when reading" not in rows_of(reading_of(panel))
    check = summary_of(reading).front.checks[0]
    assert (check.name, check.fine) == ("Reading", False)
    assert check.words == "First: F19 holds 645: a slip. 1 other on Cal audit."
    assert summary_of(reading_of(panel)).front.checks[0].fine


def test_the_line_up_to_date_says_what_is_watched_and_what_is_not(panel):
    plain = np.ones(panel.n_assessments, dtype=bool)
    plain[:3] = False
    reading = dataclasses.replace(with_credits(reading_of(panel)), plain_scores=plain)
    note = summary_of(reading, credits_beside(panel)).notes[0]
    assert note.text == (
        f"Up to date: the {panel.n_assessments - 3} marks stored as numbers and the credits are those calibrated on "
        "2026-01-02. Not watched: 3 marks not stored as plain numbers, names, codes, Settings."
    )
    note = summary_of(reading, credits_beside(panel, D5="15")).notes[0]
    assert note.text.endswith("Not watched: 3 marks not stored as plain numbers, credits, names, codes, Settings.")
    assert "SUMPRODUCT" not in note.formula


@pytest.mark.slow
def test_a_panel_of_which_the_proof_is_a_sample_says_how_many_marks_are_watched():
    panel = connected_simulated_panel(2200, 12, 5, seed=2)
    report = build_report(
        compute_results(reading_of(panel)), RunFacts(created=CREATED, input_grid=credits_beside(panel))
    )
    listed = next(sheet for sheet in report.sheets if sheet.name == "Cal proof").tables[0].n_rows
    text = report.sheets[0].notes[0].text
    assert text.startswith(f"Up to date: the {listed:,} marks")
    assert f"{panel.n_assessments - listed:,} marks outside the sample on Cal proof" in text


@pytest.mark.parametrize("change", [{"D2": 1e-6}, {"D2": 45.0, "D3": 15.0}])
def test_the_sum_that_is_watched_tells_a_change_and_an_exchange(panel, change):
    reading = with_credits(reading_of(panel))
    block = reading.confidence_block
    before = watched_block(credits_beside(panel, D2=15.0, D3=45.0), block)
    after = watched_block(credits_beside(panel, **{"D2": 15.0, "D3": 45.0, **change}), block)
    assert before.count == after.count == panel.n_assessments
    assert abs(before.total - after.total) > 1e-12 * before.total


def test_credits_that_are_text_or_on_another_sheet_are_not_watched(panel):
    reading = with_credits(reading_of(panel))
    assert watched_block(credits_beside(panel, D7="15"), reading.confidence_block) is None
    note = summary_of(dataclasses.replace(reading, confidence_block=""), credits_beside(panel)).notes[0]
    assert "Not watched: credits" in note.text


def test_scores_set_aside_are_named_with_their_cells_and_the_verdict_says_what_it_is_about(panel):
    scores = panel.scores.copy()
    scores[7] = 645.0
    spoiled = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
    reading = reading_of(spoiled, method="bisquare")
    rows = rows_of(reading)
    student, module = (labels[index[7]] for labels, index in (
        (spoiled.objects, spoiled.object_index), (spoiled.assessors, spoiled.assessor_index)
    ))  # fmt: skip
    weights = fit(spoiled, "bisquare").detail.weights
    assert (weights == 0).sum() == 1
    assert rows["Marks set aside"] == (
        1,
        f"1 of {spoiled.n_assessments} marks was set aside: 645 for {student} in {module} (cell C9). Correct it if it "
        "is a slip.",
    )
    assert "1 of" in rows["Values by: Bisquare"][1] and "scores was set aside" in rows["Values by: Bisquare"][1]
    assert rows["Marks set aside"][1] in outcome_sentences(compute_results(reading))
    heading = "For calibration with confidence, with all marks: "
    assert rows["Is calibration with confidence worthwhile?"][1].startswith(heading)
    assert any(sentence.startswith(heading) for sentence in outcome_sentences(compute_results(reading)))
    sizes = np.abs(fit(spoiled, "bisquare").values - compute_results(reading).raw)
    assert f"typical change {np.median(sizes):.1f}." in rows["What changed"][1]


def test_a_choice_on_the_command_line_is_told_beside_what_the_sheet_says(panel):
    settings = reading_of(panel).settings
    decided = (
        Decision(About.SETTINGS, (), "The sheet Settings leaves every setting at its default.", sheet="Settings"),
    )
    reading = dataclasses.replace(reading_of(panel, gauge="equal"), settings_on_sheet=settings, decisions=decided)
    said = "Chosen for this run; the sheet Settings says weighted."
    report = build_report(compute_results(reading), RunFacts(created=CREATED))
    assert questions_of(report)["Zero of the biases (gauge)"] == ("equal", said)
    audit = next(sheet for sheet in report.sheets if sheet.name == "Cal audit").tables[0]
    rows = list(zip(*(column.cells for column in audit.columns), strict=True))
    assert ("Option", "Gauge", "equal", said) in rows
    assert ("Option", "Method", "confidence", "") in rows
    alone = dataclasses.replace(reading, decisions=())
    assert rows_of(alone)["Zero of the biases (gauge)"] == ("equal", "Chosen for this run.")
    assert "Zero of the biases (gauge)" not in rows_of(reading_of(panel, gauge="equal"))


def test_a_run_remembers_what_the_workbook_says_only_where_a_choice_stands_over_it(example):
    source = load_source(example)
    chosen = understand(source, Choices(gauge="equal"))
    assert (chosen.settings.gauge, chosen.settings_on_sheet.gauge) == ("equal", "weighted")
    assert understand(source, Choices(gauge="weighted")).settings_on_sheet is None
    assert understand(source, Choices()).settings_on_sheet is None


def test_those_who_cross_stand_there_with_their_chance_and_the_borderline_ones_by_name(example_results):
    classes = classify(example_results)
    sheet = build_report(example_results, RunFacts(created=CREATED)).sheets[0]
    cases = {column.heading: column.cells for column in table_named(sheet, "cases").columns}
    said = dict(zip(cases["Student"], cases["Why it is a case"], strict=True))
    moved = [example_results.panel.objects[k] for k in np.flatnonzero(classes.before != classes.after)]
    assert list(said)[: len(moved)] == sorted(
        moved, key=lambda label: -abs(example_results.change[example_results.panel.objects.index(label)])
    )
    for label in moved:
        at = example_results.panel.objects.index(label)
        boundary = classes.bands[min(classes.before[at], classes.after[at])].lowest
        chance = 100 * probability_at_or_above(example_results.calibration, boundary)[at]
        assert said[label].startswith(f"{chance:.0f}% likely to be at or above {boundary:g}")
    flagged = {
        label: phrase for label, phrase in zip(example_results.panel.objects, classes.borderline, strict=True) if phrase
    }
    assert {label: words for label, words in said.items() if label not in moved} == flagged


@pytest.mark.parametrize("suffix", ["", " 2"])
def test_each_case_leads_to_its_row_on_cal_values_and_shows_what_was_decided_there(example_results, suffix):
    report = build_report(example_results, RunFacts(created=CREATED, suffix=suffix))
    (values,) = report.sheets[1].tables
    decided = values.cell_range("Board decision")
    table = table_named(report.sheets[0], "cases")
    labels, decisions = table.columns[0], table.columns[-1]
    assert decisions.heading == "Board decision" and len(labels.cells) > 3
    for label, link, formula in zip(labels.cells, labels.links, decisions.formulas, strict=True):
        row = decided.first_row + list(values.columns[0].cells).index(label)
        assert link == f"#'Cal values{suffix}'!A{row}"
        place = f"'Cal values{suffix}'!{address(row, decided.first_column)}"
        assert formula == f'=IF({place}="","",{place})'


def test_who_crosses_and_is_borderline_too_is_one_case(panel):
    """Classes so narrow that whoever crosses into one is close to the next."""
    bands = (*(Band(f"From {edge}", float(edge)) for edge in range(80, 30, -3)), Band("Low", 0.0))
    results = compute_results(reading_of(panel, bands=bands, borderline_zone=3.0, borderline_credit_share=0.0))
    classes = classify(results)
    crosses = {panel.objects[k] for k in np.flatnonzero(classes.before != classes.after)}
    sheet = build_report(results, RunFacts(created=CREATED)).sheets[0]
    listed = table_named(sheet, "cases").columns
    assert len(set(listed[0].cells)) == len(listed[0].cells)
    both = 0
    for label, words in zip(listed[0].cells, listed[2].cells, strict=True):
        if label in crosses:
            phrase = classes.borderline[panel.objects.index(label)]
            assert phrase in words and words != phrase
            both += bool(phrase)
    assert both > 3


def test_the_assessors_clearly_off_the_rest_are_named_those_who_lean_most_first(panel):
    scores = panel.scores + 30.0 * (panel.assessor_index == 0) - 25.0 * (panel.assessor_index == 1)
    panel = Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, panel.confidences)
    found = assessor_differences(calibrate(panel))
    off = sorted(
        (k for k in range(panel.n_assessors) if found.adjusted_p_values[k] <= 0.05), key=lambda k: -abs(found.biases[k])
    )
    answer, words = rows_of(reading_of(panel))["Modules clearly off the rest"]
    assert answer == len(off) >= 2
    named = re.findall(r"(\S+) \((generous|severe) by ([\d.]+)(?: against the rest)?\)", words)
    assert [name for name, _, _ in named] == [panel.assessors[k] for k in off[:3]]
    for (_, side, size), k in zip(named, off, strict=False):
        bias = found.biases[k]
        assert float(size) == pytest.approx(abs(bias), abs=0.051) and (side == "generous") == (bias > 0)


def test_the_heading_of_the_paper_stands_above_what_was_calibrated(panel):
    plain = summary_of(reading_of(panel))
    sheet = summary_of(reading_of(panel, heading="Board of Examiners, June 2026"))
    assert plain.title == "Calibration of marks.xlsx, sheet Marks"
    assert sheet.title == "Board of Examiners, June 2026"
    assert sheet.explanation == f"{plain.title}. {plain.explanation}"


def test_papers_of_several_criteria_are_told_apart_by_their_first_line(panel):
    sheet = summary_of(reading_of(panel, score_column="Originality"))
    assert sheet.title == "Calibration of marks.xlsx, sheet Marks, Originality"
    headed = summary_of(reading_of(panel, score_column="Originality", heading="Spring round"))
    assert headed.explanation.startswith("Calibration of marks.xlsx, sheet Marks, Originality. ")


def test_there_is_room_to_decide_and_to_sign_with_and_without_classes(panel):
    for reading in (reading_of(panel), reading_of(panel, bands=())):
        sheet = summary_of(reading)
        assert len([note.text for note in sheet.notes if "Chair ____" in note.text]) == 1
        name = "cases" if reading.settings.bands else "ranked"
        assert table_named(sheet, name).columns[-1].heading == "Board decision"


def test_a_row_that_stands_for_nobody_leads_nowhere(panel):
    zone = {"bands": (Band("High", 200.0), Band("Low", 0.0)), "borderline_credit_share": 0.0}
    table = table_named(summary_of(reading_of(panel, borderline_zone=500.0, **zone)), "cases")
    assert [link is None for link in table.columns[0].links] == [False] * 14 + [True]
    for column in (table.columns[1], table.columns[-1]):
        assert [formula is None for formula in column.formulas] == [False] * 14 + [True]


def test_many_borderline_students_are_cut_short_with_their_number_and_none_leave_no_table(panel):
    zone = {"bands": (Band("High", 200.0), Band("Low", 0.0)), "borderline_credit_share": 0.0}
    many = table_named(summary_of(reading_of(panel, borderline_zone=500.0, **zone)), "cases")
    assert list(many.columns[0].cells)[-1] == f"and {panel.n_objects - 14} more"
    assert len(many.columns[0].cells) == 15
    assert table_named(summary_of(reading_of(panel, borderline_zone=0.0, **zone)), "cases") is None


def test_the_figures_for_the_statistician_stand_together_at_the_end(panel):
    results = compute_results(reading_of(panel))
    rows = rows_of(reading_of(panel))
    report = build_report(results, RunFacts(created=CREATED))
    last = list(questions_of(report, "For the statistician"))
    assert list(rows)[-len(last) :] == last == [
        "N - p (degrees of freedom)", "R (weighted residual sum)", "w = R/N", "w = R/(N - p)",
        "Links (mu_2, 0 to 1)", "Proven error of the values",
    ]  # fmt: skip
    assert rows["Links (mu_2, 0 to 1)"][0] == robustness(results.calibration).mu2
    unknowns = panel.n_objects + panel.n_assessors - 1
    assert f"N = {panel.n_assessments} marks; p = {unknowns} unknowns" in rows["N - p (degrees of freedom)"][1]
    assert not any(
        "mu_2" in question or "eq. (" in said for question, (_, said) in rows.items() if question not in last
    )
    assert "by how many marks a figure is typically off" in rows["Is calibrating worthwhile?"][1]


def test_that_generous_assessors_are_flatter_is_said_only_where_it_is_clear():
    random = np.random.default_rng(1)
    objects, biases = np.repeat(np.arange(60), 8), random.normal(0, 10, 20)
    assessors = np.concatenate([random.choice(20, 8, replace=False) for _ in range(60)])
    values, noise = random.normal(0, 9, 60)[objects], random.normal(0, 5, 480)
    for theta, said in ((0.0, False), (-0.04, True)):
        scores = 60 + biases[assessors] + (1 + theta * biases[assessors]) * values + noise
        rows = rows_of(reading_of(Panel.from_records(objects, assessors, scores)))
        assert ("Are generous modules flatter?" in rows) == said
    assert "The method spread allows for it" in rows["Are generous modules flatter?"][1]
    turned = rows_of(reading_of(Panel.from_records(objects, assessors, scores), higher_is_better=False))
    assert "Are severe modules flatter?" in turned  # where 1 is best, who gives more is severe
