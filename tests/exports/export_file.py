"""Files as systems write them: rows to CSV, .xlsx or .ods, with the truth they were made from."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import openpyxl

from exports.truth import Truth

Rows = Iterable[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Export:
    """One export of one system.

    Attributes
    ----------
    paths
        What is given to panelcal: one file, several, or a folder.
    truths
        Panels that would be right; more than one where a question has more than one sensible answer (then the first
        is what the makers of the file meant).
    objects, assessors
        Other names under which the file has an object or an assessor -> the name in the truth.
    must_ask
        Whether nobody could read the file without asking: reading it at once is wrong even if the numbers agree.
    lower_is_better
        Whether the settings must say so in the end.
    """

    paths: tuple[Path, ...]
    truths: tuple[Truth, ...]
    objects: Mapping[str, str] = field(default_factory=dict)
    assessors: Mapping[str, str] = field(default_factory=dict)
    must_ask: bool = False
    lower_is_better: bool = False


def save_csv(path: Path, rows: Rows, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    """Write a text file; fields are quoted where they must be."""
    with path.open("w", newline="", encoding=encoding) as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def save_xlsx(path: Path, sheets: Mapping[str, Rows]) -> Path:
    """Write a workbook; the first sheet is the active one."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


_ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_ODS_SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
    for short, long in (("office", "office"), ("table", "table"), ("text", "text"))
)


def save_ods(path: Path, sheets: Mapping[str, Rows]) -> Path:
    """Write an OpenDocument spreadsheet with the least that one needs."""
    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_ODS_SPACES} office:version="1.2">'
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest '
        'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_ODS_TYPE}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", _ODS_TYPE, zipfile.ZIP_STORED)
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", manifest)
    return path


def _ods_cell(value: Any) -> str:
    if value is None or value == "":
        return "<table:table-cell/>"
    if isinstance(value, int | float):
        return (
            f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p>'
            "</table:table-cell>"
        )
    return f'<table:table-cell office:value-type="string"><text:p>{escape(str(value))}</text:p></table:table-cell>'


def number(value: float | None, comma: bool = False) -> Any:
    """Write a number as a cell has it: whole ones without decimals, a decimal comma as text."""
    if value is None:
        return None
    plain: Any = int(value) if float(value).is_integer() else value
    return str(plain).replace(".", ",") if comma else plain


def grid(truth: Truth, comma: bool = False) -> dict[str, list[Any]]:
    """Return object -> its scores in the order of the assessors, None where there is none."""
    return {
        thing: [number(truth.scores.get((thing, judge)), comma) for judge in truth.assessors] for thing in truth.objects
    }
