"""Everything a report on anchored calibration is made from: curves, calibrated scores, values, drift, anchors to watch.

Each score is mapped by its agent's curve of its date; then calibration with confidence puts the agents together, with
the anchors as further objects and their consensus as one more assessor, whose bias is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from panelcal.anchors.agent_curves import AgentCurve, ScoredAnchors, agent_curves
from panelcal.anchors.anchor_review import AnchorReview, review_anchors
from panelcal.anchors.combination import calibrated_panel
from panelcal.anchors.curves import AnchorCurve
from panelcal.anchors.disagreement import AgreementChange
from panelcal.anchors.programme import ProgrammeCost, Rotation, programme_cost, propose_rotation
from panelcal.anchors.reviewer_agreement import ReviewerAgreement, reviewer_agreement
from panelcal.anchors.ways import ComparedWays, ScoredItems, compare_scores, compare_ways
from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.preferences import reversed_share
from panelcal.calibration.uncertainty import student_quantile
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.reading import scale
from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reporting.wording import InWords

Array = NDArray[np.float64]
Progress = Callable[[str], None]

_ROTATED = 0.10
_SILENT = "On the dates of its scores, its anchors do not rise with their consensus."


@dataclass(frozen=True, slots=True, eq=False)
class AnchorResults(InWords):
    """A reading and everything computed from it; agents are rows, items columns.

    Attributes
    ----------
    reading
        What was read.
    agents
        All agents of the bank; those with scores of items come first, in the order of `reading.agents`.
    calibrated
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
        (n_items, 2) at the level of the settings, within the scale.
    shared_sd
        Standard deviation of what agents get wrong alike about an anchor (their consensus' own error included).
    disagreement_before, disagreement_after
        (n_items,) mean absolute difference between agents, raw and calibrated; NaN with fewer than two agents.
    agreement
        How far the agents that count are apart, before and after; None where no two of them share an item.
    ways
        The table of ways to calibrate.
    review, rotation, cost
        Anchors that look wrong or leaked, those to replace, and what the anchors cost.
    boundaries
        Where classes of the consensus begin: those of the settings, else the quarters of the scale.
    reviewers
        How far the people agree whose reviews make the consensus; None where it was typed.
    """

    reading: AnchorReading
    agents: tuple[AgentCurve, ...]
    calibrated: Array
    outside: NDArray[np.bool_]
    weights: Array
    corrections: Array
    raw: Array
    values: Array
    errors: Array
    intervals: Array
    shared_sd: float
    disagreement_before: Array
    disagreement_after: Array
    agreement: AgreementChange | None
    ways: ComparedWays
    review: AnchorReview
    rotation: Rotation
    cost: ProgrammeCost
    boundaries: tuple[float, ...]
    reviewers: ReviewerAgreement | None

    @property
    def change(self) -> Array:
        """(n_items,) calibrated value less raw mean."""
        return self.values - self.raw

    def reversed_preferences(self, values: Array) -> float:
        """Return the share of the agents' preferences, by their raw scores, that the order of values turns round.

        `values` (n_items,) may be NaN; a tie counts half; NaN where nobody prefers anything.
        """
        scores = self.reading.scores
        known = np.isfinite(values) & np.isfinite(scores).any(axis=0)
        if not known.any():
            return float("nan")
        told = scores[np.isfinite(scores[:, known]).any(axis=1)]  # an agent may have scored nothing that has a value
        return reversed_share(Panel.from_matrix(told[:, known].T), values[known])

    @property
    def alert_threshold(self) -> float:
        """Size of a change that is marked."""
        scores = self.reading.scores
        return scale.alert_threshold(self.reading.settings, float(np.nanmin(scores)), float(np.nanmax(scores)))

    @property
    def used(self) -> tuple[int, ...]:
        """Numbers of the agents whose scores of items count."""
        return tuple(k for k in range(len(self.reading.agents)) if self.agents[k].usable)


def compute_anchor_results(reading: AnchorReading, *, progress: Progress | None = None) -> AnchorResults:
    """Fit the curves, calibrate the scores and compute all that is reported.

    Parameters
    ----------
    progress
        Told what is being done.

    Raises
    ------
    MethodNotApplicable
        If no agent with scores has a curve that says anything.
    """
    tell = progress or (lambda doing: None)
    tell("fitting the curves")
    bank = reading.bank
    agents = agent_curves(
        ScoredAnchors(
            bank.agents, bank.scores, bank.consensus, reading.bounds, bank.tiers or None, bank.clusters or None
        )
    )
    n_agents = len(reading.agents)
    if not _columns(reading, agents):
        reasons = " ".join(f"{agent.name}: {agent.obstacle or _SILENT}" for agent in agents[:n_agents])
        raise MethodNotApplicable(f"No agent can be calibrated by these anchors. {reasons}")
    tell("calibrating the scores")
    calibrated, outside = _calibrated(reading, agents)
    weights, corrections, values = _combined(reading, agents, calibrated)
    covariance = _error_covariance(agents[:n_agents])
    errors = np.sqrt(np.einsum("ai,ab,bi->i", weights, covariance, weights))
    errors[np.isnan(values)] = np.nan
    freedom = max(min(agent.n_anchors for agent in agents[:n_agents] if agent.usable) - 1, 1)
    half = student_quantile(freedom, reading.settings.level) * errors
    tell("comparing ways to calibrate")
    level, items = reading.settings.level, ScoredItems(reading.scores, reading.score_dates, reading.consensus)
    ways = compare_ways(items, agents, bank.consensus, level=level)
    agreement = compare_scores(items, agents, calibrated, level=level)
    tell("reviewing the anchors")
    review = review_anchors(np.array([agent.residuals for agent in agents]))
    shared = covariance[~np.eye(n_agents, dtype=bool)]
    boundaries = tuple(band.lowest for band in reading.settings.bands) or tuple(np.linspace(*reading.bounds, 5)[1:-1])
    return AnchorResults(
        reading=reading,
        agents=agents,
        calibrated=calibrated,
        outside=outside,
        weights=weights,
        corrections=corrections,
        raw=_mean(reading.scores),
        values=values,
        errors=errors,
        intervals=np.clip(np.column_stack([values - half, values + half]), *reading.bounds),
        shared_sd=float(np.sqrt(shared[shared > 0].mean())) if (shared > 0).any() else 0.0,
        disagreement_before=_disagreement(reading.scores),
        disagreement_after=_disagreement(calibrated),
        agreement=agreement,
        ways=ways,
        review=review,
        rotation=propose_rotation(
            reading.bank.consensus, share=_ROTATED, flagged=review.unlike | review.leaked.any(axis=0)
        ),
        cost=programme_cost(
            reading.bank.n_anchors, n_agents, float(np.isfinite(reading.scores).sum()), checks=reading.bank.n_dates
        ),
        boundaries=boundaries,
        reviewers=reviewer_agreement(bank.reviews.reviews, boundaries) if bank.reviews else None,
    )


def _calibrated(reading: AnchorReading, agents: Sequence[AgentCurve]) -> tuple[Array, NDArray[np.bool_]]:
    out = np.full(reading.scores.shape, np.nan)
    outside = np.zeros(reading.scores.shape, dtype=bool)
    for k, date, curve in _columns(reading, agents):
        there = _there(reading, k, date)
        out[k, there] = curve(reading.scores[k, there])
        outside[k, there] = curve.is_outside(reading.scores[k, there])
    return out, outside


def _columns(reading: AnchorReading, agents: Sequence[AgentCurve]) -> list[tuple[int, int, AnchorCurve]]:
    """List agents with the dates whose curves map scores of theirs; an agent is another assessor on another date."""
    found = []
    for k in range(len(reading.agents)):
        if not agents[k].usable:
            continue
        for date in np.unique(reading.score_dates[k, np.isfinite(reading.scores[k])]):
            curve = agents[k].in_use[date]
            if curve is not None:
                found.append((k, int(date), curve))
    return found


def _there(reading: AnchorReading, agent: int, date: int) -> NDArray[np.bool_]:
    return np.isfinite(reading.scores[agent]) & (reading.score_dates[agent] == date)


def _combined(reading: AnchorReading, agents: Sequence[AgentCurve], calibrated: Array) -> tuple[Array, Array, Array]:
    """Weights (n_agents, n_items), corrections (n_agents, n_items) and values (n_items,) by the panel model."""
    columns = _columns(reading, agents)
    counted = np.isfinite(calibrated).any(axis=0)
    table = np.column_stack(
        [np.where(_there(reading, k, date), reading.scores[k], np.nan)[counted] for k, date, _ in columns]
    )
    # Labels only tell things apart here; an item may well be called like an anchor.
    panel = calibrated_panel(
        [curve for _, _, curve in columns],
        table,
        objects=[f"item {k}" for k in range(len(table))],
        agents=[f"agent {k} {date}" for k, date, _ in columns],
        anchors=[f"anchor {k}" for k in range(reading.bank.n_anchors)],
    )
    calibration = calibrate(panel)
    consensus_bias = calibration.biases[-1]
    values = np.full(len(reading.items), np.nan)
    values[counted] = calibration.values[: len(table)] + consensus_bias
    weights, corrections = np.zeros(calibrated.shape), np.full(calibrated.shape, np.nan)
    for at, (k, date, curve) in enumerate(columns):
        there = _there(reading, k, date)
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
