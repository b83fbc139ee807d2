"""The first page of a summary: one sentence, four figures, what is to be decided, the ranked list, the checks.

Laid out once for every system, on seven columns that fill A4 upright at a scale that keeps letters of 11 points above
9; the charts stand beside it, on the screen at a glance and on paper as the second page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.frozen import dataclass
from panelcal.reporting.layout import heading_width, row_heights, wrapped_where_cut
from panelcal.reporting.looks import ROW_HEIGHT, BaseFont
from panelcal.reporting.model import CellRange, Chart, Column, Front, Note, NoteStyle, Sheet, Table, Tile
from panelcal.reporting.text_size import longest_word, widest, wrapped_lines

ACROSS = 7
"""Columns of the page."""

MOST_CHECKS, MOST_RANKED = 6, 30
CHART_COLUMN, CHART_WIDTH_CM = 9, 13.6

_WIDTH = 114.5  # characters of all columns together: with their margins 119.5, which A4 holds at 82% to 87%
_NARROWEST = (9.0, 11.5, 22.0, 12.5, 12.5, 9.0, 14.5)
_WIDEST = 24.0
_FLEXIBLE = 2  # the third column takes what the others leave
_TILES = ((1, 2), (3, 1), (4, 2), (6, 2))  # first column and how many of each
_CHART_COLUMNS = 10  # together as wide as the first page, so that both are printed at one scale
_CHART_WIDTHS = (16.0, *(10.3,) * 6, 18.5, 8.0, 8.0)
_BESIDE_CHARTS = 3  # the last of these columns, which no chart reaches: how to read it, and a table
_PAGE_POINTS = 875.0  # of rows, at the larger of these scales
_FEWEST_RANKED = 3
_LONGEST_FIGURE = 9  # characters that a tile of two columns holds in large letters
_CHECK_NAMES = 2  # columns that the name of a check takes
_POINTS_PER_CM = 72.0 / 2.54
_SPACE_CM = 0.3
_LOWEST_CM = 4.5
_LINE = 15.0  # points of a line of a wrapped text
_ONE_LINE = 12  # letters of a heading that needs no second line
_EVEN_ROW = 1.2 * ROW_HEIGHT  # a taller one stands beside words that wrap


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
        Words after these, where rows are left out or a column needs them; empty = none.
    goes_on
        Whether it has further rows, that no page has room for and so were never made.
    """

    heading: str
    columns: tuple[Column, ...]
    name: str
    rest: str = ""
    goes_on: bool = False

    def first_rows(self, count: int, rest: str) -> Listed:
        """Return the list with its first rows only, and the words for the others."""
        if count >= len(self.columns[0].cells) and not self.goes_on:
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
        The ranked list, at least the first `MOST_RANKED` of it.
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
    readings
        How to read each of them, in two or three sentences, which stand beside it.
    counts
        A small table beside them.
    behind
        Tables that the charts draw, which stand right of all that is printed: see `behind_charts`.
    """

    charts: tuple[Chart, ...]
    readings: tuple[str, ...] = ()
    counts: Listed | None = None
    behind: tuple[Table, ...] = ()


def front_sheet(headed: Sheet, up_to_date: Note, page: FrontPage, pictures: Pictures) -> Sheet:
    """Build the sheet from one that has name, title and explanation only; `up_to_date` is the line in row 3."""
    plain = replace(headed, frozen=None, portrait=True, front=page.front, across=ACROSS)
    top = replace(up_to_date, across=ACROSS, style="plain" if up_to_date.style == "small" else up_to_date.style)
    room = _room_for_ranked(plain, page, top)
    page = replace(page, ranked=page.ranked.first_rows(room, page.rest))
    tables, notes, last_row = _laid_out(page, top)
    sheet = replace(plain, tables=tables, notes=notes, column_widths=_widths(page))
    placed, last_chart_row = _placed(pictures.charts, sheet)
    readings = _readings(pictures.readings, placed, sheet)
    counts, readings = _counts(pictures.counts, readings, placed, sheet)
    last_chart_row = max(last_chart_row, *(table.last_row for table in counts), 1)
    beside = CellRange(1, CHART_COLUMN, last_chart_row, CHART_COLUMN + _CHART_COLUMNS - 1)
    heading = Note(row=1, column=CHART_COLUMN, text="The same in pictures", style="heading")
    return replace(
        sheet,
        tables=(*tables, *counts, *pictures.behind),
        notes=(*notes, *([heading] if placed else []), *readings),
        charts=placed,
        printed=(CellRange(1, 1, last_row, ACROSS), *([beside] if placed else [])),
    )


def ranked_heading(*, higher_is_better: bool) -> str:
    """Head the ranked list; where the first rank has the lowest value, which readers may not expect, say so."""
    return "Ranked list" if higher_is_better else "Ranked list, the lowest value first"


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
        columns = tuple(
            column if k == _FLEXIBLE else wrapped_where_cut(column, _WIDEST) for k, column in enumerate(listed.columns)
        )
        tables.append(Table(columns, row=row + 1, name=listed.name))
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
            cells = longest_word(texts) if column.style in ("wrapped", "input") else widest(texts)
            lines = 1 if len(column.heading) <= _ONE_LINE else 2
            wide = max(cells + 1.8, heading_width(column, lines))
            needed[k] = max(needed[k], min(wide, _WIDEST))
    needed[_FLEXIBLE] = max(_NARROWEST[_FLEXIBLE], _WIDTH - sum(needed) + needed[_FLEXIBLE])
    beside = range(CHART_COLUMN, CHART_COLUMN + _CHART_COLUMNS)
    return (
        *enumerate(needed, 1),
        (ACROSS + 1, 1.0),
        *zip(beside, _CHART_WIDTHS, strict=True),
        (CHART_COLUMN + _CHART_COLUMNS, 2.0),
    )


def _readings(texts: Sequence[str], charts: Sequence[Chart], sheet: Sheet) -> tuple[Note, ...]:
    """Put how each chart is to be read beside it, over as many rows as the words need."""
    heights = row_heights(sheet, BaseFont())
    room = sum(_CHART_WIDTHS[-_BESIDE_CHARTS:]) - 1.0
    notes = []
    for text, chart in zip(texts, charts, strict=False):
        needed, down = _LINE * (wrapped_lines(text, room) + 1), 1
        while sum(heights.get(row, ROW_HEIGHT) for row in range(chart.row, chart.row + down)) < needed:
            down += 1
        column = CHART_COLUMN + _CHART_COLUMNS - _BESIDE_CHARTS
        notes.append(Note(chart.row, text, "small", column, across=_BESIDE_CHARTS, down=down))
    return tuple(notes)


def _counts(
    counts: Listed | None, readings: tuple[Note, ...], charts: Sequence[Chart], sheet: Sheet
) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Put the small table between the words beside the charts, on rows of one height; they make room if they can."""
    if counts is None:
        return (), readings
    heights = row_heights(sheet, BaseFont())
    rows = len(counts.columns[0].cells) + 1
    taken = {row for note in readings for row in range(note.row - 1, note.row + note.down + 1)}
    first, below = min((note.row for note in readings), default=2), max(taken, default=2) + 1
    free = [row for row in range(first, below + 1) if not taken & set(range(row, row + rows))]

    def is_even(row: int) -> bool:
        return all(heights.get(row + k, ROW_HEIGHT) <= _EVEN_ROW for k in range(1, rows))

    placed, shifted = next((row for row in free if is_even(row)), 0), readings
    if not placed:
        for row in filter(is_even, range(first, below)):
            made = _made_room(readings, charts, row, rows)
            if made is not None:
                placed, shifted = row, made
                break
        else:
            placed = min(free, key=lambda row: sum(heights.get(row + k, ROW_HEIGHT) for k in range(rows)))
    column = CHART_COLUMN + _CHART_COLUMNS - _BESIDE_CHARTS
    return (Table(counts.columns, row=placed, column=column, name=counts.name),), shifted


def _made_room(readings: tuple[Note, ...], charts: Sequence[Chart], row: int, rows: int) -> tuple[Note, ...] | None:
    """Move the words that begin on these rows below them; None where they would leave their chart."""
    ends = [*(chart.row - 1 for chart in charts[1:]), charts[-1].row + rows]
    made = []
    for note, end in zip(readings, ends, strict=False):
        if note.row + note.down < row or note.row > row + rows:
            made.append(note)
        elif note.row < row or row + rows + note.down > end:
            return None
        else:
            made.append(replace(note, row=row + rows + 1))
    return tuple(made)


def _placed(charts: Sequence[Chart], sheet: Sheet) -> tuple[tuple[Chart, ...], int]:
    """Put charts below one another, each at the first row that is clear of the one before; and their last row.

    The last takes what is left of the page.
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
            left = (_PAGE_POINTS - top) / _POINTS_PER_CM - _SPACE_CM
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
