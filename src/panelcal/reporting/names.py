"""The names of the result sheets, and the suffix that keeps a later run apart from an earlier one."""

from __future__ import annotations

from collections.abc import Iterable

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
        if not any((name + suffix).casefold() in taken for name in RESULT_SHEETS):
            return suffix
        number += 1
