"""The system (15) between the nodes of the smaller side, solved the way that suits its measured structure.

Which way is chosen once, when the system is set up. Small systems are factored as ordinary arrays. For larger ones some
steps of conjugate gradients on a random right-hand side measure how well the panel is linked; if it is not, a direct
factor takes over, dense up to a few thousand nodes and sparse beyond, where its measured envelope fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from numpy.typing import NDArray

from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.dense_factor import DenseFactor, dense_factor
from panelcal.calibration.sparse_factor import SparseFactor, sparse_factor, worth_factoring
from panelcal.panel import as_dense

Array = NDArray[np.float64]
Solver = Literal["dense", "conjugate gradients", "sparse"]

DENSE_AT_ONCE = 500  # nodes: factored and inverted before anything is solved
DENSE_AT_MOST = 5_000  # nodes: 200 MB an array
_ROUGH, _WELL_LINKED_STEPS, _FEW_STEPS = 1e-4, 11, 55  # of the trial; to rounding it takes near three times as many
_TIGHT, _MANY_STEPS = 1e-11, 5_000
# A link this much weaker than others hardly shows in a right-hand side, so conjugate gradients could pass over it.
_WIDEST_CONFIDENCES = 1e6


@dataclass(frozen=True, eq=False)
class KeptSystem:
    """The Laplacian between kept nodes, one of which, the ground, is held at zero.

    Attributes
    ----------
    links
        (n_eliminated, n_kept) confidences; sparse where large, with repeated pairs side by side.
    confidences
        (N,) of the assessments.
    eliminated_index, kept_index
        (N,) the nodes of each assessment on either side.
    eliminated_confidence, kept_confidence
        (n_eliminated,), (n_kept,) totals.
    """

    links: Array | scipy.sparse.csr_array
    confidences: Array
    eliminated_index: NDArray[np.intp]
    kept_index: NDArray[np.intp]
    eliminated_confidence: Array
    kept_confidence: Array

    @cached_property
    def ground(self) -> int:
        """The kept node with most confidence."""
        return int(np.argmax(self.kept_confidence))

    @cached_property
    def _trial_steps(self) -> int:
        """Steps of conjugate gradients that solve roughly for a random right-hand side, `_FEW_STEPS` + 1 for more."""
        right = np.random.default_rng(0).standard_normal(len(self.kept_confidence)) * np.sqrt(self.kept_confidence)
        steps = 0

        def multiply(x: Array) -> Array:
            nonlocal steps
            steps += 1
            return self.multiply(x)

        _, reached = conjugate_gradients(
            multiply, self.kept_confidence, self._balanced(right), tolerance=_ROUGH, most_steps=_FEW_STEPS
        )
        return steps if reached else _FEW_STEPS + 1

    @cached_property
    def solver(self) -> Solver:
        """How solutions are computed, from size, confidences and the trial."""
        wide = self.confidences.max() > _WIDEST_CONFIDENCES * self.confidences.min()
        if not wide and len(self.kept_confidence) > DENSE_AT_ONCE and self._trial_steps <= _FEW_STEPS:
            return "conjugate gradients"
        if self.is_small:
            return "dense"
        return "sparse" if worth_factoring(self.conductance) else "conjugate gradients"

    @cached_property
    def is_well_linked(self) -> bool:
        """Whether a few conjugate-gradient steps solve the system: rounding is then no matter."""
        return self.solver == "conjugate gradients" and self._trial_steps <= _WELL_LINKED_STEPS

    @property
    def is_small(self) -> bool:
        """Whether the inverse is at hand (or will be when asked for) as an ordinary array."""
        return len(self.kept_confidence) <= DENSE_AT_MOST

    @cached_property
    def share(self) -> Array:
        """(N,) each assessment's part in the total confidence of its eliminated node."""
        return self.confidences / self.eliminated_confidence[self.eliminated_index]

    @cached_property
    def shares(self) -> Array | scipy.sparse.csr_array:
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
    def sparse(self) -> SparseFactor:
        """The system factored within its envelope."""
        return sparse_factor(self.conductance, self.ground)

    @cached_property
    def conductance(self) -> scipy.sparse.csr_array:
        """(n_kept, n_kept) conductances between kept nodes, diagonal zero."""
        between = scipy.sparse.csr_array(self.links.T @ self.shares)
        between.setdiag(0.0)
        between.eliminate_zeros()
        between.sort_indices()
        return between

    def solve(self, right: Array, *, tolerance: float = _TIGHT) -> Array:
        """Return x (n_kept,) or (n_kept, k), zero at the ground, with the other nodes' equations met.

        `tolerance` is how far conjugate gradients take the residual down; direct solvers do not need it.
        """
        if self.solver != "conjugate gradients":
            return (self.dense if self.solver == "dense" else self.sparse).solve(right)
        solution, _ = conjugate_gradients(
            self.multiply, self.kept_confidence, self._balanced(right), tolerance=tolerance, most_steps=_MANY_STEPS
        )
        return solution - solution[self.ground]

    def multiply(self, x: Array) -> Array:
        """Multiply the Laplacian with (n_kept,) or (n_kept, k)."""
        own, eliminated = self.kept_confidence, self.eliminated_confidence
        if x.ndim == 2:
            own, eliminated = own[:, None], eliminated[:, None]
        return own * x - self.links.T @ ((self.links @ x) / eliminated)

    def _balanced(self, right: Array) -> Array:
        """Let the ground take up what the other nodes' right-hand sides leave over, so that there is a solution."""
        balanced = right.copy()
        balanced[self.ground] = 0.0
        balanced[self.ground] = -balanced.sum(axis=0)
        return balanced
