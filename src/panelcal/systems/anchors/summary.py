"""`Cal summary` by anchors: a page with what was found, agent by agent, and the top of the list; charts beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.frozen import dataclass
from panelcal.reading.grid import address, block_address, corners_of
from panelcal.reporting.decisions import decisions_shown, links_to_rows, shown_from
from panelcal.reporting.front_page import (
    MOST_RANKED,
    FrontPage,
    Listed,
    Pictures,
    front_sheet,
    on_another_sheet,
    ranked_heading,
)
from panelcal.reporting.model import CellValue, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.up_to_date import WatchedBlock, stale_literal, up_to_date_note, watched_block
from panelcal.reporting.wording import headed, number
from panelcal.systems.anchors.agents import drift_sentences, status_of
from panelcal.systems.anchors.curves import curves_chart
from panelcal.systems.anchors.front import front_of
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.ways import ways_chart

_MOST_AGENTS = 15
_LEVEL = 0.5  # points: less is no bias worth a word


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What the charts draw: the tables of `Cal curves` and `Cal methods`, and `Cal drift` where there is one."""

    curves: Table
    ways: Table
    drift: Sheet | None


def anchor_summary_sheet(context: RunContext[AnchorResults], values: Table, drawn: Drawn) -> Sheet:
    """Build the sheet; its list repeats cells of the table of `Cal values`."""
    results = context.results
    reading = results.reading
    title, opening = headed(
        reading.settings.heading, f"Calibration of {reading.source_name}, sheet {reading.sheet}, by anchors"
    )
    headed_only = Sheet(name=context.sheet("Cal summary"), title=title, explanation=f"{opening}Read {reading.summary}.")
    return front_sheet(
        headed_only,
        _up_to_date(context),
        FrontPage(
            front=front_of(results),
            cases=_agents(results),
            ranked=_ranked(results, values, context.sheet("Cal values")),
            rest="The rest stands on Cal values",
            advice="People decide: scores are made comparable, not their reasons",
        ),
        _pictures(context, drawn),
    )


def _pictures(context: RunContext[AnchorResults], drawn: Drawn) -> Pictures:
    results = context.results
    ways = ways_chart(results, drawn.ways, row=1, column=1)
    curves = curves_chart(results, drawn.curves, row=1, column=1, width_cm=16.0, height_cm=9.0)
    drift = () if drawn.drift is None else drawn.drift.charts
    return Pictures(
        (
            on_another_sheet(ways, context.sheet("Cal methods")),
            *(on_another_sheet(chart, context.sheet("Cal drift")) for chart in drift),
            on_another_sheet(curves, context.sheet("Cal curves")),
        ),
        (
            f"One bar for each way to put {results.assessors_noun} on one scale: how far two of them are apart on the "
            f"same {results.object_noun}. The thin line is the interval of that.",
            *(
                f"One line for each {results.assessor_noun}: how far its scores of the same anchors have moved. Near "
                "zero it has not changed; a step is a new version or a new prompt."
                for _ in drift
            ),
            f"One curve for each {results.assessor_noun}: from the score that it gives to what that counts as. Above "
            "the line Unchanged scores are raised, below it lowered.",
        ),
    )


def _agents(results: AnchorResults) -> Listed:
    alarms = {"red": 0, "amber": 1}
    agents = sorted(results.agents, key=lambda agent: (alarms.get(status_of(agent), 2), -abs(agent.bias)))
    shown = agents[:_MOST_AGENTS]
    return Listed(
        heading=f"The {results.assessors_noun}, against the consensus of the anchors",
        name="agents",
        rest="" if len(shown) == len(agents) else "The others stand on Cal assessors",
        columns=(
            Column(results.reading.nouns.assessor, [agent.name for agent in shown], "text"),
            Column("Status", [status_of(agent) for agent in shown], "text", highlight=Highlight("text", starts="red")),
            Column("In short", [_in_short(results, agent) for agent in shown], "wrapped"),
            Column("Bias", [_known(agent.bias) for agent in shown], "signed"),
            Column("Error raw", [_known(agent.raw_error) for agent in shown], "score"),
            Column("Error now", [_known(agent.left_out_error) for agent in shown], "score"),
        ),
    )


def _known(value: float) -> CellValue:
    return float(value) if np.isfinite(value) else None


def _in_short(results: AnchorResults, agent: AgentCurve) -> str:
    if agent.obstacle:
        return agent.obstacle
    side = "above" if agent.bias > 0 else "below"
    lean = "level with it" if abs(agent.bias) < _LEVEL else f"{number(abs(agent.bias))} {side} it"
    parts = [f"{lean[0].upper()}{lean[1:]} on average."]
    if agent.monotonicity is not None and agent.monotonicity.failed:
        parts.append("Contradicts it in part.")
    drift = drift_sentences(results, agent)
    if drift and "Alarms" in drift[0]:
        parts.append(drift[0])
    return " ".join(parts)


def _ranked(results: AnchorResults, values: Table, sheet: str) -> Listed:
    ranks = values.columns[values.column_number("Rank") - values.column].cells
    known = sorted((float(rank), row) for row, rank in enumerate(ranks) if isinstance(rank, int | float))
    rows = [row for _, row in known[: MOST_RANKED + 1]]
    labels = [values.columns[0].cells[row] for row in rows]
    at = {label: k for k, label in enumerate(results.reading.items)}
    level = results.reading.settings.level
    interval = [results.calibrated.intervals[at[str(label)]] for label in labels]
    within: list[CellValue] = [None if np.isnan(low) else f"{number(low)} to {number(high)}" for low, high in interval]

    def cell(heading: str) -> Column:
        return shown_from(values, sheet, rows, heading)

    return Listed(
        heading=ranked_heading(higher_is_better=results.reading.settings.higher_is_better),
        name="ranked",
        columns=(
            cell("Rank"),
            Column(results.reading.nouns.object, labels, "text", links=links_to_rows(values, sheet, rows)),
            Column(f"Consensus within ({level:.0%} sure)", within, "text"),
            cell("Calibrated value"),
            cell("Raw average"),
            cell("Change"),
            decisions_shown(values, sheet, rows, who="people decide"),
        ),
    )


def _up_to_date(context: RunContext[AnchorResults]) -> Note:
    """Say whether scores and anchors are still those that were read, where both stand in blocks that can be watched."""
    reading, day = context.results.reading, context.run.created[:10]
    bank = reading.bank
    heading_row = corners_of(bank.agent_cells[0])[0]
    scores = _watched(context, reading.sheet, reading.item_cells, reading.agent_cells)
    typed = [
        address(heading_row, corners_of(cell)[1])
        for k, cell in enumerate(bank.consensus_cells)
        if bank.consensus_sheet(k) == bank.sheet
    ]
    anchors = _watched(context, bank.sheet, bank.cells, (*typed[:1], *bank.agent_cells))
    reviews = scores
    if bank.reviews is not None:
        reviews = _watched(context, bank.reviews.sheet, bank.reviews.cells, bank.reviews.heading_cells)
    if scores is None or anchors is None or reviews is None:
        said = f"The scores and anchors are those read on {day}; calibrate again when they change."
        return Note(row=3, text=said, style="small")
    checks = [
        (scores.unchanged, stale_literal("scores have changed")),
        (anchors.unchanged, stale_literal("anchors have changed")),
    ]
    if bank.reviews is not None:
        checks.append((reviews.unchanged, stale_literal("reviews of anchors have changed")))
    return up_to_date_note(f"Up to date: scores and anchors are those of {day}, as far as they are numbers.", checks)


def _watched(
    context: RunContext[AnchorResults], sheet: str, names: Sequence[str], headings: Sequence[str]
) -> WatchedBlock | None:
    """Watch the block below headings and beside names, to the last row of the sheet; None where it is no such block."""
    grid = context.run.grid(sheet)
    if grid is None:
        return None
    beside, above = [corners_of(cell)[:2] for cell in names], [corners_of(cell)[:2] for cell in headings]
    first, columns = min(row for row, _ in beside), [column for _, column in above]
    whole = len({column for _, column in beside}) == 1 and all(row < first for row, _ in above)
    if not whole or grid.n_rows < first:
        return None
    block = block_address(first, min(columns), grid.n_rows, max(columns))
    return watched_block(grid, block, with_texts=True)
