"""Connected groups and lightest spanning forests of a graph: Borůvka (1926), a level of the forest at a time.

Every panel needs both, and scipy's graph routines take a tenth of a second to load; they are there for large ones.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Indices

_MANY = 100_000


def connected_groups(one: Indices, two: Indices, n_nodes: int) -> Indices:
    """(n_nodes,) the group of every node, for edges in any order; groups are numbered as by `spanning_forest`."""
    if len(one) <= _MANY:
        return spanning_forest(one, two, n_nodes)[1]
    graph = scipy.sparse.coo_array((np.ones(len(one), dtype=np.int8), (one, two)), shape=(n_nodes, n_nodes))
    group: Indices = scipy.sparse.csgraph.connected_components(graph, directed=False)[1].astype(np.intp)
    return group


def spanning_forest(one: Indices, two: Indices, n_nodes: int) -> tuple[Indices, Indices]:
    """Find the lightest spanning forest, and with it the connected groups.

    Parameters
    ----------
    one, two
        (n_edges,) the ends of every edge, lightest edge first; where weights are equal, the first counts as lighter.
    n_nodes
        Nodes are numbered 0, ..., n_nodes - 1; some may have no edge.

    Returns
    -------
    forest
        Numbers of the edges of the forest, ascending.
    group
        (n_nodes,) the group of every node; groups are numbered in the order of their first nodes.
    """
    n_edges = len(one)
    group = np.arange(n_nodes)
    left = np.arange(n_edges)
    forest = []
    while True:
        here, there = group[one[left]], group[two[left]]
        between = here != there
        left, here, there = left[between], here[between], there[between]
        if not left.size:
            break
        # Written from the heaviest to the lightest edge, so that the lightest one remains.
        lightest = np.full(n_nodes, n_edges)
        lightest[np.stack([here, there], axis=1).ravel()[::-1]] = np.repeat(left, 2)[::-1]
        groups = np.flatnonzero(lightest < n_edges)
        chosen = lightest[groups]
        forest.append(np.unique(chosen))
        group = _joined(groups, group[one[chosen]] + group[two[chosen]] - groups, n_nodes)[group]
    first, number = np.unique(group, return_index=True, return_inverse=True)[1:]
    place = np.empty(len(first), dtype=np.intp)
    place[np.argsort(first)] = np.arange(len(first))
    return np.sort(np.concatenate(forest)) if forest else left, place[number]


def _joined(groups: Indices, other: Indices, n_nodes: int) -> Indices:
    """The group (n_nodes,) that stands for each group, where every one of `groups` joins its `other` one."""
    above = np.arange(n_nodes)
    above[groups] = other
    # No circle but of two groups that chose the same edge: the first of them stands for both.
    top = groups[(above[other] == groups) & (groups < other)]
    above[top] = top
    while not np.array_equal(above, further := above[above]):
        above = further
    return above
