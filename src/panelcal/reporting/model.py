"""What a result workbook consists of, as data: Report, Sheet, Table, Column, Chart, Note. No spreadsheet program here.

Positions count from 1 as in a spreadsheet. A writer needs nothing but these objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from panelcal.frozen import dataclass
from panelcal.reading.grid import block_address, sheet_reference

if TYPE_CHECKING:  # results have none: no run need wait for them
    from panelcal.reporting.forms import Form, Name

CellValue = str | float | int | bool | None

Style = Literal[
    "text",  # left-aligned
    "wrapped",  # left-aligned, wraps inside its column
    "score",  # 0.0, in score units
    "signed",  # +0.0;-0.0;0.0, a difference in score units
    "precise",  # 0.00, a statistic without a unit
    "fine",  # 0.000, a small one
    "p value",  # 0.000, and "<0.001" below that
    "scientific",  # 0.0E+00
    "integer",  # 0
    "places",  # +0;-0;0
    "large",  # #,##0
    "percent",  # 0%
    "given",  # a number as it was given: General, right-aligned
    "drawing",  # in letters of a fixed width
    "general",  # answers of several kinds: General, all left-aligned
    "input",  # an empty cell somebody is to fill in: bordered, unlocked-looking
    "input label",  # the same for a name; this and the next ones on forms only
    "label",  # looks like a heading
    "counted",  # number of a line
    "notice",
    "computed text",
    "row label",  # beside a cell to fill in, and in the middle of its row
    "row text",
]

Marker = Literal["circle", "triangle", "x", "plus", "diamond", "none"]

NoteStyle = Literal[
    "plain",
    "strong",
    "heading",
    "warning",
    "good",
    "small",  # what need not be read at once: paler, not smaller, for it is printed too
    "line",  # a line to fill in by hand, with room above it
    "headline",  # the one sentence of a front page
    "figure",  # a large figure on a tile, "figure asks" where it calls for attention
    "figure asks",
    "figure long",  # a name or a figure too long for large letters
    "figure long asks",
    "caption",  # what stands below the figure of a tile
]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A conditional format on a column: something that shows without colour as well.

    kind
        "data bar": signed bars in the cells; "beyond": bold and shaded where abs(value) >= `limit`;
        "below": bold and shaded where value < `limit`; "text": bold and shaded where the text starts with `starts`.
    calm
        Bold only, not shaded: it is worth seeing, and nothing is wrong.
    """

    kind: Literal["data bar", "beyond", "below", "text"]
    limit: float = 0.0
    starts: str = ""
    calm: bool = False


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    heading
        Text of the heading cell.
    cells
        One value per row. Where `formulas` has a formula, the value the formula gives now.
    style
        How the values look.
    width
        Column width in characters.
    formulas
        Per row a formula starting with "=", or None for a static value; empty = all static.
    links
        Per row a place in the same workbook such as "#Marks!C7", or None; empty = no links.
    explanation
        One sentence for the heading's cell comment; empty = none.
    highlight
        Conditional format, or None.
    styles
        Per row a style that wins over `style` for numbers, in columns of mixed content; empty = none.
    choices
        Per row the entries of the cell's drop-down, empty for a cell without one; empty = none at all.
    spills
        The cells that the formula of the first row fills, such as "D7:D88"; empty = its own alone.
    """

    heading: str
    cells: Sequence[CellValue]
    style: Style = "text"
    width: float = 12.0
    formulas: Sequence[str | None] = ()
    links: Sequence[str | None] = ()
    explanation: str = ""
    highlight: Highlight | None = None
    styles: Sequence[Style] = ()
    choices: Sequence[Sequence[str]] = ()
    spills: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length under one row of headings at (row, column).

    The headings of a form may be turned upright or wrap, and where there are "none" the rows begin below `row` all the
    same. Elsewhere a heading takes `heading_lines` at most, but for one so long that its column would be very wide.
    """

    columns: tuple[Column, ...]
    row: int = 4
    column: int = 1
    name: str = ""
    headings: Literal["level", "upright", "wrapped", "none"] = "level"
    heading_lines: int = 2

    @property
    def n_rows(self) -> int:
        """Number of data rows."""
        return len(self.columns[0].cells)

    @property
    def last_row(self) -> int:
        """Sheet row of the last data row (the heading row when there is none)."""
        return self.row + self.n_rows

    def column_number(self, heading: str) -> int:
        """Sheet column of the column with that heading.

        Raises
        ------
        KeyError
            If there is none.
        """
        for offset, column in enumerate(self.columns):
            if column.heading == heading:
                return self.column + offset
        raise KeyError(heading)

    def cell_range(self, heading: str) -> CellRange:
        """Return the data cells under that heading."""
        number = self.column_number(heading)
        return CellRange(self.row + 1, number, self.last_row, number)


@dataclass(frozen=True, slots=True)
class CellRange:
    """A block of cells on the sheet it is used on, or on `sheet`."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int
    sheet: str = ""

    def on(self, sheet: str) -> CellRange:
        """Return the same block, on that sheet."""
        return CellRange(self.first_row, self.first_column, self.last_row, self.last_column, sheet)

    @property
    def absolute(self) -> str:
        """Spell it for a formula: ``'Cal values'!$B$5:$B$86``."""
        plain = block_address(self.first_row, self.first_column, self.last_row, self.last_column)
        dollars = ":".join(
            "$" + corner.rstrip("0123456789") + "$" + corner[len(corner.rstrip("0123456789")) :]
            for corner in plain.split(":")
        )
        return sheet_reference(self.sheet, dollars) if self.sheet else dollars


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text in one cell; it may be a formula (`text` is then what it shows now).

    A `highlight` of kind "text" lets a line whose formula turns, such as "up to date", call for attention by itself.
    A line `across` several columns has their cells as one, and wraps in it; across one it runs on over the next. One
    that goes `down` several rows wraps as well, and takes the heights that these have anyhow.
    """

    row: int
    text: str
    style: NoteStyle = "plain"
    column: int = 1
    formula: str = ""
    link: str = ""
    highlight: Highlight | None = None
    across: int = 1
    down: int = 1

    @property
    def wraps(self) -> bool:
        """Whether its cells are one, in which it wraps; else it runs on over the next."""
        return self.across > 1 or self.down > 1


@dataclass(frozen=True, slots=True)
class Tile:
    """A large figure of a front page with a plain caption; `asks` where somebody should look at something."""

    figure: str
    caption: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a front page: what was looked at, whether it is fine, and what was found or is to be done."""

    name: str
    fine: bool
    words: str


@dataclass(frozen=True, slots=True)
class Front:
    """What a chair reads in a minute.

    Attributes
    ----------
    sentence
        To be read aloud.
    tiles
        Four: what changed, who crosses, how sure, what to look at first.
    checks
        Six at most.
    lines
        What else belongs at the top: what changed since the last run, the best of each category.
    warnings
        What must be read before anything else.
    """

    sentence: str
    tiles: tuple[Tile, ...]
    checks: tuple[Check, ...]
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """One series of a chart.

    Attributes
    ----------
    name
        For the legend.
    y
        Values.
    x
        Horizontal positions (scatter) or category labels (bar); None = 1, 2, 3, ...
    plus, minus
        Error-bar lengths above and below, or None.
    marker
        "circle", "triangle", "x", "plus", "diamond", "none".
    line
        Whether neighbouring points are joined.
    colour
        Place in the colour-blind-safe palette of the writer, 0 to 7.
    """

    name: str
    y: CellRange
    x: CellRange | None = None
    plus: CellRange | None = None
    minus: CellRange | None = None
    marker: Marker = "circle"
    line: bool = False
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A native chart.

    Attributes
    ----------
    kind
        "scatter", "column" (upright bars), "bar" (bars from top to bottom), "points" (unjoined, named on the axis) or
        "line".
    title, x_title, y_title
        Words on the chart; always given.
    series
        What is drawn.
    alt_text
        What a reader who cannot see the chart should know.
    row, column
        Cell of its upper left corner.
    width_cm, height_cm
        Size.
    x_low, x_high, y_low, y_high
        Ends of the axes, None = automatic.
    legend
        Whether a legend is shown (below the plot).
    """

    kind: Literal["scatter", "column", "bar", "points", "line"]
    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    alt_text: str
    row: int
    column: int
    width_cm: float = 16.0
    height_cm: float = 8.0
    x_low: float | None = None
    x_high: float | None = None
    y_low: float | None = None
    y_high: float | None = None
    legend: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One result sheet: title in A1, a line of explanation in A2, tables, notes and charts below.

    Attributes
    ----------
    name
        Sheet name, at most 31 characters, already free in the workbook.
    title, explanation
        Cells A1 and A2.
    frozen
        (row, column) of the first cell that scrolls, None = nothing frozen.
    column_widths
        Widths in characters by column number; they win over those of the table columns.
    one_page
        Whether it is printed on a single page (else one page wide).
    portrait
        Paper direction; A4 landscape by default.
    printed
        Blocks that are printed, each from a new page on; everything where there are none.
    repeated
        Row of headings that every printed page begins with though other tables stand below theirs; None = where all
        that is printed belongs to one table.
    kept
        Whether the sheet is the user's own from then on, and stays when results are removed.
    front
        What its first page says, as data; the page itself stands in notes and tables.
    across
        Over how many columns the explanation wraps.
    form
        Of a sheet to fill in; its widths and heights are as they are given, and it has a look of its own.
    """

    name: str
    title: str
    explanation: str
    tables: tuple[Table, ...] = ()
    notes: tuple[Note, ...] = ()
    charts: tuple[Chart, ...] = ()
    frozen: tuple[int, int] | None = (5, 2)
    column_widths: tuple[tuple[int, float], ...] = ()
    one_page: bool = False
    portrait: bool = False
    printed: tuple[CellRange, ...] = ()
    repeated: int | None = None
    kept: bool = False
    front: Front | None = None
    across: int = 1
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class CellEdits:
    """Cells of a sheet of the user's that a copy of the workbook has otherwise: (row, column) from 1 -> what to write.

    None clears a cell; `said` is what to say where they cannot be written.
    """

    sheet: str
    cells: Mapping[tuple[int, int], Any]
    said: str


@dataclass(frozen=True, slots=True)
class Report:
    """All result sheets of one run.

    Attributes
    ----------
    sheets
        In the order they are to appear.
    run_id
        Short identifier printed in every footer.
    footer
        "Confidential: for the Board" or the like, printed on the left of every footer.
    created
        Date and time of the run, "2026-11-21T10:15:00"; given, never taken from the clock here.
    edits
        What a copy of the user's workbook has otherwise on the sheet Settings; None = nothing.
    title, description
        Properties of the file; the title of the first sheet where none is given.
    names
        That the workbook knows.
    """

    sheets: tuple[Sheet, ...]
    run_id: str
    footer: str
    created: str
    edits: CellEdits | None = None
    title: str = ""
    description: str | None = None
    names: tuple[Name, ...] = ()
