"""How the kept side hangs together: the system (15) as a square table, or which members are linked at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse import csgraph

from panelcal.errors import DisconnectedPanel
from panelcal.frozen import dataclass
from panelcal.large.pair_stream import Piece
from panelcal.large.pairs import Pairs

Array = NDArray[np.float64]

SQUARE_AT_MOST = 5_000
"""Kept members up to which the system is one square table (200 MB)."""
_LOOKED_UP = 100.0  # what it costs to look a place up in a table, beside a step of a product of tables
_CELLS_AT_ONCE = 4_000_000
_NAMED_GROUPS, _NAMED_MEMBERS = 4, 6


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """The system between kept members as square tables.

    Attributes
    ----------
    conductance
        (n_kept, n_kept) sum over eliminated members of c_i c_j / d, with the diagonal.
    overlap
        (n_kept, n_kept) sum over eliminated members of share_i share_j, with the diagonal.
    """

    conductance: Array
    overlap: Array


def fits_square(n_kept: int) -> bool:
    """Whether the system between so many members is set up as a square table."""
    return n_kept <= SQUARE_AT_MOST


class SquareSums:
    """Adds the square tables up from pieces of the pairs.

    Parameters
    ----------
    n_kept
        Number of kept members.
    """

    def __init__(self, n_kept: int) -> None:
        self._n = n_kept
        self._tables = np.zeros((2, n_kept * n_kept))

    def add(self, piece: Piece) -> None:
        """Add one more."""
        shares = piece.shares()
        products = float((piece.sizes.astype(np.float64) ** 2).sum())
        if _LOOKED_UP * products > float(self._n) ** 2 * len(piece.sizes):
            self._add_products(piece, shares)
            return
        conductance, overlap = self._tables
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
            for number, other in enumerate((link, share)):
                self._tables[number] += np.tril(some @ other[first : first + step, :].toarray()).ravel()

    def square(self) -> Square:
        """Return the tables as they are by now."""
        tables = (table.reshape(self._n, self._n) for table in self._tables)
        return Square(*(table + np.tril(table, -1).T for table in tables))


def groups_of_square(square: Square) -> NDArray[np.intp]:
    """Return the connected group (n_kept,) of each kept member, the largest being 0."""
    return _largest_first(csgraph.connected_components(sp.csr_array(square.conductance), directed=False)[1])


def groups_of_links(i: NDArray[np.integer[Any]], j: NDArray[np.integer[Any]], n_kept: int) -> NDArray[np.intp]:
    """Find the same from links between kept members."""
    graph = sp.coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(n_kept, n_kept))
    return _largest_first(csgraph.connected_components(graph, directed=False)[1])


def _largest_first(group: NDArray[np.int32]) -> NDArray[np.intp]:
    sizes = np.bincount(group)
    place = np.empty(len(sizes), dtype=np.intp)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return place[group]


def require_one_group(pairs: Pairs, group: NDArray[np.intp]) -> None:
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
