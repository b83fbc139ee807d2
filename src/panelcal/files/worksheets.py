"""Everything about a result sheet except its cells: panes, widths, filter, comments, print set-up, charts."""

from __future__ import annotations

import re

from openpyxl import Workbook
from openpyxl.chart import ScatterChart
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.highlights import SheetExtras, add_alerts
from panelcal.reading.grid import address, column_letters
from panelcal.reporting.layout import (
    cells_as_one,
    column_widths,
    default_row_height,
    heading_addresses,
    main_table,
    whole_block,
)
from panelcal.reporting.looks import TAB_COLOUR, BaseFont
from panelcal.reporting.model import Report, Sheet, Table
from panelcal.reporting.page import FOOTER_MARGIN, FOOTER_SIZE, Page, page_of
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN
from panelcal.reporting.text_size import wrapped_lines

_A4 = 9
_LONGEST_ERROR = 255
_COMMENT_WIDTH = 260  # pixels
_COMMENT_CHARACTERS = 40.0
# A column's stated width counts characters; the file's width also counts the margins inside the cell.
_CELL_MARGIN = 5.0 / 7.0


def add_sheet(workbook: Workbook, report: Report, sheet: Sheet, font: BaseFont) -> Worksheet:
    """Add a worksheet for `sheet` with everything but its cells."""
    worksheet = workbook.create_sheet(sheet.name)
    if sheet.frozen is not None:
        worksheet.freeze_panes = address(*sheet.frozen)
    if sheet.form is not None:
        from panelcal.files.forms import dress_form  # noqa: PLC0415 - only templates have forms

        dress_form(worksheet, sheet, sheet.form, report.footer)
        return worksheet
    worksheet.sheet_properties.tabColor = TAB_COLOUR
    worksheet.sheet_view.showGridLines = False
    worksheet.sheet_view.tabSelected = sheet is report.sheets[0]
    worksheet.sheet_format.defaultRowHeight = default_row_height(font)
    worksheet.sheet_format.customHeight = True
    for number, width in sorted(column_widths(sheet).items()):
        worksheet.column_dimensions[column_letters(number)].width = width + _CELL_MARGIN
    main = main_table(sheet)
    if main is not None:
        worksheet.auto_filter.ref = whole_block(main).absolute.replace("$", "")
    for table in sheet.tables:
        _add_comments(worksheet, table)
        _add_choices(worksheet, table)
    add_alerts(worksheet, sheet)
    for block in cells_as_one(sheet):
        worksheet.merged_cells.add(block)  # without cells: these are written beside the frame
    for chart in sheet.charts:
        frame = ScatterChart()  # only its frame is used; charts.py writes the chart itself
        frame.width, frame.height = chart.width_cm, chart.height_cm
        worksheet.add_chart(frame, address(chart.row, chart.column))
    _set_up_page(worksheet, page_of(report, sheet))
    return worksheet


def _add_comments(worksheet: Worksheet, table: Table) -> None:
    for cell, column in zip(heading_addresses(table), table.columns, strict=True):
        if column.explanation:
            height = 24 + 20 * wrapped_lines(column.explanation, _COMMENT_CHARACTERS)
            worksheet[cell].comment = Comment(column.explanation, "panelcal", height=height, width=_COMMENT_WIDTH)


def _add_choices(worksheet: Worksheet, table: Table) -> None:
    """Give cells their drop-downs, one rule for all cells with the same entries."""
    cells: dict[tuple[str, ...], list[str]] = {}
    for number, column in enumerate(table.columns, table.column):
        for row, entries in enumerate(column.choices, table.row + 1):
            if entries:
                cells.setdefault(tuple(entries), []).append(address(row, number))
    for entries, where in cells.items():
        rule = DataValidation(type="list", formula1=f'"{",".join(entries)}"', sqref=" ".join(where))
        rule.errorTitle, rule.error = "Not among the choices", f"Choose one of {', '.join(entries)}."[:_LONGEST_ERROR]
        worksheet.add_data_validation(rule)


def _set_up_page(worksheet: Worksheet, page: Page) -> None:
    setup = worksheet.page_setup
    setup.paperSize = _A4
    setup.orientation = "portrait" if page.portrait else "landscape"
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    setup.fitToWidth = 1
    setup.fitToHeight = page.pages_down
    if page.areas:
        worksheet.print_area = list(page.areas)
    if page.title_row is not None:
        worksheet.print_title_rows = f"{page.title_row}:{page.title_row}"
    margins = worksheet.page_margins
    margins.left = margins.right = margins.top = MARGIN
    margins.bottom = FOOT_MARGIN
    margins.header = margins.footer = FOOTER_MARGIN
    worksheet.HeaderFooter.scaleWithDoc = False
    footer = worksheet.oddFooter
    for part, text in zip((footer.left, footer.center, footer.right), page.footer, strict=True):
        part.size = FOOTER_SIZE
        part.text = text


def sheet_frame(xml: bytes, dimension: str, extras: SheetExtras) -> tuple[bytes, bytes]:
    """Put the extra pieces into the worksheet part that openpyxl wrote; return what comes before and after the cells.

    The order of the pieces is the schema's: cells, filter, conditional formats, drop-downs, links, print set-up,
    ignored warnings, drawings, extensions.
    """
    head, _, rest = xml.partition(b"<sheetData")
    rest = rest[2:] if rest.startswith(b"/>") else rest.partition(b"</sheetData>")[2]
    head = re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="%b"' % dimension.encode(), head)
    before, margins, after = rest.partition(b"<pageMargins")
    at = re.search(rb"<drawing\b|<legacyDrawing\b|</worksheet>", after)
    assert at is not None
    return head, b"".join(
        (
            before,
            extras.after_formats.encode(),
            margins,
            after[: at.start()],
            extras.ignored_errors.encode(),
            after[at.start() :].replace(b"</worksheet>", extras.extensions.encode() + b"</worksheet>"),
        )
    )
