"""The cells of a result sheet as spreadsheet XML, spelt some thousand rows at a time while the file is written.

Written directly rather than cell object by cell object: a full sheet has millions of cells, and here a formula's
present value goes in beside the formula, which openpyxl cannot do and without which a previewer shows blanks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from panelcal.files.merge_styles import StyleMap
from panelcal.files.styles import Looks
from panelcal.files.xml_edits import escape
from panelcal.frozen import dataclass
from panelcal.reading.grid import address, block_address, column_letters
from panelcal.reporting.cell_content import stored
from panelcal.reporting.layout import (
    column_widths,
    form_heading_look,
    heading_indent,
    heading_look,
    main_table,
    row_heights,
)
from panelcal.reporting.looks import ACROSS_LOOKS, NOTE_LOOKS, ZERO_LOOKS, CellLook, zero_look
from panelcal.reporting.model import CellValue, Column, Note, Sheet, Style, Table

_AT_ONCE = 2_000
_NUMBERS = frozenset({int, float})
_TEXTS = frozenset({str, type(None)})
_ERRORS = frozenset({"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"})
# Texts that a spreadsheet would take for its own way of spelling characters that XML cannot hold.
_ESCAPED_LOOKALIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
# Anything in a text that may have to be spelt in another way in XML.
_UNUSUAL = re.compile(r"[^ -~]|[&<>_]|^ | $").search
_NOT_LONG = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class SheetRows:
    """The worksheet part of a result sheet, whose rows are spelt while it is written.

    Attributes
    ----------
    sheet, looks
        What is written, and how it looks.
    head, tail
        The part's XML before and after the rows.
    """

    sheet: Sheet
    looks: Looks
    head: bytes
    tail: bytes

    @property
    def rows(self) -> int:
        """Row of the last cell."""
        return _last_row(self.sheet)

    def renumbered(self, styles: StyleMap) -> SheetRows:
        """Return the part for a workbook whose own formats stand before those of the result sheets."""
        looks = self.looks.moved(styles.cell_offset)
        return SheetRows(self.sheet, looks, styles.apply(self.head), styles.apply(self.tail))

    def pieces(self) -> Iterator[tuple[int, bytes]]:
        """Spell the part, some thousand rows at a time, each piece with the number of rows in it."""
        sheet, looks = self.sheet, self.looks
        single = _single_cells(sheet, looks)
        main, filtered = main_table(sheet), looks.under_buttons()
        heights = row_heights(sheet, looks.font)
        fixed = ' customHeight="1"' if sheet.form is not None else ""
        yield 0, self.head + b"<sheetData>"
        for first in range(1, self.rows + 1, _AT_ONCE):
            last = min(first + _AT_ONCE - 1, self.rows)
            rows = {number: single[number] for number in range(first, last + 1) if number in single}
            for table in sheet.tables:
                start, stop = max(first, table.row + 1), min(last, table.last_row)
                if start > stop:
                    continue
                own = filtered if table is main else looks
                written = [_column_cells(table, offset, start, stop, own) for offset in range(len(table.columns))]
                for number, cells in enumerate(zip(*written, strict=True), start):
                    rows.setdefault(number, []).append((table.column, "".join(cells)))
            spelt = [_row(number, rows[number], heights, fixed) for number in sorted(rows)]
            yield last + 1 - first, "".join(spelt).encode()
        yield 0, b"</sheetData>" + self.tail


def dimension_of(sheet: Sheet) -> str:
    """Spell the block that holds all cells, such as ``A1:R86``."""
    ends = [table.column + len(table.columns) - 1 for table in sheet.tables]
    notes = [note.column + note.across - 1 for note in sheet.notes]
    return block_address(1, 1, _last_row(sheet), max([sheet.across, *ends, *notes]))


def _last_row(sheet: Sheet) -> int:
    return max([2, *(table.last_row for table in sheet.tables), *(note.row for note in sheet.notes)])


def _single_cells(sheet: Sheet, looks: Looks) -> dict[int, list[tuple[int, str]]]:
    """Spell title, explanation, notes and headings: row -> (column, cells)."""
    rows: dict[int, list[tuple[int, str]]] = {
        1: [(1, _cell("A1", looks.index("title"), sheet.title, None))],
        2: [(1, _explanation_cells(sheet, looks))],
    }
    for note in sheet.notes:
        rows.setdefault(note.row, []).append((note.column, _note_cell(note, looks)))
    for table in sheet.tables:
        if table.headings == "none":
            continue
        found = _heading_styles(sheet, table, looks)
        heading_cells = "".join(
            _cell(address(table.row, table.column + offset), found[offset], column.heading, None)
            for offset, column in enumerate(table.columns)
        )
        rows.setdefault(table.row, []).append((table.column, heading_cells))
    return rows


def _heading_styles(sheet: Sheet, table: Table, looks: Looks) -> list[int]:
    """Cell formats of the headings from left to right."""
    if sheet.form is not None:
        return [looks.index(form_heading_look(table, column)) for column in table.columns]
    widths, filtered = column_widths(sheet), table is main_table(sheet)
    return [
        looks.heading_index(heading_look(column, filtered=filtered), heading_indent(column, widths[number]))
        for number, column in enumerate(table.columns, table.column)
    ]


def _row(number: int, parts: list[tuple[int, str]], heights: Mapping[int, float], fixed: str) -> str:
    if len(parts) > 1:
        parts.sort()
    height = heights.get(number)
    size = f' ht="{height:g}"{fixed}' if height else ""
    return f'<row r="{number}"{size}>{"".join([xml for _, xml in parts])}</row>'


def _explanation_cells(sheet: Sheet, looks: Looks) -> str:
    look: CellLook = "explanation" if sheet.across == 1 else "explanation across"
    return _cell("A2", looks.index(look), sheet.explanation, None) + _filled(2, 2, sheet.across, looks.index(look))


def _note_cell(note: Note, looks: Looks) -> str:
    look = ACROSS_LOOKS[note.style] if note.wraps else NOTE_LOOKS[note.style]
    first = _cell(
        address(note.row, note.column), looks.index(look, linked=bool(note.link)), note.text, note.formula or None
    )
    return first + _filled(note.row, note.column + 1, note.column + note.across - 1, looks.index(look))


def _filled(row: int, first: int, last: int, style: int) -> str:
    """Spell the further cells of those that are one, which carry its border and colour."""
    return "".join(f'<c r="{address(row, column)}" s="{style}"/>' for column in range(first, last + 1))


def _column_cells(table: Table, offset: int, start: int, stop: int, looks: Looks) -> list[str]:
    """Spell the cells of a column from row `start` to row `stop` of the sheet."""
    column = table.columns[offset]
    letters = column_letters(table.column + offset)
    chosen = slice(start - table.row - 1, stop - table.row)
    plain = looks.index(column.style)
    values = column.cells[chosen]
    if column.spills:
        from panelcal.files.dynamic_arrays import spilt_cells  # noqa: PLC0415 - only one template spills

        return spilt_cells(column, table.row + 1, slice(start, stop + 1), letters, plain)
    varied = column.formulas or column.links or column.styles or column.style == "general"
    if not varied and set(map(type, values)) <= _NUMBERS:
        limit, look = ZERO_LOOKS.get(column.style, (0.0, None))
        zero = looks.index(look) if look else plain
        before, usual, near_zero = f'<c r="{letters}', f'" s="{plain}"><v>', f'" s="{zero}"><v>'
        least, most, below = -math.inf, math.inf, -limit
        return [
            f"{before}{row}{near_zero if below < value < limit and value else usual}{value!r}</v></c>"  # type: ignore[operator]
            if least < value < most  # type: ignore[operator]
            else _cell(f"{letters}{row}", plain, value, None)
            for row, value in enumerate(values, start)
        ]
    if not varied and values.count(None) == len(values):
        return [f'<c r="{letters}{row}" s="{plain}"/>' for row in range(start, stop + 1)]
    if not varied and set(map(type, values)) <= _TEXTS:
        before = f'" s="{plain}" t="inlineStr"><is><t>'
        unusual = _at_an_end if _all_usual(values) else _UNUSUAL  # type: ignore[arg-type]
        return [
            f'<c r="{letters}{row}{before}{value}</t></is></c>'
            if value and not unusual(value) and len(value) <= _NOT_LONG  # type: ignore[arg-type]
            else _cell(f"{letters}{row}", plain, value, None)
            for row, value in enumerate(values, start)
        ]
    nothing = (None,) * len(values)
    formulas: Sequence[str | None] = column.formulas[chosen] if column.formulas else nothing
    links: Sequence[str | None] = column.links[chosen] if column.links else nothing
    # Answers of several kinds, some of which may wrap, stand at one side.
    answers = column.style == "general" or (column.style == "wrapped" and bool(column.styles))
    styles: Sequence[Style] = column.styles[chosen] if column.styles else (column.style,) * len(values)
    return [
        _cell(
            f"{letters}{row}",
            looks.index(_look(column, value, formula, style), linked=bool(link), answer=answers),
            value,
            formula,
        )
        for row, (value, formula, link, style) in enumerate(zip(values, formulas, links, styles, strict=True), start)
    ]


def _all_usual(texts: Sequence[str | None]) -> bool:
    """Tell at once whether no text has a character within it that may have to be spelt in another way in XML."""
    joined = "".join([text for text in texts if text])
    return joined.isascii() and joined.isprintable() and not any(sign in joined for sign in "&<>_")


def _at_an_end(text: str) -> bool:
    """Tell whether a text begins or ends with a space."""
    return text[0] == " " or text[-1] == " "


def _look(column: Column, value: CellValue, formula: str | None, style: Style) -> CellLook:
    if value is None:
        return style
    if isinstance(value, str):
        # Words in a column of mixed content are set in like those of other columns.
        return "text" if column.style == "general" else column.style
    return (None if formula else zero_look(style, value)) or style


def _cell(reference: str, style: int, value: CellValue, formula: str | None) -> str:
    start = f'<c r="{reference}" s="{style}"'
    if not formula:  # what most cells are, at once
        if value is None:
            return f"{start}/>"
        if type(value) is float and -math.inf < value < math.inf:
            return f"{start}><v>{value!r}</v></c>"
    kind, content = _content(value)
    if formula:
        code = escape(formula.removeprefix("="))
        if kind == "inlineStr":
            kind = "e" if value in _ERRORS else "str"
            content = f"<v>{content}</v>"
        attribute = f' t="{kind}"' if kind else ""
        return f"{start}{attribute}><f>{code}</f>{content}</c>"
    if not content:
        return f"{start}/>"
    if kind == "inlineStr":
        space = ' xml:space="preserve"' if content != content.strip() or "\n" in content else ""
        return f'{start} t="inlineStr"><is><t{space}>{content}</t></is></c>'
    attribute = f' t="{kind}"' if kind else ""
    return f"{start}{attribute}>{content}</c>"


def _content(value: CellValue) -> tuple[str, str]:
    """Cell type and content: escaped text for "inlineStr", else a ``<v>`` element or nothing."""
    value = stored(value)
    if value is None:
        return "", ""
    if isinstance(value, str):
        return "inlineStr", escape(_ESCAPED_LOOKALIKE.sub("_x005F_", value))
    if isinstance(value, bool):
        return "b", f"<v>{int(value)}</v>"
    return "", f"<v>{value!r}</v>"
