"""How many figures a number shows: one rule for each kind of quantity, two or three figures in all.

Values, errors and changes have one decimal and say so by their style; what follows is for quantities whose size is not
known beforehand: statistics, sensitivities, sums of weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.reporting.model import CellValue, Style

_LARGE = 10_000
_STEPS: tuple[tuple[float, Style], ...] = ((9_999.5, "large"), (99.95, "integer"), (9.995, "score"), (0.095, "precise"))
_SMALLEST = 0.00095


def statistic_style(figure: CellValue) -> Style:
    """Choose the style of a figure among words and figures of several kinds; words keep their column's own."""
    if isinstance(figure, bool) or not isinstance(figure, int | float):
        return "general"
    if isinstance(figure, int):
        return "large" if abs(figure) >= _LARGE else "integer"
    size = abs(figure)
    for least, style in _STEPS:
        if size >= least:
            return style
    return "precise" if size == 0 else "fine" if size >= _SMALLEST else "scientific"


def statistics_style(figures: Sequence[CellValue] | Array) -> Style:
    """Choose one style for a column of statistics, by the largest of them."""
    sizes = _sizes(figures)
    return statistic_style(float(sizes.max())) if sizes.size else "precise"


def sums_style(figures: Sequence[CellValue] | Array) -> Style:
    """Choose one style for a column of confidences or sums of them: whole numbers whole, others by the largest."""
    sizes = _sizes(figures)
    if sizes.size and np.array_equal(sizes, np.round(sizes)):
        return "large" if sizes.max() >= _LARGE else "integer"
    return statistics_style(figures)


def _sizes(figures: Sequence[CellValue] | Array) -> Array:
    sizes = np.abs(np.array(figures, dtype=np.float64))
    return np.asarray(sizes[np.isfinite(sizes)])
