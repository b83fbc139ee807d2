"""The system (15) between the nodes of the smaller side, solved the way that suits its measured structure.

Small systems are factored at once as ordinary arrays. Larger ones are tried by conjugate gradients, whose progress says
whether the panel is well linked; if it is not, a direct factor takes over, dense up to a few thousand nodes and sparse
beyond, where its measured envelope fits.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.dense_factor import DenseFactor, dense_factor
from panelcal.calibration.inverse_entries import (
    InverseEntries,
    along_assessments,
    dense_entries,
    exact_entries,
    sampled_entries,
)
from panelcal.calibration.sparse_factor import SparseFactor, selected_inverse, sparse_factor, worth_factoring
from panelcal.calibration.spectral_gap import lambda2_and_mu2
from panelcal.panel import as_dense

Array = NDArray[np.float64]
Solver = Literal["dense", "conjugate gradients", "sparse"]

DENSE_AT_ONCE = 500  # nodes: factored and inverted before anything is solved
DENSE_AT_MOST = 5_000  # nodes: 200 MB an array
_WELL_LINKED_STEPS, _FEW_STEPS, _MANY_STEPS = 30, 150, 5_000
_TIGHT, _ROUGH = 1e-11, 1e-4
# A link this much weaker than others hardly shows in a right-hand side, so conjugate gradients could pass over it.
_WIDEST_CONFIDENCES = 1e6


class KeptSystem:
    """The Laplacian between kept nodes, one of which, the ground, is held at zero.

    Attributes
    ----------
    eliminated_index, kept_index
        (N,) the nodes of each assessment on either side.
    links
        (n_eliminated, n_kept) confidences; sparse where large, with repeated pairs side by side.
    eliminated_confidence, kept_confidence
        (n_eliminated,), (n_kept,) totals.
    ground
        The kept node with most confidence.
    """

    def __init__(
        self,
        links: Array | sp.csr_array,
        confidences: Array,
        nodes: tuple[NDArray[np.intp], NDArray[np.intp]],
        totals: tuple[Array, Array],
    ) -> None:
        self.links = links
        self.eliminated_index, self.kept_index = nodes
        self.eliminated_confidence, self.kept_confidence = totals
        self.ground = int(np.argmax(self.kept_confidence))
        self._confidences = confidences
        self._direct: DenseFactor | SparseFactor | None = None
        self._direct_considered = False
        self._products = 0
        n = len(self.kept_confidence)
        if n <= DENSE_AT_ONCE or confidences.max() > _WIDEST_CONFIDENCES * confidences.min():
            self._consider_direct()

    @property
    def solver(self) -> Solver:
        """How solutions are computed at present."""
        if self._direct is None:
            return "conjugate gradients"
        return "dense" if isinstance(self._direct, DenseFactor) else "sparse"

    @property
    def is_well_linked(self) -> bool:
        """Whether a few conjugate-gradient steps solved what was to be solved so far: rounding is then no matter."""
        return self._direct is None and 0 < self._products <= _WELL_LINKED_STEPS

    @property
    def is_small(self) -> bool:
        """Whether the inverse is at hand (or will be when asked for) as an ordinary array."""
        return len(self.kept_confidence) <= DENSE_AT_MOST

    @cached_property
    def share(self) -> Array:
        """(N,) each assessment's part in the total confidence of its eliminated node."""
        return self._confidences / self.eliminated_confidence[self.eliminated_index]

    @cached_property
    def shares(self) -> Array | sp.csr_array:
        """(n_eliminated, n_kept) parts in the total confidence of each eliminated node: A, rows sum to 1."""
        if isinstance(self.links, np.ndarray):
            return self.links / self.eliminated_confidence[:, None]
        shares = self.links.copy()
        shares.data /= np.repeat(self.eliminated_confidence, np.diff(shares.indptr))
        shares.sum_duplicates()
        return shares

    @cached_property
    def dense(self) -> DenseFactor:
        """The system factored and inverted as ordinary arrays."""
        return dense_factor(as_dense(self.links.T @ self.shares), self.ground)

    @cached_property
    def conductance(self) -> sp.csr_array:
        """(n_kept, n_kept) conductances between kept nodes, diagonal zero."""
        between = sp.csr_array(self.links.T @ self.shares)
        between.setdiag(0.0)
        between.eliminate_zeros()
        between.sort_indices()
        return between

    @cached_property
    def entries(self) -> InverseEntries:
        """Entries of G on the panel's own pairs: exact where the structure lets them be, else estimated."""
        if self.is_small:
            return dense_entries(self)
        if not self._direct_considered:
            self.solve(self.kept_confidence, tolerance=_ROUGH)  # finds out how well linked the panel is
        if isinstance(self._direct, SparseFactor):
            return exact_entries(self, selected_inverse(self._direct))
        return sampled_entries(self)

    @cached_property
    def lambda2_and_mu2(self) -> tuple[float, float]:
        """lambda_2 and mu_2, eq. (32); needs two nodes or more on either side."""
        return lambda2_and_mu2(self)

    def along_assessments(self, on_eliminated: Array, on_kept: Array) -> Array:
        """Return x' G u (N,) for every assessment, x = e_eliminated + e_kept, and a vector u given by its two parts."""
        return along_assessments(self, on_eliminated, on_kept)

    def solve(self, right: Array, *, tolerance: float = _TIGHT) -> Array:
        """Return x (n_kept,) or (n_kept, k), zero at the ground, with the other nodes' equations met.

        `tolerance` is how far conjugate gradients take the residual down; direct solvers do not need it.
        """
        if self._direct is None:
            balanced = right.copy()
            balanced[self.ground] = 0.0
            balanced[self.ground] = -balanced.sum(axis=0)
            steps = _MANY_STEPS if self._direct_considered else _FEW_STEPS
            solution, reached = conjugate_gradients(
                self.multiply, self.kept_confidence, balanced, tolerance=tolerance, most_steps=steps
            )
            if reached or self._direct_considered:
                return solution - solution[self.ground]
            self._consider_direct()
            return self.solve(right, tolerance=tolerance)
        return self._direct.solve(right)

    def multiply(self, x: Array) -> Array:
        """Multiply the Laplacian with (n_kept,) or (n_kept, k)."""
        self._products += 1
        own, eliminated = self.kept_confidence, self.eliminated_confidence
        if x.ndim == 2:
            own, eliminated = own[:, None], eliminated[:, None]
        return own * x - self.links.T @ ((self.links @ x) / eliminated)

    def _consider_direct(self) -> None:
        self._direct_considered = True
        if self.is_small:
            self._direct = self.dense
        elif worth_factoring(self.conductance):
            self._direct = sparse_factor(self.conductance, self.ground)
