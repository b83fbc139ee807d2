"""Workbooks in Excel's binary form (.xlsb), written record by record from the published description [MS-XLSB].

Only what a reader of values needs: sheets, shared and plain strings, numbers in both codings, results of formulas,
true and false, and errors.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exports.export_file import Rows

_ERRORS = {"#NULL!": 0x00, "#DIV/0!": 0x07, "#VALUE!": 0x0F, "#REF!": 0x17, "#NAME?": 0x1D, "#NUM!": 0x24, "#N/A": 0x2A}
_CELLS = {"rk": 2, "error": 3, "bool": 4, "real": 5, "text": 6, "shared": 7, "formula": 9}
_BEGIN_SHEET, _END_SHEET, _DIMENSION, _BEGIN_DATA, _END_DATA, _ROW = 129, 130, 148, 145, 146, 0
_BEGIN_BOOK, _END_BOOK, _BEGIN_SHEETS, _END_SHEETS, _SHEET = 131, 132, 143, 144, 156
_BEGIN_STRINGS, _END_STRINGS, _STRING = 159, 160, 19
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PARSED = bytes([0x1E, 0x01, 0x00])  # the formula =1, whose stored result is what is read


@dataclass(frozen=True, slots=True)
class Result:
    """A formula with its stored number."""

    number: float


@dataclass(frozen=True, slots=True)
class Error:
    """An error such as #N/A."""

    code: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A text that is written in its cell instead of among the shared ones."""

    text: str


def save_xlsb(path: Path, sheets: Mapping[str, Rows]) -> Path:
    """Write a workbook; None is no cell at all."""
    shared: dict[str, int] = {}
    parts = {f"xl/worksheets/sheet{k}.bin": _sheet(rows, shared) for k, rows in enumerate(sheets.values(), start=1)}
    listed = [_record(_SHEET, struct.pack("<II", 0, k) + _wide(f"rId{k}") + _wide(n)) for k, n in enumerate(sheets, 1)]
    parts["xl/workbook.bin"] = b"".join(
        [_record(_BEGIN_BOOK), _record(_BEGIN_SHEETS), *listed, _record(_END_SHEETS), _record(_END_BOOK)]
    )
    strings = [_record(_STRING, b"\0" + _wide(text)) for text in shared]
    counts = struct.pack("<II", len(shared), len(shared))
    parts["xl/sharedStrings.bin"] = b"".join([_record(_BEGIN_STRINGS, counts), *strings, _record(_END_STRINGS)])
    targets = {f"rId{k}": ("worksheet", f"worksheets/sheet{k}.bin") for k in range(1, len(sheets) + 1)}
    targets["rIdStrings"] = ("sharedStrings", "sharedStrings.bin")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _content_types(parts))
        package.writestr("_rels/.rels", _relations({"rId1": ("officeDocument", "xl/workbook.bin")}))
        package.writestr("xl/_rels/workbook.bin.rels", _relations(targets))
        for name, content in parts.items():
            package.writestr(name, content)
    return path


def _sheet(rows: Rows, shared: dict[str, int]) -> bytes:
    held = [list(row) for row in rows]
    width = max(map(len, held), default=1)
    out = [_record(_BEGIN_SHEET), _record(_DIMENSION, struct.pack("<IIII", 0, len(held) - 1, 0, width - 1))]
    out.append(_record(_BEGIN_DATA))
    for i, row in enumerate(held):
        out.append(_record(_ROW, struct.pack("<IIHHBI", i, 0, 300, 0, 0, 0)))
        out += [_cell(j, value, shared) for j, value in enumerate(row) if value is not None]
    return b"".join([*out, _record(_END_DATA), _record(_END_SHEET)])


def _cell(column: int, value: Any, shared: dict[str, int]) -> bytes:
    kind, content = _content(value, shared)
    return _record(_CELLS[kind], struct.pack("<II", column, 0) + content)


def _content(value: Any, shared: dict[str, int]) -> tuple[str, bytes]:
    match value:
        case bool():
            return "bool", bytes([value])
        case int() if abs(value) < 1 << 29:
            return "rk", struct.pack("<i", value << 2 | 2)
        case int() | float() if float(value * 100).is_integer() and abs(value * 100) < 1 << 29:
            return "rk", struct.pack("<i", round(value * 100) << 2 | 3)  # a hundredth of a whole number
        case int() | float():
            return "real", struct.pack("<d", value)
        case Result(number):
            return "formula", struct.pack("<dHI", number, 0, len(_PARSED)) + _PARSED + struct.pack("<I", 0)
        case Error(code):
            return "error", bytes([_ERRORS[code]])
        case Plain(text):
            return "text", _wide(text)
    return "shared", struct.pack("<I", shared.setdefault(str(value), len(shared)))


def _record(kind: int, content: bytes = b"") -> bytes:
    """Put the kind (one or two bytes of seven bits) and the length (up to four) before the content."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    length, left = bytearray(), len(content)
    while left > 0x7F:
        length.append(left & 0x7F | 0x80)
        left >>= 7
    return head + bytes([*length, left]) + content


def _wide(text: str) -> bytes:
    coded = text.encode("utf-16-le")
    return struct.pack("<I", len(coded) // 2) + coded


def _content_types(parts: Mapping[str, bytes]) -> str:
    kinds = {"workbook": "sheet.binary.macroEnabled.main", "sharedStrings": "sharedStrings", "sheet": "worksheet"}
    named = [(name, next(kind for stem, kind in kinds.items() if Path(name).stem.startswith(stem))) for name in parts]
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="application/vnd.ms-excel.{kind}"/>' for name, kind in named
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>{overrides}'
        "</Types>"
    )


def _relations(targets: Mapping[str, tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="{key}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'
    )
