"""Columns as the different values in them and which of these stands in each row.

A long list repeats few values many times: what a value means is then looked at once, and the rest is numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np

from panelcal.arrays import Indices
from panelcal.frozen import dataclass

Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """The cells of a column.

    Attributes
    ----------
    values
        The different values in order of first appearance, 65 and 65.0 being one.
    index
        (K,) which of them each cell holds.
    """

    values: Sequence[Any]
    index: Indices

    def cells(self) -> list[Any]:
        """Return what each row holds."""
        values = np.empty(len(self.values), dtype=object)
        values[:] = self.values
        cells: list[Any] = values[self.index].tolist()
        return cells

    def of(self, rows: Sequence[int]) -> tuple[list[Any], Indices]:
        """Return the same for some rows: their different values, and (len(rows),) which of them stands in each."""
        used, index = by_appearance(self.index[as_indices(rows)], len(self.values))
        return [self.values[k] for k in used.tolist()], index


class CodedColumns:
    """The columns of some rows of cells, each coded when it is first asked for."""

    def __init__(self, rows: Rows | None = None, known: Iterable[CodedColumn] = ()) -> None:
        self._rows = rows
        self._known = dict(enumerate(known))

    def known(self, rows: Rows) -> Sequence[CodedColumn] | None:
        """Return all columns of these rows, None unless all of them were coded before."""
        if self._rows is not rows or not rows or len(self._known) != len(rows[0]):
            return None
        return [self._known[j] for j in range(len(rows[0]))]

    def column(self, rows: Rows, j: int) -> CodedColumn:
        """Return a column of these rows; what is known of other rows is forgotten."""
        if self._rows is not rows:
            self._rows, self._known = rows, {}
        if j not in self._known:
            self._known[j] = coded(list(map(itemgetter(j), rows)))
        return self._known[j]


def coded(cells: Sequence[Any]) -> CodedColumn:
    """Code cells by their values."""
    keys: Sequence[Any] = cells
    if bool in set(map(type, cells)):  # True equals 1, and is another value
        keys = [(type(value) is bool, value) for value in cells]
    places: defaultdict[Any, int] = defaultdict(count().__next__)  # a new value gets the next number
    index = np.fromiter(map(places.__getitem__, keys), np.intp, len(cells))
    return CodedColumn(list(places) if keys is cells else [value for _, value in places], index)


def by_appearance(index: Indices, below: int) -> tuple[Indices, Indices]:
    """Return which numbers below `below` there are, in order of first appearance, and (K,) the place of each there."""
    first = np.full(below, -1, dtype=np.intp)
    first[index[::-1]] = np.arange(len(index) - 1, -1, -1)  # of several the last one stays: the first in `index`
    used = np.flatnonzero(first >= 0)
    used = used[np.argsort(first[used], kind="stable")]
    place = np.empty(below, dtype=np.intp)
    place[used] = np.arange(len(used))
    return used, place[index]


def as_indices(rows: Sequence[int]) -> Indices:
    """Return numbers of rows as an array."""
    if isinstance(rows, range):
        return np.arange(rows.start, rows.stop, rows.step, dtype=np.intp)
    return np.array(rows, dtype=np.intp)


def in_one_run(rows: Sequence[int]) -> Sequence[int]:
    """Return ascending numbers as a range where none is left out between them."""
    if len(rows) > 1 and rows[-1] - rows[0] == len(rows) - 1:
        return range(rows[0], rows[-1] + 1)
    return rows
