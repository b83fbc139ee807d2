"""How result cells look: named cell styles, number formats and the palette. Nothing here knows what a cell means.

The palette is Okabe and Ito's, which colour-blind readers can tell apart; everything a colour says is said by a symbol,
a border or bold type as well, so that a grey print loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.styles.differential import DifferentialStyle

from panelcal.reporting.model import NoteStyle, Style

PALETTE = ("0072B2", "E69F00", "009E73", "D55E00", "CC79A7", "56B4E9", "6E6E6E", "000000")

INK = "262626"
PALE_INK = "595959"
LINE = "D0D5DB"
HEADING_FILL = "E4EBF2"
ALERT_FILL = "FBE3D0"
INPUT_FILL = "FFF9E0"
TAB_COLOUR = PALETTE[0]
BAR_COLOUR = "9CC7E4"
NEGATIVE_BAR_COLOUR = "F2C28B"

NUMBER_FORMATS: dict[Style, str] = {
    "text": "General",
    "wrapped": "General",
    "score": "0.0",
    "signed": "+0.0;-0.0;0.0",
    "precise": "0.0000",
    "scientific": "0.0E+00",
    "integer": "0",
    "percent": "0%",
    "general": "General",
    "input": "General",
}

# The symbol is part of the number format, so the cell's own text stays the sentence itself, also where it is a formula.
WARNING_FORMAT = '"▲ "@'
GOOD_FORMAT = '"✓ "@'

NUMERIC_STYLES: frozenset[Style] = frozenset({"score", "signed", "precise", "scientific", "integer", "percent"})

TITLE_SIZE = 16.0
HEADING_NOTE_SIZE = 12.0

CellLook = (
    Style
    | Literal["title", "explanation", "heading", "heading number"]
    | Literal["note plain", "note strong", "note heading", "note warning", "note good", "note small"]
)
NOTE_LOOKS: dict[NoteStyle, CellLook] = {
    "plain": "note plain",
    "strong": "note strong",
    "heading": "note heading",
    "warning": "note warning",
    "good": "note good",
    "small": "note small",
}


@dataclass(frozen=True, slots=True)
class BaseFont:
    """The font a workbook writes in when nobody chooses one; result sheets follow it."""

    name: str = "Calibri"
    size: float = 11.0
    scheme: str | None = "minor"
    family: int = 2


class Looks:
    """The named styles of the result sheets, registered in one workbook.

    Parameters
    ----------
    workbook
        Receives the styles.
    font
        Font of the workbook the sheets will live in.
    """

    def __init__(self, workbook: Workbook, font: BaseFont) -> None:
        self.font = font
        scratch = workbook.create_sheet("scratch")
        self._plain: dict[CellLook, int] = {}
        self._linked: dict[CellLook, int] = {}
        for number, (look, style) in enumerate(_named_styles(font).items(), 1):
            workbook.add_named_style(style)
            cell, linked = scratch.cell(number, 1), scratch.cell(number, 2)
            cell.style = linked.style = style.name
            linked.font = _font(font, colour=PALETTE[0], underline=True, bold=bool(style.font.b), size=style.font.sz)
            self._plain[look], self._linked[look] = cell.style_id, linked.style_id
        workbook.remove(scratch)

    def index(self, look: CellLook, *, linked: bool = False) -> int:
        """Return the cell format number (attribute ``s`` of a cell) of a look, underlined where it is a link."""
        return (self._linked if linked else self._plain)[look]


def alert_format() -> DifferentialStyle:
    """What a conditional format changes where a value calls for attention: bold, shaded, framed."""
    edge = Side(style="thin", color=PALETTE[3])
    return DifferentialStyle(
        font=Font(b=True, color="8A3B00"),
        fill=PatternFill(bgColor=ALERT_FILL, fill_type="solid"),
        border=Border(left=edge, right=edge, top=edge, bottom=edge),
    )


def _font(
    base: BaseFont,
    *,
    size: float | None = None,
    bold: bool = False,
    italic: bool = False,
    underline: bool = False,
    colour: str = INK,
) -> Font:
    return Font(
        name=base.name,
        sz=base.size if size is None else size,
        b=bold,
        i=italic,
        u="single" if underline else None,
        color=colour,
        family=base.family,
        scheme=base.scheme,
    )


def _indent(side: str | None) -> int:
    """Keep words off the numbers of the column before, which stand at its right edge."""
    return 1 if side == "left" else 0


def _named_styles(base: BaseFont) -> dict[CellLook, NamedStyle]:
    thin = Side(style="thin", color=LINE)
    firm = Side(style="thin", color="8096AD")
    strong = Side(style="medium", color="8096AD")
    cell_border = Border(bottom=thin)
    scale = base.size / 11.0
    styles: dict[CellLook, NamedStyle] = {
        "title": NamedStyle(
            "Cal title",
            font=_font(base, size=TITLE_SIZE * scale, bold=True, colour="1F3A56"),
            alignment=Alignment(vertical="center"),
        ),
        "explanation": NamedStyle("Cal explanation", font=_font(base, colour=PALE_INK), alignment=Alignment("left")),
    }
    headings: tuple[tuple[CellLook, str], ...] = (("heading", "left"), ("heading number", "right"))
    for look, horizontal in headings:
        styles[look] = NamedStyle(
            f"Cal {look}",
            font=_font(base, bold=True, colour="1F3A56"),
            fill=PatternFill("solid", fgColor=HEADING_FILL),
            border=Border(top=firm, bottom=strong),
            alignment=Alignment(horizontal=horizontal, vertical="top", wrap_text=True, indent=_indent(horizontal)),
        )
    for name, number_format in NUMBER_FORMATS.items():
        side = "right" if name in NUMERIC_STYLES else None if name == "general" else "left"
        styles[name] = NamedStyle(
            f"Cal {name}",
            font=_font(base),
            number_format=number_format,
            border=cell_border,
            alignment=Alignment(
                horizontal=side, vertical="top", wrap_text=name in ("wrapped", "input") or None, indent=_indent(side)
            ),
        )
    styles["input"].border = Border(left=firm, right=firm, top=firm, bottom=firm)
    styles["input"].fill = PatternFill("solid", fgColor=INPUT_FILL)
    styles["input"].protection = Protection(locked=False)

    left = Alignment(horizontal="left", vertical="top")
    notes: dict[NoteStyle, tuple[Font, str]] = {
        "plain": (_font(base), "General"),
        "strong": (_font(base, bold=True), "General"),
        "heading": (_font(base, size=HEADING_NOTE_SIZE * scale, bold=True, colour="1F3A56"), "General"),
        "warning": (_font(base, bold=True, colour="8A3B00"), WARNING_FORMAT),
        "good": (_font(base, bold=True, colour="00563F"), GOOD_FORMAT),
        "small": (_font(base, size=9.0 * scale, colour=PALE_INK), "General"),
    }
    for note, (font, number_format) in notes.items():
        styles[NOTE_LOOKS[note]] = NamedStyle(
            f"Cal note {note}", font=font, number_format=number_format, alignment=left
        )
    return styles
