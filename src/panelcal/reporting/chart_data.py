"""What a writer must work out before it can draw a chart: the values shown, ends of axes, sizes of markers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from panelcal.reporting.model import CellRange, CellValue, Chart, Report

CROWDED = 12
"""More categories than this are written upright."""

_FEWEST_STEPS, _MOST_STEPS, _FEW_WHOLE = 4, 20, 5  # of the figures on an axis
_MARKERS = {"circle": 6, "triangle": 7, "x": 6, "plus": 7, "diamond": 7, "none": 0}
_FIRST_PIXEL, _LAST_PIXEL = 37.0, 1530.0  # between the row numbers and the scroll bar
_PER_CHARACTER, _PER_CENTIMETRE = 7.83, 39.3
_EDGE_OF_CELL = 5.0 / 7.0
_USUAL_WIDTH = 8.43


class ChartData:
    """Looks up the values behind a cell range, so that a chart can store what it shows.

    Parameters
    ----------
    report
        The report whose tables hold the cells.
    """

    def __init__(self, report: Report) -> None:
        self._columns: dict[tuple[str, int], list[tuple[int, Sequence[CellValue]]]] = {}
        for sheet in report.sheets:
            for table in sheet.tables:
                for number, column in enumerate(table.columns, table.column):
                    self._columns.setdefault((sheet.name, number), []).append((table.row + 1, column.cells))

    def values(self, block: CellRange) -> Sequence[CellValue] | None:
        """Return the values in a block of one column or one row that lies within one table, else None."""
        if block.first_row == block.last_row and block.first_column < block.last_column:
            numbers = range(block.first_column, block.last_column + 1)
            row = [self.values(replace(block, first_column=k, last_column=k)) for k in numbers]
            return [cells[0] for cells in row if cells] if all(row) else None
        for first, cells in self._columns.get((block.sheet, block.first_column), []):
            if first <= block.first_row and block.last_row < first + len(cells):
                return cells[block.first_row - first : block.last_row - first + 1]
        return None


def marker_size(symbol: str, points: int) -> int:
    """Size of a marker in points; smaller where many share the picture, so that they do not run together."""
    return max(_MARKERS[symbol] - (0 if points <= 30 else 1 if points <= 60 else 2 if points <= 200 else 3), 3)


def rounded_ends(values: ArrayLike) -> tuple[float, float]:
    """Ends of an axis on round numbers about the values; a spreadsheet program would often begin at zero instead."""
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    step = 10.0 if np.ptp(known) > 25 else 5.0 if np.ptp(known) > 8 else 1.0
    return float(np.floor(known.min() / step) * step), float(np.ceil(known.max() / step) * step)


def vertical_ends(chart: Chart, sheet: str, data: ChartData) -> tuple[float | None, float | None]:
    """Ends of the vertical axis such that error bars fit, which spreadsheet programs do not see to."""
    if not any(series.plus or series.minus for series in chart.series):
        return chart.y_low, chart.y_high
    reached: list[float] = [] if chart.kind in ("scatter", "points") else [0.0]
    for series in chart.series:
        middle = _known(series.y, sheet, data)
        for bar, sign in ((series.plus, 1.0), (series.minus, -1.0)):
            lengths = _known(bar, sheet, data) if bar else [0.0] * len(middle)
            reached += [y + sign * length for y, length in zip(middle, lengths, strict=False)]
    reached = [value for value in reached if math.isfinite(value)]
    if not reached:
        return chart.y_low, chart.y_high
    low, high = min(reached), max(reached)
    step = _round_step((high - low) / 6.0)
    return (
        step * math.floor(low / step) if chart.y_low is None else chart.y_low,
        step * math.ceil(high / step) if chart.y_high is None else chart.y_high,
    )


def tick_step(low: float | None, high: float | None) -> float | None:
    """Distance of the figures on an axis, where a program's own choice would leave out zero or show halves of one.

    None where the program may choose.
    """
    if low is None or high is None:
        return None
    if low < 0.0 < high:
        power = 10.0 ** math.ceil(math.log10(high - low))
        steps = (factor * power / scale for scale in (1.0, 10.0, 100.0) for factor in (1.0, 0.5, 0.2))
        usual = (step for step in steps if _FEWEST_STEPS <= (high - low) / step <= _MOST_STEPS)
        return next((step for step in usual if _divides(step, low) and _divides(step, high)), None)
    whole = float(low).is_integer() and float(high).is_integer()
    return 1.0 if whole and 1.0 < high - low <= _FEW_WHOLE else None


def _divides(step: float, end: float) -> bool:
    return abs(end / step - round(end / step)) < 1e-6


def _known(block: CellRange, sheet: str, data: ChartData) -> list[float]:
    values = data.values(block if block.sheet else block.on(sheet)) or ()
    return [float(value) if isinstance(value, int | float) else math.nan for value in values]


def _round_step(rough: float) -> float:
    """Smallest of 1, 2, 5 times a power of ten that is not below `rough`."""
    if rough <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * (1.0 - 1e-9))


def centimetres_right_of(widths: Mapping[int, float], column: int) -> float:
    """How many centimetres of the screen are left from the left edge of a column on, below 0 where it is beyond.

    Of one 1600 pixels wide, so that a chart is seen whole when its sheet is opened. Measured in LibreOffice with its
    side bar open, which leaves the least; in Excel there is more.

    Parameters
    ----------
    widths
        In characters by column number; the others are of the usual width.
    column
        In which a chart begins.
    """
    before = sum(widths.get(number, _USUAL_WIDTH) + _EDGE_OF_CELL for number in range(1, column))
    return (_LAST_PIXEL - _FIRST_PIXEL - before * _PER_CHARACTER) / _PER_CENTIMETRE
