"""Cholesky factor and inverse of the system between kept nodes, the ground held at zero, as ordinary arrays.

Where links are weak it is factored without a single subtraction (Alfa, Xue and Ye 2002, after Grassmann, Taksar and
Heyman 1985), so that even links 16 decades weaker than others keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy import linalg

from panelcal.arrays import Array, Indices

_BLOCK = 96
_WELL_CONDITIONED = 1e3
_DIFFERENCES_KEPT = 1e6
_INVERTED_AT_ONCE = 96  # rows of a triangle
_HALVES_UP_TO, _ROWS_AT_ONCE = 400, 128  # rows: up to so many, the halves are multiplied as a whole


@dataclass(frozen=True, eq=False)
class DenseFactor:
    """A grounded Laplacian, factored and inverted.

    Attributes
    ----------
    ground
        The node that is held at zero.
    size
        n, how many nodes there are.
    condition
        How many times larger entries of the inverse are than those of a well linked panel: about so many rounding
        errors show in differences between them.
    work_out_factor, work_out_inverse
        Work out what follows, or have it.
    """

    ground: int
    size: int
    condition: float
    work_out_factor: Callable[[], Array]
    work_out_inverse: Callable[[], Array]

    @cached_property
    def factor(self) -> Array:
        """(n - 1, n - 1) lower triangular Cholesky factor on `others`.

        Solutions go through it: across very weak links the inverse cannot hold both its large entries and their small
        differences.
        """
        return self.work_out_factor()

    @cached_property
    def inverse(self) -> Array:
        """Z, (n, n), in 1/confidence; the ground's own row and column are zero."""
        return self.work_out_inverse()

    @cached_property
    def others(self) -> Indices:
        """(n - 1,) the nodes but the ground."""
        return _others(self.size, self.ground)

    @property
    def keeps_differences(self) -> bool:
        """Whether differences between entries of Z keep ten digits; else they are to be taken through `half`."""
        return self.condition < _DIFFERENCES_KEPT

    def solve(self, right: Array) -> Array:
        """Return x (n,) or (n, k), zero at the ground, with the other nodes' equations met."""
        solution = np.zeros_like(right)
        if len(self.factor):
            solution[self.others] = linalg.lapack.dpotrs(self.factor, right[self.others], lower=True)[0]
        return solution

    def half(self, right: Array) -> Array:
        """Return H x (n - 1,) or (n - 1, k) for the H with H'H = Z: lengths of such vectors are variances."""
        given = right[self.others]
        return linalg.solve_triangular(self.factor, given, lower=True, check_finite=False) if len(given) else given

    def draws(self, random: np.random.Generator, count: int) -> Array:
        """Return (count, n - 1) draws of the nodes in `others` from the normal law with covariance Z."""
        noise = random.standard_normal((len(self.others), count))
        if not len(noise):
            return noise.T
        return linalg.solve_triangular(self.factor, noise, lower=True, trans="T", check_finite=False).T


def dense_factor(conductance: Array, ground: int) -> DenseFactor:
    """Factor the Laplacian of these conductances (n, n), symmetric, diagonal ignored, with the ground held at zero."""
    quick = quick_dense_factor(conductance, ground)
    return careful_dense_factor(conductance, ground) if quick is None else quick


def quick_dense_factor(conductance: Array, ground: int) -> DenseFactor | None:
    """Factor by LAPACK, where that keeps its digits; None elsewhere, and where nodes do not hang together.

    Ordinary elimination keeps small relative errors as long as the matrix scaled to a unit diagonal is well conditioned
    (Demmel 1989), which the inverse itself shows.
    """
    others, own = _others(len(conductance), ground), _linking(conductance)
    matrix = -_cut_out(conductance, ground)
    matrix.flat[:: len(others) + 1] = own[others]
    if not len(others):
        return _of_halves(ground, matrix, matrix, 0.0)
    factor, failed = linalg.lapack.dpotrf(matrix.T, lower=True, clean=True, overwrite_a=True)
    if failed:
        return None
    half, _ = linalg.lapack.dtrtri(factor, lower=True)
    condition = _condition(half, own[others])
    return _of_halves(ground, factor, half, condition) if condition < _WELL_CONDITIONED else None


def inverted_dense_factor(conductance: Array, ground: int, *, only_above: bool) -> DenseFactor | None:
    """Factor and invert at once, which is quicker where the inverse of many nodes is what is wanted; else as above.

    A table that holds its conductances above the diagonal only is used up: the factor takes its place.
    """
    own = _linking(conductance)
    if only_above:
        own += conductance.sum(axis=0) - conductance.diagonal()
    matrix = np.negative(conductance, out=conductance if only_above else None)
    matrix.flat[:: len(own) + 1] = own
    matrix[ground] = matrix[:, ground] = 0.0  # with nobody to hold to, the ground is in nobody's way
    matrix[ground, ground] = 1.0
    factor, failed = linalg.lapack.dpotrf(matrix.T, lower=True, clean=False, overwrite_a=True)
    if failed:
        return None
    inverse = np.empty_like(matrix)
    _invert_triangle(factor, inverse.T)
    linalg.lapack.dlauum(inverse.T, lower=True, overwrite_c=True)
    _turn_over(inverse)
    inverse[ground, ground] = 0.0
    condition = float((inverse.diagonal() * own).max())
    if not condition < _WELL_CONDITIONED:
        return None
    return DenseFactor(ground, len(own), condition, partial(_without, factor, ground), partial(_itself, inverse))


def careful_dense_factor(conductance: Array, ground: int) -> DenseFactor:
    """Factor without a subtraction, see `grounded_cholesky`; the nodes must hang together."""
    others = _others(len(conductance), ground)
    factor = grounded_cholesky(_cut_out(conductance, ground), conductance[others, ground])
    half = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True, check_finite=False)
    return _of_halves(ground, factor, half, _condition(half, _linking(conductance)[others]))


def _of_halves(ground: int, factor: Array, half: Array, condition: float) -> DenseFactor:
    """Put together from the factor and its inverse (n - 1, n - 1)."""
    size = len(factor) + 1
    return DenseFactor(ground, size, condition, partial(_itself, factor), partial(_inverse_of_halves, half, ground))


def _itself(table: Array) -> Array:
    return table


def _without(factor: Array, ground: int) -> Array:
    """Return the lower triangle of a factor (n, n) without the ground (n - 1, n - 1)."""
    others = _others(len(factor), ground)
    return np.asfortranarray(np.tril(factor)[np.ix_(others, others)])


def _others(size: int, ground: int) -> Indices:
    return np.flatnonzero(np.arange(size) != ground)


def _linking(conductance: Array) -> Array:
    """Return what links each node to all others (n,)."""
    return np.asarray(conductance.sum(axis=1) - conductance.diagonal())


def _cut_out(table: Array, k: int) -> Array:
    """Return a table (n, n) without its row and column k."""
    left = np.empty((len(table) - 1, len(table) - 1))
    for rows, here in ((slice(None, k), slice(None, k)), (slice(k, None), slice(k + 1, None))):
        left[rows, :k] = table[here, :k]
        left[rows, k:] = table[here, k + 1 :]
    return left


def _condition(half: Array, own: Array) -> float:
    return float((np.einsum("ij,ij->j", half, half) * own).max())


def _inverse_of_halves(half: Array, ground: int) -> Array:
    """Return Z (n, n) = half' half for a lower triangle (n - 1, n - 1), zero at the ground."""
    if len(half) <= _HALVES_UP_TO:
        inverse = np.asarray(half.T @ half)
    else:
        inverse = turned_over(linalg.lapack.dlauum(half, lower=True)[0].T)
    whole = np.zeros((len(half) + 1, len(half) + 1))
    for rows, part in ((slice(None, ground), inverse[:ground]), (slice(ground + 1, None), inverse[ground:])):
        whole[rows, :ground] = part[:, :ground]
        whole[rows, ground + 1 :] = part[:, ground:]
    return whole


def _invert_triangle(lower: Array, inverse: Array) -> None:
    """Fill in the inverse of a lower triangle, half by half: nearly all by products, quicker than LAPACK's own routine.

    Above the diagonal nothing is looked at and nothing is meant.
    """
    size = len(lower)
    if size <= _INVERTED_AT_ONCE:
        inverse[:] = linalg.lapack.dtrtri(lower, lower=True)[0]
        return
    first, second = slice(None, size // 2), slice(size // 2, None)
    for part in (first, second):
        _invert_triangle(lower[part, part], inverse[part, part])
    across, by = np.asfortranarray(lower[second, first]), linalg.blas.dtrmm
    across = by(1.0, inverse[first, first], across, side=True, lower=True, overwrite_b=True)
    inverse[second, first] = by(-1.0, inverse[second, second], across, lower=True, overwrite_b=True)


def turned_over(above: Array) -> Array:
    """Return the symmetric table (n, n) of which this has what is above the diagonal, and the diagonal."""
    table = np.array(above, order="C")
    _turn_over(table)
    return table


def _turn_over(table: Array) -> None:
    """Repeat what is above the diagonal of a table (n, n) below it."""
    for rows, later in _blocks(len(table)):
        corner = np.triu(table[rows, rows])
        table[rows, rows] = corner + np.triu(corner, 1).T
        table[later, rows] = table[rows, later].T


def add_turned_over(table: Array) -> None:
    """Add to a table (n, n) itself turned over."""
    for rows, later in _blocks(len(table)):
        table[rows, rows] += table[rows, rows].T.copy()
        table[rows, later] += table[later, rows].T
        table[later, rows] = table[rows, later].T


def _blocks(size: int) -> Iterator[tuple[slice, slice]]:
    """Some rows, and all later ones: a table turned over as a whole would leave the processor's cache."""
    for start in range(0, size, _ROWS_AT_ONCE):
        yield slice(start, start + _ROWS_AT_ONCE), slice(start + _ROWS_AT_ONCE, None)


def grounded_cholesky(conductance: Array, to_ground: Array) -> Array:
    """Cholesky factor of a grounded Laplacian, each entry to nearly full relative accuracy.

    The matrix is diag(row sums of conductance + to_ground) - conductance. Pivots are formed as sums of conductances
    that are still connected, never by subtraction, so no digits are lost however weak some of the links are.

    Parameters
    ----------
    conductance
        (n, n) symmetric, not negative; the diagonal is ignored.
    to_ground
        (n,) conductance from each node to the ground, not negative.

    Returns
    -------
    numpy.ndarray
        (n, n) lower triangular, with negative entries below a positive diagonal.
    """
    n = len(to_ground)
    left = np.array(conductance, dtype=np.float64)
    ground = np.array(to_ground, dtype=np.float64)
    factor = np.zeros((n, n))
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        outside = ground[start:stop] + left[start:stop, stop:].sum(axis=1)
        corner = _eliminate(left[start:stop, start:stop], outside)
        factor[start:stop, start:stop] = corner
        if stop == n:
            break
        passed = linalg.solve_triangular(corner, left[start:stop, stop:], lower=True, check_finite=False)
        drained = linalg.solve_triangular(corner, ground[start:stop], lower=True, check_finite=False)
        factor[stop:, start:stop] = -passed.T
        left[stop:, stop:] += passed.T @ passed
        ground[stop:] += passed.T @ drained
    return factor


def _eliminate(left: Array, outside: Array) -> Array:
    """Eliminate one block node by node; `outside` is each node's conductance to everything not in the block."""
    n = len(outside)
    onward = np.column_stack([left, outside])  # only what lies right of the diagonal is used
    roots = np.empty(n)
    for k in range(n):
        row = onward[k, k + 1 :]
        roots[k] = root = math.sqrt(row.sum())
        row /= root
        onward[k + 1 :, k + 1 :] += row[:-1, None] * row
    factor = -np.triu(onward[:, :n], 1).T
    factor[range(n), range(n)] = roots
    return factor
