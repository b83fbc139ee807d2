"""Everything about a result sheet except its cells: panes, widths, filter, comments, print set-up, charts."""

from __future__ import annotations

import re

from openpyxl import Workbook
from openpyxl.chart import ScatterChart
from openpyxl.comments import Comment
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.highlights import SheetExtras, add_alerts
from panelcal.files.layout import column_widths, heading_addresses, main_table, whole_block
from panelcal.files.styles import TAB_COLOUR
from panelcal.files.text_size import wrapped_lines
from panelcal.reading.grid import address, block_address, column_letters
from panelcal.reporting.model import Report, Sheet, Table

_A4 = 9
_PAGE_CHARACTERS = {False: 128.0, True: 86.0}  # that fit between the margins, with room to spare
_COMMENT_WIDTH = 260  # pixels
_COMMENT_CHARACTERS = 40.0
# A column's stated width counts characters; the file's width also counts the margins inside the cell.
_CELL_MARGIN = 5.0 / 7.0


def add_sheet(workbook: Workbook, report: Report, sheet: Sheet) -> Worksheet:
    """Add a worksheet for `sheet` with everything but its cells."""
    worksheet = workbook.create_sheet(sheet.name)
    worksheet.sheet_properties.tabColor = TAB_COLOUR
    worksheet.sheet_view.showGridLines = False
    worksheet.sheet_view.tabSelected = sheet is report.sheets[0]
    if sheet.frozen is not None:
        worksheet.freeze_panes = address(*sheet.frozen)
    for number, width in sorted(column_widths(sheet).items()):
        worksheet.column_dimensions[column_letters(number)].width = width + _CELL_MARGIN
    main = main_table(sheet)
    if main is not None:
        worksheet.auto_filter.ref = whole_block(main).absolute.replace("$", "")
        worksheet.print_title_rows = f"{main.row}:{main.row}"
    for table in sheet.tables:
        _add_comments(worksheet, table)
    add_alerts(worksheet, sheet)
    for chart in sheet.charts:
        frame = ScatterChart()  # only its frame is used; charts.py writes the chart itself
        frame.width, frame.height = chart.width_cm, chart.height_cm
        worksheet.add_chart(frame, address(chart.row, chart.column))
    _set_up_page(worksheet, report, sheet)
    return worksheet


def _add_comments(worksheet: Worksheet, table: Table) -> None:
    for cell, column in zip(heading_addresses(table), table.columns, strict=True):
        if column.explanation:
            height = 24 + 20 * wrapped_lines(column.explanation, _COMMENT_CHARACTERS)
            worksheet[cell].comment = Comment(column.explanation, "panelcal", height=height, width=_COMMENT_WIDTH)


def _set_up_page(worksheet: Worksheet, report: Report, sheet: Sheet) -> None:
    setup = worksheet.page_setup
    setup.paperSize = _A4
    setup.orientation = "portrait" if sheet.portrait else "landscape"
    if sheet.page_break is None:
        worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        setup.fitToWidth = 1
        setup.fitToHeight = 1 if sheet.one_page else 0
    else:
        # A spreadsheet ignores page breaks when it fits to pages, so the scale is worked out here. The second page
        # across begins at the headings: beside the repeated column A, the title would be cut off.
        setup.scale = _scale_for_two_pages(sheet, sheet.page_break)
        table = sheet.tables[0]
        last_column = table.column + len(table.columns) - 1
        worksheet.print_area = [
            block_address(1, 1, table.last_row, sheet.page_break - 1),
            block_address(table.row, sheet.page_break, table.last_row, last_column),
        ]
        worksheet.print_title_cols = "A:A"
    margins = worksheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom = 0.5, 0.75
    margins.header = margins.footer = 0.3
    worksheet.HeaderFooter.scaleWithDoc = False
    footer = worksheet.oddFooter
    for part in (footer.left, footer.center, footer.right):
        part.size = 9
    footer.left.text = _footer_text(report.footer)
    footer.center.text = "&A, page &P of &N"
    footer.right.text = _footer_text(report.run_id)


def _scale_for_two_pages(sheet: Sheet, page_break: int) -> int:
    """Per cent at which the columns before the break fit on one page and column A with the others on the next."""
    widths = column_widths(sheet)
    first = sum(width for number, width in widths.items() if number < page_break)
    second = widths[1] + sum(width for number, width in widths.items() if number >= page_break)
    page = _PAGE_CHARACTERS[sheet.portrait]
    return max(10, min(100, int(100 * page / max(first, second))))


def _footer_text(text: str) -> str:
    return text.replace("&", "&&")


def complete_sheet(xml: bytes, cells: bytes, dimension: str, extras: SheetExtras) -> bytes:
    """Put the cells and the extra pieces into the worksheet part that openpyxl wrote.

    The order of the pieces is the schema's: cells, filter, conditional formats, links, print set-up, ignored warnings,
    drawings, extensions.
    """
    head, _, rest = xml.partition(b"<sheetData")
    rest = rest[2:] if rest.startswith(b"/>") else rest.partition(b"</sheetData>")[2]
    head = re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="%b"' % dimension.encode(), head)
    before, margins, after = rest.partition(b"<pageMargins")
    at = re.search(rb"<drawing\b|<legacyDrawing\b|</worksheet>", after)
    assert at is not None
    return b"".join(
        (
            head,
            cells,
            before,
            extras.after_formats.encode(),
            margins,
            after[: at.start()],
            extras.ignored_errors.encode(),
            after[at.start() :].replace(b"</worksheet>", extras.extensions.encode() + b"</worksheet>"),
        )
    )
