"""The buttons Calibrate and Check data: what is read is the sheet in front, or the block that is selected on it."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter

import xlwings as xw

from panelcal.each_criterion import read_in_words, run_in_place
from panelcal.errors import InputRefused
from panelcal.excel.function_headings import is_name
from panelcal.excel.native import Omissions
from panelcal.excel.out_of_date import earlier_sheets, mark_outdated
from panelcal.excel.ownership import own_sheets
from panelcal.excel.read_sheet import Selected, read_workbook
from panelcal.excel.session import Click, selected_cells
from panelcal.reading.cell_values import is_blank
from panelcal.reading.grid import Grid, Source
from panelcal.reading.settings import SETTINGS_SHEET
from panelcal.reporting.cautions import understood_lines
from panelcal.run import GivenSheets
from panelcal.systems.choices import Choices

_LOOKED_AWAY = 3.0  # seconds of computing after which the outcome is told in a message as well
_NOT_INPUT = (SETTINGS_SHEET.casefold(), "start here")


def calibrate_sheet(click: Click) -> None:
    """Calibrate and write the results to new sheets."""
    from panelcal.excel.write_sheets import write_report  # here, because checking writes nothing

    book = click.book
    earlier = own_sheets(book)
    source, choices = _source(click)
    began = perf_counter()
    given = GivenSheets(source, carried=True, earlier=earlier_sheets(book, earlier))
    done = run_in_place(given, choices, click.progress)
    computed = perf_counter() - began
    sentences = [said for one in done.runs.values() for said in write_report(one.report, book, click.progress)]
    omissions = Omissions()
    with omissions.attempt("a note on earlier results that they are out of date"):
        mark_outdated(book, earlier, done.outdated)
    with suppress(Exception):  # the results are there, in front or not
        book.sheets[done.only.report.sheets[0].name].activate()
        book.sheets.active.range("A1").select()
    click.stay_here()
    click.leave_behind(" ".join(done.sentences))
    if omissions.names:
        sentences.append(omissions.sentence)
    if computed > _LOOKED_AWAY or len(done.runs) > 1:
        sentences = [*done.sentences, *sentences]
    if sentences:
        click.say("\n".join([*understood_lines(done.only.reading), "", " ".join(sentences)]))


def check_sheet(click: Click) -> None:
    """Say what would be read."""
    try:
        click.say(read_in_words(*_source(click)))
    except InputRefused as problem:
        click.say(f"This cannot be calibrated yet.\n\n{problem}")


def _source(click: Click) -> tuple[Source, Choices]:
    click.progress("reading")
    selected = _selected(click.book)
    source = read_workbook(click.book, selected)
    if selected is not None:
        require_names(source.grid(selected.sheet))
    return source, Choices(sheet=selected.sheet if selected else None)


def require_names(grid: Grid | None) -> None:
    """Refuse a selection of scores alone, whose first ones would be taken for names.

    Raises
    ------
    InputRefused
        If the first row that is filled holds no name.
    """
    rows = grid.rows if grid is not None else ()
    first = next((row for row in rows if not all(map(is_blank, row))), ())
    if first and not any(map(is_name, first)):
        raise InputRefused(
            "The selected cells begin without names: select the headings above and the ids beside the scores too, or a "
            "single cell to have the whole sheet read."
        )


def _selected(book: xw.Book) -> Selected | None:
    """Return the block that is selected on a sheet of scores, None where it is no table or the whole of it.

    A single row or column holds no panel and is taken for a place where the user just was.

    Raises
    ------
    InputRefused
        If several blocks are selected.
    """
    selection = selected_cells(book.app)
    if selection is None:
        return None
    sheet = selection.sheet
    if sheet.book != book or sheet.name.casefold() in _NOT_INPUT or sheet.name in own_sheets(book):
        return None
    if "," in selection.address:
        raise InputRefused("Several blocks are selected: select one, or a single cell to have the whole sheet read.")
    if min(selection.shape) < 2:
        return None
    block = _block(selection)
    used = _block(sheet.used_range)
    if block[0] <= used[0] and block[1] <= used[1] and block[2] >= used[2] and block[3] >= used[3]:
        return None
    return Selected(sheet.name, block)


def _block(cells: xw.Range) -> tuple[int, int, int, int]:
    return cells.row, cells.column, cells.row + cells.shape[0] - 1, cells.column + cells.shape[1] - 1
