"""The exam board's workbooks: an empty mark sheet, and one filled with a made-up board of 82 students x 81 modules."""

from __future__ import annotations

import numpy as np
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.made_up import MadeUpBoard, exam_board_marks
from panelcal.files.template_sheets import (
    TemplateBook,
    add_settings_sheet,
    add_start_sheet,
    check_input,
    entitle,
    new_book,
    put,
    run_lines,
    score_is_known,
    set_up_printing,
)
from panelcal.reading.grid import address, column_letters
from panelcal.reading.policy_rules import POLICY_LABELS
from panelcal.reading.settings import Band

MARKS_SHEET = "Marks"
CREDITS_ROW, HEADING_ROW, FIRST_ROW, FIRST_COLUMN = 3, 4, 5, 2
EMPTY_STUDENTS, EMPTY_MODULES = 120, 90

BOARD_BANDS = (
    Band("First", 70.0),
    Band("Upper second", 60.0),
    Band("Lower second", 50.0),
    Band("Third", 40.0),
    Band("Fail", 0.0),
)
BOARD_SETTINGS = {
    "object_noun": "Student",
    "assessor_noun": "Module",
    "score_noun": "Mark",
    "scale_low": 0,
    "scale_high": 100,
}
BOARD_POLICY: tuple[tuple[str, str | float | None], ...] = tuple((label, None) for label in POLICY_LABELS[:-1])
EXAMPLE_POLICY: tuple[tuple[str, str | float | None], ...] = (
    ("Rank within a module kept", "yes"),
    ("Nobody newly fails", "yes"),
    ("Nobody moves to a lower class", None),
    ("No change above", 5),
    ("Only modules with at least", None),
    ("External examiner", "Prof. A. N. Other (made up)"),
)
HIDDEN_MODULE = "MA473"

_FOOTER = "Confidential: for the Board"
_EXAMPLE_FOOTER = "Example with made-up data"
_MADE_UP = "All data in this workbook are made up: no student, module or mark in it is real."
_CODE_MEANINGS = "ABS absent, EXT extension granted, MC mitigating circumstances, n/a mark not yet available"
_WHAT_IT_IS_FOR = (
    "What it is for",
    "Students take different modules, and some modules are marked more generously than others. Calibration estimates "
    "by how much, and what each student's average would be had all modules been marked alike. Each module gets one "
    "constant, so the order of the marks within a module never changes.",
)
_CODES = (
    "Codes",
    "ABS (absent), EXT (extension), MC (mitigating circumstances) and the other codes on the sheet Settings count as "
    "not taken. Many boards count an absence as zero: if yours does, change exclude to zero beside ABS there.",
)
_SETTINGS = (
    "Settings",
    "The sheet Settings holds the classes (First from 70, ...), the borderline zone, the codes and other choices, each "
    "with a line of explanation. It is filled in for a UK degree; change only what differs in your rules.",
)
_BOARD_DECIDES = (
    "Who decides",
    "The Board. Nothing is promoted or moved automatically: on Cal summary each case has a blank cell for what the "
    "Board decides. Filled in, printed and kept with the workbook, that page is the record.",
)


def empty_board() -> TemplateBook:
    """Build `exam_board.xlsx`."""
    book = new_book(
        "Exam board: mark sheet to fill in", "Students down, modules across, credits above; for panelcal calibrate."
    )
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "Students",
            "On the sheet Marks, put candidate numbers down column A, from A5. Use numbers rather than names: "
            "the results go to the Board. Or paste a whole table at A3, values only: its order does not matter.",
        ),
        (
            "Modules and credits",
            "Put module codes across row 4, from B4, and the credits (CATS, ECTS) of each module above its code in row "
            "3. A mark counts in proportion to its credits; leave the whole of row 3 blank to count all marks alike.",
        ),
        (
            "Marks",
            "One number from 0 to 100 in a cell. Leave the cell blank if the student does not take the module: blank "
            "means not taken, 0 means a mark of zero. What looks wrong is questioned when it is typed, and what is "
            "pasted when it is checked.",
        ),
        _CODES,
        _SETTINGS,
        *run_lines("exam_board", MARKS_SHEET, "Board", "student", "module"),
        _BOARD_DECIDES,
    )
    add_start_sheet(book, "Exam board", "Start here. Fill in the shaded cells of the sheet Marks.", lines, "", _FOOTER)
    sheet = book.workbook.create_sheet(MARKS_SHEET)
    entitle(
        sheet,
        "Marks",
        "Candidate numbers down, module codes across, credits above the codes. Blank = not taken; 0 = a mark of zero.",
    )
    _lay_out(sheet, EMPTY_STUDENTS, EMPTY_MODULES, _FOOTER)
    add_settings_sheet(book, BOARD_SETTINGS, BOARD_BANDS, _FOOTER, policy=BOARD_POLICY)
    return book


def filled_board() -> TemplateBook:
    """Build `exam_board_example.xlsx`, with the codes and oddities of a real mark sheet in it."""
    book = new_book("Exam board: filled example (made-up data)", f"{_MADE_UP} Example workbook of panelcal.")
    board = exam_board_marks()
    n_students, n_modules = board.marks.shape
    n_codes = int(sum(np.isnan(board.marks[cell]) for cell in board.cell_texts))
    n_texts = len(board.cell_texts) - n_codes
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Marks",
            f"{n_students} candidate numbers down column A, {n_modules} module codes across row 4, the credits (CATS) "
            "of each module in row 3, and whole marks from 0 to 100. Blank means not taken; 0 is a mark.",
        ),
        (
            "Oddities left in",
            f"As in real life: {n_codes} cells hold codes, {n_texts} marks were typed as text, one mark is a true 0, "
            f"the column of {HIDDEN_MODULE} is hidden, and there are averages at the right and below. "
            "Cal audit lists how each was read, with its cell.",
        ),
        _CODES,
        (
            "What to notice",
            "Who takes what is not left to chance: options differ by programme, and some small modules are easier. "
            "About a fifth of the modules have a single student; such a mark has nothing to be compared with.",
        ),
        _SETTINGS,
        *run_lines("exam_board_example", MARKS_SHEET, "Board", "student", "module"),
        _BOARD_DECIDES,
    )
    add_start_sheet(
        book, "Exam board: a filled example", "Start here, then look at the sheet Marks.", lines, _MADE_UP,
        _EXAMPLE_FOOTER,
    )  # fmt: skip
    sheet = book.workbook.create_sheet(MARKS_SHEET)
    entitle(
        sheet,
        "Final year marks (made-up data)",
        "Whole marks out of 100 by candidate number and module. Blank = not taken. Average: weighted by credits.",
    )
    _lay_out(sheet, n_students, n_modules, _EXAMPLE_FOOTER)
    _fill_in(sheet, board)
    _add_averages(book, sheet, board)
    below = FIRST_ROW + n_students + 2
    put(
        sheet,
        address(below, 1),
        f"Codes: {_CODE_MEANINGS}.",
        "Panel explanation",
    )
    sheet.column_dimensions[column_letters(FIRST_COLUMN + board.modules.index(HIDDEN_MODULE))].hidden = True
    add_settings_sheet(book, BOARD_SETTINGS, BOARD_BANDS, _EXAMPLE_FOOTER, policy=EXAMPLE_POLICY)
    return book


def _lay_out(sheet: Worksheet, n_students: int, n_modules: int, footer: str) -> None:
    """Write headings, shaded and checked input cells, widths and print set-up for a block of that size."""
    last_row, last_column = FIRST_ROW + n_students - 1, FIRST_COLUMN + n_modules - 1
    put(sheet, address(CREDITS_ROW, 1), "Credits", "Panel heading")
    put(sheet, address(HEADING_ROW, 1), "Candidate", "Panel heading")
    sheet.row_dimensions[HEADING_ROW].height = 60.0
    sheet.column_dimensions["A"].width = 17.0
    for column in range(FIRST_COLUMN, last_column + 1):
        sheet.column_dimensions[column_letters(column)].width = 5.3
        put(sheet, address(CREDITS_ROW, column), None, "Panel input")
        put(sheet, address(HEADING_ROW, column), None, "Panel rotated heading")
    for row in range(FIRST_ROW, last_row + 1):
        put(sheet, address(row, 1), None, "Panel input label")
        for column in range(FIRST_COLUMN, last_column + 1):
            put(sheet, address(row, column), None, "Panel input")

    right = column_letters(last_column)
    check_input(
        sheet,
        f"B{FIRST_ROW}:{right}{last_row}",
        score_is_known(f"B{FIRST_ROW}"),
        "Check this mark",
        "A mark is a number on the scale given on the sheet Settings (0 to 100), or one of the codes listed there "
        "(ABS, EXT, MC, ...). Leave the cell blank if the module was not taken.",
    )
    check_input(
        sheet,
        f"B{CREDITS_ROW}:{right}{CREDITS_ROW}",
        f"AND(ISNUMBER(B{CREDITS_ROW}),B{CREDITS_ROW}>0)",
        "Check these credits",
        "Credits are a number above 0, such as 15.",
    )
    check_input(
        sheet,
        f"B{HEADING_ROW}:{right}{HEADING_ROW}",
        f"COUNTIF($B${HEADING_ROW}:${right}${HEADING_ROW},B{HEADING_ROW})=1",
        "Module appears twice",
        "This module code stands in another column as well. Each module needs one column.",
    )
    check_input(
        sheet,
        f"A{FIRST_ROW}:A{last_row}",
        f"COUNTIF($A${FIRST_ROW}:$A${last_row},A{FIRST_ROW})=1",
        "Candidate appears twice",
        "This candidate number stands in another row as well. Each student needs one row.",
    )
    sheet.freeze_panes = address(FIRST_ROW, FIRST_COLUMN)
    _print_pages(sheet, last_row, last_column, footer)


def _print_pages(sheet: Worksheet, last_row: int, last_column: int, footer: str) -> None:
    """Print the block alone: title and codes go into the page header, where a second page across repeats them whole."""
    set_up_printing(sheet, footer, pages_wide=2, rows=f"{CREDITS_ROW}:{HEADING_ROW}", columns="A:A")
    sheet.print_area = f"A{CREDITS_ROW}:{address(last_row, last_column)}"
    sheet.oddHeader.left.text = f"&B{sheet['A1'].value}"
    sheet.oddHeader.right.text = f"Blank: not taken; {_CODE_MEANINGS}"


def _fill_in(sheet: Worksheet, board: MadeUpBoard) -> None:
    for at, (code, credits_) in enumerate(zip(board.modules, board.credits, strict=True)):
        sheet[address(HEADING_ROW, FIRST_COLUMN + at)].value = code
        sheet[address(CREDITS_ROW, FIRST_COLUMN + at)].value = _plain(credits_)
    for at, number in enumerate(board.students):
        sheet[address(FIRST_ROW + at, 1)].value = int(number)
    for student, module in np.argwhere(~np.isnan(board.marks)):
        mark = int(board.marks[student, module])
        sheet[address(FIRST_ROW + int(student), FIRST_COLUMN + int(module))].value = mark
    for (student, module), text in board.cell_texts.items():
        sheet[address(FIRST_ROW + student, FIRST_COLUMN + module)].value = text


def _add_averages(book: TemplateBook, sheet: Worksheet, board: MadeUpBoard) -> None:
    """Add the averages a board's own sheet has; as there, marks typed as text are left out of them unnoticed."""
    n_students, n_modules = board.marks.shape
    numbers = board.marks.copy()
    for cell in board.cell_texts:
        numbers[cell] = np.nan
    right, beyond = column_letters(FIRST_COLUMN + n_modules - 1), column_letters(FIRST_COLUMN + n_modules)
    last_row = FIRST_ROW + n_students - 1
    credits_range = f"$B${CREDITS_ROW}:${right}${CREDITS_ROW}"

    put(sheet, f"{beyond}{HEADING_ROW}", "Average", "Panel rotated heading")
    sheet.column_dimensions[beyond].width = 7.0
    for at, row in enumerate(range(FIRST_ROW, last_row + 1)):
        marks = f"B{row}:{right}{row}"
        formula = f"=SUMPRODUCT({credits_range},{marks})/SUMPRODUCT({credits_range},--ISNUMBER({marks}))"
        put(sheet, f"{beyond}{row}", formula, "Panel computed")
        taken = ~np.isnan(numbers[at])
        average = float(board.credits[taken] @ numbers[at, taken]) / float(board.credits[taken].sum())
        book.formula_values[sheet.title, f"{beyond}{row}"] = average

    mean_row = last_row + 1
    put(sheet, f"A{mean_row}", "Module mean", "Panel heading")
    for at in range(n_modules):
        column = column_letters(FIRST_COLUMN + at)
        put(sheet, f"{column}{mean_row}", f"=AVERAGE({column}{FIRST_ROW}:{column}{last_row})", "Panel computed")
        taken = ~np.isnan(numbers[:, at])
        book.formula_values[sheet.title, f"{column}{mean_row}"] = float(numbers[taken, at].mean())
    _print_pages(sheet, mean_row, FIRST_COLUMN + n_modules, _EXAMPLE_FOOTER)


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)
