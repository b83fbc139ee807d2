"""Native charts as DrawingML: scatter with error bars, columns and lines.

Written directly because openpyxl puts the parts of an error bar in an order that the schema forbids, leaves out
required elements and cannot store the plotted values, without which a previewer shows an empty frame.
"""

from __future__ import annotations

import math

from panelcal.files.xml_edits import escape
from panelcal.reporting.chart_data import CROWDED, ChartData, marker_size, tick_step, vertical_ends
from panelcal.reporting.looks import PALETTE
from panelcal.reporting.model import CellRange, Chart, Series

_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STROKED = frozenset({"x", "plus"})
_BARS = {"column": "col", "bar": "bar"}
_DASHES = ("solid", "dash", "sysDot", "dashDot", "lgDash")
_PATTERNS = ("", "wdUpDiag", "pct40", "ltHorz", "lgCheck")
_INK, _GRID, _AXIS, _WHISKER = "404040", "E3E3E3", "8C8C8C", "7F7F7F"
_POINT = 12_700
_MOST_STORED = 20_000
_Ends = tuple[float | None, float | None]


def chart_part(chart: Chart, sheet: str, data: ChartData) -> bytes:
    """Render a chart that stands on `sheet` as a chart part."""
    body = "".join(_series(chart, number, series, sheet, data) for number, series in enumerate(chart.series))
    if chart.kind == "scatter":
        plot = (
            '<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>'
            f"{body}{_AXIS_IDS}</c:scatterChart>"
        )
        horizontal = _value_axis((10, 20), "b", chart.x_title, (chart.x_low, chart.x_high), "midCat", grid=False)
    elif chart.kind in _BARS:
        # Bars from top to bottom have one series each, and share their places.
        overlap = '<c:overlap val="100"/>' if chart.kind == "bar" else ""
        plot = (
            f'<c:barChart><c:barDir val="{_BARS[chart.kind]}"/><c:grouping val="clustered"/><c:varyColors val="0"/>'
            f'{body}<c:gapWidth val="45"/>{overlap}{_AXIS_IDS}</c:barChart>'
        )
        horizontal = _category_axis(chart, data, sheet)
    else:
        plot = (
            f'<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>{body}<c:marker val="1"/>'
            f"{_AXIS_IDS}</c:lineChart>"
        )
        horizontal = _category_axis(chart, data, sheet)
    between = "midCat" if chart.kind == "scatter" else "between"
    y_low, y_high = vertical_ends(chart, sheet, data)
    side = "b" if chart.kind == "bar" else "l"
    vertical = _value_axis((20, 10), side, chart.y_title, (y_low, y_high), between, grid=True)
    legend = f'<c:legend><c:legendPos val="b"/><c:overlay val="0"/>{_text_look(900)}</c:legend>' if chart.legend else ""
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<c:chartSpace xmlns:c="{_CHART}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATIONS}"><c:roundedCorners val="0"/>'
        f'<c:chart>{_title(chart.title, 1200, bold=True)}<c:autoTitleDeleted val="0"/>'
        f"<c:plotArea><c:layout/>{plot}{horizontal}{vertical}<c:spPr><a:noFill/></c:spPr></c:plotArea>{legend}"
        # Filtering a table must not quietly change the picture of the whole panel.
        '<c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>'
        f'<c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>{_line(_GRID, 0.75)}</c:spPr>'
        f"{_text_look(900)}</c:chartSpace>"
    ).encode()


_AXIS_IDS = '<c:axId val="10"/><c:axId val="20"/>'


def _series(chart: Chart, number: int, series: Series, sheet: str, data: ChartData) -> str:
    colour = PALETTE[series.colour % len(PALETTE)]
    joined = series.line or chart.kind == "line"  # points of a chart of points are not
    name = f"<c:tx><c:v>{escape(series.name)}</c:v></c:tx>"
    head = f'<c:ser><c:idx val="{number}"/><c:order val="{number}"/>{name}'
    error_bars = _error_bars(series, sheet, data, scatter=chart.kind == "scatter")
    y = _numbers(series.y, sheet, data)
    if chart.kind in _BARS:
        categories = f"<c:cat>{_labels(series.x, sheet, data)}</c:cat>" if series.x else ""
        look = f"<c:spPr>{_bar_fill(colour, number)}{_line(colour, 0.75)}</c:spPr>"
        return f'{head}{look}<c:invertIfNegative val="0"/>{error_bars}{categories}<c:val>{y}</c:val></c:ser>'
    dash = _DASHES[number % len(_DASHES)]
    line = _line(colour, 1.5, dash) if joined else "<a:ln><a:noFill/></a:ln>"
    points = series.y.last_row - series.y.first_row + 1
    head += f"<c:spPr>{line}</c:spPr>{_marker(series.marker, colour, points)}{error_bars}"
    if chart.kind != "scatter":
        categories = f"<c:cat>{_labels(series.x, sheet, data)}</c:cat>" if series.x else ""
        return f'{head}{categories}<c:val>{y}</c:val><c:smooth val="0"/></c:ser>'
    x = f"<c:xVal>{_numbers(series.x, sheet, data)}</c:xVal>" if series.x else ""
    return f'{head}{x}<c:yVal>{y}</c:yVal><c:smooth val="0"/></c:ser>'


def _error_bars(series: Series, sheet: str, data: ChartData, *, scatter: bool) -> str:
    if series.plus is None and series.minus is None:
        return ""
    kind = "both" if series.plus and series.minus else "plus" if series.plus else "minus"
    direction = '<c:errDir val="y"/>' if scatter else ""
    plus = f"<c:plus>{_numbers(series.plus, sheet, data)}</c:plus>" if series.plus else ""
    minus = f"<c:minus>{_numbers(series.minus, sheet, data)}</c:minus>" if series.minus else ""
    return (
        f'<c:errBars>{direction}<c:errBarType val="{kind}"/><c:errValType val="cust"/><c:noEndCap val="0"/>'
        f"{plus}{minus}<c:spPr>{_line(_WHISKER, 0.75)}</c:spPr></c:errBars>"
    )


def _marker(symbol: str, colour: str, points: int) -> str:
    """Marker of a series."""
    if symbol == "none":
        return '<c:marker><c:symbol val="none"/></c:marker>'
    size = marker_size(symbol, points)
    if symbol in _STROKED:
        fill = "<a:noFill/>"
    else:
        fill = f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'
    return (
        f'<c:marker><c:symbol val="{symbol}"/><c:size val="{size}"/>'
        f"<c:spPr>{fill}{_line(colour, 1.25 if symbol in _STROKED else 0.75)}</c:spPr></c:marker>"
    )


def _bar_fill(colour: str, number: int) -> str:
    pattern = _PATTERNS[number % len(_PATTERNS)]
    if not pattern:
        return f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'
    return (
        f'<a:pattFill prst="{pattern}"><a:fgClr><a:srgbClr val="{colour}"/></a:fgClr>'
        '<a:bgClr><a:srgbClr val="FFFFFF"/></a:bgClr></a:pattFill>'
    )


def _numbers(block: CellRange, sheet: str, data: ChartData) -> str:
    block = block if block.sheet else block.on(sheet)
    values = data.values(block)
    stored = ""
    if values is not None and len(values) <= _MOST_STORED:
        points = "".join(
            f'<c:pt idx="{place}"><c:v>{float(value)!r}</c:v></c:pt>'
            for place, value in enumerate(values)
            if isinstance(value, int | float) and math.isfinite(value)
        )
        stored = (
            f'<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="{len(values)}"/>{points}</c:numCache>'
        )
    return f"<c:numRef><c:f>{escape(block.absolute)}</c:f>{stored}</c:numRef>"


def _labels(block: CellRange, sheet: str, data: ChartData) -> str:
    block = block if block.sheet else block.on(sheet)
    values = data.values(block)
    if values is not None and all(isinstance(value, int | float) for value in values):
        return _numbers(block, sheet, data)
    stored = ""
    if values is not None and len(values) <= _MOST_STORED:
        points = "".join(
            f'<c:pt idx="{place}"><c:v>{escape(str(value))}</c:v></c:pt>'
            for place, value in enumerate(values)
            if value is not None
        )
        stored = f'<c:strCache><c:ptCount val="{len(values)}"/>{points}</c:strCache>'
    return f"<c:strRef><c:f>{escape(block.absolute)}</c:f>{stored}</c:strRef>"


def _value_axis(numbers: tuple[int, int], side: str, title: str, ends: _Ends, between: str, *, grid: bool) -> str:
    """Spell an axis of numbers: its own number and that of the axis it crosses, its side, title and ends."""
    number, other = numbers
    low, high = ends
    # Of bars from top to bottom the names begin at the top, and the figures stand below them.
    crosses = "max" if grid and side == "b" else "autoZero"
    limits = "".join(f'<c:{end} val="{value!r}"/>' for end, value in (("max", high), ("min", low)) if value is not None)
    step = tick_step(low, high)
    steps = "" if step is None else f'<c:majorUnit val="{step!r}"/>'
    # Axis lines run through zero where zero is on the chart, while the numbers stay at the edge.
    return (
        f'<c:valAx><c:axId val="{number}"/><c:scaling><c:orientation val="minMax"/>{limits}</c:scaling>'
        f'<c:delete val="0"/><c:axPos val="{side}"/>'
        + (f"<c:majorGridlines><c:spPr>{_line(_GRID, 0.5)}</c:spPr></c:majorGridlines>" if grid else "")
        + f'{_title(title, 900)}<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="out"/>'
        f'<c:minorTickMark val="none"/><c:tickLblPos val="{"low" if crosses == "autoZero" else "nextTo"}"/>'
        f"<c:spPr>{_line(_AXIS, 0.75)}</c:spPr>{_text_look(900)}"
        f'<c:crossAx val="{other}"/><c:crosses val="{crosses}"/><c:crossBetween val="{between}"/>{steps}</c:valAx>'
    )


def _category_axis(chart: Chart, data: ChartData, sheet: str) -> str:
    labels = chart.series[0].x
    values = data.values(labels if labels.sheet else labels.on(sheet)) if labels else None
    down = chart.kind == "bar"  # the first at the top
    crowded = values is not None and len(values) > CROWDED and not down
    every = '<c:tickLblSkip val="1"/>' if down else ""
    names = _text_look(800 if crowded or down else 900, upright=crowded, level=down)
    return (
        f'<c:catAx><c:axId val="10"/><c:scaling><c:orientation val="{"maxMin" if down else "minMax"}"/></c:scaling>'
        f'<c:delete val="0"/><c:axPos val="{"l" if down else "b"}"/>'
        f'{_title(chart.x_title, 900)}<c:numFmt formatCode="General" sourceLinked="0"/>'
        '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>'
        f"<c:spPr>{_line(_AXIS, 0.75)}</c:spPr>{names}"
        '<c:crossAx val="20"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/>'
        f'<c:lblOffset val="100"/>{every}<c:noMultiLvlLbl val="1"/></c:catAx>'
    )


def _title(text: str, size: int, *, bold: bool = False) -> str:
    look = f'sz="{size}" b="{int(bold)}"'
    ink = f'<a:solidFill><a:srgbClr val="{_INK}"/></a:solidFill>'
    return (
        f"<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr {look}>{ink}</a:defRPr></a:pPr>"
        f"<a:r><a:rPr {look}>{ink}</a:rPr><a:t>{escape(text)}</a:t></a:r></a:p></c:rich></c:tx>"
        '<c:overlay val="0"/></c:title>'
    )


def _text_look(size: int, *, upright: bool = False, level: bool = False) -> str:
    """Spell how labels look; level ones are all written, where of others some would be left out to make room."""
    body = '<a:bodyPr rot="-5400000" vert="horz"/>' if upright else '<a:bodyPr rot="0"/>' if level else "<a:bodyPr/>"
    return (
        f'<c:txPr>{body}<a:p><a:pPr><a:defRPr sz="{size}" b="0"><a:solidFill><a:srgbClr val="{_INK}"/></a:solidFill>'
        '</a:defRPr></a:pPr><a:endParaRPr lang="en-GB"/></a:p></c:txPr>'
    )


def _line(colour: str, points: float, dash: str = "solid") -> str:
    return (
        f'<a:ln w="{round(points * _POINT)}"><a:solidFill><a:srgbClr val="{colour}"/></a:solidFill>'
        f'<a:prstDash val="{dash}"/></a:ln>'
    )
