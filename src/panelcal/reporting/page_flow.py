"""Where pages end when a block of rows flows over several, and how a last page with a few rows is avoided."""

from __future__ import annotations

import math
from dataclasses import replace

from panelcal.reporting.layout import column_widths, row_heights
from panelcal.reporting.looks import ROW_HEIGHT, BaseFont
from panelcal.reporting.model import CellRange, Sheet
from panelcal.reporting.paper import last_row_of
from panelcal.reporting.paper_size import page_room, page_scale

FEWEST_ROWS = 6
"""On the last of several pages of a block."""

LEAST_SCALE = 9.0 / 11.0
"""At which letters of 11 points are printed with 9."""

_MOST_ROWS = 3000  # of a sheet; beyond that, nobody counts the rows of its last page
_OFFICE = 0.945  # of the scale that LibreOffice, whose columns are wider, prints at, in whole percent
_STEPS = 20
_LITTLE = 0.25  # of the rows of a page


def without_few_last_rows(sheet: Sheet, title_row: int | None) -> tuple[tuple[CellRange, ...], int]:
    """Return the blocks to print, and to how many pages the sheet is shrunk, 0 for any number.

    Where a block would leave a quarter of a page or less for its last page, it is printed a little smaller, but not in
    less than 9 points. Where that does not do and the last page has few rows, its last rows are a block of their own.
    """
    areas = sheet.printed or _everything(sheet)
    if sheet.one_page or not areas or sum(area.last_row - area.first_row for area in areas) > _MOST_ROWS:
        return sheet.printed, int(sheet.one_page)
    if len(areas) == 1:
        down = _shrunk_to(sheet, areas[0], title_row)
        if down:
            return sheet.printed, down
    divided = tuple(part for area in areas for part in _divided(sheet, area, title_row))
    return (divided if divided != areas else sheet.printed), 0


def rows_by_page(
    sheet: Sheet, area: CellRange, title_row: int | None, *, office: bool = False, shrunk: float = 1.0
) -> tuple[int, ...]:
    """Return how many rows of a block each page holds.

    Parameters
    ----------
    sheet
        Whose columns and rows these are.
    area
        The block, printed one page across.
    title_row
        Repeated on every page that begins below it; None = none.
    office
        Whether LibreOffice prints it, else Excel.
    shrunk
        By what factor its scale is smaller than its width asks for.
    """
    heights = row_heights(sheet, BaseFont())
    room = page_room(sheet, area.first_column, area.last_column) / shrunk
    scale = _scale(sheet, area)
    if office and scale < 1.0:
        room *= scale / (math.floor(100.0 * scale * _OFFICE) / 100.0)
    title = 0.0 if title_row is None else heights.get(title_row, ROW_HEIGHT)
    pages, used = [0], _title_above(area.first_row, title_row, title)
    for row in range(area.first_row, area.last_row + 1):
        height = heights.get(row, ROW_HEIGHT)
        if pages[-1] and used + height > room:
            pages.append(0)
            used = _title_above(row, title_row, title)
        pages[-1] += 1
        used += height
    return tuple(pages)


def _title_above(row: int, title_row: int | None, title: float) -> float:
    return title if title_row is not None and row > title_row else 0.0


def _few(pages: tuple[int, ...]) -> bool:
    return len(pages) > 1 and pages[-1] < FEWEST_ROWS


def _little(pages: tuple[int, ...]) -> bool:
    """Whether a last page is mostly blank, so that smaller letters are worth it."""
    return _few(pages) or (len(pages) > 1 and pages[-1] <= _LITTLE * max(pages))


def _both(sheet: Sheet, area: CellRange, title_row: int | None) -> tuple[tuple[int, ...], ...]:
    return tuple(rows_by_page(sheet, area, title_row, office=office) for office in (False, True))


def _shrunk_to(sheet: Sheet, area: CellRange, title_row: int | None) -> int:
    """Pages to which a block is shrunk because its last one would hold little; 0 where it is not."""
    pages = _both(sheet, area, title_row)
    fewest = min(map(len, pages))
    if not any(map(_little, pages)):
        return 0
    wanted = fewest - any(len(one) == fewest and _little(one) for one in pages)
    smallest = LEAST_SCALE / _scale(sheet, area)
    if smallest >= 1.0 or not wanted:
        return 0
    for step in range(1, _STEPS + 1):
        shrunk = 1.0 - (1.0 - smallest) * step / _STEPS
        if len(rows_by_page(sheet, area, title_row, shrunk=shrunk)) <= wanted:
            return wanted
    return 0


def _divided(sheet: Sheet, area: CellRange, title_row: int | None) -> tuple[CellRange, ...]:
    """Leave more rows for the last page of a block whose last page would hold few."""
    few = [pages for pages in _both(sheet, area, title_row) if _few(pages)]
    if not few:
        return (area,)
    fullest = max(pages[-1] + pages[-2] for pages in few)
    for last in (*range(math.ceil(fullest / 3), fullest), *range(FEWEST_ROWS, math.ceil(fullest / 3))):
        start = area.last_row - last + 1
        parts = replace(area, last_row=start - 1), replace(area, first_row=start)
        if last < FEWEST_ROWS or start in _held(sheet):
            continue
        if not any(_few(pages) for part in parts for pages in _both(sheet, part, title_row)):
            return parts
    return (area,)


def _held(sheet: Sheet) -> set[int]:
    """Rows above which no page may end: within a line of several rows or a chart, and right below headings."""
    heights = row_heights(sheet, BaseFont())
    within = {row for note in sheet.notes for row in range(note.row + 1, note.row + note.down)}
    within |= {row for chart in sheet.charts for row in range(chart.row + 1, last_row_of(chart, heights) + 1)}
    headings = {table.row + 1 for table in sheet.tables}
    return within | headings | {note.row + 1 for note in sheet.notes if note.style == "heading"}


def _scale(sheet: Sheet, area: CellRange) -> float:
    widths = column_widths(sheet)
    return page_scale(widths, area.first_column, area.last_column, portrait=sheet.portrait)


def _everything(sheet: Sheet) -> tuple[CellRange, ...]:
    """Block of all that stands on a sheet whose charts do not go beyond its tables; nothing of another."""
    if sheet.charts or not sheet.tables:
        return ()
    last = max([table.last_row for table in sheet.tables] + [note.row for note in sheet.notes])
    return (CellRange(1, 1, last, max(table.column + len(table.columns) - 1 for table in sheet.tables)),)
