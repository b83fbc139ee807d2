"""Takes sheets that panelcal made out of the open document, as one step to undo and to do again.

The step is Calc's own, but for what Calc 7.4 does not bring back: formulas that refer to a sheet that came back later,
what is printed and how, and frozen panes.
"""

from __future__ import annotations

import unohelper
from com.sun.star.document import XUndoAction

from panelcal_in_office.document import marks, not_drawn, not_recorded, one_step
from panelcal_in_office.sheet_looks import (
    formula_blocks,
    print_only,
    printed_cells,
    set_formulas,
    set_window,
    window_of,
)


def take_away(document, sheets, title):
    """Remove sheets with their charts and the names that say they are ours.

    Parameters
    ----------
    document
        The open document, in which other sheets stay.
    sheets
        Names of the sheets.
    title
        What the step is called under Edit, Undo.
    """
    with not_drawn(document):
        kept = _Kept(document, sheets, title)  # leaves one of them in front, by which `put_sheets` knows whose it is
        with one_step(document, title):
            document.UndoManager.addUndoAction(kept)
            for name in sheets:  # LibreOffice 7.4 ends when it brings back a sheet together with its charts
                charts = document.Sheets.getByName(name).Charts
                for chart in charts.getElementNames():
                    charts.removeByName(chart)
            for name in marks(document):
                document.NamedRanges.removeByName(name)
            for name in sheets:
                document.Sheets.removeByName(name)


class _Kept(unohelper.Base, XUndoAction):
    """What is set again when the sheets are back."""

    def __init__(self, document, sheets, title):
        self.Title = title
        self._document = document
        self._formulas = [
            block
            for sheet in map(document.Sheets.getByName, document.Sheets.getElementNames())
            for block in formula_blocks(sheet)
            if sheet.getName() in sheets or _mentions(block, sheets)
        ]
        self._looks = []
        for sheet in map(document.Sheets.getByName, sheets):
            window = window_of(document.CurrentController, sheet)
            self._looks.append((sheet.getName(), sheet.PageStyle, printed_cells(sheet), window))

    def undo(self):
        """Set it again: Calc undoes this part of the step last."""
        document = self._document
        with not_drawn(document):
            for block in self._formulas:
                set_formulas(document, *block)
            for name, style, printed, window in self._looks:
                sheet = document.Sheets.getByName(name)
                with not_recorded(document):
                    sheet.PageStyle = style
                print_only(document, name, *printed)
                set_window(document.CurrentController, sheet, *window)
            document.CurrentController.setActiveSheet(document.Sheets.getByName(self._looks[0][0]))

    def redo(self):
        """Leave it to the other parts of the step."""


def _mentions(block, sheets):
    return any(name in text for row in block[2] for text in row for name in sheets)
