"""Sparse factor of the system between kept nodes, and as many entries of its inverse as the panel's own pairs need.

For large, weakly linked panels (rings, chains of communities). The factor is SuperLU's, in symmetric mode with minimum
degree ordering. The entries of the inverse on the pattern of the factor follow from the top of the elimination tree
downwards (Takahashi, Fagan and Chen 1973), front by front as in Lin et al. (2011): a node's front is part of its
parent's, so all that is needed are small dense products.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass

_MOST_ENVELOPE = 3e8
_MOST_WORK = 3e11
_ROUNDS, _WORTH_A_ROUND = 30, 0.9


@dataclass(frozen=True, slots=True, eq=False)
class SparseFactor:
    """A grounded Laplacian, factored.

    Attributes
    ----------
    others
        (n - 1,) the nodes but the ground.
    conductance
        (n, n) the conductances between nodes, csr, diagonal zero.
    lu
        SuperLU's factors on `others`.
    """

    others: Indices
    conductance: scipy.sparse.csr_array
    lu: Any

    def solve(self, right: Array) -> Array:
        """Return x (n,) or (n, k), zero at the ground, with the other nodes' equations met."""
        solution = np.zeros_like(right)
        solution[self.others] = self.lu.solve(right[self.others])
        return solution

    def selected_inverse(self) -> scipy.sparse.csr_array:
        """Return Z (n, n) where nodes are connected and on the diagonal, csr; zero at the ground, nothing elsewhere."""
        rows, columns, entries = _entries_on_the_pattern(self.lu)
        n = len(self.others)
        place = np.empty(n, dtype=np.intp)
        place[self.lu.perm_c] = np.arange(n)  # elimination order -> position in `others`
        rows, columns = self.others[place[rows]], self.others[place[columns]]
        size = n + 1
        pattern = self.conductance + scipy.sparse.identity(size, format="csr")
        pattern.sort_indices()
        keys = np.repeat(np.arange(size), np.diff(pattern.indptr)) * size + pattern.indices
        data = np.zeros(len(keys))
        for one, two in ((rows, columns), (columns, rows)):
            wanted = one * size + two
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            found = keys[at] == wanted
            data[at[found]] = entries[found]
        return scipy.sparse.csr_array((data, pattern.indices, pattern.indptr), shape=(size, size))


def worth_factoring(conductance: scipy.sparse.csr_array) -> bool:
    """Whether a sparse factor fits into memory and a short time.

    Nodes that hang on by one link go without leaving anything; the rest is judged by the envelope of the reverse
    Cuthill-McKee order. The envelope holds the factor's entries in that order, and minimum degree finds a better one
    where there is one.
    """
    core = _without_twigs(conductance)
    if core.nnz == 0:
        return True
    order = scipy.sparse.csgraph.reverse_cuthill_mckee(core, symmetric_mode=True)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    first = np.arange(len(order))
    rows = np.repeat(np.arange(len(order)), np.diff(core.indptr))
    np.minimum.at(first, place[rows], place[core.indices])
    widths = (np.arange(len(order)) - first).astype(np.float64)
    return bool(widths.sum() <= _MOST_ENVELOPE and (widths**2).sum() <= _MOST_WORK)


def _without_twigs(conductance: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return the network without nodes of one link, those that then have one link, and so on for some rounds."""
    for _ in range(_ROUNDS):
        kept = np.flatnonzero(np.diff(conductance.indptr) > 1)
        if len(kept) >= _WORTH_A_ROUND * conductance.shape[0]:
            break
        conductance = conductance[kept][:, kept]
    return conductance


def sparse_factor(conductance: scipy.sparse.csr_array, ground: int) -> SparseFactor:
    """Factor the Laplacian of these conductances (n, n), csr without diagonal, the ground held at zero."""
    others = np.flatnonzero(np.arange(conductance.shape[0]) != ground)
    lu = scipy.sparse.linalg.splu(
        _grounded(conductance, ground),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return SparseFactor(others, conductance, lu)


def _grounded(conductance: scipy.sparse.csr_array, ground: int) -> scipy.sparse.csc_array:
    """Return the Laplacian (n - 1, n - 1) of the nodes but the ground, put together in one pass and in order."""
    n = conductance.shape[0]
    row = np.repeat(np.arange(n, dtype=np.int32), np.diff(conductance.indptr))
    column, between = conductance.indices.astype(np.int32, copy=False), conductance.data
    own = np.bincount(row, between, n)
    keep = np.flatnonzero((row != ground) & (column != ground))
    row, column, between = row[keep], column[keep], between[keep]
    row -= row > ground
    column -= column > ground
    # A node's own entry comes after those of earlier nodes, which shifts it and what follows by one place a row.
    above = column > row
    places = np.arange(len(row), dtype=np.int32) + row + above
    starts = np.zeros(n, dtype=np.int32)
    np.cumsum(np.bincount(row, minlength=n - 1) + 1, out=starts[1:])
    own_at = starts[:-1] + np.bincount(row[~above], minlength=n - 1)
    data, indices = np.empty(len(row) + n - 1), np.empty(len(row) + n - 1, dtype=np.int32)
    data[places], indices[places] = -between, column
    data[own_at], indices[own_at] = np.delete(own, ground), np.arange(n - 1)
    matrix = scipy.sparse.csc_array((data, indices, starts), shape=(n - 1, n - 1))
    matrix.has_canonical_format = True
    return matrix


def _entries_on_the_pattern(lu: Any) -> tuple[Indices, Indices, Array]:
    """Rows, columns (elimination order, row >= column) and entries of the inverse on the pattern of L."""
    lower = lu.L.tocsc()
    lower.sort_indices()
    pivots = lu.U.diagonal()
    n = len(pivots)
    indptr, indices, data = lower.indptr, lower.indices, lower.data
    entries = np.empty_like(data)
    starts = _supernodes(indptr, indices, n)
    ends = np.append(starts[1:], n)
    owner = np.repeat(np.arange(len(starts)), ends - starts)
    # Where the parent's front is needed again, it is kept until the last child has taken its part.
    below = indices[np.minimum(indptr[ends - 1] + 1, len(indices) - 1)]
    has_parent = indptr[ends] - indptr[ends - 1] > 1
    parent = np.where(has_parent, owner[below], -1)
    children = np.bincount(parent[has_parent], minlength=len(starts))
    ends_here = (children == 0) & (ends - starts == 1)
    alone, twigs = (ends_here & (indptr[ends] - indptr[starts] == links) for links in (1, 2))
    children = np.bincount(parent[has_parent & ~twigs], minlength=len(starts))
    fronts: dict[int, tuple[Indices, Array]] = {}
    for node in np.flatnonzero(~(alone | twigs))[::-1].tolist():
        start, end = int(starts[node]), int(ends[node])
        width = end - start
        first = indptr[start]
        front = indices[first : indptr[start + 1]]
        rest = front[width:]
        if len(rest):
            above = int(parent[node])
            front_above, inverse_above = fronts[above]
            at = np.searchsorted(front_above, rest)
            corner = inverse_above[at[:, None], at]
            children[above] -= 1
            if children[above] == 0:
                del fronts[above]
        else:
            corner = np.zeros((0, 0))
        if width == 1:
            column = data[first + 1 : indptr[start + 1]]
            passed = corner @ column
            whole = np.empty((len(front), len(front)))
            whole[1:, 1:] = corner
            whole[1:, 0] = whole[0, 1:] = -passed
            whole[0, 0] = 1.0 / pivots[start] + column @ passed
            entries[first : indptr[start + 1]] = whole[0]
        else:
            whole = _wide_front(data, indptr, start, end, pivots, corner)
            for k in range(width):
                entries[indptr[start + k] : indptr[start + k + 1]] = whole[k:, k]
        if children[node]:
            fronts[node] = front, whole
    # Nodes that hang on by one link, or at the ground alone, need no more than the other end's own entry: all at once.
    entries[indptr[starts[alone]]] = 1.0 / pivots[starts[alone]]
    own = indptr[starts[twigs]]
    link, above = data[own + 1], entries[indptr[indices[own + 1]]]
    entries[own], entries[own + 1] = 1.0 / pivots[starts[twigs]] + link * above * link, -link * above
    return indices.astype(np.intp), np.repeat(np.arange(n), np.diff(indptr)), entries


def _wide_front(data: Array, indptr: Indices, start: int, end: int, pivots: Array, corner: Array) -> Array:
    """Inverse on the front of a supernode of several columns, given its part on the rows below."""
    width, size = end - start, end - start + len(corner)
    block = np.zeros((size, width))
    for k in range(width):
        block[k:, k] = data[indptr[start + k] : indptr[start + k + 1]]
    unit = scipy.linalg.lapack.dtrtri(block[:width], lower=True, unitdiag=True)[0]
    across = block[width:] @ unit
    passed = corner @ across
    whole = np.empty((size, size))
    whole[width:, width:] = corner
    whole[width:, :width] = -passed
    whole[:width, width:] = -passed.T
    whole[:width, :width] = (unit.T / pivots[start:end]) @ unit + across.T @ passed
    return whole


def _supernodes(indptr: Indices, indices: Indices, n: int) -> Indices:
    """First columns (k,) of runs whose patterns are each other's tails, each column the next one's only child."""
    counts = np.diff(indptr)
    second = np.where(counts > 1, indices[np.minimum(indptr[:-1] + 1, len(indices) - 1)], -1)
    goes_on = (second[:-1] == np.arange(1, n)) & (counts[:-1] == counts[1:] + 1)
    return np.flatnonzero(np.append(True, ~goes_on))
