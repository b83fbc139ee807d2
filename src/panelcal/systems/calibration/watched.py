"""Blocks of plain numbers of the input that a formula watches by their count and by a sum with places as weights.

A single change always shows in such a sum, and an exchange of two different numbers as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from panelcal.reading.grid import Grid, address, corners_of, sheet_reference
from panelcal.reading.reading import Reading

_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class WatchedBlock:
    """A block of plain numbers of the input.

    Attributes
    ----------
    block
        Its address on the sheet of the scores.
    count
        How many numbers it held when it was read.
    total
        Sum of number x (1 + place / size of the block), the places counted row by row from 0.
    """

    block: str
    count: int
    total: float


def watched_confidences(reading: Reading, grid: Grid) -> WatchedBlock | None:
    """Return the confidences as a formula can watch them: plain numbers in one block beside the scores, else None."""
    block = reading.confidence_block
    if not block:
        return None
    top, left, bottom, right = corners_of(block)
    cells = [[grid.value(i, j) for j in range(left, right + 1)] for i in range(top, bottom + 1)]
    flat = [value for row in cells for value in row]
    if any(value is not None and (isinstance(value, bool) or not isinstance(value, int | float)) for value in flat):
        return None
    numbers = np.array([0.0 if value is None else float(value) for value in flat])
    total = float(numbers @ (1 + np.arange(len(numbers)) / len(numbers)))
    return WatchedBlock(block, sum(value is not None for value in flat), total)


def unchanged(sheet: str, watched: WatchedBlock) -> str:
    """Spell the condition that the block still holds what it held."""
    block = sheet_reference(sheet, watched.block)
    top, left, bottom, right = corners_of(watched.block)
    corner = sheet_reference(sheet, address(top, left))
    # Places are counted from the block's own corner, which moves along when rows or columns are inserted before it.
    across = f"COLUMN({block})-COLUMN({corner})"
    down = f"ROW({block})-ROW({corner})"
    width, height = right - left + 1, bottom - top + 1
    if height == 1:
        place = across
    elif width == 1:
        place = down
    else:
        place = f"({down})*{width}+{across}"
    total = f"SUMPRODUCT({block},1+({place})/{width * height})"
    slack = _CLOSE * max(abs(watched.total), 1e-300)
    return f"IF(COUNT({block})={watched.count},ABS({total}-{watched.total!r})<={slack!r},FALSE)"
