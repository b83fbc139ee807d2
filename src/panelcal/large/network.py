"""How the kept side hangs together: the system (15) as a square table, or which members are linked at all."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse import csgraph

from panelcal.errors import DisconnectedPanel
from panelcal.frozen import dataclass
from panelcal.large.engine import Engine
from panelcal.large.pair_stream import PairStream
from panelcal.large.pairs import Pairs

Array = NDArray[np.float64]

SQUARE_AT_MOST = 5_000
"""Kept members up to which the system is one square table (200 MB)."""
JOINED_AT_MOST = 20.0
"""Pairs of an eliminated member, on average over pairs, up to which a self-join is quicker than streaming."""
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


def square_by_join(engine: Engine, pairs: Pairs) -> Square:
    """Add up the square tables in the engine: a join of the pairs with themselves, member by member."""
    n = pairs.n_kept
    tables = np.zeros((2, n, n))
    for part in range(pairs.parts):
        only = f"WHERE part = {part}" if pairs.parts > 1 else ""
        some = f"(SELECT e, k, c, share FROM linked {only})"
        found = engine.fetch(
            f"SELECT CAST(p.k AS BIGINT) * {n} + q.k AS at, sum(p.share * q.c) AS c, sum(p.share * q.share) AS s "
            f"FROM {some} AS p JOIN {some} AS q ON p.e = q.e AND q.k <= p.k GROUP BY CAST(p.k AS BIGINT) * {n} + q.k"
        )
        rows, columns = np.divmod(found["at"], n)
        for table, amounts in zip(tables, (found["c"], found["s"]), strict=True):
            table[rows, columns] += amounts
    return Square(*(table + np.tril(table, -1).T for table in tables))


def square_by_streaming(stream: PairStream) -> Square:
    """Add up the same from pieces of the pairs, as products of sparse tables."""
    tables = np.zeros((2, stream.n_kept, stream.n_kept))
    for piece in stream:
        tables[0] += (piece.shares.T @ piece.links).toarray()
        tables[1] += (piece.shares.T @ piece.shares).toarray()
    return Square(*tables)


def groups_of_square(square: Square) -> NDArray[np.intp]:
    """Return the connected group (n_kept,) of each kept member, the largest being 0."""
    return _largest_first(csgraph.connected_components(sp.csr_array(square.conductance), directed=False)[1])


def groups_by_links(engine: Engine, n_kept: int) -> NDArray[np.intp]:
    """Find the same where there is no square table: every member of an eliminated one is linked to its first."""
    found = engine.fetch(
        "SELECT DISTINCT m.first AS i, p.k AS j FROM linked AS p "
        "JOIN (SELECT e, min(k) AS first FROM linked GROUP BY e) AS m ON p.e = m.e"
    )
    ones = np.ones(len(found["i"]), dtype=np.int8)
    graph = sp.coo_array((ones, (found["i"], found["j"])), shape=(n_kept, n_kept))
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
