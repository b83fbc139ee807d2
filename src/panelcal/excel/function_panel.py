"""From the arguments of a cell function to a calibrated panel, once for each content.

The range is read by the same rules as a sheet: codes, numbers as text, a row of credits, totals. What is refused is
named by its cell on the sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from panelcal.calibration.averages import Comparison, assessor_average, compare
from panelcal.calibration.gauges import GaugeName
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.robustness import Robustness, robustness
from panelcal.calibration.uncertainty import Uncertainty, uncertainty
from panelcal.errors import InputRefused
from panelcal.excel.cells_argument import Cells
from panelcal.excel.function_headings import headings_of
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import is_blank, is_number, label_text
from panelcal.reading.confidences import DeclaredCells, confidences_from
from panelcal.reading.grid import Grid, Source, address, corners_of
from panelcal.reading.problems import Problems
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.reading.settings import SETTING_HEADINGS, SETTINGS_SHEET, Settings

_NAMELESS = "range"


class Solved:
    """A panel from a sheet's range, calibrated; what builds on it is computed when it is asked for."""

    def __init__(self, reading: Reading, headed: bool, gauge: GaugeName, reference: float | None) -> None:
        self.reading = reading
        self.headed = headed
        self.calibration: Calibration = calibrate(reading.panel, gauge=gauge, reference=reference)
        self.spills: dict[str, list[list[Any]]] = {}

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """Standard errors and intervals."""
        return uncertainty(self.calibration)

    @cached_property
    def robustness(self) -> Robustness:
        """Bounds."""
        return robustness(self.calibration)

    @cached_property
    def comparison(self) -> Comparison:
        """The four methods of Table 1."""
        return compare(self.calibration.panel, gauge=self.calibration.gauge, calibration=self.calibration)

    @cached_property
    def raw(self) -> np.ndarray:
        """(n_objects,) confidence-weighted average of the scores that each object was given."""
        return self.comparison.weighted_average

    @cached_property
    def assessor_raw(self) -> np.ndarray:
        """(n_assessors,) confidence-weighted average of the scores that each assessor gave."""
        return assessor_average(self.calibration.panel)


def solve(scores: Cells, confidence: Cells | None, headers: Any, gauge: Any) -> Solved:
    """Read the arguments of a function and calibrate.

    Raises
    ------
    PanelcalError
        If they cannot be read without guessing, or the panel cannot be calibrated.
    """
    rows = filled(scores.rows())
    if not rows:
        raise InputRefused("The range of scores is empty.")
    if len(rows) == 1 and len(rows[0]) == 1:
        raise InputRefused(
            "One cell is no panel: give a range with a row for each object and a column for each assessor."
        )
    top, left = headings_of(rows, headers)
    placed = Placed(len(rows), len(rows[0]), top, left, *origin_of(scores))
    name, reference = _gauge(gauge)
    reading = read_panel(placed.source(rows), sheet=placed.sheet)
    if confidence is not None:
        given = confidence.rows()
        if not all(is_blank(value) for row in given for value in row):
            shape = (len(scores.raw), len(scores.raw[0]))
            numbers = _confidences(placed, reading, given, shape, origin_of(confidence))
            reading = replace(reading, panel=replace(reading.panel, confidences=numbers))
    return Solved(reading, top, name, reference)


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a range is on its sheet, and what is put before it when it has no names of its own."""

    n_rows: int
    n_columns: int
    top: bool
    left: bool
    sheet: str
    row: int
    column: int

    def source(self, rows: Sequence[tuple[Any, ...]]) -> Source:
        """Lay the cells out with names in the first row and column, as the reader expects them."""
        laid = [tuple(row) for row in rows]
        if self.top:
            # Declared to be names, so numbers among them are: judges 1, 2, 3.
            corner, names = laid[0][: self.left], laid[0][self.left :]
            laid[0] = (*corner, *(f"Assessor {label_text(name)}" if is_number(name) else name for name in names))
        if not self.left:
            laid = [(f"Object {number}", *row) for number, row in enumerate(laid, 0 if self.top else 1)]
            laid[0] = ("Object", *laid[0][1:]) if self.top else laid[0]
        if not self.top:
            laid.insert(0, ("Object", *(f"Assessor {number}" for number in range(1, len(laid[0])))))
        grids = [Grid(self.sheet, tuple(laid), origin=self._origin)]
        if not (self.top and self.left):
            choice = (SETTING_HEADINGS[:2], ("Layout", "objects down"))
            grids.append(Grid(SETTINGS_SHEET, choice))
        return Source("the workbook", tuple(grids), self.sheet, kind="range")

    @property
    def _origin(self) -> tuple[int, int]:
        """Place on the sheet of the first cell laid out: names put before a range stand above and beside it."""
        return self.row - (not self.top), self.column - (not self.left)

    def within(self, cell: str) -> tuple[int, int]:
        """Place of a cell of the sheet in the range, from 0."""
        row, column, _, _ = corners_of(cell)
        return row - self.row, column - self.column


def origin_of(scores: Cells) -> tuple[str, int, int]:
    """Sheet, first row and first column of a block; an unnamed sheet and A1 for what was computed in the formula."""
    if scores.source is None:
        return _NAMELESS, 1, 1
    sheet = scores.source.sheet.name
    return (
        _NAMELESS if sheet.casefold() == SETTINGS_SHEET.casefold() else sheet,
        scores.source.row,
        scores.source.column,
    )


def filled(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Drop blank rows below and blank columns to the right, as whole columns have them."""
    while rows and all(is_blank(value) for value in rows[-1]):
        rows.pop()
    width = max((k for row in rows for k, value in enumerate(row, 1) if not is_blank(value)), default=0)
    return [row[:width] for row in rows]


def _gauge(given: Any) -> tuple[GaugeName, float | None]:
    """Read the argument gauge: a word, or the mean to hold."""
    if given is None or is_blank(given):
        return "weighted", None
    if is_number(given):
        return "reference", float(given)
    word = str(given).strip().casefold()
    if word not in ("weighted", "equal", "reference"):
        raise InputRefused(
            'The argument gauge must be "weighted", "equal", "reference" or a number to hold as the mean.'
        )
    return word, None  # type: ignore[return-value]


def _confidences(
    placed: Placed,
    reading: Reading,
    given: Sequence[tuple[Any, ...]],
    whole: tuple[int, int],
    origin: tuple[str, int, int],
) -> np.ndarray:
    """Find the confidence of every assessment in a block, a row, a column or a single cell."""
    height, width = len(given), len(given[0])
    before_rows = _shift(height, whole[0], int(placed.top))
    before_columns = _shift(width, whole[1], int(placed.left))
    if before_rows is None or before_columns is None:
        raise InputRefused(
            f"The confidences are {height} x {width} cells and the scores {whole[0]} x {whole[1]}: give as many, one "
            "row for the columns of scores, one column for the rows, or a single cell."
        )
    sheet, first_row, first_column = origin
    values, cells = [], []
    for cell in reading.score_cells:
        row, column = placed.within(cell)
        i = 0 if height == 1 else row - before_rows
        j = 0 if width == 1 else column - before_columns
        values.append(given[i][j])
        cells.append(address(first_row + i, first_column + j))
    problems = Problems()
    declared = DeclaredCells(tuple(values), tuple(cells), sheet)
    numbers, _ = confidences_from(declared, Settings(), problems)
    problems.stop_if_any()
    return numbers


def _shift(size: int, whole: int, names: int) -> int | None:
    """How many of the lines of scores come before the first line of confidences; None where the sizes do not fit.

    A block that covers the names of the scores too is as large as they are.
    """
    if size == whole:
        return 0
    return names if size in (1, whole - names) else None
