"""Read one worksheet part as it streams by: stored values, formulas, number formats, merged and hidden cells."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from openpyxl.styles.numbers import is_date_format, is_timedelta_format
from openpyxl.utils.datetime import from_excel, from_ISO8601

from panelcal.frozen import dataclass
from panelcal.reading.grid import CellError, Grid, Uncalculated, corners_of, place_of

LARGE_PART = 8_000_000
"""Bytes of XML from which the quick way of `load_large_sheet` pays."""

_MOST_CELLS = 8_000_000
# Rows are handed over equally long, so one value far to the right costs space in every row that has one.
_MOST_SLOTS = 60_000_000
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384


class TooLarge(Exception):
    """A file or sheet is larger than any sheet of scores; the text goes on from the file's name."""


class CellFormats:
    """Number formats by style, and what they make of a stored number."""

    def __init__(self, codes: list[str], epoch: datetime) -> None:
        self._codes = codes
        self._epoch = epoch
        self._dates = [is_date_format(code) for code in codes]
        self._durations = [bool(is_timedelta_format(code)) for code in codes]

    def code(self, style: int) -> str:
        """Return the format of a style, "General" for an unknown one."""
        return self._codes[style] if style < len(self._codes) else "General"

    def is_date(self, style: int) -> bool:
        """Tell whether a number in this style stands for a date, a time or a duration."""
        return style < len(self._codes) and (self._dates[style] or self._durations[style])

    def meaning(self, number: float, style: int) -> Any:
        """Return the number, or the date it stands for in this style."""
        if not self.is_date(style):
            return number
        try:
            return from_excel(number, self._epoch, timedelta=self._durations[style])
        except (OverflowError, ValueError):
            return CellError("#VALUE!")


@dataclass(frozen=True, slots=True)
class SheetShape:
    """What the XML around the rows says: merged ranges, and hidden columns as (first, last)."""

    merged: tuple[tuple[int, int, int, int], ...]
    hidden: tuple[tuple[int, int], ...]

    def hidden_columns(self, width: int) -> frozenset[int]:
        """Return the hidden columns among the first `width`."""
        return frozenset(column for first, last in self.hidden for column in range(max(1, first), min(last, width) + 1))


class SheetParser:
    """Collects the cells of one worksheet from the parser's events (`start`, `end`, `text`)."""

    def __init__(self, name: str, strings: list[str], formats: CellFormats) -> None:
        self._name = name
        self._strings = strings
        self._formats = formats
        self._rows: dict[int, dict[int, Any]] = {}
        self._number_formats: dict[tuple[int, int], str] = {}
        self._formulas: dict[tuple[int, int], str] = {}
        self._merged: list[tuple[int, int, int, int]] = []
        self._hidden_rows: list[int] = []
        self._hidden_columns: list[tuple[int, int]] = []
        self._shared: dict[str, str] = {}
        self._count = 0
        self._inside = False
        self._row = 0
        self._row_name = ""
        self._columns: dict[str, int] = {}
        self._column = 0
        self._style = 0
        self._kind = "n"
        self._value: str | None = None
        self._formula: str | None = None
        self._shared_index = ""
        self._pieces: list[str] | None = None
        self._inline: list[str] = []
        self._phonetic = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        if self._inside:
            if tag == "c":
                self._start_cell(attributes)
            elif tag == "v" or (tag == "t" and not self._phonetic):
                self._pieces = []
            elif tag == "f":
                self._pieces = []
                self._shared_index = attributes.get("si", "") if attributes.get("t") == "shared" else ""
            elif tag == "row":
                self._row = int(attributes["r"]) if "r" in attributes else self._row + 1
                self._row_name = str(self._row)
                self._column = 0
                if attributes.get("hidden") in ("1", "true"):
                    self._hidden_rows.append(self._row)
            elif tag == "rPh":
                self._phonetic = True
        elif tag == "sheetData":
            self._inside = True
        elif tag == "mergeCell":
            self._merged.append(corners_of(attributes.get("ref", "")))
        elif tag == "col" and attributes.get("hidden") in ("1", "true"):
            self._hidden_columns.append((int(attributes["min"]), int(attributes["max"])))

    def text(self, data: str) -> None:
        """Take character data."""
        if self._pieces is not None:
            self._pieces.append(data)

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        if not self._inside:
            return
        if tag == "v":
            self._value = "".join(self._pieces or ())
            self._pieces = None
        elif tag == "c":
            self._end_cell()
        elif tag == "f":
            self._formula = "=" + "".join(self._pieces or ())
            self._pieces = None
        elif tag == "t" and self._pieces is not None:
            self._inline += self._pieces
            self._pieces = None
        elif tag == "rPh":
            self._phonetic = False
        elif tag == "sheetData":
            self._inside = False

    def _start_cell(self, attributes: dict[str, str]) -> None:
        reference = attributes.get("r")
        if reference is None:
            self._column += 1
        else:
            self._move_to(reference)
        self._style = int(attributes.get("s", "0"))
        self._kind = attributes.get("t", "n")
        self._value = self._formula = None
        self._inline = []

    def _move_to(self, reference: str) -> None:
        """Take the place of a cell; nearly every one names the row it stands in, and a column that was met before."""
        letters = reference.removesuffix(self._row_name)
        column = self._columns.get(letters) if letters != reference else None
        if column is None:
            self._row, column = _place(reference)
            self._row_name = str(self._row)
            if letters.isalpha():
                self._columns[letters] = column
        self._column = column

    def _end_cell(self) -> None:
        value = self._stored_value()
        if self._formula is not None:
            formula = self._spelled_formula()
            if value is None:
                value = Uncalculated(formula)
            else:
                self._formulas[self._row, self._column] = formula
        if value is None:
            return
        if not (1 <= self._row <= _LAST_ROW and 1 <= self._column <= _LAST_COLUMN):
            raise ValueError("a cell outside the sheet")
        self._count += 1
        if self._count > _MOST_CELLS:
            raise TooLarge(f"has more than {_MOST_CELLS:,} filled cells on sheet {self._name}")
        self._rows.setdefault(self._row, {})[self._column] = value
        if self._style and (code := self._formats.code(self._style)) != "General":
            self._number_formats[self._row, self._column] = code

    def _stored_value(self) -> Any:
        text, kind = self._value, self._kind
        if kind == "inlineStr":
            return "".join(self._inline) or None
        if kind == "str":
            return text if text or self._formula is not None else None
        if not text:
            return None
        if kind == "s":
            return self._strings[int(text)] or None
        if kind == "n":
            return self._formats.meaning(_number(text), self._style)
        if kind == "b":
            return text.strip() in ("1", "true")
        if kind == "e":
            return CellError(text)
        return from_ISO8601(text) if kind == "d" else text

    def _spelled_formula(self) -> str:
        formula = self._formula or "="
        if self._shared_index:
            if len(formula) > 1:
                self._shared[self._shared_index] = f"{formula} (shared)"
            else:
                formula = self._shared.get(self._shared_index, formula)
        return formula

    def shape(self) -> SheetShape:
        """Return what the XML around the rows says, once all of it went by."""
        return SheetShape(tuple(self._merged), tuple(self._hidden_columns))

    def grid(self, visible: bool) -> Grid:
        """Return the sheet once all of it went by.

        Raises
        ------
        TooLarge
            If its filled cells are so far apart that it cannot be laid out in memory.
        """
        if not self._rows:
            return Grid(self._name, (), visible=visible)
        last_row, width = max(self._rows), max(max(row) for row in self._rows.values())
        if len(self._rows) * width > _MOST_SLOTS:
            raise TooLarge(
                f"has filled cells very far to the right on sheet {self._name} (row {self._widest_row(width)})"
            )
        blank = (None,) * width
        rows = [blank] * last_row
        for number, cells in self._rows.items():
            filled = list(blank)
            for column, value in cells.items():
                filled[column - 1] = value
            rows[number - 1] = tuple(filled)
        return Grid(
            self._name,
            tuple(rows),
            self._number_formats,
            self._formulas,
            tuple(self._merged),
            frozenset(row for row in self._hidden_rows if row <= last_row),
            self.shape().hidden_columns(width),
            visible,
        )

    def _widest_row(self, width: int) -> int:
        return next(number for number, row in self._rows.items() if width in row)


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _place(reference: str) -> tuple[int, int]:
    """Read "C7" as (7, 3)."""
    place = place_of(reference)
    if place is None:
        raise ValueError(f"not a cell: {reference}")
    return place
