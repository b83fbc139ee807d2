"""The names of the result sheets, the suffix that keeps runs apart, and the hidden names by which ours are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from panelcal.reading.grid import sheet_reference

RESULT_SHEETS = (
    "Cal summary",
    "Cal values",
    "Cal assessors",
    "Cal residuals",
    "Cal links",
    "Cal methods",
    "Cal proof",
    "Cal audit",
)
FURTHER_SHEETS = (
    "Cal criteria",
    "Cal common",
    "Cal nearness",
    "Cal prior",
    "Cal curves",
    "Cal drift",
    "Cal anchors",
    "Cal next",
)
"""What panels with criteria, plans that go on, and the other systems, have beside some of the above."""


# Each result sheet carries a hidden workbook name that starts so, by which it is known as ours when it is renamed.
MARK = "_panelcal_sheet_"


def result_suffix(existing: Iterable[str]) -> str:
    """Return the suffix that all result sheets of a run share: "", or " 2", " 3", ... where names are taken.

    Parameters
    ----------
    existing
        Names of the sheets already in the workbook; capital letters do not matter, as in a spreadsheet.
    """
    taken = {name.casefold() for name in existing}
    number = 1
    while True:
        suffix = "" if number == 1 else f" {number}"
        if not any((name + suffix).casefold() in taken for name in (*RESULT_SHEETS, *FURTHER_SHEETS)):
            return suffix
        number += 1


def sheets_to_compare(names: Iterable[str]) -> tuple[str, ...]:
    """Return the sheets of values and of the proof of the newest run among the sheets that panelcal made."""
    by_number = {
        int(found[1] or 1): found[1]
        for name in names
        if (found := re.fullmatch(r"cal values(?: (\d+))?", name.casefold()))
    }
    if not by_number:
        return ()
    wanted = {f"{base} {by_number[max(by_number)] or ''}".strip() for base in ("cal values", "cal proof")}
    return tuple(name for name in names if name.casefold() in wanted)


def mark_reference(sheet: str) -> str:
    """What the hidden name of a sheet refers to."""
    return sheet_reference(sheet, "$A$1")


def marked_sheet(reference: str) -> str:
    """Name of the sheet that a hidden name refers to (``='Cal values'!$A$1``), "" where the sheet is gone."""
    bare = reference.removeprefix("=")
    quoted = re.match(r"\$?'((?:[^']|'')+)'!", bare)
    plain = re.match(r"\$?([^'!#]+)!", bare)
    return quoted[1].replace("''", "'") if quoted else plain[1] if plain else ""


def free_marks(taken: Iterable[str]) -> Iterator[str]:
    """Spell hidden names that are not taken yet, one after the other."""
    used = {name.casefold() for name in taken}
    return (f"{MARK}{number}" for number in count(1) if f"{MARK}{number}" not in used)
