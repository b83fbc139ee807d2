"""Read a text file (CSV or the like) as one grid: encoding, separator and decimal comma found from the text itself."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import chain
from pathlib import PurePath
from typing import Any

import numpy as np

from panelcal.errors import FileProblem
from panelcal.reading.coded_columns import CodedColumn, CodedColumns, coded
from panelcal.reading.grid import CellError, Grid, Source

_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "vertical bars"}
_SAMPLED = 200
_BEGINNING = 100_000  # characters, among which so many lines mostly are
_MOST_COLUMNS = 16_384
_MOST_CELLS = 8_000_000
_LONG_TEXT, _MOST_AT_ONCE = 100_000, 50  # letters from which, and columns up to which, a text is cut at once
# Longer numbers lose digits as floats, and one with a leading zero is an id.
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})?\.[0-9]{1,17}")
_LONE_POINT = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")
_HUNDREDS = re.compile(r"-?[1-9][0-9]{2}")
_FEWEST_POINTS = 5
_DECIMAL_COMMA = re.compile(r"-?(?:0|[1-9][0-9]{0,14})?,(?:[0-9]{1,2}|[0-9]{4,17})")
_ERRORS = frozenset({"#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"})


def load_text(content: bytes, name: str) -> Source:
    """Read the table in a text file.

    Numbers with a decimal point become numbers; with a decimal comma only where the columns are not separated by commas
    and no number has a point. Everything else stays text ("012", "1,234") for the reading rooms to judge.

    Raises
    ------
    FileProblem
        If the encoding or the separator cannot be told, or the quotes do not close.
    """
    text, notes = _decoded(content, name)
    if not text.strip():
        raise FileProblem(f"{name} holds no text: save it again from your spreadsheet program.")
    separator, text = _separator(text, name)
    _require_cells(_cells_marked(text, separator), name)
    columns = _columns_at_once(text, separator)
    if columns is not None:
        return _source_of_columns(columns, separator, name, notes)
    rows = _rows(text, separator, name)
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((len(row) for row in rows), default=0)
    if width > _MOST_COLUMNS:
        raise FileProblem(f"{name} has {width:,} columns, too many for scores: use a smaller extract.")
    _require_cells(width * len(rows), name)
    even = bool(width) and set(map(len, rows)) == {width}
    held = (
        map(set, zip(*rows, strict=True)) if even else ({row[j] for row in rows if j < len(row)} for j in range(width))
    )
    value_of = _values_of(list(held), separator, notes).__getitem__
    cells: tuple[tuple[Any, ...], ...]
    if even:
        cells = tuple(zip(*[map(value_of, chain.from_iterable(rows))] * width, strict=True))
    else:
        cells = tuple([tuple(map(value_of, row)) + (None,) * (width - len(row)) for row in rows])
    return _source(cells, CodedColumns(), name, notes)


def _source_of_columns(columns: list[list[str]], separator: str, name: str, notes: list[str]) -> Source:
    """Read a long table that was cut into columns at once, each different field once."""
    while not any(column[-1] for column in columns):
        for column in columns:
            column.pop()
    _require_cells(len(columns) * len(columns[0]), name)
    fields = [coded(column) for column in columns]
    value_of = _values_of([set(one.values) for one in fields], separator, notes).__getitem__
    # Most of the different fields are names: what begins with a letter is what it says.
    read = [
        CodedColumn([field if field[:1].isalpha() else value_of(field) for field in one.values], one.index)
        for one in fields
    ]
    rows = tuple(zip(*[one.cells() for one in read], strict=True))
    # Where fields are spelt in several ways, 65 and 65.0, one value would have several numbers.
    once = all(len(set(one.values)) == len(one.values) for one in read)
    return _source(rows, CodedColumns(rows, read) if once else CodedColumns(), name, notes)


def _source(rows: tuple[tuple[Any, ...], ...], columns: CodedColumns, name: str, notes: list[str]) -> Source:
    sheet = PurePath(name).stem[:31] or "Sheet1"
    return Source(name, (Grid(sheet, rows, coded_columns=columns),), sheet, tuple(notes), "text")


def _columns_at_once(text: str, separator: str) -> list[list[str]] | None:
    """Cut a long text into columns by its separators; None where that takes looking at each line.

    That is where fields are in quotation marks, lines are of different lengths, or the table is wide.
    """
    if len(text) < _LONG_TEXT or '"' in text or not separator.isascii():
        return None
    text = text.replace("\r\n", "\n").rstrip("\n") + "\n"
    width = text.count(separator, 0, text.index("\n")) + 1
    if "\r" in text or not 1 < width <= _MOST_AT_ONCE:
        return None
    letters = np.frombuffer(text.encode(), np.uint8)
    ends = np.flatnonzero((letters == ord(separator)) | (letters == ord("\n")))
    if len(ends) % width or np.diff(ends).max() > csv.field_size_limit():
        return None
    marks = letters[ends].reshape(-1, width)
    if (marks[:, :-1] != ord(separator)).any() or (marks[:, -1] != ord("\n")).any():
        return None
    fields = text[:-1].replace("\n", separator).split(separator)
    return [fields[j::width] for j in range(width)]


def _require_cells(count: int, name: str) -> None:
    if count > _MOST_CELLS:
        raise FileProblem(
            f"{name} has {count:,} cells, and scores are read from at most {_MOST_CELLS:,}: use a smaller extract."
        )


def _cells_marked(text: str, separator: str) -> int:
    """Count the separators and ends of lines outside quotation marks, in no time: there are as many cells at least."""
    if len(text) < _MOST_CELLS:
        return 0  # each takes a sign
    outside = text.split('"')[::2]
    lines = sum(piece.count("\n") for piece in outside) or sum(piece.count("\r") for piece in outside)
    return lines + sum(piece.count(separator) for piece in outside)


def _decoded(content: bytes, name: str) -> tuple[str, list[str]]:
    """Decode by byte-order mark, else UTF-16 by its zero bytes, else UTF-8, else Windows-1252 with a note."""
    encoding, notes = "utf-8-sig", []
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in content[:2000]:
        sample = content[: len(content[:2000]) // 2 * 2]
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) < 0.4 * len(sample) / 2 or min(even, odd) > 0.1 * len(sample) / 2:
            raise FileProblem(f"{name} is neither a workbook nor text: export the table as .xlsx or .csv and use that.")
        encoding = "utf-16-le" if odd > even else "utf-16-be"
    else:
        try:
            content.decode("utf-8-sig")
        except UnicodeDecodeError:
            encoding = "cp1252"
            notes.append("The file is not in UTF-8 and was read as Windows-1252: check names with accents.")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileProblem(
            f"The letters in {name} cannot be decoded: save it as CSV UTF-8 or as .xlsx and use that."
        ) from error
    if sum(not (character.isprintable() or character.isspace()) for character in text[:2000]) > 0.05 * len(text[:2000]):
        raise FileProblem(f"{name} is neither a workbook nor text: export the table as .xlsx or .csv and use that.")
    return text, notes


def _separator(text: str, name: str) -> tuple[str, str]:
    """Find the separator that cuts most lines into equally many fields; return it and the text after a "sep=" line."""
    first, _, rest = text.partition("\n")
    declared = re.fullmatch(r"sep=(.)", first.strip("\r\ufeff"), re.IGNORECASE)
    if declared or first.strip("\r").casefold() == "sep=\t":
        return (declared[1] if declared else "\t"), rest
    lines = "\n".join(_first_lines(text))
    ranks: dict[str, tuple[float, int]] = {}
    for separator in _SEPARATORS:
        if separator not in lines:
            continue
        try:
            counts = Counter(len(row) for row in csv.reader(io.StringIO(lines), delimiter=separator))
        except csv.Error:
            continue
        width, often = max(((w, n) for w, n in counts.items() if w > 1), key=lambda item: item[1], default=(1, 0))
        ranks[separator] = (often / max(1, counts.total()), width)
    if all(width == 1 for _, width in ranks.values()):
        return ",", text
    best = max(share for share, _ in ranks.values())
    equal = [separator for separator, (share, width) in ranks.items() if share == best and width > 1]
    if len(equal) > 1:
        names = " or ".join(_SEPARATORS[separator] for separator in equal)
        raise FileProblem(
            f"It is not clear whether {names} separate the columns of {name}: save it as .xlsx and use that."
        )
    return equal[0], text


def _first_lines(text: str) -> list[str]:
    """Return the first lines with something on them, without cutting a long text into all of its lines."""
    beginning = [line for line in text[:_BEGINNING].splitlines() if line.strip()]
    if len(text) > _BEGINNING and len(beginning) <= _SAMPLED:  # the last of them may be cut
        beginning = [line for line in text.splitlines() if line.strip()]
    return beginning[:_SAMPLED]


def _rows(text: str, separator: str, name: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return list(reader)
    except csv.Error as error:
        raise FileProblem(
            f"{name} cannot be read near line {reader.line_num} (a quotation mark is not closed, or a cell is too "
            f"long): "
            "correct it there, or save it as .xlsx and use that."
        ) from error


def _values_of(held: Sequence[Set[str]], separator: str, notes: list[str]) -> _Values:
    """Find out how numbers are spelt in a table, and note it; `held` are the fields of each column."""
    held = [set(map(str.strip, fields)) for fields in held]
    fields: set[str] = set().union(*held)
    commas = separator != "," and _has_decimal_commas(fields)
    if commas:
        notes.append("Decimal commas (64,5) were read as decimals.")
    return _Values(commas, points_stay_text=_may_be_thousands(held, fields, separator))


def _has_decimal_commas(fields: Set[str]) -> bool:
    """Tell whether decimals are written with commas and never with points."""
    return any(map(_DECIMAL_COMMA.fullmatch, fields)) and not any(map(_DECIMAL.fullmatch, fields))


def _may_be_thousands(held: Sequence[Set[str]], fields: Set[str], separator: str) -> bool:
    """Tell whether every point may be a mark of thousands: 1.234 below 987, and never 1.5 or 0.125."""
    points = {field for field in fields if "." in field and _DECIMAL.fullmatch(field)}
    if not points or not all(map(_LONE_POINT.fullmatch, points)):
        return False
    if separator == ";" and len(points) >= _FEWEST_POINTS:
        return True  # where semicolons part the columns, decimals have commas
    return any(not points.isdisjoint(column) and any(map(_HUNDREDS.fullmatch, column)) for column in held)


class _Values(dict[str, Any]):
    """What fields stand for; a list repeats few fields many times, so each is looked at once."""

    def __init__(self, commas: bool, *, points_stay_text: bool = False) -> None:
        super().__init__()
        self._commas = commas
        self._points_stay_text = points_stay_text

    def __missing__(self, field: str) -> Any:
        as_text = self._points_stay_text and _DECIMAL.fullmatch(field.strip())
        self[field] = value = field if as_text else _value(field, self._commas)
        return value


def _value(field: str, commas: bool) -> Any:
    text = field.strip()
    if not text:
        return field or None
    if text[0].isalpha():  # most of the different fields: no number begins so, and no error
        return field
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    if commas and _DECIMAL_COMMA.fullmatch(text):
        return float(text.replace(",", "."))
    return CellError(text) if text in _ERRORS else field
