"""Number formats, hidden rows and columns, and merged cells of a block, asked for in as few calls as can be.

Excel answers for a whole block when all its cells agree, and "mixed" otherwise; parts of a mixed
block are then asked about. The number of calls stays below a few for each row and column: on a sheet more mixed than
that, the rest is left unknown for number formats (taken as General), which bear on percentages and leading zeros only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, cast

import xlwings as xw

Block = tuple[int, int, int, int]
"""First row, first column, last row, last column."""

_SPARE_CALLS = 200
_CALLS_PER_LINE = 2
# On a Mac xlwings takes the areas from an address, which Excel ends after 255 characters.
_AREAS_IN_AN_ADDRESS = 10


def number_formats(cells: xw.Range, rows: Sequence[Sequence[Any]]) -> dict[tuple[int, int], str]:
    """Number format of every cell that holds a value and is not in the format "General"."""
    found: dict[tuple[int, int], str] = {}

    def take(block: Block, code: Any) -> None:
        if code is None or code == "General":
            return
        for i in range(block[0], block[2] + 1):
            values = rows[i - cells.row]
            for j in range(block[1], block[3] + 1):
                if values[j - cells.column] is not None:
                    found[i, j] = code

    _ask(cells, lambda part: part.number_format, take)
    return found


def merged_blocks(cells: xw.Range) -> tuple[Block, ...]:
    """Blocks of merged cells that touch a block."""
    found: list[Block] = []

    def take(block: Block, merged: Any) -> None:
        if not merged:
            return
        for row in range(block[0], block[2] + 1):
            for column in range(block[1], block[3] + 1):
                if not any(_holds(known, row, column) for known in found):
                    area = cells.sheet.range((row, column)).merge_area
                    found.append((area.row, area.column, _ends(area, 0)[1] - 1, _ends(area, 1)[1] - 1))

    def whether_merged(part: xw.Range) -> bool | None:
        answer = part.merge_cells
        return answer if isinstance(answer, bool) else None  # a Mac has a word of its own for "mixed"

    _ask(cells, whether_merged, take)
    return tuple(found)


def hidden_lines(cells: xw.Range) -> tuple[frozenset[int], frozenset[int]]:
    """Numbers of the hidden (or filtered away) rows and columns of a block."""
    rows, columns = set(range(*_ends(cells, 0))), set(range(*_ends(cells, 1)))
    try:
        areas = cast(list[xw.Range], cells.get_special_cells("visible"))
    except Exception:  # a protected sheet does not answer, and each platform says so in its own way
        return frozenset(_hidden_one_by_one(cells, 0)), frozenset(_hidden_one_by_one(cells, 1))
    cut_short = sys.platform == "darwin" and len(areas) >= _AREAS_IN_AN_ADDRESS
    if not areas or cut_short:
        # Where nothing is to be seen, it does not show whether rows or columns are hidden: ask them.
        return frozenset(_hidden_one_by_one(cells, 0)), frozenset(_hidden_one_by_one(cells, 1))
    for area in areas:
        rows -= set(range(*_ends(area, 0)))
        columns -= set(range(*_ends(area, 1)))
    return frozenset(rows), frozenset(columns)


def _hidden_one_by_one(cells: xw.Range, axis: int) -> list[int]:
    """Ask each row (axis 0) or column (axis 1)."""
    lines = cells.rows if axis == 0 else cells.columns
    first = _ends(cells, axis)[0]
    return [first + k for k in range(len(lines)) if (lines[k : k + 1]).hidden]


def _ends(area: xw.Range, axis: int) -> tuple[int, int]:
    first = area.row if axis == 0 else area.column
    return first, first + area.shape[axis]


def _ask(cells: xw.Range, question: Callable[[xw.Range], Any], take: Callable[[Block, Any], None]) -> None:
    """Ask about a block; where the answer is None for "mixed", about the largest parts of it that agree.

    From a mixed block the longest stretch of its first column that agrees is taken, widened as far as it goes on
    agreeing, and what is left to the right and below is asked about in turn. A sheet with headings, sums below and
    averages beside falls into a handful of such parts.
    """
    (r1, r2), (c1, c2) = _ends(cells, 0), _ends(cells, 1)
    calls_left = _CALLS_PER_LINE * (r2 - r1 + c2 - c1) + _SPARE_CALLS

    def answer(block: Block) -> Any:
        nonlocal calls_left
        calls_left -= 1
        return question(cells.sheet.range(block[:2], block[2:]))

    def furthest(spread: Callable[[int], Block], low: int, high: int) -> int:
        """Find the last line up to which the cells agree, knowing that those up to `low` do."""
        while low < high:
            middle = (low + high + 1) // 2
            if answer(spread(middle)) is None:
                high = middle - 1
            else:
                low = middle
        return low

    waiting: list[Block] = [(r1, c1, r2 - 1, c2 - 1)]
    while waiting and calls_left > 0:
        top, left, bottom, right = block = waiting.pop()
        found = answer(block)
        if found is not None:
            take(block, found)
            continue
        row = furthest(lambda line: (top, left, line, left), top, bottom)  # noqa: B023 - used at once
        column = furthest(lambda line: (top, left, row, line), left, right)  # noqa: B023
        take((top, left, row, column), answer((top, left, row, column)))
        if row < bottom:
            waiting.append((row + 1, left, bottom, right))
        if column < right:
            waiting.append((top, column + 1, row, right))


def _holds(block: Block, row: int, column: int) -> bool:
    return block[0] <= row <= block[2] and block[1] <= column <= block[3]
