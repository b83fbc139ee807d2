"""Read anchors and agents' scores from a workbook: choose the two sheets, match the agents, put decisions on record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from panelcal.arrays import Indices
from panelcal.errors import InputRefused
from panelcal.reading.anchors.agent_scores import ReadScores, ScoresLayout, find_scores, read_agent_scores
from panelcal.reading.anchors.anchor_bank import ReadBank, read_bank
from panelcal.reading.anchors.anchor_headings import AnchorRole
from panelcal.reading.anchors.anchor_layout import AnchorSection, find_anchors, names_anchors
from panelcal.reading.anchors.anchor_reading import AnchorBank, AnchorReading
from panelcal.reading.anchors.reviews_sheet import is_reviews, read_reviews
from panelcal.reading.answers import Way
from panelcal.reading.decisions import About, Decision, about_the_file
from panelcal.reading.grid import CellError, Grid, Source, Uncalculated
from panelcal.reading.headings import words_of
from panelcal.reading.problems import Problems, listed
from panelcal.reading.read import formula_decisions
from panelcal.reading.settings import SETTINGS_SHEET, Settings
from panelcal.reading.sheet_choice import Over, Sought, as_they_are, chosen_sheet, is_ours, settings_cells, settings_of
from panelcal.reading.table import Table, table_of

_SPEAKING = frozenset({"anchor", "score"})  # words of the names of the sheets that are looked for
_MOST_ABOVE = 20  # rows above the headings
_WHAT_IS_NEEDED = (
    "give a sheet Anchors the headings Anchor and Consensus and a column for each agent, with a row for each anchor"
)


def read_anchor_study(source: Source, *, sheet: str | None = None, over: Over = as_they_are) -> AnchorReading:
    """Read the anchors and the scores of agents in a workbook.

    Parameters
    ----------
    source
        The workbook as loaded.
    sheet
        The sheet with the scores to be calibrated; None = the active one if it holds scores, else the only one that
        does. The anchors are found by their headings.
    over
        Puts what was chosen for this run over the settings of the workbook.

    Raises
    ------
    InputRefused
        If it cannot be read without guessing. The message has one line for each kind of problem.
    """
    on_sheet, decisions, settings_grid = settings_of(source)
    settings = over(on_sheet)
    sheet = sheet or settings.sheet or None
    problems = Problems(way=Way(source.kind, on_sheet, settings_grid))
    ours = [grid for grid in source.grids if not is_ours(grid.sheet)]
    bounds = _bounds(settings)
    reviewed = next((grid for grid in ours if is_reviews(grid, settings, ours)), None)
    ours = [grid for grid in ours if grid is not reviewed]
    _refuse_errors_above([grid for grid in ours if _SPEAKING & set(words_of(grid.sheet))], problems)
    problems.stop_if_any()
    table, sections = _anchors(source, ours, sheet, settings, AnchorRole.ANCHOR if reviewed else AnchorRole.CONSENSUS)
    reviews = read_reviews(reviewed, settings, bounds, problems, ours) if reviewed else None
    bank = read_bank(table, sections, settings, bounds, problems, reviews)
    # Problems on both sheets are told at once, so the names come from the headings where the anchors are refused.
    names = bank.bank.agents if bank else tuple(column.name for part in sections for column in part.agents)
    try:
        layout = _scores(source, ours, table.grid, sheet, names, settings)
    except InputRefused:
        problems.stop_if_any()
        raise
    scores = read_agent_scores(layout, settings, problems)
    if bank is not None and scores is not None:
        _match_agents(bank.bank, scores, layout, problems)
    problems.stop_if_any()
    if bank is None or scores is None:
        raise InputRefused(f"{source.name} could not be read.")
    return _reading(source, [*decisions, *_about_file(source)], bank, scores, settings_grid)


def _refuse_errors_above(grids: Sequence[Grid], problems: Problems) -> None:
    """Note the errors in the first row of headings of each sheet, which would pass for a name or hide one."""
    for grid in grids:
        table = table_of(grid)
        rows = range(min(table.n_rows, _MOST_ABOVE))
        head = next((i for i in rows if sum(isinstance(value, str) for value in table.cells[i]) > 1), 0)
        for j in range(table.n_columns if table.n_rows else 0):
            if isinstance(table.cells[head][j], CellError | Uncalculated):
                sentence = "{where} [holds an error|hold errors] where a heading is expected: type the heading[|s]."
                problems.add(grid.sheet, sentence, table.at(head, j))


def _bounds(settings: Settings) -> tuple[float, float]:
    low, high = settings.scale_low, settings.scale_high
    bounds = (0.0 if low is None else low, 100.0 if high is None else high)
    if bounds[0] >= bounds[1]:
        raise InputRefused(
            f"On sheet {SETTINGS_SHEET} the scale goes from {bounds[0]:g} to {bounds[1]:g}: give both ends, Lowest "
            "score and Highest score, the lower first."
        )
    return bounds


def _anchors(
    source: Source, ours: Sequence[Grid], chosen: str | None, settings: Settings, heading: AnchorRole
) -> tuple[Table, tuple[AnchorSection, ...]]:
    """Choose the sheet with the anchors: it has that heading, and its name or a heading speaks of anchors."""
    found = []
    for grid in ours:
        if chosen is not None and grid.sheet.casefold() == chosen.casefold():
            continue
        table = table_of(grid)
        sections = find_anchors(table, settings, heading)
        if sections:
            found.append((table, sections))
    speaking = [
        (table, sections)
        for table, sections in found
        if "anchor" in words_of(table.grid.sheet) or names_anchors(table, settings)
    ]
    candidates = speaking or found
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        names = listed([table.grid.sheet for table, _ in candidates])
        raise InputRefused(f"Several sheets could hold the anchors ({names}): keep one of them in this workbook.")
    named = [grid.sheet for grid in ours if "anchor" in words_of(grid.sheet)]
    if named:
        raise InputRefused(
            f"Sheet {named[0]} has no heading Consensus over the known values of the anchors: {_WHAT_IS_NEEDED}."
        )
    raise InputRefused(f"No sheet of {source.name} holds anchors: {_WHAT_IS_NEEDED}.")


def _scores(
    source: Source, ours: Sequence[Grid], anchors: Grid, chosen: str | None, agents: Sequence[str], settings: Settings
) -> ScoresLayout:
    """Choose the sheet with the scores by the rule of the house."""
    sought = Sought(
        "scores",
        partial(find_scores, agents=agents, settings=settings),
        lambda grid: (
            f"Sheet {grid.sheet} holds no scores that could be read: write the items in the first column and "
            "the names of the agents above their scores, or give a list the headings Item, Agent and Score."
        ),
        lambda _: (
            f"{source.name} has anchors on sheet {anchors.sheet} but no sheet with scores to calibrate: add a "
            "sheet Scores with the items in the first column and the same agents above, or a list of Item, Agent and "
            "Score."
        ),
        likely=lambda sheet: words_of(sheet)[:1] == ("score",),
    )
    return chosen_sheet(source, chosen, [grid for grid in ours if grid is not anchors], sought)[1]


def _match_agents(bank: AnchorBank, scores: ReadScores, layout: ScoresLayout, problems: Problems) -> None:
    """Refuse agents that have scores but no anchors; names must be spelt alike on both sheets."""
    panel, cells = scores.panel_cells.panel, scores.panel_cells.assessor_cells
    alike: dict[str, str] = {_bare(name): name for name in bank.agents}
    with_scores = {name for k, name in enumerate(bank.agents) if np.isfinite(bank.scores[:, k]).any()}
    for name, cell in zip(panel.assessors, cells, strict=True):
        if name in with_scores:
            continue
        other = alike.get(_bare(name))
        if name not in bank.agents and other is not None:
            problems.say(
                layout.grid.sheet,
                f'Cell {cell} on sheet {layout.grid.sheet} names "{name}" and cell '
                f'{bank.agent_cells[bank.agents.index(other)]} on sheet {bank.sheet} names "{other}": spell the agent '
                "alike on both sheets, or otherwise if they are two.",
                [cell],
            )
            continue
        problems.add(
            layout.grid.sheet,
            f"{{where}} [names an agent|name agents] without scores of anchors on sheet {bank.sheet} ({{values}}): "
            "add them there, spell the name[|s] alike on both sheets, or take the agent[|s] out here.",
            cell,
            name,
        )


def _bare(name: str) -> str:
    return re.sub(r"[\s\u00a0._-]+", "", name.casefold())


def _about_file(source: Source) -> list[Decision]:
    return about_the_file(source)


def _reading(
    source: Source,
    decisions: Sequence[Decision],
    read: ReadBank,
    scores: ReadScores,
    settings_grid: Grid | None,
) -> AnchorReading:
    cells = scores.panel_cells
    sheet = cells.sheet
    panel = cells.panel
    bank = _in_order_of(read.bank, panel.assessors)
    more: list[Decision] = []
    unused = bank.agents[panel.n_assessors :]
    if unused:
        places = bank.agent_cells[panel.n_assessors :]
        sentence = f"Only among the anchors, with no scores on sheet {sheet}: {listed(unused)}. Their curves are shown."
        more.append(Decision(About.AGENT_WITHOUT_SCORES, places, sentence, "warning", bank.sheet))
    dates, dated = _score_dates(read, scores, sheet)
    table = np.full((panel.n_assessors, panel.n_objects), np.nan)
    score_dates = np.full(table.shape, bank.n_dates - 1, dtype=np.intp)
    # A pair kept twice (Repeated assessments: keep both) has one place in the table: the mean of both.
    totals, counts = np.zeros(table.shape), np.zeros(table.shape)
    np.add.at(totals, (panel.assessor_index, panel.object_index), panel.scores)
    np.add.at(counts, (panel.assessor_index, panel.object_index), 1.0)
    table[counts > 0] = totals[counts > 0] / counts[counts > 0]
    score_dates[panel.assessor_index, panel.object_index] = dates
    scores.cells_read.cells += read.cells_read
    anchors = f"{bank.n_anchors} anchors on sheet {bank.sheet}"
    if bank.n_dates > 1:
        anchors += f" scored on {bank.n_dates} dates ({bank.dates[0]} to {bank.dates[-1]})"
    return AnchorReading(
        settings=cells.settings,
        nouns=cells.nouns,
        source_name=source.name,
        sheet=sheet,
        summary=f"{cells.summary}, with {anchors}",
        bank=bank,
        items=panel.objects,
        agents=panel.assessors,
        scores=table,
        score_dates=score_dates,
        consensus=scores.consensus,
        item_cells=cells.object_cells,
        agent_cells=cells.assessor_cells,
        decisions=(
            *decisions,
            *read.decisions,
            *cells.decisions,
            *scores.decisions,
            *more,
            *dated,
            *(decision for grid in source.grids for decision in formula_decisions(grid, scores.cells_read.all())),
        ),
        fingerprint=scores.cells_read.fingerprint(settings_cells(settings_grid)),
    )


def _in_order_of(bank: AnchorBank, agents: Sequence[str]) -> AnchorBank:
    """Put the agents that have scores first, in the order of their sheet."""
    first = [bank.agents.index(name) for name in agents]
    order = [*first, *(k for k in range(len(bank.agents)) if k not in first)]
    return replace(
        bank,
        agents=tuple(bank.agents[k] for k in order),
        agent_cells=tuple(bank.agent_cells[k] for k in order),
        scores=bank.scores[:, order],
    )


def _score_dates(read: ReadBank, scores: ReadScores, sheet: str) -> tuple[Indices, list[Decision]]:
    """Give each score the last date of the anchors that is not later than its own; (N,) indices of dates."""
    bank = read.bank
    n_scores = scores.panel_cells.panel.n_assessments
    latest = np.full(n_scores, bank.n_dates - 1, dtype=np.intp)
    if bank.n_dates == 1:
        if scores.moments is None:
            return latest, []
        sentence = "The dates of the scores make no difference: the anchors were scored once."
        return latest, [Decision(About.DATES_NOT_USED, (), sentence, "note", sheet)]
    if scores.moments is None:
        sentence = f"The scores have no dates, so all are mapped by the anchors of {bank.dates[-1]}, the last date."
        return latest, [Decision(About.LATEST_ANCHORS, (), sentence, "note", sheet)]
    is_date = scores.moments[0].is_date
    if is_date != read.in_calendar:
        kinds = ("dates", "numbers") if is_date else ("numbers", "dates")
        raise InputRefused(
            f"Sheet {sheet} has {kinds[0]} beside the scores and sheet {bank.sheet} has {kinds[1]} beside the anchors: "
            "write both in the same way."
        )
    order = np.array([moment.order for moment in scores.moments])
    at = np.searchsorted(bank.times, order, side="right") - 1
    early = int((at < 0).sum())
    decisions = [
        Decision(
            About.ANCHORS_BY_DATE, (), "Each score is mapped by the last anchors scored by its date.", "note", sheet
        )
    ]
    if early:
        sentence = (
            f"{early} score{'s are' if early > 1 else ' is'} from before the first anchors ({bank.dates[0]}), which "
            "are used for lack of earlier ones."
        )
        decisions.append(Decision(About.BEFORE_THE_FIRST_ANCHORS, (), sentence, "warning", sheet))
    return np.maximum(at, 0).astype(np.intp), decisions
