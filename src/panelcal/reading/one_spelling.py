"""Names that somebody said are the same: each is read as the other, wherever it stands alone in a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import Grid, Source
from panelcal.reading.patterns import did_you_mean
from panelcal.reading.setting_texts import label_of
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_ours


def with_one_spelling(source: Source, settings: Settings) -> Source:
    """Return the sheets with each name as it counts by the settings; the very letters, capitals and widths matter.

    Raises
    ------
    InputRefused
        If a name stands nowhere.
    """
    if not settings.same:
        return source
    counted = {label_text(name): label_text(other) for name, other in settings.same.items()}
    read = [grid for grid in source.grids if not is_ours(grid.sheet)]
    there = {label_text(value) for grid in read for value in _texts(grid)}
    for name in counted:
        if name not in there:
            hint = did_you_mean(name, sorted(there)) or ": correct the name."
            raise InputRefused(f"{label_of('same')}: nothing is called {name}{hint}")
    grids = tuple(grid if is_ours(grid.sheet) else _respelt(grid, counted) for grid in source.grids)
    return replace(source, grids=grids)


def _texts(grid: Grid) -> Iterator[Any]:
    return (value for row in grid.rows for value in row if value is not None)


def _respelt(grid: Grid, counted: Mapping[str, str]) -> Grid:
    """Write the names of a sheet anew; texts alone, so that no score is ever touched."""

    def name(value: Any) -> Any:
        return counted.get(label_text(value), value) if isinstance(value, str) else value

    return replace(grid, rows=tuple(tuple(map(name, row)) for row in grid.rows))
