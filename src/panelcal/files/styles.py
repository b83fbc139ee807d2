"""How result cells look in a workbook file: named cell styles, in the colours and formats of `reporting.looks`."""

from __future__ import annotations

from copy import copy
from typing import Literal

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat

from panelcal.reporting.looks import (
    ACROSS_LOOKS,
    ALERT_FILL,
    ALERT_INK,
    DRAWING_FONT,
    DRAWING_SIZE,
    GIVEN_INK,
    GIVEN_STEPS,
    GOOD_FORMAT,
    GOOD_INK,
    HEADING_FILL,
    HEADING_LINE,
    INK,
    INPUT_FILL,
    LINE,
    MOST_HEADING_STEPS,
    NOTE_LOOKS,
    NOTE_SIZES,
    NUMBER_FORMATS,
    NUMERIC_STYLES,
    PALE_INK,
    PALETTE,
    TILE_FILL,
    TILE_NOTES,
    TITLE_INK,
    TITLE_SIZE,
    WARNING_FORMAT,
    ZERO_FORMATS,
    BaseFont,
    CellLook,
    set_in_format,
)
from panelcal.reporting.model import NoteStyle

_Kind = Literal["plain", "linked", "answer", "linked answer", "set in", "linked set in"]
_KINDS: tuple[_Kind, ...] = ("plain", "linked", "answer", "linked answer", "set in", "linked set in")
_FORMAT_OF_ALERT = 380  # number of a format, far from those that workbooks count up from 164
_MIDDLE = "center"  # of its row, which is a little higher than its line, so that letters keep off the rules


class Looks:
    """The named styles of the result sheets, registered in one workbook.

    Parameters
    ----------
    workbook
        Receives the styles.
    font
        Font of the workbook the sheets will live in.
    forms
        Whether they are sheets to fill in, which have a look of their own.
    """

    def __init__(self, workbook: Workbook, font: BaseFont, *, forms: bool = False) -> None:
        self.font = font
        styles = _named_styles(font)
        if forms:
            from panelcal.files.forms import form_styles  # noqa: PLC0415 - only templates have forms

            styles = form_styles(font)
        scratch = workbook.create_sheet("scratch")
        self._numbers: dict[_Kind, dict[CellLook, int]] = {}
        self._headings: list[int] = []
        self._set_in = False
        for number, (look, style) in enumerate(styles.items(), 1):
            if style.name not in workbook.named_styles:
                workbook.add_named_style(style)
            figures = look in NUMERIC_STYLES or look in ZERO_FORMATS
            cells = {kind: scratch.cell(number, column) for column, kind in enumerate(_KINDS, 1)}
            for kind, cell in cells.items():
                cell.style = style.name
                if kind.startswith("linked"):
                    cell.font = _font(
                        font, colour=PALETTE[0], underline=True, bold=bool(style.font.b), size=style.font.sz
                    )
                if (kind == "answer" or (kind == "linked answer" and not forms)) and figures:
                    cell.alignment = Alignment(horizontal="left", vertical=_MIDDLE, indent=1)
                if kind.endswith("set in") and figures and not forms:
                    cell.number_format = set_in_format(style.number_format)
                    if look == "given":
                        cell.alignment = Alignment(horizontal="right", vertical=_MIDDLE, indent=GIVEN_STEPS)
                        if kind == "set in":
                            cell.font = _font(font, colour=GIVEN_INK)
                self._numbers.setdefault(kind, {})[look] = cell.style_id
        for steps in range(MOST_HEADING_STEPS + 1) if not forms else ():
            heading = scratch.cell(steps + 1, len(_KINDS) + 1)
            heading.style = styles["heading filtered"].name
            heading.alignment = Alignment("left", vertical="bottom", wrap_text=True, indent=steps)
            self._headings.append(heading.style_id)
        workbook.remove(scratch)

    def moved(self, by: int) -> Looks:
        """Return the same styles as they are numbered where so many others stand before them."""
        looks = copy(self)
        looks._numbers = {
            kind: {look: number + by for look, number in numbers.items()} for kind, numbers in self._numbers.items()
        }
        looks._headings = [number + by for number in self._headings]
        return looks

    def under_buttons(self) -> Looks:
        """Return the same styles for the rows of a filtered table, whose figures are set in from the right."""
        looks = copy(self)
        looks._set_in = True
        return looks

    def index(self, look: CellLook, *, linked: bool = False, answer: bool = False) -> int:
        """Return the cell format number (attribute ``s`` of a cell) of a look.

        Underlined where it is a link; aligned as words are where it is an answer among others of several kinds.
        """
        kinds: tuple[_Kind, _Kind] = ("plain", "linked")
        if answer:
            kinds = ("answer", "linked answer")
        elif self._set_in:
            kinds = ("set in", "linked set in")
        return self._numbers[kinds[linked]][look]

    def heading_index(self, look: CellLook, steps: int) -> int:
        """Return the same of a heading, set in by so many steps where it stands above filtered figures."""
        return self._headings[steps] if look == "heading filtered" else self.index(look)


def alert_format(*, of_note: bool = False) -> DifferentialStyle:
    """What a conditional format changes where a value calls for attention: bold, shaded, framed.

    Of a line (`of_note`) also its symbol, so that no green line turned brown keeps its tick.
    """
    edge = Side(style="thin", color=PALETTE[3])
    return DifferentialStyle(
        font=Font(b=True, color=ALERT_INK),
        numFmt=NumberFormat(numFmtId=_FORMAT_OF_ALERT, formatCode=WARNING_FORMAT) if of_note else None,
        fill=PatternFill(bgColor=ALERT_FILL, fill_type="solid"),
        border=Border(left=edge, right=edge, top=edge, bottom=edge),
    )


def calm_format() -> DifferentialStyle:
    """What a conditional format changes where a value is worth seeing and nothing is wrong: bold."""
    return DifferentialStyle(font=Font(b=True, color=TITLE_INK))


def _font(
    base: BaseFont,
    *,
    size: float | None = None,
    bold: bool = False,
    underline: bool = False,
    colour: str = INK,
) -> Font:
    return Font(
        name=base.name,
        sz=base.size if size is None else size,
        b=bold,
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
    firm = Side(style="thin", color=HEADING_LINE)
    strong = Side(style="medium", color=HEADING_LINE)
    cell_border = Border(bottom=thin)
    scale = base.size / 11.0
    styles: dict[CellLook, NamedStyle] = {
        "title": NamedStyle(
            "Cal title",
            font=_font(base, size=TITLE_SIZE * scale, bold=True, colour=TITLE_INK),
            alignment=Alignment(vertical="center"),
        ),
        "explanation": NamedStyle("Cal explanation", font=_font(base, colour=PALE_INK), alignment=Alignment("left")),
    }
    headings: tuple[tuple[CellLook, str], ...] = (
        ("heading", "left"),
        ("heading number", "right"),
        ("heading filtered", "left"),
    )
    for look, horizontal in headings:
        styles[look] = NamedStyle(
            f"Cal {look}",
            font=_font(base, bold=True, colour=TITLE_INK),
            fill=PatternFill("solid", fgColor=HEADING_FILL),
            border=Border(top=firm, bottom=strong),
            alignment=Alignment(
                horizontal=horizontal, vertical="bottom", wrap_text=True, indent=int(look == "heading")
            ),
        )
    number_formats: list[tuple[CellLook, str]] = [*NUMBER_FORMATS.items(), *ZERO_FORMATS.items()]
    for name, number_format in number_formats:
        side = "right" if name in NUMERIC_STYLES or name in ZERO_FORMATS else "left"
        styles[name] = NamedStyle(
            f"Cal {name}",
            font=_font(base),
            number_format=number_format,
            border=cell_border,
            alignment=Alignment(
                horizontal=side, vertical=_MIDDLE, wrap_text=name in ("wrapped", "input") or None, indent=_indent(side)
            ),
        )
    styles["drawing"].font = Font(name=DRAWING_FONT, sz=DRAWING_SIZE * scale, color=INK, family=3)
    styles["drawing"].alignment = Alignment(horizontal="left", vertical=_MIDDLE)
    styles["input"].border = Border(left=firm, right=firm, top=firm, bottom=firm)
    styles["input"].fill = PatternFill("solid", fgColor=INPUT_FILL)
    styles["input"].protection = Protection(locked=False)

    styles["explanation across"] = NamedStyle(
        "Cal explanation across",
        font=_font(base, colour=PALE_INK),
        alignment=Alignment("left", vertical="top", wrap_text=True),
    )
    styles |= _note_styles(base)
    return styles


def _note_styles(base: BaseFont) -> dict[CellLook, NamedStyle]:
    scale = base.size / 11.0
    sizes = {note: size * scale for note, size in NOTE_SIZES.items()}
    left = Alignment(horizontal="left", vertical="top")
    across = Alignment(horizontal="left", vertical="top", wrap_text=True)
    notes: dict[NoteStyle, tuple[Font, str]] = {
        "plain": (_font(base), "General"),
        "strong": (_font(base, bold=True), "General"),
        "heading": (_font(base, size=sizes["heading"], bold=True, colour=TITLE_INK), "General"),
        "warning": (_font(base, bold=True, colour=ALERT_INK), WARNING_FORMAT),
        "good": (_font(base, bold=True, colour=GOOD_INK), GOOD_FORMAT),
        "small": (_font(base, colour=PALE_INK), "General"),
        "headline": (_font(base, size=sizes["headline"], bold=True, colour=TITLE_INK), "General"),
        "figure": (_font(base, size=sizes["figure"], bold=True, colour=TITLE_INK), "General"),
        "figure asks": (_font(base, size=sizes["figure asks"], bold=True, colour=ALERT_INK), "General"),
        "figure long": (_font(base, size=sizes["figure long"], bold=True, colour=TITLE_INK), "General"),
        "figure long asks": (_font(base, size=sizes["figure long asks"], bold=True, colour=ALERT_INK), "General"),
        "caption": (_font(base), "General"),
        "line": (_font(base), "General"),
    }
    styles: dict[CellLook, NamedStyle] = {}
    for note, (font, number_format) in notes.items():
        styles[NOTE_LOOKS[note]] = NamedStyle(
            f"Cal note {note}", font=font, number_format=number_format, alignment=left
        )
    # Copies, because openpyxl shares what is put into a style.
    for note, look in ACROSS_LOOKS.items():
        if look in styles:
            continue
        font, number_format = notes[note]
        styles[look] = NamedStyle(f"Cal {look}", font=copy(font), number_format=number_format, alignment=across)
    styles["note line"].alignment = Alignment("left", vertical="bottom")
    styles["note heading"].alignment = Alignment("left", vertical="bottom")
    styles["note headline"].alignment = Alignment("left", vertical="center", wrap_text=True)
    gap = Side(style="thick", color="FFFFFF")
    for look in (NOTE_LOOKS[note] for note in TILE_NOTES):
        styles[look].fill = PatternFill("solid", fgColor=TILE_FILL)
        styles[look].border = Border(left=gap, right=gap)
        styles[look].alignment = Alignment(
            "left", vertical="top", wrap_text=look not in ("note figure", "note figure asks"), indent=1
        )
    return styles
