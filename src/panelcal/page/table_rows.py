"""Which rows of a long table the page shows, and in which order: those that hold some words, sorted by a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from panelcal.reporting.model import CellValue, Table

_FIGURES = re.compile(r"(\d+)")


def chosen_rows(table: Table, words: str, columns: Sequence[int], sorted_by: int, direction: int) -> Sequence[int]:
    """Return the numbers of rows, from 0.

    Parameters
    ----------
    table
        All of the table.
    words
        What a cell in one of `columns` must hold, whatever its case; empty = any row.
    columns
        Numbers of the columns that are looked through.
    sorted_by
        Column that the rows are sorted by, -1 = as they stand in the table.
    direction
        1 = ascending, -1 = descending; empty cells stand last either way.
    """
    rows: Sequence[int] = range(table.n_rows)
    if words:
        wanted = words.lower()
        searched = [table.columns[number].cells for number in columns]
        rows = [row for row in rows if any(wanted in _spelt(cells[row]) for cells in searched)]
    if sorted_by < 0:
        return rows
    cells = table.columns[sorted_by].cells
    known = (row for row in rows if not _empty(cells[row]))
    filled = sorted(known, key=lambda row: _key(cells[row]), reverse=direction < 0)
    return [*filled, *(row for row in rows if _empty(cells[row]))]


def _empty(value: CellValue) -> bool:
    return value is None or value == ""


def _spelt(value: CellValue) -> str:
    return "" if value is None else str(value).lower()


def _key(value: CellValue) -> tuple[int, float, list[tuple[int, int, str]]]:
    """Figures before words; words with the numbers in them by size, so that P9 stands before P10."""
    if isinstance(value, int | float):
        return 0, float(value), []
    parts = _FIGURES.split(str(value).casefold())
    return 1, 0.0, [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
