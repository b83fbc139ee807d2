"""Where an agent contradicts the consensus: a monotone curve cannot mend scores that fall where they should rise.

Kendall's tau between scores and consensus is tested against "no association" on all anchors, on overlapping parts of
the agent's scale, and in each tier and topical cluster (ASC 2026, section 6). The tests of one agent are corrected
together (Holm 1979), so that looking at many parts does not make
false alarms: healthy agents, whose tau is positive everywhere, are hardly ever flagged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.anchors.curves import AnchorCurve
from panelcal.anchors.rank_correlation import kendall_tau
from panelcal.arrays import Array, Mask
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.tails import holm

FEWEST_IN_PART = 8  # with fewer, even a complete reversal is hardly news
_WINDOW = 1 / 3  # of the anchors, in order of score; each window starts half a window after the one before


@dataclass(frozen=True, slots=True)
class Part:
    """One group of anchors and how the agent orders them.

    Attributes
    ----------
    where
        "all anchors", "scores 20 to 45", "tier minor", "cluster physics".
    n_anchors
        How many.
    tau
        Kendall's tau-b with the consensus, from -1 to 1.
    reversed_share
        Of the pairs that differ in both, the share the agent puts the wrong way round; NaN without any.
    p_value, adjusted_p
        Probability of a tau this low if there were no association; the same corrected for all parts looked at.
    failed
        Whether the agent is anti-correlated with the consensus here.
    """

    where: str
    n_anchors: int
    tau: float
    reversed_share: float
    p_value: float
    adjusted_p: float
    failed: bool


@dataclass(frozen=True, slots=True)
class Monotonicity:
    """Whether a monotone curve can do for an agent.

    Attributes
    ----------
    parts
        All groups of anchors looked at.
    failed
        Whether the agent is anti-correlated with the consensus in any of them.
    sentence
        The finding in words.
    """

    parts: tuple[Part, ...]
    failed: bool
    sentence: str


def check_monotonicity(
    curve: AnchorCurve,
    *,
    tiers: Sequence[Any] | None = None,
    clusters: Sequence[Any] | None = None,
    level: float = 0.05,
) -> Monotonicity:
    """Look for parts of the anchors where the agent's scores fall as the consensus rises.

    Parameters
    ----------
    curve
        The agent's curve, with its anchors.
    tiers, clusters
        Labels of the anchors given to `fit_anchor_curve`, in that order; None or "" = no label. Groups of fewer than
        eight are left out.
    level
        Probability of flagging an agent whose scores say nothing anywhere; one whose scores rise is flagged less often.

    Raises
    ------
    MethodNotApplicable
        If there are not as many labels as anchors.
    """
    scores = curve.anchor_scores
    groups = [("all anchors", np.ones(len(scores), dtype=bool)), *_score_windows(scores)]
    for noun, labels in (("tier", tiers), ("cluster", clusters)):
        if labels is not None:
            groups += _labelled(noun, labels, curve.used)
    groups = [groups[0]] + [(where, inside) for where, inside in groups[1:] if inside.sum() >= FEWEST_IN_PART]
    taus = [kendall_tau(scores[inside], curve.consensus[inside]) for _, inside in groups]
    adjusted = holm(np.array([tau.p_reversed for tau in taus]))
    parts = tuple(
        Part(
            where=where,
            n_anchors=int(inside.sum()),
            tau=tau.value,
            reversed_share=tau.reversed_share,
            p_value=tau.p_reversed,
            adjusted_p=float(p),
            failed=bool(p < level),
        )
        for (where, inside), tau, p in zip(groups, taus, adjusted, strict=True)
    )
    return Monotonicity(parts, any(part.failed for part in parts), _sentence(parts))


def _score_windows(scores: Array) -> list[tuple[str, Mask]]:
    """Groups of anchors next to each other on the agent's scale; equal scores are never torn apart."""
    in_order = np.sort(scores)
    length = int(np.ceil(len(scores) * _WINDOW))
    found = {}
    for start in np.unique(np.linspace(0, len(scores) - length, 5).round().astype(np.intp)):
        low, high = in_order[start], in_order[start + length - 1]
        inside = (scores >= low) & (scores <= high)
        if not inside.all():
            found[f"scores {low:g} to {high:g}"] = inside
    return list(found.items())


def _labelled(noun: str, labels: Sequence[Any], used: Mask) -> list[tuple[str, Mask]]:
    if len(labels) != len(used):
        raise MethodNotApplicable(f"There are {len(labels)} {noun} labels for {len(used)} anchors: give one for each.")
    texts = np.array(["" if label is None else str(label).strip() for label in labels])[used]
    return [(f"{noun} {text}", texts == text) for text in dict.fromkeys(texts.tolist()) if text]


def _sentence(parts: tuple[Part, ...]) -> str:
    failed = [part for part in parts if part.failed]
    if not failed:
        return f"No sign that the agent contradicts the consensus ({len(parts)} groups of anchors looked at)."
    where = "; ".join(f"{part.where} (tau {part.tau:.2f}, {part.n_anchors} anchors)" for part in failed)
    return (
        f"The agent's scores fall where the consensus rises: {where}. A monotone curve cannot mend this; do not use "
        "its scores there."
    )
