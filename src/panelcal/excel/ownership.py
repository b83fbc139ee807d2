"""Which sheets of an open workbook are ours: the hidden names that mark them, and removing what is so marked.

The names are those of `files.ownership`, so that results are known as ours whichever way they were written.
"""

from __future__ import annotations

from collections.abc import Sequence

import xlwings as xw

from panelcal.errors import FileProblem
from panelcal.excel.native import native
from panelcal.reporting.names import MARK, free_marks, mark_reference, marked_sheet


def mark_sheets(book: xw.Book, sheets: Sequence[str]) -> None:
    """Mark sheets as ours; if one cannot be marked, none is."""
    made: list[xw.main.Name] = []
    free = free_marks([name.name for name in book.names])
    try:
        for sheet in sheets:
            made.append(book.names.add(next(free), "=" + mark_reference(sheet)))
            native().hide_name(made[-1])
    except BaseException:
        for name in made:
            name.delete()
        raise


def own_sheets(book: xw.Book) -> list[str]:
    """Names of our sheets, in the order of the tabs."""
    marked = {marked_sheet(name.refers_to or "").casefold() for name in book.names if _is_mark(name)}
    return [sheet.name for sheet in book.sheets if sheet.name.casefold() in marked]


def remove_own_sheets(book: xw.Book) -> None:
    """Remove our sheets and their marks, and the marks of our sheets that are gone already.

    Raises
    ------
    FileProblem
        If Excel refuses to remove one.
    """
    ours = {sheet.casefold() for sheet in own_sheets(book)}
    for sheet in [sheet for sheet in book.sheets if sheet.name.casefold() in ours]:
        title = sheet.name
        try:
            sheet.delete()
        except Exception as error:  # each platform refuses in its own way
            raise FileProblem(
                f"Excel would not remove {title}: take off the protection of the workbook's structure (Review, Protect "
                "Workbook) or stop sharing it, then click again."
            ) from error
    for name in [name for name in book.names if _is_mark(name)]:
        name.delete()


def _is_mark(name: xw.main.Name) -> bool:
    # A copy that a user makes of our sheet gets the name as one of its own, after "!": the copy is the user's.
    return name.name.casefold().startswith(MARK)
