"""The exam board's workbooks with a sheet "Live results": Excel's own formulas calibrate as marks are typed.

Mark sheet and Settings are the exam board's. The formulas' values are stored as well, so that a previewer, Protected
View or a program without LAMBDA shows them. The formulas are names of the workbook.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from panelcal.reading.grid import column_letters
from panelcal.reporting.forms import Name
from panelcal.reporting.model import Report
from panelcal.templates.exam_board import (
    CREDITS_ROW,
    EMPTY_MODULES,
    EMPTY_STUDENTS,
    FIRST_COLUMN,
    MARKS_SHEET,
    board_report,
    empty_board,
    filled_board,
)
from panelcal.templates.live_results import LIVE_SHEET, LiveBoard, empty_live_board, live_results_sheet
from panelcal.templates.made_up import MadeUpBoard, exam_board_marks
from panelcal.templates.template import FIRST_ROW, HEADING_ROW, Line, Template


def empty_live_template(formulas: Sequence[Name]) -> Report:
    """Lay out `live_board.xlsx`."""
    template = dataclasses.replace(
        _live(empty_board(), "Exam board with live results", "live_board"),
        title="Exam board with live results: mark sheet to fill in",
        description="Students down, modules across, credits above; calibrated by formulas in the workbook.",
    )
    return _live_report(template, formulas, empty_live_board(EMPTY_STUDENTS, EMPTY_MODULES))


def filled_live_template(formulas: Sequence[Name]) -> Report:
    """Lay out `live_board_example.xlsx`: the board of `exam_board_example.xlsx` with every mark typed as a number."""
    made_up = exam_board_marks()
    codes = {cell: text for cell, text in made_up.cell_texts.items() if np.isnan(made_up.marks[cell])}
    made_up = dataclasses.replace(made_up, cell_texts=codes)  # a mark stored as text would stop the formulas
    template = _live(filled_board(made_up), "Exam board with live results: a filled example", "live_board_example")
    title = "Exam board with live results: filled example (made-up data)"
    live = LiveBoard(
        candidates=tuple(int(number) for number in made_up.students),
        modules=made_up.modules,
        marks=made_up.marks,
        credits=made_up.credits,
        codes=len(codes),
    )
    return _live_report(dataclasses.replace(template, title=title), formulas, live, made_up)


def _live(board: Template, heading: str, name: str) -> Template:
    """Give an exam board a "Start here" of its own."""
    explanation = f"Start here. Marks go into the sheet {MARKS_SHEET}; the sheet {LIVE_SHEET} follows as you type."
    return dataclasses.replace(board, start=(heading, explanation), lines=_start_lines(name))


def _live_report(
    template: Template, formulas: Sequence[Name], live: LiveBoard, made_up: MadeUpBoard | None = None
) -> Report:
    """Lay the board out with the sheet behind the marks, and the names through which its formulas read them."""
    n_students, n_modules = live.marks.shape
    last_row, last_column = FIRST_ROW + n_students - 1, column_letters(FIRST_COLUMN + n_modules - 1)
    cells = {
        "board_marks": f"$B${FIRST_ROW}:${last_column}${last_row}",
        "board_credits": f"$B${CREDITS_ROW}:${last_column}${CREDITS_ROW}",
        "board_candidates": f"$A${FIRST_ROW}:$A${last_row}",
        "board_modules": f"$B${HEADING_ROW}:${last_column}${HEADING_ROW}",
    }
    report = board_report(template, made_up)
    names = [Name(name, f"{MARKS_SHEET}!{block}") for name, block in cells.items()]
    start, marks, settings = report.sheets
    return dataclasses.replace(
        report, sheets=(start, marks, live_results_sheet(live), settings), names=(*report.names, *formulas, *names)
    )


def _start_lines(name: str) -> tuple[Line, ...]:
    """Spell the ten lines of "Start here"."""
    return (
        (
            "What it is for",
            "Students take different modules, and some modules are marked more generously than others. Calibration "
            "estimates by how much, and what each student's average would be had all modules been marked alike.",
        ),
        (
            "What it needs",
            "Excel 365 (Windows, Mac or in the browser) or Excel 2024. Nothing is installed and there are no macros. "
            "Older versions of Excel and LibreOffice do not know these formulas: use the template exam_board and "
            "panelcal calibrate there.",
        ),
        (
            "Students and modules",
            f"On the sheet {MARKS_SHEET}, candidate numbers go down column A from A{FIRST_ROW}, module codes across "
            f"row {HEADING_ROW}, and the credits of each module above its code, in row {CREDITS_ROW}. A mark counts in "
            f"proportion to its credits; leave the whole of row {CREDITS_ROW} blank to count all marks alike.",
        ),
        (
            "Marks",
            "One number in a cell. Blank means not taken; 0 means a mark of zero. A mark stored as text, or an error "
            f"value, stops the calculation, and {LIVE_SHEET} names the cell.",
        ),
        (
            "Codes",
            f"Any text without a digit in it (ABS, EXT, MC, n/a, -) counts as not taken; {LIVE_SHEET} says how many "
            "there are. If an absence counts as zero in your rules, type 0. The formulas do not read the sheet "
            "Settings; panelcal calibrate does.",
        ),
        (
            LIVE_SHEET,
            "Each candidate's raw average, calibrated value, standard error and 95% interval, each module's bias, and "
            "how good the fit is. All of it changes as you type; leave the cells of that sheet as they are.",
        ),
        (
            "The formulas",
            "CALIBRATE.VALUES, .BIASES, .ERRORS, .FIT and .CONFIDENCE are names in this workbook (Formulas > Name "
            "Manager) and can be used in any of its cells, for example =CALIBRATE.VALUES(Marks!B5:F40).",
        ),
        (
            "More rows or columns",
            f"The empty template has room for {EMPTY_STUDENTS} students and {EMPTY_MODULES} modules. For more, insert "
            f"rows or columns in the middle of the sheet {MARKS_SHEET}: the formulas follow.",
        ),
        (
            "The full report",
            "For the Board's papers, with proof, influence and warnings: with panelcal installed, type in a terminal "
            f"panelcal calibrate {name}.xlsx --sheet {MARKS_SHEET}. The values are the same.",
        ),
        (
            "Who decides",
            "The Board. The results say what the marks would be on a common scale and how certain that is; nothing is "
            "promoted or moved automatically.",
        ),
    )
