"""Explains the value of the object that the selected cell is about, from the sheets of an open workbook."""

from __future__ import annotations

from typing import Any

import xlwings as xw

from panelcal.excel.cell_traits import number_formats
from panelcal.excel.read_sheet import cells_from
from panelcal.reporting.explained_value import HEADING_ROW, as_label, explained, values_to_explain


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
    name = values_to_explain(own, cell.sheet.name)
    used = cell.sheet.used_range
    values = cells_from(used.options(ndim=2, err_to_str=True).value)
    formats = number_formats(used, values)
    labels = [
        tuple(as_label(value, formats.get((i, j), "")) for j, value in enumerate(row, used.column))
        for i, row in enumerate(values, used.row)
    ]
    place = cell.row - used.row, cell.column - used.column
    return explained(name, _table(cell.sheet.book.sheets[name]), labels, place, cell.get_address(False, False))


def _table(sheet: xw.Sheet) -> list[tuple[Any, ...]]:
    used = sheet.used_range
    last = used.row + used.shape[0] - 1, used.column + used.shape[1] - 1
    return cells_from(sheet.range((HEADING_ROW, 1), last).options(ndim=2, err_to_str=True).value)
