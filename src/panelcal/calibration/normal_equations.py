"""The normal equations of the basic model, eqs. (6)-(15), solved without choosing a gauge.

Written for all nodes at once they are L (v, b) = (V, B), eq. (11). Eliminating the larger side of the graph, eq. (15)
or its mirror image, leaves the Laplacian of a network of resistors between the nodes of the smaller side. It is
factored, where links are weak, without a single subtraction (Alfa, Xue and Ye 2002, after Grassmann, Taksar and Heyman
1985), so that even links 16 decades weaker than others keep their digits. Gauges are applied afterwards, see `gauges`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import linalg

from panelcal.panel import Panel, as_dense, totals_by

Array = NDArray[np.float64]

_BLOCK = 96
_WELL_CONDITIONED = 1e3


@dataclass(frozen=True, slots=True, eq=False)
class NormalEquations:
    """L of eq. (11) with a symmetric generalised inverse G: L G L = L, G L G = G.

    G holds one kept node, the ground, at zero, so that no entry is a difference of larger ones. With D the totals of
    the eliminated side, A its rows of shares and Z the inverse on the kept side, G = [[1/D + A Z A', -A Z],
    [-Z A', Z]].

    Attributes
    ----------
    keeps_assessors
        Whether the assessors are the kept (smaller) side; else the objects are.
    object_confidence, assessor_confidence
        (n_objects,) C_o of eq. (8) and (n_assessors,) C'_a of eq. (9).
    share
        (N,) each assessment's part in the total confidence of its eliminated node.
    shares
        (n_eliminated, n_kept) the same as a matrix A, rows sum to 1; sparse where it is large.
    ground
        The kept node held at zero.
    factor
        (n_kept - 1, n_kept - 1) Cholesky factor of the system on the other kept nodes. Solutions go through it: across
        very weak links the inverse cannot hold both its large entries and their small differences.
    kept_inverse
        Z, (n_kept, n_kept), in 1/confidence.
    carried
        A Z, (n_eliminated, n_kept).
    eliminated_index, kept_index
        (N,) the nodes of each assessment on either side.
    """

    keeps_assessors: bool
    object_confidence: Array
    assessor_confidence: Array
    share: Array
    shares: Array | sp.csr_array
    ground: int
    factor: Array
    kept_inverse: Array
    carried: Array
    eliminated_index: NDArray[np.intp]
    kept_index: NDArray[np.intp]

    @property
    def eliminated_confidence(self) -> Array:
        """Total confidence of each eliminated node."""
        return self.object_confidence if self.keeps_assessors else self.assessor_confidence

    @property
    def kept_confidence(self) -> Array:
        """Total confidence of each kept node."""
        return self.assessor_confidence if self.keeps_assessors else self.object_confidence

    @property
    def total_confidence(self) -> float:
        """C, the sum of all confidences."""
        return float(self.kept_confidence.sum())

    def apply_inverse(self, object_side: Array, assessor_side: Array) -> tuple[Array, Array]:
        """Multiply G with a vector (n_objects,), (n_assessors,); for (V, B) of eq. (11) that is a solution (v, b)."""
        eliminated, kept = self._sort(object_side, assessor_side)
        passed_on = totals_by(self.kept_index, self.share * eliminated[self.eliminated_index], len(kept))
        kept_part = np.zeros_like(kept)
        if len(kept) > 1:
            others = np.flatnonzero(np.arange(len(kept)) != self.ground)
            right = (kept - passed_on)[others]
            kept_part[others] = linalg.cho_solve((self.factor, True), right, check_finite=False)
        passed_back = totals_by(self.eliminated_index, self.share * kept_part[self.kept_index], len(eliminated))
        return self._sort(eliminated / self.eliminated_confidence - passed_back, kept_part)

    def diagonals(self) -> tuple[Array, Array]:
        """Return the diagonal of G for objects (n_objects,) and for assessors (n_assessors,)."""
        carried = self.carried[self.eliminated_index, self.kept_index]
        spread = totals_by(self.eliminated_index, self.share * carried, len(self.carried))
        return self._sort(1.0 / self.eliminated_confidence + spread, self.kept_inverse.diagonal().copy())

    def link_entries(self) -> Array:
        """Return the entry of G between object and assessor of every assessment (N,)."""
        return -self.carried[self.eliminated_index, self.kept_index]

    def value_differences(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Array:
        """Return G_ii + G_jj - 2 G_ij for pairs (k,) of objects: the unit variance of v_i - v_j, in any gauge."""
        if self.keeps_assessors:
            apart = as_dense(self.shares[first] - self.shares[second])
            spread = np.einsum("ka,ka->k", apart @ self.kept_inverse, apart)
            own = 1.0 / self.object_confidence[first] + 1.0 / self.object_confidence[second]
            return np.where(first == second, 0.0, own + spread)
        inverse = self.kept_inverse
        diagonal = inverse.diagonal()
        return np.maximum(diagonal[first] + diagonal[second] - 2 * inverse[first, second], 0.0)

    def _sort(self, one: Array, two: Array) -> tuple[Array, Array]:
        """Swap between (objects, assessors) and (eliminated, kept); the same swap either way."""
        return (one, two) if self.keeps_assessors else (two, one)


def normal_equations(panel: Panel) -> NormalEquations:
    """Set up and invert the normal equations of a connected panel (dense on the smaller side)."""
    object_confidence = panel.object_totals(panel.confidences)
    assessor_confidence = panel.assessor_totals(panel.confidences)
    keeps_assessors = panel.n_assessors <= panel.n_objects
    sides = (panel.object_index, panel.assessor_index)
    eliminated_index, kept_index = sides if keeps_assessors else sides[::-1]
    totals = (object_confidence, assessor_confidence)
    eliminated_total, kept_total = totals if keeps_assessors else totals[::-1]

    share = panel.confidences / eliminated_total[eliminated_index]
    shares, weights = panel.table(share), panel.table(panel.confidences)
    if not keeps_assessors:
        shares, weights = shares.T, weights.T
    conductance = as_dense(weights.T @ shares)
    ground = int(np.argmax(kept_total))
    others = np.flatnonzero(np.arange(len(kept_total)) != ground)
    factor, grounded = factor_and_inverse(conductance[np.ix_(others, others)], conductance[others, ground])
    inverse = np.zeros_like(conductance)
    inverse[np.ix_(others, others)] = grounded
    return NormalEquations(
        keeps_assessors=keeps_assessors,
        object_confidence=object_confidence,
        assessor_confidence=assessor_confidence,
        share=share,
        shares=shares,
        ground=ground,
        factor=factor,
        kept_inverse=inverse,
        carried=shares @ inverse,
        eliminated_index=eliminated_index,
        kept_index=kept_index,
    )


def _quick_factor(conductance: Array, to_ground: Array) -> tuple[Array, Array] | None:
    """Factor by LAPACK and invert, where that keeps its digits: factor and inverse, or None.

    Ordinary elimination keeps small relative errors as long as the matrix scaled to a unit diagonal is well conditioned
    (Demmel 1989), which the inverse itself shows.
    """
    n = len(to_ground)
    matrix = -conductance
    matrix[range(n), range(n)] = 0.0
    diagonal = to_ground - matrix.sum(axis=1)
    matrix[range(n), range(n)] = diagonal
    factor, failed = linalg.lapack.dpotrf(matrix, lower=True, clean=True)
    if failed:
        return None
    inverse = _inverse(factor)
    return (factor, inverse) if (inverse.diagonal() * diagonal).max() < _WELL_CONDITIONED else None


def _inverse(factor: Array) -> Array:
    half = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True, check_finite=False)
    return half.T @ half


def factor_and_inverse(conductance: Array, to_ground: Array) -> tuple[Array, Array]:
    """Cholesky factor of a grounded Laplacian (see `grounded_cholesky`) and its inverse, each (n, n)."""
    if len(to_ground) == 0:
        return np.zeros((0, 0)), np.zeros((0, 0))
    quick = _quick_factor(conductance, to_ground)
    if quick is not None:
        return quick
    factor = grounded_cholesky(conductance, to_ground)
    return factor, _inverse(factor)


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
