"""`Cal drift`: how far each agent has moved since the first date, and every check with its alarm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.drift import AMBER, RED, Drift
from panelcal.frozen import dataclass
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import Spec, columns_of, each
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Highlight, Marker, Series, Sheet, Table
from panelcal.reporting.paper import fits_on_page
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import number, some_of, words_of
from panelcal.systems.anchors.curves import MOST_DRAWN
from panelcal.systems.anchors.results import AnchorResults

DATE = "Date"
_CHART_ROWS = 17
_WIDE_COLUMN = 9  # where the checks are told in words: there the chart has room beside few agents
_GREY = 6  # place of grey in the palette
_NAMED = 3


def drift_sheet(context: RunContext[AnchorResults]) -> Sheet | None:
    """Build the sheet; None where the anchors were scored once only."""
    results = context.results
    checked = [agent for agent in results.agents if agent.checked]
    if not checked:
        return None
    shifts = _shift_table(results, checked)
    beside = len(shifts.columns) + 1 < _WIDE_COLUMN
    row = shifts.row if beside else shifts.last_row + 2
    checks = _check_table(results, checked, row=max(shifts.last_row, row + _CHART_ROWS) + 3)
    chart = _chart(results, shifts, checked, row=row, column=_WIDE_COLUMN if beside else 1)
    across = len(checks.columns)
    sheet = Sheet(
        name=context.sheet("Cal drift"),
        title="Drift",
        explanation=(
            "The same anchors scored again: shift of the calibrated scores since the first date, in points. Below, "
            f"each check, newest first: amber from {AMBER:g} points, red from {RED:g}, where it can hardly be chance."
        ),
        tables=(shifts, checks),
        charts=(chart,),
        frozen=None,
        column_widths=((checks.column_number("In words"), 60.0),),
        across=across,
    )
    whole = CellRange(1, 1, checks.last_row, max(across, len(shifts.columns)))
    if fits_on_page(sheet, whole):
        return replace(sheet, printed=(whole,))
    parts = replace(whole, last_row=checks.row - 2), replace(whole, first_row=checks.row)
    return replace(sheet, printed=parts, repeated=checks.row)


def _shift_table(results: AnchorResults, checked: list[AgentCurve]) -> Table:
    dates = results.reading.bank.dates
    columns = [Column(DATE, dates, "text", 14)]
    for agent in checked:
        assert agent.history is not None
        since: list[CellValue] = [None] * len(dates)
        since[agent.history.dates[0]] = 0.0
        for date, shift in zip(agent.history.dates[1:], numbers(agent.history.since_first), strict=True):
            since[date] = shift
        columns.append(
            Column(agent.name, since, "signed", 10, highlight=Highlight("beyond", limit=RED), explanation=_EXPLAINED)
        )
    return Table(tuple(columns), name="shifts")


_EXPLAINED = "Mean shift of its anchors since the first date, by the first curve; bold beyond 3 points."


@dataclass(frozen=True, slots=True)
class _Check:
    """One check of one agent."""

    date: int
    day: str
    agent: str
    found: Drift


_CHECKS: tuple[Spec[Sequence[_Check]], ...] = (
    Spec(DATE, each(lambda row: row.day), "text", 14),
    Spec("{Assessor}", each(lambda row: row.agent), "text", 10),
    Spec("Alarm", each(lambda row: row.found.alarm), "text", 9, highlight=Highlight("text", starts="red")),
    Spec("Anchors", each(lambda row: row.found.n_anchors), "integer", 9),
    Spec("Shift", each(lambda row: row.found.shift), "signed", 8),
    Spec("Standard error", each(lambda row: row.found.shift_error), "score", 10),
    Spec(
        "Change of spread",
        each(lambda row: row.found.tilt),
        "percent",
        10,
        "-10%: high and low scores have moved a tenth closer together.",
    ),
    Spec(
        "Changed by a refit",
        each(lambda row: row.found.changed_by_refit),
        "integer",
        10,
        "Scores of anchors that the refitted curve moves by more than 5 points.",
    ),
    Spec(
        "In words",
        each(lambda row: row.found.sentence if row.found.alarm != "none" else "No sign of drift."),
        "wrapped",
        60,
    ),
    Spec(
        "Against all earlier",
        each(lambda row: row.found.change),
        "signed",
        10,
        "Mean of its calibrated anchors less their mean on all dates since its last alarm.",
    ),
    Spec(
        "Slow drift",
        each(lambda row: row.found.slow_share),
        "percent",
        10,
        "How far small moves the same way have added up: 100% is the limit (cumulative sum).",
    ),
)


def _check_table(results: AnchorResults, checked: list[AgentCurve], row: int) -> Table:
    dates = results.reading.bank.dates
    rows = [
        _Check(date, dates[date], agent.name, found)
        for agent in checked
        if agent.history is not None
        for date, found in zip(agent.history.dates[1:], agent.history.checks, strict=True)
    ]
    rows.sort(key=lambda check: -check.date)
    return Table(columns_of(_CHECKS, rows, words_of(results.reading.nouns)), row=row, name="checks")


def _chart(results: AnchorResults, shifts: Table, checked: list[AgentCurve], *, row: int, column: int) -> Chart:
    moved = [agent for agent in checked if _alarmed(agent)]
    steady = [agent for agent in checked if not _alarmed(agent)]
    drawn = [*moved, *steady][:MOST_DRAWN]
    markers: tuple[Marker, ...] = ("circle", "triangle", "diamond", "x", "plus")
    return Chart(
        kind="line",
        title=_drift_title(results, moved, steady),
        x_title="Anchors scored",
        y_title=f"Change since {shifts.columns[0].cells[0]}, in points",
        series=tuple(
            Series(
                agent.name,
                y=shifts.cell_range(agent.name),
                x=shifts.cell_range(DATE),
                marker=markers[k % len(markers)] if agent in moved else "none",
                line=True,
                colour=k % _GREY if agent in moved else _GREY,
            )
            for k, agent in enumerate(drawn)
        ),
        alt_text=(
            f"Mean shift of the anchors of {len(drawn)} {results.assessors_noun} on {shifts.n_rows} dates. A line that "
            "stays near zero is an agent that has not changed; a step is a new version or a new prompt."
        ),
        row=row,
        column=column,
        width_cm=14.2,
        height_cm=8.5,
    )


def _alarmed(agent: AgentCurve) -> bool:
    return agent.history is not None and any(check.alarm != "none" for check in agent.history.checks)


def _drift_title(results: AnchorResults, moved: list[AgentCurve], steady: list[AgentCurve]) -> str:
    """Name those that have moved, and say how far the others stayed."""
    furthest = [float(np.nanmax(np.abs(agent.history.since_first))) for agent in steady if agent.history is not None]
    within = f"within {number(max(furthest))} points" if furthest else ""
    if not moved:
        return f"No {results.assessor_noun} has drifted: all stayed {within}"
    named = some_of([agent.name for agent in moved], _NAMED)
    return f"{named} moved{f'; the others stayed {within}' if furthest else ''}"
