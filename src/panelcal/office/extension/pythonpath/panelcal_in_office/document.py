"""The open document: a copy of it as it is on the screen, which of its sheets are ours, and where the user is."""

from __future__ import annotations

import os
import shutil
import tempfile

import uno
from com.sun.star.beans import PropertyValue

MARK = "_panelcal_sheet_"
"""Each sheet that panelcal made has a name of the document that begins so and refers to it, also when it is renamed."""

NEVER_INPUT = ("settings", "start here")
"""Names of sheets, in small letters, that hold no scores."""

BIASES = "cal assessors"
"""How the names of sheets begin, in small letters, that hold the biases of a result."""

_XLSX = "Calc MS Excel 2007 XML"
_FORBIDDEN = '/\\:*?"<>|'


class Refused(Exception):
    """Something cannot be done; the text is for the user."""


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
        """Begin the step."""
        self._document.UndoManager.enterUndoContext(self._title)

    def __exit__(self, *fault):
        """End the step."""
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


class not_drawn:  # noqa: N801
    """Draw the window again only when everything inside is done."""

    def __init__(self, document):
        """Name the document."""
        self._document = document

    def __enter__(self):
        """Stop drawing."""
        self._document.lockControllers()

    def __exit__(self, *fault):
        """Draw again."""
        self._document.unlockControllers()


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


def with_biases(context, document):
    """Return the other open documents that hold a result of panelcal, in the order of their titles."""
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    found, components = [], desktop.getComponents().createEnumeration()
    while components.hasMoreElements():
        one = components.nextElement()
        if one == document or not hasattr(one, "supportsService"):
            continue
        if one.supportsService("com.sun.star.sheet.SpreadsheetDocument") and any(
            name.casefold().startswith(BIASES) for name in one.Sheets.getElementNames()
        ):
            found.append(one)
    return sorted(found, key=lambda one: one.getTitle())


def selected_cell(document):
    """Return sheet, row and column (from 1) of the first selected cell; None where no cell is selected."""
    selection = document.getCurrentSelection()
    if selection is not None and selection.supportsService("com.sun.star.sheet.SheetCellRanges"):
        selection = selection.getByIndex(0)
    if selection is None or not hasattr(selection, "getRangeAddress"):
        return None
    place = selection.getRangeAddress()
    return document.Sheets.getByIndex(place.Sheet).getName(), place.StartRow + 1, place.StartColumn + 1


def selected_block(document):
    """Return what of a sheet is selected, if that is a part of its table: sheet, first and last row and column from 1.

    A single row or column holds no panel and is taken for a place where the user just was, as in Excel.

    Raises
    ------
    Refused
        If several blocks are selected.
    """
    selection = document.getCurrentSelection()
    several = selection is not None and selection.supportsService("com.sun.star.sheet.SheetCellRanges")
    if several and selection.getCount() > 1:
        raise Refused("Several blocks are selected: select one, or a single cell to have the whole sheet read.")
    if several and selection.getCount() == 1:
        selection = selection.getByIndex(0)
    if selection is None or not hasattr(selection, "getRangeAddress"):
        return None
    sheet, block = selection.getSpreadsheet(), selection.getRangeAddress()
    name = sheet.getName()
    if name.casefold() in NEVER_INPUT or name in own_sheets(document):
        return None
    if block.StartRow == block.EndRow or block.StartColumn == block.EndColumn:
        return None
    used = _used_block(sheet)
    before = block.StartRow <= used.StartRow and block.StartColumn <= used.StartColumn
    if before and block.EndRow >= used.EndRow and block.EndColumn >= used.EndColumn:
        return None
    place = [block.StartRow + 1, block.StartColumn + 1, block.EndRow + 1, block.EndColumn + 1]
    return {"sheet": name, "block": place}


def _used_block(sheet):
    cursor = sheet.createCursor()
    cursor.gotoStartOfUsedArea(False)
    cursor.gotoEndOfUsedArea(True)
    return cursor.getRangeAddress()
