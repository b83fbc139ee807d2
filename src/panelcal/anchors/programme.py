"""Running a programme of anchors: what scoring them costs, and which to replace (ASC 2026, sections 5 and 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.anchors.columns import as_floats
from panelcal.arrays import Array, Indices
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_BANDS = 4  # parts of the scale that keep their share of anchors


@dataclass(frozen=True, slots=True)
class ProgrammeCost:
    """What the anchors cost in one period.

    Attributes
    ----------
    scorings
        Anchor scores asked for, anchors x agents x checks.
    volume
        Scores of new items in the same period.
    share
        scorings / volume.
    sentence
        The same in words.
    """

    scorings: int
    volume: float
    share: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """Anchors to replace this quarter.

    Attributes
    ----------
    retire
        Their indexes, most urgent first.
    reasons
        Why, one for each.
    share
        The share of anchors that is.
    """

    retire: tuple[int, ...]
    reasons: tuple[str, ...]
    share: float


def programme_cost(n_anchors: int, n_agents: int, volume: float, *, checks: int = 1) -> ProgrammeCost:
    """Return the cost of the anchors as a share of the volume of reviews.

    Parameters
    ----------
    n_anchors, n_agents
        Anchors that each agent scores at each check.
    volume
        Reviews written by all agents together in the same period.
    checks
        How often the anchors are scored in that period.

    Raises
    ------
    MethodNotApplicable
        If the volume is not positive.
    """
    if not (np.isfinite(volume) and volume > 0):
        raise MethodNotApplicable("The volume of reviews must be a positive number: how many scores agents give.")
    scorings = n_anchors * n_agents * checks
    share = scorings / volume
    amount = f"{share:.1%} of them" if share < 1 else f"{share:.1f} for each"
    return ProgrammeCost(
        scorings=scorings,
        volume=float(volume),
        share=share,
        sentence=f"Scoring the anchors takes {scorings:,} scores beside {volume:,.0f} to calibrate, {amount}.",
    )


def propose_rotation(
    consensus: ArrayLike,
    *,
    share: float = 0.10,
    quarters_used: ArrayLike | None = None,
    flagged: ArrayLike | None = None,
) -> Rotation:
    """Propose which anchors to replace this quarter.

    Flagged anchors go first, then those longest in use. The others are taken in turn from four parts of the scale that
    hold equally many anchors, so that the bank goes on spanning it; within a part, one that has another anchor closest
    beside it goes first, since it is missed least.

    Parameters
    ----------
    consensus
        (n,) of the anchors; NaN = none, such an anchor is of no use and counts as flagged.
    share
        Share of the anchors to replace, 10% a quarter by default; rounded up.
    quarters_used
        (n,) how long each has been in use; None = all equally long.
    flagged
        (n,) anchors that look leaked or doubtful (`review_anchors`). All of them are proposed, also beyond the share.

    Raises
    ------
    MethodNotApplicable
        If there are no anchors, lengths differ or the share is not between 0 and 1.
    """
    known = as_floats(consensus, 1)
    n = len(known)
    used = np.zeros(n) if quarters_used is None else np.nan_to_num(as_floats(quarters_used, 1))
    suspect = np.zeros(n, dtype=bool) if flagged is None else np.array(flagged, dtype=bool)
    if n == 0 or used.shape != known.shape or suspect.shape != known.shape:
        raise MethodNotApplicable("Rotation needs anchors, and as many ages and flags as there are anchors.")
    if not 0 <= share <= 1:
        raise MethodNotApplicable(f"The share of anchors to replace must lie between 0 and 1, not {share:g}.")
    suspect |= np.isnan(known)
    wanted = max(int(np.ceil(share * n - 1e-9)), int(suspect.sum()))
    retire = np.flatnonzero(suspect).tolist()
    reasons = ["looks leaked or doubtful" if np.isfinite(known[k]) else "has no consensus" for k in retire]

    in_order = np.flatnonzero(~suspect)[np.argsort(known[~suspect], kind="stable")]
    queues = [_queue(band, known, used) for band in np.array_split(in_order, _BANDS)]
    # In turn through the bands; the oldest anchor of any band decides which band begins.
    turns = sorted(
        (turn, -used[anchor], band, anchor) for band, queue in enumerate(queues) for turn, anchor in enumerate(queue)
    )
    for turn in turns[: wanted - len(retire)]:
        retire.append(turn[3])
        reasons.append(f"in use for {used[turn[3]]:g} quarters" if used.any() else "due by turn; another is close by")
    return Rotation(tuple(retire), tuple(reasons), len(retire) / n)


def _queue(band: Indices, known: Array, used: Array) -> list[int]:
    """Anchors (k,) of a band in order of consensus -> the order in which they should go."""
    if len(band) < 2:
        return band.tolist()
    gaps = np.diff(known[band])
    beside = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    return band[np.lexsort((beside, -used[band]))].tolist()
