"""The assessor-object graph: what holds it together and where it is thin.

Whether a common scale exists is a question of connectivity (the paper, "Solution of the basic model"); how firmly it
holds shows in the links between assessors. Eigenvalues (mu_2) are left to `calibration.robustness`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse import csgraph

from panelcal.errors import DisconnectedPanel
from panelcal.panel import Panel, as_dense

_NAMED = 6
_CUTS_TRIED = 200


@dataclass(frozen=True, slots=True)
class WeakLink:
    """A place where two parts of the panel hang together.

    Attributes
    ----------
    assessors
        The smaller part, by its assessors.
    through
        The objects that were assessed on both sides of the link.
    conductance
        How much confidence the link carries: the sum over those objects of (confidence from one side x confidence from
        the other) / (confidence from both), in units of confidence. Objects and assessors behave like a network of
        resistors; this is the conductance across the cut.
    """

    assessors: tuple[str, ...]
    through: tuple[str, ...]
    conductance: float


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """How a panel hangs together.

    Attributes
    ----------
    components
        One ``(objects, assessors)`` pair of label tuples per connected group, largest first.
    links
        (n_assessors, n_assessors) number of objects two assessors share; on the diagonal, how many objects each has.
    weakest_links
        The weakest links, weakest first: cuts of the maximum-conductance spanning tree between assessors. Assessors
        with a single object are left out; they are in `single_object_assessors`.
    single_assessor_objects
        Objects with one assessor: kept, but nothing checks their score.
    single_object_assessors
        Assessors with one object: their score only determines their own bias and changes no value.
    """

    components: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    links: NDArray[np.intp]
    weakest_links: tuple[WeakLink, ...]
    single_assessor_objects: tuple[str, ...]
    single_object_assessors: tuple[str, ...]


def component_labels(panel: Panel) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
    """Number of connected groups, and the group of every object and of every assessor (largest group first)."""
    size = panel.n_objects + panel.n_assessors
    graph = sp.coo_array(
        (np.ones(panel.n_assessments, dtype=np.int8), (panel.object_index, panel.n_objects + panel.assessor_index)),
        shape=(size, size),
    )
    count, group = csgraph.connected_components(graph, directed=False)
    if count > 1:
        order = np.argsort(-np.bincount(group), kind="stable")
        place = np.empty(count, dtype=np.intp)
        place[order] = np.arange(count)
        group = place[group]
    return count, group[: panel.n_objects], group[panel.n_objects :]


def components(panel: Panel) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the connected groups as ``(objects, assessors)`` pairs of label tuples, largest first."""
    count, object_group, assessor_group = component_labels(panel)
    if count == 1:
        return ((panel.objects, panel.assessors),)
    object_members: list[list[str]] = [[] for _ in range(count)]
    assessor_members: list[list[str]] = [[] for _ in range(count)]
    for label, group in zip(panel.objects, object_group, strict=True):
        object_members[group].append(label)
    for label, group in zip(panel.assessors, assessor_group, strict=True):
        assessor_members[group].append(label)
    return tuple((tuple(o), tuple(a)) for o, a in zip(object_members, assessor_members, strict=True))


def require_connected(panel: Panel) -> None:
    """Do nothing if the panel is connected.

    Raises
    ------
    DisconnectedPanel
        Otherwise, naming the groups and what would join them.
    """
    groups = components(panel)
    if len(groups) == 1:
        return
    first, second = groups[0], groups[1]
    described = "; ".join(
        f"group {k}: {_some(objects)} assessed by {_some(assessors)}"
        for k, (objects, assessors) in enumerate(groups[:4], 1)
    )
    more = f"; and {len(groups) - 4} more groups" if len(groups) > 4 else ""
    raise DisconnectedPanel(
        f"The panel falls into {len(groups)} groups with no object and no assessor in common, so nothing says how "
        f"their scores compare ({described}{more}). Calibrate each group by itself, or link them: for example one "
        f"score by {first[1][0]} for {second[0][0]} would join groups 1 and 2.",
        groups,
    )


def network(panel: Panel, *, most: int = 10) -> Network:
    """Describe how the panel hangs together.

    Parameters
    ----------
    panel
        Need not be connected.
    most
        At most this many weakest links are returned.
    """
    incidence = panel.table(np.ones(panel.n_assessments)) > 0
    incidence = incidence.astype(np.float64)
    shared = as_dense(incidence.T @ incidence).astype(np.intp)
    objects_each = shared.diagonal()
    assessors_each = np.asarray(incidence.sum(axis=1)).ravel()
    return Network(
        components=components(panel),
        links=shared,
        weakest_links=_weakest_links(panel, objects_each, most),
        single_assessor_objects=tuple(panel.objects[k] for k in np.flatnonzero(assessors_each == 1)),
        single_object_assessors=tuple(panel.assessors[k] for k in np.flatnonzero(objects_each == 1)),
    )


def find_bridges(panel: Panel) -> NDArray[np.bool_]:
    """Return (N,) whether leaving out that one assessment would split its group (a bridge of the graph)."""
    n_nodes = panel.n_objects + panel.n_assessors
    ends = np.concatenate([panel.object_index, panel.n_objects + panel.assessor_index])
    others = np.concatenate([panel.n_objects + panel.assessor_index, panel.object_index])
    edges = np.tile(np.arange(panel.n_assessments), 2)
    order = np.argsort(ends, kind="stable")
    start = np.searchsorted(ends[order], np.arange(n_nodes + 1)).tolist()
    neighbour, edge = others[order].tolist(), edges[order].tolist()

    bridge = np.zeros(panel.n_assessments, dtype=np.bool_)
    found = [0] * n_nodes  # order of discovery, 0 = not yet
    low = [0] * n_nodes  # earliest node reachable without the edge we came by
    next_place, clock = start[:-1].copy(), 0
    for root in range(n_nodes):
        if found[root]:
            continue
        clock += 1
        found[root] = low[root] = clock
        path: list[tuple[int, int]] = [(root, -1)]
        while path:
            node, came_by = path[-1]
            if next_place[node] < start[node + 1]:
                k = next_place[node]
                next_place[node] += 1
                if edge[k] == came_by:
                    continue
                other = neighbour[k]
                if found[other]:
                    low[node] = min(low[node], found[other])
                else:
                    clock += 1
                    found[other] = low[other] = clock
                    path.append((other, edge[k]))
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[node])
                    if low[node] > found[parent]:
                        bridge[came_by] = True
    return bridge


def _weakest_links(panel: Panel, objects_each: NDArray[np.intp], most: int) -> tuple[WeakLink, ...]:
    linked = np.flatnonzero(objects_each > 1)
    if linked.size < 2:
        return ()
    # Assessors with one object carry nothing between others, so their confidence has no part in what a link carries.
    counted = np.where(objects_each[panel.assessor_index] > 1, panel.confidences, 0.0)
    total = np.maximum(panel.object_totals(counted), np.finfo(np.float64).tiny)
    scaled = panel.table(panel.confidences / np.sqrt(total[panel.object_index]))[:, linked]
    conductance = as_dense(scaled.T @ scaled)
    np.fill_diagonal(conductance, 0.0)
    first, second = np.nonzero(conductance)
    resistance = sp.csr_array((1.0 / conductance[first, second], (first, second)), shape=conductance.shape)
    tree = csgraph.minimum_spanning_tree(resistance).tocoo()
    n = linked.size
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for one, two in zip(tree.row.tolist(), tree.col.tolist(), strict=True):
        neighbours[one].append(two)
        neighbours[two].append(one)
    below = np.eye(n, dtype=np.bool_)  # row k: the assessors that hang on to the rest through k
    edges: list[tuple[float, int, list[int]]] = []
    seen = [False] * n
    for root in range(n):
        if seen[root]:
            continue
        seen[root] = True
        order, parent = [root], {}
        for node in order:  # grows while it is walked: breadth first
            for other in neighbours[node]:
                if not seen[other]:
                    seen[other] = True
                    parent[other] = node
                    order.append(other)
        for child in order[:0:-1]:
            below[parent[child]] |= below[child]
            edges.append((float(conductance[child, parent[child]]), child, order))
    if not edges:
        return ()
    objects, assessors = np.array(panel.objects, dtype=object), np.array(panel.assessors, dtype=object)[linked]
    cuts = []
    for _, child, group in sorted(edges, key=lambda edge: edge[:2])[:_CUTS_TRIED]:
        other_side = np.zeros(n, dtype=np.bool_)
        other_side[group] = ~below[child][group]
        cuts.append(sorted((below[child], other_side), key=np.count_nonzero))
    sides = np.array(cuts, dtype=np.float64)  # (cuts, 2, n)
    from_one, from_two = scaled @ sides[:, 0].T, scaled @ sides[:, 1].T
    carried = (from_one * from_two).sum(axis=0)
    return tuple(
        WeakLink(
            assessors=tuple(assessors[cuts[k][0]]),
            through=tuple(objects[(from_one[:, k] > 0) & (from_two[:, k] > 0)]),
            conductance=float(carried[k]),
        )
        for k in np.argsort(carried, kind="stable")[:most]
    )


def _some(labels: Sequence[str]) -> str:
    shown = ", ".join(labels[:_NAMED])
    return shown if len(labels) <= _NAMED else f"{shown} and {len(labels) - _NAMED} more"
