"""Ways to put agents on one scale, side by side: how far agents are apart and how far from the consensus.

The table of ASC 2026, section 5, with the rescalings it leaves out. Agreement is measured on the scores to be
calibrated; error and correlation on items with a known value, else on the anchors, each predicted without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from panelcal.anchors.choice import predict_left_out
from panelcal.anchors.curves import AnchorCurve, Kind, fit_anchor_curve
from panelcal.anchors.disagreement import Agreement, AgreementChange, Estimate, agreement, agreement_change
from panelcal.errors import MethodNotApplicable
from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.systems.anchors.agent_curves import AgentCurve

Array = NDArray[np.float64]

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


def compare_ways(reading: AnchorReading, agents: Sequence[AgentCurve]) -> ComparedWays:
    """Put all ways side by side, for the agents whose scores are used.

    Parameters
    ----------
    agents
        Those of the bank, in its order.
    """
    used = [k for k in range(len(reading.agents)) if agents[k].usable]
    chosen = _items_compared(reading)
    known = None if reading.consensus is None else reading.consensus[chosen]
    on_items = known is not None and int(np.isfinite(known).sum()) >= 3
    level = reading.settings.level
    ways = []
    for kind in KIND_TITLES:
        items = np.array([_mapped(reading, agents, k, kind, chosen) for k in used])
        among = _agreement(items, known if on_items else None, level)
        measured = among
        if not on_items:
            measured = _agreement(_left_out(reading, agents, used, kind), reading.bank.consensus, level)
        used_by = sum(_kind(agents[k]) == kind for k in used)
        ways.append(ComparedWay(kind, used_by, among, measured))
    n_known = int(np.isfinite(known).sum()) if on_items and known is not None else reading.bank.n_anchors
    return ComparedWays(tuple(ways), on_items, n_known, len(chosen))


def compare_scores(reading: AnchorReading, agents: Sequence[AgentCurve], calibrated: Array) -> AgreementChange | None:
    """Compare the agents that count before and after calibration (n_agents, n_items); None without common items."""
    used = [k for k in range(len(reading.agents)) if agents[k].usable]
    chosen = _items_compared(reading)
    known = None if reading.consensus is None else reading.consensus[chosen]
    at = np.ix_(np.array(used), chosen)
    try:
        return agreement_change(reading.scores[at], calibrated[at], known, level=reading.settings.level, draws=_DRAWS)
    except MethodNotApplicable:
        return None


def _items_compared(reading: AnchorReading) -> NDArray[np.intp]:
    """Items on which agreement is measured: all, or evenly spaced ones where there are very many."""
    count = len(reading.items)
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


def _mapped(reading: AnchorReading, agents: Sequence[AgentCurve], k: int, kind: str, chosen: NDArray[np.intp]) -> Array:
    """Scores of an agent (n_chosen,) as that kind of curve maps them, each by the anchors of its date."""
    scores = reading.scores[k, chosen]
    dates = reading.score_dates[k, chosen]
    out = np.full(len(chosen), np.nan)
    for date in np.unique(dates[np.isfinite(scores)]):
        there = dates == date
        curve = agents[k].in_use[date]
        if curve is not None:
            out[there] = scores[there] if kind == "raw" else _of_kind(curve, kind)(scores[there])
    return out


def _of_kind(curve: AnchorCurve, kind: str) -> AnchorCurve:
    if curve.kind == kind:
        return curve
    return fit_anchor_curve(curve.anchor_scores, curve.consensus, kind=_as_kind(kind), bounds=curve.bounds)


def _as_kind(kind: str) -> Kind:
    return kind  # type: ignore[return-value]


def _left_out(reading: AnchorReading, agents: Sequence[AgentCurve], used: Sequence[int], kind: str) -> Array:
    """Scores of the anchors (n_used, n_anchors) as that kind of curve maps them when fitted without them."""
    table = np.full((len(used), reading.bank.n_anchors), np.nan)
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
