"""Documents of an office, looked at and changed through its bridge; runs in a Python that has it."""

import math
import os
import time
from pathlib import Path

from bridge import option

PATIENCE = float(os.environ.get("PANELCAL_PATIENCE", "120"))
FORMULAS, VALUES, DATES, TEXTS = 16, 1, 2, 4


def until(condition, what):
    """Wait until something holds, and return it."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"waited in vain for {what}")


class Documents:
    """What stands in the document that is looked at, and which others are open."""

    def service(self, name):
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def sheets(self):
        return list(self.document.Sheets.ElementNames)

    def wait_for_sheet(self, name):
        until(lambda: self.document.Sheets.hasByName(name), name)

    def wait_until_in_front(self, name):
        until(lambda: self.document.CurrentController.ActiveSheet.Name == name, f"{name} in front")

    def wait_until_gone(self, name):
        until(lambda: not self.document.Sheets.hasByName(name), f"{name} to go")

    def set(self, sheet, cell, value):
        target = self.document.Sheets.getByName(sheet).getCellRangeByName(cell)
        if isinstance(value, str):
            target.setFormula(value)
        else:
            target.setValue(value)

    def rename(self, sheet, name):
        self.document.Sheets.getByName(sheet).setName(name)

    def array(self, sheet, cells, formula):
        self.document.Sheets.getByName(sheet).getCellRangeByName(cells).setArrayFormula(formula)
        return self.values(sheet, cells)

    def fill(self, sheet, cells, rows):
        block = self.document.Sheets.getByName(sheet).getCellRangeByName(cells)
        block.setDataArray(tuple(map(tuple, rows)))

    def values(self, sheet, cells):
        return [list(row) for row in self.document.Sheets.getByName(sheet).getCellRangeByName(cells).getDataArray()]

    def formula(self, sheet, cell):
        return self.document.Sheets.getByName(sheet).getCellRangeByName(cell).getFormula()

    def used(self, sheet):
        """All values of a sheet, and how many formulas it has, how many of them fail or look elsewhere."""
        found = self.document.Sheets.getByName(sheet)
        cursor = found.createCursor()
        cursor.gotoEndOfUsedArea(False)
        end = cursor.getRangeAddress()
        block = found.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
        formulas = [
            text
            for one in found.queryContentCells(FORMULAS).getRangeAddresses()
            for row in found.getCellRangeByPosition(
                one.StartColumn, one.StartRow, one.EndColumn, one.EndRow
            ).getFormulaArray()
            for text in row
        ]
        return {
            "values": [list(row) for row in block.getDataArray()],
            "formulas": len(formulas),
            "elsewhere": sum("file:" in text for text in formulas),
            "errors": len(found.queryFormulaCells(4).getRangeAddresses()),
        }

    def charts(self):
        """For each chart: its sheet, and (range, name, how many numbers) of each of its series."""
        found = []
        for sheet in self.sheets():
            charts = self.document.Sheets.getByName(sheet).Charts
            for name in charts.ElementNames:
                chart = charts.getByName(name).EmbeddedObject
                series = []
                for system in chart.getFirstDiagram().getCoordinateSystems():
                    for kind in system.getChartTypes():
                        for one in kind.getDataSeries():
                            for sequence in one.getDataSequences():
                                values, label = sequence.getValues(), sequence.getLabel()
                                numbers = sum(
                                    isinstance(value, float) and not math.isnan(value) for value in values.getData()
                                )
                                words = label.getSourceRangeRepresentation() if label is not None else ""
                                series.append([values.getSourceRangeRepresentation(), words, numbers])
                found.append([sheet, chart.hasInternalDataProvider(), sorted(series)])
        return found

    def looks(self):
        """Name, page style, footer, frozen panes and grid of each sheet."""
        controller, found = self.document.CurrentController, {}
        for name in self.sheets():
            sheet = self.document.Sheets.getByName(name)
            style = self.document.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
            controller.setActiveSheet(sheet)
            footer = style.RightPageFooterContent
            found[name] = {
                "landscape": style.IsLandscape,
                "footer": [part.getString() for part in (footer.LeftText, footer.CenterText, footer.RightText)],
                "pages across": style.ScaleToPagesX,
                "frozen": [controller.getSplitColumn(), controller.getSplitRow()] * controller.hasFrozenPanes(),
                "grid": controller.ShowGrid,
                "printed": [[one.StartColumn, one.StartRow, one.EndColumn, one.EndRow] for one in sheet.PrintAreas],
                "titles": [sheet.TitleRows.StartRow, sheet.TitleRows.EndRow] * sheet.PrintTitleRows,
                "widths": [sheet.Columns.getByIndex(k).Width for k in range(12)],
                "heights": [sheet.Rows.getByIndex(k).Height for k in range(12)],
                "hidden": [k for k in range(60) if not sheet.Columns.getByIndex(k).IsVisible],
                "notes": sheet.Annotations.getCount(),
                "conditions": len(sheet.ConditionalFormats.getConditionalFormats()),
            }
        return found

    def names(self):
        return list(self.document.NamedRanges.ElementNames)

    def links(self):
        return list(self.document.ExternalDocLinks.ElementNames)

    def active(self, sheet=None, cell="A1"):
        controller = self.document.CurrentController
        if sheet is not None:
            found = self.document.Sheets.getByName(sheet)
            controller.setActiveSheet(found)
            controller.select(found.getCellRangeByName(cell))
        return controller.ActiveSheet.Name

    def select(self, sheet, *blocks):
        """Select cells of a sheet."""
        self.active(sheet)
        chosen = self.document.createInstance("com.sun.star.sheet.SheetCellRanges")
        for block in blocks:
            cells = self.document.Sheets.getByName(sheet).getCellRangeByName(block)
            chosen.addRangeAddress(cells.RangeAddress, False)
        self.document.CurrentController.select(chosen)

    def select_chart(self, sheet, number):
        """Select a chart; where it is on the sheet."""
        self.active(sheet)
        page = self.document.Sheets.getByName(sheet).DrawPage
        shapes = [page.getByIndex(k) for k in range(page.getCount())]
        chart = [shape for shape in shapes if shape.supportsService("com.sun.star.drawing.OLE2Shape")][number]
        self.document.CurrentController.select(chart)
        return [chart.Position.X, chart.Position.Y]

    def store(self, file, kind):
        self.document.storeToURL(Path(file).as_uri(), (option("FilterName", kind),))

    def modified(self):
        return self.document.isModified()

    def close(self):
        self.document.setModified(False)
        self.document.close(True)
        self.document = None

    def close_others(self):
        """Close every document but the one that is looked at, saving nothing."""
        for frame in _all(self.desktop.getFrames()):
            other = frame.Controller.Model
            if other != self.document:
                other.setModified(False)
                other.close(True)

    def windows(self):
        return len(list(_all(self.desktop.getFrames())))

    def last_window(self):
        """Look at the document of the window that was opened last from here on."""
        self.document = list(_all(self.desktop.getFrames()))[-1].Controller.Model
        self.document.CurrentController.Frame.ContainerWindow.setFocus()
        return self.document.Title

    def title(self):
        return self.document.Title

    def frames(self):
        return [frame.Controller.Model.Title for frame in _all(self.desktop.getFrames()) if frame.Controller]


def _all(holder):
    return [holder.getByIndex(number) for number in range(holder.getCount())]
