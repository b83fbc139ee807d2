"""How results look, for every writer: palette, number formats, sizes and conditions that call for attention.

The palette is Okabe and Ito's, which colour-blind readers can tell apart; everything a colour says is said by a symbol,
a border or bold type as well, so that a grey print loses nothing.
"""

from __future__ import annotations

import math
from typing import Literal

from panelcal.frozen import dataclass
from panelcal.reporting.model import CellValue, Column, NoteStyle, Style

PALETTE = ("0072B2", "E69F00", "009E73", "D55E00", "CC79A7", "56B4E9", "6E6E6E", "000000")

INK = "262626"
PALE_INK = "595959"
LINE = "D0D5DB"
HEADING_FILL = "E4EBF2"
ALERT_FILL = "FBE3D0"
INPUT_FILL = "FFF9E0"
TITLE_INK = "1F3A56"
ALERT_INK = "8A3B00"
GOOD_INK = "00563F"
HEADING_LINE = "8096AD"
TAB_COLOUR = PALETTE[0]
DRAWING_FONT, DRAWING_SIZE = "Courier New", 8.0
"""What drawings in letters are set in; it is on Windows and macOS, and elsewhere a twin of the same widths."""

BAR_COLOUR = "9CC7E4"
NEGATIVE_BAR_COLOUR = "F2C28B"

ZeroLook = Literal["zero", "precise zero"]

NUMBER_FORMATS: dict[Style, str] = {
    "text": "General",
    "wrapped": "General",
    "score": "0.0",
    "signed": "+0.0;-0.0;0.0",
    "precise": "0.00",
    "fine": "0.000",
    "p value": '[<0.001]"<0.001";0.000',
    "scientific": "0.0E+00",
    "integer": "0",
    "places": "+0;-0;0",
    "large": "#,##0",
    "percent": "0%",
    "given": "General",
    "drawing": "General",
    "general": "General",
    "input": "General",
}

# What is shown as zero has no sign. Conditions within one format would do, were they not read differently by different
# programs; three equal sections are not.
ZERO_FORMATS: dict[ZeroLook, str] = {"zero": "0.0;0.0;0.0", "precise zero": "0.00;0.00;0.00"}
ZERO_LOOKS: dict[Style, tuple[float, ZeroLook]] = {
    "score": (0.05, "zero"),
    "signed": (0.05, "zero"),
    "precise": (0.005, "precise zero"),
}
"""Style -> the size below which its numbers are shown as zero, and the look of those that are not quite zero."""

_SET_IN = "_x_x_x"
BEHIND_FIGURES = 3.0
"""Characters of a column behind its figures where the table is filtered: the button above them and a little air."""

GIVEN_STEPS, GIVEN_INK = 2, "262627"
"""How figures in General are set in there, which would be cut instead of rounded by letters' room in their format.

Their ink is another, which nobody sees: LibreOffice forgets an indent from the right in every cell that differs from
the one drawn before it in nothing but its format.
"""

MOST_HEADING_STEPS = 6


def set_in_format(number_format: str) -> str:
    """Return the format for figures below a filter's button: with three letters' room behind them, but for General."""
    if number_format == "General":
        return number_format
    return ";".join(section + _SET_IN for section in number_format.split(";"))


# The symbol is part of the number format, so the cell's own text stays the sentence itself, also where it is a formula.
WARNING_FORMAT = '"▲ "@'
GOOD_FORMAT = '"✓ "@'

NUMERIC_STYLES: frozenset[Style] = frozenset(
    {"score", "signed", "precise", "fine", "p value", "scientific", "integer", "places", "large", "percent", "given"}
)

ROW_HEIGHT = 16.5
"""Points, of a row of one line in a font of 11 points: the default of 15 leaves no air between rule and letters."""

_ROOM_FOR_FIGURES = 2.5

TITLE_SIZE = 16.0
HEADING_NOTE_SIZE = 12.0
NOTE_SIZES: dict[NoteStyle, float] = {
    "heading": HEADING_NOTE_SIZE,
    "headline": 14.0,
    "figure": 26.0,
    "figure asks": 26.0,
    "figure long": 15.0,
    "figure long asks": 15.0,
}
"""Sizes of notes that are not written in the size of the workbook, which is taken to be 11 points."""

TILE_NOTES: frozenset[NoteStyle] = frozenset({"figure", "figure asks", "figure long", "figure long asks", "caption"})
TILE_FILL = "EEF3F8"

CellLook = (
    Style
    | ZeroLook
    | Literal["title", "explanation", "explanation across", "heading", "heading number", "heading filtered"]
    | Literal["heading upright", "heading to write", "heading wrapped"]
    | Literal["note plain", "note strong", "note heading", "note warning", "note good", "note small"]
    | Literal["note headline", "note figure", "note figure asks", "note caption", "note across"]
    | Literal["note figure long", "note figure long asks"]
    | Literal["note line", "note good across", "note warning across", "note strong across", "note small across"]
)
NOTE_LOOKS: dict[NoteStyle, CellLook] = {
    "plain": "note plain",
    "strong": "note strong",
    "heading": "note heading",
    "warning": "note warning",
    "good": "note good",
    "small": "note small",
    "line": "note line",
    "headline": "note headline",
    "figure": "note figure",
    "figure asks": "note figure asks",
    "figure long": "note figure long",
    "figure long asks": "note figure long asks",
    "caption": "note caption",
}
ACROSS_LOOKS: dict[NoteStyle, CellLook] = NOTE_LOOKS | {
    "plain": "note across",
    "good": "note good across",
    "warning": "note warning across",
    "strong": "note strong across",
    "small": "note small across",
}
"""Looks of notes across several columns, which wrap."""


@dataclass(frozen=True, slots=True)
class BaseFont:
    """The font a workbook writes in when nobody chooses one; result sheets follow it."""

    name: str = "Calibri"
    size: float = 11.0
    scheme: str | None = "minor"
    family: int = 2


def zero_look(style: Style, value: CellValue) -> ZeroLook | None:
    """Return the look of a fixed number that is shown as zero without being zero, None of any other cell."""
    limit, look = ZERO_LOOKS.get(style, (0.0, None))
    return look if isinstance(value, float) and value and -limit < value < limit else None


def bar_end(column: Column) -> float:
    """Value at which a column's data bars are full, the same for every cell, so that equal sizes look equal.

    It is larger than any number, so that the bars to the right of the middle end before the figures begin.
    """
    numbers = [abs(float(v)) for v in column.cells if isinstance(v, int | float) and math.isfinite(v)]
    return _ROOM_FOR_FIGURES * (max(numbers, default=1.0) or 1.0)
