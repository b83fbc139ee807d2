"""The line "Up to date" of a summary, which follows the cells of the input by a formula, for every system.

A block is watched by the count of its numbers, by their sum with places as weights, in which a single change always
shows and an exchange of two different numbers as well, and where texts may stand in it by the count of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.frozen import dataclass
from panelcal.reading.grid import Grid, address, block_address, corners_of, sheet_reference
from panelcal.reporting.model import Highlight, Note

STALE = "OUT OF DATE"
_LONGEST_LITERAL = 200  # a spreadsheet takes 255 characters
_CLOSE = 1e-12
_LONGEST_WATCHED, _LONGEST_IN_ARRAY = 6000, 255  # characters of a formula, which has 8192, and of a text in it
_ROWS_BELOW = 500


@dataclass(frozen=True, slots=True)
class WatchedBlock:
    """A block of the input as it was read.

    Attributes
    ----------
    sheet, block
        Its sheet and its address there.
    count
        How many numbers it held.
    total
        Sum of number x (1 + place / size of the block), the places counted row by row from 0.
    texts
        How many texts it held, None where none are expected.
    squares
        Sum of squares, for scores: several that change at once by small whole numbers could leave `total` as it is.
    """

    sheet: str
    block: str
    count: int
    total: float
    texts: int | None = None
    squares: float = 0.0

    @property
    def unchanged(self) -> str:
        """Spell the condition that the block still holds what it held."""
        block = sheet_reference(self.sheet, self.block)
        top, left, bottom, right = corners_of(self.block)
        corner = sheet_reference(self.sheet, address(top, left))
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
        same = _close(total, self.total)
        if self.texts is None:
            return f"IF(COUNT({block})={self.count},{same},FALSE)"
        same = f"AND({same},{_close(f'SUMSQ({block})', self.squares)})"
        filled = f"SUMPRODUCT(--(LEN({block})>0))={self.count + self.texts}"
        return f"IF({filled},IF(COUNT({block})={self.count},{same},FALSE),FALSE)"


def unchanged_texts(grid: Grid) -> str:
    """Spell the condition that a sheet of names still says what it said, letter by letter; empty where it cannot be.

    That is where it holds dates or the like, or more than one formula can hold.
    """
    block = block_address(1, 1, grid.n_rows, grid.n_columns)
    rows = [[_as_text(grid.value(i, j)) for j in range(1, grid.n_columns + 1)] for i in range(1, grid.n_rows + 1)]
    if not rows or any(text is None or len(text) > _LONGEST_IN_ARRAY for row in rows for text in row):
        return ""
    texts = ";".join(",".join('"' + str(text).replace('"', '""') + '"' for text in row) for row in rows)
    if len(texts) > _LONGEST_WATCHED:
        return ""
    below = block_address(grid.n_rows + 1, 1, grid.n_rows + _ROWS_BELOW, grid.n_columns)
    same = f"SUMPRODUCT(--EXACT({sheet_reference(grid.sheet, block)},{{{texts}}}))={grid.n_rows * grid.n_columns}"
    return f"IF(COUNTA({sheet_reference(grid.sheet, below)})=0,{same},FALSE)"


def _as_text(value: Any) -> str | None:
    """Spell a cell as a formula reads it as a text; None where that hangs on how it is shown."""
    if value is None or isinstance(value, str):
        return value or ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _close(formula: str, value: float) -> str:
    return f"ABS({formula}-{value!r})<={_CLOSE * max(abs(value), 1e-300)!r}"


def watched_block(grid: Grid, block: str, *, with_texts: bool = False) -> WatchedBlock | None:
    """Return a block as a formula can watch it; None where it holds what a spreadsheet may count otherwise.

    Parameters
    ----------
    grid, block
        The sheet and the address of the block on it.
    with_texts
        Whether texts may stand in it.
    """
    top, left, bottom, right = corners_of(block)
    flat = [grid.value(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)]
    texts = sum(isinstance(value, str) and value != "" for value in flat)
    if texts and not with_texts:
        return None
    if any(
        value is not None and (isinstance(value, bool) or not isinstance(value, int | float | str)) for value in flat
    ):
        return None
    known = [value for value in flat if isinstance(value, int | float)]
    numbers = np.array([value if isinstance(value, int | float) else 0.0 for value in flat], dtype=np.float64)
    total = float(numbers @ (1 + np.arange(len(numbers)) / len(numbers)))
    return WatchedBlock(grid.sheet, block, len(known), total, texts if with_texts else None, float(numbers @ numbers))


def up_to_date_note(good: str, checks: Sequence[tuple[str, str]]) -> Note:
    """Say in row 3 that all is up to date, by a formula that turns when it is not.

    Parameters
    ----------
    good
        What is said while every check holds.
    checks
        Condition, and the expression of what is said where it fails; the first that fails speaks.
    """
    formula = literal(good)
    for condition, otherwise in reversed(checks):
        formula = f"IF({condition},{formula},{otherwise})"
    return Note(row=3, text=good, style="good", formula=f"={formula}", highlight=Highlight("text", starts=STALE))


def stale_literal(what: str) -> str:
    """Spell for a formula that something has changed since and what to do."""
    return literal(f"{STALE}: {what} since; calibrate again.")


def literal(text: str) -> str:
    """Spell a text for a formula, in pieces where it is longer than a formula takes at once."""
    pieces = re.findall(f".{{1,{_LONGEST_LITERAL}}}", text)
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)
