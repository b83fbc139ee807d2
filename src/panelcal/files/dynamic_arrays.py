"""Formulas that spill, as Excel stores them: a formula in the first cell, values in all, a note that it may spill.

What makes Excel let an array formula spill is the attribute ``cm`` of its cell, which leads to a part
``xl/metadata.xml`` that openpyxl does not write.
"""

from __future__ import annotations

from panelcal.files.formula_storage import stored
from panelcal.files.package import CONTENT_TYPES, Parts, relations_name
from panelcal.files.xml_edits import escape
from panelcal.reporting.model import Column

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


def spilt_cells(column: Column, first: int, rows: slice, letters: str, style: int) -> list[str]:
    """Spell cells of a column whose formula, in row `first` of the sheet, spills over those below it.

    Where Excel shows nothing it stores an empty text; what the formula does not reach holds None.
    """
    formula = escape(stored(str(column.formulas[0]).removeprefix("=")))
    spilling = f' cm="1"><f t="array" ref="{column.spills}">{formula}</f>'
    cells = []
    for row in range(rows.start, rows.stop):
        value = column.cells[row - first]
        kind, content = (' t="str"', escape(value)) if isinstance(value, str) else ("", repr(value))
        held = "" if value is None else f"<v>{content}</v>"
        cells.append(f'<c r="{letters}{row}" s="{style}"{kind}{spilling if row == first else ">"}{held}</c>')
    return cells


def with_metadata(parts: Parts) -> Parts:
    """Add what says that formulas may spill."""
    listed = relations_name(_WORKBOOK)
    return dict(parts) | {
        METADATA_PART: _METADATA,
        CONTENT_TYPES: _before(parts[CONTENT_TYPES], b"</Types>", _TYPE),
        listed: _before(parts[listed], b"</Relationships>", _RELATION),
    }


def _before(xml: bytes, end: bytes, piece: bytes) -> bytes:
    head, found, tail = xml.rpartition(end)
    if not found:
        raise ValueError(f"{end.decode()} is missing")
    return head + piece + found + tail
