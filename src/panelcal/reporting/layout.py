"""Room on a result sheet: column widths and row heights such that nothing is cut off, whatever the font."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from panelcal.reading.grid import address
from panelcal.reporting.looks import HEADING_NOTE_SIZE, NUMERIC_STYLES, TITLE_SIZE, BaseFont, CellLook
from panelcal.reporting.model import CellRange, Column, Sheet, Table
from panelcal.reporting.text_size import longest_word, text_width, wrapped_lines

_MANY_ROWS = 10_000
_NUMBERS_OR_NOTHING = frozenset({int, float, type(None)})
_LINE = 15.0 / 11.0  # height of a line in multiples of the font size
_TALLEST_ROW = 409.0
_FILTER_ARROW = 12.0
_MOST_WIDTH = 120.0
_INDENT = 1.6  # words are set in by this much, and numbers keep as much off the edge of the cell before
_DECIMALS = {"score": 1, "signed": 1, "precise": 4, "integer": 0}


def main_table(sheet: Sheet) -> Table | None:
    """Return the table that is filtered and whose headings are printed on each page: the one right under the freeze."""
    if sheet.frozen is None:
        return None
    for table in sheet.tables:
        if table.column == 1 and table.row + 1 == sheet.frozen[0] and table.n_rows:
            return table
    return None


def heading_look(column: Column) -> CellLook:
    """Look of a column's heading, aligned as its cells are."""
    numbers = column.style in NUMERIC_STYLES or (
        column.style == "general" and all(isinstance(value, int | float | None) for value in column.cells)
    )
    return "heading number" if numbers else "heading"


@lru_cache(maxsize=1)
def column_widths(sheet: Sheet) -> dict[int, float]:
    """Width in characters of every column that a table uses or that the sheet asks for.

    A column is never narrower than the longest word of its heading or its widest number, so that neither a broken word
    nor "####" appears; widths given by the sheet itself stand as they are.
    """
    widths: dict[int, float] = {}
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            needed = max(column.width, longest_word([column.heading], bold=True) + _INDENT, _widest_number(column))
            widths[number] = max(widths.get(number, 0.0), min(needed, _MOST_WIDTH))
    return widths | dict(sheet.column_widths)


def row_heights(sheet: Sheet, font: BaseFont) -> dict[int, float]:
    """Height in points of each row that needs more than one line of the default font."""
    line = font.size * _LINE
    scale = font.size / 11.0
    widths = column_widths(sheet)
    heights: dict[int, float] = {1: TITLE_SIZE * scale * 1.5}
    for note in sheet.notes:
        if note.style == "heading":
            heights[note.row] = max(heights.get(note.row, 0.0), HEADING_NOTE_SIZE * scale * 1.6)
    main = main_table(sheet)
    for table in sheet.tables:
        lines = max(
            wrapped_lines(column.heading, widths[number] - _INDENT, bold=True)
            for number, column in enumerate(table.columns, table.column)
        )
        room = lines * line + 2.0 + (_FILTER_ARROW if table is main else 0.0)
        heights[table.row] = max(heights.get(table.row, 0.0), room)
        for number, column in enumerate(table.columns, table.column):
            if column.style not in ("wrapped", "input"):
                continue
            width = widths[number]
            lines_in = wrapped_lines if table.n_rows <= _MANY_ROWS else _roughly_wrapped_lines
            for row, value in enumerate(column.cells, table.row + 1):
                if isinstance(value, str) and (len(value) > 0.6 * width or "\n" in value):
                    lines = lines_in(value, width - _INDENT)
                    if lines > 1:
                        heights[row] = max(heights.get(row, 0.0), lines * line + 1.0)
    return {row: math.ceil(min(height, _TALLEST_ROW) * 4.0) / 4.0 for row, height in heights.items()}


def heading_addresses(table: Table) -> list[str]:
    """Spell the heading cells from left to right."""
    return [address(table.row, table.column + offset) for offset in range(len(table.columns))]


def whole_block(table: Table) -> CellRange:
    """Return headings and data of a table as one block."""
    return CellRange(table.row, table.column, table.last_row, table.column + len(table.columns) - 1)


def _roughly_wrapped_lines(text: str, width: float) -> int:
    """Lines that a text takes, from its length alone: to measure each word of 200,000 paragraphs takes seconds."""
    return text.count("\n") + max(1, math.ceil(0.95 * len(text) / width))


def _widest_number(column: Column) -> float:
    if column.style not in NUMERIC_STYLES:
        return 0.0
    if column.style in ("scientific", "percent"):
        return 10.0
    cells = column.cells
    if not set(map(type, cells)) <= _NUMBERS_OR_NOTHING:
        cells = [value for value in cells if isinstance(value, int | float)]
    numbers = np.array(cells, dtype=np.float64)
    numbers = np.abs(numbers[np.isfinite(numbers)])
    if not numbers.size:
        return 0.0
    return text_width(f"-{float(numbers.max()):.{_DECIMALS[column.style]}f}") + _INDENT
