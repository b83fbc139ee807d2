"""What a cell function is handed: a block of raw cell values that is made sense of only when it is new.

Ten formulas on one range hand over the same block ten times. It is kept as it comes from Excel and recognised by its
content, so that none but the first pays for converting thousands of cells.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import xlwings as xw
from xlwings.conversion import Accessor, Pipeline, ReadValueFromRangeStage

from panelcal.excel.read_sheet import cells_from
from panelcal.frozen import dataclass

MISSING = -2147352572
"""What arrives for an optional argument that was left out."""

_PLAIN = 2  # the marshal format that spells equal contents with equal bytes


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A block of cells as Excel hands it over.

    Attributes
    ----------
    raw
        Row by row.
    source
        The range it came from, None for values that were computed in the formula.
    """

    raw: Sequence[Sequence[Any]]
    source: xw.Range | None = None

    @property
    def content(self) -> bytes:
        """Bytes that are equal for equal contents; 65 and "65", or 1 and TRUE, differ."""
        try:
            return marshal.dumps(self.raw, _PLAIN)  # type: ignore[arg-type]
        except ValueError:  # dates
            return repr(self.raw).encode()

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the values as a `Grid` holds them."""
        engine = self.source.sheet.book.app.engine if self.source is not None else _engine()
        cleaned = self.raw if engine is None else engine.impl.clean_value_data(self.raw, datetime, None, None, True)
        return cells_from(cleaned)


class CellsArgument(Accessor):
    """Makes xlwings hand an argument over as `Cells`, or None where it was left out."""

    @staticmethod
    def reader(options: Mapping[str, Any]) -> Pipeline:
        """Return the stages of the conversion."""
        return Pipeline().append_stage(ReadValueFromRangeStage(options)).append_stage(_wrap)


def as_cells(argument: Any) -> Cells | None:
    """Take a function's argument as cells: a block, a row, a single value, or None for nothing."""
    if argument is None or isinstance(argument, Cells):
        return argument
    if type(argument) is int and argument == MISSING:
        return None
    if not isinstance(argument, list | tuple):
        return Cells(((argument,),))
    if not argument or not isinstance(argument[0], list | tuple):
        return Cells((tuple(argument),))
    return Cells(argument)


def _wrap(context: Any) -> None:
    cells = as_cells(context.value)
    if cells is None and context.range is not None:
        cells = Cells(((None,),))
    context.value = None if cells is None else Cells(cells.raw, context.range)


def _engine() -> Any:
    engines = xw.engines.engines_by_name
    return engines.get("excel")
