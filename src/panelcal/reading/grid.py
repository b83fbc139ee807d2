"""Sheets as plain data: the grids that `files` and `excel` hand over and the reading rooms look at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Literal, overload

from panelcal.arrays import Indices
from panelcal.frozen import dataclass
from panelcal.reading.coded_columns import CodedColumns

_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
SourceKind = Literal["text", "workbook", "open workbook", "range"]
_NOTHING: Mapping[tuple[int, int], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CellError:
    """An error value such as ``#N/A`` or ``#REF!`` found in a cell."""

    code: str

    def __str__(self) -> str:
        """Spell it as the cell shows it, so that a table of codes can name it."""
        return self.code


@dataclass(frozen=True, slots=True)
class Uncalculated:
    """A formula whose value was never stored in the file."""

    formula: str


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """One sheet: its cell values and what else about it bears on their meaning.

    Rows and columns count from 1, as in the spreadsheet, and ``rows[0][0]`` is cell A1 or else `origin`.

    Attributes
    ----------
    sheet
        The sheet's name.
    rows
        Cell values row by row, all rows equally long: None, str, bool, int, float, date, time, `CellError` or
        `Uncalculated`.
    number_formats
        (row, column) -> number format, only for cells holding a value whose format is not "General".
    formulas
        (row, column) -> formula text, for cells whose value is a stored result.
    merged
        Merged ranges as (first row, first column, last row, last column).
    hidden_rows, hidden_columns
        Hidden or filtered away.
    visible
        False when the whole sheet is hidden.
    origin
        (row, column) of the first cell where only a block of a sheet was handed over.
    coded_columns
        The columns of `rows` where they were told apart by their values as they were read.
    """

    sheet: str
    rows: tuple[tuple[Any, ...], ...]
    number_formats: Mapping[tuple[int, int], str] = field(default_factory=lambda: _NOTHING)
    formulas: Mapping[tuple[int, int], str] = field(default_factory=lambda: _NOTHING)
    merged: tuple[tuple[int, int, int, int], ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    visible: bool = True
    origin: tuple[int, int] = (1, 1)
    coded_columns: CodedColumns = field(default_factory=CodedColumns, kw_only=True)

    @property
    def n_rows(self) -> int:
        """Number of rows from row 1 to the last one with content."""
        return self.origin[0] - 1 + len(self.rows)

    @property
    def n_columns(self) -> int:
        """Number of columns from A to the last one with content."""
        return self.origin[1] - 1 + len(self.rows[0]) if self.rows else 0

    def value(self, row: int, column: int) -> Any:
        """Return the value at (row, column), None outside the grid."""
        first_row, first_column = self.origin
        if first_row <= row <= self.n_rows and first_column <= column <= self.n_columns:
            return self.rows[row - first_row][column - first_column]
        return None

    def with_cells(self, cells: Mapping[tuple[int, int], Any]) -> Grid:
        """Return the sheet with other values in some cells, (row, column) -> value, grown where it must be."""
        height = max([self.n_rows, *[row for row, _ in cells]])
        width = max([self.n_columns, *[column for _, column in cells]])
        rows = [[self.value(row, column) for column in range(1, width + 1)] for row in range(1, height + 1)]
        for (row, column), value in cells.items():
            rows[row - 1][column - 1] = value
        return replace(self, rows=tuple(map(tuple, rows)))


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A workbook or text file as it was found.

    Attributes
    ----------
    name
        File name for messages, without folder.
    grids
        Its sheets, in order.
    active
        Name of the sheet that was in front when it was saved.
    notes
        Sentences about what the loader saw that bears on reading or on carrying the workbook over (macros never run,
        external links, ...).
    warnings
        Such sentences that somebody should look at before the results.
    cautions
        Sentences about what cannot be seen in the file, which somebody should look at as well.
    kind
        "text" for a file without sheets (CSV), "workbook", "open workbook" for one looked at in its own program, or
        "range" for cells handed to a worksheet function.
    collected
        Name of the sheet on which the scores of several files or sheets were put together, "" without one.
    """

    name: str
    grids: tuple[Grid, ...]
    active: str
    notes: tuple[str, ...] = ()
    kind: SourceKind = "workbook"
    collected: str = ""
    warnings: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    def grid(self, sheet: str) -> Grid | None:
        """Return the sheet of that name (capital letters do not matter), or None."""
        return next((grid for grid in self.grids if grid.sheet.casefold() == sheet.casefold()), None)


@cache
def column_letters(column: int) -> str:
    """Spell a column number: 1 -> "A", 28 -> "AB"."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    """Spell a cell: (5, 3) -> "C5"."""
    return f"{column_letters(column)}{row}"


@cache
def column_number(letters: str) -> int:
    """Read the letters of a column: "A" -> 1, "AB" -> 28."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number


def place_of(cell: str) -> tuple[int, int] | None:
    """Return (row, column) of an address such as C5 or $C$5, None for any other text."""
    found = _ADDRESS.fullmatch(cell.strip())
    return None if found is None else (int(found[2]), column_number(found[1]))


def corners_of(block: str) -> tuple[int, int, int, int]:
    """Return (first row, first column, last row, last column) of a range such as C5:E9, or of a single cell.

    Raises
    ------
    ValueError
        If it is not a range of cells.
    """
    first, _, last = block.partition(":")
    one = place_of(first)
    other = place_of(last) if last else one
    if one is None or other is None:
        raise ValueError(f"not a range of cells: {block}")
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


class CellColumn(Sequence[str]):
    """Addresses of cells of one column, spelt when they are looked at: a full sheet has a million of them.

    Parameters
    ----------
    rows
        (K,) rows on the sheet, in any order.
    column
        Their column.
    """

    def __init__(self, rows: Indices, column: int) -> None:
        self.rows = rows
        self.column = column

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.rows)

    @overload
    def __getitem__(self, k: int) -> str: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[str, ...]: ...
    def __getitem__(self, k: int | slice) -> str | tuple[str, ...]:
        """Spell the address of one cell, or of several."""
        letters = column_letters(self.column)
        if isinstance(k, slice):
            return tuple([f"{letters}{row}" for row in self.rows[k].tolist()])
        return f"{letters}{self.rows[k]}"

    def __eq__(self, other: object) -> bool:
        """Compare with any sequence of addresses."""
        return isinstance(other, Sequence) and len(self) == len(other) and self[:] == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def block_address(first_row: int, first_column: int, last_row: int, last_column: int) -> str:
    """Spell a range: "B5:CD86", or a single cell where both ends coincide."""
    first, last = address(first_row, first_column), address(last_row, last_column)
    return first if first == last else f"{first}:{last}"


def sheet_reference(sheet: str, cell: str) -> str:
    """Spell a cell or range on a sheet as a formula would: ``Marks!C7`` or ``'Year 3 marks'!C7``."""
    return f"{_spelt_in_formulas(sheet)}!{cell}"


@lru_cache(maxsize=256)
def _spelt_in_formulas(sheet: str) -> str:
    looks_like_a_cell = re.fullmatch(r"(?i)[A-Z]{1,3}\d+|R\d*C?\d*|C\d*", sheet)
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", sheet) and not looks_like_a_cell
    return sheet if plain else "'" + sheet.replace("'", "''") + "'"
