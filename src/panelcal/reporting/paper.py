"""What of a wide or long table goes on paper: the columns that a meeting reads, so many rows, and a legend below."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from panelcal.reporting.layout import column_widths, row_heights
from panelcal.reporting.looks import ROW_HEIGHT, BaseFont
from panelcal.reporting.model import CellRange, Chart, Column, Note, Sheet, Table
from panelcal.reporting.paper_size import EDGE_OF_CELL as _EDGE_OF_CELL
from panelcal.reporting.paper_size import page_points, page_room
from panelcal.reporting.text_size import text_width

_POINTS_PER_CM = 72.0 / 2.54
_USUAL_CM, _CM_PER_CHARACTER = 9.14 * 7 * 2.54 / 96, 7 * 2.54 / 96
_MOST_ACROSS = 172.0  # characters of columns with their edges that A4 across holds in letters of 9 points
_INDENT = 2.5  # of a text in a cell, with what programs differ by
_MOST_UPRIGHT = 119.5  # the same upright
_LEAST_SHARE = 0.8
_FEWEST_ROWS, _SPARE_ROWS = 10, 1
_FIRST_PART = 0.3  # of a page, above a table that goes over several
_TIGHTER = (1.0, 0.95, 0.9, 0.85, 0.8)
_BETWEEN = 26.0  # points from a chart to the next, with what is lost because each begins with a row


def printed_first(columns: Sequence[Column], screen_only: Collection[str]) -> tuple[Column, ...]:
    """Put the columns with headings in `screen_only` behind the others, so that one block can be printed."""
    return tuple(sorted(columns, key=lambda column: column.heading in screen_only))


def fits_across(table: Table) -> bool:
    """Whether a table alone on a sheet can be printed on A4 across in letters of 9 points."""
    widths = column_widths(Sheet("", "", "", tables=(table,)))
    return sum(width + _EDGE_OF_CELL for width in widths.values()) <= _MOST_ACROSS


def fits_upright(tables: Sequence[Table]) -> bool:
    """Whether tables below one another can be printed on A4 upright in letters of 9 points."""
    widths = column_widths(Sheet("", "", "", tables=tuple(tables)))
    return sum(width + _EDGE_OF_CELL for width in widths.values()) <= _MOST_UPRIGHT


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
    return CellRange(chart.row, chart.column, end_among_low_rows(chart), last)


def end_among_low_rows(chart: Chart) -> int:
    """Row below a chart whose rows are all of one line."""
    return chart.row + int(chart.height_cm * _POINTS_PER_CM / ROW_HEIGHT) + 1


def with_room_for(table: Table, heading: str, *, last_heading: str) -> Table:
    """Widen the column of words with that heading so that each text has one line, as far as A4 across has room.

    Parameters
    ----------
    table
        A table whose first column is A.
    heading
        Of the column, which may become a little narrower where there is no room.
    last_heading
        Of the last column that is printed.
    """
    widths = column_widths(Sheet("", "", "", tables=(table,)))
    at, last = table.column_number(heading), table.column_number(last_heading)
    column = table.columns[at - table.column]
    longest = max((text_width(cell) for cell in column.cells if isinstance(cell, str)), default=0.0) + _INDENT
    others = sum(widths[k] for k in range(1, last + 1) if k != at)
    room = _MOST_ACROSS - last * _EDGE_OF_CELL - others
    width = max(_LEAST_SHARE * column.width, min(max(longest, column.width), room))
    columns = list(table.columns)
    columns[at - table.column] = replace(column, width=width)
    return replace(table, columns=tuple(columns))


def rows_on_first_page(sheet: Sheet, table: Table, last_column: int) -> int:
    """How many rows of a table fit on the first page of a sheet printed to that column, none of which wraps."""
    few = replace(table, columns=tuple(replace(column, cells=column.cells[:1]) for column in table.columns))
    widths = column_widths(sheet if table in sheet.tables else replace(sheet, tables=(table,)))
    heights = row_heights(replace(sheet, tables=(few,), column_widths=tuple(widths.items())), BaseFont())
    above = sum(heights.get(row, ROW_HEIGHT) for row in range(1, table.row + 1))
    room = page_points(widths, last_column, portrait=sheet.portrait) - above
    return max(_FEWEST_ROWS, int(room / ROW_HEIGHT) - _SPARE_ROWS)


def fits_on_page(sheet: Sheet, block: CellRange, *headings: int) -> bool:
    """Whether a block fits on one page at whose top rows of headings are repeated."""
    heights = row_heights(sheet, BaseFont())
    used = sum(heights.get(row, ROW_HEIGHT) for row in (*headings, *range(block.first_row, block.last_row + 1)))
    return used <= page_room(sheet, block.first_column, block.last_column) - _SPARE_ROWS * ROW_HEIGHT


def whole_on_pages(sheet: Sheet, last_column: int, *, first_row: int = 1) -> tuple[CellRange, ...]:
    """Divide a sheet at blank rows into pages, such that no table that fits on a page is cut; others go over several.

    Parameters
    ----------
    sheet
        Tables, notes and charts below one another, without what is printed apart from them.
    last_column
        The last one that is printed.
    first_row
        The first one that is.
    """
    heights = row_heights(sheet, BaseFont())
    taken = {1, 2} | {row for table in sheet.tables for row in range(table.row, table.last_row + 1)}
    taken |= {note.row for note in sheet.notes}
    taken |= {row for chart in sheet.charts for row in range(chart.row, last_row_of(chart, heights) + 1)}
    last = max(taken)
    room = page_points(column_widths(sheet), last_column, portrait=sheet.portrait) - _SPARE_ROWS * ROW_HEIGHT
    pages: list[CellRange] = []
    start, end, used = first_row, first_row, 0.0  # of the page; `used` to the end of its last whole piece
    row = first_row
    while row <= last:
        piece = row
        while piece < last and piece + 1 in taken:
            piece += 1
        size = sum(heights.get(k, ROW_HEIGHT) for k in range(row, piece + 1))
        if used and used + size > room and (size <= room or used > _FIRST_PART * room):
            pages.append(CellRange(start, 1, end, last_column))
            while row not in taken:
                row += 1
            start, used = row, 0.0
            continue
        end, used = piece, (used + size) % room
        row = piece + 1
    return (*pages, CellRange(start, 1, end, last_column))


def charts_on_pages(sheet: Sheet, charts: Sequence[Chart], last_column: int) -> tuple[CellRange, ...]:
    """Print charts below one another on as few pages as hold them, as many on one as on another.

    Parameters
    ----------
    sheet
        With its tables and notes, which make the rows as high as they are.
    charts
        From top to bottom, all in one column.
    last_column
        The last one that they cover.
    """
    if not charts:
        return ()
    heights = row_heights(sheet, BaseFont())
    room = page_room(sheet, charts[0].column, last_column)
    pages: list[CellRange] = []
    for chart in charts:
        last = last_row_of(chart, heights)
        first = pages[-1].first_row if pages else chart.row
        used = sum(heights.get(row, ROW_HEIGHT) for row in range(first, last + 1))
        if pages and used <= room:
            pages[-1] = replace(pages[-1], last_row=last)
        else:
            pages.append(CellRange(chart.row, chart.column, last, last_column))
    return tuple(pages)


def stacked(sheet: Sheet, charts: Sequence[Chart], *, abreast: int, apart: int, last_column: int) -> tuple[Chart, ...]:
    """Put charts below the first one, so low that as many stand on one page as on another.

    Parameters
    ----------
    sheet
        With its tables and notes, which make the rows as high as they are.
    charts
        As high as they should be at the most; the first one at its place.
    abreast, apart
        How many stand beside one another, and how many columns from one to the next.
    last_column
        The last one that they cover.
    """
    if not charts:
        return ()
    heights = row_heights(sheet, BaseFont())
    room, first = page_room(sheet, charts[0].column, last_column), charts[0]
    rows = [charts[k : k + abreast] for k in range(0, len(charts), abreast)]
    whole = sum(max(chart.height_cm for chart in row) * _POINTS_PER_CM + _BETWEEN for row in rows)
    a_page = math.ceil(len(rows) / math.ceil(whole / room * _LEAST_SHARE))
    highest = [max(chart.height_cm for chart in row) for row in rows]
    placed: list[Chart] = []
    for tighter in _TIGHTER:  # a chart ends somewhere in a row, and high rows take more than it does
        placed, at = [], first.row
        for k, row in enumerate(rows):
            page = k // a_page * a_page
            here = highest[page : page + a_page]
            # All on a page give way by the same share, so that one of many bars stays as legible as one of few.
            share = min(1.0, tighter * (room - _BETWEEN * len(here)) / (sum(here) * _POINTS_PER_CM))
            low = [replace(chart, row=at, height_cm=chart.height_cm * share) for chart in row]
            placed += [replace(chart, column=first.column + k * apart) for k, chart in enumerate(low)]
            at = max(last_row_of(chart, heights) for chart in low) + 2
        if len(charts_on_pages(sheet, placed[::abreast], last_column)) <= math.ceil(len(rows) / a_page):
            break
    return tuple(placed)


def room_below(sheet: Sheet, page: CellRange) -> float:
    """Centimetres that are left on a page below its last row and a blank one."""
    heights = row_heights(sheet, BaseFont())
    used = sum(heights.get(row, ROW_HEIGHT) for row in range(page.first_row, page.last_row + 2))
    return (page_room(sheet, page.first_column, page.last_column) - _SPARE_ROWS * ROW_HEIGHT - used) / _POINTS_PER_CM


def last_row_of(chart: Chart, heights: Mapping[int, float]) -> int:
    """Row in which a chart ends."""
    last, left = chart.row, chart.height_cm * _POINTS_PER_CM
    while left > heights.get(last, ROW_HEIGHT):
        left -= heights.get(last, ROW_HEIGHT)
        last += 1
    return last
