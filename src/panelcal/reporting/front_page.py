"""The first page of a summary: one sentence, four figures, what is to be decided, the ranked list, the checks.

Laid out once for every system, on seven columns that fill A4 upright at a scale that keeps letters of 11 points above
9; the charts stand beside it, on the screen at a glance and on paper as the second page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.frozen import dataclass
from panelcal.reporting.layout import row_heights
from panelcal.reporting.looks import ROW_HEIGHT, BaseFont
from panelcal.reporting.model import CellRange, Chart, Column, Front, Note, NoteStyle, Sheet, Table, Tile
from panelcal.reporting.text_size import longest_word, text_width

ACROSS = 7
"""Columns of the page."""

MOST_CHECKS, MOST_RANKED = 6, 30
CHART_COLUMN, CHART_WIDTH_CM = 9, 14.8

_WIDTH = 114.5  # characters of all columns together: with their margins 119.5, which A4 holds at 82% to 87%
_NARROWEST = (9.0, 11.5, 22.0, 12.5, 12.5, 9.0, 14.5)
_WIDEST = 24.0
_FLEXIBLE = 2  # the third column takes what the others leave
_TILES = ((1, 2), (3, 1), (4, 2), (6, 2))  # first column and how many of each
_CHART_COLUMNS = 9  # the last of them blank, so that both pages are as wide and printed at one scale
_CHART_WIDTHS = (16.0, *(10.3,) * 7, 24.5)
_PAGE_POINTS = 875.0  # of rows, at the larger of these scales
_FEWEST_RANKED = 3
_LONGEST_FIGURE = 9  # characters that a tile of two columns holds in large letters
_CHECK_NAMES = 2  # columns that the name of a check takes
_POINTS_PER_CM = 72.0 / 2.54
_SPACE_CM = 0.3
_LOWEST_CM = 4.5
_TRIES = 6
_SPARE_POINTS = 50.0  # programs do not agree on the height of wrapped rows


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """A table of a front page with the line above it and, where rows are left out, the words for these.

    Attributes
    ----------
    heading
        Words above the table.
    columns
        Seven at most, as the columns of the page.
    name
        Of the table.
    rest
        Words after these where rows are left out; empty = none.
    """

    heading: str
    columns: tuple[Column, ...]
    name: str
    rest: str = ""

    def first_rows(self, count: int, rest: str) -> Listed:
        """Return the list with its first rows only, and the words for the others."""
        if count >= len(self.columns[0].cells):
            return self
        return replace(self, columns=tuple(_first(column, count) for column in self.columns), rest=rest)


@dataclass(frozen=True, slots=True, eq=False)
class FrontPage:
    """What stands on the page beside title and explanation.

    Attributes
    ----------
    front
        The sentence, the figures and the checks.
    cases
        What is to be decided, with a cell for each decision; None where there is nothing.
    ranked
        The ranked list, all of it.
    rest
        What is said of the ranks that the page has no room for.
    signing
        Lines to fill in by hand.
    advice
        That people decide.
    """

    front: Front
    cases: Listed | None
    ranked: Listed
    rest: str
    advice: str
    signing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """What stands on the second page.

    Attributes
    ----------
    charts
        From the top; places and widths are given to them when they are laid out.
    below
        A table below them.
    behind
        Tables that the charts draw, which stand right of all that is printed: see `behind_charts`.
    """

    charts: tuple[Chart, ...]
    below: Listed | None = None
    behind: tuple[Table, ...] = ()


def front_sheet(headed: Sheet, up_to_date: Note, page: FrontPage, pictures: Pictures) -> Sheet:
    """Build the sheet from one that has name, title and explanation only; `up_to_date` is the line in row 3."""
    plain = replace(headed, frozen=None, portrait=True, front=page.front, across=ACROSS)
    top = replace(up_to_date, across=ACROSS, style="plain" if up_to_date.style == "small" else up_to_date.style)
    room = _room_for_ranked(plain, page, top)
    page = replace(page, ranked=page.ranked.first_rows(room, page.rest))
    tables, notes, last_row = _laid_out(page, top)
    sheet = replace(plain, tables=tables, notes=notes, column_widths=_widths(page))
    placed, beside_these, last_chart_row = _beside(pictures, sheet)
    beside = CellRange(1, CHART_COLUMN, last_chart_row, CHART_COLUMN + _CHART_COLUMNS - 1)
    heading = Note(row=1, column=CHART_COLUMN, text="The same in pictures", style="heading")
    return replace(
        sheet,
        tables=(*tables, *beside_these, *pictures.behind),
        notes=(*notes, *([heading] if placed else [])),
        charts=placed,
        printed=(CellRange(1, 1, last_row, ACROSS), *([beside] if placed else [])),
    )


def on_another_sheet(chart: Chart, sheet: str) -> Chart:
    """Return a chart whose figures stand on `sheet`, to be drawn elsewhere."""

    def on(block: CellRange | None) -> CellRange | None:
        return None if block is None else block.on(sheet)

    return replace(
        chart,
        series=tuple(
            replace(one, y=one.y.on(sheet), x=on(one.x), plus=on(one.plus), minus=on(one.minus)) for one in chart.series
        ),
    )


def behind_charts(columns: tuple[Column, ...], place: int, name: str) -> Table:
    """Put figures that only a chart shows right of the pages; `place` counts the columns taken there before."""
    return Table(columns, row=4, column=CHART_COLUMN + _CHART_COLUMNS + 1 + place, name=name)


def _room_for_ranked(plain: Sheet, page: FrontPage, top: Note) -> int:
    """How many ranks the page has room for; never fewer than a few, never more than thirty."""
    tables, notes, last_row = _laid_out(replace(page, ranked=page.ranked.first_rows(0, page.rest)), top)
    sheet = replace(plain, tables=tables, notes=notes, column_widths=_widths(page))
    heights = row_heights(sheet, BaseFont())
    used = sum(heights.get(row, ROW_HEIGHT) for row in range(1, last_row + 1))
    return min(MOST_RANKED, max(_FEWEST_RANKED, int((_PAGE_POINTS - used) / ROW_HEIGHT)))


def _laid_out(page: FrontPage, top: Note) -> tuple[tuple[Table, ...], tuple[Note, ...], int]:
    """Return tables and notes from the top, and the last row."""
    front = page.front
    tables: list[Table] = []
    notes = [top, Note(row=4, text=front.sentence, style="headline", across=ACROSS)]
    for (column, across), tile in zip(_TILES, front.tiles, strict=True):
        style = _figure_style(tile, across)
        notes.append(Note(row=5, column=column, text=tile.figure, style=style, across=across))
        notes.append(Note(row=6, column=column, text=tile.caption, style="caption", across=across))
    row = 7
    for line in front.warnings:
        notes.append(Note(row=row, text=line, style="warning", across=ACROSS))
        row += 1
    for line in front.lines:
        notes.append(Note(row=row, text=line, across=ACROSS))
        row += 1
    for listed in (page.cases, page.ranked):
        if listed is None:
            continue
        heading = f"{listed.heading}. {listed.rest}" if listed.rest else listed.heading
        notes.append(Note(row=row, text=heading, style="heading"))
        tables.append(Table(listed.columns, row=row + 1, name=listed.name))
        row = tables[-1].last_row + 1
    notes.append(Note(row=row, text="Checks", style="heading"))
    for check in front.checks:
        row += 1
        notes.append(Note(row=row, text=check.name, style="good" if check.fine else "warning", across=_CHECK_NAMES))
        notes.append(
            Note(row=row, column=_CHECK_NAMES + 1, text=check.words, style="plain", across=ACROSS - _CHECK_NAMES)
        )
    row += 1
    notes.append(Note(row=row, text=page.advice, style="heading"))
    for line in page.signing:
        row += 1
        notes.append(Note(row=row, text=line, style="line"))
    return tuple(tables), tuple(notes), row


def _figure_style(tile: Tile, across: int) -> NoteStyle:
    """Large where the tile has room for it."""
    if len(tile.figure) > (_LONGEST_FIGURE if across > 1 else _LONGEST_FIGURE + 2):
        return "figure long asks" if tile.asks else "figure long"
    return "figure asks" if tile.asks else "figure"


def _widths(page: FrontPage) -> tuple[tuple[int, float], ...]:
    """Give each column the room of its words, and what is left to the third."""
    needed = list(_NARROWEST)
    for listed in (page.cases, page.ranked):
        for k, column in enumerate(listed.columns if listed is not None else ()):
            texts = [value for value in column.cells if isinstance(value, str)]
            cells = max((text_width(text) for text in texts), default=0.0)
            if column.style in ("wrapped", "input"):
                cells = longest_word(texts)
            wide = max(cells, longest_word([column.heading], bold=True)) + 1.8
            needed[k] = max(needed[k], min(wide, _WIDEST))
    needed[_FLEXIBLE] = max(_NARROWEST[_FLEXIBLE], _WIDTH - sum(needed) + needed[_FLEXIBLE])
    beside = range(CHART_COLUMN, CHART_COLUMN + _CHART_COLUMNS)
    return (
        *enumerate(needed, 1),
        (ACROSS + 1, 1.0),
        *zip(beside, _CHART_WIDTHS, strict=True),
        (CHART_COLUMN + _CHART_COLUMNS, 2.0),
    )


def _beside(pictures: Pictures, sheet: Sheet) -> tuple[tuple[Chart, ...], tuple[Table, ...], int]:
    """Lay out charts and the table below them so that they end with the page; and their last row.

    Rows are as high as both pages need them, which shows only when the table has its place: then the charts give way.
    """
    below = pictures.below
    if below is None:
        placed, last_row = _placed(pictures.charts, sheet, 0.0)
        return placed, (), last_row
    charts, reserved = pictures.charts, (len(below.columns[0].cells) + 2) * ROW_HEIGHT
    for _ in range(_TRIES):
        placed, last_row = _placed(charts, sheet, reserved)
        table = Table(below.columns, row=last_row + 1, column=CHART_COLUMN, name=below.name)
        heights = row_heights(replace(sheet, tables=(*sheet.tables, table)), BaseFont())
        beyond = (
            sum(heights.get(row, ROW_HEIGHT) for row in range(1, table.last_row + 1)) - _PAGE_POINTS + _SPARE_POINTS
        )
        if beyond <= 0:
            break
        reserved += beyond
        if placed and placed[-1].height_cm <= _LOWEST_CM:
            less = (beyond + ROW_HEIGHT) / _POINTS_PER_CM / max(len(charts) - 1, 1)
            charts = tuple(replace(chart, height_cm=max(chart.height_cm - less, _LOWEST_CM)) for chart in charts)
    return placed, (table,), table.last_row


def _placed(charts: Sequence[Chart], sheet: Sheet, below: float) -> tuple[tuple[Chart, ...], int]:
    """Put charts below one another, each at the first row that is clear of the one before; and their last row.

    The last takes what is left of the page, `below` points of which are for something else.
    """
    heights = row_heights(sheet, BaseFont())
    placed: list[Chart] = []
    row, edge = 2, 0.0  # edge: where the last chart ends, in points from the top of the sheet
    top = heights.get(1, ROW_HEIGHT)  # of `row`
    for number, chart in enumerate(charts, 1):
        while edge > top:
            top += heights.get(row, ROW_HEIGHT)
            row += 1
        height = chart.height_cm
        if number == len(charts):
            left = (_PAGE_POINTS - below - top) / _POINTS_PER_CM - _SPACE_CM
            height = min(max(left, _LOWEST_CM), max(height, _LOWEST_CM))
        placed.append(replace(chart, row=row, column=CHART_COLUMN, width_cm=CHART_WIDTH_CM, height_cm=height))
        edge = top + (height + _SPACE_CM) * _POINTS_PER_CM
    while edge > top:
        top += heights.get(row, ROW_HEIGHT)
        row += 1
    return tuple(placed), row


def _first(column: Column, count: int) -> Column:
    return replace(
        column,
        cells=column.cells[:count],
        formulas=column.formulas[:count],
        links=column.links[:count],
        styles=column.styles[:count],
        choices=column.choices[:count],
    )
