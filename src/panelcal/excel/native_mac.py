"""What xlwings has no words for, on a Mac: print set-up, frozen panes, filters, links, chart series, hidden names.

The same functions as in `native_windows`, in the words of Excel's AppleScript dictionary. Nothing else here uses them.
"""

from __future__ import annotations

import importlib
from typing import Any

from panelcal.reporting.page import FOOTER_MARGIN, FOOTER_SIZE, Page
from panelcal.reporting.paper_size import FOOT_MARGIN, MARGIN

_POINTS = 72.0


def _word() -> Any:
    """Return the constants of the AppleScript bridge, which exists on a Mac only."""
    return importlib.import_module("appscript").k


def shows_r1c1(app: Any) -> bool:
    """Whether Excel shows references as R1C1."""
    return bool(app.api.reference_style.get() == _word().R1C1)


def show_r1c1(app: Any, whether: bool) -> None:
    """Have Excel show references as R1C1, or as A1."""
    app.api.reference_style.set(_word().R1C1 if whether else _word().A1)


def calculate(sheet: Any) -> None:
    """Calculate the formulas of a sheet."""
    sheet.api.calculate()


def freeze_panes(sheet: Any, row: int, column: int) -> None:
    """Let everything above and left of a cell stay in place; the sheet must be the active one."""
    window = sheet.book.app.api.active_window
    window.freeze_panes.set(False)
    window.split_row.set(row - 1)
    window.split_column.set(column - 1)
    window.freeze_panes.set(True)


def add_filter(block: Any) -> None:
    """Put filter arrows on the headings of a block."""
    block.api.autofilter_range(field=1)


def colour_tab(sheet: Any, colour: tuple[int, int, int]) -> None:
    """Colour the tab of a sheet."""
    sheet.api.sheet_tab.color.set(list(colour))


def set_up_page(sheet: Any, page: Page) -> None:
    """Set up printing."""
    word = _word()
    setup = sheet.api.page_setup_object
    setup.page_orientation.set(word.portrait if page.portrait else word.landscape)
    setup.zoom.set(False)
    setup.fit_to_pages_wide.set(1)
    setup.fit_to_pages_tall.set(page.pages_down or False)
    if page.areas:
        setup.print_area.set(",".join(page.areas))
    if page.title_row is not None:
        setup.print_title_rows.set(f"${page.title_row}:${page.title_row}")
    for margin in (setup.left_margin, setup.right_margin, setup.top_margin):
        margin.set(MARGIN * _POINTS)
    setup.bottom_margin.set(FOOT_MARGIN * _POINTS)
    for margin in (setup.header_margin, setup.footer_margin):
        margin.set(FOOTER_MARGIN * _POINTS)
    parts = (setup.left_footer, setup.center_footer, setup.right_footer)
    for part, text in zip(parts, page.footer, strict=True):
        part.set(f"&{FOOTER_SIZE} {text}")


def add_link(cell: Any, place: str) -> None:
    """Make a cell a link to a place in the workbook, such as ``'Year 3 marks'!C7``; its content stays as it is."""
    word = _word()
    cell.api.make(at=cell.api, new=word.hyperlink, with_properties={word.address: "", word.sub_address: place})


def hide_name(name: Any) -> None:
    """Hide a workbook name from the list of names."""
    name.api.visible.set(False)


def clear_series(chart: Any) -> None:
    """Remove what Excel put into a new chart of its own accord."""
    for _ in range(len(chart.series)):
        chart.api[1].series_collection[1].delete()


def add_series(chart: Any, name: str, y: Any, x: Any) -> Any:
    """Add a series that draws on ranges of cells (`x` may be None), and return it."""
    word = _word()
    series = chart.api[1].make(at=chart.api[1], new=word.series, with_properties={word.name: name})
    series.series_values.set(y.api)
    if x is not None:
        series.xvalues.set(x.api)
    return series


def add_error_bars(series: Any, plus: Any, minus: Any) -> None:
    """Add vertical error bars whose lengths stand in cells; `plus` and `minus` are ranges, one of them may be None."""
    word = _word()
    both = plus is not None and minus is not None
    series.error_bar(
        direction=word.error_bar_direction_y,
        include=word.error_bar_include_both
        if both
        else word.error_bar_include_plus_values
        if plus is not None
        else word.error_bar_include_minus_values,
        type=word.error_bar_type_custom,
        amount=(minus if plus is None else plus).api,
        **({"minus_values": minus.api} if minus is not None else {}),
    )


def hide_line(series: Any) -> None:
    """Draw the markers of a series only."""
    series.border.line_style.set(_word().line_style_none)


def describe(chart: Any, text: str) -> None:
    """Give a chart words for readers who cannot see it."""
    chart.parent.shapes[chart.name].api.alternative_text.set(text)
