"""How a result sheet is printed: direction, scale, areas, what is repeated, footer. Every writer sets up this page."""

from __future__ import annotations

from panelcal.frozen import dataclass
from panelcal.reading.grid import block_address
from panelcal.reporting.layout import main_table
from panelcal.reporting.model import Report, Sheet

MARGIN, FOOT_MARGIN, FOOTER_MARGIN = 0.35, 0.7, 0.3
"""Inches: left, right and top; bottom; from the edge to the footer."""

FOOTER_SIZE = 9


@dataclass(frozen=True, slots=True)
class Page:
    """Print set-up of one sheet; the paper is A4.

    Attributes
    ----------
    portrait
        Paper direction.
    one_page
        Whether the sheet is shrunk to a single page, else to one page across.
    areas
        Blocks that are printed, one page across and each from a new page on; empty = everything.
    title_row
        Repeated on every page, None for none.
    footer
        Left, middle and right, with ``&`` codes for the sheet's name and the page numbers.
    """

    portrait: bool
    one_page: bool
    areas: tuple[str, ...]
    title_row: int | None
    footer: tuple[str, str, str]


def page_of(report: Report, sheet: Sheet) -> Page:
    """Work out how a sheet of the report is printed."""
    return Page(
        portrait=sheet.portrait,
        one_page=sheet.one_page,
        areas=tuple(
            block_address(area.first_row, area.first_column, area.last_row, area.last_column) for area in sheet.printed
        ),
        title_row=_title_row(sheet),
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
