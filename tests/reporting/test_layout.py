"""Headings on every sheet: no word is broken, nothing stands under a filter's button, one height; figures by kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from panelcal.reporting.figures import statistic_style, statistics_style, sums_style
from panelcal.reporting.layout import (
    column_widths,
    default_row_height,
    heading_indent,
    heading_look,
    main_table,
    row_heights,
)
from panelcal.reporting.looks import NUMBER_FORMATS, NUMERIC_STYLES, BaseFont
from panelcal.reporting.model import Column, Highlight, Report, Series, Sheet, Table
from panelcal.reporting.paper import stacked
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.sorted_bars import bars
from panelcal.reporting.text_size import text_width, wrapped_lines
from panelcal.systems.calibration.report import build_report

# Advance widths of Calibri bold in thousandths of its digit, for the letters of the words below.
_WIDEST_WORDS = {"Standardised": 11.11, "Calibrated": 8.37, "Object": 5.40, "Sensitivity": 8.45, "Assessments": 10.45}
_LINE = 15.0
_BUTTON = 17 / 7  # a filter's button is 17 pixels wide, a digit 7


@pytest.fixture(scope="module")
def report(example_results) -> Report:
    return build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))


def _columns(report: Report) -> Iterator[tuple[Sheet, Table, Column, float]]:
    for sheet in report.sheets:
        widths = column_widths(sheet)
        for table in sheet.tables:
            for number, column in enumerate(table.columns, table.column):
                yield sheet, table, column, widths[number]


def test_every_column_holds_the_longest_word_of_its_heading_beside_the_button(report):
    seen = set()
    for sheet, table, column, width in _columns(report):
        for word in column.heading.split():
            if word not in _WIDEST_WORDS:
                continue
            seen.add(word)
            alone = column.heading.split()[-1] == word and table is main_table(sheet)
            assert width >= _WIDEST_WORDS[word] + (_BUTTON if alone else 0.0), (sheet.name, column.heading)
    assert seen == set(_WIDEST_WORDS)


def test_the_band_of_headings_is_no_taller_than_its_longest_heading_needs(report):
    for sheet in report.sheets:
        heights, widths = row_heights(sheet, BaseFont()), column_widths(sheet)
        for table in sheet.tables:
            columns = list(enumerate(table.columns, table.column))
            words = max(len(column.heading.split()) for _, column in columns)
            least = max(math.ceil(0.8 * len(column.heading) / widths[number]) for number, column in columns)
            beside = [*sheet.tables, *sheet.notes]
            if sum(other.row == table.row for other in beside) == 1:
                assert least * _LINE <= heights[table.row] <= words * _LINE + 4


def test_headings_of_figures_end_where_the_figures_end_unless_a_button_stands_there():
    figures, words = Column("Rank", [1], "integer"), Column("Class", ["First"])
    assert heading_look(figures, filtered=False) == "heading number"
    assert heading_look(figures, filtered=True) == "heading filtered"
    assert heading_look(words, filtered=True) == heading_look(words, filtered=False) == "heading"


def test_a_heading_that_has_one_line_where_words_are_narrow_has_it_everywhere():
    """Else its band is a line too high where it needs only one."""
    figures = Column("Confidence carried", [12_345_678_901_234], "integer")
    width = column_widths(Sheet("A", "T", "E", tables=(Table((figures,)),), frozen=None))[1]
    assert wrapped_lines(figures.heading, 16.0, bold=True) == 2
    assert 16.0 <= width <= 19.0 and wrapped_lines(figures.heading, width, bold=True) == 1


def test_a_short_heading_over_long_figures_ends_above_their_ends():
    figures = Column("Sum", [12_345_678_901_234], "integer")
    width = column_widths(Sheet("A", "T", "E", tables=(Table((figures,)),)))[1]
    assert width >= text_width("12345678901234") + 3.0
    end = heading_indent(figures, width) * 9 / 7 + text_width("Sum", bold=True)
    assert width - 3.0 - 9 / 7 * 5 <= end <= width - 3.0


@pytest.mark.parametrize(
    ("figures", "style", "shown"),
    [
        ([-1_234_567_890_123_456], "integer", "-1234567890123456"), ([1e15], "large", "1,000,000,000,000,000"),
        ([-99.96], "signed", "-100.0"), ([14.3], "signed", "+14.3"), ([1.0, 0.005], "percent", "100%"),
        ([1e-9], "p value", "<0.001"), ([-1.5e-12], "scientific", "-1.5E-12"), ([10.0, 5.875], "given", "5.875"),
    ],
)  # fmt: skip
def test_no_figure_is_cut_by_the_room_behind_it(figures, style, shown):
    for highlight in (None, Highlight("beyond", limit=1.0)):  # which is bold
        column = Column("N", figures, style, highlight=highlight)
        width = column_widths(Sheet("A", "T", "E", tables=(Table((column,)),)))[1]
        assert width >= text_width(shown, bold=highlight is not None) + text_width("xxx"), shown


def test_a_row_of_one_line_leaves_air_above_and_below_its_letters():
    assert default_row_height(BaseFont()) >= 11 * 1.22 + 3  # a line of Calibri is 1.22 of its size
    assert default_row_height(BaseFont(size=22.0)) == 2 * default_row_height(BaseFont())


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (7, "0"), (12_345, "#,##0"), (429_712.8, "#,##0"), (1034.4, "0"), (99.96, "0"), (26.53, "0.0"), (1.034, "0.00"),
        (0.2653, "0.00"), (0.0265, "0.000"), (0.0, "0.00"), (-0.2653, "0.00"), (9e-14, "0.0E+00"), ("none", "General"),
    ],
)  # fmt: skip
def test_a_statistic_shows_two_or_three_figures_whatever_its_size(figure, shown):
    assert NUMBER_FORMATS[statistic_style(figure)] == shown


def test_a_column_has_one_number_of_decimals_by_its_largest_figure():
    assert statistics_style(np.array([0.001, 0.2653])) == "precise"
    assert statistics_style([None, 0.02]) == "fine"
    assert sums_style(np.array([67.0, 12.0])) == "integer" and sums_style(np.array([67.5, 12.0])) == "score"
    assert sums_style(np.array([429_712.8])) == "large" and sums_style([np.nan]) == "precise"


def test_no_sheet_shows_more_than_three_decimals(report):
    for sheet, _, column, _ in _columns(report):
        for style in {column.style, *column.styles} & NUMERIC_STYLES:
            decimals = NUMBER_FORMATS[style].partition(".")[2]
            assert decimals.count("0") <= 3 or style in ("signed", "p value"), (sheet.name, column.heading)


def test_charts_of_a_page_give_way_by_the_same_share():
    """So that the names of twelve bars do not run into one another where a chart of four beside them has room."""
    columns = (Column("Design", [f"Design {k}" for k in range(12)], "text", 20), Column("Change", [0.1] * 12, "signed"))
    sheet = Sheet("Cal methods", "Methods", "What they say.", tables=(Table(columns, name="methods"),))
    series = (Series("Change", y=sheet.tables[0].cell_range("Change")),)
    given = [
        replace(
            bars(sheet.tables[0], title="", series=series, y_title="", alt_text=""), row=4, column=4, height_cm=high
        )
        for high in (7.2, 7.0, 5.6)
    ]
    placed = stacked(sheet, given, abreast=1, apart=8, last_column=12)
    shares = [one.height_cm / before.height_cm for one, before in zip(placed, given, strict=True)]
    assert shares == pytest.approx([shares[0]] * 3)
    assert 0.7 < shares[0] < 1.0
