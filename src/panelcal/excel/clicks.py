"""What the add-in calls for a button: a number from a fixed list, never text that becomes code.

On Windows the helper process that Excel has started calls `press`; on a Mac each click is a process of its own
(``python -m panelcal.excel.clicks NUMBER WORKBOOK``), because Excel for Mac has no way to call a running one.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import xlwings as xw

from panelcal.shipped import TEMPLATE_NAMES

ACTIONS = ("calibrate", "check", "explain", "settings", "remove_results", "help", "earlier_biases")
FIRST_TEMPLATE = 11
PRESSES: dict[int, tuple[str, ...]] = {
    **{number: (action,) for number, action in enumerate(ACTIONS, 1)},
    **{number: ("new_from_template", name) for number, name in enumerate(TEMPLATE_NAMES, FIRST_TEMPLATE)},
}
"""What each number stands for: a function of `panelcal.excel.buttons` and what it takes."""


def press(number: int, workbook: Any) -> str:
    """Do what a button stands for.

    Parameters
    ----------
    number
        One of `PRESSES`.
    workbook
        The workbook it is about: as Excel for Windows hands it over, or its name.

    Returns
    -------
    str
        What kept the button from speaking for itself; empty where nothing did.
    """
    if number not in PRESSES:
        return "This button belongs to another version of panelcal: run panelcal install again, and start Excel again."
    action, *given = PRESSES[number]
    try:
        book = _book(workbook)
        from panelcal.excel import buttons

        if book is not None:
            book.set_mock_caller()
        getattr(buttons, action)(*given)
    except SystemExit as problem:
        return str(problem)
    return ""


def _book(workbook: Any) -> xw.Book | None:
    """Return the workbook; None if it is no longer open, so that the active one counts."""
    if not isinstance(workbook, str):
        return xw.Book(impl=import_module("xlwings._xlwindows").Book(workbook))
    return next((book for app in xw.apps for book in app.books if book.name == workbook), None)


if __name__ == "__main__":
    sys.exit(press(int(sys.argv[1]), sys.argv[2]))
