"""Intervals drawn in a cell, as letters of a fixed width: how sure a value is beside the others and the boundaries.

Such a drawing looks the same in every spreadsheet program, on a page and on paper, and can be copied into a mail.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array, Indices

DRAWN = "Interval drawn"
"""Heading of a column of drawings."""

PLACES = 22
"""Letters that a drawing is wide."""

_TIE = 9  # decimals of a letter

LINE, FIRST, LAST, MARK, CROSSED, VALUE, OTHER, BEYOND_LEFT, BEYOND_RIGHT = "─├┤│┼●○◄►"


def ends_to_draw(values: ArrayLike, low: ArrayLike, high: ArrayLike) -> tuple[float, float]:
    """Return the ends of the line that all intervals of a table are drawn on.

    All values and half an interval more than the usual one on both sides; single very wide intervals run off the line.

    Parameters
    ----------
    values
        Everything that is drawn as a point.
    low, high
        Ends of the intervals, NaN where there is none.
    """
    points = np.asarray(values, dtype=np.float64).ravel()
    points = points[np.isfinite(points)]
    widths = (np.asarray(high, dtype=np.float64) - np.asarray(low, dtype=np.float64)) / 2
    widths = widths[np.isfinite(widths)]
    if not points.size:
        return 0.0, 1.0
    room = 1.25 * float(np.median(widths)) if widths.size else 0.0
    first, last = float(points.min()) - room, float(points.max()) + room
    return (first, last) if last > first else (first - 0.5, last + 0.5)


def drawn_intervals(
    values: Array,
    low: Array,
    high: Array,
    *,
    ends: tuple[float, float],
    others: Array | None = None,
    marks: Sequence[float] = (),
) -> list[str | None]:
    """Draw one interval for each row.

    Parameters
    ----------
    values, low, high
        (n,) the value and the ends of its interval; NaN = none.
    ends
        What the first and the last letter stand for.
    others
        (n,) a second value, drawn as a ring below the first.
    marks
        Boundaries, drawn on every line.
    """
    count = len(values)
    grid = np.full((count, PLACES), " ")
    places = np.arange(PLACES)
    known = np.isfinite(low) & np.isfinite(high)
    first, last = (np.where(known, place_of(edge, ends), -9) for edge in (low, high))
    inside = known[:, None] & (places >= first[:, None]) & (places <= last[:, None])
    grid[inside] = LINE
    for mark in marks:
        place = int(place_of(np.array([mark]), ends)[0])
        if 0 <= place < PLACES:
            grid[:, place] = np.where(inside[:, place], CROSSED, MARK)
    rows = np.arange(count)
    for edge, letter, beyond in ((first, FIRST, BEYOND_LEFT), (last, LAST, BEYOND_RIGHT)):
        shown = known & (first < last)
        grid[rows[shown], np.clip(edge[shown], 0, PLACES - 1)] = np.where(
            (edge[shown] < 0) | (edge[shown] >= PLACES), beyond, letter
        )
    for points, letter in ((others, OTHER), (values, VALUE)):
        if points is not None:
            there = np.isfinite(points)
            grid[rows[there], np.clip(place_of(points[there], ends), 0, PLACES - 1)] = letter
    drawn = grid.view(f"<U{PLACES}").ravel() if count else np.array([], dtype=str)
    return [line or None for line in np.char.rstrip(drawn).tolist()]


def place_of(values: Array, ends: tuple[float, float]) -> Indices:
    """Return the letter, from 0, that stands for each value; outside 0 to PLACES - 1 for values beyond the ends."""
    share = (np.nan_to_num(values) - ends[0]) / (ends[1] - ends[0])
    # Rounded first: where a place is half way between two, the last digit of a sum must not choose.
    return np.floor(np.round(np.clip(share, -1.0, 2.0) * (PLACES - 1), _TIE) + 0.5).astype(np.intp)
