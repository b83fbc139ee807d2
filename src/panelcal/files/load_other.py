"""Read workbooks of other kinds (.ods, .xls, .xlsb) through calamine, which gives the values of cells and no more.

calamine lays a sheet out as a full rectangle, so a file whose cells lie far apart is refused before it is asked.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from panelcal.errors import FileProblem
from panelcal.files.binary_sheets import binary_cells, sheet_parts
from panelcal.files.in_memory import File
from panelcal.files.load_sheet import TooLarge
from panelcal.files.panics import Panicked, no_panics
from panelcal.reading.grid import CellError, Grid, Source

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_MOST_CELLS = 16_000_000
_MOST_ERRORS = 10_000
NOTE = (
    "Only values can be seen in a file of this kind: formulas, hidden rows and columns and number formats were not "
    "looked at."
)
ERRORS_NOTE = "In an old .xls file an error such as #N/A looks like a blank cell: make sure that there are none."


def load_other(file: File, name: str) -> Source:
    """Load every sheet of a workbook that is not .xlsx.

    Raises
    ------
    FileProblem
        If it is damaged, has a password, or calamine is not there.
    TooLarge
        If its cells would take more memory than a workbook of scores needs.
    """
    try:
        from python_calamine import (  # noqa: PLC0415 - browsers have none
            CalamineError,
            CalamineWorkbook,
            PasswordError,
            SheetVisibleEnum,
        )
    except ImportError:
        raise FileProblem(
            f"{name} is not an .xlsx workbook, and other kinds cannot be read here: open it in your spreadsheet "
            "program, save it as an Excel workbook (.xlsx) and use that."
        ) from None
    errors: dict[tuple[int, int, int], CellError] = {}
    zipped = zipfile.is_zipfile(file)
    try:
        if zipped:
            with zipfile.ZipFile(file) as archive:
                errors = _errors_in(archive)
        with no_panics():
            book = CalamineWorkbook.from_filelike(BytesIO(file.read_bytes()))  # a path would be judged by its ending
            grids = tuple(
                _grid(book.get_sheet_by_name(sheet.name), sheet.visible is SheetVisibleEnum.Visible, errors, number)
                for number, sheet in enumerate(book.sheets_metadata)
            )
    except PasswordError as error:
        raise FileProblem(
            f"{name} is protected by a password: remove it in your spreadsheet program and save it again."
        ) from error
    except (CalamineError, Panicked, OSError, ValueError) as error:
        raise FileProblem(
            f"{name} is damaged or of a kind that cannot be read: open it in your spreadsheet program, save it as an "
            "Excel workbook (.xlsx) and use that."
        ) from error
    if not grids:
        raise FileProblem(f"{name} has no sheet with cells: use the file with the scores.")
    active = next((grid.sheet for grid in grids if grid.visible), grids[0].sheet)
    return Source(name, grids, active, (NOTE,), cautions=() if zipped else (ERRORS_NOTE,))


def _grid(sheet: CalamineSheet, visible: bool, errors: Mapping[tuple[int, int, int], CellError], number: int) -> Grid:
    """Take the cells of one sheet, with the error values found on the sheet of this number."""
    cells = [[_value(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    for (on_sheet, row, column), error in errors.items():
        if on_sheet == number and row <= len(cells) and column <= len(cells[row - 1]):
            cells[row - 1][column - 1] = error
    rows = tuple(map(tuple, cells))
    merged = tuple((r1 + 1, c1 + 1, r2 + 1, c2 + 1) for (r1, c1), (r2, c2) in sheet.merged_cell_ranges or ())
    return Grid(sheet.name, rows, merged=merged, visible=visible)


def _value(cell: Any) -> Any:
    if isinstance(cell, str):
        return cell or None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return int(cell)
    return cell


def _errors_in(archive: zipfile.ZipFile) -> dict[tuple[int, int, int], CellError]:
    """Check that the cells do not lie far apart, and find the error values, which calamine hands over as blanks.

    Returns
    -------
    errors
        (sheet, row, column) -> the error; sheets count from 0.
    """
    errors: dict[tuple[int, int, int], CellError] = {}
    names = archive.namelist()
    order = {part: number for number, part in enumerate(sheet_parts(archive))}
    for name in names:
        if name.startswith("xl/worksheets/") and name.endswith(".bin"):
            rows, columns, found = binary_cells(archive.read(name))
            if rows * columns > _MOST_CELLS:
                raise TooLarge(f"has cells down to row {rows:,} and out to column {columns:,}")
            if name in order:
                errors |= {(order[name], row, column): error for (row, column), error in found.items()}
    return errors | (_OpenDocument().errors_in(archive) if "content.xml" in names else {})


class _OpenDocument:
    """Walks through the cells of an OpenDocument file, of which few may stand in many rows and columns."""

    def __init__(self) -> None:
        self.errors: dict[tuple[int, int, int], CellError] = {}
        self.sheet = -1
        self.rows = self.columns = self.width = self.last = 0
        self.times = 1

    def errors_in(self, archive: zipfile.ZipFile) -> dict[tuple[int, int, int], CellError]:
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        with archive.open("content.xml") as part:
            parser.ParseFile(part)
        return self.errors

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            self.sheet, self.rows, self.columns = self.sheet + 1, 0, 0
        elif tag == "table:table-row":
            self.times, self.width, self.last = int(attributes.get("table:number-rows-repeated", 1)), 0, 0
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            first = self.width + 1
            self.width += int(attributes.get("table:number-columns-repeated", 1))
            if "office:value-type" not in attributes:
                return
            self.last = self.width
            if attributes.get("calcext:value-type") == "error" and self.width - first + self.times < _MOST_ERRORS:
                for row in range(self.rows + 1, self.rows + self.times + 1):
                    for column in range(first, self.width + 1):
                        self.errors[self.sheet, row, column] = CellError("#ERROR")

    def _end(self, tag: str) -> None:
        if tag != "table:table-row":
            return
        self.rows += self.times
        if self.last:
            self.columns = max(self.columns, self.last)
            if self.rows * self.columns > _MOST_CELLS:
                raise TooLarge(f"has cells in {self.rows:,} rows and {self.columns:,} columns")

    @staticmethod
    def _refuse(*_: object) -> None:
        raise TooLarge("declares a document type, which no workbook does")
