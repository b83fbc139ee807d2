"""What goes on paper: blocks that hold all their words, headings that hold for what stands below them."""

from __future__ import annotations

import pytest

from panelcal.reporting.layout import column_widths, row_heights
from panelcal.reporting.looks import ROW_HEIGHT, BaseFont
from panelcal.reporting.model import CellRange, Chart, Column, Note, Report, Series, Sheet, Table
from panelcal.reporting.page import page_of
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.text_size import text_width, widest
from panelcal.systems.calibration.report import build_report

_DEFAULT_WIDTH = 8.43


@pytest.fixture(scope="module")
def report(example_results) -> Report:
    return build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))


def _sheet(report: Report, name: str) -> Sheet:
    return next(sheet for sheet in report.sheets if sheet.name == name)


def test_the_printed_block_of_cal_values_leaves_out_what_the_board_does_not_read(report):
    sheet = _sheet(report, "Cal values")
    (area,) = sheet.printed
    printed = [column.heading for column in sheet.tables[0].columns[: area.last_column]]
    assert printed[0] == "Student" and printed[-2:] == ["Why", "Board decision"]
    assert not {"Bound", "Worst case", "Sensitivity", "Half-width"} & set(printed)
    assert {"Rank", "Calibrated value", "Lower", "Upper", "Interval drawn", "Change", "Class after"} <= set(printed)


def test_no_title_line_or_legend_is_cut_off_at_the_end_of_a_printed_block(report):
    for sheet in report.sheets:
        if not sheet.printed:
            continue
        widths = column_widths(sheet)
        notes = [note for note in sheet.notes if any(note.row <= block.last_row for block in sheet.printed)]
        lines = [(1, sheet.explanation, sheet.across), *((note.column, note.text, note.across) for note in notes)]
        for first, text, across in lines:
            block = next(block for block in sheet.printed if block.first_column <= first <= block.last_column)
            room = sum(widths.get(column, _DEFAULT_WIDTH) for column in range(first, block.last_column + 1))
            assert across > 1 or text_width(text) <= room, (sheet.name, text)
            assert first + across - 1 <= block.last_column


def test_every_legend_is_printed_and_no_row_of_the_table_is_lost_on_cal_values(report):
    for name in ("Cal values", "Cal assessors", "Cal residuals"):
        sheet = _sheet(report, name)
        assert sheet.notes
        printed = [
            note.text
            for note in sheet.notes
            if any(
                block.first_row <= note.row <= block.last_row and block.first_column <= note.column <= block.last_column
                for block in sheet.printed
            )
        ]
        assert len(printed) == len(sheet.notes) or "not printed" in printed[-1].lower()
    assert _sheet(report, "Cal values").printed[0].last_row > _sheet(report, "Cal values").tables[0].last_row


def test_the_charts_of_cal_methods_are_printed_apart_from_its_tables(report):
    sheet = _sheet(report, "Cal methods")
    values, *below = (block for block in sheet.printed if block.first_column == 1)
    charts = [block for block in sheet.printed if block.first_column > 1]
    assert values.last_row < sheet.tables[0].last_row < below[0].first_row  # a page of values, whose headings it has
    assert f"On paper: the first {values.last_row - 4} rows." in sheet.explanation
    assert {values.last_column} == {block.last_column for block in below}
    for table in sheet.tables[1:3]:
        assert any(block.first_row <= table.row and table.last_row <= block.last_row for block in below)
    for block in charts:
        on_page = [chart for chart in sheet.charts if block.first_row <= chart.row < block.last_row]
        assert len(on_page) == 2  # four charts, none of them alone on a page
        assert all(values.last_column < block.first_column == chart.column < block.last_column for chart in on_page)
        assert _points(sheet, block) <= _room(sheet)
    assert len(sheet.charts) == 2 * len(charts)


def test_a_page_of_residuals_is_printed_and_the_sheet_says_so(report):
    sheet = _sheet(report, "Cal residuals")
    rows = sheet.printed[0].last_row - sheet.tables[0].row
    assert 20 <= rows < sheet.tables[0].n_rows
    assert any(f"\nOn paper: the first {rows} of " in note.text for note in sheet.notes)
    (legend,) = sheet.notes  # one cell, so that no line leaves a gap where letters are narrower
    assert {line.split(":")[0] for line in legend.text.split("\n")} > {"Fitted", "Leverage", "Influence"}


def test_what_is_cut_on_paper_fills_one_page_and_no_table_below_another_is_broken(report):
    for name in ("Cal residuals", "Cal proof", "Cal methods"):
        sheet = _sheet(report, name)
        assert _points(sheet, sheet.printed[0]) <= _room(sheet), name
    links = _sheet(report, "Cal links")
    assert len(links.printed) > 1
    for table in links.tables:
        assert any(block.first_row <= table.row and table.last_row <= block.last_row for block in links.printed)
    assert all(_points(links, block) <= _room(links) for block in links.printed)


def test_a_page_of_cal_values_holds_twenty_five_students(report):
    sheet = _sheet(report, "Cal values")
    table = sheet.tables[0]
    assert _points(sheet, CellRange(1, 1, table.row + 25, 1)) <= _room(sheet)  # the page with the cases in two lines


def _points(sheet: Sheet, block: CellRange) -> float:
    heights = row_heights(sheet, BaseFont())
    return sum(heights.get(row, ROW_HEIGHT) for row in range(block.first_row, block.last_row + 1))


def _room(sheet: Sheet) -> float:
    """Points on A4 at the scale that Excel prints it at: its columns are the narrowest."""
    widths = column_widths(sheet)
    across = max(
        sum(widths.get(k, _DEFAULT_WIDTH) + 5 / 7 for k in range(block.first_column, block.last_column + 1))
        for block in sheet.printed
        if block.first_column == 1
    )
    wide, down = (210.0, 297.0) if sheet.portrait else (297.0, 210.0)
    scale = min(1.0, (wide / 25.4 - 2 * MARGIN) * 72.0 / (across * 5.25))
    return (down / 25.4 - MARGIN - FOOT_MARGIN) * 72.0 / scale


def _small(*, tables: tuple[Table, ...], chart_row: int | None = None) -> Sheet:
    block = CellRange(5, 1, 6, 1)
    chart = Chart("scatter", "t", "x", "y", (Series("s", y=block),), "alt", row=chart_row or 1, column=4)
    return Sheet("S", "Title", "", tables=tables, charts=() if chart_row is None else (chart,))


def _table(row: int = 4, column: int = 1) -> Table:
    return Table((Column("A", [1.0, 2.0]), Column("B", [1.0, 2.0])), row=row, column=column)


@pytest.mark.parametrize(
    ("tables", "chart_row", "repeated"),
    [
        ((_table(),), None, 4),
        ((_table(), _table(column=5)), None, 4),
        ((_table(), _table(row=9)), None, None),
        ((_table(),), 5, 4),
        ((_table(),), 4, None),
    ],
    ids=["alone", "side by side", "one below the other", "chart below the headings", "chart beside the headings"],
)
def test_headings_are_repeated_only_where_they_hold_for_everything_below(tables, chart_row, repeated):
    sheet = _small(tables=tables, chart_row=chart_row)
    assert page_of(Report((sheet,), "id", "footer", "2026-01-01"), sheet).title_row == repeated


def test_a_block_ends_at_the_column_and_row_asked_for():
    table = _table()
    assert printed_block(table) == CellRange(1, 1, 6, 2)
    assert printed_block(table, last_heading="A", below=3) == CellRange(1, 1, 9, 1)
    assert printed_block(table, rows=1) == CellRange(1, 1, 5, 2)
    assert [column.heading for column in printed_first(table.columns, {"A"})] == ["B", "A"]
    assert legend(table, ("x", "y")) == (Note(8, "x", "small", 2), Note(9, "y", "small", 2))
    wide = Table((*table.columns, Column("C", [1.0, 2.0])))
    assert [note.across for note in legend(wide, ("x",))] == [2]
    assert [note.across for note in legend(wide, ("x",), last_heading="B")] == [1]


def test_the_widest_of_many_texts_is_the_widest_of_each():
    texts = ["S000123", "", "Wärme", "WWWW", "数学", "a line, and another"]
    assert widest(texts) == max(map(text_width, texts))
    assert widest(["ij"]) == text_width("ij")
    assert widest([""]) == widest([]) == 0.0
