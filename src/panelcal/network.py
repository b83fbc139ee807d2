"""The assessor-object graph: what holds it together and where it is thin.

Whether a common scale exists is a question of connectivity (the paper, "Solution of the basic model"); how firmly it
holds shows in the links between assessors. Eigenvalues (mu_2) are left to `calibration.robustness`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import DisconnectedPanel, first_few
from panelcal.frozen import dataclass
from panelcal.panel import Panel, as_dense
from panelcal.shown import Shown, Tabled
from panelcal.spanning_forest import connected_groups, spanning_forest

_NAMED = 6
_CUTS_TRIED, _CUTS_AT_ONCE = 200, 10
_DENSE_LINKS = 3_000
_CELLS_OF_A_SCORE = 4  # of a table of assessors: up to so many, it is quicker than the scores
_ROUNDING = 1e-9
_ROUNDS = 8
_PART_LEAST, _PART_EACH, _BLOCK = 500, 16, 16  # assessments: at least, for each node, side by side


@dataclass(frozen=True, slots=True, repr=False)
class WeakLink(Shown):
    """A place where two parts of the panel hang together.

    Source: bridges and small cuts of the assessor-object graph of MacKay, Kenna, Low and Parker (2015).

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

    Examples
    --------
    >>> panel = Panel.from_records('AABBCC', 'xyxyyx', [1, 2, 3, 5, 4, 4])
    >>> round(network(panel).weakest_links[0].conductance, 9)
    1.5
    """

    assessors: tuple[str, ...]
    through: tuple[str, ...]
    conductance: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Network(Tabled):
    """How a panel hangs together.

    Source: MacKay, Kenna, Low and Parker (2015), "Solution of the basic model" and SI, refinements.

    Attributes
    ----------
    components
        One ``(objects, assessors)`` pair of label tuples per connected group, largest first.
    links
        (n_assessors, n_assessors) number of objects two assessors share; on the diagonal, how many objects each has.
        A sparse matrix where there are more than 3,000 assessors.
    weakest_links
        The weakest links, weakest first: cuts of the maximum-conductance spanning tree between assessors. Assessors
        with a single object are left out; they are in `single_object_assessors`.
    single_assessor_objects
        Objects with one assessor: kept, but nothing checks their score.
    single_object_assessors
        Assessors with one object: their score only determines their own bias and changes no value.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> network(panel).links.tolist()
    [[3, 3], [3, 3]]
    """

    components: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    links: Indices | scipy.sparse.csr_array
    weakest_links: tuple[WeakLink, ...]
    single_assessor_objects: tuple[str, ...]
    single_object_assessors: tuple[str, ...]

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "components", len(self.components)
        yield "links", self.links
        yield "weakest conductance", self.weakest_links[0].conductance if self.weakest_links else None
        yield "single_assessor_objects", len(self.single_assessor_objects)
        yield "single_object_assessors", len(self.single_object_assessors)


def component_labels(panel: Panel) -> tuple[int, Indices, Indices]:
    """Number of connected groups, and the group of every object and of every assessor (largest group first)."""
    size = panel.n_objects + panel.n_assessors
    group = connected_groups(panel.object_index, panel.n_objects + panel.assessor_index, size)
    count = int(group.max(initial=-1)) + 1
    if count > 1:
        order = np.argsort(-np.bincount(group), kind="stable")
        place = np.empty(count, dtype=np.intp)
        place[order] = np.arange(count)
        group = place[group]
    return count, group[: panel.n_objects], group[panel.n_objects :]


def is_connected(panel: Panel) -> bool:
    """Whether every object and assessor can be reached from every other through assessments."""
    # If part of the assessments joins all nodes of one side, so do all of them, and no other node is by itself.
    sides = [(panel.assessor_index, panel.n_assessors), (panel.object_index, panel.n_objects)]
    if panel.n_objects < panel.n_assessors:
        sides.reverse()
    (few, n_few), (many, n_many) = sides
    here, there = np.zeros(n_few, dtype=np.bool_), np.zeros(n_many, dtype=np.bool_)
    here[few[0]] = True
    part = max(_PART_LEAST, _PART_EACH * n_few)
    if 2 * part < panel.n_assessments:
        _reach(here, there, _part(few, part), _part(many, part))
        if not here.all():  # whom the part passed over is mostly joined to what it reached
            rest = np.flatnonzero(~here[few])
            here[few[rest[there[many[rest]]]]] = True
    joined = _reach(here, there, few, many)
    return component_labels(panel)[0] == 1 if joined is None else joined


def _part(index: Indices, size: int) -> Indices:
    """About so many assessments, in blocks, so that what stands together stays together."""
    every = max(1, len(index) // size)
    rows = len(index) // (every * _BLOCK)
    return index[: rows * every * _BLOCK].reshape(rows, every * _BLOCK)[:, :_BLOCK].ravel()


def _reach(here: Mask, there: Mask, few: Indices, many: Indices) -> bool | None:
    """Mark what these assessments reach from `here`: whether that is all of the `few`, None if rounds do not tell."""
    reached = int(np.count_nonzero(here))
    # Most panels are reached in a few rounds, which are quicker than building a graph.
    for _ in range(_ROUNDS):
        if reached == len(here):
            return True
        there[many[here[few]]] = True
        here[few[there[many]]] = True
        before, reached = reached, int(np.count_nonzero(here))
        if reached == before:
            return False
    return True if reached == len(here) else None


def components(panel: Panel) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the connected groups as ``(objects, assessors)`` pairs of label tuples, largest first."""
    if is_connected(panel):
        return ((panel.objects, panel.assessors),)
    count, object_group, assessor_group = component_labels(panel)
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
    if is_connected(panel):
        return
    groups = components(panel)
    first, second = groups[0], groups[1]
    described = "; ".join(
        f"group {k}: {first_few(objects, _NAMED)} assessed by {first_few(assessors, _NAMED)}"
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

    Source: MacKay, Kenna, Low and Parker (2015), "Solution of the basic model" and SI, refinements.

    Parameters
    ----------
    panel
        Need not be connected.
    most
        At most this many weakest links are returned.

    Returns
    -------
    Network
        Groups, links and what is thin.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> network(panel).weakest_links[0].through
    ('1', '2', '3')
    """
    incidence = panel.table(np.ones(panel.n_assessments)) > 0
    incidence = incidence.astype(np.float64)
    shared = (incidence.T @ incidence).astype(np.intp)
    if panel.n_assessors <= _DENSE_LINKS:
        shared = as_dense(shared)
    objects_each = shared.diagonal()
    assessors_each = np.asarray(incidence.sum(axis=1)).ravel()
    return Network(
        components=components(panel),
        links=shared,
        weakest_links=_weakest_links(panel, objects_each, most),
        single_assessor_objects=tuple(panel.objects[k] for k in np.flatnonzero(assessors_each == 1)),
        single_object_assessors=tuple(panel.assessors[k] for k in np.flatnonzero(objects_each == 1)),
    )


def _weakest_links(panel: Panel, objects_each: Indices, most: int) -> tuple[WeakLink, ...]:
    linked = np.flatnonzero(objects_each > 1)
    if linked.size < 2:
        return ()
    # Assessors with one object carry nothing between others, so their confidence has no part in what a link carries.
    counted = np.where(objects_each[panel.assessor_index] > 1, panel.confidences, 0.0)
    total = np.maximum(panel.object_totals(counted), np.finfo(np.float64).tiny)
    scaled = panel.table(panel.confidences / np.sqrt(total[panel.object_index]))[:, linked]
    together = scaled.T @ scaled
    cuts = _cuts(*_strongest_tree(together), linked.size)
    if not cuts:
        return ()
    if not isinstance(scaled, np.ndarray) and len(cuts) > most and linked.size**2 <= _CELLS_OF_A_SCORE * scaled.nnz:
        cuts = _weakest_of(cuts, as_dense(together), most)
    from_one: list[Mask] = []
    from_two: list[Mask] = []
    carried: list[Array] = []
    for start in range(0, len(cuts), _CUTS_AT_ONCE):
        sides = np.array(cuts[start : start + _CUTS_AT_ONCE], dtype=np.float64)  # (cuts, 2, n)
        one, two = scaled @ sides[:, 0].T, scaled @ sides[:, 1].T
        carried.append((one * two).sum(axis=0))
        from_one.extend((one > 0).T)
        from_two.extend((two > 0).T)
    conductances = np.concatenate(carried)
    objects, assessors = np.array(panel.objects, dtype=object), np.array(panel.assessors, dtype=object)[linked]
    return tuple(
        WeakLink(
            assessors=tuple(assessors[cuts[k][0]]),
            through=tuple(objects[from_one[k] & from_two[k]]),
            conductance=float(conductances[k]),
        )
        for k in np.argsort(conductances, kind="stable")[:most]
    )


def _weakest_of(cuts: list[tuple[Mask, Mask]], together: Array, most: int) -> list[tuple[Mask, Mask]]:
    """Keep, in order, the cuts that may be among the `most` weakest by what assessors (n, n) carry between them."""
    one, two = (np.array(sides, dtype=np.float64) for sides in zip(*cuts, strict=True))
    carried = np.einsum("cn,cn->c", one @ together, two)
    limit = np.sort(carried)[most - 1] * (1 + _ROUNDING)
    return [cut for cut, conductance in zip(cuts, carried.tolist(), strict=True) if conductance <= limit]


def _strongest_tree(
    conductance: Array | scipy.sparse.csr_array,
) -> tuple[Indices, Indices, Array]:
    """Both ends and the resistance of each link of the forest that carries most, among assessors (n, n)."""
    if isinstance(conductance, np.ndarray):
        one, two = np.nonzero(np.triu(conductance, 1))
        carried = conductance[one, two]
    else:
        above = scipy.sparse.triu(conductance, 1, format="coo")
        above.eliminate_zeros()
        one, two, carried = above.row, above.col, above.data
    order = np.argsort(-carried, kind="stable")
    kept = order[spanning_forest(one[order], two[order], conductance.shape[0])[0]]
    return one[kept], two[kept], 1.0 / carried[kept]


def _cuts(ones: Indices, twos: Indices, resistances: Array, n: int) -> list[tuple[Mask, Mask]]:
    """Two sides of the cuts (n,) at the largest resistances of a forest's links, the smaller side first."""
    neighbours: list[list[tuple[int, float]]] = [[] for _ in range(n)]
    for one, two, resistance in zip(ones.tolist(), twos.tolist(), resistances.tolist(), strict=True):
        neighbours[one].append((two, resistance))
        neighbours[two].append((one, resistance))
    number, size, group = np.full(n, -1, dtype=np.intp), np.ones(n, dtype=np.intp), np.zeros(n, dtype=np.intp)
    edges: list[tuple[float, int]] = []
    numbered = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        # Depth first, so that what hangs on to the rest through a node is a range of numbers that starts with it.
        order: list[int] = []
        parents, waiting = {root: -1}, [root]
        while waiting:
            node = waiting.pop()
            number[node] = numbered + len(order)
            order.append(node)
            for other, resistance in neighbours[node]:
                if other not in parents:
                    parents[other] = node
                    waiting.append(other)
                    edges.append((-resistance, other))
        for node in order[:0:-1]:
            size[parents[node]] += size[node]
        group[order] = root
        numbered += len(order)
    cuts = []
    for _, child in sorted(edges)[:_CUTS_TRIED]:
        below = (number >= number[child]) & (number < number[child] + size[child])
        rest = (group == group[child]) & ~below
        cuts.append((below, rest) if np.count_nonzero(below) <= np.count_nonzero(rest) else (rest, below))
    return cuts
