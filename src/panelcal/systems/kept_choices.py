"""How a result keeps what was chosen for its run on the sheet Settings, so that the next run has it too."""

from __future__ import annotations

from dataclasses import replace

from panelcal.errors import InputRefused
from panelcal.reading.answers import Way, how_to_keep
from panelcal.reading.grid import Grid, Source
from panelcal.reading.kept_settings import in_words, kept_on_sheet
from panelcal.reading.settings import SETTINGS_SHEET, Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reading.sheet_choice import is_ours
from panelcal.reporting.model import CellEdits
from panelcal.reporting.settings_form import cells_of, settings_form
from panelcal.systems.choices import Choices, Found
from panelcal.systems.system import System

_KEPT = f"The options are kept on the sheet {SETTINGS_SHEET}, for the next run."


def read_as_kept(system: System, source: Source, choices: Choices, *, carried: bool) -> Found:
    """Read the workbook as its copy will be, with the choices on its sheet Settings, so that both agree later."""
    choices = _without_the_only_sheet(source, choices)
    if not choices.sets_something:
        return Found(source, system.read(source, choices))
    grid = source.grid(SETTINGS_SHEET)
    if grid is None:
        return _with_a_new_form(system, source, choices, carried=carried)
    if not carried:
        reading = system.read(source, choices)
        return Found(source, reading, (settings_form(reading.settings),), sentences=(_KEPT,))
    edits, sentences = _kept_on(grid, source, choices)
    if edits is not None:
        grids = tuple(one.with_cells(edits.cells) if one.sheet == edits.sheet else one for one in source.grids)
        kept = replace(source, grids=grids)
        try:
            return Found(kept, system.read(kept, choices), (), edits, sentences)
        except InputRefused:
            pass  # what is to be done must speak of the workbook as it is
    return Found(source, system.read(source, choices), (), edits, sentences)


def _without_the_only_sheet(source: Source, choices: Choices) -> Choices:
    """Keep the name of the sheet of scores only where the workbook has another that could be it."""
    others = [one for one in source.grids if one.visible and one.n_columns > 1 and not is_ours(one.sheet)]
    if len(others) > 1:
        return choices
    return replace(choices, settings={name: value for name, value in choices.settings.items() if name != "sheet"})


def _with_a_new_form(system: System, source: Source, choices: Choices, *, carried: bool) -> Found:
    """Read a workbook without a sheet Settings as its copy will be: with one that says what was chosen."""
    if carried or source.collected:
        form = settings_form(choices.over(Settings()))
        kept = replace(source, grids=(*source.grids, cells_of(form)))
        try:
            return Found(kept, system.read(kept, choices), (form,), sentences=(_KEPT,))
        except InputRefused:
            pass  # what is to be done must speak of the workbook as it is
    reading = system.read(source, choices)
    return Found(source, reading, (settings_form(reading.settings),), sentences=(_KEPT,))


def _kept_on(grid: Grid, source: Source, choices: Choices) -> tuple[CellEdits | None, tuple[str, ...]]:
    """Return the cells of the sheet Settings that keep the choices, and what is said of it."""
    written = read_settings(grid)[0]
    chosen, way = choices.over(written), Way(source.kind, written, grid)
    kept = kept_on_sheet(chosen, way)
    if not kept.cells or not grid.formulas.keys().isdisjoint(kept.cells):
        return None, _left(grid, chosen, way) if kept.cells or kept.left else ()
    edits = CellEdits(grid.sheet, kept.cells, "\n".join(_left(grid, chosen, way)))
    said = f"The options are kept on the sheet {grid.sheet} of the result ({in_words(kept)}), for the next run."
    rest = replace(written, **{name: getattr(chosen, name) for name in kept.left})
    return edits, (said, *(_left(grid, rest, way) if kept.left else ()))


def _left(grid: Grid, chosen: Settings, way: Way) -> tuple[str, ...]:
    """Say what to write on the sheet Settings by hand so that it says what was chosen."""
    said = f"These options hold for this run only; to keep them, on the sheet {grid.sheet}:"
    return said, *(f"- {one}" for one in how_to_keep(chosen, way))
