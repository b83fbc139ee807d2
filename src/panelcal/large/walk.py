"""What has to be found out about the pairs, whether they are gone through in the engine's tables or here, in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays
from panelcal.large.pairs import Pairs
from panelcal.large.spread import Spread

if TYPE_CHECKING:
    from panelcal.large.pair_stream import PairStream


UNEXPECTED = 1_000
NO_ROOM = 1e-8
"""Room, of what a score would have alone, below which a score fixes what it is compared with."""


@dataclass(frozen=True, slots=True, eq=False)
class MemberSums:
    """Sums over the eliminated members of each group (n_groups,); v: fitted, m: mean less `centre`, d: confidence.

    Attributes
    ----------
    members, most
        How many there are, and the assessments of the one with most.
    v, vv, moved, together
        Sums of v, v^2, m - v and (m - v) v.
    dv, dvv, change
        Sums of d v, d v^2 and d (m - v).
    low, high, far
        Least and largest m - v, and largest size of v.
    """

    members: Array
    most: Array
    v: Array
    vv: Array
    moved: Array
    together: Array
    dv: Array
    dvv: Array
    change: Array
    low: Array
    high: Array
    far: Array


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """What a solution leaves over.

    Attributes
    ----------
    left_over
        (n_kept,) sum of c x residual: what the normal equations leave over.
    squares
        (n_kept,) sum of c x squared residual, with what repeated pairs scatter.
    members
        Sums over the eliminated members.
    """

    left_over: Array
    squares: Array
    members: MemberSums


@dataclass(frozen=True, slots=True, eq=False)
class Closing:
    """All that the results of a member follow from.

    Attributes
    ----------
    solution, group
        (n_kept,) solution of the kept side, and connected group.
    shift
        (n_groups,) what is added to eliminated members' estimates.
    noise, squares, freedom
        (n_groups,) w = R/(N - p), R and N - p.
    quantile
        (n_groups,) of Student's t, for intervals.
    spread
        Entries of the generalised inverse, and the gauge.
    """

    solution: Array
    group: Indices
    shift: Array
    noise: Array
    squares: Array
    freedom: Array
    quantile: Array
    spread: Spread


class Walk(Protocol):
    """Goes through the pairs."""

    pairs: Pairs
    streams: bool
    """Whether sums are made here, over a stream of pairs."""

    def conductance(self) -> Array | None:
        """Return the sum over eliminated members of c_i c_j / d (n_kept, n_kept), None where it is too large."""

    def overlap(self) -> Array:
        """Return the sum over eliminated members of share_i share_j (n_kept, n_kept)."""

    def groups(self) -> Indices:
        """Return the connected group (n_kept,) of each kept member without a square table, the largest being 0."""

    def stream(self) -> PairStream:
        """Return the pairs in pieces."""

    def residuals(self, solution: Array, group: Indices) -> Residuals:
        """Fit the eliminated members to a solution, and tell what is left over."""

    def close(self, closing: Closing) -> Arrays:
        """Fill the table `eliminated_result` for the solution last given; return the thousand wildest pairs.

        The table's columns: label, estimate, standard_error, lower, upper, assessments, average, group_number. The
        pairs, by the size of residual/root(room): e (as text), k, s, residual, freedom, t (externally studentised).
        """
