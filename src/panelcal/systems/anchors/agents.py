"""`Cal assessors` by anchors: one row per agent, with its curve, its errors, its drift and what to know about it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.drift import AMBER, RED, Drift
from panelcal.anchors.ways import KIND_TITLES
from panelcal.arrays import Indices
from panelcal.reading.nouns import plural_of
from panelcal.reporting.columns import Spec, columns_of, in_order
from panelcal.reporting.model import CellValue, Highlight, Sheet, Table
from panelcal.reporting.paper import printed_block, printed_first
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import some_of, words_of
from panelcal.systems.anchors.results import AnchorResults

LEFT_OUT, NOT_CHECKED, IN_ORDER = "left out", "not checked", "no alarm"
_SCREEN_ONLY = frozenset(
    {"Assessments", "Curve", "Residual SD", "Correction", "Outside the anchors", "Order of the anchors"}
)
STATUS_HIGHLIGHT = Highlight("text", starts="red")


def anchor_agents_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `anchor_agents_table`."""
    results = context.results
    return Sheet(
        name=context.sheet("Cal assessors"),
        title=f"{plural_of(results.reading.nouns.assessor)} and their anchors",
        explanation=(
            "Bias and errors are measured against the consensus of the anchors, after calibration each anchor being "
            "predicted without it."
        ),
        tables=(table,),
        frozen=(5, 2),
        printed=(printed_block(table, last_heading="Note"),),
    )


def anchor_agents_table(context: RunContext[AnchorResults]) -> Table:
    """Build the table."""
    results = context.results
    columns = in_order(columns_of(_COLUMNS, context, words_of(results.reading.nouns)), _order(results))
    return Table(printed_first(columns, _SCREEN_ONLY), name="assessors")


def _order(results: AnchorResults) -> Indices:
    """Return (n_agents,) the agent in each row: the most generous first unless the settings keep that of the sheet."""
    settings = results.reading.settings
    if settings.order_of_results != "rank":
        return np.arange(len(results.agents))
    sign = -1.0 if settings.higher_is_better else 1.0
    return np.argsort([sign * agent.bias for agent in results.agents], kind="stable")


def _of_agents(shows: Callable[[AgentCurve], CellValue]) -> Callable[[RunContext[AnchorResults]], list[CellValue]]:
    return lambda c: [shows(agent) for agent in c.results.agents]


def _of_items(results: AnchorResults, counts: np.ndarray) -> np.ndarray:
    """Give agents that only scored anchors, and so come last, a zero as well."""
    return np.pad(counts, (0, len(results.agents) - len(results.reading.agents)))


def _mean_correction(results: AnchorResults) -> np.ndarray:
    correction = np.full(len(results.agents), np.nan)
    for k in results.used:
        known = results.calibrated.corrections[k][np.isfinite(results.calibrated.corrections[k])]
        correction[k] = known.mean() if len(known) else np.nan
    return correction


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


_COLUMNS: tuple[Spec[RunContext[AnchorResults]], ...] = (
    Spec("{Assessor}", _of_agents(lambda a: a.name), "text", 14, links=_links),
    Spec("Status", _of_agents(status_of), highlight=STATUS_HIGHLIGHT),
    Spec("Anchors", _of_agents(lambda a: a.n_anchors), "integer", 9),
    Spec(
        "Assessments",
        lambda c: _of_items(c.results, np.isfinite(c.results.reading.scores).sum(axis=1)),
        "integer",
        explanation="How many {objects} it scored.",
    ),
    Spec("Curve", _of_agents(curve_title), "text", 16),
    Spec(
        "Bias before",
        _of_agents(lambda a: a.bias),
        "signed",
        9,
        "Mean of its raw scores of the anchors less their consensus.",
    ),
    Spec(
        "Error before",
        _of_agents(lambda a: a.raw_error),
        "score",
        9,
        "Root mean square distance of its raw scores of the anchors from their consensus.",
    ),
    Spec(
        "Error after",
        _of_agents(lambda a: a.left_out_error),
        "score",
        9,
        "The same for calibrated scores, each anchor being predicted by a curve fitted without it.",
    ),
    Spec(
        "Residual SD",
        _of_agents(lambda a: None if a.curve is None else a.curve.residual_sd),
        "score",
        9,
        "Scatter of the consensus about the curve; the smaller, the more the agent counts.",
    ),
    Spec(
        "Correction",
        lambda c: _mean_correction(c.results),
        "signed",
        11,
        "What shared {objects} still take off its calibrated scores, on average.",
    ),
    Spec(
        "Outside the anchors",
        lambda c: _of_items(c.results, c.results.calibrated.outside.sum(axis=1)),
        "integer",
        11,
        "Scores lower or higher than any it gave to an anchor: the curve is only carried on there.",
    ),
    Spec(
        "Order of the anchors",
        _of_agents(lambda a: None if a.monotonicity is None else a.monotonicity.parts[0].tau),
        "precise",
        10,
        "Kendall's tau between its scores and the consensus: 1 always in order, 0 says nothing.",
    ),
    Spec(
        "Drift since last check",
        _of_agents(lambda a: _last(a.history.shifts) if a.history else None),
        "signed",
        10,
        f"Mean shift of its calibrated anchors; bold beyond {RED:g} points. Status has the alarm.",
        highlight=Highlight("beyond", limit=RED),
    ),
    Spec(
        "Drift since first date",
        _of_agents(lambda a: _last(a.history.since_first) if a.history else None),
        "signed",
        10,
    ),
    Spec("Note", lambda c: [note_of(c.results, agent) for agent in c.results.agents], "wrapped", 56),
)


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
