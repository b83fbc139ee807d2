"""How the kept side hangs together: the system (15) as a square table, or which members are linked at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse import csgraph

from panelcal.arrays import Array, Indices
from panelcal.errors import DisconnectedPanel
from panelcal.large.pairs import Pairs

if TYPE_CHECKING:
    from panelcal.large.pair_stream import Piece


SQUARE_AT_MOST = 5_000
"""Kept members up to which the system is one square table (200 MB)."""
_LOOKED_UP = 100.0  # what it costs to look a place up in a table, beside a step of a product of tables
_CELLS_AT_ONCE = 4_000_000
_NAMED_GROUPS, _NAMED_MEMBERS = 4, 6


def fits_square(n_kept: int) -> bool:
    """Whether the system between so many members is set up as a square table."""
    return n_kept <= SQUARE_AT_MOST


class SquareSums:
    """Adds up two tables between kept members: of conductance, c_i c_j / d, and of overlap, share_i share_j.

    Parameters
    ----------
    n_kept
        Number of kept members.
    """

    def __init__(self, n_kept: int) -> None:
        self._n = n_kept
        self._conductance, self._overlap = np.zeros((2, n_kept * n_kept))  # below the diagonal and on it

    def add(self, piece: Piece) -> None:
        """Add one more."""
        shares = piece.shares()
        products = float((piece.sizes.astype(np.float64) ** 2).sum())
        if _LOOKED_UP * products > float(self._n) ** 2 * len(piece.sizes):
            self._add_products(piece, shares)
            return
        conductance, overlap = self._conductance, self._overlap
        k = piece.k.astype(np.intp)
        conductance[:: self._n + 1] += np.bincount(k, shares * piece.confidence, self._n)
        overlap[:: self._n + 1] += np.bincount(k, shares * shares, self._n)
        for i, j in piece.two_by_two():
            at, share = k[j] * self._n + k[i], shares[j]
            np.add.at(conductance, at, share * piece.confidence[i])
            np.add.at(overlap, at, share * shares[i])

    def _add_products(self, piece: Piece, shares: Array) -> None:
        """Multiply tables, where members have many pairs each or there are few kept ones."""
        share, link = piece.table(shares, self._n), piece.table(piece.confidence, self._n)
        step = max(1, _CELLS_AT_ONCE // self._n)
        for first in range(0, len(piece.sizes), step):
            some = share[first : first + step, :].toarray().T
            for table, other in ((self._conductance, link), (self._overlap, share)):
                np.add(table, np.tril(some @ other[first : first + step, :].toarray()).ravel(), out=table)

    def add_places(self, at: NDArray[np.int64], conductance: Array, overlap: Array) -> None:
        """Add sums that are known by place: row times n_kept plus column, on the diagonal or below it."""
        self._conductance[at] += conductance
        self._overlap[at] += overlap

    def conductance(self) -> Array:
        """Return the table of conductance (n_kept, n_kept), symmetric, with the diagonal."""
        return self._whole(self._conductance)

    def overlap(self) -> Array:
        """Return the table of overlap (n_kept, n_kept)."""
        return self._whole(self._overlap)

    def _whole(self, below: Array) -> Array:
        table = below.reshape(self._n, self._n)
        return np.asarray(table + np.tril(table, -1).T)


def groups_of_square(conductance: Array) -> Indices:
    """Return the connected group (n_kept,) of each kept member, the largest being 0."""
    met = conductance[0] > 0
    reached = np.count_nonzero(conductance[met] > 0, axis=0) > 0 if np.count_nonzero(met) < len(met) else met
    if reached.all():  # as nearly always: everybody has met somebody whom the first has met
        return np.zeros(len(conductance), dtype=np.intp)
    return _largest_first(csgraph.connected_components(sp.csr_array(conductance), directed=False)[1])


def groups_of_links(i: NDArray[np.integer[Any]], j: NDArray[np.integer[Any]], n_kept: int) -> Indices:
    """Find the same from links between kept members."""
    graph = sp.coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(n_kept, n_kept))
    return _largest_first(csgraph.connected_components(graph, directed=False)[1])


def _largest_first(group: NDArray[np.int32]) -> Indices:
    sizes = np.bincount(group)
    place = np.empty(len(sizes), dtype=np.intp)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return place[group]


def require_one_group(pairs: Pairs, group: Indices) -> None:
    """Do nothing if all hang together.

    Raises
    ------
    DisconnectedPanel
        Otherwise, naming the groups by their kept members.
    """
    count = int(group.max()) + 1
    if count == 1:
        return
    members = [[str(label) for label in pairs.kept_labels[group == k][:_NAMED_MEMBERS]] for k in range(_NAMED_GROUPS)]
    sizes = np.bincount(group)
    listed = "; ".join(
        f"group {k + 1}: {', '.join(some)}{' ...' if sizes[k] > len(some) else ''} ({sizes[k]:,})"
        for k, some in enumerate(members[:count])
    )
    more = f"; and {count - _NAMED_GROUPS:,} more groups" if count > _NAMED_GROUPS else ""
    raise DisconnectedPanel(
        f"The panel falls into {count:,} groups with no object and no assessor in common, so nothing says how their "
        f"scores compare. By {pairs.kept}, {listed}{more}. Add --groups apart to calibrate each by itself, or link "
        "them.",
        (),
    )
