"""What a binary workbook (.xlsb) says of its cells that calamine does not: which of them hold errors, and which.

Source: [MS-XLSB], sections 2.1.4 (records), 2.4 (kinds of records) and 2.5.97.2 (numbers of errors).
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from panelcal.reading.grid import CellError

_ROW_HEADER, _LAST_KIND_OF_CELL = 0, 11
_ERROR_CELLS = frozenset({3, 11})  # BrtCellError, BrtFmlaError
_SHEET = 156  # BrtBundleSh
_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}
_BOOK, _BOOK_RELATIONS = "xl/workbook.bin", "xl/_rels/workbook.bin.rels"
_CELL_HEAD = 8  # bytes before what a cell holds: its column and its style
_SHEET_HEAD = 8


def binary_cells(part: bytes) -> tuple[int, int, dict[tuple[int, int], CellError]]:
    """Look through the cells of a sheet.

    Returns
    -------
    rows, columns, errors
        How far the cells reach, and (row, column) -> the error there; all count from 1.
    """
    rows = columns = row = 0
    errors: dict[tuple[int, int], CellError] = {}
    for kind, content in _records(part):
        if kind > _LAST_KIND_OF_CELL or len(content) < 4:
            continue
        number = int.from_bytes(content[:4], "little") + 1
        if kind == _ROW_HEADER:
            row, rows = number, max(rows, number)
            continue
        columns = max(columns, number)
        if kind in _ERROR_CELLS and len(content) > _CELL_HEAD:
            errors[row, number] = CellError(_ERRORS.get(content[_CELL_HEAD], "#ERROR"))
    return rows, columns, errors


def sheet_parts(archive: zipfile.ZipFile) -> list[str]:
    """Return the parts with the sheets of a binary workbook in the order of the sheets; "" for one without."""
    if not {_BOOK, _BOOK_RELATIONS}.issubset(archive.namelist()):
        return []
    targets: dict[str, str] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.endswith("Relationship"):
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def refuse(*_: object) -> None:
        raise ValueError("declares a document type, which no workbook does")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = refuse, start
    parser.Parse(archive.read(_BOOK_RELATIONS), True)
    found = [_wide(content[_SHEET_HEAD:]) for kind, content in _records(archive.read(_BOOK)) if kind == _SHEET]
    return [posixpath.normpath(posixpath.join("/xl", targets.get(key, ""))).lstrip("/") for key in found]


def _wide(content: bytes) -> str:
    length = int.from_bytes(content[:4], "little")
    return content[4 : 4 + 2 * length].decode("utf-16-le", "replace")


def _records(part: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the content of each record, as far as they are whole."""
    at, end = 0, len(part)
    while at < end:
        kind, at = part[at], at + 1
        if kind & 0x80 and at < end:
            kind, at = (kind & 0x7F) | part[at] << 7, at + 1
        size, shift = 0, 0
        for _ in range(4):
            if at >= end:
                return
            byte, at = part[at], at + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, part[at : at + size]
        at += size
