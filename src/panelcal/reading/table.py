"""A sheet without its blank rows and columns, so that the search for the panel does not depend on distances.

Rows and columns of a `Table` count from 0; it remembers where on the sheet each of them is, also when it is looked at
with rows and columns exchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import date
from operator import itemgetter
from typing import Any

import numpy as np

from panelcal.arrays import Indices
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import (
    Kind,
    code_key,
    is_blank,
    is_number,
    is_percent_format,
    kind_of,
    label_text,
    spelt,
)
from panelcal.reading.coded_columns import CodedColumn, CodedColumns, as_indices, coded
from panelcal.reading.grid import CellColumn, Grid, address, block_address

_MOST_SLOTS = 30_000_000  # cells, blank ones included, up to which a sheet is looked at by columns
_SPELT_BY_VALUE = frozenset({str, int, float})
_PADDED = re.compile(r"0{2,}")
_SPELT_NUMBERS = (Kind.TEXT_NUMBER, Kind.PERCENT_TEXT, Kind.AMBIGUOUS)


CellGroup = tuple[Indices, tuple[tuple[int, Sequence[Any], Indices], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Cells of a sheet by row and column, blank rows and columns left out.

    Attributes
    ----------
    grid
        The sheet.
    cells
        (n_rows)(n_columns) values; a cell with nothing but spaces is None.
    rows, columns
        Where each row and column of `cells` is, in numbers of the sheet (exchanged when `across`).
    across
        True when the rows of `cells` are columns of the sheet.
    merges
        Merged ranges as (first row, first column, last row, last column) in sheet numbers (exchanged when `across`).
    spaces
        (row, column) on the sheet of the cells that hold nothing but spaces.
    grades
        Words, and cells with several scores, that count as numbers, as `code_key` spells them.
    coded_columns
        The columns of `cells` that were looked at by their values.
    """

    grid: Grid
    cells: tuple[tuple[Any, ...], ...]
    rows: Sequence[int]
    columns: tuple[int, ...]
    across: bool
    merges: tuple[tuple[int, int, int, int], ...]
    spaces: tuple[tuple[int, int], ...] = ()
    grades: frozenset[str] = frozenset()
    coded_columns: CodedColumns = field(default_factory=CodedColumns, kw_only=True)

    @property
    def n_rows(self) -> int:
        """Number of rows with content."""
        return len(self.rows)

    @property
    def n_columns(self) -> int:
        """Number of columns with content."""
        return len(self.columns)

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Return (row, column) on the sheet."""
        return (self.columns[j], self.rows[i]) if self.across else (self.rows[i], self.columns[j])

    def at(self, i: int, j: int) -> str:
        """Spell the address of a cell."""
        return address(*self.place(i, j))

    def span(self, first: tuple[int, int], last: tuple[int, int]) -> str:
        """Spell the range between two cells."""
        return block_address(*self.place(*first), *self.place(*last))

    def row_span(self, i: int) -> str:
        """Spell the range of the non-blank cells of a row."""
        filled = [j for j, value in enumerate(self.cells[i]) if value is not None] or [0]
        return self.span((i, filled[0]), (i, filled[-1]))

    def number_format(self, i: int, j: int) -> str:
        """Return the number format of a cell, "" for General."""
        return self.grid.number_formats.get(self.place(i, j), "") if self.grid.number_formats else ""

    def label(self, i: int, j: int) -> str:
        """Spell the label in a cell, as shown on the sheet."""
        return label_text(self.cells[i][j], self.number_format(i, j))

    @property
    def has_percents(self) -> bool:
        """Tell whether any cell of the sheet is formatted as a percentage."""
        return any(map(is_percent_format, set(self.grid.number_formats.values())))

    def labels(self, rows: Sequence[int], j: int) -> tuple[list[str], Indices]:
        """Return the labels in some rows of a column, each once in order of first appearance.

        Returns
        -------
        labels, index
            (n,) labels and (len(rows),) which of them stands in each row.
        """
        values, found = self.coded(j).of(rows)
        formats = set(self.grid.number_formats.values()) if self.grid.number_formats else set()
        padded = any(_PADDED.fullmatch(code) for code in formats)
        if padded or not set(map(type, values)) <= _SPELT_BY_VALUE:
            spelt_out = coded([self.label(i, j) for i in rows])
            values, found = list(spelt_out.values), spelt_out.index.astype(np.intp)
        # Different values may be spelt alike: 12 and "12", or text with spaces at its ends.
        labels: dict[str, int] = {}
        alike = [labels.setdefault(label_text(value), len(labels)) for value in values]
        return list(labels), found if len(labels) == len(values) else np.array(alike, dtype=np.intp)[found]

    def coded(self, j: int) -> CodedColumn:
        """Return a column as its different values, and which of them stands in each row."""
        return self.coded_columns.column(self.cells, j)

    def column(self, rows: Sequence[int], j: int) -> list[Any]:
        """Return the values in some rows of a column."""
        if isinstance(rows, range):
            return list(map(itemgetter(j), self.cells[rows.start : rows.stop : rows.step]))
        cells = self.cells
        return [cells[i][j] for i in rows]

    def cells_of(self, rows: Sequence[int], j: int) -> Sequence[str]:
        """Spell the addresses of the cells in some rows of a column."""
        return CellColumn(self.places_of(rows), self.columns[j])

    def places_of(self, rows: Sequence[int]) -> Indices:
        """Return where some rows are, in numbers of the sheet."""
        if isinstance(self.rows, range):
            return self.rows.start + self.rows.step * as_indices(rows)
        return np.array([self.rows[i] for i in rows], dtype=np.intp)

    def cell_groups(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[CellGroup]:
        """Sort cells by where they are on the sheet: all rows in the same columns, except for slots and criteria.

        Yields
        ------
        rows, columns
            Rows on the sheet, and each column on the sheet with its different values and which stands in each row.
        """
        yield self.places_of(rows), tuple((self.columns[j], *self.coded(j).of(rows)) for j in columns)

    def gap_before(self, i: int) -> bool:
        """Tell whether blank rows stand between row i and the one before it."""
        return i > 0 and self.rows[i] - self.rows[i - 1] > 1

    def is_hidden_row(self, i: int) -> bool:
        """Tell whether a row is hidden or filtered away."""
        return self.rows[i] in (self.grid.hidden_columns if self.across else self.grid.hidden_rows)

    def is_hidden_column(self, j: int) -> bool:
        """Tell whether a column is hidden."""
        return self.columns[j] in (self.grid.hidden_rows if self.across else self.grid.hidden_columns)

    def merges_within(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Spell the merged ranges that touch a body, given by its rows and columns in ascending order."""
        for r1, c1, r2, c2 in self.merges:
            if _any_between(self.rows, rows, r1, r2) and _any_between(self.columns, columns, c1, c2):
                yield block_address(c1, r1, c2, r2) if self.across else block_address(r1, c1, r2, c2)

    def top(self, n_rows: int) -> list[list[Any]]:
        """Return the first rows as headings: every cell of a merged range shows the value of the range."""
        filled = [list(row) for row in self.cells[:n_rows]]
        row_of = {row: i for i, row in enumerate(self.rows[:n_rows])}
        column_of = {column: j for j, column in enumerate(self.columns)}
        for r1, c1, r2, c2 in self.merges:
            value = self.cells[row_of[r1]][column_of[c1]] if r1 in row_of and c1 in column_of else None
            if value is None:
                continue
            for i in range(bisect_left(self.rows, r1), min(bisect_right(self.rows, r2), len(filled))):
                for j in range(bisect_left(self.columns, c1), bisect_right(self.columns, c2)):
                    filled[i][j] = value if filled[i][j] is None else filled[i][j]
        return filled

    def numeric(self, i: int, j: int) -> bool:
        """Tell whether a cell holds a number, or text that spells one (percentages and 1,234 included)."""
        value = self.cells[i][j]
        return is_number(value) or (
            isinstance(value, str | date) and (kind_of(value)[0] in _SPELT_NUMBERS or self.is_grade(value))
        )

    def is_grade(self, value: Any) -> bool:
        """Tell whether a cell holds a word that counts as a number."""
        if not self.grades or not isinstance(value, str | date):
            return False
        return code_key(value) in self.grades or code_key(spelt(value)) in self.grades

    def part(self, rows: range, columns: range) -> Table:
        """Return the table of some adjoining rows and columns."""
        return replace(
            self,
            cells=tuple(self.cells[i][columns.start : columns.stop] for i in rows),
            rows=self.rows[rows.start : rows.stop],
            columns=self.columns[columns.start : columns.stop],
        )

    def without(self, rows: Container[int], columns: Container[int]) -> Table:
        """Return the table without some of its rows and columns."""
        down = [i for i in range(self.n_rows) if i not in rows]
        right = [j for j in range(self.n_columns) if j not in columns]
        return replace(
            self,
            cells=tuple(tuple(self.cells[i][j] for j in right) for i in down),
            rows=tuple(self.rows[i] for i in down),
            columns=tuple(self.columns[j] for j in right),
        )

    def exchanged(self) -> Table:
        """Return the table with rows and columns exchanged."""
        merges = tuple((c1, r1, c2, r2) for r1, c1, r2, c2 in self.merges)
        cells = tuple(zip(*self.cells, strict=True)) if self.cells else ()
        rows, across = tuple(self.rows), not self.across
        return Table(self.grid, cells, self.columns, rows, across, merges, self.spaces, self.grades)


def table_of(grid: Grid) -> Table:
    """Take the rows and columns of a sheet that hold something."""
    table = _table_of_rows(grid)
    down, right = grid.origin[0] - 1, grid.origin[1] - 1
    if not down and not right:
        return table
    return replace(
        table,
        rows=tuple(row + down for row in table.rows),
        columns=tuple(column + right for column in table.columns),
        spaces=tuple((row + down, column + right) for row, column in table.spaces),
    )


def _table_of_rows(grid: Grid) -> Table:
    """Do so, with rows and columns counted from the first cell."""
    merges = tuple(merge for merge in grid.merged if merge[:2] != merge[2:])
    width = len(grid.rows[0]) if grid.rows else 0
    if len(grid.rows) * width <= _MOST_SLOTS:
        known = grid.coded_columns.known(grid.rows)
        columns = zip(*grid.rows, strict=True) if known is None else [one.values for one in known]
        held = [set(column) for column in columns]
        if not any(type(one) is str and not one[:1].isalnum() and is_blank(one) for each in held for one in each):
            return _without_spaces(grid, held, merges)
    filled_rows: list[int] = []
    filled_columns: set[int] = set()
    spaces: list[tuple[int, int]] = []
    blank: Any = None
    for number, row in enumerate(grid.rows, start=1):
        if row is blank:
            continue
        # Loaders share one tuple between blank rows; comparing identities skips a million of them at once.
        given = [j for j, value in enumerate(row) if value is not None]
        filled = [j for j in given if type(row[j]) is not str or row[j][:1].isalnum() or not is_blank(row[j])]
        if len(filled) < len(given):
            spaces += [(number, j + 1) for j in given if is_blank(row[j])]
        if filled:
            filled_rows.append(number)
            filled_columns.update(filled)
        elif not given:
            blank = row
    order = sorted(filled_columns)
    spaced = {row for row, _ in spaces}
    cells = tuple(
        tuple([None if number in spaced and is_blank(row[j]) else row[j] for j in order])
        for number, row in ((number, grid.rows[number - 1]) for number in filled_rows)
    )
    return Table(grid, cells, tuple(filled_rows), tuple(j + 1 for j in order), False, merges, tuple(spaces))


def _without_spaces(grid: Grid, held: Sequence[set[Any]], merges: tuple[tuple[int, int, int, int], ...]) -> Table:
    """Do the same for a sheet without cells of spaces; `held` are the values in each column."""
    order = [j for j, values in enumerate(held) if values - {None}]
    rows: tuple[tuple[Any, ...], ...] = grid.rows
    numbers: Sequence[int] = range(1, len(rows) + 1)
    if all(None in held[j] for j in order):
        blank = (None,) * len(held)
        filled = [number for number, row in zip(numbers, rows, strict=True) if row != blank]
        rows, numbers = tuple([rows[number - 1] for number in filled]), tuple(filled)
    if len(order) < len(held):
        rows = tuple([tuple([row[j] for j in order]) for row in rows])
    places = tuple(j + 1 for j in order)
    coded_columns = grid.coded_columns if rows is grid.rows else CodedColumns()
    return Table(grid, rows, numbers, places, False, merges, coded_columns=coded_columns)


def _any_between(places: Sequence[int], chosen: Sequence[int], first: int, last: int) -> bool:
    """Tell whether one of the chosen rows (or columns) lies on the sheet between two numbers."""
    at = bisect_left(chosen, bisect_left(places, first))
    return at < len(chosen) and places[chosen[at]] <= last


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCells:
    """The cells of a block of scores.

    Attributes
    ----------
    values
        (K,) what they hold; None = not assessed.
    address_of, format_of
        Address and number format of entry k; None for `format_of` when every cell is General.
    """

    values: Sequence[Any]
    address_of: Callable[[int], str]
    format_of: Callable[[int], str] | None = None

    def addresses(self, entries: Iterable[int]) -> tuple[str, ...]:
        """Spell the addresses of some of them."""
        return tuple(self.address_of(int(k)) for k in entries)


def cells_at(table: Table, places: Sequence[tuple[int, int]]) -> ScoreCells:
    """Take the cells at some places of a table."""
    return ScoreCells(
        [table.cells[i][j] for i, j in places],
        lambda k: table.at(*places[k]),
        (lambda k: table.number_format(*places[k])) if table.grid.number_formats else None,
    )
