"""Finds the sentence "Why" of the object that the selected cell is about."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import xlwings as xw

from panelcal.errors import InputRefused
from panelcal.excel.cell_traits import number_formats
from panelcal.excel.read_sheet import cells_from
from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.nouns import in_sentence, with_article

_VALUES = "cal values"
_HEADING_ROW = 4
_WHYS = ("Why, in full", "Why")  # the second in older results


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
    why = next(headings.index(heading) for heading in _WHYS if heading in headings)
    whys = {label_text(row[0]): row[why] for row in rows if row[0] is not None}
    label = _label_near(cell, whys.keys())
    if label is not None:
        return f"{headings[0]} {label}. {whys[label]}"
    raise InputRefused(
        f"Select a cell in the row of one {in_sentence(str(headings[0]))} and click again: nothing near cell "
        f"{cell.get_address(False, False)} is {with_article(str(headings[0]))} on sheet {name}."
    )


def _table(sheet: xw.Sheet) -> list[tuple[Any, ...]]:
    used = sheet.used_range
    last = used.row + used.shape[0] - 1, used.column + used.shape[1] - 1
    rows = cells_from(sheet.range((_HEADING_ROW, 1), last).options(ndim=2, err_to_str=True).value)
    if not rows or not set(_WHYS) & set(rows[0]):
        raise InputRefused(f"Sheet {sheet.name} has been changed by hand: click Calibrate for a new one.")
    return rows


def _label_near(cell: xw.Range, labels: Collection[str]) -> str | None:
    """Find the label that a cell is about: in the cell, else in the column or row of its sheet that holds most of them.

    Scores can look like labels (a mark of 62 and a candidate number 62), so only that line is asked, and the cell
    itself only when it holds words.
    """
    used = cell.sheet.used_range
    values = cells_from(used.options(ndim=2, err_to_str=True).value)
    formats = number_formats(used, values)
    rows = [
        tuple(_label(value, formats.get((i, j), "")) for j, value in enumerate(row, used.column))
        for i, row in enumerate(values, used.row)
    ]
    columns = list(zip(*rows, strict=True))
    row, column = cell.row - used.row, cell.column - used.column
    inside_rows, inside_columns = 0 <= row < len(rows), 0 <= column < len(columns)
    if inside_rows and inside_columns:
        own = rows[row][column]
        if own in labels and kind_of(own)[0] is Kind.TEXT:
            return own
    best = [max((len(set(line) & set(labels)), -k) for k, line in enumerate(lines)) for lines in (columns, rows)]
    if best[0] >= best[1]:  # as many, and nearer to the edge, is more
        found = columns[-best[0][1]][row] if inside_rows else None
    else:
        found = rows[-best[1][1]][column] if inside_columns else None
    return found if found in labels else None


def _label(value: Any, number_format: str) -> str | None:
    is_label = isinstance(value, str | int | float) and not isinstance(value, bool)
    return label_text(value, number_format) if is_label else None
