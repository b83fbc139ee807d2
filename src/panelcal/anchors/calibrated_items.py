"""Calibrated scores and values of items: each score by its agent's curve of its date, the agents then put together.

Calibration with confidence puts them together, with the anchors as further objects and their consensus as one more
assessor, whose bias is zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.combination import calibrated_panel
from panelcal.anchors.curves import AnchorCurve
from panelcal.anchors.ways import ScoredItems
from panelcal.arrays import Array, Mask
from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.uncertainty import student_quantile
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_SILENT = "On the dates of its scores, its anchors do not rise with their consensus."


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedItems:
    """Items scored by agents, on the scale of the consensus; agents are rows, items columns.

    Attributes
    ----------
    scores
        (n_agents, n_items) calibrated scores; NaN where there is no score or the agent is not used.
    outside
        (n_agents, n_items) whether a score lies outside those of the agent's anchors.
    weights
        (n_agents, n_items) share of each calibrated score in its item's mean; they add up to 1.
    corrections
        (n_agents, n_items) what the items that agents share, and their anchors, still take off a calibrated score.
    raw
        (n_items,) mean of the raw scores of all agents.
    values
        (n_items,) calibrated values, on the scale of the consensus; NaN where no agent counts.
    errors
        (n_items,) their standard errors as statements about the consensus, what agents get wrong alike included.
    intervals
        (n_items, 2), within the scale.
    shared_sd
        Standard deviation of what agents get wrong alike about an anchor (their consensus' own error included).
    disagreement_before, disagreement_after
        (n_items,) mean absolute difference between agents, raw and calibrated; NaN with fewer than two agents.
    """

    scores: Array
    outside: Mask
    weights: Array
    corrections: Array
    raw: Array
    values: Array
    errors: Array
    intervals: Array
    shared_sd: float
    disagreement_before: Array
    disagreement_after: Array


def calibrate_items(
    items: ScoredItems, agents: Sequence[AgentCurve], *, bounds: tuple[float, float], level: float
) -> CalibratedItems:
    """Calibrate the scores of items and work out their values.

    Parameters
    ----------
    items
        What the agents gave.
    agents
        (n_agents,) their curves, in the order of the rows of `items`.
    bounds
        Ends of the scale of the consensus.
    level
        Probability that the intervals hold.

    Raises
    ------
    MethodNotApplicable
        If no agent with scores has a curve that says anything.
    """
    if not _columns(items, agents):
        reasons = " ".join(f"{agent.name}: {agent.obstacle or _SILENT}" for agent in agents)
        raise MethodNotApplicable(f"No agent can be calibrated by these anchors. {reasons}")
    calibrated, outside = _calibrated(items, agents)
    weights, corrections, values = _combined(items, agents, calibrated)
    covariance = _error_covariance(agents)
    errors = np.sqrt(np.einsum("ai,ab,bi->i", weights, covariance, weights))
    errors[np.isnan(values)] = np.nan
    freedom = max(min(agent.n_anchors for agent in agents if agent.usable) - 1, 1)
    half = student_quantile(freedom, level) * errors
    shared = covariance[~np.eye(len(agents), dtype=bool)]
    return CalibratedItems(
        scores=calibrated,
        outside=outside,
        weights=weights,
        corrections=corrections,
        raw=_mean(items.scores),
        values=values,
        errors=errors,
        intervals=np.clip(np.column_stack([values - half, values + half]), *bounds),
        shared_sd=float(np.sqrt(shared[shared > 0].mean())) if (shared > 0).any() else 0.0,
        disagreement_before=_disagreement(items.scores),
        disagreement_after=_disagreement(calibrated),
    )


def _calibrated(items: ScoredItems, agents: Sequence[AgentCurve]) -> tuple[Array, Mask]:
    out = np.full(items.scores.shape, np.nan)
    outside = np.zeros(items.scores.shape, dtype=bool)
    for k, date, curve in _columns(items, agents):
        there = _there(items, k, date)
        out[k, there] = curve(items.scores[k, there])
        outside[k, there] = curve.is_outside(items.scores[k, there])
    return out, outside


def _columns(items: ScoredItems, agents: Sequence[AgentCurve]) -> list[tuple[int, int, AnchorCurve]]:
    """List agents with the dates whose curves map scores of theirs; an agent is another assessor on another date."""
    found = []
    for k in range(len(items.scores)):
        if not agents[k].usable:
            continue
        for date in np.unique(items.dates[k, np.isfinite(items.scores[k])]):
            curve = agents[k].in_use[date]
            if curve is not None:
                found.append((k, int(date), curve))
    return found


def _there(items: ScoredItems, agent: int, date: int) -> Mask:
    return np.isfinite(items.scores[agent]) & (items.dates[agent] == date)


def _combined(items: ScoredItems, agents: Sequence[AgentCurve], calibrated: Array) -> tuple[Array, Array, Array]:
    """Weights (n_agents, n_items), corrections (n_agents, n_items) and values (n_items,) by the panel model."""
    columns = _columns(items, agents)
    counted = np.isfinite(calibrated).any(axis=0)
    table = np.column_stack(
        [np.where(_there(items, k, date), items.scores[k], np.nan)[counted] for k, date, _ in columns]
    )
    # Labels only tell things apart here; an item may well be called like an anchor.
    panel = calibrated_panel(
        [curve for _, _, curve in columns],
        table,
        objects=[f"item {k}" for k in range(len(table))],
        agents=[f"agent {k} {date}" for k, date, _ in columns],
        anchors=[f"anchor {k}" for k in range(len(agents[0].residuals))],
    )
    calibration = calibrate(panel)
    consensus_bias = calibration.biases[-1]
    values = np.full(items.scores.shape[1], np.nan)
    values[counted] = calibration.values[: len(table)] + consensus_bias
    weights, corrections = np.zeros(calibrated.shape), np.full(calibrated.shape, np.nan)
    for at, (k, date, curve) in enumerate(columns):
        there = _there(items, k, date)
        weights[k, there] = 1.0 / curve.residual_sd**2
        corrections[k, there] = calibration.biases[at] - consensus_bias
    totals = weights.sum(axis=0)
    return weights / np.where(totals > 0, totals, 1.0), corrections, values


def _error_covariance(agents: Sequence[AgentCurve]) -> Array:
    """Mean products (n_agents, n_agents) of the errors of agents on anchors predicted without them.

    What two agents get wrong alike does not average out. Products below zero are chance and count as zero; without
    common anchors nothing is known and independence is assumed.
    """
    residuals = np.array([agent.residuals for agent in agents])
    seen = np.isfinite(residuals).astype(np.float64)
    filled = np.where(seen > 0, residuals, 0.0)
    common = seen @ seen.T
    return np.maximum(filled @ filled.T / np.maximum(common, 1.0), 0.0)


def _mean(table: Array) -> Array:
    seen = np.isfinite(table)
    counts = seen.sum(axis=0)
    return np.where(counts > 0, np.where(seen, table, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan)


def _disagreement(table: Array) -> Array:
    """Mean absolute difference (n_items,) over the pairs of agents that scored an item; NaN where there is no pair."""
    total, pairs = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for k in range(len(table) - 1):
        apart = np.abs(table[k] - table[k + 1 :])
        seen = np.isfinite(apart)
        total += np.where(seen, apart, 0.0).sum(axis=0)
        pairs += seen.sum(axis=0)
    return np.where(pairs > 0, total / np.maximum(pairs, 1), np.nan)
