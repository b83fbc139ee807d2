"""Workbook packages: the parts of an .xlsx as a mapping, read and written so that equal parts give equal bytes."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from typing import BinaryIO, Protocol
from xml.parsers import expat

from panelcal.files.in_memory import File
from panelcal.files.xml_edits import Element, outline, refuse_towers

Parts = MutableMapping[str, bytes]

CONTENT_TYPES = "[Content_Types].xml"
ROOT_RELATIONS = "_rels/.rels"
UNREADABLE = (
    OSError,
    EOFError,
    LookupError,
    ValueError,
    SyntaxError,  # what parsers of XML raise, lxml's and Python's own
    RuntimeError,
    TypeError,
    zipfile.BadZipFile,
    zlib.error,
    expat.ExpatError,
)
"""What reading a damaged package, or one packed in a way that Python does not know, may raise."""

_STAMP = (1980, 1, 1, 0, 0, 0)
_LARGE = 8_000_000
_SMALL = 100_000
_MANY_ROWS = 20_000
_QUICKLY = 1  # level of compression: a third of the time for a package a third larger
_USUAL = 3  # half the time for a package a tenth larger


class StreamedPart(Protocol):
    """A part that is made while it is written."""

    @property
    def rows(self) -> int:
        """How many rows it has, to tell how far the writing is."""

    def pieces(self) -> Iterator[tuple[int, bytes]]:
        """Make it piece by piece, each with the number of rows in it."""


class StoredParts(MutableMapping[str, bytes]):
    """The parts of a stored package, each read when it is looked at; what is changed or added is kept in memory."""

    def __init__(self, path: File, parts: Mapping[str, bytes | None]) -> None:
        self._path = path
        self._parts = dict(parts)  # None = still as stored
        self._small: dict[str, bytes] = {}  # as stored, and looked at before

    def __getitem__(self, name: str) -> bytes:
        """Return a part; while it is as stored and large, it is read anew each time."""
        part = self._parts[name]
        if part is None:
            part = self._small.get(name)
        if part is None:
            with zipfile.ZipFile(self._path) as archive:
                part = archive.read(name)
            if len(part) <= _SMALL:
                self._small[name] = part
        return part

    def __setitem__(self, name: str, part: bytes) -> None:
        """Change or add a part, in memory only."""
        self._parts[name] = part

    def __delitem__(self, name: str) -> None:
        """Leave a part out."""
        del self._parts[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the parts."""
        return iter(self._parts)

    def __len__(self) -> int:
        """Count the parts."""
        return len(self._parts)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a part, without reading it."""
        return name in self._parts

    def each(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Go through the parts with the package opened once: each name, and what reads the part."""
        with zipfile.ZipFile(self._path) as archive:
            for name, part in self._parts.items():
                yield name, partial(archive.read, name) if part is None else partial(self.__getitem__, name)

    def copy(self) -> StoredParts:
        """Return a copy that can be changed by itself."""
        twin = StoredParts(self._path, self._parts)
        twin._small = self._small
        return twin


def read_parts(path: File) -> StoredParts:
    """Look into a package; its parts keep the order in which they are stored.

    Raises
    ------
    OSError, zipfile.BadZipFile
        If there is no such file or it is no package.
    """
    with zipfile.ZipFile(path) as archive:
        return StoredParts(path, {item.filename: None for item in archive.infolist() if not item.is_dir()})


def damaged_part(parts: StoredParts) -> str | None:
    """Name of the first part that cannot be unpacked as it was packed, or is no XML where it should be; else None."""
    for name, read in parts.each():
        try:
            part = read()
            if name.endswith((".xml", ".rels")) and len(part) <= _LARGE:
                refuse_towers(part)
                expat.ParserCreate().Parse(part, True)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, expat.ExpatError):
            return name
    return None


def write_package(
    stream: BinaryIO,
    parts: Parts,
    streamed: Mapping[str, StreamedPart] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Pack parts, the list of content types first, without the time or the machine of the packing.

    Parameters
    ----------
    stream
        Where to; it must allow going back.
    parts
        The parts.
    streamed
        Parts that take the place of those of the same name.
    progress
        Told which share of the streamed rows is written.
    """
    streamed = streamed or {}
    names = sorted(parts, key=lambda name: (name != CONTENT_TYPES, name != ROOT_RELATIONS))
    total = max(1, sum(part.rows for part in streamed.values()))
    done = 0
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0  # else the operating system would show in the bytes
            entry.external_attr = 0
            if name not in streamed:
                part = parts[name]
                archive.writestr(entry, part, compresslevel=_QUICKLY if len(part) > _LARGE else _USUAL)
                continue
            large = streamed[name].rows > _MANY_ROWS
            # As writestr sets it; streams have no public name for it.
            entry._compresslevel = _QUICKLY if large else _USUAL  # type: ignore[attr-defined]
            with archive.open(entry, "w", force_zip64=large) as opened:
                for rows, piece in streamed[name].pieces():
                    opened.write(piece)
                    done += rows
                    progress(done / total)


def utf8(part: bytes) -> bytes:
    """Return an XML part as UTF-8 without byte order mark, whatever it was stored as."""
    if part.startswith(b"\xef\xbb\xbf"):
        return part[3:]
    if part.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = part.decode("utf-16")
    else:
        declared = re.match(rb"<\?xml[^>]*?encoding=[\"']([A-Za-z0-9._-]+)[\"']", part)
        encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
        if encoding in ("utf-8", "utf8", "us-ascii"):
            return part
        text = part.decode(encoding)
    return re.sub(r"^(<\?xml[^>]*?encoding=[\"'])[^\"']*", r"\1UTF-8", text, count=1).encode()


def relations_name(part: str) -> str:
    """Name of the part that lists the relations of `part`."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", name + ".rels")


def relations(parts: Parts, part: str) -> dict[str, tuple[str, str]]:
    """Relations of a part inside the package: identifier -> (kind, name of the part it leads to).

    The kind is the last word of the relation's type, such as "worksheet"; relations to places outside are left out.
    """
    name = ROOT_RELATIONS if not part else relations_name(part)
    if name not in parts:
        return {}
    found = {}
    for element in outline(utf8(parts[name])).children:
        if element.attributes.get("TargetMode") != "External":
            kind = element.attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(part), element.attributes.get("Target", "")))
            found[element.attributes.get("Id", "")] = (kind, target.lstrip("/"))
    return found


def workbook_part(parts: Parts) -> str:
    """Name of the workbook part.

    Raises
    ------
    KeyError
        If the package holds none.
    """
    try:
        for kind, target in relations(parts, "").values():
            if kind == "officeDocument" and target in parts:
                return target
    except (expat.ExpatError, IndexError):
        pass
    raise KeyError("officeDocument")


def related_part(parts: Parts, part: str, kind: str) -> str | None:
    """Name of the first part of that kind that `part` leads to, or None."""
    return next((target for found, target in relations(parts, part).values() if found == kind), None)


def sheet_elements(parts: Parts) -> list[Element]:
    """Return the ``sheet`` elements of the workbook, in the order of the tabs."""
    sheets = outline(utf8(parts[workbook_part(parts)])).find("sheets")
    return list(sheets.all("sheet")) if sheets else []
