"""Formulas that spill, as Excel stores them: a formula in the first cell, values in all, a note that it may spill.

openpyxl writes an array formula with a fixed range. What makes Excel let it spill is the attribute ``cm`` of the cell,
which leads to a part ``xl/metadata.xml`` that openpyxl does not write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.formula_storage import stored
from panelcal.files.package import CONTENT_TYPES, Parts, relations_name
from panelcal.files.xml_text import escape
from panelcal.frozen import dataclass
from panelcal.reading.grid import address

CellValue = str | float | int

METADATA_PART = "xl/metadata.xml"
_WORKBOOK = "xl/workbook.xml"
_METADATA = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    b'xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">'
    b'<metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" '
    b'pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" '
    b'coerce="1" cellMeta="1"/></metadataTypes>'
    b'<futureMetadata name="XLDAPR" count="1"><bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">'
    b'<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata>'
    b'<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>'
)
_TYPE = (
    b'<Override PartName="/xl/metadata.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"/>'
)
_RELATION = (
    b'<Relationship Id="rIdSheetMetadata" '
    b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata" Target="metadata.xml"/>'
)


@dataclass(frozen=True, slots=True)
class Spill:
    """A formula that spills.

    Attributes
    ----------
    sheet, row, column
        Where it stands; rows and columns count from 1.
    formula
        As a person types it, without the equals sign; a spill ``D5#`` is written ``ANCHORARRAY(D5)``.
    values
        What it comes to: lines of equal length, an empty text where Excel shows nothing.
    """

    sheet: str
    row: int
    column: int
    formula: str
    values: tuple[tuple[CellValue, ...], ...]

    @property
    def range(self) -> str:
        """The cells it takes, such as ``D5:D86``."""
        last = address(self.row + len(self.values) - 1, self.column + len(self.values[0]) - 1)
        first = address(self.row, self.column)
        return first if first == last else f"{first}:{last}"


def put_spill(sheet: Worksheet, spill: Spill) -> None:
    """Write the formula; the cells it spills into keep their styles and get their values from `with_spills`."""
    first = address(spill.row, spill.column)
    sheet[first].value = ArrayFormula(spill.range, f"={stored(spill.formula)}")


def with_spills(parts: Parts, spills: Sequence[Spill]) -> Parts:
    """Mark the formulas as spilling and store the values of all their cells, which must be there (styled, say)."""
    changed = dict(parts)
    for sheet in dict.fromkeys(spill.sheet for spill in spills):
        part = _sheet_part(parts, sheet)
        changed[part] = _with_values(parts[part], [spill for spill in spills if spill.sheet == sheet])
    changed[METADATA_PART] = _METADATA
    changed[CONTENT_TYPES] = _before(parts[CONTENT_TYPES], b"</Types>", _TYPE)
    listed = relations_name(_WORKBOOK)
    changed[listed] = _before(parts[listed], b"</Relationships>", _RELATION)
    return changed


def _sheet_part(parts: Parts, sheet: str) -> str:
    titles = re.findall(r'<sheet [^>]*?name="([^"]*)"', parts[_WORKBOOK].decode())
    return f"xl/worksheets/sheet{titles.index(escape(sheet)) + 1}.xml"


def _with_values(xml: bytes, spills: Sequence[Spill]) -> bytes:
    values = {
        address(spill.row + down, spill.column + across): value
        for spill in spills
        for down, line in enumerate(spill.values)
        for across, value in enumerate(line)
    }
    left = set(values)

    def filled(match: re.Match[str]) -> str:
        cell = match["cell"]
        if cell not in left:
            return match[0]
        left.remove(cell)
        formula = re.match(r"<f.*?</f>", match["inside"] or "", re.DOTALL)
        attributes = re.sub(r' t="[^"]*"', "", match["attributes"]).rstrip()
        value = values[cell]
        kind = ' t="str"' if isinstance(value, str) else ""
        spilling = ' cm="1"' if formula else ""
        content = escape(value) if isinstance(value, str) else repr(value)
        return f"<c {attributes.strip()}{kind}{spilling}>{formula[0] if formula else ''}<v>{content}</v></c>"

    pattern = r'<c (?P<attributes>r="(?P<cell>[A-Z]+[0-9]+)"[^>]*?)(?:/>|>(?P<inside>.*?)</c>)'
    done = re.sub(pattern, filled, xml.decode(), flags=re.DOTALL)
    if left:
        raise ValueError(f"no such cells to spill into: {', '.join(sorted(left))}")
    return done.encode()


def _before(xml: bytes, end: bytes, piece: bytes) -> bytes:
    head, found, tail = xml.rpartition(end)
    if not found:
        raise ValueError(f"{end.decode()} is missing")
    return head + piece + found + tail
