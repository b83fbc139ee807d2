"""What to write on a sheet Settings, cell by cell, so that it says what was chosen on the command line or the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from panelcal.reading.answers import TABLES, FreeRows, Way, line_text
from panelcal.reading.grid import address
from panelcal.reading.setting_texts import LINES, ROWS, text_of
from panelcal.reading.settings import Settings

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """How a sheet Settings comes to say what was chosen.

    Attributes
    ----------
    cells
        (row, column), from 1 -> what to write there; None = clear it.
    left
        Fields of `Settings` for which there is no room: these are not on the sheet afterwards.
    """

    cells: Mapping[Place, Any]
    left: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sheet:
    """The cells to write so far, and where there is room."""

    way: Way
    free: FreeRows
    cells: dict[Place, Any] = field(default_factory=dict)


def kept_on_sheet(chosen: Settings, way: Way) -> Kept:
    """Work out the cells of a sheet Settings that are to change; `way` has the sheet and what it says."""
    written, sheet, left = way.settings, _Sheet(way, FreeRows(way)), []
    for name in (*LINES, *ROWS):  # tables first, since they may grow into the free rows
        given, held = getattr(chosen, name), getattr(written, name)
        turned = name == "higher_is_better" and chosen.direction_given != written.direction_given
        if given == held and not turned:
            continue
        if name not in LINES:
            _keep_row(sheet, name, given)
        elif not _keep_table(sheet, name, given, held):
            left.append(name)
    return Kept(sheet.cells, tuple(left))


def _keep_row(sheet: _Sheet, name: str, value: Any) -> None:
    """Write a value beside its label, or label and value in a free row."""
    plain = type(value) in (int, float)
    shown = value if plain else text_of(name, value) or None
    place = sheet.free.place_of(name)
    if place is None:
        row = sheet.free.take(1)
        sheet.cells[row, 1] = ROWS[name].label
        place = row, 2
    sheet.cells[place] = shown


def _keep_table(sheet: _Sheet, name: str, given: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    """Write the rows of a table; codes join those there are, any other table is written anew. False without room."""
    rows: list[tuple[Any, Any]]
    first, lines = sheet.free.first_in_table(name), sheet.free.lines_of(name)
    if lines and not first:
        sheet.cells |= dict.fromkeys(lines) | {lines[0]: line_text(name, given) or None}
        return True
    if name not in TABLES:
        row, rows = sheet.free.take(1), [(LINES[name], text_of(name, given))]
    elif not first:
        row = sheet.free.take(len(given) + 1)
        rows = [(TABLES[name][0], TABLES[name][1]), *given.items()]
    elif name == "codes":
        changed = {key: value for key, value in given.items() if held.get(key) != value}
        for key in list(changed):
            if old := sheet.free.row_in_table(name, key):
                sheet.cells[old, 2] = changed.pop(key)
        row = sheet.free.in_table(name, len(changed)) if changed else 1
        rows = list(changed.items())
    else:
        more = len(given) - len(held)
        room = more <= 0 or sheet.free.in_table(name, more)
        row = first if room else 0
        rows = [*given.items(), *[(None, None)] * max(-more, 0)]
    if not row:
        return False
    for k, (key, value) in enumerate(rows):
        sheet.cells[row + k, 1], sheet.cells[row + k, 2] = key, value
    return True


def in_words(kept: Kept) -> str:
    """Spell where the settings were written: "B5, B12, A60:B61"."""
    return ", ".join(address(row, column) for row, column in sorted(kept.cells) if kept.cells[row, column] is not None)
