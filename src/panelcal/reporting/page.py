"""How a result sheet is printed: direction, scale, areas, what is repeated, footer. Every writer sets up this page."""

from __future__ import annotations

from dataclasses import dataclass

from panelcal.reading.grid import block_address
from panelcal.reporting.layout import column_widths, main_table
from panelcal.reporting.model import Report, Sheet

MARGIN, FOOT_MARGIN, FOOTER_MARGIN = 0.5, 0.75, 0.3
"""Inches: left, right and top; bottom; from the edge to the footer."""

FOOTER_SIZE = 9

_PAGE_CHARACTERS = {False: 128.0, True: 86.0}  # that fit between the margins, with room to spare


@dataclass(frozen=True, slots=True)
class Page:
    """Print set-up of one sheet; the paper is A4.

    Attributes
    ----------
    portrait
        Paper direction.
    one_page
        Whether the sheet is shrunk to a single page, else to one page across.
    scale
        Per cent, where a second page across is asked for; None = fitted.
    areas
        Blocks that are printed, one page across each; empty = everything.
    title_row
        Repeated on every page, None for none.
    title_column
        Whether column A is repeated on every page.
    footer
        Left, middle and right, with ``&`` codes for the sheet's name and the page numbers.
    """

    portrait: bool
    one_page: bool
    scale: int | None
    areas: tuple[str, ...]
    title_row: int | None
    title_column: bool
    footer: tuple[str, str, str]


def page_of(report: Report, sheet: Sheet) -> Page:
    """Work out how a sheet of the report is printed."""
    main = main_table(sheet)
    scale: int | None = None
    areas: tuple[str, ...] = ()
    if sheet.page_break is not None:
        # A spreadsheet ignores page breaks when it fits to pages, so the scale is worked out here. The second page
        # across begins at the headings: beside the repeated column A, the title would be cut off.
        scale = _scale_for_two_pages(sheet, sheet.page_break)
        table = sheet.tables[0]
        last_column = table.column + len(table.columns) - 1
        areas = (
            block_address(1, 1, table.last_row, sheet.page_break - 1),
            block_address(table.row, sheet.page_break, table.last_row, last_column),
        )
    return Page(
        portrait=sheet.portrait,
        one_page=sheet.one_page,
        scale=scale,
        areas=areas,
        title_row=None if main is None else main.row,
        title_column=sheet.page_break is not None,
        footer=(_plain(report.footer), "&A, page &P of &N", _plain(report.run_id)),
    )


def _scale_for_two_pages(sheet: Sheet, page_break: int) -> int:
    """Per cent at which the columns before the break fit on one page and column A with the others on the next."""
    widths = column_widths(sheet)
    first = sum(width for number, width in widths.items() if number < page_break)
    second = widths[1] + sum(width for number, width in widths.items() if number >= page_break)
    return max(10, min(100, int(100 * _PAGE_CHARACTERS[sheet.portrait] / max(first, second))))


def _plain(text: str) -> str:
    return text.replace("&", "&&")
