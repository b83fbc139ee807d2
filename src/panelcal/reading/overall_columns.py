"""Columns headed Total or Overall beside several criteria of a list: a sum of them, or a score of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import kind_of
from panelcal.reading.table import Table

_FEWEST_ROWS = 5
_MOST_OVERALL = 4
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Overall:
    """What the columns headed as a total or a mean are.

    Attributes
    ----------
    sums
        Those that are the sum of all criteria in every row.
    criteria
        All criteria, in the order of the sheet: also a column called Overall that such a sum counts in.
    others
        The rest: scores of their own, as far as the numbers tell.
    """

    sums: tuple[int, ...]
    criteria: tuple[int, ...]
    others: tuple[int, ...]


def overall_columns(table: Table, head: int, criteria: Sequence[int], overall: Sequence[int]) -> Overall:
    """Tell sums from scores of their own by the rows in which all of them hold numbers.

    Parameters
    ----------
    head
        The row of headings.
    criteria, overall
        Columns of the criteria, and those that are headed as a total or a mean.
    """
    columns = [*criteria, *overall[:_MOST_OVERALL]]
    rows = np.array([[kind_of(table.cells[i][j])[1] for j in columns] for i in range(head + 1, table.n_rows)])
    rows = rows[~np.isnan(rows).any(axis=1)]
    place = {j: k for k, j in enumerate(columns)}
    if len(rows) < _FEWEST_ROWS:
        return Overall((), tuple(criteria), tuple(overall))
    for size in range(len(overall[:_MOST_OVERALL])):
        for also in combinations(overall[:_MOST_OVERALL], size):
            parts = sorted({*criteria, *also})
            total = rows[:, [place[j] for j in parts]].sum(axis=1)
            near = _CLOSE * max(1.0, float(np.abs(total).max()))
            held = {j: rows[:, place[j]] for j in columns if j not in parts}
            sums = tuple(j for j, values in held.items() if np.ptp(values) and np.abs(values - total).max() <= near)
            if sums:
                others = tuple(j for j in overall if j not in sums and j not in also)
                return Overall(sums, tuple(parts), others)
    return Overall((), tuple(criteria), tuple(overall))
