"""The one way to build workbook templates from their data: "Start here", sheets to fill in, "Settings".

The sheet "Settings" is the one that `reporting.settings_form` describes, with checks of what is typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.template_data import (
    CODES_NAME,
    FIRST_ROW,
    HEADING_ROW,
    HIGHEST_NAME,
    LOWEST_NAME,
    Check,
    InputSheet,
    Template,
)
from panelcal.reading.grid import address, column_letters
from panelcal.reading.setting_rows import SETTING_ROWS, SettingRow
from panelcal.reading.settings import CODE_TREATMENTS
from panelcal.reporting.looks import ALERT_FILL, HEADING_FILL, INK, INPUT_FILL, LINE, PALE_INK, TITLE_SIZE, BaseFont
from panelcal.reporting.model import Table
from panelcal.reporting.settings_form import settings_form
from panelcal.reporting.text_size import wrapped_lines

START_SHEET = "Start here"
CREATED = datetime(2026, 1, 5, 9, 0, 0)
"""Date in the properties of every template: fixed, so that the same version builds the same bytes."""

_NAMED_CELLS = {"scale_low": LOWEST_NAME, "scale_high": HIGHEST_NAME}
_TITLE_INK, _COMPUTED_FILL, _NOTICE_FILL = "1F3A56", "F1F3F5", ALERT_FILL
_THIN = Side(style="thin", color=LINE)
_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)
_POINTS_PER_LINE, _INDENT = 15.0, 2.0
_START_WIDTHS = (5.0, 24.0, 104.0)
_BAND_ROWS, _SPARE_CODES, _FEATURE_ROWS, _WORD_ROWS = 8, 6, 6, 11


@dataclass(slots=True)
class TemplateBook:
    """A template being built: the workbook, and the values its formulas have, by sheet and cell."""

    workbook: Workbook
    formula_values: dict[tuple[str, str], float] = field(default_factory=dict)


def build_book(template: Template) -> TemplateBook:
    """Build a template."""
    book = _new_book(template.title, template.description)
    add_start_sheet(book, *template.start, template.lines, template.notice, template.footer)
    for sheet in template.sheets:
        _add_input_sheet(book, sheet, template.footer)
    _add_settings_sheet(book, template)
    return book


def _new_book(title: str, description: str) -> TemplateBook:
    """Start a workbook with the styles, the properties and no sheet."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    properties = workbook.properties
    properties.title, properties.description, properties.creator = title, description, "panelcal"
    properties.created = properties.modified = CREATED
    # Every formula has its value stored, so nothing need be calculated when the file is opened.
    workbook.calculation.fullCalcOnLoad = None
    workbook.calculation.calcId = 191029
    for style in _named_styles():
        workbook.add_named_style(style)
    return TemplateBook(workbook)


def _fill(color: str) -> PatternFill:
    return PatternFill("solid", fgColor=color)


def _named_styles() -> tuple[NamedStyle, ...]:
    wrapped = Alignment(horizontal="left", vertical="top", wrap_text=True, indent=1)
    centred = Alignment(horizontal="center", vertical="center")
    typed = Alignment(horizontal="center", vertical="center", shrink_to_fit=True)  # a long name is not cut off

    base = BaseFont()

    def font(**rest: Any) -> Font:
        chosen = {"name": base.name, "size": base.size, "family": base.family, "scheme": base.scheme, "color": INK}
        return Font(**chosen | rest)

    def style(name: str, **rest: Any) -> NamedStyle:
        return NamedStyle(name=name, **{"font": font()} | rest)

    heading = {"font": font(bold=True, color=_TITLE_INK), "fill": _fill(HEADING_FILL), "border": _BOX}
    level, upright = Alignment("left", "center", indent=1), Alignment("center", "bottom", text_rotation=90)
    shaded = {"fill": _fill(INPUT_FILL), "border": _BOX}
    plain = {"font": font(color=PALE_INK), "fill": _fill(_COMPUTED_FILL), "border": _BOX}
    return (
        style("Panel title", font=font(size=TITLE_SIZE, bold=True, color=_TITLE_INK)),
        style("Panel explanation", font=font(color=PALE_INK)),
        style("Panel notice", font=font(bold=True), fill=_fill(_NOTICE_FILL), alignment=wrapped),
        style("Panel text", alignment=wrapped),
        style("Panel number", font=font(bold=True, color=_TITLE_INK), alignment=Alignment("left", "top")),
        style("Panel topic", font=font(bold=True, color=_TITLE_INK), alignment=wrapped),
        style("Panel heading", alignment=level, **heading),
        style("Panel centred heading", alignment=centred, **heading),
        style("Panel rotated heading", alignment=upright, **heading),
        style("Panel input", alignment=typed, **shaded),
        style("Panel input label", alignment=level, **shaded),
        style("Panel computed", alignment=centred, number_format="0.0", **plain),
    )


def put(sheet: Worksheet, cell: str, value: Any, style: str) -> None:
    """Write one cell in one of the named styles."""
    target = sheet[cell]
    target.value = value
    target.style = style


def entitle(sheet: Worksheet, title: str, explanation: str) -> None:
    """Write the title in A1 and the line of explanation in A2."""
    put(sheet, "A1", title, "Panel title")
    put(sheet, "A2", explanation, "Panel explanation")
    sheet.row_dimensions[1].height = 24


def _add_check(sheet: Worksheet, check: Check) -> None:
    """Warn, without blocking, where the formula does not hold, or refuse what is not among the choices."""
    if check.choices:
        sheet.add_data_validation(_list_validation(check.choices, check.block, check.title))
        return
    validation = DataValidation(type="custom", formula1=check.formula, allow_blank=True, errorStyle="warning")
    validation.errorTitle, validation.error, validation.showErrorMessage = check.title, check.message, True
    validation.add(check.block)
    sheet.add_data_validation(validation)


def set_up_printing(
    sheet: Worksheet,
    footer: str,
    *,
    pages_wide: int = 1,
    one_page: bool = False,
    portrait: bool = False,
    rows: str = "",
) -> None:
    """Print on A4, so many pages wide, with repeated headings and a numbered footer."""
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.orientation = sheet.ORIENTATION_PORTRAIT if portrait else sheet.ORIENTATION_LANDSCAPE
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToWidth = pages_wide
    sheet.page_setup.fitToHeight = 1 if one_page else 0
    margins = sheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom, margins.header, margins.footer = 0.6, 0.75, 0.3, 0.3
    if rows:
        sheet.print_title_rows = rows
    sheet.oddFooter.left.text, sheet.oddFooter.right.text = footer, "&A, page &P of &N"


def add_start_sheet(
    book: TemplateBook, title: str, explanation: str, lines: Sequence[tuple[str, str]], notice: str, footer: str
) -> None:
    """Add "Start here": numbered lines of (topic, text), below a notice where there is one."""
    sheet = book.workbook.create_sheet(START_SHEET)
    entitle(sheet, title, explanation)
    for column, width in zip("ABC", _START_WIDTHS, strict=True):
        sheet.column_dimensions[column].width = width
    sheet.sheet_view.showGridLines = False
    row = 4
    if notice:
        for column in "ABC":
            put(sheet, f"{column}{row}", None, "Panel notice")
        put(sheet, f"B{row}", "Made-up data", "Panel notice")
        put(sheet, f"C{row}", notice, "Panel notice")
        sheet.row_dimensions[row].height = _height(notice, _START_WIDTHS[2], bold=True)
        row += 2
    for number, (topic, text) in enumerate(lines, start=1):
        put(sheet, f"A{row}", number, "Panel number")
        put(sheet, f"B{row}", topic, "Panel topic")
        put(sheet, f"C{row}", text, "Panel text")
        sheet.row_dimensions[row].height = _height(text, _START_WIDTHS[2]) + 5.0
        row += 1
    set_up_printing(sheet, footer)


def _height(text: str, width: float, *, bold: bool = False) -> float:
    """Row height for a wrapped text; set, because programs do not agree on when to fit a row by themselves."""
    return _POINTS_PER_LINE * wrapped_lines(text, width - _INDENT, bold=bold) + 1.0


def _add_input_sheet(book: TemplateBook, plan: InputSheet, footer: str) -> None:
    """Add a sheet to fill in: headings, shaded and checked cells, widths and print set-up."""
    sheet = book.workbook.create_sheet(plan.name)
    entitle(sheet, plan.title, plan.explanation)
    sheet.row_dimensions[HEADING_ROW].height = plan.turned or 20.0
    over_scores = "Panel rotated heading" if plan.turned else "Panel centred heading"
    for k, heading in enumerate(plan.headings):
        column, named = column_letters(k + 1), k < plan.labels
        sheet.column_dimensions[column].width = plan.widths[min(k, len(plan.widths) - 1)]
        if plan.above:
            put(sheet, f"{column}{HEADING_ROW - 1}", plan.above[k], "Panel heading" if named else "Panel input")
        put(sheet, f"{column}{HEADING_ROW}", heading, "Panel heading" if named else over_scores)
        style = "Panel input label" if named else "Panel input"
        for row in range(plan.rows):
            filled = plan.filled[row] if row < len(plan.filled) else ()
            put(sheet, f"{column}{FIRST_ROW + row}", filled[k] if k < len(filled) else None, style)
    for check in plan.checks:
        _add_check(sheet, check)
    sheet.freeze_panes = plan.frozen
    set_up_printing(sheet, footer, portrait=True, rows=f"{HEADING_ROW}:{HEADING_ROW}")


def _add_settings_sheet(book: TemplateBook, template: Template) -> None:
    """Add "Settings", each value checked as it is typed; tables of features and rules only where there are some."""
    settings = template.settings
    room = {"bands": _BAND_ROWS - len(settings.bands), "codes": _SPARE_CODES}
    if settings.feature_weights:
        room |= {"features": _FEATURE_ROWS - len(settings.feature_weights), "rating words": _WORD_ROWS}
    if settings.criteria:
        room["criteria"] = _FEATURE_ROWS
    if settings.grades:
        room["grades"] = _FEATURE_ROWS
    if template.policy:
        room["policy"] = 0
    form = settings_form(settings, room=room, gap=2, policy=template.policy)
    sheet = book.workbook.create_sheet(form.name)
    entitle(sheet, form.title, form.explanation)
    rows, *pairs = form.tables
    for letters, column in zip("ABC", rows.columns, strict=True):
        sheet.column_dimensions[letters].width = column.width
    _put_table(sheet, rows, ("Panel topic", "Panel input", "Panel text"))
    explained = rows.columns[2]
    for row, (setting, text) in enumerate(zip(SETTING_ROWS, explained.cells, strict=True), start=rows.row + 1):
        sheet.row_dimensions[row].height = _height(str(text), explained.width)
        sheet.add_data_validation(_setting_validation(setting, f"B{row}"))
        if setting.field_name in _NAMED_CELLS:
            _define(book, _NAMED_CELLS[setting.field_name], f"{form.name}!$B${row}")
    for table, note in zip(pairs, form.notes, strict=True):
        _put_table(sheet, table, ("Panel input label", "Panel input"))
        put(sheet, f"C{table.row}", note.text, "Panel text")
        sheet.row_dimensions[table.row].height = _height(note.text, explained.width)
        first, block = table.row + 1, f"B{table.row + 1}:B{table.last_row}"
        amount = f"AND(ISNUMBER(B{first}),B{first}>=0)"
        if table.name == "bands":
            number = f"ISNUMBER(B{first})"
            _add_check(sheet, Check(block, "Where the class begins", "Give a number, as in 70.", number))
        elif table.name == "codes":
            _add_check(sheet, Check(block, "What a code means", choices=CODE_TREATMENTS))
            _define(book, CODES_NAME, f"{form.name}!$A${first}:$A${table.last_row}")
        elif table.name in ("features", "rating words", "criteria", "grades"):
            _add_check(sheet, Check(block, table.columns[1].heading, "Give a number, 0 or more.", amount))
    sheet.freeze_panes = f"A{rows.row + 1}"
    set_up_printing(sheet, footer=template.footer, rows=f"{rows.row}:{rows.row}")


def _put_table(sheet: Worksheet, table: Table, styles: Sequence[str]) -> None:
    for k, (column, style) in enumerate(zip(table.columns, styles, strict=True), start=1):
        put(sheet, address(table.row, k), column.heading, "Panel centred heading" if k == 2 else "Panel heading")
        for row, value in enumerate(column.cells, start=table.row + 1):
            put(sheet, address(row, k), value, style)


def _define(book: TemplateBook, name: str, target: str) -> None:
    sheet, cells = target.split("!")
    book.workbook.defined_names[name] = DefinedName(name, attr_text=f"{sheet}!{cells}")


_TEXT_RULES = {
    "text": (30, "One short word, at most 30 letters."),
    "methods": (255, "Names of methods with commas between, or all."),
    "heading": (255, "A heading as it stands on the sheet with the scores."),
    "patterns": (255, "Headings with semicolons between; * stands for any letters."),
}


def _setting_validation(setting: SettingRow, cell: str) -> DataValidation:
    if setting.kind == "choice":
        return _list_validation(tuple(setting.choices), cell, setting.label)
    if setting.kind in _TEXT_RULES:
        most, message = _TEXT_RULES[setting.kind]
        return _stopping(
            DataValidation(type="textLength", operator="lessThanOrEqual", formula1=str(most)),
            cell,
            setting.label,
            message,
        )
    low, high = setting.lowest, setting.highest
    if low is None and high is None:
        low, high, message = -1e9, 1e9, "Give a number, or leave the cell blank."
    elif high is None:
        message = f"Give a number of {low:g} or more, or leave the cell blank."
        high = 1e9
    else:
        low = -1e9 if low is None else low
        message = f"Give a number from {low:g} to {high:g}, or leave the cell blank."
    return _stopping(
        DataValidation(type="decimal", operator="between", formula1=f"{low:.12g}", formula2=f"{high:.12g}"),
        cell,
        setting.label,
        message,
    )


def _list_validation(choices: Sequence[str], block: str, title: str) -> DataValidation:
    listed = f'"{",".join(choices)}"'
    return _stopping(DataValidation(type="list", formula1=listed), block, title, "Choose one from the list.")


def _stopping(validation: DataValidation, block: str, title: str, message: str) -> DataValidation:
    # Excel takes at most 32 characters of title.
    validation.allow_blank, validation.showErrorMessage = True, True
    validation.errorTitle, validation.error = title[:32], message
    validation.add(block)
    return validation
