"""Read a large worksheet part quickly: calamine for the values, a look through its XML for what calamine cannot see.

calamine knows neither formulas without a stored value nor number formats, hidden rows and merged cells, and hands
errors and texts alike as text. So the part is first looked through piece by piece; where it holds anything that
calamine would tell otherwise than `SheetParser`, it is left to `SheetParser`, which is slower and sees everything.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.files.in_memory import File
from panelcal.files.load_sheet import CellFormats, SheetShape
from panelcal.files.panics import Panicked, no_panics
from panelcal.reading.grid import Grid, column_number

LARGE_PART = 8_000_000
"""Bytes of XML from which the quick way pays."""

_PIECE = 1 << 22
_MOST_CELLS = 8_000_000
_WHOLE = 1e15  # SheetParser takes whole numbers below as int
_PLAIN_TYPES = frozenset({int, float, str, bool})
# What calamine and SheetParser may take differently, each behind a letter that is quick to search for.
_UNUSUAL = {
    b"f": (b"<f", b":f>", b":f "),
    b"!": (b"<!",),
    b"?": (b"<?",),
    b"'": (b"='",),
    b"d": (b't="d"',),
    b"e": (b't="e"',),
    b"P": (b"<rPh", b"<phoneticPr"),
    b"\r": (b"\r",),
    b"&": (b"&#",),
    b"i": (b"<is><r",),
    b"<": (b"<c>",),
}
_ESCAPED = re.compile(rb"_x[0-9A-Fa-f]{4}_")
_UNUSUAL_TEXT = re.compile(rb"<rPh|<phoneticPr|_x[0-9A-Fa-f]{4}_|\r|&#|<!\[|<\w+:")
_COLUMN = re.compile(rb'<c r="([A-Z]+)')
_LAST_CELL = re.compile(rb"[A-Z]+([0-9]+)")
_STYLED_ROW = re.compile(rb"<row [^>]*? s=")
_STYLE = re.compile(rb' s="([0-9]+)"')
_HIDDEN = re.compile(rb'<row r="([0-9]+)"[^>]*? hidden="([^"]*)"')


@dataclass(slots=True)
class _Seen:
    """What the look through the rows found."""

    head: bytes = b""
    tail: bytes = b""
    cells: int = 0
    last_row: int = 0
    columns: set[bytes] = field(default_factory=set)
    hidden_rows: list[int] = field(default_factory=list)
    formatted: list[tuple[bytes, int, NDArray[np.intp]]] = field(default_factory=list)  # column, style, its rows


def load_large_sheet(
    file: File,
    archive: zipfile.ZipFile,
    part: str,
    sheet: str,
    formats: CellFormats,
    visible: bool,
    shape_of: Callable[[bytes], SheetShape],
    progress: Callable[[float], None],
) -> Grid | None:
    """Read a worksheet, or return None where only `SheetParser` would read it rightly.

    Parameters
    ----------
    file, archive, part
        The workbook, opened already, and the name of the part.
    sheet
        Name of the sheet.
    formats
        The number formats of the workbook's styles.
    visible
        Whether the sheet is shown.
    shape_of
        Reads what the XML around the rows says.
    progress
        Told which share of the part is done.
    """
    if archive.getinfo(part).file_size < LARGE_PART:
        return None
    try:
        from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415 - browsers have none
    except ImportError:
        return None
    seen = _look_through(archive, part, formats, progress)
    if seen is None:
        return None
    width = max((column_number(letters.decode()) for letters in seen.columns), default=0)
    # calamine lays a sheet out as a full rectangle, so cells far apart would cost any amount of memory.
    if seen.cells > _MOST_CELLS or seen.last_row * width > 2 * seen.cells + _MOST_CELLS:
        return None
    try:
        with no_panics():
            rows = CalamineWorkbook.from_object(file).get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except (CalamineError, Panicked, OSError):
        return None
    progress(0.9)
    columns = _columns(rows)
    del rows
    if columns is None:
        return None
    shape = shape_of(seen.head + seen.tail)
    n_rows, n_columns = len(columns[0]) if columns else 0, len(columns)
    return Grid(
        sheet,
        tuple(zip(*columns, strict=True)),
        _number_formats(seen, columns, formats),
        merged=shape.merged,
        hidden_rows=frozenset(row for row in seen.hidden_rows if row <= n_rows),
        hidden_columns=shape.hidden_columns(n_columns),
        visible=visible,
    )


def unusual_text(archive: zipfile.ZipFile, part: str) -> bool:
    """Tell whether the shared strings hold anything that calamine might spell in another way than `SheetParser`."""
    rest = b""
    with archive.open(part) as stream:
        while piece := stream.read(_PIECE):
            # What stands before the first string, the root above all, says nothing about the strings.
            start = 0 if rest else max(0, piece.find(b"<si"))
            if _UNUSUAL_TEXT.search(rest + piece, start):
                return True
            rest = piece[-16:]
    return False


def _pieces(archive: zipfile.ZipFile, part: str, progress: Callable[[float], None]) -> Iterator[bytes]:
    """Cut a part between rows, with the XML before the first row and after the last as pieces of their own."""
    size = archive.getinfo(part).file_size
    done, rest, inside = 0, b"", False
    with archive.open(part) as stream:
        while read := stream.read(_PIECE):
            done += len(read)
            progress(0.3 * done / size)
            rest += read
            if not inside and (start := rest.find(b"<row ")) >= 0:
                yield rest[:start]
                rest, inside = rest[start:], True
            cut = rest.rfind(b"</row>") + 6
            if inside and cut > 6:
                yield rest[:cut]
                rest = rest[cut:]
    if inside and (end := rest.find(b"</sheetData>")) > 0:
        yield rest[:end]  # rows without cells, which have no end tag
        rest = rest[end:]
    yield rest


def _look_through(
    archive: zipfile.ZipFile, part: str, formats: CellFormats, progress: Callable[[float], None]
) -> _Seen | None:
    """Look at every row; None at the first thing that calamine cannot tell."""
    seen = _Seen()
    pieces = _pieces(archive, part, progress)
    seen.head = next(pieces)
    if not seen.head.endswith(b"<sheetData>"):
        return None
    for piece in pieces:
        if not piece.startswith(b"<row "):
            seen.tail += piece
        elif seen.tail or not _look_at(piece, seen, formats):
            return None
    return seen if seen.tail.startswith(b"</sheetData>") else None


def _look_at(piece: bytes, seen: _Seen, formats: CellFormats) -> bool:
    if any(letter in piece and any(mark in piece for mark in marks) for letter, marks in _UNUSUAL.items()):
        return False
    if b"_x" in piece and _ESCAPED.search(piece):
        return False
    columns = _COLUMN.findall(piece)
    if len(columns) != piece.count(b"<c ") or b"</sheetData" in piece:
        return False
    seen.cells += len(columns)
    seen.columns.update(columns)
    last = _LAST_CELL.match(piece, piece.rfind(b'<c r="') + 6)
    seen.last_row = max(seen.last_row, int(last[1]) if last else 0)
    if b"hidden=" in piece:
        hidden = _HIDDEN.findall(piece)
        if len(hidden) != piece.count(b"hidden="):
            return False
        seen.hidden_rows += [int(row) for row, answer in hidden if answer in (b"1", b"true")]
    return b" s=" not in piece or _look_at_styles(piece, seen, formats)


def _look_at_styles(piece: bytes, seen: _Seen, formats: CellFormats) -> bool:
    used = Counter(_STYLE.findall(piece))
    if sum(used.values()) != piece.count(b" s="):
        return False
    for style in used:
        number = int(style)
        if formats.is_date(number):
            return False
        if number and formats.code(number) != "General":
            count = len(re.findall(rb'<row [^>]*? s="' + style + rb'"', piece)) if _STYLED_ROW.search(piece) else 0
            for letters in seen.columns:
                rows = re.findall(rb'<c r="' + letters + rb'([0-9]+)" s="' + style + rb'"', piece)
                seen.formatted.append((letters, number, np.array(rows, dtype="S7").astype(np.intp)))
                count += len(rows)
            if count != used[style]:
                return False
    return True


def _columns(rows: list[list[Any]]) -> list[list[Any]] | None:
    """Turn calamine's rows into columns as `SheetParser` would fill them; None where it holds something unexpected."""
    columns: list[list[Any]] = []
    for cells in zip(*rows, strict=True):
        types = set(map(type, cells))
        if not types <= _PLAIN_TYPES:
            return None
        columns.append(_texts_and_numbers(cells, types))
    while columns and not any(value is not None for value in columns[-1]):
        columns.pop()
    n_rows = len(rows)
    while n_rows and all(column[n_rows - 1] is None for column in columns):
        n_rows -= 1
    return [column[:n_rows] for column in columns] if n_rows < len(rows) else columns


def _texts_and_numbers(cells: tuple[Any, ...], types: set[type]) -> list[Any]:
    """Blank text becomes None, whole numbers become int, and equal texts become one object."""
    known: dict[Any, Any] = {"": None}
    if types == {str}:
        return [known.setdefault(text, text) for text in cells]
    given = [value for value in cells if type(value) is float]
    numbers = np.array(given)
    if np.all((np.abs(numbers) < _WHOLE) & (numbers == np.floor(numbers))):
        whole = iter(numbers.astype(np.int64).tolist())
        return [next(whole) if type(value) is float else known.setdefault(value, value) for value in cells]
    return [_number(value) if type(value) is float else known.setdefault(value, value) for value in cells]


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < _WHOLE else value


class _NumberFormats(Mapping[tuple[int, int], str]):
    """Number formats by (row, column), kept as one small number a cell: a dict of a million entries would be huge."""

    def __init__(self, codes: Sequence[str], places: Mapping[int, NDArray[np.uint16]]) -> None:
        self._codes = codes
        self._places = places  # column -> (n_rows,) place in the codes, 0 for General
        self._count = sum(int(np.count_nonzero(codes)) for codes in places.values())

    def __getitem__(self, place: tuple[int, int]) -> str:
        row, column = place
        codes = self._places.get(column)
        code = codes[row - 1] if codes is not None and 1 <= row <= len(codes) else 0
        if not code:
            raise KeyError(place)
        return self._codes[code]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for column, codes in self._places.items():
            yield from ((int(k) + 1, column) for k in np.flatnonzero(codes))

    def __len__(self) -> int:
        return self._count

    def values(self) -> ValuesView[str]:
        """Return the formats that occur, each once."""
        used = {int(k) for codes in self._places.values() for k in np.unique(codes) if k}
        return {k: self._codes[k] for k in sorted(used)}.values()


def _number_formats(seen: _Seen, columns: list[list[Any]], formats: CellFormats) -> Mapping[tuple[int, int], str]:
    names = ["", *dict.fromkeys(formats.code(style) for _, style, _ in seen.formatted)]
    places: dict[int, NDArray[np.uint16]] = {}
    for letters, style, rows in seen.formatted:
        number = column_number(letters.decode())
        if number <= len(columns):
            codes = places.setdefault(number, np.zeros(len(columns[0]), dtype=np.uint16))
            codes[rows[rows <= len(codes)] - 1] = names.index(formats.code(style))
    for number, codes in places.items():
        column = columns[number - 1]
        if None in column:
            codes[[k for k, value in enumerate(column) if value is None]] = 0
    return _NumberFormats(names, {number: codes for number, codes in places.items() if codes.any()})
