"""Sheets whose labels are not where they are looked for: ids behind the scores, headings one place to the left.

Headings are one place to the left where a program writes the names of the rows without a heading of their own, as R
does. In both cases the table is seen in the usual order; every cell keeps its address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, kind_of
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic
from panelcal.reading.label_checks import looks_like_people
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_LABELS = (Role.OBJECT, Role.IDENTIFIER, Role.NAME, Role.ABOUT, Role.ASSESSOR)
_FEWEST_ROWS, _FEWEST_COLUMNS = 4, 3
_NUMBERED = re.compile(r"(?P<stem>.*?[^\W\d])[\s_.#-]*\d{1,3}")


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedTable(Table):
    """A sheet whose headings stand one place to the left of their columns.

    Attributes
    ----------
    head
        The row of headings, by its number on the sheet.
    """

    head: int = 0

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Return (row, column) on the sheet."""
        return self.rows[i], self.columns[j - 1] if j and self.rows[i] == self.head else self.columns[j]


def in_usual_order(table: Table, row: int, settings: Settings) -> Table:
    """Return a table with its ids in the first column and its headings above their columns.

    Parameters
    ----------
    row
        The row of headings.
    """
    if table.across or table.merges or table.n_rows - row - 1 < _FEWEST_ROWS or table.n_columns < _FEWEST_COLUMNS:
        return table
    if _is_shifted(table, row, settings):
        cells = (*table.cells[:row], (None, *table.cells[row][:-1]), *table.cells[row + 1 :])
        return ShiftedTable(
            table.grid, cells, table.rows, table.columns, False, (), table.spaces, table.grades, table.rows[row]
        )
    last = _ids_behind(table, row, settings)
    if last is None:
        return table
    order = [last, *(j for j in range(table.n_columns) if j != last)]
    return replace(
        table,
        cells=tuple(tuple(cells[j] for j in order) for cells in table.cells),
        columns=tuple(table.columns[j] for j in order),
    )


def _is_shifted(table: Table, row: int, settings: Settings) -> bool:
    """Tell whether the last heading is missing and the first is another of the same kind, above texts."""
    heads = table.cells[row]
    texts = [head for head in heads[:-1] if isinstance(head, str)]
    if heads[-1] is not None or len(texts) < len(heads) - 1 or role_in(settings, heads[0]) is not Role.OTHER:
        return False
    if is_statistic(texts[-1]) or any(role_in(settings, text) is not Role.OTHER for text in texts):
        return False
    ids = [cells[0] for cells in table.cells[row + 1 :]]
    numbers = all(_mostly_numbers(table, row, j) for j in range(1, table.n_columns))
    stems = {match["stem"].casefold() if (match := _NUMBERED.fullmatch(text)) else "" for text in texts}
    alike = looks_like_people(texts) or (len(stems) == 1 and "" not in stems)
    named = all(isinstance(one, str) for one in ids)
    return numbers and alike and named and len(set(ids)) == len(ids)


def _ids_behind(table: Table, row: int, settings: Settings) -> int | None:
    """Return the column of texts behind the scores that names the rows, where the first columns hold scores."""
    heads = table.cells[row]
    if role_in(settings, heads[0]) in _LABELS or not _mostly_numbers(table, row, 0) or heads[0] is None:
        return None
    texts = [j for j in range(table.n_columns) if isinstance(heads[j], str) and _only_texts(table, row, j)]
    if not texts or texts[0] < 2 or not all(_mostly_numbers(table, row, j) for j in range(texts[0])):
        return None
    if all(is_statistic(heads[j]) or role_in(settings, heads[j]) in _LABELS for j in range(texts[0])):
        return None  # a place and a number, and no scores, stand before the names
    return next((j for j in texts if role_in(settings, heads[j]) in (Role.OBJECT, Role.IDENTIFIER, Role.NAME)), None)


def _mostly_numbers(table: Table, row: int, j: int) -> bool:
    held = [i for i in range(row + 1, table.n_rows) if table.cells[i][j] is not None]
    return bool(held) and 2 * sum(table.numeric(i, j) for i in held) > len(held)


def _only_texts(table: Table, row: int, j: int) -> bool:
    held: Sequence[Any] = [cells[j] for cells in table.cells[row + 1 :]]
    full = all(isinstance(value, str) and kind_of(value)[0] is Kind.TEXT for value in held)
    return full and len(set(held)) == len(held)
