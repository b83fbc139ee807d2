"""Writing a Report to new sheets of an open workbook through xlwings: each table in one call, looks by runs of columns.

The cells are those that `files.write` puts into a workbook file. All sheets are there before the first formula is
written, because Excel would ask where to find a sheet that a formula names and that is not there yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile

import xlwings as xw

from panelcal.errors import FileProblem
from panelcal.excel.cell_block import table_block, typed
from panelcal.excel.dress_sheet import dress
from panelcal.excel.native import Omissions, a1_references, native
from panelcal.excel.ownership import mark_sheets
from panelcal.excel.read_sheet import is_visible
from panelcal.reporting.cell_content import LAST_ROW
from panelcal.reporting.model import Report, Sheet


def write_report(report: Report, book: xw.Book, progress: Callable[[str], None] = lambda _: None) -> tuple[str, ...]:
    """Write a report to new sheets after the last one; on any failure the workbook has the sheets it had before.

    Parameters
    ----------
    report
        What to write; its sheet names must be free.
    book
        The workbook.
    progress
        Told what is being done, in a few words.

    Returns
    -------
    tuple of str
        Sentences about what this Excel refused to add to the looks of the sheets; empty when nothing.

    Raises
    ------
    FileProblem
        If a table is longer than a sheet.
    """
    for sheet in report.sheets:
        last = max((table.last_row for table in sheet.tables), default=0)
        if last > LAST_ROW:
            raise FileProblem(f"The sheet {sheet.name} would need {last:,} rows, and a sheet has {LAST_ROW:,}.")
    omissions = Omissions()
    with added_sheets(book, [sheet.name for sheet in report.sheets]) as made:
        for target, sheet in zip(made, report.sheets, strict=True):
            progress(f"writing {sheet.name}")
            write_cells(target, sheet)
        for target, sheet in zip(made, report.sheets, strict=True):
            progress(f"formatting {sheet.name}")
            dress(target, sheet, report, omissions)
        # A user who has formulas calculated on demand would else see those that were written before what they look at.
        with omissions.attempt("freshly calculated checks"):
            for target in reversed(made):
                native().calculate(target)
        mark_sheets(book, [sheet.name for sheet in report.sheets if not sheet.kept])
    return (omissions.sentence,) if omissions.names else ()


@contextmanager
def added_sheets(book: xw.Book, names: list[str]) -> Iterator[list[xw.Sheet]]:
    """Add sheets after the last visible one; if anything fails before the end of the block, take them away again.

    Inside the block Excel takes references as A1, also where the user has it show R1C1.

    Raises
    ------
    FileProblem
        If Excel adds no sheet.
    """
    made: list[xw.Sheet] = []
    with a1_references(book.app):
        try:
            with suppress(Exception):  # to several selected sheets Excel would add as many new ones each time
                book.sheets.active.select()
            for name in names:
                made.append(_added_sheet(book))
                _call(made[-1], name)
            yield made
        except BaseException:
            for sheet in reversed(made):
                with suppress(Exception):
                    sheet.delete()
            raise


def _added_sheet(book: xw.Book) -> xw.Sheet:
    """Add a sheet behind the last visible one: Excel refuses to move those that no menu can show."""
    sheets = list(book.sheets)
    hidden_behind = list(takewhile(lambda sheet: not is_visible(sheet), reversed(sheets)))
    try:
        return book.sheets.add(before=hidden_behind[-1]) if hidden_behind else book.sheets.add(after=sheets[-1])
    except Exception as error:  # each platform refuses in its own way
        raise FileProblem(
            f"Excel would not add a sheet to {book.name}: take off the protection of the workbook's structure "
            "(Review, Protect Workbook), or save a copy and use that."
        ) from error


def _call(sheet: xw.Sheet, name: str) -> None:
    try:
        sheet.name = name
    except Exception as error:
        raise FileProblem(
            f"Excel would not call a new sheet {name}: if there is a chart or another sheet of that name, rename it."
        ) from error


def write_cells(target: xw.Sheet, sheet: Sheet) -> None:
    """Write title, explanation, notes and tables of one sheet."""
    target.range((1, 1)).value = [[typed(sheet.title)], [typed(sheet.explanation)]]
    for note in sheet.notes:
        target.range((note.row, note.column)).value = note.formula or typed(note.text)
    for table in sheet.tables:
        target.range((table.row, table.column)).value = table_block(table)
