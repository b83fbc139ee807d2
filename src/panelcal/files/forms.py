"""How sheets to fill in are written: their looks, and what their frames have that those of results have not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.reading.grid import block_address, column_letters
from panelcal.reporting.forms import EntryCheck, Form
from panelcal.reporting.looks import (
    ALERT_FILL,
    HEADING_FILL,
    INK,
    INPUT_FILL,
    LINE,
    PALE_INK,
    TITLE_INK,
    TITLE_SIZE,
    BaseFont,
    CellLook,
)
from panelcal.reporting.model import Sheet

_COMPUTED_FILL = "F1F3F5"
_LONGEST_TITLE = 32


def form_styles(base: BaseFont) -> dict[CellLook, NamedStyle]:
    """Return the look of every kind of cell of a form."""
    thin = Side(style="thin", color=LINE)
    box = Border(left=thin, right=thin, top=thin, bottom=thin)
    wrapped = Alignment(horizontal="left", vertical="top", wrap_text=True, indent=1)
    level, centred = Alignment("left", "center", indent=1), Alignment("center", "center")
    beside = Alignment("left", "center", wrap_text=True, indent=1)

    upright = Alignment("center", "bottom", text_rotation=90)
    over_lines = Alignment("center", "center", wrap_text=True)

    def font(colour: str = INK, **rest: Any) -> Font:
        chosen = {"name": base.name, "sz": base.size, "family": base.family, "scheme": base.scheme, "color": colour}
        return Font(**chosen | rest)

    def style(name: str, **rest: Any) -> NamedStyle:
        return NamedStyle(name=f"Panel {name}", **{"font": font()} | rest)

    strong = font(TITLE_INK, b=True)
    heading = {"font": strong, "fill": PatternFill("solid", fgColor=HEADING_FILL), "border": box}
    shaded = {"fill": PatternFill("solid", fgColor=INPUT_FILL), "border": box}
    plain = {"font": font(PALE_INK), "fill": PatternFill("solid", fgColor=_COMPUTED_FILL), "border": box}
    return {
        "title": style("title", font=font(TITLE_INK, sz=TITLE_SIZE, b=True)),
        "explanation": style("explanation", font=font(PALE_INK)),
        "note small": style("explanation", font=font(PALE_INK)),
        "notice": style("notice", font=font(b=True), fill=PatternFill("solid", fgColor=ALERT_FILL), alignment=wrapped),
        "wrapped": style("text", alignment=wrapped),
        "note plain": style("text", alignment=wrapped),
        "counted": style("number", font=strong, alignment=Alignment("left", "top")),
        "text": style("topic", font=strong, alignment=wrapped),
        "row text": style("row text", alignment=beside),
        "row label": style("row label", font=strong, alignment=beside),
        "label": style("heading", alignment=level, **heading),
        "heading": style("heading", alignment=level, **heading),
        "heading number": style("centred heading", alignment=centred, **heading),
        "heading upright": style("rotated heading", alignment=upright, **heading),
        "heading to write": style("heading to write", alignment=upright, **heading | {"fill": shaded["fill"]}),
        "heading wrapped": style("wrapped heading", alignment=over_lines, **heading),
        # a long name is not cut off
        "input": style("input", alignment=Alignment("center", "center", shrink_to_fit=True), **shaded),
        "input label": style("input label", alignment=level, **shaded),
        "score": style("computed", alignment=centred, number_format="0.0", **plain),
        "signed": style("computed change", alignment=centred, number_format="+0.0;-0.0;0.0", **plain),
        "fine": style("computed figure", alignment=centred, number_format="0.0000", **plain),
        "integer": style("computed count", alignment=centred, number_format="0", **plain),
        "given": style("computed name", alignment=centred, **plain),
        "computed text": style("computed text", alignment=level, **plain),
    }


def dress_form(worksheet: Worksheet, sheet: Sheet, form: Form, footer: str) -> None:
    """Give a worksheet everything of a form but its cells."""
    if not form.grid:
        worksheet.sheet_view.showGridLines = False
    for number, width in sheet.column_widths:
        worksheet.column_dimensions[column_letters(number)].width = width
    for number in form.hidden:
        worksheet.column_dimensions[column_letters(number)].hidden = True
    for check in form.checks:
        worksheet.add_data_validation(_validation(check))
    setup, margins = worksheet.page_setup, worksheet.page_margins
    setup.paperSize = worksheet.PAPERSIZE_A4
    setup.orientation = "portrait" if sheet.portrait else "landscape"
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    setup.fitToWidth, setup.fitToHeight = form.pages_across, form.pages_down
    margins.left = margins.right = 0.5
    margins.top, margins.bottom, margins.header, margins.footer = 0.6, 0.75, 0.3, 0.3
    worksheet.print_title_rows, worksheet.print_title_cols = form.title_rows or None, form.title_columns or None
    if sheet.printed:
        worksheet.print_area = [
            block_address(block.first_row, block.first_column, block.last_row, block.last_column)
            for block in sheet.printed
        ]
    left, right = form.header
    worksheet.oddHeader.left.text, worksheet.oddHeader.right.text = left or None, right or None
    worksheet.oddFooter.left.text, worksheet.oddFooter.right.text = footer, "&A, page &P of &N"


def _validation(check: EntryCheck) -> DataValidation:
    kind: Mapping[str, Any]
    if check.formula:
        kind = {"type": "custom", "formula1": check.formula, "errorStyle": "warning"}
    elif check.choices:
        kind = {"type": "list", "formula1": f'"{",".join(check.choices)}"'}
    elif check.between is not None:
        low, high = check.between
        kind = {"type": "decimal", "operator": "between", "formula1": f"{low:.12g}", "formula2": f"{high:.12g}"}
    else:
        kind = {"type": "textLength", "operator": "lessThanOrEqual", "formula1": str(check.longest)}
    return DataValidation(
        sqref=check.block,
        allow_blank=True,
        showErrorMessage=True,
        errorTitle=check.title[:_LONGEST_TITLE],
        error=check.message,
        **kind,
    )
