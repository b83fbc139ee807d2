"""The fingerprint of the cells that were read, so that a later run can tell whether a result is out of date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from panelcal.arrays import Indices
from panelcal.reading.coded_columns import by_appearance
from panelcal.reading.grid import address, column_letters

_MANY = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class CellBlock:
    """Cells of some rows and columns of a sheet.

    Attributes
    ----------
    sheet
        Its name.
    rows
        (K,) rows on the sheet.
    columns
        Column on the sheet, the values that occur in it, and (K,) which of them stands in each row.
    """

    sheet: str
    rows: Indices
    columns: tuple[tuple[int, Sequence[Any], Indices], ...]

    def triples(self) -> Iterator[tuple[str, str, Any]]:
        """Yield (sheet, address, value) row by row."""
        columns = [(column, values, index.tolist()) for column, values, index in self.columns]
        for k, row in enumerate(self.rows.tolist()):
            for column, values, index in columns:
                yield self.sheet, address(row, column), values[index[k]]

    def line(self) -> str:
        """Spell what stands in the block in one short line, the same for the same cells."""
        digest = hashlib.sha256()
        order = np.argsort(self.rows, kind="stable")
        digest.update(self.rows[order].astype("<i8").tobytes())
        for _, values, index in self.columns:
            used, places = by_appearance(index[order], len(values))
            spelled = [_spelled(values[k]) for k in used.tolist()]
            digest.update("\x1e".join(spelled).encode("utf-8", "surrogatepass"))
            digest.update(places.astype("<i8").tobytes())
        letters = ",".join(column_letters(column) for column, _, _ in self.columns)
        return f"{self.sheet}\x1f{letters}\x1f{len(self.rows)} rows:{digest.hexdigest()}"


@dataclass(slots=True, eq=False)
class CellsRead:
    """The cells that were read: (sheet, address, value) of single ones, and blocks of many."""

    cells: list[tuple[str, str, Any]] = field(default_factory=list)
    blocks: list[CellBlock] = field(default_factory=list)

    def all(self) -> Iterator[tuple[str, str, Any]]:
        """Yield every cell."""
        for block in self.blocks:
            yield from block.triples()
        yield from self.cells

    def fingerprint(self, settings: Iterable[tuple[str, str, Any]]) -> str:
        """Return the fingerprint of these and of the cells of the settings."""
        return fingerprint([*self.cells, *settings], self.blocks)


def fingerprint(cells: Iterable[tuple[str, str, Any]], blocks: Sequence[CellBlock] = ()) -> str:
    """Return the SHA-256, as hex, of (sheet, address, value) triples; their order does not matter.

    A whole number is the same whether a program stores it as 65 or as 65.0. Blocks count as their cells do, those of
    many rows as one digest each.
    """
    lines = {f"{sheet}\x1f{cell}\x1f{_spelled(value)}" for sheet, cell, value in cells}
    for block in blocks:
        if len(block.rows) > _MANY:
            lines.add(block.line())
        else:
            lines.update(f"{sheet}\x1f{cell}\x1f{_spelled(value)}" for sheet, cell, value in block.triples())
    return hashlib.sha256("\x1e".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()


def _spelled(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{type(value).__name__}:{value}"
