"""Read the sheet with the scores that are to be calibrated: items by agents, or a long list, perhaps with dates.

Columns with dates and with known values are taken out first; what is left is a panel like any other and is read as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.anchors.anchor_bank import outside_scale
from panelcal.reading.anchors.anchor_headings import AnchorRole, anchor_role
from panelcal.reading.anchors.check_dates import Moment, moment_of
from panelcal.reading.cell_values import is_blank, label_text, shown
from panelcal.reading.confidence_sources import no_blocks
from panelcal.reading.decisions import About, Decision
from panelcal.reading.fingerprint import CellsRead
from panelcal.reading.grid import CellError, Grid, address, corners_of
from panelcal.reading.long_list import LongList, find_list
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.nouns import Nouns
from panelcal.reading.problems import Problems, listed
from panelcal.reading.read_list import read_list
from panelcal.reading.read_matrix import read_matrix
from panelcal.reading.reading import Reading
from panelcal.reading.score_values import read_scores
from panelcal.reading.settings import Settings
from panelcal.reading.table import ScoreCells, table_of
from panelcal.reading.terms import Terms

_SEARCHED = 100
_TAKEN_OUT = (AnchorRole.DATE, AnchorRole.CONSENSUS, AnchorRole.TIER, AnchorRole.CLUSTER)


@dataclass(frozen=True, slots=True, eq=False)
class ScoresLayout:
    """How the scores stand on a sheet.

    Attributes
    ----------
    grid
        The sheet as it is.
    found
        The layout of what is left once the columns below are taken out.
    head
        Row of the headings on the sheet, 0 when nothing was taken out.
    date, consensus
        Columns on the sheet with dates and known values, or None.
    others
        Further columns that were taken out.
    """

    grid: Grid
    found: LongList | Matrix
    head: int
    date: int | None
    consensus: int | None
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReadScores:
    """Scores of items by agents, as read.

    Attributes
    ----------
    panel_cells
        What the reader of panels found.
    moments
        (N,) when each score was given, None where the sheet has no dates.
    consensus
        (n_items,) known values, NaN where there is none; None where the sheet has no such column.
    decisions
        What was decided on top of what `panel_cells` says.
    cells_read
        Every cell that was read.
    """

    panel_cells: Reading
    moments: tuple[Moment, ...] | None
    consensus: Array | None
    decisions: tuple[Decision, ...]
    cells_read: CellsRead


def find_scores(grid: Grid, agents: Sequence[str], settings: Settings) -> ScoresLayout | None:
    """Find the scores on a sheet; None when there are none.

    Parameters
    ----------
    agents
        Names of the agents that scored anchors.
    """
    head, roles = _heading(grid, agents, settings)
    taken = [j for role in _TAKEN_OUT for j in roles.get(role, [])]
    rest = grid
    if taken:
        rows = tuple(
            tuple(None if j in taken else value for j, value in enumerate(row, start=1)) if i >= head else row
            for i, row in enumerate(grid.rows, start=1)
        )
        rest = replace(grid, rows=rows)
    table = table_of(rest)
    found = find_list(table, settings) or find_matrix(table, settings)
    if found is None:
        return None
    date = roles.get(AnchorRole.DATE, [None])[0]
    consensus = roles.get(AnchorRole.CONSENSUS, [None])[0]
    others = tuple(j for j in taken if j not in (date, consensus))
    return ScoresLayout(grid, found, head if taken else 0, date, consensus, others)


def _heading(grid: Grid, agents: Sequence[str], settings: Settings) -> tuple[int, dict[AnchorRole, list[int]]]:
    """Find the row that names agents, or the columns of a long list, and what its columns hold."""
    names = frozenset(agents)
    for i, row in enumerate(grid.rows[:_SEARCHED], start=1):
        named = sum(label_text(value) in names for value in row if value is not None)
        roles: dict[AnchorRole, list[int]] = {}
        for j, value in enumerate(row, start=1):
            if isinstance(value, str) and label_text(value) not in names:
                roles.setdefault(anchor_role(value, settings), []).append(j)
        is_list = AnchorRole.AGENT in roles and AnchorRole.SCORE in roles
        if is_list or named > 1 or (named and roles):
            return i, roles
    return 0, {}


def read_agent_scores(layout: ScoresLayout, settings: Settings, problems: Problems) -> ReadScores | None:
    """Read the scores.

    Parameters
    ----------
    problems
        Receives everything that stops the reading; None is returned when there is something.
    """
    found, grid = layout.found, layout.grid
    terms = Terms(grid.sheet, settings, problems, Nouns("Item", "Agent"))
    read_so = (
        read_list(found, terms, no_blocks, [grid.sheet])
        if isinstance(found, LongList)
        else read_matrix(found, terms, no_blocks, [grid.sheet])
    )
    if read_so is None or problems:
        return None
    read, cells_read = read_so
    _refuse_outside(read, grid.sheet, settings, problems)
    moments = _moments(layout, read, problems)
    consensus, more = _consensus(layout, read, settings, problems)
    if problems:
        return None
    decisions = list(more)
    if layout.others:
        names = listed([label_text(grid.value(layout.head, j)) for j in layout.others])
        cells = tuple(address(layout.head, j) for j in layout.others)
        decisions.append(Decision(About.COLUMN_NOT_READ, cells, f"Columns not read: {names}.", "note", grid.sheet))
    if read.nouns.confidence:
        sentence = (
            f"{read.nouns.confidence} beside the scores is not used: how much an agent counts follows from its anchors."
        )
        decisions.append(Decision(About.CONFIDENCES_NOT_USED, (), sentence, "warning", grid.sheet))
    columns = [j for j in (layout.date, layout.consensus) if j is not None]
    rows = sorted({_row(cell) for cell in read.score_cells})
    cells_read.cells += [(grid.sheet, address(i, j), grid.value(i, j)) for i in rows for j in columns]
    nouns = replace(read.nouns, confidence="")
    return ReadScores(replace(read, nouns=nouns), moments, consensus, tuple(decisions), cells_read)


def _row(cell: str) -> int:
    return corners_of(cell)[0]


def _refuse_outside(read: Reading, sheet: str, settings: Settings, problems: Problems) -> None:
    low = -np.inf if settings.scale_low is None else settings.scale_low
    high = np.inf if settings.scale_high is None else settings.scale_high
    for k in np.flatnonzero((read.panel.scores < low) | (read.panel.scores > high)).tolist():
        problems.add(sheet, outside_scale(low, high), read.score_cells[k])


def _moments(layout: ScoresLayout, read: Reading, problems: Problems) -> tuple[Moment, ...] | None:
    column, grid = layout.date, layout.grid
    if column is None:
        return None
    heading = grid.value(layout.head, column)
    by_row: dict[int, Moment] = {}
    rows = sorted({_row(cell) for cell in read.score_cells})
    if all(is_blank(grid.value(i, column)) for i in rows):
        return None  # a column of a template that nobody has filled in
    for i in rows:
        value = grid.value(i, column)
        moment = moment_of(value, heading)
        if moment is not None:
            by_row[i] = moment
            continue
        problems.add(
            grid.sheet,
            "{where} [holds|hold] no date that can be read: write when the score[|s] [was|were] given, such as "
            "2026-03-02 or the number of the week, or clear the whole column.",
            address(i, column),
            "" if value is None or isinstance(value, CellError) else shown(value),
        )
    if problems:
        return None
    if len({moment.is_date for moment in by_row.values()}) > 1:
        cells = [address(i, column) for i, moment in by_row.items() if not moment.is_date]
        problems.say(
            grid.sheet,
            f"Column {address(layout.head, column)} on sheet {grid.sheet} holds dates and numbers of weeks: write all "
            "of them in one way.",
            cells,
        )
    return tuple(by_row[_row(cell)] for cell in read.score_cells)


def _consensus(
    layout: ScoresLayout, read: Reading, settings: Settings, problems: Problems
) -> tuple[Array | None, list[Decision]]:
    """Read the known values of items."""
    column, grid, panel = layout.consensus, layout.grid, read.panel
    if column is None:
        return None, []
    rows = sorted({_row(cell) for cell in read.score_cells})
    cells = ScoreCells(
        [grid.value(i, column) for i in rows],
        lambda k: address(rows[k], column),
        (lambda k: grid.number_formats.get((rows[k], column), "")) if grid.number_formats else None,
    )
    plain = replace(settings, confidence_form="weight")
    values = read_scores(cells, Terms(grid.sheet, plain, problems, Nouns(score="consensus")))
    by_row = dict(zip(rows, values.numbers, strict=True))
    known = np.full(panel.n_objects, np.nan)
    for k, cell in enumerate(read.score_cells):
        number, item = by_row[_row(cell)], panel.object_index[k]
        if np.isnan(number):
            continue
        if np.isfinite(known[item]) and known[item] != number:
            problems.add(
                grid.sheet,
                "{where} [gives|give] another consensus than an earlier row for the same item: correct [it|them].",
                address(_row(cell), column),
            )
        known[item] = number
    note = Decision(
        About.CONSENSUS_OF_ITEMS,
        (address(layout.head, column),),
        f"{int(np.isfinite(known).sum())} of {panel.n_objects} items have a known value; calibrated scores are "
        "compared with it, and it has no influence on them.",
        "note",
        grid.sheet,
    )
    return known, [*values.decisions, note]
