"""The sheet of scores collected from several files or sheets, as a sheet of the result."""

from __future__ import annotations

from panelcal.reading.collecting import EXPLANATION, HEADING_ROW, TITLE
from panelcal.reading.grid import Grid
from panelcal.reporting.model import Column, Sheet, Table


def collected_sheet(grid: Grid) -> Sheet:
    """Lay the cells out where the reading found them, so that formulas can point at them."""
    head, *rows = grid.rows[HEADING_ROW - 1 :]
    columns = tuple(
        Column(str(heading), [row[j] for row in rows], "general", 40.0 if j == len(head) - 1 else 20.0)
        for j, heading in enumerate(head)
    )
    return Sheet(
        name=grid.sheet,
        title=TITLE,
        explanation=EXPLANATION,
        tables=(Table(columns, row=HEADING_ROW, name="collected"),),
        frozen=(HEADING_ROW + 1, 1),
        kept=True,
    )
