"""The sheet "Live results": a handful of formulas that spill beside a mark sheet, and what they come to.

The formulas read four names, so that they follow when rows or columns are inserted. The values stored beside them come
from `calibrate` and agree with what a spreadsheet program works out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.robustness import robustness
from panelcal.calibration.uncertainty import student_quantile, uncertainty
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.reading.grid import address, column_number
from panelcal.reporting.forms import Form
from panelcal.reporting.model import CellRange, CellValue, Column, Sheet, Style, Table
from panelcal.templates.as_report import TITLE_HEIGHT

LIVE_SHEET = "Live results"
STATUS_CELL, HEADING_ROW, FIRST_ROW = "A4", 6, 7
NO_SCORES = "Cannot calibrate: there are no scores yet."

_ARGUMENTS = "board_marks,board_credits"
# A program that cannot read from a file that an argument may be left out (formulon cannot) takes the second call, in
# which none is.
_RESULT = f'IFERROR(CALIBRATE.{{0}},CALIBRATE.SOLVE({_ARGUMENTS},"down","{{1}}"))'
_TAKEN = 'LET(taken,MMULT({0},SEQUENCE({1}(board_marks),1,1,0)),IF(taken=0,"",taken))'
FORMULAS: Mapping[str, str] = MappingProxyType(
    {
        "A4": 'IF(LEFT(D7,16)="Cannot calibrate",D7,"Calibrated. Marks: "&P7&"; candidates: "&P8&"; modules: "&P9&".")',
        "A7": 'IF(board_candidates="","",board_candidates)',
        "B7": _TAKEN.format("--ISNUMBER(board_marks)", "COLUMNS"),
        "C7": f"IFERROR(LET(conf,CALIBRATE.WEIGHTS({_ARGUMENTS},FALSE),ones,SEQUENCE(COLUMNS(conf),1,1,0),"
        "total,MMULT(conf,ones),IF(total>0,MMULT(IF(conf>0,board_marks,0)*conf,ones)/IF(total>0,total,1),"
        '"")),"")',
        "D7": _RESULT.format(f"VALUES({_ARGUMENTS})", "values"),
        "E7": 'IF(ISNUMBER(ANCHORARRAY(D7)),ANCHORARRAY(D7)-ANCHORARRAY(C7),"")',
        "F7": _RESULT.format(f"ERRORS({_ARGUMENTS})", "value errors"),
        "G7": 'IF(ISNUMBER(ANCHORARRAY(F7)),ANCHORARRAY(D7)-TINV(0.05,P12)*ANCHORARRAY(F7),"")',
        "H7": 'IF(ISNUMBER(ANCHORARRAY(F7)),ANCHORARRAY(D7)+TINV(0.05,P12)*ANCHORARRAY(F7),"")',
        "J7": 'TRANSPOSE(IF(board_modules="","",board_modules))',
        "K7": _TAKEN.format("TRANSPOSE(--ISNUMBER(board_marks))", "ROWS"),
        "L7": "TRANSPOSE(" + _RESULT.format(f"BIASES({_ARGUMENTS})", "biases") + ")",
        "M7": "TRANSPOSE(" + _RESULT.format(f'ERRORS({_ARGUMENTS},,"biases")', "bias errors") + ")",
        "O7": _RESULT.format(f"FIT({_ARGUMENTS})", "fit"),
    }
)
"""Cell -> formula as typed, without the equals sign; a spill ``D7#`` is written ``ANCHORARRAY(D7)``."""

_HEADINGS = {
    "A": ("Candidate", 13),
    "B": ("Marks counted", 11),
    "C": ("Raw average", 11),
    "D": ("Calibrated value", 12),
    "E": ("Change", 11),
    "F": ("Standard error", 11),
    "G": ("Lower (95%)", 11),
    "H": ("Upper (95%)", 11),
    "I": ("", 3),
    "J": ("Module", 11),
    "K": ("Marks counted", 11),
    "L": ("Bias", 11),
    "M": ("Standard error", 11),
    "N": ("", 3),
    "O": ("The fit", 47),
    "P": ("", 14),
}
_FIT_COUNTS = (0, 1, 2, 5, 9, 10, 11)
_FIT_ROWS = 12
_STYLES: Mapping[str, Style] = MappingProxyType(
    {"A": "given", "B": "integer", "E": "signed", "J": "given", "K": "integer", "L": "signed", "O": "computed text"}
)
"""Column -> how its cells look; those of the others are scores."""

# Digits stored after the point: the last ones of a sum differ between machines, and the templates must not.
_DIGITS = 10

Block = tuple[tuple[CellValue, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class LiveBoard:
    """What stands on the mark sheet.

    Attributes
    ----------
    candidates, modules
        As the sheet has them; empty texts where nothing is filled in yet.
    marks
        (n_candidates, n_modules), NaN = not assessed.
    credits
        (n_modules,) confidences.
    codes
        Number of cells that hold a code.
    """

    candidates: tuple[CellValue, ...]
    modules: tuple[CellValue, ...]
    marks: Array
    credits: Array
    codes: int


def empty_live_board(n_candidates: int, n_modules: int) -> LiveBoard:
    """Return a board of that size on which nothing is filled in."""
    marks = np.full((n_candidates, n_modules), np.nan)
    return LiveBoard(("",) * n_candidates, ("",) * n_modules, marks, np.ones(n_modules), 0)


def live_results_sheet(board: LiveBoard) -> Sheet:
    """Lay out the sheet: every formula with what it comes to now, and room for what it may spill into later."""
    values = _values(board) if np.isfinite(board.marks).any() else _values_of_nothing(board)
    status = Column("", [values[STATUS_CELL][0][0]], "counted", formulas=[FORMULAS[STATUS_CELL]], spills=STATUS_CELL)
    tables = [Table((status,), row=int(STATUS_CELL[1:]) - 1, headings="none")]
    for letters, count in (("ABCDEFGH", len(board.candidates)), ("JKLM", len(board.modules)), ("OP", _FIT_ROWS)):
        columns = tuple(_column_of(letter, values, count) for letter in letters)
        tables.append(Table(columns, row=HEADING_ROW, column=column_number(letters[0]), headings="wrapped"))
    return Sheet(
        LIVE_SHEET,
        "Live results",
        "Calibrated by formulas as marks are typed on the sheet Marks; nothing is typed here. Excel 365 or Excel 2024 "
        "only. Bias: positive = marked generously.",
        tables=tuple(tables),
        frozen=(FIRST_ROW, 1),
        column_widths=tuple((column_number(letter), float(width)) for letter, (_, width) in _HEADINGS.items()),
        kept=True,
        printed=(_block("A", 1, "M", tables[1:3]), _block("O", HEADING_ROW, "P", tables[3:])),
        form=Form(heights=(TITLE_HEIGHT, (HEADING_ROW, 33.0)), title_rows=f"{HEADING_ROW}:{HEADING_ROW}", grid=False),
    )


def _block(first: str, row: int, last: str, tables: Sequence[Table]) -> CellRange:
    """Cells from a column and row to the last column and row of tables, to be printed in large enough letters."""
    return CellRange(row, column_number(first), max(table.last_row for table in tables), column_number(last))


def _column_of(letter: str, values: Mapping[str, Block], count: int) -> Column:
    """Return a column of so many cells, the first of which holds its formula; the last one shares that of the fit."""
    (heading, width), shares = _HEADINGS[letter], letter == "P"
    at = f"{'O' if shares else letter}{FIRST_ROW}"
    block = values[at]
    held: list[CellValue] = [line[shares] if shares < len(line) else None for line in block]
    cells = held + [None] * (count - len(held))
    if shares:
        styles: list[Style] = ["integer" if k in _FIT_COUNTS else "fine" for k in range(count)]
        return Column(heading, cells, "fine", width, styles=styles)
    style = _STYLES.get(letter, "score")
    last = address(FIRST_ROW + len(block) - 1, column_number(letter) + len(block[0]) - 1)
    return Column(heading, cells, style, width, formulas=[FORMULAS[at]], spills=at if at == last else f"{at}:{last}")


def _values(board: LiveBoard) -> dict[str, Block]:
    """Work out what each formula comes to on a board with marks; idle candidates and modules get empty texts."""
    assessed = np.isfinite(board.marks)
    seated, held = assessed.sum(axis=1) > 0, assessed.sum(axis=0) > 0
    fit = calibrate(Panel.from_matrix(board.marks[np.ix_(seated, held)], board.credits[held]))
    errors = uncertainty(fit)
    half = student_quantile(fit.degrees_of_freedom, 0.95) * errors.value_errors
    weights = np.where(assessed, board.credits, 0.0)[seated]
    raw = (np.nan_to_num(board.marks[seated]) * weights).sum(axis=1) / weights.sum(axis=1)

    def candidates(numbers: Array) -> Block:
        return _column(numbers, seated)

    def modules(numbers: Array) -> Block:
        return _column(numbers, held)

    panel = fit.panel
    status = f"Calibrated. Marks: {panel.n_assessments}; candidates: {panel.n_objects}; modules: {panel.n_assessors}."
    return {
        "A4": ((status,),),
        "A7": tuple((name,) for name in board.candidates),
        "B7": candidates(assessed.sum(axis=1)[seated]),
        "C7": candidates(raw),
        "D7": candidates(fit.values),
        "E7": candidates(fit.values - raw),
        "F7": candidates(errors.value_errors),
        "G7": candidates(fit.values - half),
        "H7": candidates(fit.values + half),
        "J7": tuple((name,) for name in board.modules),
        "K7": modules(assessed.sum(axis=0)[held]),
        "L7": modules(fit.biases),
        "M7": modules(errors.bias_errors),
        "O7": _fit_block(fit, assessed, board.codes),
    }


def _values_of_nothing(board: LiveBoard) -> dict[str, Block]:
    """Say what each formula comes to before the first mark: the sentence, or nothing."""
    said: Block = ((NO_SCORES,),)
    nothing: Block = (("",),)
    idle_candidates: Block = (("",),) * len(board.candidates)
    idle_modules: Block = (("",),) * len(board.modules)
    return {
        "A4": said, "A7": idle_candidates, "B7": idle_candidates, "C7": nothing, "D7": said, "E7": nothing, "F7": said,
        "G7": nothing, "H7": nothing, "J7": idle_modules, "K7": idle_modules, "L7": said, "M7": said, "O7": said,
    }  # fmt: skip


def _fit_block(fit: Calibration, assessed: Mask, codes: int) -> Block:
    """Return the two columns of CALIBRATE.FIT."""
    panel = fit.panel
    return (
        ("Assessments used (N)", panel.n_assessments),
        ("Objects", panel.n_objects),
        ("Assessors", panel.n_assessors),
        ("Weighted mean score", _number(float(panel.confidences @ panel.scores / panel.confidences.sum()))),
        ("Weighted residual sum (R)", _number(fit.weighted_residual_sum)),
        ("Degrees of freedom (N - p)", fit.degrees_of_freedom),
        ("w = R/N (maximum likelihood)", _number(fit.w_ml)),
        ("w = R/(N - p) (unbiased)", _number(fit.w_unbiased)),
        ("mu_2 (1 = linked as well as can be, 0 = not at all)", _number(robustness(fit).mu2)),
        ("Objects with a single assessment", int((assessed.sum(axis=1) == 1).sum())),
        ("Assessors with a single object", int((assessed.sum(axis=0) == 1).sum())),
        ("Cells with a code (not assessed)", codes),
    )


def _column(numbers: Array, there: Mask) -> Block:
    """Spread the numbers down the cells that have one."""
    left = iter(numbers)
    return tuple((_number(float(next(left))) if used else "",) for used in there)


def _number(number: float) -> CellValue:
    rounded = round(number, _DIGITS)
    return int(rounded) if rounded == int(rounded) else rounded
