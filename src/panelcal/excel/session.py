"""One click on a button: which workbook it is about, quiet while it runs, everything put back, one sentence.

Whatever happens, the user gets a sentence and never a traceback; that of a fault in the program goes to a file.
"""

from __future__ import annotations

import functools
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import shorten
from typing import Any

import xlwings as xw

from panelcal.errors import PanelcalError
from panelcal.excel import FAULT_FILE

TITLE = "Calibrate"
_STATUS_BAR = 250


class Click:
    """A click on a button.

    Attributes
    ----------
    book
        The workbook it is about.
    """

    def __init__(self, book: xw.Book) -> None:
        self.book = book
        self._sentence = ""
        self._keep_place = True
        self._outcome = ""

    def progress(self, doing: str) -> None:
        """Say in the status bar what is being done."""
        with suppress(Exception):  # the status bar of a busy Excel may refuse, and nothing depends on it
            self.book.app.status_bar = f"{TITLE}: {doing} ..."

    def say(self, sentence: str) -> None:
        """Show a message once everything is put back."""
        self._sentence = sentence

    def leave_behind(self, outcome: str) -> None:
        """Let the status bar say what came out, until the next click; Excel shows no more than 255 characters."""
        self._outcome = shorten(outcome, _STATUS_BAR, placeholder=" ...")

    def ask(self, question: str) -> bool:
        """Ask a question with the answers yes and no."""
        return self.book.app.alert(question, title=TITLE, buttons="yes_no") == "yes"

    def stay_here(self) -> None:
        """Leave the user where the click has led, rather than where it began."""
        self._keep_place = False


def button(action: Callable[..., None]) -> Callable[..., None]:
    """Make a function of a click into what the ribbon calls: it finds the workbook and speaks to the user."""

    @functools.wraps(action)
    def run(*arguments: Any) -> None:
        try:
            click = Click(present_book())
        except PanelcalError as problem:
            raise SystemExit(str(problem)) from None  # the add-in shows the last line that Python leaves behind
        mode = "info"
        try:
            with _quiet(click):
                action(click, *arguments)
        except PanelcalError as problem:
            click.say(one_sentence(str(problem)))
        except MemoryError:
            click.say("There is not enough memory for a workbook of this size; nothing was changed.")
        except Exception as fault:
            mode = "critical"
            click.say(_about_fault(fault))
        if click._sentence:
            click.book.app.alert(click._sentence, title=TITLE, mode=mode)

    return run


def present_book() -> xw.Book:
    """Return the workbook that the click is about: the one that called, else the active one.

    Raises
    ------
    PanelcalError
        If no workbook is open.
    """
    # xlwings says in an exception of no particular kind that it was not called from a workbook.
    with suppress(Exception):
        return xw.Book.caller()
    app = xw.apps.active
    if app is None or not len(app.books):
        raise PanelcalError("Open a workbook first, then click again.")
    return app.books.active


def one_sentence(message: str) -> str:
    """Shorten a message with a line for each kind of problem to the first, and say what more there is to see.

    Lines that begin with a dash are ways to answer the problem above them.
    """
    lines = message.splitlines() or [""]
    first, *more = [line for line in lines if not line.startswith("- ")] or lines[:1]
    if more:
        return f"{first} (Click Check data to see {len(more)} more {'problem' if len(more) == 1 else 'problems'}.)"
    return first if len(lines) == 1 else f"{first} (Click Check data to see how it can be answered.)"


@contextmanager
def _quiet(click: Click) -> Iterator[None]:
    """Keep the screen still and formulas uncalculated inside; put everything back, also after a failure."""
    app, book = click.book.app, click.book
    # xlwings leaves the alerts off where Excel refuses to delete a sheet.
    before = {
        name: getattr(app, name) for name in ("screen_updating", "calculation", "enable_events", "display_alerts")
    }
    place, selection = book.sheets.active, selected_cells(app)
    failed = True
    try:
        app.screen_updating = False
        app.enable_events = False
        app.calculation = "manual"
        yield
        failed = False
    finally:
        if failed or click._keep_place:
            with suppress(Exception):
                place.activate()
                if selection is not None:
                    selection.select()
        for name, value in before.items():
            with suppress(Exception):
                setattr(app, name, value)
        with suppress(Exception):
            app.status_bar = False if failed or not click._outcome else click._outcome


def selected_cells(app: xw.App) -> xw.Range | None:
    """Return the selected cells; None for a chart or a picture, and for a whole sheet, which Excel cannot count."""
    with suppress(Exception):
        return app.selection
    return None


def _about_fault(fault: Exception) -> str:
    """Put the traceback into a file and say where it is."""
    where = Path(tempfile.gettempdir()) / FAULT_FILE
    try:
        where.write_text("".join(traceback.format_exception(fault)), encoding="utf-8")
    except OSError:
        return f"Calibrate stopped at a fault in the program ({type(fault).__name__}); your sheets are unchanged."
    return (
        f"Calibrate stopped at a fault in the program ({type(fault).__name__}); your sheets are unchanged, and the "
        f"details for a report are in {where}."
    )
