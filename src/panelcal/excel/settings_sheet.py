"""The button Settings: the sheet of that name in an open workbook, with drop-downs where there is a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import xlwings as xw

from panelcal.excel.read_sheet import is_visible
from panelcal.excel.session import Click
from panelcal.reading.settings import SETTINGS_SHEET

if TYPE_CHECKING:
    from panelcal.reporting.model import Sheet


def show_settings(click: Click) -> None:
    """Bring the sheet to the front; add it with every default where there is none."""
    book = click.book
    names = {sheet.name.casefold(): sheet.name for sheet in book.sheets}
    if SETTINGS_SHEET.casefold() not in names:
        from panelcal.reporting.settings_form import settings_form  # here, because most workbooks have the sheet

        click.progress("adding the sheet Settings")
        write_form(book, settings_form())
    sheet = book.sheets[names.get(SETTINGS_SHEET.casefold(), SETTINGS_SHEET)]
    if not is_visible(sheet):
        sheet.visible = True
    sheet.activate()
    click.stay_here()


def write_form(book: xw.Book, form: Sheet) -> None:
    """Add a sheet that is the user's own after the last one; on any failure it is taken away again."""
    from panelcal.excel.dress_sheet import dress
    from panelcal.excel.native import Omissions
    from panelcal.excel.write_sheets import added_sheets, write_cells
    from panelcal.reporting.model import Report

    with added_sheets(book, [form.name]) as (target,):
        write_cells(target, form)
        dress(target, form, Report((form,), run_id="", footer="", created=""), Omissions())
