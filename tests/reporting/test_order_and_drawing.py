"""Rows of Cal values and Cal assessors: cases first, intervals drawn in place, words only where something happened."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.reading.scale import alert_threshold, borderline_zone, marked_from
from panelcal.reading.settings import Band, Settings
from panelcal.reporting.drawn_intervals import PLACES, drawn_intervals, ends_to_draw, place_of
from panelcal.reporting.layout import column_widths, default_row_height, row_heights
from panelcal.reporting.looks import BaseFont
from panelcal.reporting.model import Report, Table
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of

A4_LANDSCAPE = (11.69 - 2 * MARGIN, 8.27 - MARGIN - FOOT_MARGIN)  # inches inside the margins
_DIGIT = 7 / 96  # inches of a digit of Calibri at 11 points


@pytest.fixture(scope="module")
def report(example_results) -> Report:
    return build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))


def _table(report: Report, name: str) -> Table:
    return next(sheet for sheet in report.sheets if sheet.name == name).tables[0]


def _cells(report: Report, name: str, heading: str) -> list:
    return list(next(c for c in _table(report, name).columns if c.heading == heading).cells)


def test_cases_come_first_and_both_parts_go_by_rank(report, example_results):
    before, after, borderline, rank = (
        _cells(report, "Cal values", heading) for heading in ("Class before", "Class after", "Borderline", "Rank")
    )
    labels, panel = _cells(report, "Cal values", "Student"), example_results.panel
    odd = {panel.objects[o] for o in panel.object_index[example_results.unexpected.unexpected]}
    case = [
        one != other or bool(phrase) or label in odd
        for one, other, phrase, label in zip(before, after, borderline, labels, strict=True)
    ]
    count = sum(case)
    assert 0 < count < len(case) and case == [True] * count + [False] * (len(case) - count)
    assert rank[:count] == sorted(rank[:count]) and rank[count:] == sorted(rank[count:])
    assert sorted(labels) == sorted(panel.objects)


def test_the_order_of_the_sheet_is_kept_where_the_setting_says_so():
    panel = connected_simulated_panel(20, 6, 4, seed=3)
    results = compute_results(reading_of(panel, order_of_results="as on the sheet"))
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    assert _cells(report, "Cal values", "Student") == list(panel.objects)
    assert _cells(report, "Cal assessors", "Module") == list(panel.assessors)


def test_assessors_go_from_the_most_generous_to_the_most_severe_and_those_nothing_is_known_of_come_last(
    report, example_results
):
    labels, biases = _cells(report, "Cal assessors", "Module"), _cells(report, "Cal assessors", "Bias")
    alone = set(example_results.network.single_object_assessors)
    compared = [bias for label, bias in zip(labels, biases, strict=True) if label not in alone]
    assert compared == sorted(compared, reverse=True)
    assert {*labels[len(compared) :]} == alone


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_every_row_of_the_proof_refers_to_the_rows_of_its_object_and_assessor(higher_is_better):
    panel = connected_simulated_panel(30, 8, 4, seed=5)
    bands = (Band("Good", 60.0), Band("Bad", 0.0)) if higher_is_better else ()
    results = compute_results(reading_of(panel, higher_is_better=higher_is_better, bands=bands))
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    values, biases = _table(report, "Cal values"), _table(report, "Cal assessors")
    objects, assessors = _cells(report, "Cal proof", "Student"), _cells(report, "Cal proof", "Module")
    fitted = next(c for c in _table(report, "Cal proof").columns if c.heading == "Fitted")
    assert _cells(report, "Cal values", "Student") != list(panel.objects)
    for object_, assessor, formula in zip(objects, assessors, fitted.formulas, strict=True):
        value, bias = (int(re.search(r"\d+$", part)[0]) for part in formula.split("+"))
        assert values.columns[0].cells[value - 5] == object_
        assert biases.columns[0].cells[bias - 5] == assessor


def test_the_drawing_puts_value_ends_and_boundaries_where_they_belong(report, example_results):
    fit = calibrate(example_results.panel)
    interval = uncertainty(fit).value_interval()
    raw = np.array(_cells(report, "Cal values", "Raw average"))
    half = np.median(np.diff(interval)) / 2
    first = min(fit.values.min(), raw.min()) - 1.25 * half
    last = max(fit.values.max(), raw.max()) + 1.25 * half
    places = {label: at for at, label in enumerate(example_results.panel.objects)}

    def place(number: float) -> int:
        return int((number - first) / (last - first) * (PLACES - 1) + 0.5)

    for label, drawn in zip(
        _cells(report, "Cal values", "Student"), _cells(report, "Cal values", "Interval drawn"), strict=True
    ):
        at = places[label]
        low, high = interval[at]
        line = drawn.ljust(PLACES)
        assert line.index("●") == place(fit.values[at])
        assert line[place(low)] in "├●○" and line[place(high)] in "┤●○"
        for boundary in (40, 50, 60, 70):
            where = place(boundary)
            expected = "┼" if low < boundary < high else "│"
            assert line[where] in expected + "●○├┤"


def test_the_first_page_says_what_the_drawing_shows(report, example_results):
    """Its legend stands below the table, pages later."""
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal values")
    assert "\N{BLACK CIRCLE} value, \N{WHITE CIRCLE} raw average" in sheet.explanation
    drawn = "".join(_cells(report, "Cal values", "Interval drawn"))
    assert {"\N{BLACK CIRCLE}", "\N{WHITE CIRCLE}"} <= set(drawn)


def test_an_interval_that_is_far_wider_than_the_others_runs_off_the_line():
    values, low, high = np.array([1.0, 2.0, 3.0]), np.array([0.9, 1.9, -50.0]), np.array([1.1, 2.1, 60.0])
    lines = drawn_intervals(values, low, high, ends=ends_to_draw(values, low, high))
    assert lines[2][0] == "◄" and lines[2][-1] == "►" and len(lines[2]) == PLACES
    assert "◄" not in lines[0]


def test_without_an_interval_the_value_stands_alone_and_without_a_value_nothing():
    nothing = np.array([np.nan, np.nan])
    lines = drawn_intervals(np.array([1.0, np.nan]), nothing, nothing, ends=(0.0, 2.0))
    assert lines[0].strip() == "●" and lines[1] is None
    assert drawn_intervals(np.array([]), np.array([]), np.array([]), ends=(0.0, 1.0)) == []


def test_why_is_blank_where_nothing_happened_and_whole_at_the_right(report, example_results):
    why, full = _cells(report, "Cal values", "Why"), _cells(report, "Cal values", "Why, in full")
    change, drawn = (
        _cells(report, "Cal values", "Change"),
        zip(_cells(report, "Cal values", "Class before"), _cells(report, "Cal values", "Class after"), strict=True),
    )
    said = [text is not None for text in why]
    crossed = [before != after for before, after in drawn]
    assert all(there for there, crosses in zip(said, crossed, strict=True) if crosses)
    borderline = [bool(phrase) for phrase in _cells(report, "Cal values", "Borderline")]
    assert all(there for there, case in zip(said, borderline, strict=True) if case)
    assert 0 < sum(said) < 0.3 * len(said)
    assert max(abs(number) for number in change) < 5
    assert all(text.startswith("Raw average ") and "Calibrated" in text for text in full)


def test_a_change_above_the_threshold_is_explained_by_the_two_assessors_that_made_it():
    panel = connected_simulated_panel(40, 12, 5, seed=21)
    results = compute_results(reading_of(panel, bands=(), alert_threshold=2.0))
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    for change, why in zip(_cells(report, "Cal values", "Change"), _cells(report, "Cal values", "Why"), strict=True):
        assert bool(re.search(r"\b(up|down) \d", why or "", re.IGNORECASE)) == (abs(change) >= 2)


def test_twenty_five_students_and_more_fit_a_page_of_cal_values_at_a_legible_size(report):
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal values")
    widths, heights = column_widths(sheet), row_heights(sheet, BaseFont())
    across = sum(widths[number] + 5 / 7 for number in range(1, sheet.printed[0].last_column + 1)) * _DIGIT
    scale = min(1.0, A4_LANDSCAPE[0] / across)
    assert 11 * scale >= 9.0
    room = A4_LANDSCAPE[1] * 72 / scale - sum(heights.get(row, default_row_height(BaseFont())) for row in range(1, 5))
    used, rows = 0.0, 0
    for row in range(5, sheet.tables[0].last_row + 1):
        used += heights.get(row, default_row_height(BaseFont()))
        rows += used <= room
    assert rows >= 25


@pytest.mark.parametrize(
    ("settings", "ends", "alert", "zone"),
    [
        ({}, (31.0, 88.0), 5.0, 2.0),
        ({}, (0.0, 100.0), 5.0, 2.0),
        ({"scale_low": 1.0, "scale_high": 8.0}, (2.0, 7.5), 0.25, 0.1),
        ({}, (1.5, 9.5), 0.5, 0.2),
        ({}, (3.0, 19.0), 1.0, 0.5),
        ({}, (0.1, 0.9), 0.05, 0.02),
        ({}, (-9.0, 10.0), 1.0, 0.5),
        ({}, (120.0, 870.0), 50.0, 20.0),
        ({"alert_threshold": 3.0, "borderline_zone": 0.0}, (1.0, 5.0), 3.0, 0.0),
    ],
)
def test_what_is_much_goes_by_the_scale(settings, ends, alert, zone):
    assert alert_threshold(Settings(**settings), *ends) == pytest.approx(alert)
    assert borderline_zone(Settings(**settings), *ends) == pytest.approx(zone)


@pytest.mark.parametrize(
    ("threshold", "marked"), [(5.0, 4.95), (2.5, 2.45), (0.2, 0.15), (0.25, 0.25), (1.0, 0.95), (0.01, 0.01)]
)
def test_a_change_that_is_shown_as_the_threshold_is_marked(threshold, marked):
    assert marked_from(threshold) == pytest.approx(marked)


def test_what_is_bold_what_is_counted_and_what_is_explained_goes_by_the_figure_that_is_shown():
    panel = connected_simulated_panel(40, 12, 5, seed=21)
    results = compute_results(reading_of(panel, bands=(), alert_threshold=2.0))
    own = np.argsort(-np.abs(results.change))[:2]
    change = results.change * 0.2
    change[own] = 1.96, -1.94
    results = replace(results, raw=results.values - change)
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    assert questions_of(report)["Changes of 2 or more"][0] == 1
    told = [
        label
        for label, why in zip(_cells(report, "Cal values", "Student"), _cells(report, "Cal values", "Why"), strict=True)
        if re.search(r"\b(up|down) \d", why or "", re.IGNORECASE)
    ]
    assert told == [panel.objects[own[0]]]
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal values")
    (column,) = (column for column in sheet.tables[0].columns if column.heading == "Change")
    assert column.highlight.limit == pytest.approx(1.95)


@pytest.mark.parametrize("off", [-4e-15, 0.0, 4e-15])
def test_what_lies_half_way_between_two_letters_is_not_placed_by_the_last_digit_of_a_sum(off):
    assert place_of(np.array([2.5]), (0.25 + off, 4.75)).tolist() == [11]
