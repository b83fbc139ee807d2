"""Ways to put agents on one scale, side by side: how far agents are apart and how far from the consensus.

The table of ASC 2026, section 5, with the rescalings it leaves out. Agreement is measured on the scores to be
calibrated; error and correlation on items with a known value, else on the anchors, each predicted without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.choice import predict_left_out
from panelcal.anchors.curves import AnchorCurve, Kind, fit_anchor_curve
from panelcal.anchors.disagreement import Agreement, AgreementChange, Estimate, agreement, agreement_change
from panelcal.arrays import Array, Indices
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

KIND_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "raw": "Raw scores",
        "min_max": "Min-max",
        "mean_sd": "Mean and SD",
        "linear": "Linear",
        "isotonic": "Isotonic",
        "spline": "Monotone spline",
    }
)
"""Names of the ways, in the order of the table."""

_MOST_ITEMS, _DRAWS = 5_000, 500


@dataclass(frozen=True, slots=True, eq=False)
class ComparedWay:
    """One row of the table.

    Attributes
    ----------
    kind
        "raw" or a kind of curve.
    used_by
        How many agents are calibrated in this way.
    among
        Agreement of the agents on the items, None where no two share one.
    with_consensus
        Agreement measured where the consensus is known; None where it cannot be.
    """

    kind: str
    used_by: int
    among: Agreement | None
    with_consensus: Agreement | None

    @property
    def error(self) -> Estimate | None:
        """Root mean square distance from the consensus, mean over agents."""
        return None if self.with_consensus is None else self.with_consensus.error

    @property
    def correlation(self) -> Estimate | None:
        """Correlation with the consensus, mean over agents."""
        return None if self.with_consensus is None else self.with_consensus.correlation


@dataclass(frozen=True, slots=True, eq=False)
class ComparedWays:
    """The table, and what error and correlation in it were measured on.

    Attributes
    ----------
    ways
        Rows, in the order of `KIND_TITLES`.
    on_items
        Whether the consensus is that of items (else of anchors left out).
    n_known
        How many items or anchors that is.
    n_items
        Items on which agreement was measured; fewer than all where there are very many.
    """

    ways: tuple[ComparedWay, ...]
    on_items: bool
    n_known: int
    n_items: int

    def way(self, kind: str) -> ComparedWay:
        """Return the row of that kind."""
        return next(way for way in self.ways if way.kind == kind)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredItems:
    """What the agents gave the items that are to be calibrated.

    Attributes
    ----------
    scores
        (n_agents, n_items), NaN = none.
    dates
        (n_agents, n_items) index of the date of the anchors that belongs to each score.
    known
        (n_items,) values known otherwise, NaN = not; None where none is.
    """

    scores: Array
    dates: Indices
    known: Array | None

    def at(self, chosen: Indices) -> ScoredItems:
        """Return some of the items."""
        known = None if self.known is None else self.known[chosen]
        return ScoredItems(self.scores[:, chosen], self.dates[:, chosen], known)


def compare_ways(items: ScoredItems, agents: Sequence[AgentCurve], consensus: Array, *, level: float) -> ComparedWays:
    """Put all ways side by side, for the agents whose scores are used.

    Parameters
    ----------
    items
        Scores of the first agents.
    agents
        Those of the anchors, in their order.
    consensus
        (n_anchors,) of the anchors.
    level
        Of the intervals.
    """
    used = [k for k in range(len(items.scores)) if agents[k].usable]
    compared = items.at(_items_compared(items.scores.shape[1]))
    known = compared.known
    on_items = known is not None and int(np.isfinite(known).sum()) >= 3
    ways = []
    for kind in KIND_TITLES:
        mapped = np.array([_mapped(compared, agents[k], k, kind) for k in used])
        among = _agreement(mapped, known if on_items else None, level)
        measured = among
        if not on_items:
            measured = _agreement(_left_out(agents, used, kind, len(consensus)), consensus, level)
        used_by = sum(_kind(agents[k]) == kind for k in used)
        ways.append(ComparedWay(kind, used_by, among, measured))
    n_known = int(np.isfinite(known).sum()) if on_items and known is not None else len(consensus)
    return ComparedWays(tuple(ways), on_items, n_known, compared.scores.shape[1])


def compare_scores(
    items: ScoredItems, agents: Sequence[AgentCurve], calibrated: Array, *, level: float
) -> AgreementChange | None:
    """Compare the agents that count before and after calibration (n_agents, n_items); None without common items."""
    used = [k for k in range(len(items.scores)) if agents[k].usable]
    chosen = _items_compared(items.scores.shape[1])
    compared = items.at(chosen)
    try:
        after = calibrated[np.ix_(np.array(used), chosen)]
        return agreement_change(compared.scores[used], after, compared.known, level=level, draws=_DRAWS)
    except MethodNotApplicable:
        return None


def _items_compared(count: int) -> Indices:
    """Items on which agreement is measured: all, or evenly spaced ones where there are very many."""
    if count <= _MOST_ITEMS:
        return np.arange(count)
    return np.linspace(0, count - 1, _MOST_ITEMS).round().astype(np.intp)


def _kind(agent: AgentCurve) -> str:
    return "" if agent.curve is None else agent.curve.kind


def _agreement(table: Array, consensus: Array | None, level: float) -> Agreement | None:
    try:
        return agreement(table, consensus, level=level, draws=_DRAWS)
    except MethodNotApplicable:
        return None


def _mapped(items: ScoredItems, agent: AgentCurve, row: int, kind: str) -> Array:
    """Scores of an agent (n_items,) as that kind of curve maps them, each by the anchors of its date."""
    scores, dates = items.scores[row], items.dates[row]
    out = np.full(len(scores), np.nan)
    for date in np.unique(dates[np.isfinite(scores)]):
        there = dates == date
        curve = agent.in_use[date]
        if curve is not None:
            out[there] = scores[there] if kind == "raw" else _of_kind(curve, kind)(scores[there])
    return out


def _of_kind(curve: AnchorCurve, kind: str) -> AnchorCurve:
    if curve.kind == kind:
        return curve
    return fit_anchor_curve(curve.anchor_scores, curve.consensus, kind=_as_kind(kind), bounds=curve.bounds)


def _as_kind(kind: str) -> Kind:
    return kind  # type: ignore[return-value]


def _left_out(agents: Sequence[AgentCurve], used: Sequence[int], kind: str, n_anchors: int) -> Array:
    """Scores of the anchors (n_used, n_anchors) as that kind of curve maps them when fitted without them."""
    table = np.full((len(used), n_anchors), np.nan)
    for row, k in enumerate(used):
        choice = agents[k].choice
        assert choice is not None
        curve = choice.curve
        if kind == "raw":
            table[row, curve.used] = curve.anchor_scores
        elif kind in choice.kinds:
            table[row, curve.used] = choice.predictions[choice.kinds.index(_as_kind(kind))]
        else:
            table[row, curve.used] = predict_left_out(curve, _as_kind(kind))
    return table
