"""Sheets that look like the one that is read: the next round, last year, another panel."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.errors import Answer
from panelcal.reading.cell_values import is_number, label_text
from panelcal.reading.collecting import answers_by_criteria
from panelcal.reading.criteria_sheets import answers_about_criteria
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source
from panelcal.reading.headings import Role, role_of
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_about_confidence, is_ours

_SEARCHED = 20
_FEWEST, _LEAST, _SHARE = 2, 3, 0.6


def decision_about_other_sheets(
    source: Source,
    grid: Grid,
    layout: LongList | Matrix,
    confidence_sheet: str | None,
    settings: Settings,
    problems: Problems,
) -> list[Decision]:
    """Ask which sheet is meant where others have most headings of the scores that are read, and numbers below them.

    Where the workbook is open in front of the user, the sheet in front is the one that is meant: the others are named.
    """
    if source.collected:
        return []
    if isinstance(layout, LongList):
        heads = {label_text(value) for value in layout.table.cells[layout.row] if isinstance(value, str)}
    else:
        heads = {label_text(layout.headings.headings[j]) for j in layout.assessors}
    others = [
        other
        for other in source.grids
        if other is not grid
        and other.visible
        and not is_ours(other.sheet)
        and not is_about_confidence(other.sheet)
        and other.sheet.casefold() != (confidence_sheet or "").casefold()
    ]
    alike = [other.sheet for other in others if _has(other, heads)]
    if not alike:
        return [] if isinstance(layout, LongList) else _with_the_same_corner(grid, layout, others)
    if source.kind == "workbook":
        sentence = f"{listed([grid.sheet, *alike])} have the same headings, and nothing says which of them is meant."
        sheets = [grid.sheet, *alike]
        alone = [Answer({"sheet": sheet}, f"read {sheet} alone") for sheet in sheets]
        together = answers_about_criteria(source, settings, sheets)
        parts, likely = answers_by_criteria(source, settings, sheets)
        answers = [*parts, *together, *alone] if likely else [*together, *alone, *parts]
        problems.ask(grid.sheet, sentence, answers)
        return []
    has, it = ("has", "it") if len(alike) == 1 else ("have", "one of them")
    sentence = (
        f"Only sheet {grid.sheet} is read; {listed(alike)} {has} the same headings. To read {it} instead, add "
        f'--sheet "{alike[0]}" to the command, or bring it to the front.'
    )
    return [Decision(About.OTHER_SHEETS_ALIKE, (), sentence, "warning", grid.sheet)]


def _with_the_same_corner(grid: Grid, layout: Matrix, others: Sequence[Grid]) -> list[Decision]:
    """Warn of sheets that begin with the same word for what is assessed, and have other assessors beside it."""
    corner = label_text(layout.corner)
    if role_of(corner) is not Role.OBJECT:
        return []
    found = [other.sheet for other in others if _holds_scores_of(other, corner)]
    if not found:
        return []
    begins = "begins" if len(found) == 1 else "begin"
    sentence = (
        f"Only sheet {grid.sheet} is read; {listed(found)} {begins} with {corner} as well and may hold more of the "
        "same panel. If so, put all of it on one sheet."
    )
    return [Decision(About.OTHER_SHEETS_ALIKE, (), sentence, "warning", grid.sheet)]


def _holds_scores_of(grid: Grid, corner: str) -> bool:
    """Tell whether a sheet has a heading, and beside it at least two others, mostly with numbers below."""
    rows = grid.rows[:_SEARCHED]
    at = next((i for i, row in enumerate(rows) if row and label_text(row[0]) == corner), None)
    if at is None:
        return False
    below = rows[at + 1 :]
    heads = [j for j, value in enumerate(rows[at]) if j and isinstance(value, str)]
    held = [j for j in heads if sum(is_number(row[j]) for row in below if j < len(row)) >= _LEAST]
    return len(heads) >= _FEWEST and len(held) >= max(_FEWEST, _SHARE * len(heads))


def _has(grid: Grid, heads: set[str]) -> bool:
    enough = max(min(_LEAST, len(heads)), _SHARE * len(heads), _FEWEST)
    rows = grid.rows[:_SEARCHED]
    at = next((i for i, row in enumerate(rows) if len({label_text(value) for value in row} & heads) >= enough), None)
    below = () if at is None else grid.rows[at + 1 : at + 1 + _SEARCHED]
    return any(is_number(value) for row in below for value in row)
