"""`Cal criteria`: criteria calibrated together, from a sheet to sentences."""

import numpy as np
import pytest

from panelcal import FacetPanel, Panel, calibrate, calibrate_facets, uncertainty
from panelcal.errors import InputRefused, InvalidPanel, MethodNotApplicable
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.reporting.criteria_words import slips_in_words
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.outcome import outcome_sentences
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.choices import Choices

CRITERIA = ("Content", "Style", "Presentation")
JUDGES = ("Reed", "Shaw", "Tan", "Ural", "Vance")


def _rows(reed_on_presentation=-11.0, seed=3):
    """A rubric in which Reed is hard on one criterion and nobody else leans."""
    random = np.random.default_rng(seed)
    rows = []
    for talk in range(20):
        value = random.normal([62, 58, 66], 6)
        for judge in random.permutation(5)[:3]:
            noise = random.normal(0, 1) + random.normal(0, 1, 3)
            scores = value + [0, 2, -2, 1, -1][judge] + noise
            scores[2] += reed_on_presentation * (judge == 0)
            rows.append([f"T{talk + 1:02d}", JUDGES[judge], *np.round(scores, 1).tolist()])
    return rows


def _read(rows, *, head=("Talk", "Judge", *CRITERIA), **settings):
    given = Choices(settings={"criteria": {"together": 1.0}, **settings})
    grid = Grid("Marks", (tuple(head), *map(tuple, rows)))
    return read_panel(Source("rubric.xlsx", (grid,), "Marks"), over=given.over)


@pytest.fixture(scope="module")
def results():
    return compute_results(_read(_rows()))


@pytest.fixture(scope="module")
def sheet(results):
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    return next(sheet for sheet in report.sheets if sheet.name == "Cal criteria")


def _table(sheet, name):
    return next(table for table in sheet.tables if table.name == name)


def _column(table, heading):
    return list(next(column for column in table.columns if column.heading == heading).cells)


def test_totals_and_their_errors_are_those_of_cal_values(results, sheet):
    values = _table(sheet, "criteria values")
    rows = [results.panel.objects.index(label) for label in _column(values, "Talk")]
    assert np.allclose(_column(values, "Total"), results.values[rows], atol=1e-9)
    assert np.allclose(_column(values, "Error of total"), results.value_errors[rows], rtol=1e-9)
    by_hand = uncertainty(calibrate(results.reading.criteria.panel.in_criterion(2)))
    assert np.allclose(_column(values, "Presentation"), by_hand.calibration.values[rows], atol=1e-9)
    assert np.allclose(_column(values, "Error of Presentation"), by_hand.value_errors[rows], rtol=1e-9)


@pytest.mark.parametrize("order", ["rank", "as on the sheet"])
def test_rows_stand_in_the_order_of_cal_values(order):
    results = compute_results(_read(_rows(), order_of_results=order))
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    sheets = {sheet.name: sheet for sheet in report.sheets}
    totals = _column(_table(sheets["Cal criteria"], "criteria values"), "Talk")
    assert totals == _column(sheets["Cal values"].tables[0], "Talk")
    assert (totals == [f"T{k + 1:02d}" for k in range(20)]) == (order == "as on the sheet")


def test_who_leans_on_one_criterion_is_what_the_summary_names_to_look_at_first(results):
    front = build_report(results, RunFacts(created="2026-01-02T03:04:05")).sheets[0].front
    tile = front.tiles[3]
    assert tile.figure == "Reed" and tile.asks
    assert "Judge Reed is severe on Presentation only" in tile.caption
    nobody = build_report(compute_results(_read(_rows(0.0))), RunFacts(created="2026-01-02T03:04:05")).sheets[0].front
    assert nobody.tiles[3].figure == "Nothing"


@pytest.mark.parametrize(
    ("correlation", "said"), [(0.02, "hardly goes together"), (0.4, "left goes together"), (-0.3, "goes apart")]
)
def test_what_is_left_is_said_to_go_together_only_where_it_does(correlation, said):
    assert said in slips_in_words(correlation)


def test_who_leans_is_said_in_a_sentence_and_nobody_else_is(results, sheet):
    said = [text for text in _column(_table(sheet, "leanings"), "In words") if text]
    assert len(said) == 1
    assert said[0].startswith("Judge Reed is severe on Presentation only (by 1")
    note = next(note.text for note in sheet.notes if note.row == 3)
    assert said[0] in note
    assert any(said[0] in line for line in outcome_sentences(results))


def test_where_nobody_leans_it_says_so():
    results = compute_results(_read(_rows(reed_on_presentation=0.0)))
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal criteria")
    assert "No judge clearly leans on one criterion" in next(note.text for note in sheet.notes if note.row == 3)


@pytest.mark.slow
def test_one_in_twenty_panels_without_leanings_names_anybody():
    named = 0
    for seed in range(120):
        random = np.random.default_rng(seed)
        objects, assessors = np.repeat(np.arange(10), 3), np.concatenate([random.permutation(5)[:3] for _ in range(10)])
        scores = random.normal(60, 5, (10, 3))[objects] + random.normal(0, 3, 5)[assessors][:, None]
        scores += random.normal(0, 2, (30, 1)) + random.normal(0, [1, 2, 3], (30, 3))
        found = calibrate_facets(FacetPanel.from_table(objects, assessors, scores))
        named += bool(np.nanmin(found.adjusted_leaning_p) <= 0.05)
    assert named <= 12  # 6 are expected; 13 or more of 120 have a chance below 1% at a level of 5%


def test_the_map_puts_everybody_at_fair_averages(results, sheet):
    points = _table(sheet, "map")
    places = dict(zip(_column(points, "Name"), _column(points, "Fair average"), strict=True))
    assert np.isclose(places["T01"], results.values[results.panel.objects.index("T01")] / 3)
    judges = results.facets.severities
    apart = places["Shaw"] - places["Reed"]
    assert np.isclose(
        apart, judges[results.panel.assessors.index("Shaw")] - judges[results.panel.assessors.index("Reed")]
    )
    assert np.isclose(
        np.mean([places[name] for name in CRITERIA]), np.mean([places[f"T{k + 1:02d}"] for k in range(20)])
    )
    chart = sheet.charts[0]
    assert [series.name for series in chart.series] == ["Talks", "Judges", "Criteria"]
    assert [series.y.last_row - series.y.first_row + 1 for series in chart.series] == [20, 5, 3]
    ruler = _table(sheet, "ruler")
    for kind, names in (("Talks", 20), ("Judges", 5), ("Criteria", 3)):
        assert len(", ".join(text for text in _column(ruler, kind) if text).split(", ")) == names


def test_weights_count_in_totals_and_map():
    reading = _read(_rows(), criteria={"together": 1.0, "Content": 2.0, "Style": 1.0})
    assert reading.criteria.panel.criteria == ("Content", "Style")
    assert reading.panel.scores[0] == 2 * _rows()[0][2] + _rows()[0][3]
    results = compute_results(reading)
    assert np.allclose(results.facets.totals, results.values, atol=1e-9)


def test_a_criterion_named_like_what_is_assessed_is_one():
    # Presentation is a word for what is assessed, too.
    assert _read(_rows()).criteria.panel.criteria == CRITERIA
    assert _read(_rows(), object_column="Talk").criteria.panel.criteria == CRITERIA


def test_repeated_assessments_are_averaged_in_every_criterion():
    rows = [*_rows(), ["T01", _rows()[0][1], 90.0, 80.0, 70.0]]
    reading = _read(rows, repeated="average")
    assert np.allclose(reading.criteria.panel.scores[0], np.add(rows[0][2:], [90, 80, 70]) / 2)
    assert np.allclose(reading.criteria.panel.scores @ [1, 1, 1], reading.panel.scores)


def test_what_cannot_be_calibrated_together_is_refused_with_its_cells():
    with pytest.raises(InputRefused, match="only Score is read as a score"):
        _read([row[:3] for row in _rows()], head=("Talk", "Judge", "Score"))
    with pytest.raises(InputRefused, match="more than 0 in the sum: Style does not"):
        _read(_rows(), criteria={"together": 1.0, "Content": 2.0, "Style": 0.0})


@pytest.mark.slow
def test_a_blank_criterion_is_missing_and_the_errors_allow_for_it():
    rows = _rows()
    for row in rows:
        if row[1] == "Tan":  # who never scores Style
            row[3] = None
    rows[4][4] = None
    reading = _read(rows)
    said = next(one for one in reading.decisions if one.kind == "criteria missing")
    blank = {f"D{k}" for k, row in enumerate(rows, 2) if row[3] is None} | {"E6"}
    assert set(said.cells) == blank and said.weight == "warning"
    results = compute_results(reading)
    given = np.array([[np.nan if one is None else one for one in row[2:]] for row in rows])
    direct = calibrate_facets(
        FacetPanel.from_table([r[0] for r in rows], [r[1] for r in rows], given, criteria=CRITERIA)
    )
    assert np.allclose(results.values, direct.totals, atol=1e-8)
    assert np.allclose(results.value_errors, direct.total_errors, rtol=1e-8)
    assert (results.value_errors > results.uncertainty.value_errors).any()
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal criteria")
    table = _table(sheet, "criteria values")
    shown = dict(zip(_column(table, "Talk"), _column(table, "Total"), strict=True))
    assert np.allclose([shown[label] for label in results.panel.objects], results.values, atol=1e-8)
    with pytest.raises(MethodNotApplicable, match="by the method confidence only"):
        compute_results(_read(rows, method="fisher"))


@pytest.mark.slow
def test_who_uses_only_some_criteria_is_not_said_to_lean_for_that():
    # Reed is far off on one criterion, which moves everybody's zero in it; Tan never scores Style and leans nowhere.
    named = []
    for seed in range(20):
        rows = [[*row[:3], None if row[1] == "Tan" else row[3], row[4]] for row in _rows(seed=seed)]
        given = np.array([[np.nan if one is None else one for one in row[2:]] for row in rows])
        panel = FacetPanel.from_table([row[0] for row in rows], [row[1] for row in rows], given, criteria=CRITERIA)
        found = calibrate_facets(panel)
        assert found.adjusted_leaning_p[panel.assessors.index("Reed"), 2] < 0.001
        named.append(np.nanmin(found.adjusted_leaning_p[panel.assessors.index("Tan")]) <= 0.05)
    assert sum(named) <= 2


def test_criteria_that_cannot_be_compared_are_refused_by_name():
    rows = _rows()
    for row in rows:
        if row[0] == "T03":
            row[3] = None
    with pytest.raises(InvalidPanel, match="Nobody scored T03 in Style"):
        compute_results(_read(rows))


def test_criteria_below_the_names_of_judges_may_be_together():
    head = ("Cake", "Ann", None, "Ben", None)
    rows = [
        (None, "Taste", "Looks", "Taste", "Looks"),
        *[(f"C{k}", 7 + k % 3, 5 - k % 2, 6 + k % 4, 9 - k) for k in range(6)],
    ]
    reading = _read(rows, head=head)
    assert reading.criteria.panel.criteria == ("Taste", "Looks")
    assert reading.criteria.panel.scores[0].tolist() == [7, 5]
    assert isinstance(reading.panel, Panel)


def test_without_being_asked_for_there_is_no_such_sheet():
    results = compute_results(_read(_rows(), criteria={"Content": 1.0, "Style": 1.0}, object_column="Talk"))
    assert results.facets is None
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    assert "Cal criteria" not in [sheet.name for sheet in report.sheets]
