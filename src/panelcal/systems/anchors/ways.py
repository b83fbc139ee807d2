"""`Cal methods` by anchors: the ways to put agents on one scale, side by side (ASC 2026, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from panelcal.anchors.disagreement import Estimate
from panelcal.anchors.ways import KIND_TITLES, ComparedWay
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Note, Series, Sheet, Table
from panelcal.reporting.paper import chart_block
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import number
from panelcal.systems.anchors.results import AnchorResults

WAY, DISAGREEMENT, HALF = "Way", "Disagreement D", "Half-width"
_WHAT: Mapping[str, str] = MappingProxyType(
    {
        "raw": "The scores as they were given.",
        "min_max": "Lowest and highest score moved to the lowest and highest consensus; one stray score decides.",
        "mean_sd": "Mean and standard deviation made those of the consensus; also where an agent says nothing.",
        "linear": "The straight line that fits the anchors best; the choice below 20 anchors.",
        "isotonic": "Steps that never fall; needs many anchors and is rough between them.",
        "spline": "A smooth curve that never falls; the usual choice from 20 anchors.",
    }
)


def ways_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `ways_table`."""
    results = context.results
    errors = _errors_by_agent(results, row=table.last_row + 4)
    notes = [
        Note(
            row=table.last_row + 2,
            across=len(table.columns),
            text="D alone can be lowered by shrinking all scores towards one value: look at the spread, the error and "
            "the correlation beside it.",
        ),
        Note(
            row=errors.last_row + 2,
            across=len(errors.columns),
            text=f"Distance of each {results.assessor_noun}'s calibrated anchors from their consensus (root mean "
            "square), each anchor being predicted without it.",
            style="small",
        ),
    ]
    chart = ways_chart(results, table, row=errors.row, column=len(errors.columns) + 2, width_cm=13.0, height_cm=6.5)
    sheet = Sheet(
        name=context.sheet("Cal methods"),
        title="Ways to put agents on one scale",
        explanation=(
            f"{_measured_on(results)} Intervals: {results.reading.settings.level:.0%}, by drawing "
            f"{results.objects_noun} again with replacement."
        ),
        tables=(table, errors),
        notes=tuple(notes),
        charts=(chart,),
        frozen=None,
        across=len(table.columns),
    )
    drawn = chart_block(sheet, chart)
    last_column = max(len(table.columns), drawn.last_column)
    return replace(sheet, printed=(CellRange(1, 1, max(errors.last_row + 2, drawn.last_row), last_column),))


def _measured_on(results: AnchorResults) -> str:
    ways = results.ways
    known = (
        f"the {ways.n_known} {results.objects_noun} with a known value"
        if ways.on_items
        else f"the {ways.n_known} anchors, each predicted without it"
    )
    return f"Agreement on {ways.n_items:,} {results.objects_noun}; error and correlation on {known}."


def ways_table(results: AnchorResults) -> Table:
    """Build the table of ways."""
    ways = results.ways.ways

    def of(value: Callable[[ComparedWay], Estimate | None]) -> list[Estimate | None]:
        return [value(way) for way in ways]

    d = of(lambda way: None if way.among is None else way.among.disagreement)
    spread = of(lambda way: None if way.among is None else way.among.spread)
    error, correlation = of(lambda way: way.error), of(lambda way: way.correlation)
    mean = of(lambda way: None if way.with_consensus is None else way.with_consensus.mean_correlation)
    columns = [
        Column(WAY, [KIND_TITLES[way.kind] for way in ways], "text", 17),
        Column(DISAGREEMENT, _values(d), "score", 13, explanation="Mean absolute difference over pairs of agents."),
        Column("D interval", _intervals(d, 1), "text", 13),
        Column("Spread", _values(spread), "score", 8, explanation="Standard deviation of each agent's scores."),
        Column("Error", _values(error), "score", 8, explanation="Root mean square distance from the consensus."),
        Column("Error interval", _intervals(error, 1), "text", 13),
        Column(
            "Correlation",
            _values(correlation),
            "precise",
            12,
            explanation="Of one agent with the consensus, on average.",
        ),
        Column("Correlation interval", _intervals(correlation, 2), "text", 13),
        Column(
            "Correlation of the mean",
            _values(mean),
            "precise",
            12,
            explanation="Of the mean of all agents with the consensus.",
        ),
        Column(
            "Used for",
            [way.used_by or None for way in ways],
            "integer",
            9,
            explanation="Agents calibrated in this way here.",
        ),
        Column(
            HALF,
            [None if e is None else (e.high - e.low) / 2 for e in d],
            "score",
            8,
            explanation="Half the width of the interval of D, for the chart.",
        ),
        Column("What it does", [_WHAT[way.kind] for way in ways], "wrapped", 33),
    ]
    return Table(tuple(columns), name="ways")


def _values(estimates: list[Estimate | None]) -> list[CellValue]:
    return [*numbers(np.array([np.nan if e is None else e.value for e in estimates]))]


def _intervals(estimates: list[Estimate | None], decimals: int) -> list[CellValue]:
    return [
        None if e is None or not np.isfinite(e.low) else f"{e.low:.{decimals}f} to {e.high:.{decimals}f}"
        for e in estimates
    ]


def ways_chart(
    results: AnchorResults,
    table: Table,
    *,
    row: int,
    column: int,
    width_cm: float = 16.0,
    height_cm: float = 8.5,
) -> Chart:
    """Draw D by way, from the table of `ways_table`."""
    return Chart(
        kind="column",
        title=_ways_title(results),
        x_title="Way to put them on one scale",
        y_title="Apart on average, in points",
        series=(
            Series(
                DISAGREEMENT,
                y=table.cell_range(DISAGREEMENT),
                x=table.cell_range(WAY),
                plus=table.cell_range(HALF),
                minus=table.cell_range(HALF),
                marker="none",
            ),
        ),
        alt_text="Columns: mean disagreement with intervals for raw scores and five ways to calibrate them.",
        row=row,
        column=column,
        width_cm=width_cm,
        height_cm=height_cm,
        legend=False,
    )


def _ways_title(results: AnchorResults) -> str:
    """Say what the way that most agents are calibrated in does for their agreement."""
    used = max(results.ways.ways, key=lambda way: way.used_by)
    found = results.agreement
    if found is None:
        return f"How far {results.assessors_noun} are apart, by way to calibrate them"
    before, after = found.before.disagreement.value, found.after.disagreement.value
    return f"{KIND_TITLES[used.kind]}: from {number(before)} to {number(after)} points apart"


def _errors_by_agent(results: AnchorResults, row: int) -> Table:
    agents = [agent for agent in results.agents if agent.choice is not None]
    kinds = ("linear", "isotonic", "spline")
    columns = [
        Column(results.reading.nouns.assessor, [agent.name for agent in agents], "text", 17),
        Column("Raw scores", numbers(np.array([agent.raw_error for agent in agents])), "score", 13),
    ]
    for kind in kinds:
        errors = [
            float(agent.choice.errors[list(agent.choice.kinds).index(kind)])  # type: ignore[arg-type]
            for agent in agents
            if agent.choice is not None
        ]
        columns.append(Column(KIND_TITLES[kind], numbers(np.array(errors)), "score", 13))
    used = [KIND_TITLES[agent.curve.kind] for agent in agents if agent.curve is not None]
    columns.append(Column("Used", used, "text", 16))
    return Table(tuple(columns), row=row, name="errors")
