"""Read the sheets of an open workbook through xlwings as a `Source`, in blocks: values and formulas in one call each.

What else bears on meaning (number formats, hidden rows, merged cells) is asked of whole blocks first and of smaller
ones only where they are mixed, see `cell_traits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import repeat
from typing import Any

import xlwings as xw

from panelcal.errors import InputRefused
from panelcal.excel.cell_traits import hidden_lines, merged_blocks, number_formats
from panelcal.frozen import dataclass
from panelcal.reading.grid import CellError, Grid, Source
from panelcal.reporting.names import RESULT_SHEETS

ERRORS = frozenset(
    {
        "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!",
        "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#CONNECT!", "#BUSY!", "#UNKNOWN!", "#GETTING_DATA",
    }
)  # fmt: skip
_MOST_SLOTS = 60_000_000
_LARGEST_EXACT = 1e15


@dataclass(frozen=True, slots=True)
class Selected:
    """The block that the user selected on the sheet in front, as (first row, first column, last row, last column)."""

    sheet: str
    block: tuple[int, int, int, int]


def read_workbook(book: xw.Book, selected: Selected | None = None) -> Source:
    """Read every sheet that could hold input.

    Parameters
    ----------
    book
        The workbook.
    selected
        Read only this block of its sheet; None = all of it.

    Raises
    ------
    InputRefused
        If a sheet has filled cells so far apart that it cannot be laid out in memory.
    """
    grids = []
    notes: tuple[str, ...] = ()
    for sheet in book.sheets:
        name = sheet.name
        if _never_read(name):
            grids.append(Grid(name, ()))
        elif selected is not None and name == selected.sheet:
            grids.append(read_sheet(sheet, selected.block))
            notes = ("Only the cells that were selected were read.",)
        else:
            grids.append(read_sheet(sheet))
    return Source(book.name, tuple(grids), _sheet_in_front(book), notes, "open workbook")


def read_sheet(sheet: xw.Sheet, block: tuple[int, int, int, int] | None = None) -> Grid:
    """Read one sheet, or one block of it: cells outside it are taken as blank.

    Raises
    ------
    InputRefused
        If it has filled cells so far apart that it cannot be laid out in memory.
    """
    used = sheet.used_range
    last_row, last_column = used.row + used.shape[0] - 1, used.column + used.shape[1] - 1
    first_row = first_column = 1
    if block is not None:
        first_row, first_column = block[:2]
        last_row, last_column = min(last_row, block[2]), min(last_column, block[3])
    visible = is_visible(sheet)
    if last_row < first_row or last_column < first_column:
        return Grid(sheet.name, (), visible=visible)
    if last_row * last_column > _MOST_SLOTS:
        raise InputRefused(
            f"Sheet {sheet.name} has filled or formatted cells very far to the right or down (to row {last_row:,}, "
            f"column {last_column:,}): delete the rows and columns that are not needed."
        )
    cells = sheet.range((first_row, first_column), (last_row, last_column))
    rows = _trimmed(cells_from(cells.options(ndim=2, err_to_str=True).value))
    if not rows:
        return Grid(sheet.name, (), visible=visible)
    height, width = len(rows), len(rows[0])
    cells = sheet.range((first_row, first_column), (first_row + height - 1, first_column + width - 1))
    blank = (None,) * (first_column + width - 1)
    beside = (None,) * (first_column - 1)
    hidden_rows, hidden_columns = hidden_lines(cells)
    return Grid(
        sheet.name,
        (*repeat(blank, first_row - 1), *((*beside, *row) for row in rows)),
        number_formats(cells, rows),
        _formulas(cells, rows),
        merged_blocks(cells),
        hidden_rows,
        hidden_columns,
        visible,
    )


def is_visible(sheet: xw.Sheet) -> bool:
    """Tell whether the tab of a sheet is shown; for one that no menu can show again, Excel's answer is 2."""
    return sheet.visible in (True, -1)


def cells_from(values: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Turn what xlwings returns for a block into the values of a `Grid`."""
    return [tuple([_value(value) for value in row]) for row in values]


def _value(value: Any) -> Any:
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < _LARGEST_EXACT else value
    if value is None or kind is bool:
        return value
    if kind is str:
        return CellError(value) if value in ERRORS else value
    if kind is int:
        # Excel has no whole numbers: this is the code of an error that xlwings does not know by name.
        return CellError("#ERROR") if value < 0 else value
    # Cells in a currency format arrive as decimal numbers.
    return _value(float(value)) if kind is Decimal else value


def _trimmed(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Drop blank rows below and blank columns to the right, which formats alone can have made."""
    while rows and all(value is None for value in rows[-1]):
        rows.pop()
    width = max((_filled(row) for row in rows), default=0)
    return [row[:width] for row in rows]


def _filled(row: Iterable[Any]) -> int:
    return max((number for number, value in enumerate(row, 1) if value is not None), default=0)


def _formulas(cells: xw.Range, rows: Sequence[Sequence[Any]]) -> dict[tuple[int, int], str]:
    spelled: Any = cells.formula
    if not isinstance(spelled, list | tuple):
        spelled = ((spelled,),)
    elif not isinstance(spelled[0], list | tuple):
        spelled = (spelled,)
    found: dict[tuple[int, int], str] = {}
    for i, (texts, values) in enumerate(zip(spelled, rows, strict=True), cells.row):
        for j, (text, value) in enumerate(zip(texts, values, strict=True), cells.column):
            # Text that only looks like a formula is what it is: its value is the same text.
            if value is not None and isinstance(text, str) and text.startswith("=") and text != value:
                found[i, j] = text
    return found


def _sheet_in_front(book: xw.Book) -> str:
    # A chart sheet may be in front, which is none of the sheets that xlwings knows.
    with suppress(Exception):
        return book.sheets.active.name
    return ""


def _never_read(sheet: str) -> bool:
    """Tell whether a sheet has the name of a result or of instructions, which never hold input."""
    name = sheet.casefold()
    return name == "start here" or name.startswith(tuple(result.casefold() for result in RESULT_SHEETS))
