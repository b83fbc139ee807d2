"""Read a large worksheet part quickly: calamine for the values, a look through its XML for what calamine cannot see.

calamine knows neither formulas without a stored value nor number formats, hidden rows and merged cells, and hands
errors and texts alike as text. So the part is first looked through piece by piece. Cells with a formula, an error or a
date are set aside for `SheetParser`, which is slower and sees everything; where calamine would tell anything else
otherwise, the whole part is left to it.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Indices
from panelcal.files.in_memory import File
from panelcal.files.load_sheet import LARGE_PART, CellFormats, SheetShape
from panelcal.files.panics import Panicked, no_panics
from panelcal.reading.grid import Grid, address, column_number

_PIECE = 1 << 22
_MOST_CELLS = 8_000_000
_WHOLE = 1e15  # SheetParser takes whole numbers below as int
_PLAIN_TYPES = frozenset({int, float, str, bool})
# What calamine and SheetParser may take differently, each behind a letter that is quick to search for.
_UNUSUAL = {
    b"f": (b"<f", b":f>", b":f "),  # a formula that was not set aside
    b"!": (b"<!",),
    b"?": (b"<?",),
    b"'": (b"='",),
    b"d": (b't="d"',),
    b"e": (b't="e"',),  # an error that was not set aside
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
# A cell with a formula, with an error, or with anything but a shared text in the style of a date.
_SET_ASIDE = (
    rb'<c r="([A-Z]+)([0-9]+)"((?:[^>/]*><f[ >/]|[^>]* t="e"[^>/]*>|(?![^>]* t="s")[^>]* s="(?:%b)"[^>/]*>).*?</c>)'
)
_NO_STYLE = b"-"
_Place = tuple[int, int]  # row, column
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
    formatted: list[tuple[bytes, int, Indices]] = field(default_factory=list)  # column, style, its rows
    # What cells for `SheetParser` hold, with where it stands: dates and results of formulas come again and again.
    aside: defaultdict[bytes, list[_Place]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class _Aside:
    """What `SheetParser` made of the cells set aside, None where nothing is in them."""

    values: dict[_Place, Any]
    formulas: dict[_Place, str]
    number_formats: dict[_Place, str]


def load_large_sheet(
    file: File,
    archive: zipfile.ZipFile,
    part: str,
    sheet: str,
    formats: CellFormats,
    visible: bool,
    shape_of: Callable[[bytes], SheetShape],
    cells_of: Callable[[bytes], Grid],
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
    cells_of
        Reads cells by `SheetParser`.
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
    aside = _read_aside(seen, cells_of)
    columns = _columns(rows, aside.values)
    del rows
    if columns is None:
        return None
    shape = shape_of(seen.head + seen.tail)
    n_rows, n_columns = len(columns[0]) if columns else 0, len(columns)
    return Grid(
        sheet,
        tuple(zip(*columns, strict=True)),
        _number_formats(seen, columns, formats, aside),
        aside.formulas,
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
    columns = _COLUMN.findall(piece)
    if len(columns) != piece.count(b"<c ") or b"</sheetData" in piece:
        return False
    seen.cells += len(columns)
    seen.columns.update(columns)
    last = _LAST_CELL.match(piece, piece.rfind(b'<c r="') + 6)
    seen.last_row = max(seen.last_row, int(last[1]) if last else 0)
    styles = Counter(_STYLE.findall(piece))
    if sum(styles.values()) != piece.count(b" s="):
        return False
    dates = [style for style in styles if formats.is_date(int(style))]
    if dates or b"<f" in piece or b't="e"' in piece:
        piece = _set_aside(piece, dates, seen)
        styles = Counter(_STYLE.findall(piece))
    if any(letter in piece and any(mark in piece for mark in marks) for letter, marks in _UNUSUAL.items()):
        return False
    if b"_x" in piece and _ESCAPED.search(piece):
        return False
    if b"hidden=" in piece:
        hidden = _HIDDEN.findall(piece)
        if len(hidden) != piece.count(b"hidden="):
            return False
        seen.hidden_rows += [int(row) for row, answer in hidden if answer in (b"1", b"true")]
    return not styles or _look_at_styles(piece, styles, seen, formats)


def _set_aside(piece: bytes, dates: Sequence[bytes], seen: _Seen) -> bytes:
    """Set cells aside that calamine does not tell as `SheetParser` does; return the piece without them."""
    rest, done = [], 0
    for found in re.finditer(_SET_ASIDE % (b"|".join(dates) or _NO_STYLE), piece, re.DOTALL):
        if b"<!" in found[0]:
            continue  # a comment, which may hold anything: the whole part is left to `SheetParser`
        seen.aside[found[3]].append((int(found[2]), column_number(found[1].decode())))
        rest.append(piece[done : found.start()])
        done = found.end()
    return b"".join([*rest, piece[done:]])


def _read_aside(seen: _Seen, cells_of: Callable[[bytes], Grid]) -> _Aside:
    """Read the cells set aside, those that hold the same once: the first of them has the address it was found at."""
    found = _Aside({}, {}, {})
    if not seen.aside:
        return found
    firsts = (b'<c r="%b"%b' % (address(*places[0]).encode(), cell) for cell, places in seen.aside.items())
    grid = cells_of(b"".join(firsts))
    for places in seen.aside.values():
        first = places[0]
        found.values.update(dict.fromkeys(places, grid.value(*first)))
        if first in grid.formulas:
            found.formulas.update(dict.fromkeys(places, grid.formulas[first]))
        if first in grid.number_formats:
            found.number_formats.update(dict.fromkeys(places, grid.number_formats[first]))
    return found


def _look_at_styles(piece: bytes, styles: Counter[bytes], seen: _Seen, formats: CellFormats) -> bool:
    wanted = [style for style in styles if int(style) and formats.code(int(style)) != "General"]
    if not wanted:
        return True
    chosen = b"|".join(wanted)
    count = len(re.findall(rb'<row [^>]*? s="(?:' + chosen + rb')"', piece)) if _STYLED_ROW.search(piece) else 0
    places: defaultdict[tuple[bytes, bytes], list[bytes]] = defaultdict(list)
    for letters, row, style in re.findall(rb'<c r="([A-Z]+)([0-9]+)" s="(' + chosen + rb')"', piece):
        places[letters, style].append(row)
        count += 1
    for (letters, style), rows in places.items():
        seen.formatted.append((letters, int(style), np.array(rows, dtype="S7").astype(np.intp)))
    return count == sum(styles[style] for style in wanted)


def _columns(rows: list[list[Any]], aside: Mapping[_Place, Any]) -> list[list[Any]] | None:
    """Turn calamine's rows into columns as `SheetParser` would fill them; None where it holds something unexpected.

    Some cells are filled from what was set `aside` instead.
    """
    known_rows, known_columns = len(rows), len(rows[0]) if rows else 0
    for row, column in aside:
        if row <= known_rows and column <= known_columns:
            rows[row - 1][column - 1] = ""
    columns: list[list[Any]] = []
    for cells in zip(*rows, strict=True):
        types = set(map(type, cells))
        if not types <= _PLAIN_TYPES:
            return None
        columns.append(_texts_and_numbers(cells, types))
    n_rows = max([known_rows, *[row for row, _ in aside]])
    columns += [[] for _ in range(max([0, *[column for _, column in aside]]) - known_columns)]
    for filled in columns:
        filled.extend([None] * (n_rows - len(filled)))
    for (row, column), value in aside.items():
        columns[column - 1][row - 1] = value
    while columns and not any(value is not None for value in columns[-1]):
        columns.pop()
    while n_rows and all(column[n_rows - 1] is None for column in columns):
        n_rows -= 1
    return [column[:n_rows] for column in columns]


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


def _number_formats(
    seen: _Seen, columns: list[list[Any]], formats: CellFormats, aside: _Aside
) -> Mapping[tuple[int, int], str]:
    used = (formats.code(style) for _, style, _ in seen.formatted)
    names = ["", *dict.fromkeys([*used, *aside.number_formats.values()])]
    numbers = {code: number for number, code in enumerate(names)}
    places: defaultdict[int, NDArray[np.uint16]] = defaultdict(
        lambda: np.zeros(len(columns[0]) if columns else 0, dtype=np.uint16)
    )
    for letters, style, rows in seen.formatted:
        column = column_number(letters.decode())
        if column <= len(columns):
            codes = places[column]
            codes[rows[rows <= len(codes)] - 1] = numbers[formats.code(style)]
    for (row, column), code in aside.number_formats.items():
        places[column][row - 1] = numbers[code]
    for column, codes in places.items():
        cells = columns[column - 1]
        if None in cells:
            codes[[k for k, value in enumerate(cells) if value is None]] = 0
    return _NumberFormats(names, {column: codes for column, codes in places.items() if codes.any()})
