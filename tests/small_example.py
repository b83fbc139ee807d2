"""The filled exam-board template cut down to a few students and modules, its other sheets as they are."""

from pathlib import Path

import openpyxl

# Rows and columns of the marks; below and beside them are means.
FIRST_STUDENT, LAST_STUDENT = 5, 86
FIRST_MODULE, LAST_MODULE = 2, 82
STUDENTS, MODULES = 16, 10


def write(example: Path, target: Path) -> Path:
    """Keep the modules that most students took, and students with at least three of them."""
    book = openpyxl.load_workbook(example)
    sheet = book["Marks"]
    modules = range(FIRST_MODULE, LAST_MODULE + 1)
    students = range(FIRST_STUDENT, LAST_STUDENT + 1)

    def taken(row: int, column: int) -> bool:
        return isinstance(sheet.cell(row, column).value, int | float)

    often = sorted(modules, key=lambda column: -sum(taken(row, column) for row in students))[:MODULES]
    kept = [row for row in students if sum(taken(row, column) for column in often) >= 3][:STUDENTS]
    for column in reversed(range(FIRST_MODULE, sheet.max_column + 1)):
        if column not in often:
            sheet.delete_cols(column)
    for row in reversed(range(FIRST_STUDENT, sheet.max_row + 1)):
        if row not in kept:
            sheet.delete_rows(row)
    book.save(target)
    return target
