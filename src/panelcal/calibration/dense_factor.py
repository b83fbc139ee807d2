"""Cholesky factor and inverse of the system between kept nodes, the ground held at zero, as ordinary arrays.

Where links are weak it is factored without a single subtraction (Alfa, Xue and Ye 2002, after Grassmann, Taksar and
Heyman 1985), so that even links 16 decades weaker than others keep their digits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from panelcal.frozen import dataclass

Array = NDArray[np.float64]

_BLOCK = 96
_WELL_CONDITIONED = 1e3
_DIFFERENCES_KEPT = 1e6
_HALVES_UP_TO = 400  # up to here, two products with halves are quicker than LAPACK's own inversion


@dataclass(frozen=True, slots=True, eq=False)
class DenseFactor:
    """A grounded Laplacian, factored and inverted; the ground's own row and column are zero in the inverse.

    Attributes
    ----------
    others
        (n - 1,) the nodes but the ground.
    factor
        (n - 1, n - 1) lower triangular Cholesky factor on `others`. Solutions go through it: across very weak links the
        inverse cannot hold both its large entries and their small differences.
    inverse
        Z, (n, n), in 1/confidence.
    condition
        How many times larger entries of Z are than those of a well linked panel: about so many rounding errors show in
        differences between them.
    """

    others: NDArray[np.intp]
    factor: Array
    inverse: Array
    condition: float

    @property
    def keeps_differences(self) -> bool:
        """Whether differences between entries of Z keep ten digits; else they are to be taken through `half`."""
        return self.condition < _DIFFERENCES_KEPT

    def solve(self, right: Array) -> Array:
        """Return x (n,) or (n, k), zero at the ground, with the other nodes' equations met."""
        solution = np.zeros_like(right)
        if len(self.others):
            solution[self.others] = linalg.cho_solve((self.factor, True), right[self.others], check_finite=False)
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
    others = np.flatnonzero(np.arange(len(conductance)) != ground)
    factor, grounded = factor_and_inverse(conductance[others][:, others], conductance[others, ground])
    diagonal = conductance.sum(axis=1) - conductance.diagonal()
    inverse = np.zeros(conductance.shape)
    above, below = slice(None, ground), slice(ground + 1, None)
    for rows, part in ((above, grounded[:ground]), (below, grounded[ground:])):
        inverse[rows, above] = part[:, :ground]
        inverse[rows, below] = part[:, ground:]
    return DenseFactor(others, factor, inverse, float((inverse.diagonal() * diagonal).max()))


def factor_and_inverse(conductance: Array, to_ground: Array) -> tuple[Array, Array]:
    """Cholesky factor of a grounded Laplacian (see `grounded_cholesky`) and its inverse, each (n, n)."""
    if len(to_ground) == 0:
        return np.zeros((0, 0)), np.zeros((0, 0))
    quick = _quick_factor(conductance, to_ground)
    if quick is not None:
        return quick
    factor = grounded_cholesky(conductance, to_ground)
    half = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True, check_finite=False)
    return factor, half.T @ half


def _quick_factor(conductance: Array, to_ground: Array) -> tuple[Array, Array] | None:
    """Factor by LAPACK and invert, where that keeps its digits: factor and inverse, or None.

    Ordinary elimination keeps small relative errors as long as the matrix scaled to a unit diagonal is well conditioned
    (Demmel 1989), which the inverse itself shows.
    """
    n = len(to_ground)
    matrix = -conductance
    matrix.flat[:: n + 1] = 0.0
    diagonal = to_ground - matrix.sum(axis=1)
    matrix.flat[:: n + 1] = diagonal
    factor, failed = linalg.lapack.dpotrf(matrix.T, lower=True, clean=True, overwrite_a=True)
    if failed:
        return None
    inverse = _inverse(factor)
    return (factor, inverse) if (inverse.diagonal() * diagonal).max() < _WELL_CONDITIONED else None


def _inverse(factor: Array) -> Array:
    n = len(factor)
    if n <= _HALVES_UP_TO:
        half, _ = linalg.lapack.dtrtri(factor, lower=True)
        return half.T @ half
    lower, _ = linalg.lapack.dpotri(factor, lower=True)
    inverse = lower + lower.T
    inverse[range(n), range(n)] = lower.diagonal()
    return inverse


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
