"""Finds the sentence "Why" of the object that the selected cell is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import xlwings as xw

from panelcal.errors import InputRefused
from panelcal.excel.read_sheet import cells_from
from panelcal.reading.cell_values import label_text

_VALUES = "cal values"
_HEADING_ROW = 4
_WHY = "Why"


def why_at(cell: xw.Range, own: list[str]) -> str:
    """Explain the value of the object in whose row (or column) a cell stands, by the newest results.

    Parameters
    ----------
    cell
        The selected cell, on the input sheet or on one of ours.
    own
        Names of our sheets in the order of the tabs.

    Raises
    ------
    InputRefused
        If there are no results yet, or the cell is about no object in them.
    """
    book = cell.sheet.book
    candidates = [name for name in own if name.casefold().startswith(_VALUES)]
    if not candidates:
        raise InputRefused("There are no results to explain yet: click Calibrate first.")
    # On one of several sheets of values, its own; elsewhere the newest.
    name = cell.sheet.name if cell.sheet.name in candidates else candidates[-1]
    headings, *rows = _table(book.sheets[name])
    whys = {label_text(row[0]): row[headings.index(_WHY)] for row in rows if row[0] is not None}
    for label in _labels_near(cell):
        if label in whys:
            return f"{headings[0]} {label}. {whys[label]}"
    raise InputRefused(
        f"Select a cell in the row of one {str(headings[0]).lower()} and click again: nothing near cell "
        f"{cell.get_address(False, False)} is a {str(headings[0]).lower()} on sheet {name}."
    )


def _table(sheet: xw.Sheet) -> list[tuple[Any, ...]]:
    used = sheet.used_range
    last = used.row + used.shape[0] - 1, used.column + used.shape[1] - 1
    rows = cells_from(sheet.range((_HEADING_ROW, 1), last).options(ndim=2, err_to_str=True).value)
    if not rows or _WHY not in rows[0]:
        raise InputRefused(f"Sheet {sheet.name} has been changed by hand: click Calibrate for a new one.")
    return rows


def _labels_near(cell: xw.Range) -> Iterator[str]:
    """Labels in the cell itself, in its row from the left, and in its column from the top."""
    sheet = cell.sheet
    used = sheet.used_range
    last_row, last_column = used.row + used.shape[0] - 1, used.column + used.shape[1] - 1
    for block in (
        cell,
        sheet.range((cell.row, 1), (cell.row, last_column)),
        sheet.range((1, cell.column), (last_row, cell.column)),
    ):
        for row in cells_from(block.options(ndim=2, err_to_str=True).value):
            for value in row:
                if isinstance(value, str | int | float):
                    yield label_text(value)
