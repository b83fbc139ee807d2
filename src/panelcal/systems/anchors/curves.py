"""`Cal curves`: what every agent's scores count as, as a table with bands and as a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.bands import calibrate_scores
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellRange, Chart, Column, Note, Series, Sheet, Table
from panelcal.reporting.paper import chart_block
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import compact, number, some_of
from panelcal.systems.anchors.results import AnchorResults

Array = NDArray[np.float64]

RAW, DIAGONAL = "Raw score", "Unchanged"
MOST_DRAWN = 12
_STEPS = 20


def curves_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `curves_table`."""
    results = context.results
    level = f"{results.reading.settings.level:.0%}"
    dates = results.reading.bank.dates
    latest = f" The curves are those of {dates[-1]}." if len(dates) > 1 else ""
    chart = curves_chart(results, table, sheet="", row=table.last_row + 4, column=1, width_cm=24.0, height_cm=13.0)
    agents = sum(agent.curve is not None for agent in results.agents)
    note = Note(row=table.last_row + 2, text=_measured(results), style="small", across=2 + agents)
    sheet = Sheet(
        name=context.sheet("Cal curves"),
        title="What a score counts as",
        explanation=(
            f"Each {results.assessor_noun}'s curve from raw to calibrated score. Its {level} band, where another set "
            f"of anchors could have put it, stands further right; not printed.{latest}"
        ),
        tables=(table,),
        notes=(note,),
        charts=(chart,),
        frozen=(5, 2),
        across=2 + agents,
    )
    return replace(sheet, printed=(CellRange(1, 1, note.row, 2 + agents), chart_block(sheet, chart)))


def curves_table(context: RunContext[AnchorResults]) -> Table:
    """Build the table: raw score, the same unchanged, each agent's curve, then the bands."""
    results = context.results
    at = score_steps(results)
    low, high = results.reading.bounds
    scores = np.concatenate([agent.curve.anchor_scores for agent in results.agents if agent.curve is not None])
    unchanged = at if _on_scale(scores, low, high) else np.full(len(at), np.nan)
    columns = [
        Column(RAW, numbers(at), "score", 9),
        Column(DIAGONAL, numbers(unchanged), "score", 11, explanation="Where a curve would be that changes nothing."),
    ]
    bands: list[Column] = []
    for agent in results.agents:
        curve = agent.curve
        if curve is None:
            continue
        found = calibrate_scores(curve, at, level=results.reading.settings.level)
        lower, upper = _carried_on(agent, at, found.lower, found.upper, results.reading.settings.level)
        columns.append(Column(agent.name, numbers(found.values), "score", 9, explanation=_range(agent)))
        bands += [
            Column(f"{agent.name} lower", numbers(lower), "score", 9),
            Column(f"{agent.name} upper", numbers(upper), "score", 9),
        ]
    return Table((*columns, *bands), name="curves")


def _carried_on(agent: AgentCurve, at: Array, lower: Array, upper: Array, level: float) -> tuple[Array, Array]:
    """Bound the band (k,) beyond the anchors by its end at the outermost anchor, for the curve never falls."""
    assert agent.curve is not None
    low, high = agent.curve.anchor_scores.min(), agent.curve.anchor_scores.max()
    ends = calibrate_scores(agent.curve, np.array([low, high]), level=level)
    return (
        np.where(at > high, np.maximum(lower, ends.lower[1]), lower),
        np.where(at < low, np.minimum(upper, ends.upper[0]), upper),
    )


def _measured(results: AnchorResults) -> str:
    """Say between which scores each curve is measured."""
    ranges = [
        f"{agent.name} {agent.curve.anchor_scores.min():g} to {agent.curve.anchor_scores.max():g}"
        for agent in results.agents
        if agent.curve is not None
    ]
    return f"Measured by anchors: {some_of(ranges, MOST_DRAWN)}. Beyond the anchors a curve is only carried on."


def _range(agent: AgentCurve) -> str:
    assert agent.curve is not None
    low, high = agent.curve.anchor_scores.min(), agent.curve.anchor_scores.max()
    return f"Measured from {low:g} to {high:g}, the scores of its anchors; carried on beyond them."


def _title(results: AnchorResults, drawn: list[AgentCurve]) -> str:
    """Say what the middle of the scale counts as, by the lowest and the highest of the curves."""
    steps = score_steps(results)
    middle = float(steps[len(steps) // 2])
    counts = [float(calibrate_scores(agent.curve, np.array([middle])).values[0]) for agent in drawn if agent.curve]
    low, high = int(np.argmin(counts)), int(np.argmax(counts))
    if low == high:
        return f"{compact(middle)} by {drawn[low].name} counts as {number(counts[low], 0)}"
    return (
        f"{compact(middle)} by {drawn[high].name} counts as {number(counts[high], 0)}, by {drawn[low].name} as "
        f"{number(counts[low], 0)}"
    )


def score_steps(results: AnchorResults) -> Array:
    """Raw scores at which curves are listed: 0, 5, ..., 100 on that scale, else twenty steps over what was given."""
    low, high = results.reading.bounds
    scores = np.concatenate([agent.curve.anchor_scores for agent in results.agents if agent.curve is not None])
    if _on_scale(scores, low, high):
        return np.linspace(low, high, _STEPS + 1)
    return np.linspace(float(scores.min()), float(scores.max()), _STEPS + 1)


def _on_scale(scores: Array, low: float, high: float) -> bool:
    return bool(scores.min() >= low and scores.max() <= high)


def curves_chart(
    results: AnchorResults, table: Table, *, sheet: str, row: int, column: int, width_cm: float, height_cm: float
) -> Chart:
    """Draw the curves; `sheet` is where the table stands, "" for the same sheet."""

    def cells(heading: str) -> CellRange:
        block = table.cell_range(heading)
        return block.on(sheet) if sheet else block

    drawn = [agent for agent in results.agents if agent.curve is not None][:MOST_DRAWN]
    low, high = results.reading.bounds
    steps = score_steps(results)
    x = cells(RAW)
    series = [
        Series(agent.name, y=cells(agent.name), x=x, marker="none", line=True, colour=k if k < 6 else k + 1)
        for k, agent in enumerate(drawn)
    ]
    if np.isfinite([value for value in table.columns[1].cells if isinstance(value, float)]).any():
        series.append(Series(DIAGONAL, y=cells(DIAGONAL), x=x, marker="none", line=True, colour=6))
    return Chart(
        kind="scatter",
        title=_title(results, drawn),
        x_title="Raw score",
        y_title="Calibrated score",
        series=tuple(series),
        alt_text=(
            f"Calibrated against raw score for {len(drawn)} {results.assessors_noun}. A curve above the diagonal "
            "raises scores, one below it lowers them; a flat part tells little apart."
        ),
        row=row,
        column=column,
        width_cm=width_cm,
        height_cm=height_cm,
        x_low=float(steps[0]),
        x_high=float(steps[-1]),
        y_low=low,
        y_high=high,
    )
