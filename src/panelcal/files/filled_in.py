"""What people have filled in on result sheets, which must not be lost when a result is replaced."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.files.load_sheet import TooLarge
from panelcal.files.load_workbook import AnotherKind, NotAWorkbook, load_workbook
from panelcal.files.ownership import own_sheets
from panelcal.files.package import UNREADABLE, read_parts, relations, sheet_elements, workbook_part
from panelcal.reading.grid import Grid, Uncalculated
from panelcal.reporting.decisions import DECISION

_RELATION = "id"
_MOST_AT_A_GLANCE = 400_000_000  # bytes
_OTHER_SPELLING = re.compile(rb't="s"|<is><r|<!|<\w+:c[ >]')
_HEADINGS = re.compile(rb'<c r="([A-Z]+)([0-9]+)"[^>]*><is><t>' + DECISION.encode() + rb"</t></is></c>")
_HOLDS = rb'<c r="%b([0-9]+)"[^>/]*>(?!<f)'  # a cell with content that is no formula
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
        names = [name for name in names if not _is_left_blank(path, name)]
        if not names:
            return 0
        return sum(map(_filled, load_workbook(path, path.name, lambda share: None, only=names).grids))
    except (FileProblem, NotAWorkbook, AnotherKind, TooLarge, *UNREADABLE) as error:
        raise FileProblem(
            f"{path.name} is damaged, so nobody can tell whether decisions were filled in there: give the new result "
            "another name with -o, or move that file away first."
        ) from error


def _is_left_blank(path: Path, sheet: str) -> bool:
    """Tell at a glance that a sheet is as it was written, nothing but formulas below the headings; False if unsure.

    Only the spelling of panelcal's own writer is understood, and programs that save the workbook spell it otherwise.
    """
    parts = read_parts(path)
    element = next(element for element in sheet_elements(parts) if element.attributes.get("name") == sheet)
    name = relations(parts, workbook_part(parts))[element.attributes[_RELATION]][1]
    with zipfile.ZipFile(path) as archive:
        if archive.getinfo(name).file_size > _MOST_AT_A_GLANCE:
            return False
    part = parts[name]
    if _OTHER_SPELLING.search(part) or part.count(b"<c ") != part.count(b'<c r="'):
        return False
    first: dict[bytes, int] = {}
    for letters, row in _HEADINGS.findall(part):
        first[letters] = min(int(row), first.get(letters, int(row)))
    below = sum(int(row) >= first[letters] for letters in first for row in re.findall(_HOLDS % letters, part))
    return below == len(_HEADINGS.findall(part))


def _filled(sheet: Grid) -> int:
    """Count what stands below the headings; a formula there repeats what is counted elsewhere.

    A table ends with the first row that has nothing between its label and the decision, such as the next title.
    """
    count, at, label = 0, None, 0
    for number, row in enumerate(sheet.rows, 1):
        if DECISION in row:
            at = row.index(DECISION)
            label = next((j + 1 for j in range(at - 1, -1, -1) if row[j] in (None, "")), 0)
        elif at is not None and not any(_is_filled(row[j]) for j in range(label + 1, at)):
            at = None
        elif at is not None and not isinstance(row[at], Uncalculated):
            count += _is_filled(row[at]) and (number, at + 1) not in sheet.formulas
    return count


def _is_filled(cell: object) -> bool:
    return cell not in (None, "")
