"""What Excel is handed for a block of cells so that each cell ends up holding exactly what the report says.

Excel reads what a program writes as if somebody typed it: "012" becomes 12 and a module called MAR1 the first of March.
A leading apostrophe, which is no part of the text, keeps text as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.reporting.cell_content import stored
from panelcal.reporting.model import CellValue, Column, Table

Block = list[list[CellValue]]

# A block with a longer text or formula in it is refused by Excel as a whole.
_LONGEST_IN_BLOCK = 8_000
_LONGEST_TYPED = 60  # no number, date or word for true that could be typed is longer
_LONGEST_WORD = 12
_SIGNS = "=+-@'\t"
_LARGEST_SHORT_INTEGER = 2**31 - 1


def typed(value: CellValue) -> CellValue:
    """Spell one value as it has to be handed over; None leaves the cell blank."""
    value = stored(value)
    if isinstance(value, str):
        text = value[:_LONGEST_IN_BLOCK]
        return f"'{text}" if _could_be_misread(text) else text
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST_SHORT_INTEGER:
        return float(value)
    return value


def _could_be_misread(text: str) -> bool:
    if text[0] in _SIGNS:
        return True
    if len(text) > _LONGEST_TYPED:
        return False
    return len(text) <= _LONGEST_WORD or any(character.isdigit() for character in text)


def table_block(table: Table) -> Block:
    """Spell headings and rows of a table, with formulas in the place of values where there are any."""
    columns = [_column_cells(column, table.n_rows) for column in table.columns]
    return [[typed(column.heading) for column in table.columns], *(list(row) for row in zip(*columns, strict=True))]


def _column_cells(column: Column, n_rows: int) -> list[CellValue]:
    values = [typed(value) for value in column.cells]
    formulas: Sequence[str | None] = column.formulas or (None,) * n_rows
    return [formula or value for formula, value in zip(formulas, values, strict=True)]
