"""Changing a few cells of a sheet in a copy of the user's workbook; every other byte of the sheet stays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from panelcal.files.package import StoredParts, relations, sheet_elements, utf8, workbook_part
from panelcal.files.xml_edits import Edits, Element, escape, outline
from panelcal.reading.grid import address, place_of

_DEPTH = 5  # worksheet, sheetData, row, cell, formula
_NAME = re.compile(rb"<((?:\w+:)?)")


def can_be_edited(parts: StoredParts, sheet: str, cells: Mapping[tuple[int, int], Any]) -> bool:
    """Tell whether the cells can be changed: the sheet says where each is, and none holds a formula."""
    target = _part_of(parts, sheet)
    if target is None:
        return False
    data = outline(utf8(parts[target]), _DEPTH).find("sheetData")
    if data is None:
        return False
    rows = {row.attributes.get("r", ""): row for row in data.all("row")}
    for row in rows.values():
        for cell in row.children:
            if "r" not in cell.attributes:
                return False
            if place_of(cell.attributes["r"]) in cells and cell.find("f") is not None:
                return False
    return "" not in rows


def with_cells(parts: StoredParts, sheet: str, cells: Mapping[tuple[int, int], Any]) -> StoredParts:
    """Return the parts of a workbook with some cells changed: (row, column) from 1 -> value, None = clear."""
    target = _part_of(parts, sheet)
    if target is None or not cells:
        return parts
    changed = parts.copy()
    changed[target] = _changed(utf8(parts[target]), cells)
    return changed


def _part_of(parts: StoredParts, sheet: str) -> str | None:
    targets = relations(parts, workbook_part(parts))
    for element in sheet_elements(parts):
        if element.attributes.get("name", "").casefold() == sheet.casefold():
            target = targets.get(element.attributes.get("id", ""), ("", ""))[1]
            return target if target in parts else None
    return None


def _changed(sheet: bytes, cells: Mapping[tuple[int, int], Any]) -> bytes:
    """Change, add or clear cells of a worksheet part, in the order of rows and columns."""
    root = outline(sheet, _DEPTH)
    data, edits = root.find("sheetData"), Edits(sheet)
    assert data is not None
    found = _NAME.match(sheet, data.start)
    prefix = found[1].decode() if found else ""
    rows = {int(row.attributes["r"]): row for row in data.all("row")}
    for number in sorted({row for row, _ in cells}):
        wanted = {column: value for (row, column), value in sorted(cells.items()) if row == number}
        if number in rows:
            _change_row(edits, rows[number], number, wanted, prefix)
            continue
        inner = "".join(_cell(prefix, number, column, value) for column, value in wanted.items() if value is not None)
        xml = f'<{prefix}row r="{number}">{inner}</{prefix}row>'
        after = [row for place, row in sorted(rows.items()) if place > number]
        if after:
            edits.replace(after[0].start, after[0].start, xml)
        else:
            edits.append(data, xml)
    last = max((row for row, _ in cells), default=1)
    if (extent := root.find("dimension")) is not None and ":" in extent.attributes.get("ref", ""):
        first, end = extent.attributes["ref"].split(":")
        row, column = place_of(end) or (1, 2)
        edits.set_attribute(extent, "ref", f"{first}:{address(max(row, last), max(column, 2))}")
    return edits.result()


def _change_row(edits: Edits, row: Element, number: int, wanted: Mapping[int, Any], prefix: str) -> None:
    """Change some cells of a row: column -> value."""
    held = {place[1]: cell for cell in row.children if (place := place_of(cell.attributes.get("r", "")))}
    added = []
    for column, value in wanted.items():
        if column in held:
            edits.replace(held[column].start, held[column].end, _cell(prefix, number, column, value, held[column]))
        elif value is not None:
            after = [cell for place, cell in sorted(held.items()) if place > column]
            if after:
                edits.replace(after[0].start, after[0].start, _cell(prefix, number, column, value))
            else:
                added.append(_cell(prefix, number, column, value))
    edits.append(row, "".join(added))


def _cell(prefix: str, row: int, column: int, value: Any, old: Element | None = None) -> str:
    """Spell a cell; its look stays where there was one."""
    look = f' s="{old.attributes["s"]}"' if old is not None and "s" in old.attributes else ""
    begin = f'<{prefix}c r="{address(row, column)}"{look}'
    if value is None:
        return f"{begin}/>"
    if type(value) in (int, float):
        return f"{begin}><{prefix}v>{value!r}</{prefix}v></{prefix}c>"
    text = escape(str(value))
    return (
        f'{begin} t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">{text}</{prefix}t></{prefix}is></{prefix}c>'
    )
