"""Sheets that look like the one that is read: the next round, last year, another panel."""

from __future__ import annotations

from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.problems import listed
from panelcal.reading.sheet_choice import is_about_confidence, is_ours

_SEARCHED = 20
_LEAST, _SHARE = 3, 0.6


def decision_about_other_sheets(source: Source, grid: Grid, layout: LongList | Matrix) -> list[Decision]:
    """Say which other sheets have a row with most headings of the scores that are read."""
    if isinstance(layout, LongList):
        heads = {label_text(value) for value in layout.table.cells[layout.row] if isinstance(value, str)}
    else:
        heads = {label_text(layout.headings.headings[j]) for j in layout.assessors}
    alike = [
        other.sheet
        for other in source.grids
        if other is not grid
        and other.visible
        and not is_ours(other.sheet)
        and not is_about_confidence(other.sheet)
        and other.sheet != source.collected
        and _has(other, heads)
    ]
    if not alike:
        return []
    has, it = ("has", "it") if len(alike) == 1 else ("have", "one of them")
    sentence = (
        f"Only sheet {grid.sheet} is read; {listed(alike)} {has} the same headings. To read {it} instead, add "
        f'--sheet "{alike[0]}" to the command, or bring it to the front.'
    )
    return [Decision(About.OTHER_SHEETS_ALIKE, (), sentence, "warning", grid.sheet)]


def _has(grid: Grid, heads: set[str]) -> bool:
    enough = max(_LEAST, _SHARE * len(heads))
    return any(len({label_text(value) for value in row} & heads) >= enough for row in grid.rows[:_SEARCHED])
