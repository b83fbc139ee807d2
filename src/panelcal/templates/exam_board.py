"""The exam board's workbooks: an empty mark sheet, and one filled with a made-up board of 82 students x 81 modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.reading.grid import column_letters
from panelcal.reading.policy_rules import POLICY_LABELS
from panelcal.reading.settings import Band, Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.reporting.model import CellRange, Column, Note, Report, Sheet, Table
from panelcal.reporting.settings_form import Pairs
from panelcal.templates.as_report import as_report
from panelcal.templates.made_up import MadeUpBoard
from panelcal.templates.template import (
    FIRST_ROW,
    HEADING_ROW,
    InputSheet,
    Template,
    block_of,
    fixed,
    run_lines,
    score_is_known,
)

MARKS_SHEET = "Marks"
CREDITS_ROW, FIRST_COLUMN = HEADING_ROW - 1, 2
EMPTY_STUDENTS, EMPTY_MODULES = 120, 90

BOARD_SETTINGS = Settings(
    object_noun="Student",
    assessor_noun="Module",
    score_noun="Mark",
    scale_low=0,
    scale_high=100,
    bands=(
        Band("First", 70.0),
        Band("Upper second", 60.0),
        Band("Lower second", 50.0),
        Band("Third", 40.0),
        Band("Fail", 0.0),
    ),
)
BOARD_POLICY: Pairs = tuple((label, None) for label in POLICY_LABELS[:-1])
EXAMPLE_POLICY: Pairs = (
    ("Rank within a module kept", "yes"),
    ("Nobody newly fails", "yes"),
    ("Nobody moves to a lower class", None),
    ("No change above", 5),
    ("Only modules with at least", None),
    ("External examiner", "Prof. A. N. Other"),
)
HIDDEN_MODULE = "MA473"

_FOOTER = "Confidential: for the Board"
_MADE_UP = "All data in this workbook are made up: no student, module or mark in it is real."
_EMPTY_EXPLANATION = (
    "Candidate numbers down from A5, module codes across from B4, their credits in row 3. Blank = not taken; 0 = a "
    "mark of zero."
)
_EXPLANATION = "Whole marks out of 100 by candidate number and module. Blank = not taken. Average: weighted by credits."
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


def empty_board() -> Template:
    """Describe `exam_board.xlsx`."""
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
    return Template(
        title="Exam board: mark sheet to fill in",
        description="Students down, modules across, credits above; for panelcal calibrate.",
        start=("Exam board", "Start here. Fill in the shaded cells of the sheet Marks."),
        lines=lines,
        sheets=(_marks("Marks", _EMPTY_EXPLANATION, EMPTY_STUDENTS, (None,) * EMPTY_MODULES),),
        settings=BOARD_SETTINGS,
        footer=_FOOTER,
        policy=BOARD_POLICY,
    )


def filled_board(board: MadeUpBoard) -> Template:
    """Describe `exam_board_example.xlsx`, with the codes and oddities of a real mark sheet in it."""
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
    marks = _marks("Final year marks (made-up data)", _EXPLANATION, n_students, board.modules, board)
    return replace(empty_board().example(lines, (marks,), _MADE_UP), policy=EXAMPLE_POLICY)


def board_report(template: Template, board: MadeUpBoard | None = None) -> Report:
    """Lay out an exam board, with averages beside and below the marks where there are some."""
    report, (plan,) = as_report(template), template.sheets
    start, marks, *settings = report.sheets
    last_row, last_column = plan.last, len(plan.headings)
    if board is not None:
        last_row, last_column = last_row + 1, last_column + 1
        marks = _with_averages(marks, board, Note(last_row + 2, f"Codes: {_CODE_MEANINGS}.", "small"))
    assert marks.form is not None
    # Title and codes go into the page header, where a second page across repeats them whole.
    form = replace(
        marks.form,
        title_rows=f"{CREDITS_ROW}:{HEADING_ROW}",
        title_columns="A:A",
        pages_across=2,
        header=(f"&B{marks.title}", f"Blank: not taken; {_CODE_MEANINGS}"),
    )
    block = CellRange(CREDITS_ROW, 1, last_row, last_column)
    return replace(report, sheets=(start, replace(marks, form=form, printed=(block,), portrait=False), *settings))


def _marks(
    title: str, explanation: str, rows: int, modules: Sequence[str | None], board: MadeUpBoard | None = None
) -> InputSheet:
    right = column_letters(1 + len(modules))
    credits_, codes = (f"${{0}}${row}:${{1}}${row}".format("B", right) for row in (CREDITS_ROW, HEADING_ROW))
    return InputSheet(
        MARKS_SHEET,
        title,
        explanation,
        ("Candidate", *modules),
        labels=1,
        widths=(17.0, 5.3),
        rows=rows,
        filled=() if board is None else _rows_of(board),
        above=("Credits", *((None,) * len(modules) if board is None else map(_plain, board.credits))),
        turned=60.0,
        frozen=(FIRST_ROW, FIRST_COLUMN),
        checks=(
            EntryCheck(
                block_of("B", rows, to=right),
                "Check this mark",
                "A mark is a number on the scale given on the sheet Settings (0 to 100), or one of the codes listed "
                "there (ABS, EXT, MC, ...). Leave the cell blank if the module was not taken.",
                score_is_known(f"B{FIRST_ROW}"),
            ),
            EntryCheck(
                credits_.replace("$", ""),
                "Check these credits",
                "Credits are a number above 0, such as 15.",
                f"AND(ISNUMBER(B{CREDITS_ROW}),B{CREDITS_ROW}>0)",
            ),
            EntryCheck(
                codes.replace("$", ""),
                "Module appears twice",
                "This module code stands in another column as well. Each module needs one column.",
                f"COUNTIF({codes},B{HEADING_ROW})=1",
            ),
            EntryCheck(
                block_of("A", rows),
                "Candidate appears twice",
                "This candidate number stands in another row as well. Each student needs one row.",
                f"COUNTIF({fixed('A', rows)},A{FIRST_ROW})=1",
            ),
        ),
    )


def _rows_of(board: MadeUpBoard) -> list[list[str | int | None]]:
    """Return candidate number and marks of each student, codes and marks stored as text as such."""
    rows: list[list[str | int | None]] = [
        [int(number), *(None if np.isnan(mark) else int(mark) for mark in marks)]
        for number, marks in zip(board.students, board.marks, strict=True)
    ]
    for (student, module), text in board.cell_texts.items():
        rows[student][1 + module] = text
    return rows


def _with_averages(marks: Sheet, board: MadeUpBoard, note: Note) -> Sheet:
    """Add the averages a board's own sheet has; as there, marks typed as text are left out of them unnoticed."""
    n_students, n_modules = board.marks.shape
    numbers = board.marks.copy()
    for cell in board.cell_texts:
        numbers[cell] = np.nan
    right, beyond = column_letters(FIRST_COLUMN + n_modules - 1), FIRST_COLUMN + n_modules
    last_row = FIRST_ROW + n_students - 1
    credits_range = f"$B${CREDITS_ROW}:${right}${CREDITS_ROW}"
    rows = [f"B{row}:{right}{row}" for row in range(FIRST_ROW, last_row + 1)]
    beside = Column(
        "Average",
        [
            float(board.credits[taken] @ row[taken]) / float(board.credits[taken].sum())
            for row, taken in zip(numbers, ~np.isnan(numbers), strict=True)
        ],
        "score",
        formulas=[f"=SUMPRODUCT({credits_range},{row})/SUMPRODUCT({credits_range},--ISNUMBER({row}))" for row in rows],
    )
    letters = [column_letters(FIRST_COLUMN + at) for at in range(n_modules)]
    columns = [f"{letter}{FIRST_ROW}:{letter}{last_row}" for letter in letters]
    below = (
        Column("", ["Module mean"], "label"),
        *(
            Column("", [float(marks[~np.isnan(marks)].mean())], "score", formulas=[f"=AVERAGE({cells})"])
            for cells, marks in zip(columns, numbers.T, strict=True)
        ),
    )
    assert marks.form is not None
    return replace(
        marks,
        tables=(
            *marks.tables,
            Table((beside,), row=HEADING_ROW, column=beyond, headings="upright"),
            Table(below, row=last_row, headings="none"),
        ),
        notes=(note,),
        column_widths=(*marks.column_widths, (beyond, 7.0)),
        form=replace(marks.form, hidden=(FIRST_COLUMN + board.modules.index(HIDDEN_MODULE),)),
    )


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)
