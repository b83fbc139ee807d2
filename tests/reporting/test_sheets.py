"""The sheets as data: fixed headings, every number where it belongs, counts that agree."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from panelcal import calibrate, compare, influence, probability_at_or_above, robustness, uncertainty
from panelcal.calibration.confidence_doubt import confidence_doubt
from panelcal.reading.grid import Grid
from panelcal.reading.settings import Band
from panelcal.reporting.model import Report, Table
from panelcal.reporting.names import RESULT_SHEETS
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.classes import class_places
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of

HEADINGS = {
    "Cal values": (
        "Student|Rank|Rank from|Rank to|Calibrated value|Lower|Upper|Interval drawn|Change|Class before|Class after|"
        "Why|Board decision|"
        "Assessments|Confidence|Raw average|Standard error|Bound|Worst case|Sensitivity|Rank before|P(above next)|"
        "P(class after or better)|Borderline|Why, in full"
    ),
    "Cal assessors": (
        "Module|Bias|Lower|Upper|Interval drawn|Adjusted p|Note|Assessments|Confidence|Raw average|Standard error|"
        "Bound|Objects shared|Misfit"
    ),
    "Cal residuals": (
        "Student|Module|Score|Confidence|Fitted|Residual|Standardised|Leverage|Influence|Cell|Adjusted p|Note"
    ),
    "Cal methods": "Student|Simple average|Weighted average|Fisher calibration|Calibration with confidence",
}


@pytest.fixture(scope="module")
def panel():
    return connected_simulated_panel(40, 12, 5, seed=21)


@pytest.fixture(scope="module")
def report(panel) -> Report:
    return _report(panel)


def _report(panel, **settings) -> Report:
    results = compute_results(reading_of(panel, **settings))
    grid = Grid("Marks", tuple((None, None, float(s)) for s in [0, *panel.scores]))
    return build_report(
        results, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}, input_grid=grid)
    )


def _table(report: Report, name: str) -> Table:
    return next(sheet for sheet in report.sheets if sheet.name == name).tables[0]


def _column(report: Report, name: str, heading: str) -> np.ndarray:
    table = _table(report, name)
    return np.array(next(c for c in table.columns if c.heading == heading).cells)


def _rows(report: Report, name: str, labels: Sequence[str]) -> list[int]:
    """Place among `labels` of what stands in each row."""
    return [list(labels).index(label) for label in _table(report, name).columns[0].cells]


def test_the_eight_sheets_come_in_order(report):
    assert tuple(sheet.name for sheet in report.sheets) == RESULT_SHEETS


@pytest.mark.parametrize("name", sorted(HEADINGS))
def test_the_fixed_headings_stand_in_their_order(report, name):
    table = _table(report, name)
    assert (table.row, table.column) == (4, 1)
    found = [column.heading for column in table.columns]
    wanted = HEADINGS[name].split("|")
    assert [heading for heading in found if heading in wanted] == wanted


def test_values_are_those_of_calibrate_to_full_precision(panel, report):
    fit = calibrate(panel)
    errors, bounds, rows = uncertainty(fit), robustness(fit), _rows(report, "Cal values", panel.objects)
    for heading, expected in (
        ("Calibrated value", fit.values),
        ("Standard error", errors.value_errors),
        ("Lower", errors.value_interval()[:, 0]),
        ("Upper", errors.value_interval()[:, 1]),
        ("If confidences were wrong", confidence_doubt(fit).typical_moves),
        ("Bound", bounds.value_bounds),
        ("Worst case", bounds.worst_cases),
        ("Sensitivity", bounds.value_sensitivities),
    ):
        assert _column(report, "Cal values", heading).tolist() == expected[rows].tolist()
    biases = fit.biases[_rows(report, "Cal assessors", panel.assessors)]
    assert _column(report, "Cal assessors", "Bias").tolist() == biases.tolist()


def test_change_is_the_difference_and_ranks_follow_the_values(report):
    value, raw = _column(report, "Cal values", "Calibrated value"), _column(report, "Cal values", "Raw average")
    assert _column(report, "Cal values", "Change") == pytest.approx(value - raw)
    order = np.argsort(_column(report, "Cal values", "Rank"))
    assert (np.diff(value[order]) <= 0).all()
    order = np.argsort(_column(report, "Cal values", "Rank before"))
    assert (np.diff(raw[order]) <= 1e-9).all()


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_ranks_stand_within_their_intervals_and_neighbours_are_compared(panel, higher_is_better):
    report = _report(panel, higher_is_better=higher_is_better)
    rank, low, high = (_column(report, "Cal values", heading) for heading in ("Rank", "Rank from", "Rank to"))
    assert (low <= rank).all()
    assert (rank <= high).all()
    above = _column(report, "Cal values", "P(above next)")
    known = [cell for cell in above if cell is not None]
    assert len(known) == len(above) - 1
    assert above[np.argmax(rank)] is None
    assert all(0.5 <= cell <= 1 for cell in known)


def test_lower_is_better_turns_ranks_and_classes_round(panel):

    bands = (Band("Good", 55.0), Band("Fair", 65.0), Band("Poor", 200.0))
    report = _report(panel, higher_is_better=False, bands=bands)
    value = _column(report, "Cal values", "Calibrated value")
    assert value[np.argmin(_column(report, "Cal values", "Rank"))] == value.min()
    expected = np.where(value <= 55, "Good", np.where(value <= 65, "Fair", "Poor"))
    assert _column(report, "Cal values", "Class after").tolist() == expected.tolist()


def test_where_lower_is_better_who_gives_more_is_severe_and_a_lower_value_is_a_gain(panel):
    report = _report(panel, higher_is_better=False)
    assessors = next(sheet for sheet in report.sheets if sheet.name == "Cal assessors")
    drawn = next(note.text for note in assessors.notes if "(severe)" in note.text)
    assert re.search(r"from -[\d.]+ \(generous\) to \+[\d.]+ \(severe\)", drawn)
    assert "scored higher than the panel for the same students, and so severely" in assessors.explanation
    biases = _column(report, "Cal assessors", "Bias")
    assert biases.tolist() == sorted(biases)  # the most generous first
    summary = next(sheet for sheet in report.sheets if sheet.name == "Cal summary")
    change, labels = _column(report, "Cal values", "Change"), _column(report, "Cal values", "Student")
    gains, loses = labels[np.argmin(change)], labels[np.argmax(change)]
    title = next(chart.title for chart in summary.charts if "most" in chart.title)
    assert re.fullmatch(rf"{gains} gains most \(-[\d.]+\), {loses} loses most \(\+[\d.]+\)", title)
    assert any(note.text.startswith("Ranked list, the lowest value first") for note in summary.notes)


def test_the_class_of_a_value_on_a_boundary_is_the_better_one():
    places = class_places(np.array([70.0, 70 - 1e-12, 69.99, 12.0]), np.array([70.0, 60.0, 0.0]), 1.0)
    assert places.tolist() == [0, 0, 1, 2]


def test_residuals_come_worst_first_with_their_cells(panel, report):
    table = _table(report, "Cal residuals")
    size = np.abs(np.array([c for c in _column(report, "Cal residuals", "Standardised")], dtype=float))
    assert (np.diff(size) <= 1e-12).all()
    cells = _column(report, "Cal residuals", "Cell")
    score = {f"C{k + 2}": panel.scores[k] for k in range(panel.n_assessments)}
    assert [score[cell] for cell in cells] == _column(report, "Cal residuals", "Score").tolist()
    assert table.columns[table.column_number("Cell") - table.column].links[0] == f"#Marks!{cells[0]}"
    shifts = {f"C{k + 2}": s for k, s in enumerate(influence(calibrate(panel)).largest_shift)}
    assert [shifts[c] for c in cells] == pytest.approx(_column(report, "Cal residuals", "Influence").astype(float))


def test_methods_are_those_of_table_1(panel, report):
    expected, rows = compare(panel), _rows(report, "Cal methods", panel.objects)
    for heading, values in (
        ("Simple average", expected.simple_average),
        ("Weighted average", expected.weighted_average),
        ("Fisher calibration", expected.fisher),
        ("Calibration with confidence", expected.confidence),
    ):
        assert _column(report, "Cal methods", heading) == pytest.approx(values[rows])
    assert rows == _rows(report, "Cal values", panel.objects)


def test_every_table_has_columns_of_one_length_and_headings_once(report):
    for sheet in report.sheets:
        assert len(sheet.name) <= 31
        for table in sheet.tables:
            assert {len(column.cells) for column in table.columns} == {table.n_rows}
            headings = [column.heading for column in table.columns]
            assert len(set(headings)) == len(headings)
            for column in table.columns:
                assert not column.formulas or len(column.formulas) == table.n_rows
                assert not column.links or len(column.links) == table.n_rows


def test_every_chart_has_words_and_draws_what_is_there(report):
    tables = {(sheet.name, t.row, t.column): t for sheet in report.sheets for t in sheet.tables}
    assert tables
    for sheet in report.sheets:
        for chart in sheet.charts:
            assert chart.title and chart.x_title and chart.y_title and chart.alt_text
            for series in chart.series:
                assert series.y.last_row >= series.y.first_row >= 5


def test_the_same_input_gives_the_same_report_and_run_identifier(panel):
    one, two = _report(panel), _report(panel)
    assert one.run_id == two.run_id
    assert one.run_id != _report(panel, gauge="equal").run_id
    for a, b in zip(one.sheets, two.sheets, strict=True):
        for table_a, table_b in zip(a.tables, b.tables, strict=True):
            for column_a, column_b in zip(table_a.columns, table_b.columns, strict=True):
                assert list(column_a.cells) == list(column_b.cells)


@pytest.mark.slow
def test_a_large_panel_lists_only_its_worst_residuals_and_proves_a_sample():
    panel = connected_simulated_panel(2200, 12, 5, seed=2)
    report = _report(panel)
    assert panel.n_assessments > 10_000
    assert _table(report, "Cal residuals").n_rows == 10_000
    assert "10,000 of" in next(s for s in report.sheets if s.name == "Cal residuals").explanation
    proof = next(sheet for sheet in report.sheets if sheet.name == "Cal proof")
    assert proof.tables[0].n_rows <= 10_000
    assert "a sample" in proof.explanation
    assert len(proof.tables) == 2
    counts = dict(zip(*np.unique(proof.tables[0].columns[0].cells, return_counts=True), strict=True))
    whole = dict(zip(panel.objects, np.bincount(panel.object_index), strict=True))
    assert all(whole[label] == count for label, count in counts.items())


def test_the_counts_of_the_summary_agree_with_cal_values(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}))
    rows = {c.heading: list(c.cells) for c in _table(report, "Cal values").columns}
    summary = next(sheet for sheet in report.sheets if sheet.name == "Cal summary")
    said = {question: answer for question, (answer, _) in questions_of(report).items()}
    change = np.round(np.array(rows["Change"]), 1)
    assert said["What changed"] == f"{(change > 0).sum()} up, {(change < 0).sum()} down"
    crossed = [k for k in range(len(change)) if rows["Class before"][k] != rows["Class after"][k]]
    assert said["Class boundaries crossed"] == len(crossed) > 0
    words = questions_of(report)["Class boundaries crossed"][1]
    moves = Counter((rows["Class before"][k], rows["Class after"][k]) for k in crossed)
    assert all(f"{count} from {before} to {after}" in words for (before, after), count in moves.items())

    tables = {table.name: {c.heading: list(c.cells) for c in table.columns} for table in summary.tables}
    cases, classes = tables["cases"], tables["classes"]
    borderline = [k for k in range(len(change)) if rows["Borderline"][k] and k not in crossed]
    assert sorted(cases["Student"]) == sorted(rows["Student"][k] for k in [*crossed, *borderline])
    assert {*cases["Student"][: len(crossed)]} == {rows["Student"][k] for k in crossed}
    for heading in ("Calibrated value", "Class before", "Class after", "Change"):
        by_label = dict(zip(rows["Student"], rows[heading], strict=True))
        assert [by_label[label] for label in cases["Student"]] == cases[heading]
    assert classes["Before"] == [rows["Class before"].count(name) for name in classes["Class"]]
    assert classes["After"] == [rows["Class after"].count(name) for name in classes["Class"]]


def test_the_probability_of_the_class_after_or_better_is_that_of_reaching_its_boundary(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}))
    rows = {c.heading: list(c.cells) for c in _table(report, "Cal values").columns}
    first = np.array([name == "First" for name in rows["Class after"]])
    expected = probability_at_or_above(example_results.calibration, 70.0)
    expected = expected[_rows(report, "Cal values", example_results.panel.objects)]
    assert np.array(rows["P(class after or better)"])[first] == pytest.approx(expected[first])
    lowest = [
        p for p, name in zip(rows["P(class after or better)"], rows["Class after"], strict=True) if name == "Fail"
    ]
    assert all(p == 1 for p in lowest)


def test_borderline_needs_the_zone_and_the_credits(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}))
    rows = {c.heading: list(c.cells) for c in _table(report, "Cal values").columns}
    panel, settings = example_results.panel, example_results.reading.settings
    boundaries = [band.lowest for band in settings.bands[:-1]]
    objects = _rows(report, "Cal values", panel.objects)
    for k, (at, value) in enumerate(zip(objects, rows["Calibrated value"], strict=True)):
        above = [b for b in boundaries if b > value]
        own = panel.object_index == at
        expected = False
        if above:
            share = panel.confidences[own & (panel.scores >= min(above))].sum() / panel.confidences[own].sum()
            expected = min(above) - value <= 2.0 and share >= settings.borderline_credit_share
        assert bool(rows["Borderline"][k]) == expected
