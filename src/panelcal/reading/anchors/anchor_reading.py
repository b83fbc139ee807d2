"""The result of reading anchors and agents' scores: the numbers, where they stood, and every decision on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.decisions import Decision
from panelcal.reading.nouns import counted
from panelcal.reading.reading import Nouns
from panelcal.reading.settings import Settings
from panelcal.reading.understood import Understanding, lines_not_read

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AnchorBank:
    """The anchors as they stand on their sheet.

    Attributes
    ----------
    sheet
        The sheet they are on.
    ids
        (n_anchors) names, in the order of the sheet.
    cells, consensus_cells
        (n_anchors) address of each name and of its consensus (first appearance).
    consensus
        (n_anchors,) known values, in units of the scale; never NaN.
    tiers, clusters
        (n_anchors) labels, "" where an anchor has none; empty tuple where the sheet has no such column.
    agents
        (n_agents) names of those who scored anchors.
    agent_cells
        (n_agents) address of each name.
    dates
        (n_dates) when the anchors were scored, earliest first; ("",) where the sheet has no dates.
    times
        (n_dates,) the same as numbers in that order.
    scores
        (n_dates, n_agents, n_anchors) in units of each agent; NaN = not scored.
    """

    sheet: str
    ids: tuple[str, ...]
    cells: tuple[str, ...]
    consensus: Array
    consensus_cells: tuple[str, ...]
    tiers: tuple[str, ...]
    clusters: tuple[str, ...]
    agents: tuple[str, ...]
    agent_cells: tuple[str, ...]
    dates: tuple[str, ...]
    times: Array
    scores: Array

    @property
    def n_anchors(self) -> int:
        """Number of anchors."""
        return len(self.ids)

    @property
    def n_dates(self) -> int:
        """How many times the anchors were scored."""
        return len(self.dates)


@dataclass(frozen=True, slots=True, eq=False)
class AnchorReading:
    """What was understood from a workbook with anchors and agents' scores.

    Attributes
    ----------
    settings
        The settings in force.
    nouns
        Words for an item, an agent and a score.
    source_name, sheet
        File, and sheet with the scores to be calibrated.
    summary
        "1,050 manuscripts in A5:A1054 and 6 agents in B4:G4, with 240 anchors on sheet Anchors".
    bank
        The anchors; its agents are those of `agents`, in the same order, then those without scores of items.
    items, agents
        (n_items) and (n_agents) names.
    scores
        (n_agents, n_items) scores in units of each agent; NaN = not scored.
    score_dates
        (n_agents, n_items) index into the dates of the bank: the last time the anchors were scored by then.
    consensus
        (n_items,) known values of items, NaN where there is none; None where the sheet has no such column.
    item_cells, agent_cells
        Address of each name on `sheet`.
    decisions
        Everything that was decided.
    fingerprint
        SHA-256, as hex, of the cells read.
    """

    settings: Settings
    nouns: Nouns
    source_name: str
    sheet: str
    summary: str
    bank: AnchorBank
    items: tuple[str, ...]
    agents: tuple[str, ...]
    scores: Array
    score_dates: NDArray[np.intp]
    consensus: Array | None
    item_cells: tuple[str, ...]
    agent_cells: tuple[str, ...]
    decisions: tuple[Decision, ...]
    fingerprint: str

    @property
    def understood(self) -> Understanding:
        """Which agents scored what, on which range, and what was not read."""
        nouns, scores = self.nouns, self.scores[np.isfinite(self.scores)]
        ends = (float(scores.min()), float(scores.max())) if len(scores) else self.bounds
        return Understanding(
            self.agents, self.items, nouns.assessor, nouns.object, nouns.score, *ends, lines_not_read(self.decisions)
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """Ends of the scale of the consensus: as declared on the Settings sheet, else 0 and 100."""
        low, high = self.settings.scale_low, self.settings.scale_high
        return (0.0 if low is None else low, 100.0 if high is None else high)

    @property
    def counts(self) -> str:
        """How much of what was found is used: "2,160 scores of 360 items used, 3 filled cells left out"."""
        used = int(np.isfinite(self.scores).sum())
        excluded = sum(decision.excluded_scores for decision in self.decisions)
        items = counted(len(self.items), "item")
        return f"{counted(used, 'score')} of {items} used, {counted(excluded, 'filled cell')} left out"
