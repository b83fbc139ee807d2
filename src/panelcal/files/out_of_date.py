"""Marking the sheets of earlier runs in a copy of the user's workbook as out of date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from panelcal.files.package import StoredParts, relations, sheet_elements, utf8, workbook_part
from panelcal.files.xml_edits import escape
from panelcal.reading.grid import Grid, Source, address
from panelcal.reporting.model import Note
from panelcal.reporting.names import sheets_to_compare
from panelcal.reporting.out_of_date import summary_beside


def earlier_sheets(source: Source, own: Sequence[str]) -> tuple[Grid, ...]:
    """Return, of the sheets that panelcal made, every `Cal audit`, and the values and the proof of the newest run."""
    ours = {name.casefold() for name in own if summary_beside(name)}
    ours |= {name.casefold() for name in sheets_to_compare(own)}
    return tuple(grid for grid in source.grids if grid.sheet.casefold() in ours)


def mark_outdated(parts: StoredParts, notes: Mapping[str, Note], own: Iterable[str]) -> StoredParts:
    """Put notes on the sheets of earlier runs that are still there and ours.

    Parameters
    ----------
    parts
        The user's workbook.
    notes
        Name of a sheet -> its note, see `panelcal.reporting.out_of_date.outdated_notes`.
    own
        Names of the sheets that panelcal made.
    """
    ours = {name.casefold() for name in own}
    wanted = {name.casefold(): note for name, note in notes.items() if name.casefold() in ours}
    marked = parts.copy()
    targets = relations(parts, workbook_part(parts))
    for element in sheet_elements(parts):
        note = wanted.get(element.attributes.get("name", "").casefold())
        target = targets.get(element.attributes.get("id", ""), ("", ""))[1]
        if note is not None and target in parts:
            marked[target] = _with_text(utf8(parts[target]), address(note.row, note.column), note.text)
    return marked


def _with_text(sheet: bytes, cell: str, text: str) -> bytes:
    """Put text in the place of a cell's content; its look, and what else the sheet holds, stay."""
    pattern = re.compile(rb'<((?:\w+:)?)c\b([^>]*?\br="' + cell.encode() + rb'"[^>]*?)(?:/>|>.*?</\1c>)', re.DOTALL)

    def replaced(match: re.Match[bytes]) -> bytes:
        prefix, kept = match[1], re.sub(rb'\s+(t|cm|vm)="[^"]*"', b"", match[2])
        content = escape(text).encode()
        return b'<%bc%b t="inlineStr"><%bis><%bt>%b</%bt></%bis></%bc>' % (
            prefix, kept.rstrip(), prefix, prefix, content, prefix, prefix, prefix,
        )  # fmt: skip

    return pattern.sub(replaced, sheet, count=1)
