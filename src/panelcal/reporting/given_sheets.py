"""Sheets that a result takes over from what was given: scores collected from several sheets, earlier biases."""

from __future__ import annotations

from panelcal.reading.collecting import EXPLANATION, HEADING_ROW, TITLE
from panelcal.reading.grid import Grid
from panelcal.reading.prior import PRIOR_HEADING_ROW, PRIOR_HEADINGS
from panelcal.reporting.model import Column, Sheet, Style, Table

_PRIOR_LOOKS: tuple[tuple[Style, float], ...] = (("text", 24.0), ("precise", 12.0), ("precise", 14.0))


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


def prior_added(sheet: Sheet, origin: str) -> str:
    """Say what a sheet Prior that was just added holds, from which result, and what it is for."""
    return (
        f"The sheet {sheet.name} has {sheet.tables[0].n_rows} biases from {origin}. Calibrate now adds the sheet Cal "
        "prior, which says what they would change. Cal values stays as it is, unless the Method on the sheet Settings "
        "is prior."
    )


def prior_sheet(grid: Grid) -> Sheet:
    """Lay out what `reading.prior.prior_grid` has made, each cell in its place."""
    title, explanation = (str(grid.value(row, 1)) for row in (1, 2))
    rows = grid.rows[PRIOR_HEADING_ROW:]
    columns = tuple(
        Column(heading, [row[k] for row in rows], style, width)
        for k, (heading, (style, width)) in enumerate(zip(PRIOR_HEADINGS, _PRIOR_LOOKS, strict=True))
    )
    return Sheet(
        name=grid.sheet,
        title=title,
        explanation=explanation,
        tables=(Table(columns, row=PRIOR_HEADING_ROW, name="prior"),),
        kept=True,
    )
