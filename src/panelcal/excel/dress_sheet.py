"""Looks of a result sheet in Excel: formats by runs of columns, widths, panes, comments, links, print set-up, charts.

The same looks as those of `files.styles`, through xlwings' own words, which know no named cell styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Literal, TypeVar

import xlwings as xw

from panelcal.excel.draw_charts import draw_charts
from panelcal.excel.highlights import add_highlights
from panelcal.excel.native import Omissions, native
from panelcal.reporting.layout import (
    column_widths,
    default_row_height,
    heading_indent,
    heading_look,
    main_table,
    row_heights,
    whole_block,
)
from panelcal.reporting.looks import (
    ALERT_INK,
    DRAWING_FONT,
    DRAWING_SIZE,
    GIVEN_STEPS,
    GOOD_FORMAT,
    GOOD_INK,
    HEADING_FILL,
    HEADING_LINE,
    INK,
    INPUT_FILL,
    LINE,
    NOTE_SIZES,
    NUMBER_FORMATS,
    NUMERIC_STYLES,
    PALE_INK,
    TAB_COLOUR,
    TILE_FILL,
    TILE_NOTES,
    TITLE_INK,
    TITLE_SIZE,
    WARNING_FORMAT,
    ZERO_FORMATS,
    BaseFont,
    ZeroLook,
    set_in_format,
    zero_look,
)
from panelcal.reporting.model import CellRange, Column, NoteStyle, Report, Sheet, Style, Table
from panelcal.reporting.page import page_of

# Every link costs a call. The worst residuals come first, so these are the ones that somebody follows.
LINKS_PER_COLUMN = 50
# So does every run of cells that are shown as zero; what is beyond shows "-0.0".
ZERO_RUNS_PER_COLUMN = 200
_NOTE_INKS: dict[NoteStyle, str] = {
    "heading": TITLE_INK,
    "warning": ALERT_INK,
    "good": GOOD_INK,
    "small": PALE_INK,
    "headline": TITLE_INK,
    "figure": TITLE_INK,
    "figure asks": ALERT_INK,
    "figure long": TITLE_INK,
    "figure long asks": ALERT_INK,
}
_NOTE_FORMATS: dict[NoteStyle, str] = {"warning": WARNING_FORMAT, "good": GOOD_FORMAT}
T = TypeVar("T")

_PLAIN_NOTES = ("plain", "small", "caption", "line")


def dress(target: xw.Sheet, sheet: Sheet, report: Report, omissions: Omissions) -> None:
    """Give a sheet whose cells are written the looks of the report."""
    target.activate()
    font, main = _base_font(target), main_table(sheet)
    _titles_and_notes(target, sheet, font)
    for table in sheet.tables:
        _table(target, table, font, column_widths(sheet), filtered=table is main)
    for number, last, width in _runs([(n, w) for n, w in sorted(column_widths(sheet).items())]):
        target.range((1, number), (1, last)).column_width = width
    _heights(target, sheet, font)
    with omissions.attempt("gridlines switched off"):
        target.show_gridlines = False
    with omissions.attempt("colours of the tabs"):
        native().colour_tab(target, rgb(TAB_COLOUR))
    with omissions.attempt("explanations of the headings"):
        _explain_headings(target, sheet)
    with omissions.attempt("links"):
        _links(target, sheet)
    with omissions.attempt("conditional formats"):
        add_highlights(target, sheet)
    with omissions.attempt("drop-downs"):
        _offer_choices(target, sheet)
    with omissions.attempt("charts"):
        draw_charts(target, sheet, report, omissions)
    with omissions.attempt("print set-up"):
        native().set_up_page(target, page_of(report, sheet))
    if main is not None:
        with omissions.attempt("filters"):
            native().add_filter(_range(target, whole_block(main)))
    target.range((1, 1)).select()
    if sheet.frozen is not None:
        with omissions.attempt("frozen headings"):
            native().freeze_panes(target, *sheet.frozen)


def _offer_choices(target: xw.Sheet, sheet: Sheet) -> None:
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            rows = [(row, tuple(entries)) for row, entries in enumerate(column.choices, table.row + 1) if entries]
            for first, last, entries in _runs(rows):
                target.range((first, number), (last, number)).data_validation.set_list(list(entries))


def rgb(colour: str) -> tuple[int, int, int]:
    """Split a colour such as "0072B2" into red, green and blue."""
    return int(colour[:2], 16), int(colour[2:4], 16), int(colour[4:], 16)


def _base_font(target: xw.Sheet) -> BaseFont:
    """Font that the workbook writes in, as a cell shows it that nobody has formatted yet."""
    size = target.range((1, 1)).font.size
    return BaseFont(size=float(size)) if size else BaseFont()


def _range(target: xw.Sheet, block: CellRange) -> xw.Range:
    return target.range((block.first_row, block.first_column), (block.last_row, block.last_column))


def _titles_and_notes(target: xw.Sheet, sheet: Sheet, font: BaseFont) -> None:
    scale = font.size / 11.0
    title = target.range((1, 1))
    title.font.size = TITLE_SIZE * scale
    title.font.bold = True
    title.font.color = rgb(TITLE_INK)
    title.vertical_alignment = "center"
    target.range((2, 1)).font.color = rgb(PALE_INK)
    for note in sheet.notes:
        cell = target.range((note.row, note.column))
        cell.horizontal_alignment = "left"
        cell.font.color = rgb(_NOTE_INKS.get(note.style, INK))
        if note.style not in _PLAIN_NOTES:
            cell.font.bold = True
        if note.style in NOTE_SIZES:
            cell.font.size = NOTE_SIZES[note.style] * scale
        if note.style in _NOTE_FORMATS and note.highlight is None:  # a condition could not take the symbol away here
            cell.number_format = _NOTE_FORMATS[note.style]
        if note.style in TILE_NOTES:
            cell.adjust_indent(1)
        if note.wraps:
            _as_one(target, note.row, note.column, note.across, note.down)
            if note.style in TILE_NOTES:
                cell.merge_area.color = rgb(TILE_FILL)
                cell.merge_area.borders.set(
                    ["edge_left", "edge_right"], line_style="continuous", weight="thick", color=rgb("FFFFFF")
                )
    if sheet.across > 1:
        _as_one(target, 2, 1, sheet.across)


def _as_one(target: xw.Sheet, row: int, column: int, across: int, down: int = 1) -> None:
    """Make one cell of several beside and below one another, and wrap what stands in it."""
    block = target.range((row, column), (row + down - 1, column + across - 1))
    block.merge()
    block.wrap_text = True
    block.vertical_alignment = "top"


def _table(target: xw.Sheet, table: Table, font: BaseFont, widths: Mapping[int, float], *, filtered: bool) -> None:
    block = whole_block(table)
    headings = target.range((table.row, block.first_column), (table.row, block.last_column))
    if table.n_rows:
        body = target.range((table.row + 1, block.first_column), (block.last_row, block.last_column))
        body.vertical_alignment = "center"
        body.row_height = default_row_height(font)
        body.font.color = rgb(INK)
        sides = ["edge_bottom"] + (["inside_horizontal"] if table.n_rows > 1 else [])
        body.borders.set(sides, line_style="continuous", weight="thin", color=rgb(LINE))
        for first, last, style in _runs([(n, c.style) for n, c in enumerate(table.columns, table.column)]):
            _style(target.range((table.row + 1, first), (block.last_row, last)), style, filtered=filtered)
        for number, column in enumerate(table.columns, table.column):
            set_in = filtered and column.style in NUMERIC_STYLES
            for first, last, mixed in _runs([(row, s) for row, s in enumerate(_mixed(column), table.row + 1)]):
                target.range((first, number), (last, number)).number_format = _format(NUMBER_FORMATS[mixed], set_in)
            for first, last, zero in islice(_runs(_near_zero(column, table.row + 1)), ZERO_RUNS_PER_COLUMN):
                target.range((first, number), (last, number)).number_format = _format(ZERO_FORMATS[zero], set_in)
    headings.font.bold = True
    headings.font.color = rgb(TITLE_INK)
    headings.color = rgb(HEADING_FILL)
    headings.wrap_text = True
    headings.vertical_alignment = "bottom"
    headings.borders.set("edge_top", line_style="continuous", weight="thin", color=rgb(HEADING_LINE))
    headings.borders.set("edge_bottom", line_style="continuous", weight="medium", color=rgb(HEADING_LINE))
    looks = [
        (heading_look(column, filtered=filtered), heading_indent(column, widths[number]))
        for number, column in enumerate(table.columns, table.column)
    ]
    for first, last, (look, steps) in _runs(list(enumerate(looks, table.column))):
        part = target.range((table.row, first), (table.row, last))
        if look == "heading filtered":
            part.horizontal_alignment = "left"
            if steps:
                part.adjust_indent(steps)
        else:
            _align(part, "left" if look == "heading" else "right")


def _mixed(column: Column) -> Sequence[Style]:
    """Styles of the single cells where a column has several; those of words keep the format of the column."""
    return tuple(
        column.style if isinstance(value, str) else style
        for value, style in zip(column.cells, column.styles, strict=False)
    )


def _near_zero(column: Column, first_row: int) -> list[tuple[int, ZeroLook]]:
    """Rows of a column's fixed numbers that are shown as zero, with their looks."""
    styles = column.styles or (column.style,) * len(column.cells)
    formulas = column.formulas or (None,) * len(column.cells)
    cells = enumerate(zip(column.cells, styles, formulas, strict=True), first_row)
    found = ((row, zero_look(style, value)) for row, (value, style, formula) in cells if not formula)
    return [(row, look) for row, look in found if look is not None]


def _format(number_format: str, set_in: bool) -> str:
    return set_in_format(number_format) if set_in else number_format


def _style(cells: xw.Range, style: Style, *, filtered: bool) -> None:
    # Said of "General" too, because a formula takes on the format of the cells it refers to.
    cells.number_format = _format(NUMBER_FORMATS[style], filtered and style in NUMERIC_STYLES)
    if style in NUMERIC_STYLES:
        _align(cells, "right")
        if style == "given" and filtered:
            cells.adjust_indent(GIVEN_STEPS)
    else:
        _align(cells, "left")
    if style in ("wrapped", "input"):
        cells.wrap_text = True
    if style == "drawing":
        cells.font.name, cells.font.size = DRAWING_FONT, DRAWING_SIZE
    if style == "input":
        cells.color = rgb(INPUT_FILL)
        cells.borders.set("all", line_style="continuous", weight="thin", color=rgb(HEADING_LINE))


def _align(cells: xw.Range, side: Literal["left", "right"]) -> None:
    cells.horizontal_alignment = side
    if side == "left":
        # Keeps words off the numbers of the column before, which stand at its right edge.
        cells.adjust_indent(1)


def _heights(target: xw.Sheet, sheet: Sheet, font: BaseFont) -> None:
    """Set heights of titles and headings; rows of wrapped text fit themselves, for here a font is at hand."""
    wrapped = [table for table in sheet.tables if table.n_rows and any(c.style == "wrapped" for c in table.columns)]
    for table in wrapped:
        target.range((table.row + 1, table.column), (table.last_row, table.column)).rows.autofit()
    fitted = {row for table in wrapped for row in range(table.row + 1, table.last_row + 1)}
    for row, height in sorted(row_heights(sheet, font).items()):
        if row not in fitted:
            target.range((row, 1)).row_height = height


def _explain_headings(target: xw.Sheet, sheet: Sheet) -> None:
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            if column.explanation:
                target.range((table.row, number)).add_note(column.explanation)


def _links(target: xw.Sheet, sheet: Sheet) -> None:
    layer = native()
    for note in sheet.notes:
        if note.link:
            layer.add_link(target.range((note.row, note.column)), note.link.removeprefix("#"))
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            linked = [(row, place) for row, place in enumerate(column.links, table.row + 1) if place]
            for row, place in linked[:LINKS_PER_COLUMN]:
                layer.add_link(target.range((row, number)), place.removeprefix("#"))


def _runs(items: Sequence[tuple[int, T]]) -> Iterator[tuple[int, int, T]]:
    """Join neighbours of the same kind: (first, last, kind) from (number, kind) in ascending order."""
    for (kind, _), group in groupby(enumerate(items), key=lambda entry: (entry[1][1], entry[1][0] - entry[0])):
        members = [number for _, (number, _) in group]
        yield members[0], members[-1], kind
