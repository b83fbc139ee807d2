"""A Report as plain data for the page: an outline, a sheet when it is looked at, rows of long tables when asked for.

A browser that is given every cell of a large result at once runs out of memory, and stands still while it takes it in.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.page.as_data import plain
from panelcal.reporting.chart_data import ChartData, vertical_ends
from panelcal.reporting.model import CellRange, Chart, Report, Series, Table

WHOLE = 3_000
"""A table of so many rows is handed over whole, to be sorted, searched and printed by the page."""

AT_FIRST = 100
"""Rows of a longer table that the page has to begin with."""

MOST_POINTS = 1_000
"""A series of more points is thinned to those that can be told apart."""


def outline(report: Report) -> dict[str, Any]:
    """Return what the page needs of a report before it shows a sheet of it."""
    return {
        "run_id": report.run_id,
        "footer": report.footer,
        "created": report.created,
        "sheets": [{"name": sheet.name, "title": sheet.title} for sheet in report.sheets],
    }


def sheet_data(report: Report, number: int, *, whole: bool = False) -> dict[str, Any]:
    """Return one sheet with its notes, its tables, and its charts with the figures they show.

    With `whole` long tables have all their rows.
    """
    sheet, data = report.sheets[number], ChartData(report)
    return {
        "number": number,
        "name": sheet.name,
        "title": sheet.title,
        "explanation": sheet.explanation,
        "notes": [
            {"row": note.row, "column": note.column, "style": note.style, "text": note.text} for note in sheet.notes
        ],
        "tables": [_table(table, whole) for table in sheet.tables],
        "charts": [_chart(chart, sheet.name, data) for chart in sheet.charts],
        "front": None if sheet.front is None else plain(dataclasses.asdict(sheet.front)),
    }


def _table(table: Table, whole: bool) -> dict[str, Any]:
    sent = range(table.n_rows if whole or table.n_rows <= WHOLE else AT_FIRST)
    found = rows_data(table, sent)
    for column, given in zip(table.columns, found["columns"], strict=True):
        mark = column.highlight
        given |= {
            "heading": column.heading,
            "explanation": column.explanation,
            "style": column.style,
            "highlight": None if mark is None else dataclasses.asdict(mark),
            "figures": any(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in column.cells),
        }
    return found | {"name": table.name, "row": table.row, "column": table.column, "total": table.n_rows}


def rows_data(table: Table, rows: Sequence[int]) -> dict[str, Any]:
    """Return some rows of a table: their numbers, and for each column cells and styles in the same order."""
    return {
        "rows": list(rows),
        "columns": [
            {
                "cells": [plain(column.cells[row]) for row in rows],
                "styles": [column.styles[row] for row in rows] if column.styles else [],
            }
            for column in table.columns
        ],
    }


def _chart(chart: Chart, sheet: str, data: ChartData) -> dict[str, Any]:
    low, high = vertical_ends(chart, sheet, data)
    return {
        "kind": chart.kind,
        "title": chart.title,
        "x_title": chart.x_title,
        "y_title": chart.y_title,
        "alt_text": chart.alt_text,
        "x": plain([chart.x_low, chart.x_high]),
        "y": plain([low, high]),
        "series": [_series(series, chart.kind == "scatter", sheet, data) for series in chart.series],
    }


def _series(series: Series, scatter: bool, sheet: str, data: ChartData) -> dict[str, Any]:
    def values(block: CellRange | None) -> list[Any] | None:
        if block is None:
            return None
        found: list[Any] = plain(data.values(block if block.sheet else block.on(sheet)) or ())
        return found

    points = {"x": values(series.x), "y": values(series.y), "plus": values(series.plus), "minus": values(series.minus)}
    if scatter and not series.line and len(points["y"] or ()) > MOST_POINTS:
        points = _distinct(points)
    return points | {"name": series.name, "marker": series.marker, "line": series.line, "colour": series.colour}


def _distinct(points: Mapping[str, list[Any] | None]) -> dict[str, list[Any] | None]:
    """Keep what can be told apart in a picture."""
    y = _numbers(points["y"] or ())
    x = np.arange(1.0, y.size + 1) if points["x"] is None else _numbers(points["x"])
    low, high = (y + sign * _numbers(points[end] or [0.0] * y.size) for end, sign in (("minus", -1.0), ("plus", 1.0)))
    kept = distinct_points(x, y, low, high)
    ends = {name: None if points[name] is None else _numbers(points[name] or ())[kept] for name in ("plus", "minus")}
    return {name: _drawn(found) for name, found in {"x": x[kept], "y": y[kept], **ends}.items()}


def _drawn(places: Array | None) -> list[Any] | None:
    """Spell places as exactly as a picture can show them: to some ten thousandth of what they span."""
    if places is None:
        return None
    span = np.ptp(places[np.isfinite(places)]) if np.isfinite(places).any() else 0.0
    digits = 5 - math.ceil(math.log10(span)) if span > 0.0 else 5
    rounded: list[Any] = plain(np.round(places, digits).tolist())
    return rounded


def _numbers(cells: Sequence[Any]) -> Array:
    return np.array([cell if isinstance(cell, int | float) else np.nan for cell in cells], dtype=np.float64)


ACROSS, UPRIGHT = 320, 180
"""Spots that a picture of a chart has either way: two pixels each, which the dots that are drawn there cover."""


def distinct_points(x: Array, y: Array, low: Array, high: Array) -> Indices:
    """Return the numbers of points that look different from those before them, in their order.

    Parameters
    ----------
    x, y
        Where each point is, shape (n,); NaN = nowhere, such points are left out.
    low, high
        Ends of its error bar, shape (n,); NaN = as `y`.
    """
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    across = _spots(x[known], ACROSS)
    ends = [np.where(np.isfinite(end), end, y)[known] for end in (y, low, high)]
    upright = _spots(np.concatenate(ends), UPRIGHT).reshape(3, -1)
    spots = across
    for heights in upright:
        spots = spots * (UPRIGHT + 1) + heights
    return known[np.sort(np.unique(spots, return_index=True)[1])]


def _spots(places: Array, count: int) -> NDArray[np.int64]:
    """Number the spots between the least and the greatest place, 0 to `count`."""
    span = np.ptp(places) if places.size else 0.0
    return np.zeros(places.size, np.int64) if span == 0.0 else ((places - places.min()) / span * count).astype(np.int64)
