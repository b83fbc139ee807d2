"""Another column of ids where the first that is headed so is the same throughout, mostly blank or shared by several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.reading.headings import words_of
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import ADDRESSES

_SEVERAL = 3
_SHARE_ADDRESSED = 0.8


def telling_ids(table: Table, row: int, identifier: int, columns: Sequence[int]) -> int:
    """Return another column, different in every row, where the ids are the same throughout, as a competition's are."""
    rows = range(row + 1, table.n_rows)

    def different(j: int) -> int:
        return len({value for i in rows if (value := table.cells[i][j]) is not None})

    if len(rows) < _SEVERAL or different(identifier) > 1:
        return identifier
    filled = sum(table.cells[i][identifier] is not None for i in rows)
    return next((j for j in columns if j != identifier and different(j) >= filled >= _SEVERAL), identifier)


def fuller_ids(table: Table, row: int, identifier: int, columns: Sequence[int]) -> int:
    """Return another column of texts where the ids are blank and these are not, as below a heading over many items."""
    rows = range(row + 1, table.n_rows)
    blank = [i for i in rows if table.cells[i][identifier] is None]
    if 2 * len(blank) < len(rows) or len(blank) < _SEVERAL:
        return identifier
    for j in columns:
        held = [table.cells[i][j] for i in blank]
        if all(isinstance(value, str) for value in held) and len(set(held)) == len(held):
            return j
    return identifier


def own_addresses(table: Table, row: int, head: Sequence[Any], identifier: int) -> int:
    """Return the column of e-mail addresses, all different, where names of people are not."""
    rows = range(row + 1, table.n_rows)
    names = [table.cells[i][identifier] for i in rows if table.cells[i][identifier] is not None]
    if len(set(names)) == len(names):
        return identifier
    for j in range(table.n_columns):
        held = [value for i in rows if isinstance(value := table.cells[i][j], str) and "@" in value]
        if (
            not ADDRESSES.isdisjoint(words_of(head[j]))
            and len(set(held)) == len(held) >= _SHARE_ADDRESSED * len(names) > 0
        ):
            return j
    return identifier
