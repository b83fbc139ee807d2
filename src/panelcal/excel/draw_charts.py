"""Native charts on result sheets in Excel; their data are references to the cells of the report."""

from __future__ import annotations

import xlwings as xw

from panelcal.excel.native import Omissions, native
from panelcal.reporting.chart_data import ChartData, marker_size, vertical_ends
from panelcal.reporting.looks import PALETTE
from panelcal.reporting.model import CellRange, Chart, Report, Series, Sheet

_POINTS_PER_CM = 72.0 / 2.54
_TYPES = {
    "scatter": "xy_scatter",
    "column": "column_clustered",
    "bar": "bar_clustered",
    "points": "line_markers",
    "line": "line_markers",
}
_JOINED = "xy_scatter_lines"
_STROKED = ("x", "plus")


def draw_charts(target: xw.Sheet, sheet: Sheet, report: Report, omissions: Omissions) -> None:
    """Draw the charts of a sheet."""
    data = ChartData(report)
    for chart in sheet.charts:
        _draw(target, sheet, chart, data, omissions)


def _draw(target: xw.Sheet, sheet: Sheet, chart: Chart, data: ChartData, omissions: Omissions) -> None:
    layer = native()
    drawn = target.charts.add(
        anchor=target.range((chart.row, chart.column)),
        width=chart.width_cm * _POINTS_PER_CM,
        height=chart.height_cm * _POINTS_PER_CM,
        style=None,
    )
    layer.clear_series(drawn)
    made = [
        layer.add_series(drawn, series.name, _cells(target, series.y, sheet), _cells(target, series.x, sheet))
        for series in chart.series
    ]
    # The type comes after the data: a scatter chart without a series is refused.
    drawn.chart_type = _TYPES[chart.kind]
    with omissions.attempt("titles of charts"):
        drawn.title = chart.title
        low, high = vertical_ends(chart, sheet.name, data)
        drawn.value_axis.set(title=chart.y_title, minimum_scale=low, maximum_scale=high)
        drawn.category_axis.set(title=chart.x_title)
        if chart.kind == "scatter":
            drawn.category_axis.set(minimum_scale=chart.x_low, maximum_scale=chart.x_high)
        if chart.kind == "bar":
            drawn.category_axis.set(reverse_order=True, crosses="maximum")  # names run from the top
        if chart.legend:
            drawn.legend.position = "bottom"
        else:
            drawn.legend.visible = False
    with omissions.attempt("markers of charts"):
        for number, series in enumerate(chart.series):
            _mark(drawn.series[number], series, chart)
            if chart.kind in ("scatter", "points") and not series.line:
                layer.hide_line(made[number])
    with omissions.attempt("error bars"):
        for native_series, series in zip(made, chart.series, strict=True):
            if series.plus is not None or series.minus is not None:
                layer.add_error_bars(
                    native_series, _cells(target, series.plus, sheet), _cells(target, series.minus, sheet)
                )
    with omissions.attempt("descriptions of charts"):
        layer.describe(drawn, " ".join(chart.alt_text.split()))


def _mark(drawn: xw.ChartSeries, series: Series, chart: Chart) -> None:
    colour = f"#{PALETTE[series.colour % len(PALETTE)]}"
    if chart.kind in ("column", "bar"):
        drawn.set(fill_color=colour)
        return
    if series.line and chart.kind == "scatter":
        drawn.set(chart_type=_JOINED)
    if series.line or chart.kind == "line":
        drawn.set(line_color=colour)
    if series.marker == "none":
        drawn.set(marker_style="none")
        return
    points = series.y.last_row - series.y.first_row + 1
    drawn.set(
        marker_style=series.marker, marker_size=marker_size(series.marker, points), marker_foreground_color=colour
    )
    if series.marker not in _STROKED:
        drawn.set(marker_background_color=colour)


def _cells(target: xw.Sheet, block: CellRange | None, sheet: Sheet) -> xw.Range | None:
    if block is None:
        return None
    home = target if block.sheet in ("", sheet.name) else target.book.sheets[block.sheet]
    return home.range((block.first_row, block.first_column), (block.last_row, block.last_column))
