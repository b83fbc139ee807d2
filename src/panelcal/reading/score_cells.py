"""The cells of a block of scores, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.table import Table


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
