"""What the buttons do. Whatever happens, the user gets a sentence and never a traceback."""

from __future__ import annotations

import os
import tempfile
import traceback
from functools import partial

import uno

from panelcal_in_office import document as documents
from panelcal_in_office.dialogs import TITLE, Screen
from panelcal_in_office.helper_process import FOR_BUTTONS, HelperProblem, version
from panelcal_in_office.put_sheets import put_sheets
from panelcal_in_office.take_away import take_away

SETTINGS = "Settings"
PRIOR = "Prior"
LONGEST_NAME = 31  # of a sheet in an .xlsx workbook

_HELP = (
    "Put the scores on a sheet: ids in the first column, names of the assessors above, numbers below them (or a list "
    "with columns such as Student, Module and Mark).\n\n"
    "Calibrate writes the results to new sheets and leaves yours as they are; begin with Cal summary. One step of "
    "Edit, Undo takes them away again. Where a block of cells is selected, with its headings, only that is read.\n"
    "Check data says what would be read and what to correct first.\n"
    "New from template opens a workbook to fill in, or a filled example.\n"
    "Explain this value says in words why one value moved; select a cell in its row before.\n"
    "Settings has classes, codes and everything else that can be chosen.\n"
    "Earlier biases brings those of an earlier result that is open beside this document onto a sheet Prior.\n"
    "Remove results removes the sheets that Calibrate made; Edit, Undo brings them back.\n\n"
    "Nothing leaves this computer."
)


class Click:
    """A click on a button: the office, the document it is about, and where to speak to the user."""

    def __init__(self, context, frame):
        """Take the office's context and the frame that was clicked in."""
        self.context, self.frame = context, frame
        self.document = frame.getController().getModel()
        self.screen = Screen(context, frame)

    def ask(self, do, folder, **more):
        """Ask the helper, and the user where the helper has questions; None = stopped, or refused with a message."""
        answers = []
        while True:
            request = {"do": do, "choices": {"answers": answers}, "title": self.document.getTitle(), **more}
            if folder is not None:
                request["target"] = os.path.join(folder, "made.xlsx")
            found = self.screen.wait_for(partial(FOR_BUTTONS.ask, request), FOR_BUTTONS.stop)
            if found is None or "refused" not in found:
                return found
            given = self._answered(found["refused"])
            if given is None:
                return None
            answers += given

    def _answered(self, refused):
        """Let the user answer the questions of a refusal; None where that cannot be or is not wanted."""
        questions = refused["questions"]
        if not questions or not all(question["answers"] for question in questions):
            self.screen.say(refused["words"])
            return None
        given = []
        for number, question in enumerate(questions, 1):
            title = TITLE if len(questions) == 1 else f"{TITLE}: question {number} of {len(questions)}"
            meanings = [answer["meaning"] for answer in question["answers"]]
            chosen = self.screen.choose(title, question["sentence"], meanings)
            if chosen is None:
                return None
            given.append(question["answers"][chosen]["gives"])
        return given


def press(context, action):
    """Do what a button stands for.

    Parameters
    ----------
    context
        Of the office.
    action
        One of `ACTIONS`; anything else is not done.
    """
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    frame = desktop.getCurrentFrame()
    if action not in ACTIONS or frame is None or frame.getController() is None:
        return
    click = Click(context, frame)
    if not click.document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        return
    try:
        ACTIONS[action](click)
    except (HelperProblem, documents.Refused) as problem:
        click.screen.say(str(problem))
    except Exception as fault:
        click.screen.say(_about_fault(fault))


def calibrate(click):
    """Calibrate the document and put the results into it."""
    document = click.document
    if not _may_change(click):
        return
    long = [name for name in document.Sheets.getElementNames() if len(name) > LONGEST_NAME]
    if long:
        click.screen.say(
            f"The name of the sheet {long[0]} is longer than {LONGEST_NAME} letters, which formulas cannot refer to: "
            "give it a shorter one, then click again."
        )
        return
    selected = documents.selected_block(document)
    with documents.private_folder() as folder:
        found = click.ask("calibrate", folder, file=documents.copied(document, folder), selected=selected)
        if found is None:
            return
        notes = [(one["sheet"], one["row"], one["column"], one["text"]) for one in found["outdated"]]
        target = os.path.join(folder, "made.xlsx")
        put = partial(put_sheets, click.context, document, target, found["sheets"], "Calibrate", notes)
        click.screen.while_saying(f"adding {_counted(len(found['sheets']), 'sheet')}", put)
    click.screen.say("\n".join([*found["read"], "", *found["said"]]))


def check(click):
    """Say what would be read, without calibrating."""
    selected = documents.selected_block(click.document)
    with documents.private_folder() as folder:
        found = click.ask("check", None, file=documents.copied(click.document, folder), selected=selected)
    if found is not None:
        click.screen.say(found["said"])


def explain(click):
    """Say why the value of the object in the selected row is what it is."""
    place = documents.selected_cell(click.document)
    if place is None:
        click.screen.say("Select a cell in the row you want to have explained, then click again.")
        return
    sheet, row, column = place
    with documents.private_folder() as folder:
        file = documents.copied(click.document, folder)
        found = click.ask("explain", None, file=file, sheet=sheet, row=row, column=column)
    if found is not None:
        click.screen.say(found["said"])


def settings(click):
    """Show the sheet Settings; add it with every default where there is none."""
    document = click.document
    names = {name.casefold(): name for name in document.Sheets.getElementNames()}
    if SETTINGS.casefold() not in names:
        if not _may_change(click):
            return
        with documents.private_folder() as folder:
            found = click.ask("settings", folder, file=documents.copied(document, folder))
            if found is None:
                return
            target = os.path.join(folder, "made.xlsx")
            put_sheets(click.context, document, target, found["sheets"], "Add the sheet Settings")
    sheet = document.Sheets.getByName(names.get(SETTINGS.casefold(), SETTINGS))
    sheet.IsVisible = True
    document.CurrentController.setActiveSheet(sheet)


def earlier_biases(click):
    """Add the sheet Prior with the biases of a result that is open beside the document."""
    document = click.document
    if not _may_change(click):
        return
    if PRIOR.casefold() in map(str.casefold, document.Sheets.getElementNames()):
        click.screen.say(f"This document has a sheet {PRIOR} already: rename or delete it, then click again.")
        return
    results = documents.with_biases(click.context, document)
    if not results:
        click.screen.say(
            "Open the earlier result beside this document (it has a sheet Cal assessors), come back to this one, and "
            "click again."
        )
        return
    titles = [one.getTitle() for one in results]
    chosen = 0
    if len(results) > 1:
        chosen = click.screen.choose("Earlier biases", "Which of these holds the earlier result?", titles)
        if chosen is None:
            return
    with documents.private_folder() as folder, documents.private_folder() as other:
        file, earlier = documents.copied(document, folder), documents.copied(results[chosen], other)
        found = click.ask("earlier_biases", folder, file=file, earlier=earlier, origin=titles[chosen])
        if found is None:
            return
        target = os.path.join(folder, "made.xlsx")
        put_sheets(click.context, document, target, found["sheets"], f"Add the sheet {PRIOR}")
    click.screen.say(found["said"])


def templates(click):
    """Open a copy of a ready-made workbook."""
    found = click.ask("templates", None)
    if found is None:
        return
    words = [name.replace("_", " ").capitalize() for name in found["names"]]
    chosen = click.screen.choose("New from template", "Which workbook shall be copied and opened?", words)
    if chosen is None:
        return
    made = click.ask("template", None, name=found["names"][chosen])
    if made is None:
        return
    desktop = click.context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", click.context)
    opened = desktop.loadComponentFromURL(uno.systemPathToFileUrl(made["file"]), "_blank", 0, ())
    where = Screen(click.context, opened.CurrentController.Frame) if opened is not None else click.screen
    where.say(f"This is your own copy, saved as {made['file']}. Begin with the sheet Start here.")


def remove_results(click):
    """Remove the sheets that panelcal made, and no others, after asking."""
    document = click.document
    if not _may_change(click):
        return
    ours = documents.own_sheets(document)
    if not ours:
        click.screen.say("There are no result sheets in this document that panelcal made.")
        return
    others = [name for name in document.Sheets.getElementNames() if name not in ours]
    if not any(document.Sheets.getByName(name).IsVisible for name in others):
        click.screen.say("A document must keep a visible sheet: add an empty one, then click again.")
        return
    counted = _counted(len(ours), "result sheet")
    named = ", ".join(ours[:4]) + (", ..." if len(ours) > 4 else "")
    if click.screen.ask(f"Remove {counted} ({named})? Edit, Undo brings them back."):
        take_away(document, ours, "Remove results")


def show_help(click):
    """Say what the buttons do and where to begin."""
    click.screen.say(f"panelcal {version()}\n\n{_HELP}")


ACTIONS = {
    "calibrate": calibrate,
    "check": check,
    "explain": explain,
    "settings": settings,
    "earlier_biases": earlier_biases,
    "templates": templates,
    "remove_results": remove_results,
    "help": show_help,
}
"""What may be asked for."""


def _may_change(click):
    """Say why the document cannot be changed, where it cannot."""
    if click.document.isReadonly():
        click.screen.say("This document is open for reading only: save it under another name, then click again.")
        return False
    if click.document.isProtected():
        click.screen.say(
            "The structure of this document is protected: take the protection off (Tools, Protect Spreadsheet "
            "Structure), then click again."
        )
        return False
    return True


def _counted(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def _about_fault(fault):
    """Put where it happened into a file, and say so."""
    try:
        number, where = tempfile.mkstemp(prefix="panelcal-report-", suffix=".txt")
        with open(number, "w", encoding="utf-8") as stream:
            stream.write("".join(traceback.format_tb(fault.__traceback__)) + type(fault).__name__ + "\n")
    except OSError:
        return f"Calibrate stopped at a fault in the program ({type(fault).__name__})."
    return (
        f"Calibrate stopped at a fault in the program ({type(fault).__name__}); the details for a report, which hold "
        f"nothing from your cells, are in {where}."
    )
