"""Marks earlier results in an open workbook as out of date once the scores have changed."""

from __future__ import annotations

from collections.abc import Iterable

import xlwings as xw

from panelcal.excel.cell_block import typed
from panelcal.excel.read_sheet import cells_from
from panelcal.reading.grid import Grid
from panelcal.reporting.looks import ALERT_INK, WARNING_FORMAT
from panelcal.reporting.out_of_date import outdated_notes, summary_beside

_AUDIT_COLUMNS = 3
_AUDIT_ROWS = 40  # the fingerprint stands among the first facts about the run


def mark_outdated(book: xw.Book, earlier: Iterable[str], fingerprint: str, created: str) -> tuple[str, ...]:
    """Mark the summaries of earlier runs that read other cells than the present one.

    Parameters
    ----------
    book
        The workbook.
    earlier
        Names of our sheets from earlier runs.
    fingerprint, created
        Of the present run.

    Returns
    -------
    tuple of str
        Names of the summaries that were marked.
    """
    ours = {name.casefold(): name for name in earlier}
    audits = [Grid(name, _first_cells(book.sheets[name])) for name in ours.values() if summary_beside(name)]
    notes = outdated_notes(audits, fingerprint, created)
    marked = [(ours[name.casefold()], note) for name, note in notes.items() if name.casefold() in ours]
    for name, note in marked:
        cell = book.sheets[name].range((note.row, note.column))
        cell.value = typed(note.text)
        cell.number_format = WARNING_FORMAT
        cell.font.color = f"#{ALERT_INK}"
    return tuple(name for name, _ in marked)


def _first_cells(sheet: xw.Sheet) -> tuple[tuple[object, ...], ...]:
    block = sheet.range((1, 1), (_AUDIT_ROWS, _AUDIT_COLUMNS))
    return tuple(cells_from(block.options(ndim=2, err_to_str=True).value))
