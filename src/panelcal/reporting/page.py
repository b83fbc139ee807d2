"""How a result sheet is printed: direction, scale, areas, what is repeated, footer. Every writer sets up this page."""

from __future__ import annotations

from panelcal.frozen import dataclass
from panelcal.reading.grid import block_address
from panelcal.reporting.layout import main_table
from panelcal.reporting.model import Report, Sheet
from panelcal.reporting.page_flow import without_few_last_rows

FOOTER_MARGIN, FOOTER_SIZE = 0.3, 9
"""Inches from the edge to the footer, and points of its letters."""


@dataclass(frozen=True, slots=True)
class Page:
    """Print set-up of one sheet; the paper is A4.

    Attributes
    ----------
    portrait
        Paper direction.
    pages_down
        To how many pages the sheet is shrunk, besides to one page across; 0 = to any number.
    areas
        Blocks that are printed, one page across and each from a new page on; empty = everything.
    title_row
        Repeated on every page, None for none.
    footer
        Left, middle and right, with ``&`` codes for the sheet's name and the page numbers.
    """

    portrait: bool
    pages_down: int
    areas: tuple[str, ...]
    title_row: int | None
    footer: tuple[str, str, str]


def page_of(report: Report, sheet: Sheet) -> Page:
    """Work out how a sheet of the report is printed."""
    title_row = sheet.repeated or _title_row(sheet)
    areas, down = without_few_last_rows(sheet, title_row)
    return Page(
        portrait=sheet.portrait,
        pages_down=down,
        areas=tuple(
            block_address(area.first_row, area.first_column, area.last_row, area.last_column) for area in areas
        ),
        title_row=title_row,
        footer=(_plain(report.footer), "&A, page &P of &N", _plain(report.run_id)),
    )


def _title_row(sheet: Sheet) -> int | None:
    """Row of headings that holds for all that is printed below it: no other table, and no strip of a chart."""
    main = main_table(sheet)
    if main is None or any(table.row != main.row for table in sheet.tables):
        return None
    return None if any(chart.row <= main.row for chart in sheet.charts) else main.row


def _plain(text: str) -> str:
    return text.replace("&", "&&")
