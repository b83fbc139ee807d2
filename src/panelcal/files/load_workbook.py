"""Read the parts of an .xlsx or .xlsm file: its list of sheets, shared strings, number formats, and the sheets."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from xml.parsers import expat

from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

from panelcal.files.in_memory import File
from panelcal.files.load_sheet import LARGE_PART, CellFormats, SheetParser, SheetShape, TooLarge
from panelcal.files.xml_edits import DEEPEST, opened_less_closed, refuse_towers
from panelcal.reading.grid import Grid, Source

_CHUNK = 1 << 16
_MOST_PARTS = 20_000
_LARGEST_PART = 600_000_000
_LARGEST_TOTAL = 1_000_000_000
# Deflate cannot exceed about 1030 to 1; sheets of real workbooks stay below 100.
_SUSPICIOUS_RATIO = 200
_SUSPICIOUS_SIZE = 20_000_000
_LARGEST_TEXT = 300_000_000
_STRINGS_SHARE = 0.2  # of the loading, where a workbook has much text
_EAST_ASIAN_DATES = (*range(27, 37), *range(50, 59))


class NotAWorkbook(Exception):
    """The archive holds something else."""


class AnotherKind(Exception):
    """The archive is a workbook of another kind: .xlsb or .ods."""


_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"

Attributes = dict[str, str]


@dataclass(slots=True)
class _Sheet:
    name: str
    relation: str
    visible: bool


@dataclass(slots=True)
class _Book:
    sheets: list[_Sheet] = field(default_factory=list)
    active: int = 0
    from_1904: bool = False
    by_hand: bool = False
    as_displayed: bool = False


def load_workbook(
    file: File, name: str, progress: Callable[[float], None], *, only: Container[str] | None = None
) -> Source:
    """Load every worksheet.

    Parameters
    ----------
    file, name
        Where it is, and its name for messages.
    progress
        Told which share of the work is done.
    only
        Names of the worksheets to load; None = all.

    Raises
    ------
    NotAWorkbook, TooLarge
        If the archive is something else, or unpacks to more than a workbook of scores can be.
    zipfile.BadZipFile, zlib.error, xml.parsers.expat.ExpatError, KeyError, ValueError
        If it is damaged.
    """
    with zipfile.ZipFile(file) as archive:
        _check_sizes(archive)
        names = {entry.filename for entry in archive.infolist()}
        main = _main_part(archive, names)
        book = _read_book(archive, main)
        folder = posixpath.dirname(main)
        targets = _relations(archive, names, main)
        strings_part = next((path for kind, path in targets.values() if kind == "sharedStrings"), "")
        strings = _Strings(archive, strings_part if strings_part in names else "", progress)
        styles_part = next((path for kind, path in targets.values() if kind == "styles"), "")
        epoch = CALENDAR_MAC_1904 if book.from_1904 else CALENDAR_WINDOWS_1900
        formats = CellFormats(_read_formats(archive, styles_part) if styles_part in names else [], epoch)
        parts = [(sheet, *targets.get(sheet.relation, ("", ""))) for sheet in book.sheets]
        sheets = [
            (sheet, path) for sheet, kind, path in parts if kind == "worksheet" and (only is None or sheet.name in only)
        ]
        total = sum(archive.getinfo(path).file_size for _, path in sheets)
        done = 0
        grids: list[Grid] = []
        for sheet, path in sheets:
            size = archive.getinfo(path).file_size

            def told(share: float, before: int = done, here: int = size) -> None:
                progress((before + share * here) / max(total, 1))

            def cells_of(cells: bytes, name: str = sheet.name) -> Grid:
                return _cells_of(cells, SheetParser(name, strings.texts, formats))

            grid = None
            if size >= LARGE_PART and strings.plain:
                from panelcal.files.load_large_sheet import load_large_sheet  # noqa: PLC0415 - for large sheets alone

                grid = load_large_sheet(
                    file, archive, path, sheet.name, formats, sheet.visible, _shape_of, cells_of, told
                )
            if grid is None:
                parser = SheetParser(sheet.name, strings.texts, formats)
                _parse(archive, path, parser.start, parser.end, parser.text, told)
                grid = parser.grid(sheet.visible)
            grids.append(grid)
            done += size
        if not grids:
            raise NotAWorkbook("it has no worksheet")
        active = book.sheets[book.active].name if book.active < len(book.sheets) else grids[0].sheet
        return Source(name, tuple(grids), active, tuple(_notes(names, folder)), warnings=tuple(_warnings(book)))


def _check_sizes(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that would unpack to much more than a workbook needs, before unpacking anything."""
    entries = archive.infolist()
    if len(entries) > _MOST_PARTS:
        raise TooLarge("has more parts than a workbook can have")
    if any(entry.flag_bits & 1 for entry in entries):
        raise RuntimeError("encrypted")
    for entry in entries:
        swollen = entry.file_size > _SUSPICIOUS_SIZE and entry.file_size > _SUSPICIOUS_RATIO * max(
            1, entry.compress_size
        )
        if swollen or entry.file_size > _LARGEST_PART:
            raise TooLarge(f"unpacks to far more than a workbook of scores needs ({entry.file_size // 1_000_000} MB)")
    if sum(entry.file_size for entry in entries) > _LARGEST_TOTAL:
        raise TooLarge("unpacks to far more than a workbook of scores needs")


def _main_part(archive: zipfile.ZipFile, names: set[str]) -> str:
    if "_rels/.rels" in names:
        for kind, path in _relations(archive, names, "").values():
            if kind == "officeDocument" and path in names:
                if path.endswith(".bin"):
                    raise AnotherKind
                if posixpath.basename(path) in ("document.xml", "presentation.xml"):
                    raise NotAWorkbook("it is a document or a presentation")
                return path
    if "xl/workbook.xml" in names:
        return "xl/workbook.xml"
    if {"mimetype", "content.xml"} <= names and archive.read("mimetype").startswith(_OPEN_DOCUMENT):
        raise AnotherKind
    raise NotAWorkbook("it is an OpenDocument file" if "content.xml" in names else "it is another kind of archive")


def _relations(archive: zipfile.ZipFile, names: set[str], part: str) -> dict[str, tuple[str, str]]:
    """Read what a part refers to: id -> (last word of the kind, path inside the archive)."""
    folder, base = posixpath.split(part)
    path = posixpath.join(folder, "_rels", base + ".rels")
    found: dict[str, tuple[str, str]] = {}

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "")
            full = target[1:] if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            found[attributes.get("Id", "")] = (attributes.get("Type", "").rpartition("/")[2], full)

    if path in names:
        _parse(archive, path, start)
    return found


def _read_book(archive: zipfile.ZipFile, path: str) -> _Book:
    book = _Book()

    def start(tag: str, attributes: Attributes) -> None:
        if tag == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            visible = attributes.get("state", "visible") == "visible"
            book.sheets.append(_Sheet(attributes.get("name", ""), relation, visible))
        elif tag == "workbookView":
            book.active = int(attributes.get("activeTab", "0"))
        elif tag == "workbookPr":
            book.from_1904 = attributes.get("date1904", "0") in ("1", "true")
        elif tag == "calcPr":
            book.by_hand = attributes.get("calcMode") == "manual"
            book.as_displayed = attributes.get("fullPrecision", "1") in ("0", "false")

    _parse(archive, path, start)
    return book


class _Strings:
    """The shared strings of a workbook, read when they are first wanted."""

    def __init__(self, archive: zipfile.ZipFile, path: str, progress: Callable[[float], None]) -> None:
        self._archive = archive
        self._path = path
        self._progress = progress

    @cached_property
    def texts(self) -> list[str]:
        return _read_strings(self._archive, self._path, self._progress) if self._path else []

    @cached_property
    def plain(self) -> bool:
        if not self._path:
            return True
        from panelcal.files.load_large_sheet import unusual_text  # noqa: PLC0415 - for large sheets alone

        return not unusual_text(self._archive, self._path)


def _shape_of(part: bytes) -> SheetShape:
    parser = SheetParser("", [], CellFormats([], CALENDAR_WINDOWS_1900))
    expat_parser = _parser(parser.start, parser.end, parser.text)
    expat_parser.Parse(part, True)
    return parser.shape()


def _cells_of(cells: bytes, parser: SheetParser) -> Grid:
    """Read cells (XML of one after the other, each with its address)."""
    refuse_towers(cells)
    expat_parser = _parser(parser.start, parser.end, parser.text)
    expat_parser.Parse(b"<sheetData>" + cells + b"</sheetData>", True)
    return parser.grid(visible=True)


def _read_strings(archive: zipfile.ZipFile, path: str, progress: Callable[[float], None]) -> list[str]:
    if archive.getinfo(path).file_size > _LARGEST_TEXT:
        raise TooLarge("holds more text than a workbook of scores needs")
    strings: list[str] = []
    pieces: list[str] = []
    taking = False
    phonetic = 0

    def start(tag: str, _: Attributes) -> None:
        nonlocal taking, phonetic
        if tag == "si":
            pieces.clear()
        elif tag == "rPh":
            phonetic += 1
        elif tag == "t":
            taking = not phonetic

    def end(tag: str) -> None:
        nonlocal taking, phonetic
        if tag == "t":
            taking = False
        elif tag == "rPh":
            phonetic -= 1
        elif tag == "si":
            strings.append("".join(pieces))

    def text(data: str) -> None:
        if taking:
            pieces.append(data)

    _parse(archive, path, start, end, text, lambda share: progress(_STRINGS_SHARE * share))
    return strings


def _read_formats(archive: zipfile.ZipFile, path: str) -> list[str]:
    """Read the number format of every cell style."""
    codes: dict[int, str] = dict(BUILTIN_FORMATS) | dict.fromkeys(_EAST_ASIAN_DATES, "yyyy/m/d")
    formats: list[str] = []
    inside = False

    def start(tag: str, attributes: Attributes) -> None:
        nonlocal inside
        if tag == "numFmt" and "numFmtId" in attributes:
            codes.setdefault(int(attributes["numFmtId"]), attributes.get("formatCode", "General"))
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            formats.append(codes.get(int(attributes.get("numFmtId", "0")), "General"))

    def end(tag: str) -> None:
        nonlocal inside
        if tag == "cellXfs":
            inside = False

    _parse(archive, path, start, end)
    return formats


def _notes(names: set[str], folder: str) -> Iterator[str]:
    if f"{folder}/vbaProject.bin" in names:
        yield "The workbook holds macros; they were not run."
    if any(name.startswith(f"{folder}/externalLinks/") for name in names):
        yield "The workbook has links to other files; they were not followed, and the values stored in it were used."


def _warnings(book: _Book) -> Iterator[str]:
    if book.by_hand:
        yield (
            "The workbook calculates by hand only: Cal proof and the line Up to date follow a changed cell when "
            "somebody presses F9."
        )
    if book.as_displayed:
        yield (
            "The workbook calculates with figures as displayed, so Cal proof may find sums that are not zero after F9: "
            'switch off "Set precision as displayed" before relying on it.'
        )


def _parse(
    archive: zipfile.ZipFile,
    path: str,
    start: Callable[[str, Attributes], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Stream a part through a parser."""
    parser = _parser(start, end, text)
    size = max(archive.getinfo(path).file_size, 1)
    done = depth = 0
    with archive.open(path) as part:
        while chunk := part.read(_CHUNK):
            depth += opened_less_closed(chunk)
            if depth > DEEPEST:
                raise TooLarge("holds a part that is nested deeper than a workbook can be")
            parser.Parse(chunk, False)
            done += len(chunk)
            progress(done / size)
        parser.Parse(b"", True)


class _LocalNames(dict[str, str]):
    """Names of elements without their prefix, each cut once."""

    def __missing__(self, tag: str) -> str:
        self[tag] = short = tag.rpartition(":")[2]
        return short


def _parser(
    start: Callable[[str, Attributes], None],
    end: Callable[[str], None] | None,
    text: Callable[[str], None] | None,
) -> expat.XMLParserType:
    """Make a parser that hands on local names; refuse document types, the door to entity tricks."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    local = _LocalNames()

    def refuse(*_: object) -> None:
        raise NotAWorkbook("a part of it declares a document type")

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda tag, attributes: start(local[tag], attributes)
    if end is not None:
        ending = end
        parser.EndElementHandler = lambda tag: ending(local[tag])
    if text is not None:
        parser.CharacterDataHandler = text
    return parser
