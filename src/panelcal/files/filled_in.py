"""What people have filled in on result sheets, which must not be lost when a result is replaced."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path
from typing import Any

import openpyxl

from panelcal.errors import FileProblem
from panelcal.files.ownership import own_sheets
from panelcal.files.package import UNREADABLE
from panelcal.reporting.decisions import DECISION

_DECIDED_ON = ("cal values", "cal summary")


def check_nothing_filled_in(path: Path) -> None:
    """Stop before a result workbook is replaced in which decisions have been filled in.

    Raises
    ------
    FileProblem
        If its columns "Board decision" hold any.
    """
    count = _decisions_in(path)
    if count:
        raise FileProblem(
            f"{path.name} holds {count} {'entry' if count == 1 else 'entries'} in the column {DECISION}, which would "
            "be lost: give the new result another name with -o, or move that file away first."
        )


def _decisions_in(path: Path) -> int:
    if not zipfile.is_zipfile(path):
        return 0  # no workbook, so no result of ours
    try:
        names = [name for name in own_sheets(path) if name.casefold().startswith(_DECIDED_ON)]
        if not names:
            return 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about looks that openpyxl does not know; only cells are read
            book = openpyxl.load_workbook(path, read_only=True)
        try:
            return sum(_filled(book[name]) for name in names)
        finally:
            book.close()
    except (FileProblem, *UNREADABLE) as error:
        raise FileProblem(
            f"{path.name} is damaged, so nobody can tell whether decisions were filled in there: give the new result "
            "another name with -o, or move that file away first."
        ) from error


def _filled(sheet: Any) -> int:
    """Count what stands below the headings; a formula there repeats what is counted elsewhere."""
    count, at = 0, None
    for row in sheet.iter_rows(values_only=True):
        if DECISION in row:
            at = row.index(DECISION)
        elif at is not None and len(row) > at:
            count += row[at] not in (None, "") and not str(row[at]).startswith("=")
    return count
