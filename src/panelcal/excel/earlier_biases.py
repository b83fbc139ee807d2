"""The button Earlier biases: the sheet Prior of an open workbook, from a result that is open beside it."""

from __future__ import annotations

import xlwings as xw

from panelcal.errors import InputRefused
from panelcal.excel.read_sheet import read_sheet
from panelcal.excel.session import Click
from panelcal.excel.settings_sheet import write_form
from panelcal.reading.grid import Source
from panelcal.reading.prior import PRIOR_SHEET, holds_biases, prior_grid
from panelcal.reporting.given_sheets import prior_added, prior_sheet


def bring_earlier_biases(click: Click) -> None:
    """Add the sheet Prior after the last one and go to it.

    Raises
    ------
    InputRefused
        If there is such a sheet already, or not one other open workbook that holds a result.
    """
    book = click.book
    if PRIOR_SHEET.casefold() in {sheet.name.casefold() for sheet in book.sheets}:
        raise InputRefused(f"{book.name} has a sheet {PRIOR_SHEET} already: rename or delete it, then click again.")
    click.progress("looking for an earlier result")
    results = [other for other in book.app.books if other.name != book.name and _biases_in(other)]
    if not results:
        raise InputRefused(
            "Open the earlier result beside this workbook (it has a sheet Cal assessors), come back to this one, and "
            "click again."
        )
    if len(results) > 1:
        names = ", ".join(other.name for other in results)
        raise InputRefused(f"Several earlier results are open ({names}): close all but one, then click again.")
    (result,) = results
    grids = tuple(read_sheet(sheet) for sheet in _biases_in(result))
    prior = prior_grid(Source(result.name, grids, "", kind="open workbook"))
    sheet = prior_sheet(prior)
    write_form(book, sheet)
    book.sheets[PRIOR_SHEET].activate()
    click.stay_here()
    click.say(prior_added(sheet, result.name))


def _biases_in(book: xw.Book) -> list[xw.Sheet]:
    return [sheet for sheet in book.sheets if holds_biases(sheet.name)]
