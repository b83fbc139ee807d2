"""The normal equations of the basic model, eqs. (6)-(15), solved without choosing a gauge.

Written for all nodes at once they are L (v, b) = (V, B), eq. (11). Eliminating the larger side of the graph, eq. (15)
or its mirror image, leaves the Laplacian of a network of resistors between the nodes of the smaller side: see
`kept_system` for how that is solved. Gauges are applied afterwards, see `gauges`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.inverse_entries import (
    InverseEntries,
    along_assessments,
    inverse_entries,
    lengths,
    quicker_gathered,
)
from panelcal.calibration.kept_system import KeptSystem
from panelcal.calibration.side import Side, runs_of, side_in_runs
from panelcal.calibration.spectral_gap import lambda2_and_mu2
from panelcal.panel import Panel, as_dense

_CELLS_AT_ONCE = 500_000
_LONG_SUM = 4_096  # assessments of one node
_SHORT_ROW = 64


@dataclass(frozen=True, eq=False)
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
    system
        The system between kept nodes.
    """

    keeps_assessors: bool
    object_confidence: Array
    assessor_confidence: Array
    system: KeptSystem

    @property
    def eliminated_confidence(self) -> Array:
        """Total confidence of each eliminated node."""
        return self.system.eliminated_confidence

    @property
    def kept_confidence(self) -> Array:
        """Total confidence of each kept node."""
        return self.system.kept_confidence

    @property
    def eliminated_index(self) -> Indices:
        """(N,) the eliminated node of each assessment."""
        return self.system.eliminated_index

    @property
    def kept_index(self) -> Indices:
        """(N,) the kept node of each assessment."""
        return self.system.kept_index

    @property
    def total_confidence(self) -> float:
        """C, the sum of all confidences."""
        return float(self.kept_confidence.sum())

    @property
    def shares(self) -> Array | scipy.sparse.csr_array:
        """A (n_eliminated, n_kept), rows sum to 1; sparse where it is large."""
        return self.system.shares

    @property
    def factor(self) -> Array:
        """(n_kept - 1, n_kept - 1) Cholesky factor of the system on the kept nodes but the ground."""
        return self.system.dense.factor

    @property
    def kept_inverse(self) -> Array:
        """Z, (n_kept, n_kept), in 1/confidence."""
        return self.system.dense.inverse

    @property
    def carried(self) -> Array:
        """A Z, (n_eliminated, n_kept); for panels small enough to hold it."""
        return np.asarray(self.shares @ self.kept_inverse)

    @cached_property
    def entries(self) -> InverseEntries:
        """Entries of G on the panel's own pairs."""
        return inverse_entries(self.system)

    @cached_property
    def lambda2_and_mu2(self) -> tuple[float, float]:
        """lambda_2 and mu_2, eq. (32); needs two nodes or more on either side."""
        return lambda2_and_mu2(self.system)

    def apply_inverse(
        self, object_side: Array, assessor_side: Array, *, tolerance: float | None = None
    ) -> tuple[Array, Array]:
        """Multiply G with a vector (n_objects,), (n_assessors,); for (V, B) of eq. (11) that is a solution (v, b).

        `tolerance` is for iterative solutions: how far to take the residual down (None = nearly to rounding).
        """
        if tolerance is None:
            return self._apply(object_side, assessor_side, self.system.solve)
        return self._apply(object_side, assessor_side, lambda right: self.system.solve(right, tolerance=tolerance))

    def apply_covariance(self, object_side: Array, assessor_side: Array) -> tuple[Array, Array]:
        """Multiply G with a vector, as `apply_inverse` does, where the errors of everything are wanted too.

        These need Z as an ordinary array, if that is in reach: it is multiplied with sooner than equations are solved.
        """
        system = self.system
        if system.solver == "conjugate gradients" and system.is_small and system.dense.keeps_differences:
            return self._apply(object_side, assessor_side, lambda right: np.einsum("ij,j->i", self.kept_inverse, right))
        return self.apply_inverse(object_side, assessor_side)

    def _apply(self, object_side: Array, assessor_side: Array, solve: Callable[[Array], Array]) -> tuple[Array, Array]:
        eliminated, kept = self._sort(object_side, assessor_side)
        kept_part = solve(self.system.reduced(eliminated, kept))
        return self._sort(self.system.eliminated_part(eliminated, kept_part), kept_part)

    def biases_alone(self, assessor_side: Array) -> Array:
        """Return the biases (n_assessors,) of `apply_inverse` with nothing on the side of the objects."""
        if self.keeps_assessors:
            return self.system.solve(assessor_side)
        return self.apply_inverse(np.zeros(len(self.object_confidence)), assessor_side)[1]

    def first_solution(self) -> tuple[Array, Array]:
        """Return (v, b) for the panel's own centred scores, as the solver gives it: unrefined and in no gauge."""
        return self._sort(*self.system.first_solution())

    def value_block(self, objects: Indices) -> Array:
        """Return the entries of G between these objects (k, k), for systems that are small."""
        if not self.keeps_assessors:
            return self.kept_inverse[np.ix_(objects, objects)]
        shares = as_dense(self.shares[objects])
        return np.diag(1.0 / self.object_confidence[objects]) + shares @ self.kept_inverse @ shares.T

    def diagonals(self) -> tuple[Array, Array]:
        """Return the diagonal of G for objects (n_objects,) and for assessors (n_assessors,)."""
        return self._sort(self.entries.eliminated, self.entries.kept)

    def ends(self) -> tuple[Array, Array]:
        """Return x' G e_object and x' G e_assessor (N,) for x = e_object + e_assessor of every assessment."""
        return self._sort(self.entries.eliminated_end, self.entries.kept_end)

    def along_assessments(self, object_side: Array, assessor_side: Array) -> Array:
        """Return x' G u (N,) for x = e_object + e_assessor of every assessment and u given by its two parts."""
        return along_assessments(self.system, *self._sort(object_side, assessor_side))

    def value_differences(self, first: Indices, second: Indices) -> Array:
        """Return G_ii + G_jj - 2 G_ij for pairs (k,) of objects: the unit variance of v_i - v_j, in any gauge."""
        variances = np.empty(len(first))
        n_kept = len(self.kept_confidence)
        step = max(1, _CELLS_AT_ONCE // n_kept)
        for start in range(0, len(first), step):
            one, two = first[start : start + step], second[start : start + step]
            if self.keeps_assessors:
                apart = self.shares[one] - self.shares[two]
                own = 1.0 / self.object_confidence[one] + 1.0 / self.object_confidence[two]
            else:
                apart = np.zeros((len(one), n_kept))
                apart[np.arange(len(one)), one] += 1.0
                apart[np.arange(len(one)), two] -= 1.0
                own = np.zeros(len(one))
            if self._gathers(apart):
                spread = lengths(self.kept_inverse, apart)
            elif self.system.is_small:
                spread = (self.system.dense.half(as_dense(apart).T) ** 2).sum(axis=0)
            else:
                apart = as_dense(apart)
                spread = np.einsum("ka,ak->k", apart, self.system.solve(apart.T.copy()))
            variances[start : start + step] = np.where(one == two, 0.0, own + spread)
        return variances

    def _gathers(self, vectors: Array | scipy.sparse.csr_array) -> bool:
        """Whether vectors (k, n_kept) have so few entries that their lengths are sooner gathered from Z."""
        if isinstance(vectors, np.ndarray) or not (self.system.is_small and self.system.dense.keeps_differences):
            return False
        return quicker_gathered(np.diff(vectors.indptr), len(self.kept_confidence))

    def _sort(self, one: Array, two: Array) -> tuple[Array, Array]:
        """Swap between (objects, assessors) and (eliminated, kept); the same swap either way."""
        return (one, two) if self.keeps_assessors else (two, one)


def normal_equations(panel: Panel) -> NormalEquations:
    """Set up the normal equations of a connected panel."""
    keeps_assessors = panel.n_assessors <= panel.n_objects
    links: Array | scipy.sparse.csr_array | scipy.sparse.csc_array
    sides = Side(panel.object_index, panel.n_objects), Side(panel.assessor_index, panel.n_assessors)
    least, most = float(panel.confidences.min()), float(panel.confidences.max())
    if panel.is_dense:
        links = as_dense(panel.table(panel.confidences))
        totals = _row_sums(links), _column_sums(links)
    else:
        runs = runs_of(panel.object_index, panel.n_objects)
        links = _sparse_links(panel, runs)
        sides = side_in_runs(panel.object_index, panel.n_objects, runs), sides[1]
        alike = least == most
        totals = (
            _total_confidence(sides[0], panel.confidences, alike),
            _total_confidence(sides[1], panel.confidences, alike),
        )
    object_confidence, assessor_confidence = totals
    if not keeps_assessors:
        sides, totals, links = sides[::-1], totals[::-1], links.T
    # By numpy itself: linear algebra libraries share long products out among threads, and round otherwise then.
    centre = float(np.einsum("i,i->", panel.confidences, panel.scores)) / float(object_confidence.sum())
    if not np.isfinite(centre):
        centre = float(panel.scores[0])
    system = KeptSystem(links, panel.confidences, (least, most), *sides, *totals, panel.scores, centre)
    return NormalEquations(keeps_assessors, object_confidence, assessor_confidence, system)


def _total_confidence(side: Side, confidences: Array, alike: bool = False) -> Array:
    """Add up confidences by node (count,); a long sum, which loses digits, is taken from the node's average again."""
    if alike:  # counted, which rounds once
        return np.asarray(side.counts() * confidences[0])
    totals = side.total_by_blocks(confidences)
    if totals.max() > _LONG_SUM * totals.sum() / len(confidences):
        each = np.bincount(side.index, minlength=side.count)
        average = totals / each
        totals = each * average + side.total(confidences - side.at_each(average))
    return totals


def _row_sums(table: Array) -> Array:
    """Add up along rows: long ones in pairs, so that equal numbers do not pile up roundings."""
    return table.sum(axis=1) if table.shape[1] > _SHORT_ROW else np.einsum("ij->i", table)


def _column_sums(table: Array) -> Array:
    """Add up along columns: long ones in about as many parts as each part has rows."""
    n, m = table.shape
    if n <= 2 * _SHORT_ROW:
        return np.asarray(table.sum(axis=0))
    parts = math.isqrt(n)
    rows = n - n % parts
    folded = np.einsum("kj->j", table[:rows].reshape(parts, -1)).reshape(-1, m)
    return np.asarray(np.einsum("kj->j", folded) + np.einsum("kj->j", table[rows:]))


def _sparse_links(panel: Panel, runs: Indices | None) -> scipy.sparse.csr_array:
    """Arrange confidences as (n_objects, n_assessors), repeated pairs side by side: sorting would cost as much again.

    Where scores come object by object, as sheets list them, the entries are in place already: `runs` are their starts.
    """
    shape = panel.n_objects, panel.n_assessors
    if runs is not None:
        ends = np.append(runs, panel.n_assessments).astype(np.int32)
        return scipy.sparse.csr_array((panel.confidences, panel.assessor_index.astype(np.int32), ends), shape=shape)
    places = panel.object_index.astype(np.int32), panel.assessor_index.astype(np.int32)
    table = scipy.sparse.coo_array((panel.confidences, places), shape=shape)
    table.has_canonical_format = True
    return table.tocsr()
