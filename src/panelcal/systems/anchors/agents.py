"""`Cal assessors` by anchors: one row per agent, with its curve, its errors, its drift and what to know about it."""

from __future__ import annotations

import numpy as np

from panelcal.anchors.drift import AMBER, RED, Drift
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import Column, Highlight, Sheet, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import some_of
from panelcal.systems.anchors.agent_curves import AgentCurve
from panelcal.systems.anchors.methods import KIND_TITLES
from panelcal.systems.anchors.results import AnchorResults

LEFT_OUT, NOT_CHECKED, IN_ORDER = "left out", "not checked", "no alarm"
STATUS_HIGHLIGHT = Highlight("text", starts="red")


def anchor_agents_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `anchor_agents_table`."""
    results = context.results
    return Sheet(
        name=context.sheet("Cal assessors"),
        title=f"{results.reading.nouns.assessor}s and their anchors",
        explanation=(
            "Bias and errors are measured against the consensus of the anchors, after calibration each anchor being "
            "predicted without it."
        ),
        tables=(table,),
        frozen=(5, 2),
    )


def anchor_agents_table(context: RunContext[AnchorResults]) -> Table:
    """Build the table."""
    results = context.results
    reading, agents = results.reading, results.agents
    n_items = np.zeros(len(agents), dtype=np.intp)
    outside = np.zeros(len(agents), dtype=np.intp)
    n_items[: len(reading.agents)] = np.isfinite(reading.scores).sum(axis=1)
    outside[: len(reading.agents)] = results.outside.sum(axis=1)
    correction = np.full(len(agents), np.nan)
    for k in results.used:
        known = results.corrections[k][np.isfinite(results.corrections[k])]
        correction[k] = known.mean() if len(known) else np.nan
    return Table(
        (
            Column(reading.nouns.assessor, [agent.name for agent in agents], "text", 14, links=_links(context)),
            Column(
                "Status",
                [status_of(agent) for agent in agents],
                "text",
                12,
                highlight=STATUS_HIGHLIGHT,
            ),
            Column("Anchors", [agent.n_anchors for agent in agents], "integer", 9),
            Column(
                "Assessments", n_items.tolist(), "integer", 12, explanation=f"How many {results.items_noun} it scored."
            ),
            Column("Curve", [curve_title(agent) for agent in agents], "text", 16),
            Column(
                "Bias before",
                numbers(np.array([agent.bias for agent in agents])),
                "signed",
                9,
                explanation="Mean of its raw scores of the anchors less their consensus.",
            ),
            Column(
                "Error before",
                numbers(np.array([agent.raw_error for agent in agents])),
                "score",
                9,
                explanation="Root mean square distance of its raw scores of the anchors from their consensus.",
            ),
            Column(
                "Error after",
                numbers(np.array([agent.left_out_error for agent in agents])),
                "score",
                9,
                explanation="The same for calibrated scores, each anchor being predicted by a curve fitted without it.",
            ),
            Column(
                "Residual SD",
                numbers(np.array([np.nan if a.curve is None else a.curve.residual_sd for a in agents])),
                "score",
                9,
                explanation="Scatter of the consensus about the curve; the smaller, the more the agent counts.",
            ),
            Column(
                "Correction",
                numbers(correction),
                "signed",
                11,
                explanation=f"What shared {results.items_noun} still take off its calibrated scores, on average.",
            ),
            Column(
                "Outside the anchors",
                outside.tolist(),
                "integer",
                11,
                explanation="Scores lower or higher than any it gave to an anchor: the curve is only carried on there.",
            ),
            Column(
                "Order of the anchors",
                numbers(np.array([np.nan if a.monotonicity is None else a.monotonicity.parts[0].tau for a in agents])),
                "signed",
                10,
                explanation="Kendall's tau between its scores and the consensus: 1 always in order, 0 says nothing.",
                styles=["precise"] * len(agents),
            ),
            Column(
                "Drift since last check",
                numbers(np.array([_last(agent.history.shifts) if agent.history else np.nan for agent in agents])),
                "signed",
                10,
                highlight=Highlight("beyond", limit=RED),
                explanation=f"Mean shift of its calibrated anchors; bold beyond {RED:g} points. Status has the alarm.",
            ),
            Column(
                "Drift since first date",
                numbers(np.array([_last(agent.history.since_first) if agent.history else np.nan for agent in agents])),
                "signed",
                10,
            ),
            Column("Note", [note_of(results, agent) for agent in agents], "wrapped", 95),
        ),
        name="assessors",
    )


def _links(context: RunContext[AnchorResults]) -> list[str]:
    """Places of the agents' names: above their scores, or above their anchors for those that have no other scores."""
    reading = context.results.reading
    if not context.linked:
        return []
    others = reading.bank.agent_cells[len(reading.agents) :]
    return [
        *(f"#{reading.sheet}!{cell}" for cell in reading.agent_cells),
        *(f"#{reading.bank.sheet}!{cell}" for cell in others),
    ]


def status_of(agent: AgentCurve) -> str:
    """One word: the alarm of the last check, or that the agent is left out or was never checked."""
    if not agent.usable:
        return LEFT_OUT
    if not agent.checked:
        return NOT_CHECKED
    return IN_ORDER if agent.alarm == "none" else agent.alarm


def curve_title(agent: AgentCurve) -> str:
    """Name of the kind of curve, "none" where there is none."""
    return "none" if agent.curve is None else KIND_TITLES[agent.curve.kind]


def _last(values: np.ndarray) -> float:
    return float(values[-1]) if len(values) else float("nan")


def note_of(results: AnchorResults, agent: AgentCurve) -> str:
    """Put into words what the anchors say about an agent."""
    sentences = [agent.obstacle] if agent.obstacle else []
    if agent.choice is not None:
        sentences.append(agent.choice.sentence)
    sentences += agent.notes
    dates = results.reading.bank.dates
    if agent.curve is not None and agent.date < len(dates) - 1:
        sentences.append(f"Too few anchors on {dates[-1]}: the curve is that of {dates[agent.date]}.")
    silent = [dates[date] for date in agent.silent_dates()]
    if silent:
        sentences.append(f"Scores of {some_of(silent)} are left out: they do not rise with the consensus.")
    sentences += drift_sentences(results, agent)
    return " ".join(sentences)


def alarming_change(check: Drift) -> float:
    """Return by how many points the level has changed, as far as an alarm is about the level: at once, or slowly."""
    if check.shift_alarm == "none" and check.slow_alarm != "none":
        return check.slow_change
    return check.change


def drift_sentences(results: AnchorResults, agent: AgentCurve) -> list[str]:
    """Say when an agent drifted, and what the last check found."""
    history, dates = agent.history, results.reading.bank.dates
    if history is None or not history.checks:
        return []
    alarmed = [
        f"{dates[date]} ({check.alarm}, {alarming_change(check):+.1f})"
        for date, check in zip(history.dates[1:], history.checks, strict=True)
        if check.alarm != "none"
    ]
    found = [f"Alarms: {', '.join(alarmed)}."] if alarmed else [f"No alarm in {len(history.checks)} checks."]
    if agent.alarm != "none":
        found.append(history.checks[-1].sentence)
    since = _last(history.since_first)
    if not alarmed and abs(since) > AMBER:
        found.append(f"But slowly its anchors have moved by {since:+.1f} points since {dates[history.dates[0]]}.")
    return found
