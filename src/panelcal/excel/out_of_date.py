"""Earlier results in an open workbook: what their audits say, and marking them as out of date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import xlwings as xw

from panelcal.excel.cell_block import typed
from panelcal.excel.read_sheet import cells_from, read_sheet
from panelcal.reading.grid import Grid
from panelcal.reporting.looks import ALERT_INK, WARNING_FORMAT
from panelcal.reporting.model import Note
from panelcal.reporting.names import sheets_to_compare
from panelcal.reporting.out_of_date import summary_beside

_AUDIT_COLUMNS = 3
_AUDIT_ROWS = 40  # the fingerprint stands among the first facts about the run


def earlier_sheets(book: xw.Book, earlier: Sequence[str]) -> tuple[Grid, ...]:
    """Read, of our sheets from earlier runs, the first rows of each audit, and the newest run's values and proof.

    Parameters
    ----------
    book
        The workbook.
    earlier
        Names of our sheets from earlier runs.
    """
    audits = (Grid(name, _first_cells(book.sheets[name])) for name in earlier if summary_beside(name))
    return (*audits, *(read_sheet(book.sheets[name]) for name in sheets_to_compare(earlier)))


def mark_outdated(book: xw.Book, earlier: Iterable[str], notes: Mapping[str, Note]) -> None:
    """Put notes on the sheets of earlier runs that are still there and ours.

    Parameters
    ----------
    book
        The workbook.
    earlier
        Names of our sheets from earlier runs.
    notes
        Name of a sheet -> its note, see `panelcal.reporting.out_of_date.outdated_notes`.
    """
    ours = {name.casefold(): name for name in earlier}
    for name, note in notes.items():
        if name.casefold() in ours:
            cell = book.sheets[ours[name.casefold()]].range((note.row, note.column))
            cell.value = typed(note.text)
            cell.number_format = WARNING_FORMAT
            cell.font.color = f"#{ALERT_INK}"


def _first_cells(sheet: xw.Sheet) -> tuple[tuple[object, ...], ...]:
    block = sheet.range((1, 1), (_AUDIT_ROWS, _AUDIT_COLUMNS))
    return tuple(cells_from(block.options(ndim=2, err_to_str=True).value))
