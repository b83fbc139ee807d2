"""The open document: a copy of it as it is on the screen, which of its sheets are ours, and where the user is."""

from __future__ import annotations

import os
import shutil
import tempfile

import uno
from com.sun.star.beans import PropertyValue

MARK = "_panelcal_sheet_"
"""Each sheet that panelcal made has a name of the document that begins so and refers to it, also when it is renamed."""

_XLSX = "Calc MS Excel 2007 XML"
_FORBIDDEN = '/\\:*?"<>|'


def option(name, value):
    """Return a named value, as the office takes options."""
    found = PropertyValue()
    found.Name, found.Value = name, value
    return found


# These are classes because an exception of LibreOffice's, which takes no traceback, breaks managers made of generators.


class private_folder:  # noqa: N801 - used as a function
    """Lend a folder that nobody else may look into, and remove it with all that is in it."""

    def __enter__(self):
        """Make the folder."""
        self._folder = tempfile.mkdtemp(prefix="panelcal-")
        return self._folder

    def __exit__(self, *fault):
        """Remove it."""
        shutil.rmtree(self._folder, ignore_errors=True)


class one_step:  # noqa: N801
    """Make everything inside one step that can be undone."""

    def __init__(self, document, title):
        """Name the step."""
        self._document, self._title = document, title

    def __enter__(self):
        """Begin the step; the window is drawn when it is over."""
        self._document.UndoManager.enterUndoContext(self._title)
        self._document.lockControllers()

    def __exit__(self, *fault):
        """End the step."""
        self._document.unlockControllers()
        self._document.UndoManager.leaveUndoContext()


class not_recorded:  # noqa: N801
    """Keep one change out of the list of what can be undone; Calc switches recording on again after each."""

    def __init__(self, document):
        """Name the document."""
        self._manager = document.UndoManager

    def __enter__(self):
        """Stop recording."""
        self._manager.lock()

    def __exit__(self, *fault):
        """Record again."""
        self._manager.unlock()


def copied(document, folder):
    """Save a copy of the document as it is on the screen, unsaved changes included, and return its path.

    The document keeps its place, its name and its unsaved changes.
    """
    stem = os.path.splitext(document.getTitle())[0].translate({ord(letter): "_" for letter in _FORBIDDEN}).strip()
    path = os.path.join(folder, (stem[:80] or "scores") + ".xlsx")
    document.storeToURL(uno.systemPathToFileUrl(path), (option("FilterName", _XLSX), option("Overwrite", True)))
    return path


def marks(document):
    """Return the hidden names of our sheets, each with its sheet, or None where that is gone."""
    names = document.NamedRanges
    found = {}
    for name in names.getElementNames():
        if name.startswith(MARK):
            cells = names.getByName(name).getReferredCells()
            found[name] = cells.getSpreadsheet() if cells is not None else None
    return found


def own_sheets(document):
    """Return the names of the sheets that panelcal made, in the order of the tabs."""
    marked = {sheet.getName() for sheet in marks(document).values() if sheet is not None}
    return [name for name in document.Sheets.getElementNames() if name in marked]


def selected_cell(document):
    """Return sheet, row and column (from 1) of the first selected cell; None where no cell is selected."""
    selection = document.getCurrentSelection()
    if selection is not None and selection.supportsService("com.sun.star.sheet.SheetCellRanges"):
        selection = selection.getByIndex(0)
    if selection is None or not hasattr(selection, "getRangeAddress"):
        return None
    place = selection.getRangeAddress()
    return document.Sheets.getByIndex(place.Sheet).getName(), place.StartRow + 1, place.StartColumn + 1
