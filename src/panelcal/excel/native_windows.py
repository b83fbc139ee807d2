"""What xlwings has no words for, on Windows: print set-up, frozen panes, filters, links, chart series, hidden names.

The same functions as in `native_mac`. They speak to Excel's own objects (`.api`), and nothing else here does.
"""

from __future__ import annotations

from typing import Any

from panelcal.reporting.page import FOOTER_MARGIN, FOOTER_SIZE, Page
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN

_A1, _R1C1 = 1, -4150
_A4, _PORTRAIT, _LANDSCAPE = 9, 1, 2
_Y_DIRECTION, _BOTH, _PLUS, _MINUS, _CUSTOM = 1, 1, 2, 3, -4114
_POINTS = 72.0


def shows_r1c1(app: Any) -> bool:
    """Whether Excel shows references as R1C1."""
    return bool(app.api.ReferenceStyle == _R1C1)


def show_r1c1(app: Any, whether: bool) -> None:
    """Have Excel show references as R1C1, or as A1."""
    app.api.ReferenceStyle = _R1C1 if whether else _A1


def calculate(sheet: Any) -> None:
    """Calculate the formulas of a sheet."""
    sheet.api.Calculate()


def freeze_panes(sheet: Any, row: int, column: int) -> None:
    """Let everything above and left of a cell stay in place; the sheet must be the active one."""
    window = sheet.book.app.api.ActiveWindow
    window.FreezePanes = False
    window.SplitRow = row - 1
    window.SplitColumn = column - 1
    window.FreezePanes = True


def add_filter(block: Any) -> None:
    """Put filter arrows on the headings of a block."""
    block.api.AutoFilter(1)


def colour_tab(sheet: Any, colour: tuple[int, int, int]) -> None:
    """Colour the tab of a sheet."""
    red, green, blue = colour
    sheet.api.Tab.Color = red + 256 * green + 65_536 * blue


def set_up_page(sheet: Any, page: Page) -> None:
    """Set up printing. Excel asks the printer about every property unless it is told to wait until the end."""
    app = sheet.book.app.api
    setup = sheet.api.PageSetup
    app.PrintCommunication = False
    try:
        setup.PaperSize = _A4
        setup.Orientation = _PORTRAIT if page.portrait else _LANDSCAPE
        setup.Zoom = False
        setup.FitToPagesWide = 1
        setup.FitToPagesTall = page.pages_down or False
        if page.areas:
            setup.PrintArea = ",".join(page.areas)
        if page.title_row is not None:
            setup.PrintTitleRows = f"${page.title_row}:${page.title_row}"
        setup.LeftMargin = setup.RightMargin = setup.TopMargin = MARGIN * _POINTS
        setup.BottomMargin = FOOT_MARGIN * _POINTS
        setup.HeaderMargin = setup.FooterMargin = FOOTER_MARGIN * _POINTS
        # The space keeps the size apart from a text that begins with a digit.
        setup.LeftFooter, setup.CenterFooter, setup.RightFooter = (f"&{FOOTER_SIZE} {text}" for text in page.footer)
    finally:
        app.PrintCommunication = True


def add_link(cell: Any, place: str) -> None:
    """Make a cell a link to a place in the workbook, such as ``'Year 3 marks'!C7``; its content stays as it is."""
    cell.sheet.api.Hyperlinks.Add(Anchor=cell.api, Address="", SubAddress=place)


def hide_name(name: Any) -> None:
    """Hide a workbook name from the list of names."""
    name.api.Visible = False


def clear_series(chart: Any) -> None:
    """Remove what Excel put into a new chart of its own accord."""
    for number in range(chart.api[1].SeriesCollection().Count, 0, -1):
        chart.api[1].SeriesCollection(number).Delete()


def add_series(chart: Any, name: str, y: Any, x: Any) -> Any:
    """Add a series that draws on ranges of cells (`x` may be None), and return it."""
    series = chart.api[1].SeriesCollection().NewSeries()
    series.Name = name
    series.Values = y.api
    if x is not None:
        series.XValues = x.api
    return series


def add_error_bars(series: Any, plus: Any, minus: Any) -> None:
    """Add vertical error bars whose lengths stand in cells; `plus` and `minus` are ranges, one of them may be None."""
    include = _BOTH if plus is not None and minus is not None else _PLUS if plus is not None else _MINUS
    lengths = {"Amount": (minus if plus is None else plus).api}
    if minus is not None:
        lengths["MinusValues"] = minus.api
    series.ErrorBar(Direction=_Y_DIRECTION, Include=include, Type=_CUSTOM, **lengths)


def hide_line(series: Any) -> None:
    """Draw the markers of a series only."""
    series.Format.Line.Visible = False


def describe(chart: Any, text: str) -> None:
    """Give a chart words for readers who cannot see it."""
    chart.api[0].ShapeRange.AlternativeText = text
