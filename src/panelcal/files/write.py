"""Writing a Report as a workbook: new, or as a copy of the user's workbook with the result sheets after their own.

openpyxl makes the frame of the result sheets, the cells and charts are filled in beside it, and for a copy the finished
sheets are put into the user's package, whose own parts stay byte for byte what they were.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from panelcal.errors import FileProblem
from panelcal.files.charts import chart_part
from panelcal.files.edited_cells import can_be_edited, with_cells
from panelcal.files.graft import add_sheets, base_font, carries_whole, carry_notes
from panelcal.files.highlights import extras
from panelcal.files.in_memory import File
from panelcal.files.merge_styles import in_schema_order
from panelcal.files.out_of_date import mark_outdated
from panelcal.files.ownership import own_sheets
from panelcal.files.package import Parts, read_parts, write_package
from panelcal.files.rows import SheetRows, dimension_of
from panelcal.files.saving import check_target, save_file
from panelcal.files.sensitivity_label import add_label
from panelcal.files.styles import Looks
from panelcal.files.uniform_xml import uniform
from panelcal.files.worksheets import add_sheet, sheet_frame
from panelcal.files.xml_edits import quoteattr
from panelcal.reporting.cell_content import LAST_ROW
from panelcal.reporting.chart_data import ChartData
from panelcal.reporting.looks import BaseFont
from panelcal.reporting.model import Note, Report
from panelcal.reporting.names import MARK, mark_reference

__all__ = ["carries_whole", "report_bytes", "write_report"]


def write_report(
    report: Report,
    target: Path,
    *,
    workbook: File | None = None,
    labelled: File | None = None,
    outdated: Mapping[str, Note] | None = None,
    overwrite: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[str, ...]:
    """Write a report as an .xlsx file.

    Parameters
    ----------
    report
        What to write.
    target
        The file to make.
    workbook
        The user's workbook: the result is a copy of it with the result sheets after its own sheets. None = the result
        sheets only.
    labelled
        A file whose sensitivity label, if it has one, a workbook of result sheets only takes on.
    overwrite
        Whether a file that is there already may be replaced.
    progress
        Told which share of the rows is written.

    Returns
    -------
    tuple of str
        Sentences about what is different in the copy of the user's sheets; empty when nothing is.

    Raises
    ------
    FileProblem
        If the target exists, is the input itself or cannot be written, or the workbook cannot be carried over whole
        (see `carries_whole`). Nothing is left behind then.
    """
    check_target(target, source=workbook if isinstance(workbook, Path) else None, overwrite=overwrite)
    parts, rows, notes = _packed(report, workbook, labelled, outdated)
    save_file(lambda stream: write_package(stream, parts, rows, progress), target, overwrite=overwrite)
    return notes


def report_bytes(
    report: Report,
    *,
    workbook: File | None = None,
    labelled: File | None = None,
    outdated: Mapping[str, Note] | None = None,
) -> tuple[bytes, tuple[str, ...]]:
    """Render a report as the bytes of an .xlsx file; parameters, sentences and errors as for `write_report`."""
    parts, rows, notes = _packed(report, workbook, labelled, outdated)
    stream = io.BytesIO()
    write_package(stream, parts, rows)
    return stream.getvalue(), notes


def _packed(
    report: Report, workbook: File | None, labelled: File | None, outdated: Mapping[str, Note] | None
) -> tuple[Parts, dict[str, SheetRows], tuple[str, ...]]:
    """Return the parts of the result, the rows that go into its worksheet parts, and what is to be said of it."""
    if workbook is None:
        alone, streamed = result_parts(report, BaseFont())
        if labelled is not None:
            add_label(alone, labelled)
        return alone, streamed, ()
    lost = carries_whole(workbook)
    if lost:
        raise FileProblem(
            f"{workbook.name} cannot be copied whole ({', '.join(lost)}): "
            "write the result sheets only, with --results-only."
        )
    carried = mark_outdated(read_parts(workbook), outdated or {}, own_sheets(workbook))
    results = result_parts(report, base_font(carried))
    notes = carry_notes(carried)
    if report.edits is not None and can_be_edited(carried, report.edits.sheet, report.edits.cells):
        carried = with_cells(carried, report.edits.sheet, report.edits.cells)
    elif report.edits is not None:
        notes = (*notes, f"The sheet {report.edits.sheet} could not be written on. {report.edits.said}")
    parts, rows = add_sheets(carried, *results, report.created)
    return parts, rows, notes


def result_parts(report: Report, font: BaseFont) -> tuple[Parts, dict[str, SheetRows]]:
    """Render the result sheets alone as the parts of a workbook, and the rows that go into its worksheet parts."""
    _check_lengths(report)
    book = Workbook()
    book.remove(book.active)
    looks = Looks(book, font, forms=any(sheet.form is not None for sheet in report.sheets))
    data = ChartData(report)
    for number, sheet in enumerate(report.sheets, 1):
        add_sheet(book, report, sheet, font)
        if sheet.kept:
            continue
        mark = DefinedName(f"{MARK}{number}", attr_text=mark_reference(sheet.name), hidden=True)
        book.defined_names[mark.name] = mark
    book.properties.creator = "panelcal"
    book.properties.title, book.properties.description = report.title or report.sheets[0].title, report.description
    for name in report.names:
        book.defined_names[name.name] = DefinedName(name.name, attr_text=name.meaning, comment=name.comment)
    book.properties.created = book.properties.modified = datetime.fromisoformat(report.created).replace(tzinfo=None)
    # Every formula has its value stored, so nothing need be calculated before the sheets can be shown.
    book.calculation.fullCalcOnLoad = None
    book.calculation.calcId = 191029

    buffer = io.BytesIO()
    _FrameWriter(book, zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED)).save()
    with zipfile.ZipFile(buffer) as archive:
        parts: Parts = {name: uniform(archive.read(name)) for name in archive.namelist()}
    rows: dict[str, SheetRows] = {}

    parts["xl/styles.xml"] = in_schema_order(parts["xl/styles.xml"])
    chart_number = drawing_number = 0
    for number, sheet in enumerate(report.sheets, 1):
        part = f"xl/worksheets/sheet{number}.xml"
        head, tail = sheet_frame(parts[part], dimension_of(sheet), extras(sheet, report.run_id))
        rows[part] = SheetRows(sheet, looks, head, tail)
        if sheet.charts:
            drawing_number += 1
            drawing = f"xl/drawings/drawing{drawing_number}.xml"
            parts[drawing] = _with_alt_texts(parts[drawing], [(chart.title, chart.alt_text) for chart in sheet.charts])
        for chart in sheet.charts:
            chart_number += 1
            parts[f"xl/charts/chart{chart_number}.xml"] = chart_part(chart, sheet.name, data)
    if any(column.spills for sheet in report.sheets for table in sheet.tables for column in table.columns):
        from panelcal.files.dynamic_arrays import with_metadata  # noqa: PLC0415 - only one template spills

        parts = with_metadata(parts)
    return parts, rows


def _check_lengths(report: Report) -> None:
    for sheet in report.sheets:
        last = max((table.last_row for table in sheet.tables), default=0)
        if last > LAST_ROW:
            raise FileProblem(f"The sheet {sheet.name} would need {last:,} rows, and a sheet has {LAST_ROW:,}.")


def _with_alt_texts(drawing: bytes, words: list[tuple[str, str]]) -> bytes:
    """Give every chart frame of a drawing its name and the words for readers who cannot see it."""
    waiting = iter(words)

    def described(match: re.Match[str]) -> str:
        title, text = next(waiting)
        name = f"Chart {match[2]}: {title}"
        return f"{match[1]} name={quoteattr(_one_line(name))} descr={quoteattr(_one_line(text))}"

    pattern = re.compile(r'(<(?:\w+:)?cNvPr id="(\d+)") name="Chart \d+"')
    return pattern.sub(described, drawing.decode()).encode()


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _FrameWriter(ExcelWriter):  # type: ignore[misc]  # openpyxl tells no types
    """Writes the frames of result sheets, whose cells are filled in later, in memory: they are small.

    openpyxl writes each sheet by way of a file in the folder for temporary files, where a run that is cut short would
    leave it, and where a full disk would cut it short unnoticed.
    """

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
