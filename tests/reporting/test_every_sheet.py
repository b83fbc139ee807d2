"""Every sheet of every template's result on screen and on paper: size of letters, whole words, nothing cut off."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pytest

from panelcal import simulate_panel
from panelcal.files.load import load_source
from panelcal.planning.assignment import plan_assignment
from panelcal.reading.grid import block_address, corners_of
from panelcal.reading.nouns import Nouns
from panelcal.reporting.layout import column_widths, heading_indent, heading_look, main_table, row_heights
from panelcal.reporting.looks import NOTE_SIZES, NUMBER_FORMATS, NUMERIC_STYLES, ROW_HEIGHT, BaseFont, set_in_format
from panelcal.reporting.model import CellRange, Column, Report, Sheet
from panelcal.reporting.page import page_of
from panelcal.reporting.page_flow import FEWEST_ROWS, LEAST_SCALE, rows_by_page
from panelcal.reporting.paper import last_row_of
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.text_size import text_width
from panelcal.run import run
from panelcal.systems.calibration.report import build_report
from panelcal.systems.choices import Choices
from panelcal.systems.planning.report import build_plan_report

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
_FILLED = sorted(path.stem for path in TEMPLATES.glob("*_example.xlsx"))
_DIGIT = 7.0 * 0.75  # points that a character of a width takes, at 11 points
_WIDER = 1.06  # LibreOffice draws columns this much wider than Excel
_MARGINS = 5.0 / 7.0  # inside each cell
_SMALLEST = 9.0
_USUAL = 8.43
# Advance widths of Carlito bold, the metric twin of Calibri, in thousandths of its digit (507 of 1000 units).
_BOLD = {
    " ": 0.446, "(": 0.616, ")": 0.616, "+": 0.983, ",": 0.509, "-": 0.604, ".": 0.527, "/": 0.848, "%": 1.438,
    ":": 0.544, "?": 0.914, "i": 0.485, "j": 0.509, "l": 0.485, "t": 0.684, "f": 0.623, "r": 0.702, "s": 0.787,
    "m": 1.605, "w": 1.469, "M": 1.724, "W": 1.789, "O": 1.335, "Q": 1.347, "C": 1.043, "S": 0.933, "I": 0.526,
}  # fmt: skip
_OTHER_BOLD = {True: 1.13, False: 1.06}  # capitals, others
_INDENT = 9 / 7  # a step of an indent
_LETTER = 1.06  # a usual letter of a heading
_BUTTON, _A_PIXEL = 17 / 7, 1 / 7  # a filter's button is 17 pixels wide, a digit 7


def _all_at_once() -> Report:
    """A panel with topics, expertise, earlier biases and known values, for the sheets that few runs have."""
    made = simulate_panel(36, 6, 4, seed=12).panel
    book = openpyxl.Workbook()
    book.active.title = "Scores"
    book.active.append(["Talk", "Topic", "Judge", "Score"])
    for o, a, score in zip(made.object_index, made.assessor_index, made.scores, strict=True):
        topic = ("Logic", "Optics", "Law")[int(o) % 3]
        book.active.append([f"T{int(o) + 1:02d}", topic, f"Judge {int(a) + 1}", round(float(score), 1)])
    for title, rows in (
        ("Expertise", [["Judge", "Logic", "Optics", "Law"], *([f"Judge {k}", k % 3, k % 2, 1] for k in range(1, 7))]),
        ("Prior", [["Judge", "Bias", "Standard error"], *([f"Judge {k}", k - 3.5, 1.5] for k in range(1, 7))]),
        ("Known values", [["Talk", "Known value"], ["T01", 48], ["T02", 55], ["T03", 52]]),
    ):
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    with TemporaryDirectory() as folder:
        book.save(file := Path(folder) / "all.xlsx")
        return run(load_source(file), Choices(), created="2026-01-02T03:04:05", versions={}, carried=True).report


def _reports() -> dict[str, Callable[[], Report]]:
    def of_template(name: str) -> Report:
        source = load_source(TEMPLATES / f"{name}.xlsx")
        return run(source, Choices(), created="2026-01-02T03:04:05", versions={}, carried=True).report

    made: dict[str, Callable[[], Report]] = {name: lambda name=name: of_template(name) for name in _FILLED}
    made["all at once"] = _all_at_once
    made["plan"] = lambda: build_plan_report(
        plan_assignment(40, 10, 4, seed=1),
        created="2026-01-02T03:04:05",
        objects=[f"T{k}" for k in range(1, 41)],
        assessors=[f"J{k}" for k in range(1, 11)],
        nouns=Nouns("Talk", "Judge", "Rating"),
    )
    return made


REPORTS = _reports()
_NAMES = [pytest.param(name, marks=() if name == "plan" else pytest.mark.slow) for name in REPORTS]


@pytest.fixture(scope="module")
def made(example_results):
    kept = {"exam board": build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))}

    def report(name: str) -> Report:
        return kept.setdefault(name, REPORTS[name]()) if name not in kept else kept[name]

    return report


@pytest.fixture(params=["exam board", *_NAMES])
def report(request, made) -> Report:
    return made(request.param)


def printed_blocks(sheet: Sheet) -> tuple[CellRange, ...]:
    if sheet.printed:
        return sheet.printed
    assert not sheet.charts, f"the charts of {sheet.name} would be printed beside the table"
    tables = [table.column + len(table.columns) - 1 for table in sheet.tables]
    notes = [note.column + note.across - 1 for note in sheet.notes]
    last_row = max([2, *(table.last_row for table in sheet.tables), *(note.row for note in sheet.notes)])
    return (CellRange(1, 1, last_row, max([1, *tables, *notes])),)


def printed_scale(sheet: Sheet) -> float:
    widths = column_widths(sheet)
    across = max(
        sum(widths.get(k, _USUAL) + _MARGINS for k in range(block.first_column, block.last_column + 1))
        for block in printed_blocks(sheet)
    )
    room = (210.0 if sheet.portrait else 297.0) / 25.4 * 72.0 - 2 * 72.0 * MARGIN
    return min(1.0, room / (across * _DIGIT * _WIDER))


@pytest.mark.slow
def test_the_sheets_that_few_runs_have_are_among_these(made):
    assert {"Cal prior", "Cal common", "Cal nearness"} <= {sheet.name for sheet in made("all at once").sheets}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["star_panel_example", "rubric_example"])
def test_nothing_is_called_up_to_date_where_no_score_is_watched(made, name):
    """Stars are words, and totals of criteria stand in no cell."""
    line = next(note for note in made(name).sheets[0].notes if note.row == 3)
    assert line.style == "plain" and not line.formula
    assert "cannot tell whether one changed since" in line.text


@pytest.mark.slow
def test_orange_is_kept_for_what_somebody_has_to_look_at(made):
    for name, headings in (("job_panel_example", {"Change", "Adjusted p"}), ("ai_reviewers_example", {"Change"})):
        columns = [c for sheet in made(name).sheets[1:3] for table in sheet.tables for c in table.columns]
        marked = [c for c in columns if c.heading in headings and c.highlight is not None]
        assert marked and all(c.highlight.calm for c in marked), name
    status = [
        c for s in made("ai_reviewers_example").sheets for t in s.tables for c in t.columns if c.heading == "Alarm"
    ]
    assert status and not any(c.highlight.calm for c in status)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in TEMPLATES.glob("*.xlsx")))
def test_what_a_template_explains_is_printed_in_nine_points(name):
    book = openpyxl.load_workbook(TEMPLATES / f"{name}.xlsx")
    for title in ("Start here", "Settings"):
        sheet = book[title]
        across = sum(sheet.column_dimensions[letter].width + _MARGINS for letter in ("A", "B", "C"))
        room = (210.0 if sheet.page_setup.orientation == "portrait" else 297.0) / 25.4 * 72.0
        room -= 72.0 * (sheet.page_margins.left + sheet.page_margins.right)
        assert sheet.page_setup.fitToHeight == 0 or title == "Start here"
        assert min(1.0, room / (across * _DIGIT * _WIDER)) * 11.0 >= _SMALLEST, title


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in TEMPLATES.glob("*.xlsx")))
def test_what_is_filled_in_is_printed_in_nine_points(name):
    """But for the marks of an exam board, which on A4 would take nine pages for four."""
    for sheet in openpyxl.load_workbook(TEMPLATES / f"{name}.xlsx"):
        if sheet.title in ("Start here", "Settings", "Marks" if "board" in name else ""):
            continue
        block = sheet.print_area.split(",")[0].split("!")[-1].replace("$", "") if sheet.print_area else sheet.dimensions
        _, first, _, last = corners_of(block)
        widths = {k: d.width for d in sheet.column_dimensions.values() for k in range(d.min, d.max + 1)}
        across = sum(widths.get(k, _USUAL) for k in range(first, last + 1))
        room = (210.0 if sheet.page_setup.orientation == "portrait" else 297.0) / 25.4 * 72.0
        room -= 72.0 * (sheet.page_margins.left + sheet.page_margins.right)
        assert min(1.0, room * sheet.page_setup.fitToWidth / (across * _DIGIT * _WIDER)) * 11.0 >= _SMALLEST, (
            sheet.title
        )


def test_nothing_that_is_printed_is_smaller_than_nine_points(report):
    for sheet in report.sheets:
        assert not sheet.one_page, sheet.name  # that would shrink a long one at will
        sizes = [11.0, *(NOTE_SIZES.get(note.style, 11.0) for note in sheet.notes)]
        assert printed_scale(sheet) * min(sizes) >= _SMALLEST, sheet.name


def bold_width(word: str) -> float:
    return sum(_BOLD.get(letter, _OTHER_BOLD[letter.isupper()]) for letter in word)


def last_line(words: list[str], room: float) -> float:
    """Width of the last line where words are wrapped at the end of their column, as on the screen."""
    used = 0.0
    for word in words:
        wider = used + bold_width(" ") + bold_width(word) if used else bold_width(word)
        used = wider if wider <= room else bold_width(word)
    return used


def test_no_word_of_any_heading_is_broken_or_under_a_button(report):
    for sheet in report.sheets:
        widths = column_widths(sheet)
        for table in sheet.tables:
            filtered = table is main_table(sheet)
            for number, column in enumerate(table.columns, table.column):
                indent = 1.3 if heading_look(column, filtered=filtered) == "heading" else 0.0
                if filtered:
                    indent = max(indent, heading_indent(column, widths[number]) * _INDENT)
                words = column.heading.split()
                room = widths[number] - indent
                assert max(map(bold_width, words)) <= room, (sheet.name, column.heading)
                if filtered:
                    assert last_line(words, room) <= room - _BUTTON + _A_PIXEL, (sheet.name, column.heading)


def lines_of(words: list[str], room: float) -> list[float]:
    """Widths of the lines of words that are wrapped at the end of their column."""
    lines: list[float] = []
    for word in words:
        wider = lines[-1] + bold_width(" ") + bold_width(word) if lines else math.inf
        if wider <= room:
            lines[-1] = wider
        else:
            lines.append(bold_width(word))
    return lines


def filtered_figures(report: Report) -> Iterator[tuple[Sheet, Column, float]]:
    """Columns of figures of filtered tables, with their widths."""
    for sheet in report.sheets:
        widths, table = column_widths(sheet), main_table(sheet)
        for number, column in enumerate(table.columns, table.column) if table else ():
            if column.style in NUMERIC_STYLES:
                yield sheet, column, widths[number]


def test_figures_end_under_the_end_of_their_headings_clear_of_the_button(report):
    """In Excel and on paper: no figure ends more than two letters beyond the longest line of its heading."""
    room_behind = len(set_in_format("0").removeprefix("0").split("_x")) - 1  # an x is as wide as a digit
    assert room_behind >= _BUTTON
    for sheet, column, width in filtered_figures(report):
        indent = heading_indent(column, width) * _INDENT
        for size in (1.0, 1 / _WIDER):
            ends = [indent + size * line for line in lines_of(column.heading.split(), (width - indent) / size)]
            assert width - room_behind - max(ends) <= 2.0 * _LETTER, (sheet.name, column.heading)


def test_figures_of_filtered_tables_are_never_cut(report):
    """Also the widest in bold, with its sign, and with the room behind it."""
    shown = {"0": "{:.0f}", "0.0": "{:.1f}", "0.00": "{:.2f}", "0.000": "{:.3f}", "0%": "{:.0%}", "#,##0": "{:,.0f}"}
    shown |= {NUMBER_FORMATS["signed"]: "{:+.1f}", NUMBER_FORMATS["places"]: "{:+.0f}", "General": "{:.11g}"}
    shown |= {NUMBER_FORMATS["p value"]: "<{:.3f}", NUMBER_FORMATS["scientific"]: "{:.1E}"}
    for sheet, column, width in filtered_figures(report):
        styles = column.styles or [column.style] * len(column.cells)
        numbers = [
            shown[NUMBER_FORMATS[style]].format(cell)
            for cell, style in zip(column.cells, styles, strict=True)
            if isinstance(cell, int | float)
        ]
        widest = max((text_width(number, bold=True) for number in numbers), default=0.0)
        assert widest + text_width("xxx") <= width, (sheet.name, column.heading)


@pytest.mark.slow
@pytest.mark.parametrize("name", _FILLED)
def test_what_cal_assessors_is_about_takes_one_line(made, name):
    sheet = next(sheet for sheet in made(name).sheets if sheet.name == "Cal assessors")
    assert row_heights(sheet, BaseFont()).get(2, 0.0) <= ROW_HEIGHT, sheet.explanation


def test_no_printed_line_is_cut_off_at_the_end_of_its_block(report):
    for sheet in report.sheets:
        widths = column_widths(sheet)
        blocks = printed_blocks(sheet)
        lines = [(1, 1, sheet.explanation, sheet.across, 1.0), (1, 1, sheet.title, 1, 16 / 11)]
        lines += [(n.row, n.column, n.text, n.across, NOTE_SIZES.get(n.style, 11.0) / 11.0) for n in sheet.notes]
        for row, first, text, across, size in lines:
            for block in blocks:
                if block.first_row <= row <= block.last_row and block.first_column <= first <= block.last_column:
                    assert first + across - 1 <= block.last_column, (sheet.name, text)
                    room = sum(widths.get(k, _USUAL) + _MARGINS for k in range(first, block.last_column + 1))
                    assert across > 1 or text_width(text) * size <= room, (sheet.name, text)


def test_labels_are_not_cut_by_the_cell_beside_them(report):
    for sheet in report.sheets:
        widths = column_widths(sheet)
        for table in sheet.tables:
            for number, (column, beside) in enumerate(
                zip(table.columns, table.columns[1:], strict=False), table.column
            ):
                if column.style != "text" or all(cell is None for cell in beside.cells):
                    continue
                longest = max((text_width(str(cell)) for cell in column.cells if cell), default=0.0)
                assert longest <= max(widths[number], 33.0), (sheet.name, column.heading)


def test_charts_are_printed_whole_and_within_one_block(report):
    for sheet in report.sheets:
        widths = column_widths(sheet)
        for chart in sheet.charts:
            block = next(
                b
                for b in printed_blocks(sheet)
                if b.first_column <= chart.column <= b.last_column and b.first_row <= chart.row <= b.last_row
            )
            columns = range(chart.column, block.last_column + 1)
            room = sum(widths.get(k, _USUAL) + _MARGINS for k in columns) * 7 * 2.54 / 96
            assert chart.width_cm <= room + 0.1, (sheet.name, chart.title)


def test_no_page_of_charts_of_cal_methods_runs_over(report):
    for sheet in (one for one in report.sheets if one.name == "Cal methods" and one.charts):
        heights = row_heights(sheet, BaseFont())
        down = 297.0 if sheet.portrait else 210.0
        room = (down / 25.4 - MARGIN - FOOT_MARGIN) * 72.0 / printed_scale(sheet)
        for block in sheet.printed:
            if block.first_column > 1:
                rows = range(block.first_row, block.last_row + 1)
                assert sum(heights.get(row, ROW_HEIGHT) for row in rows) <= room


def test_pages_of_charts_of_cal_methods_are_not_half_blank(report):
    """A chart stands alone on a page only where there is no other, and takes more than half the width.

    With further methods the values may be too wide for upright paper, and lie across.
    """
    for sheet in (one for one in report.sheets if one.name == "Cal methods" and one.charts and one.across <= 8):
        blocks = [block for block in sheet.printed if block.first_column > 1]
        beside = [chart for chart in sheet.charts if chart.column > 1]
        for block in blocks:
            assert len(sheet.charts) == 1 or sum(block.first_row <= c.row <= block.last_row for c in beside) > 1
        across = (210.0 if sheet.portrait else 297.0) / 10 - 2 * 2.54 * MARGIN
        for chart in sheet.charts:
            assert chart.width_cm * printed_scale(sheet) > across / 2 or not blocks


@pytest.mark.parametrize("office", [False, True], ids=["Excel", "LibreOffice"])
def test_no_last_page_holds_a_few_rows_and_no_page_ends_with_a_heading(report, office):
    for sheet in report.sheets:
        page = page_of(report, sheet)
        headings = {table.row for table in sheet.tables if table.n_rows}
        headings |= {note.row for note in sheet.notes if note.style == "heading"}
        if page.pages_down:
            continue
        for block in map(_range, page.areas or [_spelt(block) for block in printed_blocks(sheet)]):
            rows = rows_by_page(sheet, block, page.title_row, office=office)
            assert len(rows) == 1 or rows[-1] >= FEWEST_ROWS, (sheet.name, block, rows)
            ends = {block.first_row - 1 + sum(rows[:k]) for k in range(1, len(rows))}
            assert not ends & headings, (sheet.name, block, rows)
            for chart in sheet.charts:
                held = range(chart.row, last_row_of(chart, row_heights(sheet, BaseFont())))
                assert not block.first_column <= chart.column <= block.last_column or not ends & set(held), chart.title


def test_what_is_shrunk_to_fewer_pages_keeps_nine_points_and_fits(report):
    for sheet in report.sheets:
        page = page_of(report, sheet)
        if page.pages_down:
            (block,) = printed_blocks(sheet)
            scale = LEAST_SCALE / min(1.0, printed_scale(sheet) * _WIDER)
            assert len(rows_by_page(sheet, block, page.title_row, shrunk=min(1.0, scale))) <= page.pages_down


def _spelt(block: CellRange) -> str:
    return block_address(block.first_row, block.first_column, block.last_row, block.last_column)


def _range(address: str) -> CellRange:
    first, last = corners_of(address)[:2], corners_of(address)[2:]
    return CellRange(first[0], first[1], last[0], last[1])


# Of LibreOffice on 1600 x 1000 pixels, measured: where its row numbers end, where its scroll bar begins beside the side
# bar, how many pixels of rows are seen below the letters of the columns, and how wide a character and a centimetre are.
_LEFT, _RIGHT, _DOWN, _CHARACTER, _CENTIMETRE = 37, 1538, 820, 7.83, 39.3


def test_charts_are_on_the_screen_beside_the_open_side_bar(report):
    for sheet in report.sheets:
        widths, heights = column_widths(sheet), row_heights(sheet, BaseFont())
        for k, chart in enumerate(sheet.charts):
            before = sum(widths.get(number, _USUAL) + _MARGINS for number in range(1, chart.column))
            end = _LEFT + before * _CHARACTER + chart.width_cm * _CENTIMETRE
            assert chart.width_cm >= 7.5 and end <= _RIGHT, (sheet.name, chart.title)
            if k == 0 and sheet.name != "What it buys":  # others are scrolled to
                above = sum(heights.get(row, ROW_HEIGHT) for row in range(1, chart.row)) * 96 / 72
                assert above + chart.height_cm * _CENTIMETRE <= _DOWN, (sheet.name, chart.title)


def test_decimals_go_by_the_kind_of_quantity(report):
    kinds = {
        "Calibrated value": "0.0", "Lower": "0.0", "Upper": "0.0", "Raw average": "0.0", "Standard error": "0.0",
        "Change": "+0.0;-0.0;0.0", "Bias": "+0.0;-0.0;0.0", "Severity": "+0.0;-0.0;0.0", "Rank": "0", "Rank from": "0",
        "Rank to": "0", "Adjusted p": '[<0.001]"<0.001";0.000', "Leverage": "0.00",
    }  # fmt: skip
    for sheet in report.sheets:
        for table in sheet.tables:
            for column in table.columns:
                if column.heading in kinds and column.style in NUMERIC_STYLES:
                    expected = kinds[column.heading]
                    if column.heading in ("Lower", "Upper") and column.style == "signed":
                        expected = kinds["Bias"]
                    assert NUMBER_FORMATS[column.style] == expected, (sheet.name, column.heading)
