"""Cholesky factor of the system between kept nodes within a narrow band, and entries of its inverse there.

For panels that hang together like a ring, a chain or a row of communities: in the order of reverse Cuthill and McKee
(1969) every node is linked to near ones only, and LAPACK's band factor needs none of the bookkeeping that a general
sparse factor takes (see docs/benchmarks.md). Cut into blocks as wide as the band, the system is block tridiagonal, and
the entries of the inverse follow from the last block upwards (Takahashi, Fagan and Chen 1973).
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from numpy.typing import NDArray

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.one_thread import one_blas_thread

_MOST_CELLS = 4e7
_MOST_WORK = 3e10
_LEAST_BLOCK = 32


@dataclass(frozen=True, slots=True, eq=False)
class NarrowOrder:
    """An order of the nodes in which all that are linked are near each other.

    Attributes
    ----------
    place
        (n,) where each node comes.
    width
        The largest distance between places of two nodes that are linked.
    """

    place: NDArray[np.int32]
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class BandedFactor:
    """A grounded Laplacian, factored within its band.

    Attributes
    ----------
    ground
        The node that is held at zero.
    conductance
        (n, n) the conductances between nodes, csr, diagonal zero.
    order
        In which order the nodes are eliminated.
    lower
        (n, width + 1) the lower Cholesky factor, entry (j, d) from place j to place j + d. The ground's own is 1.
    """

    ground: int
    conductance: scipy.sparse.csr_array
    order: NarrowOrder
    lower: Array

    def solve(self, right: Array) -> Array:
        """Return x (n,) or (n, k), zero at the ground, with the other nodes' equations met."""
        given = np.empty_like(right)
        given[self.order.place] = right
        given[self.order.place[self.ground]] = 0.0
        with one_blas_thread():
            solution, _ = scipy.linalg.lapack.dpbtrs(self.lower.T, given, lower=True)
        return np.asarray(solution.reshape(right.shape)[self.order.place])

    def selected_inverse(self) -> scipy.sparse.csr_array:
        """Return Z (n, n) where nodes are connected and on the diagonal, csr; zero at the ground, nothing elsewhere."""
        size, width = len(self.lower), self.order.width
        pattern = self.conductance + scipy.sparse.identity(size, format="csr")
        pattern.sort_indices()
        one = np.repeat(self.order.place, np.diff(pattern.indptr))
        two = self.order.place[pattern.indices]
        first, second = np.minimum(one, two), np.maximum(one, two)
        wide = max(width, _LEAST_BLOCK)
        block = first // wide
        block_count = -(-size // wide)
        by_block = np.argsort(block.astype(np.uint16) if block_count <= 65_536 else block, kind="stable")
        ends = np.cumsum(np.bincount(block, minlength=block_count))
        at = ((first - block * wide).astype(np.intp) * (2 * wide) + (second - block * wide))[by_block]
        data = np.empty(len(at))
        inverse = np.zeros((wide, wide))
        with one_blas_thread():
            for k in range(block_count - 1, -1, -1):
                panel = _inverse_panel(self.lower[k * wide : (k + 1) * wide], wide, inverse)
                inverse = panel[:, :wide]
                own = slice(int(ends[k - 1]) if k else 0, int(ends[k]))
                data[by_block[own]] = panel.take(at[own])
        held = self.order.place[self.ground]
        data[(one == held) | (two == held)] = 0.0
        return scipy.sparse.csr_array((data, pattern.indices, pattern.indptr), shape=(size, size))


def narrow_order(conductance: scipy.sparse.csr_array) -> NarrowOrder | None:
    """Return an order with a narrow band, or None if there is none that fits into memory and a short time."""
    size = conductance.shape[0]
    order = scipy.sparse.csgraph.reverse_cuthill_mckee(conductance, symmetric_mode=True)
    place = np.empty(size, dtype=np.int32)
    place[order] = np.arange(size, dtype=np.int32)
    apart = np.repeat(place, np.diff(conductance.indptr))
    apart -= place[conductance.indices]
    width = int(apart.max(initial=0))
    if size * (width + 1.0) > _MOST_CELLS or size * float(width) ** 2 > _MOST_WORK:
        return None
    return NarrowOrder(place, width)


def banded_factor(conductance: scipy.sparse.csr_array, ground: int, order: NarrowOrder) -> BandedFactor | None:
    """Factor the Laplacian of these conductances (n, n), csr without diagonal, the ground held at zero.

    None if rounding leaves no factor.
    """
    size, across = len(order.place), order.width + 1
    held = order.place[ground]
    column = np.repeat(order.place, np.diff(conductance.indptr))
    row = order.place[conductance.indices]
    below = np.flatnonzero((row > column) & (row != held) & (column != held))
    lower = np.zeros((size, across))
    at = column[below].astype(np.intp)
    at *= across - 1
    at += row[below]
    lower.ravel()[at] = -conductance.data[below]
    lower[order.place, 0] = conductance @ np.ones(size)
    lower[held, 0] = 1.0
    with one_blas_thread():
        factor, failed = scipy.linalg.lapack.dpbtrf(lower.T, lower=True, overwrite_ab=True)
    return None if failed else BandedFactor(ground, conductance, order, factor.T)


def _inverse_panel(lower: Array, wide: int, next_inverse: Array) -> Array:
    """Return (wide, 2 wide) entries of the inverse between one block and itself, and the block below it.

    `lower` are the block's columns of the factor, `next_inverse` (wide, wide) the inverse within the block below.
    """
    count, across = lower.shape
    shifted = np.zeros((wide, 2 * wide + 1))  # each column one place further on: a panel, once read in other rows
    shifted[:count, :across] = lower
    shifted[count:, 0] = 1.0
    factor = shifted.ravel()[: 2 * wide * wide].reshape(wide, 2 * wide).T
    half, _ = scipy.linalg.lapack.dtrtri(factor[:wide], lower=True)
    passed = factor[wide:] @ half
    below = next_inverse @ passed
    panel = np.empty((wide, 2 * wide))
    np.negative(below.T, out=panel[:, wide:])
    panel[:, :wide] = half.T @ half + passed.T @ below
    return panel
