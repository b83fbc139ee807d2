"""Puts sheets of a workbook that the helper wrote into the open document, as one step to undo and to do again.

Calc imports single sheets, and turns what refers to another sheet into a link to the other file. So formulas are taken
out before and set again when all sheets are there, which leaves no link to any file. What is printed, names of series
and what the window shows (frozen panes, grid) do not come along either and are set again. Calc records none of it: the
step is our own.
"""

from __future__ import annotations

import os

import uno
import unohelper
from com.sun.star.awt import XCallback
from com.sun.star.document import XUndoAction, XUndoManagerListener
from com.sun.star.table.CellContentType import FORMULA

from panelcal_in_office.document import not_drawn, not_recorded, one_step, option, private_folder
from panelcal_in_office.sheet_looks import (
    FORMULAS,
    copy_chart_sources,
    copy_page_style,
    formula_blocks,
    formula_row_heights,
    print_only,
    printed_cells,
    set_formulas,
    set_row_heights,
    set_window,
    window_of,
)

ALERT_INK = 0x8A3B00
WARNING_FORMAT = '"▲ "@'


def put_sheets(context, document, workbook, sheets, title, notes=()):
    """Put sheets behind those of the document.

    Parameters
    ----------
    context
        Of the office.
    document
        The open document.
    workbook
        The path of the workbook that holds the sheets, and bare ones with the document's names.
    sheets
        Names of the sheets; the first one is shown then.
    title
        What the step is called under Edit, Undo.
    notes
        (sheet, row and column from 1, text) of notes on sheets of earlier runs.
    """
    with open(workbook, "rb") as stream:
        added = _Added(context, document, stream.read(), sheets, title, notes)
    try:
        with one_step(document, title):  # one even where Calc records a part of it against our will
            document.UndoManager.addUndoAction(added)
            added.redo()
    except Exception:  # half of it is of no use to anybody
        document.UndoManager.undo()
        document.UndoManager.clearRedo()
        raise
    document.UndoManager.addUndoManagerListener(_LaterSteps(added))


class _Added(unohelper.Base, XUndoAction, XCallback):
    """Sheets that were added, as a step to undo and to do again."""

    def __init__(self, context, document, content, sheets, title, notes):
        self.Title = title
        self.document, self.sheets = document, sheets
        self.later_steps_hold_its_sheets = False
        self._context, self._content, self._notes = context, content, notes
        self._names, self._styles, self._before = (), (), []
        self._front = document.CurrentController.ActiveSheet.Name

    def undo(self):
        """Take the sheets away again, with the names and page styles that came with them."""
        document = self.document
        self._step_aside()
        for name in self.sheets:
            if document.Sheets.hasByName(name):
                with not_recorded(document):
                    document.Sheets.removeByName(name)
        for name in self._names:
            if document.NamedRanges.hasByName(name):
                with not_recorded(document):
                    document.NamedRanges.removeByName(name)
        styles = _page_styles(document)
        for name in self._styles:
            if styles.hasByName(name):
                styles.removeByName(name)
        while self._before:
            _set_note(document, *self._before.pop())
        self._show(self._front)
        office = "com.sun.star.awt.AsyncCallback"
        self._context.ServiceManager.createInstanceWithContext(office, self._context).addCallback(self, None)

    def redo(self):
        """Put the sheets there, and the notes on earlier ones."""
        with not_drawn(self.document):
            self._put()
            for sheet, row, column, text in self._notes:
                self._before.append(_note(self.document, sheet, row, column))
                key = _number_format(self.document, WARNING_FORMAT)
                _set_note(self.document, sheet, row, column, (False, text, ALERT_INK, key))
        self._show(self.sheets[0])

    def notify(self, nothing):
        """Forget the steps after this one: the sheets that they are about will be other ones when they are there again.

        LibreOffice keeps in such steps where a chart was in its memory, and ends when it looks there again.
        """
        if not self.later_steps_hold_its_sheets:
            return
        manager = self.document.UndoManager
        next_one = manager.getAllRedoActionTitles()[:1]
        manager.clearRedo()
        self.later_steps_hold_its_sheets = False
        if next_one == (self.Title,):
            manager.addUndoAction(self)
            manager.undo()  # of sheets that are gone already, so that they can be put there again

    def _step_aside(self):
        """Show a sheet that stays as it is: what changes in front is recorded, although nothing shall be."""
        changed = {*self.sheets, *(note[0] for note in self._notes)}
        names = [name for name in self.document.Sheets.getElementNames() if name not in changed]
        visible = [name for name in names if self.document.Sheets.getByName(name).IsVisible]
        self._show((visible or names)[0])

    def _show(self, name):
        found = self.document.Sheets
        sheet = found.getByName(name) if found.hasByName(name) else found.getByIndex(0)
        self.document.CurrentController.setActiveSheet(sheet)

    def _put(self):
        document = self.document
        names, styles = set(document.NamedRanges.getElementNames()), set(_page_styles(document).getElementNames())
        with private_folder() as folder:
            path = os.path.join(folder, "results.xlsx")
            with open(path, "wb") as stream:
                stream.write(self._content)
            results = self._opened(path)
            try:
                there = [results.Sheets.getByName(name) for name in self.sheets]
                heights = [formula_row_heights(sheet) for sheet in there]
                formulas = [one for sheet in there for one in _taken_formulas(sheet)]
                for name in self.sheets:
                    with not_recorded(document):
                        document.Sheets.importSheet(results, name, document.Sheets.getCount())
                self._dress(results)
                for block in formulas:
                    set_formulas(document, *block)
                for sheet, tall in zip(there, heights):
                    print_only(document, sheet.getName(), *printed_cells(sheet))
                    set_row_heights(document, sheet.getName(), tall)
            finally:
                results.close(True)
                self._names = tuple(set(document.NamedRanges.getElementNames()) - names)
                self._styles = tuple(set(_page_styles(document).getElementNames()) - styles)

    def _opened(self, path):
        desktop = self._context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self._context)
        options = (option("Hidden", True), option("MacroExecutionMode", 0))
        return desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, options)

    def _dress(self, results):
        document = self.document
        for name in self.sheets:
            source, target = results.Sheets.getByName(name), document.Sheets.getByName(name)
            style = _page_styles(results).getByName(source.PageStyle)
            with not_recorded(document):
                copy_page_style(document, style, _page_styles(document))
                target.PageStyle = style.getName()
            copy_chart_sources(document, source, target)
            set_window(document.CurrentController, target, *window_of(results.CurrentController, source))


def _page_styles(document):
    return document.StyleFamilies.getByName("PageStyles")


def _taken_formulas(sheet):
    """Take the formulas out of a sheet and return them, block by block."""
    found = formula_blocks(sheet)
    for _, place, _ in found:  # not the whole sheet at once: Calc would choose the height of every row anew
        sheet.getCellRangeByPosition(*place).clearContents(FORMULAS)
    return found


def _note(document, sheet, row, column):
    """Return what a cell holds, as `_set_note` takes it."""
    cell = document.Sheets.getByName(sheet).getCellByPosition(column - 1, row - 1)
    computed = cell.getType() == FORMULA
    text = cell.getFormula() if computed else cell.getString()
    return sheet, row, column, (computed, text, cell.CharColor, cell.NumberFormat)


def _set_note(document, sheet, row, column, content):
    """Write (whether it is a formula, text, ink, number format) into a cell, where that is still there."""
    if not document.Sheets.hasByName(sheet):
        return
    cell = document.Sheets.getByName(sheet).getCellByPosition(column - 1, row - 1)
    computed, text, ink, number_format = content
    with not_recorded(document):
        (cell.setFormula if computed else cell.setString)(text)
    for name, value in (("CharColor", ink), ("NumberFormat", number_format)):
        with not_recorded(document):
            cell.setPropertyValue(name, value)


def _number_format(document, pattern):
    formats, place = document.NumberFormats, uno.createUnoStruct("com.sun.star.lang.Locale", "en", "US", "")
    key = formats.queryKey(pattern, place, False)
    return key if key != -1 else formats.addNew(pattern, place)


class _LaterSteps(unohelper.Base, XUndoManagerListener):
    """Watches for steps on the sheets that were added."""

    def __init__(self, added):
        self._added = added

    def undoActionAdded(self, event):  # noqa: N802 - the names of LibreOffice's interface
        """Note a step that may hold on to one of the sheets: made while that was in front, or is gone."""
        added, title = self._added, event.UndoActionTitle
        document = added.document
        there = all(map(document.Sheets.hasByName, added.sheets))
        if title != added.Title and (not there or document.CurrentController.ActiveSheet.Name in added.sheets):
            added.later_steps_hold_its_sheets = True

    def leftContext(self, event):  # noqa: N802
        """Look at a step of several parts."""
        self.undoActionAdded(event)

    def actionUndone(self, event):  # noqa: N802
        """Go on: undoing adds nothing."""

    def actionRedone(self, event):  # noqa: N802
        """Go on."""

    def allActionsCleared(self, event):  # noqa: N802
        """Go on."""

    def redoActionsCleared(self, event):  # noqa: N802
        """Go on."""

    def resetAll(self, event):  # noqa: N802
        """Go on."""

    def enteredContext(self, event):  # noqa: N802
        """Go on."""

    def enteredHiddenContext(self, event):  # noqa: N802
        """Go on."""

    def leftHiddenContext(self, event):  # noqa: N802
        """Go on."""

    def cancelledContext(self, event):  # noqa: N802
        """Go on."""

    def disposing(self, event):
        """Go on."""
