"""Adds the sheet "Settings" to an open workbook, with drop-downs where there is a choice."""

from __future__ import annotations

import xlwings as xw

from panelcal.excel.dress_sheet import dress
from panelcal.excel.native import Omissions
from panelcal.excel.write_sheets import added_sheets, write_cells
from panelcal.reporting.model import Report
from panelcal.reporting.settings_form import settings_form


def write_settings(book: xw.Book) -> None:
    """Add the sheet after the last one; on any failure it is taken away again."""
    form = settings_form()
    with added_sheets(book, [form.name]) as (target,):
        write_cells(target, form)
        dress(target, form, Report((form,), run_id="", footer="", created=""), Omissions())
