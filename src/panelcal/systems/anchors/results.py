"""Everything a report on anchored calibration is made from: curves, values, drift, anchors to watch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve, ScoredAnchors, agent_curves
from panelcal.anchors.anchor_review import AnchorReview, review_anchors
from panelcal.anchors.calibrated_items import CalibratedItems, calibrate_items
from panelcal.anchors.disagreement import AgreementChange
from panelcal.anchors.programme import ProgrammeCost, Rotation, programme_cost, propose_rotation
from panelcal.anchors.reviewer_agreement import ReviewerAgreement, reviewer_agreement
from panelcal.anchors.ways import ComparedWays, ScoredItems, compare_scores, compare_ways
from panelcal.arrays import Array
from panelcal.calibration.preferences import reversed_share
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.reading import scale
from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reporting.wording import InWords

Progress = Callable[[str], None]

_ROTATED = 0.10


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
        Calibrated scores and values of the items.
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
    calibrated: CalibratedItems
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
        return self.calibrated.values - self.calibrated.raw

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
    tell("calibrating the scores")
    level, items = reading.settings.level, ScoredItems(reading.scores, reading.score_dates, reading.consensus)
    calibrated = calibrate_items(items, agents[:n_agents], bounds=reading.bounds, level=level)
    tell("comparing ways to calibrate")
    ways = compare_ways(items, agents, bank.consensus, level=level)
    agreement = compare_scores(items, agents, calibrated.scores, level=level)
    tell("reviewing the anchors")
    review = review_anchors(np.array([agent.residuals for agent in agents]))
    boundaries = tuple(band.lowest for band in reading.settings.bands) or tuple(np.linspace(*reading.bounds, 5)[1:-1])
    return AnchorResults(
        reading=reading,
        agents=agents,
        calibrated=calibrated,
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
