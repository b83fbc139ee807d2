"""What of a wide or long table goes on paper: the columns that a meeting reads, so many rows, and a legend below."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from panelcal.reporting.layout import column_widths
from panelcal.reporting.looks import ROW_HEIGHT
from panelcal.reporting.model import CellRange, Chart, Column, Note, Sheet, Table

_POINTS_PER_CM = 72.0 / 2.54
_USUAL_CM, _CM_PER_CHARACTER = 9.14 * 7 * 2.54 / 96, 7 * 2.54 / 96
_EDGE_OF_CELL = 5.0 / 7.0
_MOST_ACROSS = 173.0  # characters of columns with their edges that A4 across holds in letters of 9 points


def printed_first(columns: Sequence[Column], screen_only: Collection[str]) -> tuple[Column, ...]:
    """Put the columns with headings in `screen_only` behind the others, so that one block can be printed."""
    return tuple(sorted(columns, key=lambda column: column.heading in screen_only))


def fits_across(table: Table) -> bool:
    """Whether a table alone on a sheet can be printed on A4 across in letters of 9 points."""
    widths = column_widths(Sheet("", "", "", tables=(table,)))
    return sum(width + _EDGE_OF_CELL for width in widths.values()) <= _MOST_ACROSS


def printed_block(table: Table, *, last_heading: str = "", rows: int | None = None, below: int = 0) -> CellRange:
    """Return the block from A1 to a column of the table (the last one) and a row (its last one), and some rows below.

    Parameters
    ----------
    table
        A table whose first column is A.
    last_heading
        Of the last column that is printed; "" = all.
    rows
        How many rows of the table are printed at most; None = all.
    below
        Rows below the table that go with it, such as those of a legend.
    """
    last_column = table.column_number(last_heading) if last_heading else table.column + len(table.columns) - 1
    last_row = table.last_row + below if rows is None else min(table.last_row, table.row + rows)
    return CellRange(1, 1, last_row, last_column)


def legend(table: Table, lines: Sequence[str], *, last_heading: str = "") -> tuple[Note, ...]:
    """Explain columns in pale lines below a table, for comments on headings are not printed.

    They stand in its second column: in the first, a reader of the sheet would take them for further rows. They wrap
    before the end of the column with `last_heading` (the last one), so that they are printed whole.
    """
    first = table.last_row + 2
    across = (table.column_number(last_heading) - table.column) if last_heading else len(table.columns) - 1
    return tuple(
        Note(row=first + k, column=table.column + 1, text=line, style="small", across=max(across, 1))
        for k, line in enumerate(lines)
    )


def chart_block(sheet: Sheet, chart: Chart) -> CellRange:
    """Return the cells that a chart covers, to be printed on a page of its own."""
    widths = column_widths(sheet)
    last, room = chart.column - 1, -0.2
    while room < chart.width_cm:
        last += 1
        room += (widths[last] + _EDGE_OF_CELL) * _CM_PER_CHARACTER if last in widths else _USUAL_CM
    rows = int(chart.height_cm * _POINTS_PER_CM / ROW_HEIGHT) + 1
    return CellRange(chart.row, chart.column, chart.row + rows, last)
