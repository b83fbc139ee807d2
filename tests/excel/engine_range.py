"""Blocks of cells of the test engine: values, formulas, number formats, hidden and merged cells; looks are recorded."""

# ruff: noqa: D102, D105, N805, PLW0108 - the methods are those that xlwings documents
from __future__ import annotations

import datetime as dt
import math
import re
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter
from xlwings import base_classes, utils

from excel.engine_native import Native, calls, fresh

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def as_typed(value: Any) -> Any:
    """Store a value as Excel does when it is written to a cell in the format General."""
    if isinstance(value, str):
        if value.startswith("'"):
            return value[1:]
        if value == "":
            return None
        bare = value.strip()
        if re.fullmatch(r"[-+]?\d*\.?\d+(e[-+]?\d+)?%?", bare, re.IGNORECASE):
            return float(bare.rstrip("%")) / (100 if bare.endswith("%") else 1)
        if bare.upper() in ("TRUE", "FALSE"):
            return bare.upper() == "TRUE"
        month = re.fullmatch(r"([a-z]{3,9})[- ]?(\d{1,4})|\d{1,2}[-/ ]([a-z]{3,9}|\d{1,2})", bare, re.IGNORECASE)
        if month and (re.match(r"\d", bare) or bare[:3].lower() in _MONTHS):
            return dt.datetime(1900, 1, 1)
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def _look(name):
    def read(self):
        found = [value for box, key, value in self.sheet.looks if key == name and _covers(box, self.box)]
        return found[-1] if found else None

    def write(self, value):
        self.sheet.looks.append((self.box, name, value))

    return property(read, write)


def _covers(box, inner):
    return box[0] <= inner[0] and box[1] <= inner[1] and box[2] >= inner[2] and box[3] >= inner[3]


@fresh("sheet", "options", "box", "arg1_input")
class Range(base_classes.Range):
    """A block of cells, `box` = first row, first column, last row, last column."""

    max_cells_per_read = None
    max_cells_per_write = 100_000

    def __init__(self, sheet, arg1, arg2=None):
        self.sheet, self.options, self.arg1_input = sheet, None, arg1
        if isinstance(arg1, Range) and isinstance(arg2, Range):
            first, last = arg1.box, arg2.box
            arg1 = (min(first[0], last[0]), min(first[1], last[1]))
            arg2 = (max(first[2], last[2]), max(first[3], last[3]))
        if isinstance(arg1, str):
            arg1, arg2 = utils.a1_to_tuples(arg1.replace("$", ""))
        if len(arg1) == 4:
            arg1, arg2 = arg1[:2], (arg1[0] + arg1[2] - 1, arg1[1] + arg1[3] - 1)
        self.box = (*tuple(arg1), *tuple(arg2 or arg1))
        if min(self.box) < 1:
            raise IndexError(self.box)

    api = property(lambda self: Native(f"range '{self.sheet.name}'!{self.address}", self.sheet.api._log))
    row = property(lambda self: self.box[0])
    column = property(lambda self: self.box[1])
    shape = property(lambda self: (self.box[2] - self.box[0] + 1, self.box[3] - self.box[1] + 1))
    coords = property(lambda self: (self.sheet.name, self.row, self.column, *self.shape))
    address = property(lambda self: self.get_address(True, True, False))

    def __len__(self):
        count = self.shape[0] * self.shape[1]
        if count > 2**31 - 1:
            raise OverflowError("Overflow")
        return count

    def __call__(self, i, j=None):
        if j is None:
            i, j = (i - 1) // self.shape[1] + 1, (i - 1) % self.shape[1] + 1
        return Range(self.sheet, (self.row + i - 1, self.column + j - 1))

    def get_address(self, row_absolute=True, col_absolute=True, external=False):
        def spelled(row, column):
            dollar = "$" if col_absolute else ""
            return f"{dollar}{get_column_letter(column)}{'$' if row_absolute else ''}{row}"

        first, last = spelled(*self.box[:2]), spelled(*self.box[2:])
        return first if first == last else f"{first}:{last}"

    def _places(self):
        return [[(i, j) for j in range(self.box[1], self.box[3] + 1)] for i in range(self.box[0], self.box[2] + 1)]

    def _read(self, take):
        cells = self.sheet.ws._cells
        values = [[take(place, cells.get(place)) for place in row] for row in self._places()]
        # As Excel does: one cell is no block, and a block is a tuple of tuples.
        return values[0][0] if self.shape == (1, 1) else tuple(tuple(row) for row in values)

    def _shown(self, place, cell):
        value = self.sheet.book.shown.get((id(self.sheet.ws), *place), None if cell is None else cell.value)
        if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            value = dt.datetime(value.year, value.month, value.day)
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def _spelled(self, place, cell):
        value = None if cell is None else cell.value
        return "" if value is None else value if isinstance(value, str) else str(value)

    @property
    def raw_value(self):
        return self._read(self._shown)

    @raw_value.setter
    def raw_value(self, data):
        for i, row in enumerate(self._places()):
            for j, place in enumerate(row):
                value = as_typed(data[i][j] if isinstance(data, list | tuple) else data)
                self.sheet.book.shown.pop((id(self.sheet.ws), *place), None)
                if value is None and place not in self.sheet.ws._cells:  # writing nothing makes no cell
                    continue
                cell = self.sheet.ws.cell(*place)
                cell.value = value
                if isinstance(value, str) and isinstance(data, list | tuple) and str(data[i][j]).startswith("'"):
                    cell.data_type = "s"

    @property
    def formula(self):
        return self._read(self._spelled)

    def _one_of(self, values):
        first, *rest = dict.fromkeys(values)
        return None if rest else first

    def _number_format(self, code):
        for row in self._places():
            for place in row:
                self.sheet.ws.cell(*place).number_format = code

    @property
    def number_format(self):
        cells = self.sheet.ws._cells
        return self._one_of(
            cells[place].number_format if place in cells else "General" for row in self._places() for place in row
        )

    number_format = number_format.setter(_number_format)

    def _merges(self):
        return [(area.min_row, area.min_col, area.max_row, area.max_col) for area in self.sheet.ws.merged_cells.ranges]

    @property
    def merge_cells(self):
        merges = self._merges()
        return self._one_of(
            any(_covers(merge, (*place, *place)) for merge in merges) for row in self._places() for place in row
        )

    @property
    def merge_area(self):
        for merge in self._merges():
            if _covers(merge, (*self.box[:2], *self.box[:2])):
                return Range(self.sheet, merge[:2], merge[2:])
        return Range(self.sheet, self.box[:2])

    def _hidden_row(self, row):
        return bool(self.sheet.ws.row_dimensions[row].hidden) if row in self.sheet.ws.row_dimensions else False

    def _hidden_column(self, column):
        for letters, dimension in self.sheet.ws.column_dimensions.items():
            first = dimension.min or openpyxl.utils.column_index_from_string(letters)
            if dimension.hidden and first <= column <= (dimension.max or first):
                return True
        return False

    @property
    def row_hidden(self):
        return self._one_of(self._hidden_row(row) for row in range(self.box[0], self.box[2] + 1))

    @property
    def column_hidden(self):
        return self._one_of(self._hidden_column(column) for column in range(self.box[1], self.box[3] + 1))

    def get_special_cells(self, cell_type, value_type):
        if self.sheet.ws.protection.sheet:
            raise RuntimeError("You cannot use this command on a protected sheet.")
        rows = _stretches([r for r in range(self.box[0], self.box[2] + 1) if not self._hidden_row(r)])
        columns = _stretches([c for c in range(self.box[1], self.box[3] + 1) if not self._hidden_column(c)])
        return [Range(self.sheet, (r1, c1), (r2, c2)) for r1, r2 in rows for c1, c2 in columns]

    color = _look("color")
    wrap_text = _look("wrap_text")
    horizontal_alignment = _look("horizontal_alignment")
    vertical_alignment = _look("vertical_alignment")
    row_height = _look("row_height")
    font = property(lambda self: Font(self))
    borders = property(lambda self: Looks(self, "borders"))
    data_validation = property(lambda self: Looks(self, "data_validation"))
    conditional_formats = property(lambda self: Looks(self, "conditional_formats"))

    def _width(self, value):
        for column in range(self.box[1], self.box[3] + 1):
            self.sheet.ws.column_dimensions[get_column_letter(column)].width = value

    column_width = property(lambda self: self.sheet.ws.column_dimensions[get_column_letter(self.box[1])].width, _width)

    def autofit(self, axis=None):
        self.sheet.looks.append((self.box, "autofit", axis))

    def merge(self, across=False):
        assert not across
        top, left, bottom, right = self.box
        self.sheet.ws.merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)

    def adjust_indent(self, amount):
        self.sheet.looks.append((self.box, "indent", amount))

    note = property(lambda self: None)

    def add_note(self, text):
        self.sheet.looks.append((self.box, "note", text))
        return Native("note")

    def select(self):
        self.sheet.book.app.selected[id(self.sheet.ws)] = self.box


def _stretches(numbers):
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


class Looks:
    """Borders, conditional formats or validation of a block: whatever is set or added is recorded."""

    def __init__(self, block, kind):
        self.block, self.kind = block, kind

    def __getattr__(self, name):
        def record(*arguments, **options):
            calls[f"{self.kind}.{name}"] += 1
            self.block.sheet.looks.append((self.block.box, f"{self.kind}.{name}", (arguments, options)))
            return Native(self.kind)

        return record


@fresh("block")
class Font(base_classes.Font):
    """Font of a block."""

    def __init__(self, block):
        self.block = block

    def _recorded(name, default=None):
        def read(self):
            found = [
                v for box, key, v in self.block.sheet.looks if key == f"font.{name}" and _covers(box, self.block.box)
            ]
            return found[-1] if found else default

        def write(self, value):
            self.block.sheet.looks.append((self.block.box, f"font.{name}", value))

        return property(read, write)

    bold = _recorded("bold", False)
    name = _recorded("name", "Calibri")
    size = _recorded("size", 11.0)
    color = _recorded("color")
