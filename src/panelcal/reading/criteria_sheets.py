"""Criteria on a sheet each: matrices of the same objects and assessors, put together as one list of criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, InputRefused
from panelcal.reading.cell_values import label_text
from panelcal.reading.collecting import COLLECTED, EXPLANATION, TITLE
from panelcal.reading.criteria_across import criteria_of
from panelcal.reading.grid import Grid, Source, sheet_reference
from panelcal.reading.headings import OBJECT_WORDS, noun_of
from panelcal.reading.long_list import find_list
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.patterns import any_matches
from panelcal.reading.problems import listed
from panelcal.reading.settings import TOGETHER, Settings
from panelcal.reading.sheet_choice import is_ours
from panelcal.reading.table import table_of

_FEWEST = 2
_ENOUGH = 0.5  # share of the objects, and of the assessors, that a sheet must have in common with the first

Cells = dict[tuple[str, str], tuple[Any, str]]
"""(object, assessor) -> the score and where it stands."""


def criteria_sheets_as_one(source: Source, settings: Settings) -> Source | None:
    """Put the sheets of a workbook together where each holds one criterion, and these are asked for together.

    None where they are not, or where one sheet holds the criteria already.
    """
    if not settings.criteria_together or settings.names:
        return None
    criteria, thing = _criteria_on_sheets(source, settings)
    if len(criteria) < _FEWEST:
        return None
    made = _together(source, criteria, thing or "Object")
    said = f"{len(criteria)} sheets were read as criteria: {listed(list(criteria))}."
    return Source(source.name, (*source.grids, made), made.sheet, (said, *source.notes, *source.cautions),
                  source.kind, made.sheet)  # fmt: skip


def answers_about_criteria(source: Source, settings: Settings, sheets: Sequence[str]) -> list[Answer]:
    """Offer to read sheets of the same people and objects as criteria, calibrated together.

    Parameters
    ----------
    sheets
        Names of those that have the same headings.
    """
    among = [grid for grid in source.grids if grid.sheet in sheets]
    try:
        criteria, _ = _criteria_on_sheets(replace(source, grids=tuple(among)), settings)
    except InputRefused:
        return []
    if len(criteria) < len(sheets):
        return []
    meaning = "read them as criteria, added up, and see who leans on which of them, all calibrated together"
    return [Answer({"criteria": {TOGETHER: 1.0}}, meaning)]


def _criteria_on_sheets(source: Source, settings: Settings) -> tuple[dict[str, Cells], str]:
    """Return the scores by sheet, and what is assessed; nothing where a sheet holds the criteria already."""
    criteria: dict[str, Cells] = {}
    thing = ""
    for grid in source.grids:
        if not grid.visible or is_ours(grid.sheet) or not _is_wanted(grid, settings):
            continue
        from panelcal.reading.ratings.rating_list import find_rating_list  # noqa: PLC0415 - a board has no such sheets

        table = table_of(grid)
        if find_list(table, settings) is not None or find_rating_list(table, settings) is not None:
            return {}, ""
        matrix = find_matrix(table, settings)
        if matrix is None:
            continue
        if criteria_of(matrix, settings):
            return {}, ""
        cells = _cells_of(matrix)
        if criteria and not _belongs(cells, next(iter(criteria.values()))):
            continue
        criteria[grid.sheet] = cells
        thing = thing or noun_of(matrix.corner, OBJECT_WORDS)
    return criteria, thing


def _is_wanted(grid: Grid, settings: Settings) -> bool:
    """Tell whether a sheet may hold a criterion: where some are named, only these; never what was put together."""
    named = not settings.criteria_named or any_matches(tuple(settings.criteria_named), grid.sheet)
    return named and grid.value(1, 1) != TITLE


def _cells_of(matrix: Matrix) -> Cells:
    table = matrix.table
    found: Cells = {}
    for i in matrix.rows.objects:
        thing = label_text(table.cells[i][matrix.labels.identifier])
        for j in matrix.assessors:
            pair = (thing, label_text(matrix.headings.headings[j]))
            value, cell = table.cells[i][j], sheet_reference(table.grid.sheet, table.at(i, j))
            if value is None:
                continue
            if pair in found:
                raise InputRefused(
                    f"On sheet {table.grid.sheet} {pair[1]} has two scores for {pair[0]}: keep one of them.", [cell]
                )
            found[pair] = (value, cell)
    return found


def _belongs(cells: Cells, first: Cells) -> bool:
    """Tell whether a sheet is about the objects and the assessors of the first."""
    for side in (0, 1):
        own, other = {pair[side] for pair in cells}, {pair[side] for pair in first}
        if len(own & other) < _ENOUGH * min(len(own), len(other)):
            return False
    return True


def _together(source: Source, criteria: dict[str, Cells], thing: str) -> Grid:
    pairs = dict.fromkeys(pair for cells in criteria.values() for pair in cells)
    rows: list[tuple[Any, ...]] = [(TITLE,), (EXPLANATION,), (), (thing, "Assessor", *criteria, "From")]
    nothing = (None, "")
    for pair in pairs:
        given = [cells.get(pair, nothing) for cells in criteria.values()]
        rows.append((*pair, *(value for value, _ in given), ", ".join(cell for _, cell in given if cell)))
    width = len(criteria) + 3
    taken = {grid.sheet.casefold() for grid in source.grids}
    names = (COLLECTED, *(f"{COLLECTED} {k}" for k in range(2, len(taken) + 2)))
    sheet = next(name for name in names if name.casefold() not in taken)
    return Grid(sheet, tuple(row + (None,) * (width - len(row)) for row in rows))
