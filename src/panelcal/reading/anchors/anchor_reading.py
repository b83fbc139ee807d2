"""The result of reading anchors and agents' scores: the numbers, where they stood, and every decision on the way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.reading.anchors.reviews_sheet import AnchorReviews
from panelcal.reading.nouns import counted
from panelcal.reading.understood import Understood


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
    reviews
        What the consensus comes from; None where it was typed. Cells of such a consensus are on the sheet of reviews.
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
    reviews: AnchorReviews | None = None

    @property
    def n_anchors(self) -> int:
        """Number of anchors."""
        return len(self.ids)

    @property
    def n_dates(self) -> int:
        """How many times the anchors were scored."""
        return len(self.dates)

    def consensus_sheet(self, anchor: int) -> str:
        """Name the sheet that the consensus of an anchor stands on, or comes from."""
        reviewed = self.reviews is not None and self.ids[anchor] in self.reviews.anchors
        return self.reviews.sheet if self.reviews is not None and reviewed else self.sheet


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AnchorReading(Understood):
    """What was understood from a workbook with anchors and agents' scores.

    Attributes
    ----------
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
    """

    bank: AnchorBank
    items: tuple[str, ...]
    agents: tuple[str, ...]
    scores: Array
    score_dates: Indices
    consensus: Array | None
    item_cells: tuple[str, ...]
    agent_cells: tuple[str, ...]

    @property
    def who_and_what(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the agents and of the items."""
        return self.agents, self.items

    @property
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest score of an item, in units of the agents."""
        scores = self.scores[np.isfinite(self.scores)]
        return (float(scores.min()), float(scores.max())) if len(scores) else self.bounds

    @property
    def bounds(self) -> tuple[float, float]:
        """Ends of the scale of the consensus: as declared on the Settings sheet, else 0 and 100."""
        low, high = self.settings.scale_low, self.settings.scale_high
        return (0.0 if low is None else low, 100.0 if high is None else high)

    @property
    def used(self) -> str:
        """How many scores are used: "2,160 scores of 360 items"."""
        scores = counted(int(np.isfinite(self.scores).sum()), "score")
        return f"{scores} of {counted(len(self.items), 'item')}"
