"""openpyxl's writer of workbooks, all in memory.

openpyxl writes each sheet by way of a file in the folder for temporary files, where a run that is cut short would leave
it, and where a full disk would cut it short unnoticed.
"""

from __future__ import annotations

import io

from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter


class FrameWriter(ExcelWriter):  # type: ignore[misc]  # openpyxl tells no types
    """Writes the frames of result sheets, whose cells are filled in later: they are small."""

    def write_worksheet(self, sheet: Worksheet) -> None:
        """Write one sheet into the archive, as `ExcelWriter` does."""
        sheet._drawing = SpreadsheetDrawing()
        sheet._drawing.charts, sheet._drawing.images = sheet._charts, sheet._images
        content = io.BytesIO()
        writer = WorksheetWriter(sheet, content)
        writer.write()
        sheet._rels = writer._rels
        self._archive.writestr(sheet.path[1:], content.getvalue())
        self.manifest.append(sheet)

    def _write_charts(self) -> None:
        """Keep a place for every chart: the charts themselves are written beside the frame."""
        for chart in self._charts:
            self._archive.writestr(chart.path[1:], "<chart/>")
            self.manifest.append(chart)
