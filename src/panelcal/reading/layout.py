"""How the scores lie on a sheet: a known export first, then slots with names, then a list or a matrix by its words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from panelcal.reading.codes import grades_by_key
from panelcal.reading.decisions import Decision
from panelcal.reading.exports import recognised
from panelcal.reading.grid import Grid
from panelcal.reading.long_list import LongList, find_list
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.settings import Settings
from panelcal.reading.table import table_of


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """What was found on a sheet.

    Attributes
    ----------
    layout
        The list or matrix.
    settings
        What the readers go by: the user's settings, and below them what is known about the export.
    decisions
        Which export it is, if it is a known one.
    """

    layout: LongList | Matrix
    settings: Settings
    decisions: tuple[Decision, ...] = ()


def lay_out(grid: Grid, settings: Settings) -> LaidOut | None:
    """Find the list or matrix of scores on a sheet; None when there is none."""
    table = replace(table_of(grid), grades=frozenset(grades_by_key(settings.grades)))
    export = recognised(table)
    if export is not None:
        known = export.over(settings)
        graded = replace(export.beside(table), grades=frozenset(grades_by_key(known.grades)))
        layout = find_list(graded, known) or find_matrix(graded, known)
        if layout is not None:
            return LaidOut(layout, known, (export.decision(table),))
    layout = find_list(table, settings) or find_matrix(table, settings)
    return None if layout is None else LaidOut(layout, settings)
