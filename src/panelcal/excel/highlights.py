"""Conditional formats of result sheets in Excel.

Excel takes the formula of a condition in the user's own language: function names, list separators and decimal points
are not the same everywhere. The conditions here have operators, whole numbers and quoted text only, and so are the same
in every language. They are relative to the cell that is selected while they are added.
"""

from __future__ import annotations

from fractions import Fraction

import xlwings as xw

from panelcal.reading.grid import address
from panelcal.reporting.looks import ALERT_FILL, ALERT_INK, BAR_COLOUR, TITLE_INK, bar_end
from panelcal.reporting.model import Column, Highlight, Sheet

_FINEST = 1_000_000


def add_highlights(target: xw.Sheet, sheet: Sheet) -> None:
    """Add the conditional formats of a sheet, which must be the active one."""
    for table in sheet.tables:
        if not table.n_rows:
            continue
        for number, column in enumerate(table.columns, table.column):
            if column.highlight is not None:
                cells = target.range((table.row + 1, number), (table.last_row, number))
                _add(cells, column.highlight, column)
    for note in sheet.notes:
        if note.highlight is not None:
            _add(target.range((note.row, note.column)), note.highlight, None)


def _add(cells: xw.Range, highlight: Highlight, column: Column | None) -> None:
    if highlight.kind == "data bar":
        if column is not None:
            end = bar_end(column)
            cells.conditional_formats.add_data_bar(f"#{BAR_COLOUR}", minimum=-end, maximum=end, gradient=False)
        return
    cells.sheet.range((cells.row, cells.column)).select()
    cells.conditional_formats.add_custom(
        "=" + condition(highlight, address(cells.row, cells.column)),
        font_color=f"#{TITLE_INK if highlight.calm else ALERT_INK}",
        fill_color=None if highlight.calm else f"#{ALERT_FILL}",
        font_bold=True,
    )


def condition(highlight: Highlight, cell: str) -> str:
    """Spell a condition without a function, a list separator or a decimal point."""
    if highlight.kind == "text":
        first = highlight.starts.replace('"', '""')
        after = first[:-1] + chr(ord(first[-1]) + 1)
        return f'({cell}>="{first}")*({cell}<"{after}")'
    limit = Fraction(highlight.limit).limit_denominator(_FINEST)
    times, whole = limit.denominator, limit.numerator
    # A word in the cell makes the product an error, and an error is no alert.
    if highlight.kind == "below":
        return f'({cell}*{times}<{whole})*({cell}<>"")'
    return f"({cell}*{times}>={whole})+({cell}*{times}<={-whole})>0"
