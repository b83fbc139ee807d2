"""Room on a result sheet: column widths and row heights such that nothing is cut off, whatever the font."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from panelcal.panel import by_number
from panelcal.reading.grid import address, block_address
from panelcal.reporting.drawn_intervals import PLACES
from panelcal.reporting.looks import (
    BEHIND_FIGURES,
    MOST_HEADING_STEPS,
    NOTE_SIZES,
    NUMERIC_STYLES,
    ROW_HEIGHT,
    TILE_NOTES,
    TITLE_SIZE,
    BaseFont,
    CellLook,
)
from panelcal.reporting.model import CellRange, Column, Note, NoteStyle, Sheet, Table
from panelcal.reporting.text_size import (
    SPARING,
    WRAP_MARGIN,
    longest_line,
    longest_word,
    text_width,
    wrapped,
    wrapped_lines,
)

_MANY_ROWS, _MANY_PARAGRAPHS = 10_000, 500
_NUMBERS_OR_NOTHING = frozenset({int, float, type(None)})
_LINE = 15.0 / 11.0  # height of a line in multiples of the font size
_TALLEST_ROW = 409.0
_SYMBOL = "W "  # as wide as what the number format puts before a line that is good or a warning
_FILTER_BUTTON = 2.4  # characters that a filter's button takes from the last line of a heading
# What widths may be in fact, where words are wrapped and a button covers them.
_SIZES = (0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98, 1.0, 1.02)
_LESS_INDENT = 0.8  # that LibreOffice sets words in by less
_BESIDE_BUTTON, _LIKELY = 2.9, 0.86  # LibreOffice wraps every line beside its button; and how wide words are there
_BOLDEST = 1.08  # what the longest word may be in fact: a broken word is worse than a wide column
_MOST_WIDTH = 120.0
_TALLER: dict[NoteStyle, float] = {"heading": 2.1, "line": 2.0}  # in multiples of the size of a heading
_DEFAULT_WIDTH = 8.43
_NARROWEST, _WIDEST_LABELS = 6.0, 34.0
_MEASURED = 20  # of the longest labels, among which the widest is
_LONG_HEADING, _LETTERS_A_LINE = 36, 13  # of which each line may hold so few
_FIXED_WIDTHS = {"scientific": 9.0, "percent": 6.1, "p value": 7.5}
_INDENT = 2.0  # words are set in by this much, and numbers keep as much off the edge of the cell before
# Under a filter's button figures end that far off the edge that those after them need hardly any room before.
_MORE_WHEN_FILTERED = BEHIND_FIGURES + 0.5 - _INDENT
_STEP_OF_INDENT = 9.0 / 7.0
_SET_IN, _LABEL_ROOM = 1.3, 1.7  # of that, what words that wrap cannot use; and what a label needs beside its letters
_EDGE_OF_CELL = 5.0 / 7.0  # between the cells of a block, which one cell in their place can use
_CLOSE_LINES = 0.75  # height of a further line of a cell in LibreOffice, as a share of that in Excel
_TO_SPARE = 0.6  # characters that a paragraph has more where its words take the least room
_STEPS_TO_AGREE = 5
_LEAST_SHARE, _STEP = 0.88, 0.5  # how much narrower a column of paragraphs may be, and in which steps it is tried
_AIR = 3.0  # points above and below the lines of a heading, together
DRAWING_WIDTH = 0.87 * PLACES + 0.4  # a letter of Courier New at 8 points beside a digit of Calibri at 11
_KNOWN_WIDTHS: WeakKeyDictionary[Column, float] = WeakKeyDictionary()  # of columns that still exist
_DECIMALS: dict[str, int] = {"score": 1, "signed": 1, "precise": 2, "fine": 3, "integer": 0, "places": 0, "large": 0}


def main_table(sheet: Sheet) -> Table | None:
    """Return the table that is filtered and whose headings are printed on each page: the one right under the freeze."""
    if sheet.frozen is None:
        return None
    for table in sheet.tables:
        if table.column == 1 and table.row + 1 == sheet.frozen[0] and table.n_rows:
            return table
    return None


def form_heading_look(table: Table, column: Column) -> CellLook:
    """Look of a column's heading on a form: those of names stand level, the others as the table says.

    One that the user is to write is shaded as all is that is to be filled in.
    """
    if column.style == "input label" or table.headings == "none":
        return "heading"
    if table.headings == "upright":
        return "heading upright" if column.heading else "heading to write"
    if table.headings == "wrapped":
        return "heading wrapped"
    return "heading number" if column.style == "input" else "heading"


def heading_look(column: Column, *, filtered: bool) -> CellLook:
    """Look of a column's heading, aligned as its cells are.

    Where rows are filtered a button stands at the right end of each heading, so that all of them begin at the left.
    """
    if column.style not in NUMERIC_STYLES | {"drawing"}:
        return "heading"
    return "heading filtered" if filtered or column.style == "drawing" else "heading number"


def heading_indent(column: Column, width: float) -> int:
    """Steps by which the heading of figures in a filtered table is set in, so that it ends above their ends.

    None, as a rule: a column is about as wide as its heading and a button. It is wider where its figures are, or where
    another table has words there.
    """
    if column.style not in NUMERIC_STYLES:
        return 0
    longest = longest_line(column.heading, width, bold=True)
    return max(0, min(MOST_HEADING_STEPS, int((width - longest - BEHIND_FIGURES) / _STEP_OF_INDENT)))


@lru_cache(maxsize=1)
def column_widths(sheet: Sheet) -> dict[int, float]:
    """Width in characters of every column that a table uses or that the sheet asks for.

    A column is never narrower than the longest word of its heading or its widest number, so that neither a broken word
    nor "####" appears, and no wider than its figures or labels need; widths given by the sheet itself are kept.
    """
    widths: dict[int, float] = {}
    for table in sheet.tables:
        filtered = table is main_table(sheet)
        for number, column in enumerate(table.columns, table.column):
            cells = _cells_width(column)
            if column.style in NUMERIC_STYLES:
                cells = max(cells + (_MORE_WHEN_FILTERED if filtered else 0.0), _NARROWEST)
            needed = _heading_width(column, cells, table.heading_lines, filtered=filtered)
            widths[number] = max(widths.get(number, 0.0), min(needed, _MOST_WIDTH))
    main = main_table(sheet)
    if len(sheet.tables) > 1:
        # A column that another table made wider may give a heading just the room to end under its button.
        for table in sorted(sheet.tables, key=lambda one: one is main):
            for number, column in enumerate(table.columns, table.column):
                widths[number] = _heading_width(column, widths[number], table.heading_lines, filtered=table is main)
    return widths | dict(sheet.column_widths)


def default_row_height(font: BaseFont) -> float:
    """Height in points of a row of one line."""
    return ROW_HEIGHT * font.size / 11.0


def row_heights(sheet: Sheet, font: BaseFont) -> dict[int, float]:
    """Height in points of each row that needs more than one line of the default font."""
    if sheet.form is not None:
        return dict(sheet.form.heights)
    line = font.size * _LINE
    scale = font.size / 11.0
    widths = column_widths(sheet)
    usual = default_row_height(font)
    heights: dict[int, float] = {1: TITLE_SIZE * scale * 1.5}
    if sheet.across > 1:
        heights[2] = wrapped_lines(sheet.explanation, _room_across(1, sheet.across, widths)) * line + 1.0
    for note in sheet.notes:
        if note.down == 1 and (note.style in _TALLER or note.across > 1):
            heights[note.row] = max(heights.get(note.row, 0.0), _note_height(note, widths, line, scale))
    for table in sheet.tables:
        filtered = table is main_table(sheet)
        needed = max(
            _heading_height(column.heading, widths[number] - _heading_margin(column, filtered=filtered), line, filtered)
            for number, column in enumerate(table.columns, table.column)
        )
        heights[table.row] = max(heights.get(table.row, 0.0), needed + _AIR, usual)
        for number, column in enumerate(table.columns, table.column):
            if column.style not in ("wrapped", "input"):
                continue
            width = widths[number]
            lines_in = wrapped_lines if table.n_rows <= _MANY_ROWS else _roughly_wrapped_lines
            for row, value in enumerate(column.cells, table.row + 1):
                if isinstance(value, str) and (len(value) > 0.6 * width or "\n" in value):
                    lines = lines_in(value, width - _SET_IN)
                    if lines > 1:
                        heights[row] = max(heights.get(row, 0.0), lines * line + usual - line)
    return {row: math.ceil(min(height, _TALLEST_ROW) * 4.0) / 4.0 for row, height in heights.items()}


def _heading_width(column: Column, least: float, lines: int, *, filtered: bool) -> float:
    """Width, at least `least`, that breaks no word of a heading and keeps its last line off the button of a filter."""
    less_indent = _LESS_INDENT if column.style == "text" else 0.0
    margin = _heading_margin(column, filtered=filtered)
    return _width_of_heading(column.heading, least, lines, margin, less_indent, filtered)


def heading_width(column: Column, lines: int) -> float:
    """Width in characters in which a heading that no button covers has so many lines, whichever program shows it."""
    return _heading_width(column, 0.0, lines, filtered=False)


@lru_cache(maxsize=4096)
def _width_of_heading(
    heading: str, least: float, lines: int, margin: float, less_indent: float, filtered: bool
) -> float:
    """The same for words and numbers: each is asked for twice, and tried in small steps."""
    longest = longest_word([heading], bold=True)
    width = max(least, longest * _BOLDEST + margin)
    if filtered:
        width = max(width, longest * _LIKELY + margin + _BESIDE_BUTTON)
        while any(
            wrapped(heading, (width - margin + more) / size + WRAP_MARGIN, bold=True)[1] * size
            > width - margin - _FILTER_BUTTON
            for size in _SIZES
            for more in (0.0, less_indent)
        ):
            width += 0.25
    most = max(lines, math.ceil(len(heading) / _LETTERS_A_LINE)) if len(heading) > _LONG_HEADING else lines
    while _heading_lines(heading, width - margin, filtered=filtered) > most and width < _MOST_WIDTH:
        width += 0.25
    return width if filtered else _where_all_agree(heading, width, margin)


def _where_all_agree(heading: str, width: float, margin: float) -> float:
    """A width, little more than the one given, at which a heading takes as few lines as where words take least room.

    Else its band would be a line too high in one program or too low in another.
    """
    fewest = wrapped_lines(heading, (width - margin) / _LIKELY, bold=True)
    steps = (width + _STEP * k for k in range(_STEPS_TO_AGREE + 1))
    return next((step for step in steps if wrapped_lines(heading, step - margin, bold=True) <= fewest), width)


def _heading_lines(heading: str, room: float, *, filtered: bool) -> int:
    """Lines that a heading takes in whichever program gives it the most."""
    lines = wrapped_lines(heading, room, bold=True)
    if not filtered:
        return lines
    return max(lines, wrapped_lines(heading, (room - _BESIDE_BUTTON) / _LIKELY, bold=True))


def _heading_height(heading: str, room: float, line: float, filtered: bool) -> float:
    """Points that the lines of a heading take in whichever program gives them the most."""
    closely = (1.0 + _CLOSE_LINES * (_heading_lines(heading, room, filtered=filtered) - 1)) * line
    return max(wrapped_lines(heading, room, bold=True) * line, closely)


def _heading_margin(column: Column, *, filtered: bool) -> float:
    """Characters of a column's width that no line of its heading can use."""
    return _INDENT if heading_look(column, filtered=filtered) == "heading" else 0.0


def _note_height(note: Note, widths: dict[int, float], line: float, scale: float) -> float:
    if note.style in _TALLER:
        return NOTE_SIZES["heading"] * scale * _TALLER[note.style]
    size = NOTE_SIZES.get(note.style, 11.0)
    lines = 1
    if note.style not in ("figure", "figure asks"):
        bold = note.style not in ("plain", "small", "caption", "line")
        room = _room_across(note.column, note.across, widths) - (_SET_IN if note.style in TILE_NOTES else 0.0)
        words = f"{_SYMBOL}{note.text}" if note.style in ("good", "warning") else note.text
        lines = wrapped_lines(words, room * 11.0 / size, bold=bold)
    return lines * line * size / 11.0 + (4.0 if note.style == "caption" else 8.0 if note.style == "headline" else 1.0)


def _room_across(column: int, across: int, widths: dict[int, float]) -> float:
    """Characters that a line has room for which goes across columns, with the edges between them."""
    whole = sum(widths.get(number, _DEFAULT_WIDTH) + _EDGE_OF_CELL for number in range(column, column + across))
    return whole - _EDGE_OF_CELL


def cells_as_one(sheet: Sheet) -> list[str]:
    """Spell the blocks whose cells are one: the explanation and notes that go across columns."""
    blocks = [block_address(2, 1, 2, sheet.across)] if sheet.across > 1 else []
    return blocks + [
        block_address(note.row, note.column, note.row + note.down - 1, note.column + note.across - 1)
        for note in sheet.notes
        if note.wraps
    ]


def wrapped_where_cut(column: Column, widest: float = _WIDEST_LABELS) -> Column:
    """Let names wider than a column may be go on in a second line: it is often their ends that tell them apart.

    Such a name is no link: LibreOffice writes links in one line, and cuts them at the end of the cell.
    """
    if column.style != "text":
        return column
    texts = _texts_in(column)
    if max(map(len, texts), default=0) <= widest / 2:
        return column
    long = (text for text in texts if len(text) > widest / 2)
    if max(map(text_width, long), default=0.0) + _LABEL_ROOM <= widest:
        return column
    links = tuple(
        None if isinstance(cell, str) and text_width(cell) + _LABEL_ROOM > widest else link
        for cell, link in zip(column.cells, column.links, strict=False)
    )
    return replace(column, style="wrapped", width=widest, links=links)


def heading_addresses(table: Table) -> list[str]:
    """Spell the heading cells from left to right."""
    return [address(table.row, table.column + offset) for offset in range(len(table.columns))]


def whole_block(table: Table) -> CellRange:
    """Return headings and data of a table as one block."""
    return CellRange(table.row, table.column, table.last_row, table.column + len(table.columns) - 1)


def _roughly_wrapped_lines(text: str, width: float) -> int:
    """Lines that a text takes, from its length alone: to measure each word of 200,000 paragraphs takes seconds."""
    return text.count("\n") + max(1, math.ceil(0.95 * len(text) / width))


def _cells_width(column: Column) -> float:
    """Width that the cells of a column need, measured once: pages, charts and writers all ask for it."""
    known = _KNOWN_WIDTHS.get(column)
    if known is None:
        known = _KNOWN_WIDTHS[column] = _measured_width(column)
    return known


def _measured_width(column: Column) -> float:
    """Measure it; the stated one where cells wrap or may run on over the next."""
    if column.style == "drawing":
        return DRAWING_WIDTH
    if column.style in NUMERIC_STYLES:
        return _widest_number(column)
    if column.style == "wrapped" and len(column.cells) <= _MANY_PARAGRAPHS:
        return _even_width(column.width, tuple(cell for cell in column.cells if isinstance(cell, str)))
    if column.style != "text":
        return column.width
    widest = max(map(text_width, _longest(_texts_in(column))), default=column.width) + _LABEL_ROOM
    return min(max(widest, _NARROWEST), max(column.width, _WIDEST_LABELS))


def _texts_in(column: Column) -> Sequence[str]:
    """Return the cells of a column that hold words."""
    cells: Sequence[Any] = column.cells
    return cells if set(map(type, cells)) == {str} else [cell for cell in cells if isinstance(cell, str)]


def _longest(texts: Sequence[str]) -> list[str]:
    """Return the texts with the most letters, as many as are measured, those of a length in the order given."""
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    longest = int(lengths.max(initial=0))
    return [texts[k] for k in by_number(longest - lengths, longest + 1)[:_MEASURED].tolist()]


@lru_cache(maxsize=64)
def _even_width(width: float, texts: tuple[str, ...]) -> float:
    """Width, not above the one given, at which paragraphs take the fewest lines, and in every program as many.

    Letters are wider in one program than in another (`text_size`): a paragraph that just fits in one of them takes a
    line more in the other, and its row is a line too high in one of them.
    """

    def lines(tried: float) -> int:
        most = [wrapped_lines(text, tried - _SET_IN) for text in texts]
        least = [wrapped_lines(text, (tried - _SET_IN + _TO_SPARE) / SPARING) for text in texts]
        return 2 * sum(most) - sum(least)

    steps = int((1.0 - _LEAST_SHARE) * width / _STEP)
    return min((width - _STEP * k for k in range(steps + 1)), key=lines)


def _widest_number(column: Column) -> float:
    if column.style in ("scientific", "percent", "p value"):
        return _FIXED_WIDTHS[column.style] * (1.0 if column.highlight is None else 1.05)
    cells = column.cells
    if not set(map(type, cells)) <= _NUMBERS_OR_NOTHING:
        cells = [value for value in cells if isinstance(value, int | float)]
    numbers = np.array(cells, dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size:
        return 0.0
    signed = bool(column.formulas) or float(numbers.min()) < 0.0
    sign = "+" if column.style in ("signed", "places") else "-" if signed else ""
    sizes = np.abs(numbers)
    widest = text_width(sign + _as_shown(float(sizes.max()), column.style), bold=column.highlight is not None)
    if column.style == "given":
        some = np.unique(sizes)[:_MANY_PARAGRAPHS].tolist()
        widest = max([widest, *(text_width(f"{sign}{size:.5g}") for size in some)])
    return widest + _INDENT


def _as_shown(size: float, style: str) -> str:
    if style == "given":
        return f"{size:.11g}"
    return f"{size:{',' if style == 'large' else ''}.{_DECIMALS[style]}f}"
