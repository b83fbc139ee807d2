"""Cholesky factor of the system between kept nodes within its envelope, and entries of its inverse there.

For panels that hang together like a row of communities: in the order of reverse Cuthill and McKee (1969) most rows
reach back much less far than the widest, so that a band would hold mostly zeros. Block by block, each as deep as its
own columns reach, the factor is made by dense products (George and Liu 1981, chapter 4); the entries of the inverse
follow from the last block upwards (Takahashi, Fagan and Chen 1973).
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.banded_factor import NarrowOrder
from panelcal.frozen import dataclass
from panelcal.one_thread import one_blas_thread

_BLOCK = 64  # columns


@dataclass(frozen=True, slots=True, eq=False)
class EnvelopeFactor:
    """A grounded Laplacian, factored within its envelope.

    Attributes
    ----------
    ground
        The node that is held at zero.
    conductance
        (n, n) the conductances between nodes, csr, diagonal zero.
    order
        In which order the nodes are eliminated.
    starts
        (n_blocks + 1,) the first place of each block, and n.
    corners, below
        For each block the lower Cholesky factor (w, w) of its own columns, and their entries in the rows below (m, w).
        The ground's own is 1.
    """

    ground: int
    conductance: scipy.sparse.csr_array
    order: NarrowOrder
    starts: Indices
    corners: tuple[Array, ...]
    below: tuple[Array, ...]

    def solve(self, right: Array) -> Array:
        """Return x (n,) or (n, k), zero at the ground, with the other nodes' equations met."""
        left = np.empty_like(right)
        left[self.order.place] = right
        left[self.order.place[self.ground]] = 0.0
        columns = left.reshape(len(left), -1)
        blocks = list(zip(self.starts[:-1], self.starts[1:], self.corners, self.below, strict=True))
        solve = scipy.linalg.blas.dtrsm
        with one_blas_thread():
            for start, stop, corner, below in blocks:
                columns[start:stop] = found = solve(1.0, corner, columns[start:stop], lower=True)
                columns[stop : stop + len(below)] -= below @ found
            for start, stop, corner, below in reversed(blocks):
                given = columns[start:stop] - below.T @ columns[stop : stop + len(below)]
                columns[start:stop] = solve(1.0, corner, given, lower=True, trans_a=True)
        return left[self.order.place]

    def selected_inverse(self) -> scipy.sparse.csr_array:
        """Return Z (n, n) where nodes are connected and on the diagonal, csr; zero at the ground, nothing elsewhere."""
        size = len(self.order.place)
        pattern = self.conductance + scipy.sparse.identity(size, format="csr")
        pattern.sort_indices()
        place = self.order.place.astype(np.intp)
        one, two = np.repeat(place, np.diff(pattern.indptr)), place[pattern.indices]
        first, second = np.minimum(one, two), np.maximum(one, two)
        depths = np.array([sum(part.shape) for part in self.below])
        at, by_block, ends = _places(first, second, depths)
        data = np.empty(len(at))
        inverse = np.zeros((0, 0))
        with one_blas_thread():
            for k in range(len(self.corners) - 1, -1, -1):
                inverse = _inverse_of_front(self.corners[k], self.below[k], inverse)
                own = slice(ends[k], ends[k + 1])
                data[by_block[own]] = inverse.ravel()[at[own]]
        held = place[self.ground]
        data[(one == held) | (two == held)] = 0.0
        return scipy.sparse.csr_array((data, pattern.indices, pattern.indptr), shape=(size, size))


def envelope_factor(conductance: scipy.sparse.csr_array, ground: int, order: NarrowOrder) -> EnvelopeFactor | None:
    """Factor the Laplacian of these conductances (n, n), csr without diagonal, the ground held at zero.

    None if rounding leaves no factor.
    """
    place = order.place.astype(np.intp)
    size, held = len(place), place[ground]
    column, row = np.repeat(place, np.diff(conductance.indptr)), place[conductance.indices]
    lower = np.flatnonzero((row > column) & (row != held) & (column != held))
    own = np.empty(size)
    own[place] = conductance @ np.ones(size)
    own[held] = 1.0
    starts, depths = _blocks(conductance, place)
    at, by_block, ends = _places(column[lower], row[lower], depths)
    between = conductance.data[lower][by_block]
    corners, below, onward = [], [], np.zeros((0, 0), order="F")
    with one_blas_thread():
        for k, (start, stop, depth) in enumerate(zip(starts[:-1], starts[1:], depths, strict=True)):
            panel = np.zeros((stop - start, depth))  # turned over: what belongs to a column is a row in memory
            panel.ravel()[at[ends[k] : ends[k + 1]]] = -between[ends[k] : ends[k + 1]]
            np.fill_diagonal(panel, own[start:stop])
            eliminated = _eliminate(panel, onward)
            if eliminated is None:
                return None
            corner, deep, onward = eliminated
            corners.append(corner)
            below.append(deep)
    return EnvelopeFactor(ground, conductance, order, starts, tuple(corners), tuple(below))


def _eliminate(panel: Array, before: Array) -> tuple[Array, Array, Array] | None:
    """Factor one block of columns, given what earlier ones changed; None if it has no factor.

    Parameters
    ----------
    panel
        (w, w + m) the block's columns, turned over.
    before
        (k, k) what earlier blocks add, from the block's first column on, lower triangle.

    Returns
    -------
    tuple of numpy.ndarray
        The factor (w, w) of the block, its rows below (m, w), and what is added to later columns (m, m).
    """
    width, depth = panel.shape
    covered = len(before)
    panel[:covered, :covered] += before.T[:width]
    corner, failed = scipy.linalg.lapack.dpotrf(panel[:, :width].copy().T, lower=True, overwrite_a=True)
    if failed:
        return None
    solve = scipy.linalg.blas.dtrsm
    deep = solve(1.0, corner, panel[:, width:].copy().T, side=True, lower=True, trans_a=True, overwrite_b=True)
    onward = np.zeros((depth - width, depth - width), order="F")
    if covered > width:
        onward[: covered - width, : covered - width] = before[width:, width:]
    if len(onward):
        onward = scipy.linalg.blas.dsyrk(-1.0, deep, beta=1.0, c=onward, lower=True, overwrite_c=True)
    return corner, deep, onward


def _blocks(conductance: scipy.sparse.csr_array, place: Indices) -> tuple[Indices, Indices]:
    """Return where blocks start (n_blocks + 1,), and how many rows each has (n_blocks,), down to its last entry."""
    size = len(place)
    starts = np.append(np.arange(0, size, _BLOCK), size)
    lowest = np.arange(size)
    linked = np.flatnonzero(np.diff(conductance.indptr))
    furthest = np.maximum.reduceat(place[conductance.indices], conductance.indptr[linked])
    lowest[place[linked]] = np.maximum(place[linked], furthest)
    reach = np.maximum.accumulate(lowest)  # elimination fills a row from its first entry on
    return starts, reach[starts[1:] - 1] + 1 - starts[:-1]


def _places(column: Indices, row: Indices, depths: Indices) -> tuple[Indices, Indices, Indices]:
    """Return where entries (k,) come within their blocks, the order that brings those of a block together, and ends.

    Within a block column comes after column; `ends` (n_blocks + 1,) says where entries of each begin in that order.
    """
    block = column // _BLOCK
    ends = np.append(0, np.cumsum(np.bincount(block, minlength=len(depths))))
    by_block = np.argsort(block.astype(np.uint16) if len(depths) <= 65_536 else block, kind="stable")
    first = block * _BLOCK
    return ((column - first) * depths[block] + row - first)[by_block], by_block, ends


def _inverse_of_front(corner: Array, below: Array, inverse: Array) -> Array:
    """Return the inverse (w + m, w + m) on a block's columns and the rows it reaches, from that of the next block."""
    width, deep = len(corner), len(below)
    half, _ = scipy.linalg.lapack.dtrtri(corner, lower=True)
    half = np.tril(half)
    passed = below @ half
    onward = inverse[:deep, :deep] @ passed
    front = np.empty((width + deep, width + deep))
    front[:width, :width] = half.T @ half + passed.T @ onward
    front[:width, width:] = -onward.T
    front[width:, :width] = -onward
    front[width:, width:] = inverse[:deep, :deep]
    return front
