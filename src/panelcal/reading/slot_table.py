"""A sheet with slots for several reviewers in each row, seen as a list with one row per slot.

Only the view changes: every cell keeps its address, so that messages, links and the fingerprint speak of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from panelcal.frozen import dataclass
from panelcal.reading.grid import address, block_address
from panelcal.reading.table import CellGroup, Table


@dataclass(frozen=True, slots=True, eq=False)
class SlotTable(Table):
    """The list of slots.

    Attributes
    ----------
    places
        (n_rows)(n_columns) column on the sheet of every cell; `rows` has its row, once for every slot in it.
    """

    places: tuple[tuple[int, ...], ...] = ()

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Return (row, column) on the sheet."""
        return self.rows[i], self.places[i][j]

    def cells_of(self, rows: Sequence[int], j: int) -> Sequence[str]:
        """Spell the addresses of cells in a column of the list."""
        return tuple([address(self.rows[i], self.places[i][j]) for i in rows])

    def cell_groups(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[CellGroup]:
        """Sort cells by the columns on the sheet that their rows are in."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for i in rows:
            groups.setdefault(self.places[i], []).append(i)
        for places, found in groups.items():
            yield self.places_of(found), tuple((places[j], *self.coded(j).of(found)) for j in columns)

    def is_hidden_column(self, j: int) -> bool:
        """Tell whether a column of the list is hidden in any of the slots."""
        return any(columns[j] in self.grid.hidden_columns for columns in set(self.places))

    def merges_within(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Spell the merged ranges that touch a cell of the list."""
        below = {self.rows[i] for i in rows}
        used = {places[j] for places in set(self.places) for j in columns}
        for r1, c1, r2, c2 in self.merges:
            if any(r1 <= row <= r2 for row in below) and any(c1 <= column <= c2 for column in used):
                yield block_address(r1, c1, r2, c2)
