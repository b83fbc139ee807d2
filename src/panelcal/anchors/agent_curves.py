"""What the anchors say about each agent: its curve, its bias, its drift, and where it contradicts the consensus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.anchors.choice import CurveChoice, choose_anchor_curve
from panelcal.anchors.curves import AnchorCurve
from panelcal.anchors.drift import Alarm
from panelcal.anchors.drift_history import DriftHistory, follow_drift
from panelcal.anchors.monotonicity import Monotonicity, check_monotonicity
from panelcal.anchors.rank_correlation import kendall_tau
from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_LEAST_SCATTER = 0.005
"""Share of the scale by which an agent is taken to scatter at least, so that none is believed without limit."""


@dataclass(frozen=True, slots=True, eq=False)
class AgentCurve:
    """One agent and its anchors.

    Attributes
    ----------
    name
        As on the sheet.
    n_anchors
        Anchors with a score of this agent, on the last date that gave a curve (or on the last date).
    date
        Index of that date.
    choice
        The curve in use and why it is of its kind; None where there is none.
    in_use
        (n_dates) the curve in use after each date; None where there is none that says anything.
    history, monotonicity
        Checks from date to date, and of the order of the anchors; None without a curve.
    bias
        Mean of raw score - consensus over its anchors, in points; NaN without anchors.
    raw_error, left_out_error
        Root mean square distance from the consensus, of the raw scores and of the calibrated ones when each anchor is
        predicted without it.
    residuals
        (n_anchors of the bank,) consensus - calibrated score of the anchor predicted without it; NaN = none.
    obstacle
        Why its scores are not used, "" where they are.
    """

    name: str
    n_anchors: int
    date: int
    choice: CurveChoice | None
    in_use: tuple[AnchorCurve | None, ...]
    history: DriftHistory | None
    monotonicity: Monotonicity | None
    bias: float
    raw_error: float
    left_out_error: float
    residuals: Array
    obstacle: str

    @property
    def usable(self) -> bool:
        """Whether its scores are calibrated and count."""
        return not self.obstacle

    @property
    def curve(self) -> AnchorCurve | None:
        """The curve of the last date."""
        return None if self.choice is None else self.in_use[self.date] or self.choice.curve

    @property
    def alarm(self) -> Alarm:
        """Of the last check."""
        return self.history.alarms[-1] if self.history is not None and self.history.alarms else "none"

    @property
    def checked(self) -> bool:
        """Whether there is a check for drift at all."""
        return self.history is not None and bool(self.history.checks)

    def silent_dates(self) -> tuple[int, ...]:
        """Dates of which its scores are left out although those of others count."""
        return tuple(k for k, curve in enumerate(self.in_use) if curve is None) if self.usable else ()

    def changed_after(self, date: int) -> bool:
        """Whether the check that follows a date raised a red alarm: scores of that time may be of either kind."""
        if self.history is None:
            return False
        later = [k for k, checked in enumerate(self.history.dates[1:]) if checked > date]
        return bool(later) and self.history.alarms[later[0]] == "red"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual, in sentences."""
        found = list(self.curve.notes) if self.curve is not None else []
        if self.monotonicity is not None and self.monotonicity.failed:
            found.append(self.monotonicity.sentence)
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredAnchors:
    """The anchors, and what every agent has given them.

    Attributes
    ----------
    agents
        Names (n_agents).
    scores
        (n_dates, n_agents, n_anchors), NaN = not scored.
    consensus
        (n_anchors,) the known value of each.
    bounds
        Ends of the scale of the consensus.
    tiers, clusters
        (n_anchors) labels, None where there are none.
    """

    agents: Sequence[str]
    scores: Array
    consensus: Array
    bounds: tuple[float, float]
    tiers: Sequence[str] | None = None
    clusters: Sequence[str] | None = None


def agent_curves(anchors: ScoredAnchors) -> tuple[AgentCurve, ...]:
    """Fit and check a curve for every agent, in their order."""
    return tuple(_agent_curve(anchors, k) for k in range(len(anchors.agents)))


def _agent_curve(anchors: ScoredAnchors, agent: int) -> AgentCurve:
    scores, consensus, bounds = anchors.scores[:, agent], anchors.consensus, anchors.bounds
    n_dates = len(scores)
    choice, date, problem = _latest_choice(scores, consensus, bounds)
    scored = np.isfinite(scores[date])
    away = (scores[date] - consensus)[scored]
    bias = float(away.mean()) if scored.any() else float("nan")
    raw_error = float(np.sqrt(np.mean(away**2))) if scored.any() else float("nan")
    residuals = np.full(len(consensus), np.nan)
    common = {"name": anchors.agents[agent], "n_anchors": int(scored.sum()), "date": date, "bias": bias}
    if choice is None:
        return AgentCurve(
            **common,  # type: ignore[arg-type]
            choice=None,
            in_use=(None,) * n_dates,
            history=None,
            monotonicity=None,
            raw_error=raw_error,
            left_out_error=float("nan"),
            residuals=residuals,
            obstacle=problem,
        )
    kind = choice.kinds.index(choice.curve.kind)
    residuals[choice.curve.used] = choice.curve.consensus - choice.predictions[kind]
    history = follow_drift(scores, consensus, kind=choice.curve.kind, bounds=bounds, agents=len(anchors.agents))
    monotonicity = check_monotonicity(choice.curve, tiers=anchors.tiers, clusters=anchors.clusters)
    in_use = _in_use(history, n_dates, bounds)
    obstacle = (
        ""
        if any(in_use)
        else "Its scores do not rise with the consensus of the anchors, so they say nothing and are left out."
    )
    return AgentCurve(
        **common,  # type: ignore[arg-type]
        choice=choice,
        in_use=in_use,
        history=history,
        monotonicity=monotonicity,
        raw_error=raw_error,
        left_out_error=float(choice.errors[kind]),
        residuals=residuals,
        obstacle=obstacle,
    )


def _latest_choice(scores: Array, consensus: Array, bounds: tuple[float, float]) -> tuple[CurveChoice | None, int, str]:
    """Choose the kind of curve on the last date that has enough anchors; else say what is wrong with the last date."""
    problem = ""
    for date in range(len(scores) - 1, -1, -1):
        try:
            return choose_anchor_curve(scores[date], consensus, bounds=bounds), date, ""
        except MethodNotApplicable as found:
            problem = problem or str(found)
    return None, len(scores) - 1, problem


def _in_use(history: DriftHistory, n_dates: int, bounds: tuple[float, float]) -> tuple[AnchorCurve | None, ...]:
    """Curve after each date; before the first one, the first. None where scores do not rise with the consensus."""
    least = _LEAST_SCATTER * (bounds[1] - bounds[0])
    curves = [
        None
        if curve.is_flat or kendall_tau(curve.anchor_scores, curve.consensus).value <= 0
        else replace(curve, residual_sd=max(curve.residual_sd, least))
        for curve in history.curves
    ]
    at = np.searchsorted(np.array(history.dates), np.arange(n_dates), side="right") - 1
    return tuple(curves[max(int(k), 0)] for k in at)
