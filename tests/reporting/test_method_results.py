"""Cal methods beyond the paper's four: named methods side by side, and what predicts left-out scores best."""

import numpy as np
import pytest

from panelcal import Panel, fit, methods, predictive_errors
from panelcal.reading.settings import METHOD_NAMES
from panelcal.reporting.model import Column, Table
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration import method_results
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.method_charts import places_chart
from panelcal.systems.calibration.method_results import USUAL, compared_methods
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of

HEADINGS = ("Method", "Largest rank change")
USUAL_TITLES = ["Simple average", "Weighted average", "Fisher calibration", "Calibration with confidence"]


@pytest.fixture(scope="module")
def panel():
    return connected_simulated_panel(30, 8, 4, seed=5)


def sheet_of(panel, **settings):
    report = build_report(compute_results(reading_of(panel, **settings)), RunFacts(created="2026-01-02T03:04:05"))
    return next(sheet for sheet in report.sheets if sheet.name == "Cal methods")


def cells(sheet, table, heading):
    found = next(t for t in sheet.tables if t.name == table)
    return list(next(column for column in found.columns if column.heading == heading).cells)


def order_of(sheet, panel):
    """Place in the panel of the object in each row."""
    return [panel.objects.index(label) for label in sheet.tables[0].columns[0].cells]


def test_the_settings_and_the_registry_know_the_same_methods():
    assert sorted(METHOD_NAMES) == sorted(entry.name for entry in methods())


def test_without_settings_the_usual_four_stand_alone(panel):
    sheet = sheet_of(panel)
    assert [table.name for table in sheet.tables] == [
        "methods",
        "evidence",
        "Fisher drawn",
        "Confidence drawn",
        "Bias drawn",
    ]
    assert [column.heading for column in sheet.tables[0].columns][1:5] == USUAL_TITLES
    assert sorted(cells(sheet, "evidence", "Method")) == sorted(USUAL_TITLES)


def test_a_method_that_is_named_stands_beside_them_with_errors_ranks_and_rank_changes(panel):
    sheet = sheet_of(panel, compare=("bisquare", "median_polish"))
    expected = {name: fit(panel, name) for name in ("bisquare", "median_polish", "confidence")}
    order = order_of(sheet, panel)
    report = build_report(compute_results(reading_of(panel)), RunFacts(created="2026-01-02T03:04:05"))
    assert order == [panel.objects.index(label) for label in report.sheets[1].tables[0].columns[0].cells]
    for title, name in (("Bisquare", "bisquare"), ("Median polish", "median_polish")):
        values = expected[name].values[order]
        assert cells(sheet, "methods", title) == values.tolist()
        places = [1 + int((values > value).sum()) for value in values]
        assert cells(sheet, "ranks", title) == places
        reference = expected["confidence"].values[order]
        before = [1 + int((reference > value).sum()) for value in reference]
        assert cells(sheet, "rank changes", title) == [b - p for b, p in zip(before, places, strict=True)]
    assert cells(sheet, "standard errors", "Bisquare") == expected["bisquare"].value_errors[order].tolist()
    assert set(cells(sheet, "standard errors", "Median polish")) == {None}
    most = {
        title: places for title, places in zip(*(cells(sheet, "evidence", h) for h in HEADINGS), strict=True) if places
    }
    farthest = [title for title in most if most[title] == max(most.values())]
    many, places = len(farthest), max(most.values())
    assert sheet.charts[-1].title == (
        f"{farthest[0]} moves somebody by {places} places, most of all methods"
        if many == 1
        else f"{many} methods move somebody by {places} places, none by more"
    )


def test_where_several_methods_move_somebody_as_far_none_is_named_as_the_furthest():
    columns = (
        Column("Method", ["Simple average", "Weighted average", "HodgeRank on signs"], "text"),
        Column("Largest rank change", [1, 1, 0], "integer"),
    )
    results = compute_results(reading_of(connected_simulated_panel(12, 6, 4, seed=2)))
    chart = places_chart(results, Table(columns, name="evidence"))
    assert chart.title == "2 methods move somebody by 1 place, none by more"


@pytest.mark.slow
def test_every_table_has_each_method_in_the_same_column(panel):
    sheet = sheet_of(panel, compare=METHOD_NAMES)
    values, ranks = (next(t for t in sheet.tables if t.name == name) for name in ("methods", "ranks"))
    for column in ranks.columns[1:]:
        assert ranks.column_number(column.heading) == values.column_number(column.heading)


def test_a_method_that_does_not_apply_stands_there_with_its_sentence(panel):
    scores = panel.scores.copy()
    scores[0] = 0.0
    zero = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
    sheet = sheet_of(zero, compare=("log",))
    row = cells(sheet, "evidence", "Method").index("Logarithms of scores")
    assert cells(sheet, "evidence", "Remark")[row].startswith("Logarithms need scores above 0")
    for heading in ("Typical error", "Above the best (%)", "Largest change", "Largest rank change"):
        assert cells(sheet, "evidence", heading)[row] is None
    assert "Logarithms of scores" not in [column.heading for column in sheet.tables[0].columns]


def test_predictive_errors_are_those_of_the_registry_best_first(panel):
    sheet = sheet_of(panel, compare=("shrunken_biases",))
    expected = predictive_errors(panel, [*USUAL, "shrunken_biases"])
    title = {entry.name: entry.title for entry in methods()}
    assert cells(sheet, "evidence", "Method") == [title[entry.method] for entry in expected.errors]
    assert cells(sheet, "evidence", "Typical error") == [entry.error for entry in expected.errors]
    lowest, *remarks = cells(sheet, "evidence", "Remark")
    close = [entry.worse_than_best <= 2 * entry.standard_error for entry in expected.errors[1:]]
    assert lowest == ("lowest here" if any(close) else "predicts best")
    assert remarks == ["may be as low" if near else "clearly higher" for near in close]


def test_a_method_that_is_level_with_another_is_not_said_to_predict_best(panel):
    generous = np.linspace(-30.0, 30.0, panel.n_assessors)[panel.assessor_index]
    apart = Panel.from_records(
        panel.object_index, panel.assessor_index, panel.scores + generous, np.ones(panel.n_assessments)
    )
    results = compute_results(reading_of(apart))
    ahead = predictive_errors(results.reading.panel, list(USUAL)).errors
    assert ahead[-1].worse_than_best > 2 * ahead[-1].standard_error
    remarks = cells(sheet_of(apart), "evidence", "Remark")
    assert remarks[0] == "lowest here" and "clearly higher" in remarks


def test_the_reader_is_told_that_predicting_a_mark_says_nothing_of_fair_averages(panel):
    notes = {note.row: note.text for note in sheet_of(panel).notes}
    heading = next(row for row, text in notes.items() if text.startswith("Which method predicts left-out marks best"))
    assert "no answer to whether averages are fair. That stands on Cal summary." in notes[heading + 1]


@pytest.mark.slow
def test_each_method_has_its_line_on_when_to_use_it(panel):
    sheet = sheet_of(panel, compare=METHOD_NAMES)
    texts = [note.text for note in sheet.notes]
    for entry in methods():
        assert any(f"\n{entry.title}: {entry.note}" in f"\n{text}" for text in texts)


def test_on_a_large_panel_predicting_is_cut_short_and_then_left_out(panel, monkeypatch):
    results = compute_results(reading_of(panel))
    twice = compared_methods(results)
    monkeypatch.setattr(method_results, "_MOST_TWICE", 10)
    once = compared_methods(results)
    assert (twice.prediction.rounds, once.prediction.rounds) == (10, 5)
    monkeypatch.setattr(method_results, "_MOST_TESTED", 10)
    never = compared_methods(results)
    assert never.prediction is None
    assert never.how.startswith("Not measured on more than 10 marks")


def test_a_panel_too_thin_to_leave_anything_out_says_so():
    tree = Panel.from_matrix([[60.0, 50.0, np.nan], [np.nan, 55.0, 45.0], [np.nan, np.nan, 65.0]])
    sheet = sheet_of(tree)
    assert "Hardly any score can be left out" in sheet.notes[0].text
    assert set(cells(sheet, "evidence", "Typical error")) == {None}


def test_another_zero_of_the_biases_is_said_not_to_reach_methods_that_cannot_take_it(panel):
    sheet = sheet_of(panel, compare=("bisquare", "fisher"), gauge="equal")
    assert cells(sheet, "methods", "Fisher calibration") == (
        fit(panel, "fisher", gauge="equal").values[order_of(sheet, panel)].tolist()
    )
    assert any('set to "equal"; Bisquare cannot be told' in note.text for note in sheet.notes)


def test_figure_4_of_the_paper_is_drawn_as_sorted_differences_named_at_their_bars(panel):
    sheet = sheet_of(panel)
    fitted = {name: fit(panel, name) for name in ("simple_average", "fisher", "confidence")}
    expected = {
        "b": (panel.objects, fitted["fisher"].values - fitted["simple_average"].values),
        "c": (panel.objects, fitted["confidence"].values - fitted["fisher"].values),
        "d": (panel.assessors, fitted["confidence"].biases - fitted["fisher"].biases),
    }
    charts = {chart.y_title[-2]: chart for chart in sheet.charts if "Figure 4" in chart.y_title}
    assert charts.keys() == expected.keys()
    for part, (labels, sizes) in expected.items():
        chart = charts[part]
        (series,) = chart.series
        table = next(t for t in sheet.tables if t.column == series.x.first_column and t.row == series.x.first_row - 1)
        names, drawn = (list(column.cells) for column in table.columns)
        assert chart.kind == "bar" and drawn == sorted(drawn, reverse=True) and len(names) <= 16
        assert drawn == [sizes[labels.index(name)] for name in names]
        for end in (int(np.argmax(sizes)), int(np.argmin(sizes))):
            assert labels[end] in names and f"{labels[end]} by {sizes[end]:+.1f}" in chart.title


def test_where_all_confidences_are_equal_no_chart_says_what_they_change(panel):
    equal = Panel.from_records(panel.object_index, panel.assessor_index, panel.scores, np.ones(panel.n_assessments))
    titles = [chart.y_title for chart in sheet_of(equal).charts]
    assert any("Figure 4b" in title for title in titles)
    assert not any("Figure 4c" in title or "Figure 4d" in title for title in titles)


def test_where_confidences_are_equal_fisher_is_no_second_opinion_on_changes_of_class(example_results):
    panel = example_results.panel
    equal = Panel.from_records(
        [panel.objects[k] for k in panel.object_index],
        [panel.assessors[k] for k in panel.assessor_index],
        panel.scores,
    )
    bands = example_results.reading.settings.bands
    for compare, there in (((), False), (("median_polish", "shrunken_biases"), True)):
        results = compute_results(reading_of(equal, bands=bands, compare=compare))
        classes = classify(results)
        assert (classes.before != classes.after).any()
        report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
        tables = next(sheet for sheet in report.sheets if sheet.name == "Cal methods").tables
        headings = [column.heading for table in tables if table.name == "decisions" for column in table.columns]
        assert bool(headings) == there
        assert "Fisher calibration" not in headings
        checks = [check.name for check in report.sheets[0].front.checks]
        assert ("Changes of class" in checks) == there


def test_two_methods_that_are_the_same_here_are_named_together():
    """Assessors differ widely and scatter little: both calibrations predict alike, and far better than averages."""
    objects, assessors = np.array([(o, a) for o in range(24) for a in range(6) if (o + a) % 4]).T
    scores = 40.0 + objects + np.array([6, -6, 4, 0, -4, 2])[assessors] + 0.5 * ((objects * 7 + assessors * 3) % 5 - 2)
    said = [note.text for note in sheet_of(Panel.from_records(objects, assessors, scores)).notes]
    both = [one for one in said if "the same here, predict left-out" in one]
    assert both and all("Fisher calibration" in one and "Calibration with confidence" in one for one in both)
    assert all("not to be told from" not in one for one in both)
    remarks = cells(sheet_of(Panel.from_records(objects, assessors, scores)), "evidence", "Remark")
    assert sorted(remarks[:2]) == ["lowest here", "the same here"]


def test_the_line_that_leads_to_the_finding_is_short_for_a_link_does_not_wrap_everywhere(panel):
    for compare in ((), ("median_polish", "shrunken_biases", "bisquare", "random_effects", "hodge_signs", "log")):
        notes = sheet_of(panel, compare=compare).notes
        (leads,) = [note for note in notes if note.row == 3 and note.link]
        assert len(leads.text) <= 90 and "see row" in leads.text


def test_a_change_of_class_survives_where_fisher_agrees(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal methods")
    table = next(table for table in sheet.tables if table.name == "decisions")
    by = {column.heading: column.cells for column in table.columns}
    classes = classify(example_results)
    moved = np.flatnonzero(classes.before != classes.after)
    panel = example_results.panel
    assert list(by["Student"]) == [panel.objects[o] for o in moved]
    values = fit(panel, "fisher").values[moved]
    lowest = [(band.lowest, band.name) for band in classes.bands]
    expected = [next(name for low, name in lowest if value >= low) for value in values]
    assert list(by["Fisher calibration"]) == expected
    agree = [one == classes.name(classes.after[o]) for one, o in zip(expected, moved, strict=True)]
    assert [cell == "yes" for cell in by["Survives"]] == agree
    assert any(note.text.startswith(f"{sum(agree)} of {len(agree)} changes of class hold") for note in sheet.notes)
    said = [words for _, words in questions_of(report).values()]
    assert sum(f"{sum(agree)} of {len(agree)} changes of class hold" in words for words in said) == 1
    (check,) = (check for check in report.sheets[0].front.checks if check.name == "Changes of class")
    assert check.words.startswith(f"{sum(agree)} of {len(agree)} changes of class hold") and not check.fine
