"""`Cal drift`: how far each agent has moved since the first date, and every check with its alarm."""

from __future__ import annotations

import numpy as np

from panelcal.anchors.drift import AMBER, RED
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellValue, Chart, Column, Highlight, Series, Sheet, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.systems.anchors.agent_curves import AgentCurve
from panelcal.systems.anchors.curves import MOST_DRAWN
from panelcal.systems.anchors.results import AnchorResults

DATE = "Date"
_CHART_ROWS = 17
_ON_ONE_PAGE = 60


def drift_sheet(context: RunContext[AnchorResults]) -> Sheet | None:
    """Build the sheet; None where the anchors were scored once only."""
    results = context.results
    checked = [agent for agent in results.agents if agent.checked]
    if not checked:
        return None
    shifts = _shift_table(results, checked)
    checks = _check_table(results, checked, row=max(shifts.last_row, shifts.row + _CHART_ROWS) + 3)
    beside = max(len(shifts.columns) + 2, len(checks.columns))
    return Sheet(
        name=context.sheet("Cal drift"),
        title="Drift",
        explanation=(
            "The same anchors scored again: shift of the calibrated scores since the first date, in points. Below, "
            f"each check, newest first: amber from {AMBER:g} points, red from {RED:g}, where it can hardly be chance."
        ),
        tables=(shifts, checks),
        charts=(_chart(results, shifts, checked, beside),),
        frozen=None,
        one_page=checks.last_row <= _ON_ONE_PAGE,
        column_widths=((checks.column_number("In words"), 80.0),),
    )


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


def _check_table(results: AnchorResults, checked: list[AgentCurve], row: int) -> Table:
    dates = results.reading.bank.dates
    rows = [
        (date, agent.name, check)
        for agent in checked
        if agent.history is not None
        for date, check in zip(agent.history.dates[1:], agent.history.checks, strict=True)
    ]
    rows.sort(key=lambda entry: -entry[0])
    checks = [check for _, _, check in rows]
    return Table(
        (
            Column(DATE, [dates[date] for date, _, _ in rows], "text", 14),
            Column(results.reading.nouns.assessor, [name for _, name, _ in rows], "text", 10),
            Column("Alarm", [check.alarm for check in checks], "text", 9, highlight=Highlight("text", starts="red")),
            Column("Anchors", [check.n_anchors for check in checks], "integer", 9),
            Column("Shift", numbers(np.array([check.shift for check in checks])), "signed", 8),
            Column("Standard error", numbers(np.array([check.shift_error for check in checks])), "score", 10),
            Column(
                "Change of spread",
                numbers(np.array([check.tilt for check in checks])),
                "percent",
                10,
                explanation="-10%: high and low scores have moved a tenth closer together.",
            ),
            Column(
                "Changed by a refit",
                [check.changed_by_refit for check in checks],
                "integer",
                10,
                explanation="Scores of anchors that the refitted curve moves by more than 5 points.",
            ),
            Column(
                "In words",
                [check.sentence if check.alarm != "none" else "No sign of drift." for check in checks],
                "wrapped",
                80,
            ),
            Column(
                "Against all earlier",
                numbers(np.array([check.change for check in checks])),
                "signed",
                10,
                explanation="Mean of its calibrated anchors less their mean on all dates since its last alarm.",
            ),
            Column(
                "Slow drift",
                numbers(np.array([check.slow_share for check in checks])),
                "percent",
                10,
                explanation="How far small moves the same way have added up: 100% is the limit (cumulative sum).",
            ),
        ),
        row=row,
        name="checks",
    )


def _chart(results: AnchorResults, shifts: Table, checked: list[AgentCurve], column: int) -> Chart:
    drawn = checked[:MOST_DRAWN]
    markers = ("circle", "triangle", "diamond", "x", "plus")
    return Chart(
        kind="line",
        title="Shift since the first date",
        x_title="Anchors scored",
        y_title="Points",
        series=tuple(
            Series(
                agent.name,
                y=shifts.cell_range(agent.name),
                x=shifts.cell_range(DATE),
                marker=markers[k % len(markers)],  # type: ignore[arg-type]
                line=True,
                colour=k if k < 6 else k + 1,
            )
            for k, agent in enumerate(drawn)
        ),
        alt_text=(
            f"Mean shift of the anchors of {len(drawn)} {results.agents_noun} on {shifts.n_rows} dates. A line that "
            "stays near zero is an agent that has not changed; a step is a new version or a new prompt."
        ),
        row=4,
        column=column,
        width_cm=17.0,
        height_cm=8.5,
    )
