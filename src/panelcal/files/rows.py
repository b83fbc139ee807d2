"""The cells of a result sheet as spreadsheet XML.

Written directly rather than cell object by cell object: a full sheet has millions of cells, and here a formula's
present value goes in beside the formula, which openpyxl cannot do and without which a previewer shows blanks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from panelcal.files.styles import Looks
from panelcal.reading.grid import address, block_address, column_letters
from panelcal.reporting.cell_content import stored
from panelcal.reporting.layout import heading_look, row_heights
from panelcal.reporting.looks import NOTE_LOOKS
from panelcal.reporting.model import CellValue, Column, Note, Sheet, Style, Table

_ERRORS = frozenset({"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"})
# Texts that a spreadsheet would take for its own way of spelling characters that XML cannot hold.
_ESCAPED_LOOKALIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def sheet_data(sheet: Sheet, looks: Looks) -> tuple[bytes, str]:
    """Render all cells of a sheet.

    Returns
    -------
    xml
        The ``sheetData`` element.
    dimension
        The block that holds all cells, such as ``A1:R86``.
    """
    rows: dict[int, list[tuple[int, str]]] = {
        1: [(1, _cell("A1", looks.index("title"), sheet.title, None))],
        2: [(1, _cell("A2", looks.index("explanation"), sheet.explanation, None))],
    }
    last_column = 1
    for note in sheet.notes:
        xml = _note_cell(note, looks)
        rows.setdefault(note.row, []).append((note.column, xml))
        last_column = max(last_column, note.column)
    for table in sheet.tables:
        heading_cells = "".join(
            _cell(address(table.row, table.column + offset), looks.index(heading_look(column)), column.heading, None)
            for offset, column in enumerate(table.columns)
        )
        rows.setdefault(table.row, []).append((table.column, heading_cells))
        written = [_column_cells(table, offset, column, looks) for offset, column in enumerate(table.columns)]
        for number, cells in enumerate(zip(*written, strict=True), table.row + 1):
            rows.setdefault(number, []).append((table.column, "".join(cells)))
        last_column = max(last_column, table.column + len(table.columns) - 1)

    heights = row_heights(sheet, looks.font)
    pieces = ["<sheetData>"]
    for number in sorted(rows):
        parts = rows[number]
        if len(parts) > 1:
            parts.sort()
        height = heights.get(number)
        size = f' ht="{height:g}"' if height else ""
        pieces.append(f'<row r="{number}"{size}>{"".join(xml for _, xml in parts)}</row>')
    pieces.append("</sheetData>")
    return "".join(pieces).encode(), block_address(1, 1, max(rows), last_column)


def _note_cell(note: Note, looks: Looks) -> str:
    index = looks.index(NOTE_LOOKS[note.style], linked=bool(note.link))
    return _cell(address(note.row, note.column), index, note.text, note.formula or None)


def _column_cells(table: Table, offset: int, column: Column, looks: Looks) -> list[str]:
    letters = column_letters(table.column + offset)
    first = table.row + 1
    plain = looks.index(column.style)
    if not (column.formulas or column.links or column.styles) and all(type(value) is float for value in column.cells):
        return [
            f'<c r="{letters}{row}" s="{plain}"><v>{value!r}</v></c>'
            if -math.inf < value < math.inf  # type: ignore[operator]
            else _cell(f"{letters}{row}", plain, value, None)
            for row, value in enumerate(column.cells, first)
        ]
    # Words in a column of mixed content are set in like those of other columns.
    word_style: Style = "text" if column.style == "general" else column.style
    formulas: Sequence[str | None] = column.formulas or (None,) * table.n_rows
    links: Sequence[str | None] = column.links or (None,) * table.n_rows
    styles: Sequence[Style] = column.styles or (column.style,) * table.n_rows
    return [
        _cell(
            f"{letters}{row}",
            looks.index(word_style if isinstance(value, str) else style, linked=bool(link)),
            value,
            formula,
        )
        for row, (value, formula, link, style) in enumerate(
            zip(column.cells, formulas, links, styles, strict=True), first
        )
    ]


def _cell(reference: str, style: int, value: CellValue, formula: str | None) -> str:
    kind, content = _content(value)
    start = f'<c r="{reference}" s="{style}"'
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
