"""Scores calibrated by anchors as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.system import Outcome


def as_data(results: AnchorResults) -> Outcome:
    """Return values, agents and checks for drift; a last check that is red is a reason to stop a pipeline."""
    checked = [agent for agent in results.agents if agent.checked]
    alarms: dict[str, tuple[str, ...]] = {}
    if checked:
        alarms["drift"] = tuple(
            f"{agent.name}: {agent.history.checks[-1].sentence}"
            for agent in checked
            if agent.alarm == "red" and agent.history is not None
        )
    reading = results.reading
    figures = {
        "method": "anchors",
        "level": reading.settings.level,
        "n_objects": len(reading.items),
        "n_assessors": len(reading.agents),
        "n_anchors": reading.bank.n_anchors,
        "dates": list(reading.bank.dates),
        "shared_sd": results.calibrated.shared_sd,
    }
    tables = {"values": _values(results), "agents": _agents(results.agents), "checks": _checks(results, checked)}
    return Outcome("anchors", figures, tables, alarms)


def _values(results: AnchorResults) -> dict[str, Sequence[Any]]:
    lower, upper = results.calibrated.intervals.T
    return {
        "object": list(results.reading.items),
        "value": results.calibrated.values.tolist(),
        "standard_error": results.calibrated.errors.tolist(),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
        "average": results.calibrated.raw.tolist(),
        "change": results.change.tolist(),
    }


def _agents(agents: Sequence[AgentCurve]) -> dict[str, Sequence[Any]]:
    return {
        "assessor": [agent.name for agent in agents],
        "usable": [agent.usable for agent in agents],
        "n_anchors": [agent.n_anchors for agent in agents],
        "bias": [agent.bias for agent in agents],
        "raw_error": [agent.raw_error for agent in agents],
        "left_out_error": [agent.left_out_error for agent in agents],
        "alarm": [agent.alarm if agent.checked else None for agent in agents],
    }


def _checks(results: AnchorResults, checked: Sequence[AgentCurve]) -> dict[str, Sequence[Any]]:
    dates = results.reading.bank.dates
    rows = [
        (dates[date], agent.name, found)
        for agent in checked
        if agent.history is not None
        for date, found in zip(agent.history.dates[1:], agent.history.checks, strict=True)
    ]
    names = ("alarm", "n_anchors", "shift", "shift_error", "tilt", "tilt_error", "change", "slow_share", "sentence")
    columns: dict[str, Sequence[Any]] = {
        "date": [date for date, _, _ in rows],
        "assessor": [name for _, name, _ in rows],
    }
    return columns | {name: [getattr(found, name) for _, _, found in rows] for name in names}
