"""`Cal curves`: what every agent's scores count as, as a table with bands and as a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.bands import calibrate_scores
from panelcal.arrays import Array
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellRange, Chart, Column, Note, Series, Sheet, Table
from panelcal.reporting.paper import chart_block
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import compact, number, some_of
from panelcal.systems.anchors.results import AnchorResults

RAW, DIAGONAL = "Raw score", "Unchanged"
MOST_DRAWN = 12
_STEPS = 20
_MOST_BESIDE = 9  # columns of the table beside which A4 across has room for the chart in letters of 9 points
_CHART_COLUMNS = 12  # from the end of the table to the bands, with the chart between


def curves_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `curves_table`."""
    results = context.results
    level = f"{results.reading.settings.level:.0%}"
    dates = results.reading.bank.dates
    latest = f" The curves are those of {dates[-1]}." if len(dates) > 1 else ""
    own = len(table.columns)
    beside = own <= _MOST_BESIDE
    row, column = (table.row, own + 2) if beside else (table.last_row + 4, 1)
    chart = curves_chart(results, table, row=row, column=column, width_cm=17.0 if beside else 24.0, height_cm=11.0)
    bands = _bands_table(results, own + (_CHART_COLUMNS if beside else 2))
    last = bands.column - 1 if beside else own
    note = Note(row=table.last_row + 2, text=_measured(results), style="small", across=last)
    sheet = Sheet(
        name=context.sheet("Cal curves"),
        title="What a score counts as",
        explanation=(
            f"Each {results.assessor_noun}'s curve from raw to calibrated score. Its {level} band, where another set "
            f"of anchors could have put it, stands further right; not printed.{latest}"
        ),
        tables=(table, bands),
        notes=(note,),
        charts=(chart,),
        frozen=(5, 2),
        across=last,
        column_widths=((column - 1, 2.0),) if beside else (),
    )
    whole = CellRange(1, 1, note.row, last)
    return replace(sheet, printed=(whole,) if beside else (whole, chart_block(sheet, chart)))


def curves_table(context: RunContext[AnchorResults]) -> Table:
    """Build the table: raw score, the same unchanged, and each agent's curve."""
    results = context.results
    at = score_steps(results)
    low, high = results.reading.bounds
    scores = np.concatenate([agent.curve.anchor_scores for agent in results.agents if agent.curve is not None])
    unchanged = at if _on_scale(scores, low, high) else np.full(len(at), np.nan)
    columns = [
        Column(RAW, numbers(at), "score", 9),
        Column(DIAGONAL, numbers(unchanged), "score", 11, explanation="Where a curve would be that changes nothing."),
    ]
    for agent in results.agents:
        if agent.curve is not None:
            found = calibrate_scores(agent.curve, at, level=results.reading.settings.level)
            columns.append(Column(agent.name, numbers(found.values), "score", 9, explanation=_range(agent)))
    return Table(tuple(columns), name="curves")


def _bands_table(results: AnchorResults, column: int) -> Table:
    """Build the table of each agent's band, right of all that is printed."""
    at, level = score_steps(results), results.reading.settings.level
    columns = [Column(RAW, numbers(at), "score", 9)]
    for agent in results.agents:
        if agent.curve is not None:
            found = calibrate_scores(agent.curve, at, level=level)
            lower, upper = _carried_on(agent, at, found.lower, found.upper, level)
            columns += [
                Column(f"{agent.name} lower", numbers(lower), "score", 9),
                Column(f"{agent.name} upper", numbers(upper), "score", 9),
            ]
    return Table(tuple(columns), column=column, name="bands")


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
    results: AnchorResults, table: Table, *, row: int, column: int, width_cm: float, height_cm: float
) -> Chart:
    """Draw the curves of `curves_table`."""
    drawn = [agent for agent in results.agents if agent.curve is not None][:MOST_DRAWN]
    low, high = results.reading.bounds
    steps = score_steps(results)
    x = table.cell_range(RAW)
    series = [
        Series(agent.name, y=table.cell_range(agent.name), x=x, marker="none", line=True, colour=k if k < 6 else k + 1)
        for k, agent in enumerate(drawn)
    ]
    if np.isfinite([value for value in table.columns[1].cells if isinstance(value, float)]).any():
        series.append(Series(DIAGONAL, y=table.cell_range(DIAGONAL), x=x, marker="none", line=True, colour=6))
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
