"""How much stands on a page of A4 whose columns are printed one page across."""

from __future__ import annotations

from collections.abc import Mapping

from panelcal.reporting.layout import column_widths
from panelcal.reporting.model import Sheet

MARGIN, FOOT_MARGIN = 0.35, 0.7
"""Inches: left, right and top; bottom."""

EDGE_OF_CELL = 5.0 / 7.0
"""Characters that a column takes besides its width."""

_POINTS_PER_INCH, _POINTS_PER_CHARACTER = 72.0, 7 * 0.75
_A4 = (595.3, 841.9)  # points
_USUAL = 9.14  # characters of a column without a width


def page_room(sheet: Sheet, first_column: int, last_column: int) -> float:
    """Height in points of what stands on a page of these columns, which LibreOffice scales by themselves.

    Excel scales a sheet by the widest of its blocks: there a narrower one is smaller and has more room.
    """
    return page_points(column_widths(sheet), last_column, portrait=sheet.portrait, first_column=first_column)


def page_points(widths: Mapping[int, float], last_column: int, *, portrait: bool, first_column: int = 1) -> float:
    """Height in points of what stands on a page whose scale is that of its columns."""
    down = _A4[1] if portrait else _A4[0]
    scale = page_scale(widths, first_column, last_column, portrait=portrait)
    return (down - _POINTS_PER_INCH * (MARGIN + FOOT_MARGIN)) / scale


def page_scale(widths: Mapping[int, float], first_column: int, last_column: int, *, portrait: bool) -> float:
    """Scale at which columns stand on one page across; programs do not make them larger than they are."""
    across = _A4[0] if portrait else _A4[1]
    wide = sum(widths[k] + EDGE_OF_CELL if k in widths else _USUAL for k in range(first_column, last_column + 1))
    return min(1.0, (across - 2 * _POINTS_PER_INCH * MARGIN) / (wide * _POINTS_PER_CHARACTER))
