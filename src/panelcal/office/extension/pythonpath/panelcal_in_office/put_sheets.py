"""Puts sheets of a workbook that the helper wrote into the open document, as one step to undo and to do again.

Calc imports single sheets, and turns what refers to another sheet into a link to the other file. So formulas are taken
out before and set again when all sheets are there, which leaves no link to any file. Importing cannot be undone by
itself; `_Added` is what the list of steps holds for it. What is printed, names of series and what the window
shows (frozen panes, grid) do not come along either and are set again.
"""

from __future__ import annotations

import os

import uno
import unohelper
from com.sun.star.document import XUndoAction

from panelcal_in_office.document import not_recorded, one_step, option, private_folder
from panelcal_in_office.sheet_looks import (
    FORMULAS,
    copy_chart_names,
    copy_page_style,
    copy_view,
    formula_row_heights,
    print_only,
    printed_cells,
    set_row_heights,
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
        added = _Added(context, document, stream.read(), sheets, title)
    try:
        with one_step(document, title):
            document.UndoManager.addUndoAction(added)
            formulas, printed, heights = added.put()
            for name, place, block in formulas:
                document.Sheets.getByName(name).getCellRangeByPosition(*place).setFormulaArray(block)
            for name, (areas, titles) in printed.items():
                print_only(document.Sheets.getByName(name), areas, titles)
                set_row_heights(document.Sheets.getByName(name), heights[name])
            for note in notes:
                _mark_outdated(document, *note)
    except Exception:  # half of it is of no use to anybody
        document.UndoManager.undo()
        document.UndoManager.clearRedo()
        raise
    document.CurrentController.setActiveSheet(document.Sheets.getByName(sheets[0]))


class _Added(unohelper.Base, XUndoAction):
    """Sheets that were added, as a step to undo and to do again; Calc's own steps for the rest come after it."""

    def __init__(self, context, document, content, sheets, title):
        self.Title = title
        self._context, self._document = context, document
        self._content, self._sheets = content, sheets
        self._names, self._styles = (), ()

    def undo(self):
        """Take the sheets away again, with the names and page styles that came with them."""
        document = self._document
        for name in self._sheets:
            if document.Sheets.hasByName(name):
                with not_recorded(document):
                    document.Sheets.removeByName(name)
        for name in self._names:
            with not_recorded(document):
                document.NamedRanges.removeByName(name)
        styles = _page_styles(document)
        for name in self._styles:
            styles.removeByName(name)

    def redo(self):
        """Put the sheets there again."""
        self.put()

    def put(self):
        """Import the sheets without formulas and print areas, and return these: steps of their own in Calc's list.

        Returns
        -------
        formulas
            (sheet, place, block) of each.
        printed
            Sheet -> what `printed_cells` gives.
        heights
            Sheet -> what `formula_row_heights` gives.
        """
        document = self._document
        names, styles = set(document.NamedRanges.getElementNames()), set(_page_styles(document).getElementNames())
        with private_folder() as folder:
            path = os.path.join(folder, "results.xlsx")
            with open(path, "wb") as stream:
                stream.write(self._content)
            results = self._opened(path)
            try:
                heights = {name: formula_row_heights(results.Sheets.getByName(name)) for name in self._sheets}
                formulas = [one for name in self._sheets for one in _taken_formulas(results.Sheets.getByName(name))]
                for name in self._sheets:
                    with not_recorded(document):
                        document.Sheets.importSheet(results, name, document.Sheets.getCount())
                self._dress(results)
                printed = {name: printed_cells(results.Sheets.getByName(name)) for name in self._sheets}
            finally:
                results.close(True)
                self._names = tuple(set(document.NamedRanges.getElementNames()) - names)
                self._styles = tuple(set(_page_styles(document).getElementNames()) - styles)
        return formulas, printed, heights

    def _opened(self, path):
        desktop = self._context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self._context)
        options = (option("Hidden", True), option("MacroExecutionMode", 0))
        return desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, options)

    def _dress(self, results):
        document = self._document
        for name in self._sheets:
            source, target = results.Sheets.getByName(name), document.Sheets.getByName(name)
            style = _page_styles(results).getByName(source.PageStyle)
            with not_recorded(document):
                copy_page_style(document, style, _page_styles(document))
                target.PageStyle = style.getName()
            copy_chart_names(source, target)
            copy_view(results.CurrentController, source, document.CurrentController, target)


def _page_styles(document):
    return document.StyleFamilies.getByName("PageStyles")


def _taken_formulas(sheet):
    """Take the formulas out of a sheet and return them, block by block."""
    found = []
    for block in sheet.queryContentCells(FORMULAS).getRangeAddresses():
        place = block.StartColumn, block.StartRow, block.EndColumn, block.EndRow
        found.append((sheet.getName(), place, sheet.getCellRangeByPosition(*place).getFormulaArray()))
    for _, place, _ in found:  # not the whole sheet at once: Calc would choose the height of every row anew
        sheet.getCellRangeByPosition(*place).clearContents(FORMULAS)
    return found


def _mark_outdated(document, sheet, row, column, text):
    cell = document.Sheets.getByName(sheet).getCellByPosition(column - 1, row - 1)
    cell.setString(text)
    cell.CharColor = ALERT_INK
    formats, place = document.NumberFormats, uno.createUnoStruct("com.sun.star.lang.Locale", "en", "US", "")
    key = formats.queryKey(WARNING_FORMAT, place, False)
    cell.NumberFormat = key if key != -1 else formats.addNew(WARNING_FORMAT, place)
