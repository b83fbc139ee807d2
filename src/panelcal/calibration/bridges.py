"""Assessments without which a panel would fall apart: the bridges of the assessor-object graph.

Tarjan's criterion (1974) on a breadth-first spanning tree, level by level, so that a million assessments take a second:
number the nodes so that every subtree is a range of numbers; the edge above a subtree is a bridge if no other edge
leads from the subtree to a number outside its range.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Indices, Mask
from panelcal.panel import Panel
from panelcal.spanning_forest import connected_groups


def find_bridges(panel: Panel) -> Mask:
    """Return (N,) whether leaving out that one assessment would split its group (a bridge of the graph)."""
    one, two = panel.object_index, panel.n_objects + panel.assessor_index
    n_nodes = panel.n_objects + panel.n_assessors
    order, parent = _spanning_tree(one, two, n_nodes)
    # From here on nodes are called by their place in `order`; the root, place 0, is no node of the panel.
    place = np.empty(n_nodes + 1, dtype=np.intp)
    place[order] = np.arange(n_nodes + 1)
    one, two = place[one], place[two]
    above = place[parent[order]]

    # Of several assessments between a node and its parent one belongs to the tree and the others keep it in place.
    tree_edge = np.full(n_nodes + 1, -1, dtype=np.intp)
    child = np.where(above[two] == one, two, np.where(above[one] == two, one, 0))
    tree_edge[child] = np.arange(len(child))
    others = tree_edge[child] != np.arange(len(child))
    others |= child == 0
    tree_edge[0] = -1

    levels = _levels(above)
    number, size = _preorder(above, levels)
    lowest, highest = number.copy(), number.copy()
    for here, there in ((one[others], two[others]), (two[others], one[others])):
        np.minimum.at(lowest, here, number[there])
        np.maximum.at(highest, here, number[there])
    for level in reversed(levels):
        np.minimum.at(lowest, above[level], lowest[level])
        np.maximum.at(highest, above[level], highest[level])
    cut = (lowest >= number) & (highest < number + size) & (tree_edge >= 0)
    bridge = np.zeros(panel.n_assessments, dtype=np.bool_)
    bridge[tree_edge[cut]] = True
    return bridge


def hanging_assessments(panel: Panel) -> Mask:
    """Return (N,) whether the assessment leads to a part that hangs on by it alone and holds no circle.

    These bridges are found by taking off objects and assessors with one assessment until there are none.
    """
    left = np.arange(panel.n_assessments)
    while True:
        objects, assessors = panel.object_index[left], panel.assessor_index[left]
        ends = (np.bincount(objects, minlength=1)[objects] == 1) | (np.bincount(assessors, minlength=1)[assessors] == 1)
        if not ends.any():
            break
        left = left[~ends]
    hanging = np.ones(panel.n_assessments, dtype=np.bool_)
    hanging[left] = False
    return hanging


def _spanning_tree(one: Indices, two: Indices, n_nodes: int) -> tuple[Indices, Indices]:
    """Breadth-first order of all nodes (n_nodes + 1,) from an added root above every group, and parents by node."""
    size = n_nodes + 1
    groups = connected_groups(one, two, size)
    roots = np.unique(groups[:n_nodes], return_index=True)[1]
    here = np.concatenate([one, np.full(len(roots), n_nodes)])
    there = np.concatenate([two, roots])
    graph = scipy.sparse.coo_array((np.ones(len(here), dtype=np.int8), (here, there)), shape=(size, size)).tocsr()
    graph.data[:] = 1  # repeated pairs were added up
    order, parent = scipy.sparse.csgraph.breadth_first_order(graph, n_nodes, directed=False)
    parent[n_nodes] = n_nodes
    return order.astype(np.intp), parent.astype(np.intp)


def _levels(above: Indices) -> list[slice]:
    """Places of the nodes at depth 1, 2, ...; parents come in the order of their children."""
    levels, start, stop = [], 0, 1
    while stop < len(above):
        start, stop = stop, int(np.searchsorted(above[1:], stop)) + 1
        levels.append(slice(start, stop))
    return levels


def _preorder(above: Indices, levels: list[slice]) -> tuple[Indices, Indices]:
    """Numbers (n,) that make every subtree a range starting at its top node, and how long the ranges are."""
    size = np.ones(len(above), dtype=np.intp)
    for level in reversed(levels):
        np.add.at(size, above[level], size[level])
    number = np.zeros(len(above), dtype=np.intp)
    for level in levels:
        before = np.cumsum(size[level]) - size[level]
        parents = above[level]
        first = np.searchsorted(parents, parents)  # the eldest sibling's place within the level
        number[level] = number[parents] + 1 + before - before[first]
    return number, size
