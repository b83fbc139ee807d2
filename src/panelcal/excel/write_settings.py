"""Adds the sheet "Settings" to an open workbook, with drop-downs where there is a choice."""

from __future__ import annotations

import xlwings as xw

from panelcal.excel.dress_sheet import dress
from panelcal.excel.native import Omissions
from panelcal.excel.write_sheets import added_sheets, write_cells
from panelcal.reading.settings import CODE_TREATMENTS, SETTING_ROWS
from panelcal.reporting.model import Report
from panelcal.reporting.settings_form import settings_form


def write_settings(book: xw.Book) -> None:
    """Add the sheet after the last one; on any failure it is taken away again."""
    form = settings_form()
    omissions = Omissions()
    with added_sheets(book, [form.name]) as (target,):
        write_cells(target, form)
        dress(target, form, Report((form,), run_id="", footer="", created=""), omissions)
        with omissions.attempt("drop-downs"):
            _add_choices(target)


def _add_choices(target: xw.Sheet) -> None:
    rows, _, codes = settings_form().tables
    for number, row in enumerate(SETTING_ROWS, rows.row + 1):
        if row.choices:
            target.range((number, 2)).data_validation.set_list(list(row.choices))
    target.range((codes.row + 1, 2), (codes.last_row, 2)).data_validation.set_list(list(CODE_TREATMENTS))
