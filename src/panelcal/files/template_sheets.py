"""What all workbook templates share: their look, the sheets "Start here" and "Settings", input checks and print set-up.

The rows of "Settings" come from `panelcal.reading.settings`, which also reads them back: there is one source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.reading.policy_rules import POLICY_EXPLANATION, POLICY_HEADINGS
from panelcal.reading.setting_rows import SETTING_ROWS, SettingRow
from panelcal.reading.settings import (
    BAND_EXPLANATION,
    BAND_HEADINGS,
    CODE_EXPLANATION,
    CODE_HEADINGS,
    CODE_TREATMENTS,
    DEFAULT_CODES,
    FEATURE_EXPLANATION,
    FEATURE_HEADINGS,
    SETTING_HEADING_ROW,
    SETTING_HEADINGS,
    SETTINGS_EXPLANATION,
    SETTINGS_SHEET,
    SETTINGS_TITLE,
    WORD_EXPLANATION,
    WORD_HEADINGS,
    Band,
)
from panelcal.reporting.looks import ALERT_FILL, HEADING_FILL, INK, INPUT_FILL, LINE, PALE_INK, TITLE_SIZE, BaseFont
from panelcal.reporting.text_size import wrapped_lines

START_SHEET = "Start here"
CREATED = datetime(2026, 1, 5, 9, 0, 0)
"""Date in the properties of every template: fixed, so that the same version builds the same bytes."""

LOWEST_NAME, HIGHEST_NAME, CODES_NAME = "lowest_score", "highest_score", "score_codes"
SPARE_BAND_ROWS, SPARE_CODE_ROWS = 8, 16
SPARE_FEATURE_ROWS, SPARE_WORD_ROWS = 6, 11

_TITLE_INK, _COMPUTED_FILL, _NOTICE_FILL = "1F3A56", "F1F3F5", ALERT_FILL
_THIN = Side(style="thin", color=LINE)
_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)
_POINTS_PER_LINE, _INDENT = 15.0, 2.0
_START_WIDTHS, _SETTING_WIDTHS = (5.0, 24.0, 104.0), (46.0, 20.0, 100.0)


@dataclass(slots=True)
class TemplateBook:
    """A template being built: the workbook, and the values its formulas have, by sheet and cell."""

    workbook: Workbook
    formula_values: dict[tuple[str, str], float] = field(default_factory=dict)


def new_book(title: str, description: str) -> TemplateBook:
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

    base = BaseFont()

    def font(**rest: Any) -> Font:
        chosen = {"name": base.name, "size": base.size, "family": base.family, "scheme": base.scheme, "color": INK}
        return Font(**chosen | rest)

    def style(name: str, **rest: Any) -> NamedStyle:
        return NamedStyle(name=name, **{"font": font()} | rest)

    heading = {"font": font(bold=True, color=_TITLE_INK), "fill": _fill(HEADING_FILL), "border": _BOX}
    return (
        style("Panel title", font=font(size=TITLE_SIZE, bold=True, color=_TITLE_INK)),
        style("Panel explanation", font=font(color=PALE_INK)),
        style("Panel notice", font=font(bold=True), fill=_fill(_NOTICE_FILL), alignment=wrapped),
        style("Panel text", alignment=wrapped),
        style(
            "Panel number",
            font=font(bold=True, color=_TITLE_INK),
            alignment=Alignment(horizontal="left", vertical="top"),
        ),
        style("Panel topic", font=font(bold=True, color=_TITLE_INK), alignment=wrapped),
        style(
            "Panel heading",
            alignment=Alignment(horizontal="left", vertical="center", indent=1),
            **heading,
        ),
        style("Panel centred heading", alignment=centred, **heading),
        style(
            "Panel rotated heading",
            alignment=Alignment(horizontal="center", vertical="bottom", text_rotation=90),
            **heading,
        ),
        style("Panel input", fill=_fill(INPUT_FILL), border=_BOX, alignment=centred),
        style(
            "Panel input label",
            fill=_fill(INPUT_FILL),
            border=_BOX,
            alignment=Alignment(horizontal="left", vertical="center", indent=1),
        ),
        style(
            "Panel computed",
            font=font(color=PALE_INK),
            fill=_fill(_COMPUTED_FILL),
            border=_BOX,
            alignment=centred,
            number_format="0.0",
        ),
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


def check_input(sheet: Worksheet, block: str, formula: str, title: str, message: str) -> None:
    """Warn, without blocking, when what is typed into the block does not satisfy the formula."""
    validation = DataValidation(
        type="custom", formula1=formula, allow_blank=True, errorStyle="warning", errorTitle=title, error=message
    )
    validation.showErrorMessage = True
    validation.add(block)
    sheet.add_data_validation(validation)


def score_is_known(cell: str) -> str:
    """Spell the condition that a cell holds a number on the declared scale or one of the codes on Settings."""
    in_range = f'AND(ISNUMBER({cell}),{cell}>={LOWEST_NAME},OR({HIGHEST_NAME}="",{cell}<={HIGHEST_NAME}))'
    return f"OR({in_range},COUNTIF({CODES_NAME},{cell})>0)"


def set_up_printing(
    sheet: Worksheet,
    footer: str,
    *,
    pages_wide: int = 1,
    one_page: bool = False,
    portrait: bool = False,
    rows: str = "",
    columns: str = "",
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
    if columns:
        sheet.print_title_cols = columns
    sheet.oddFooter.left.text, sheet.oddFooter.right.text = footer, "&A, page &P of &N"


def run_lines(name: str, input_sheet: str, deciders: str, noun: str, assessor: str) -> tuple[tuple[str, str], ...]:
    """Spell the lines of "Start here" that say how to check and calibrate a workbook, and what comes out."""
    return (
        (
            "Check it",
            "Save and close the workbook. In a terminal opened in its folder, type: "
            f"panelcal check {name}.xlsx. It says what would be read and names every cell that needs attention; "
            "nothing is written.",
        ),
        (
            "Calibrate it",
            f"There, type: panelcal calibrate {name}.xlsx. Or, with the Excel add-in, open the sheet {input_sheet} and "
            "click Calibrate on the ribbon tab Calibrate.",
        ),
        (
            "What comes out",
            f"A new workbook, {name}-calibrated.xlsx: your sheets, and behind them Cal summary (one page for the "
            f"{deciders}), Cal values (each {noun} before and after, and why), Cal assessors (each {assessor}'s bias), "
            "and the sheets that show how the result was reached and let you check it. This file is never changed.",
        ),
    )


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


def add_settings_sheet(
    book: TemplateBook,
    values: Mapping[str, Any],
    bands: Sequence[Band],
    footer: str,
    *,
    features: Sequence[tuple[str, float]] = (),
    policy: Sequence[tuple[str, Any]] = (),
) -> None:
    """Add "Settings" from `SETTING_ROWS`, with `values` (field name -> what column B shows) in place of defaults.

    Where ratings have `features` (heading, weight), the tables of features and of rating words come below the others;
    a `policy` (rule, limit) stands last.
    """
    sheet = book.workbook.create_sheet(SETTINGS_SHEET)
    entitle(sheet, SETTINGS_TITLE, SETTINGS_EXPLANATION)
    for column, width in zip("ABC", _SETTING_WIDTHS, strict=True):
        sheet.column_dimensions[column].width = width
    headings = ("Panel heading", "Panel centred heading", "Panel heading")
    _put_row(sheet, SETTING_HEADING_ROW, SETTING_HEADINGS, headings)
    row = SETTING_HEADING_ROW
    for row, setting in enumerate(SETTING_ROWS, start=SETTING_HEADING_ROW + 1):
        value = values.get(setting.field_name, setting.default)
        _put_row(sheet, row, (setting.label, value, setting.explanation), ("Panel topic", "Panel input", "Panel text"))
        sheet.row_dimensions[row].height = _height(setting.explanation, _SETTING_WIDTHS[2])
        sheet.add_data_validation(_setting_validation(setting, f"B{row}"))
        if setting.field_name in ("scale_low", "scale_high"):
            name = LOWEST_NAME if setting.field_name == "scale_low" else HIGHEST_NAME
            _define(book, name, f"{SETTINGS_SHEET}!$B${row}")

    heading = row + 2
    first, last = heading + 1, heading + max(SPARE_BAND_ROWS, len(bands))
    _put_table(sheet, heading, last, BAND_HEADINGS, BAND_EXPLANATION, tuple((band.name, band.lowest) for band in bands))
    check_input(sheet, f"B{first}:B{last}", f"ISNUMBER(B{first})", "Where the class begins", "Give a number, as in 70.")

    heading = last + 2
    first, last = heading + 1, heading + max(SPARE_CODE_ROWS, len(DEFAULT_CODES))
    _put_table(sheet, heading, last, CODE_HEADINGS, CODE_EXPLANATION, tuple(DEFAULT_CODES.items()))
    sheet.add_data_validation(_list_validation(CODE_TREATMENTS, f"B{first}:B{last}", "What a code means"))
    _define(book, CODES_NAME, f"{SETTINGS_SHEET}!$A${first}:$A${last}")
    if features:
        for pair, explanation, rows, spare in (
            (FEATURE_HEADINGS, FEATURE_EXPLANATION, tuple(features), SPARE_FEATURE_ROWS),
            (WORD_HEADINGS, WORD_EXPLANATION, (), SPARE_WORD_ROWS),
        ):
            heading = last + 2
            first, last = heading + 1, heading + spare
            _put_table(sheet, heading, last, pair, explanation, rows)
            amount = f"AND(ISNUMBER(B{first}),B{first}>=0)"
            check_input(sheet, f"B{first}:B{last}", amount, pair[1], "Give a number, 0 or more.")
    if policy:
        heading = last + 2
        _put_table(sheet, heading, heading + len(policy), POLICY_HEADINGS, POLICY_EXPLANATION, tuple(policy))
    sheet.freeze_panes = f"A{SETTING_HEADING_ROW + 1}"
    set_up_printing(sheet, footer, one_page=True)


def _put_row(sheet: Worksheet, row: int, values: Sequence[Any], styles: Sequence[str]) -> None:
    for column, value, style in zip("ABC", values, styles, strict=False):
        put(sheet, f"{column}{row}", value, style)


def _put_table(
    sheet: Worksheet, heading: int, last: int, headings: Sequence[str], explanation: str, rows: Sequence[Sequence[Any]]
) -> None:
    """Write a two-column table with its explanation beside the headings and shaded spare rows down to `last`."""
    _put_row(sheet, heading, (*headings, explanation), ("Panel heading", "Panel centred heading", "Panel text"))
    sheet.row_dimensions[heading].height = _height(explanation, _SETTING_WIDTHS[2])
    for row in range(heading + 1, last + 1):
        at = row - heading - 1
        values = rows[at] if at < len(rows) else (None, None)
        _put_row(sheet, row, values, ("Panel input label", "Panel input"))


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


def add_choice(sheet: Worksheet, choices: Sequence[str], block: str, title: str) -> None:
    """Give the block a drop-down list; anything else is refused there."""
    sheet.add_data_validation(_list_validation(choices, block, title))
