"""The system (15) between the nodes of the smaller side, solved the way that suits its measured structure.

Which way is chosen once, when the system is set up. Small systems are factored as ordinary arrays. For larger ones some
steps of conjugate gradients on a random right-hand side measure how well the panel is linked; if it is not, a direct
factor takes over, dense up to a few thousand nodes and beyond within a narrow band, or sparse where its measured
envelope fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from numpy.typing import NDArray

from panelcal.calibration.banded_factor import BandedFactor, NarrowOrder, banded_factor, narrow_order
from panelcal.calibration.conjugate_gradient import Progress, conjugate_gradients
from panelcal.calibration.dense_factor import DenseFactor, dense_factor
from panelcal.calibration.side import Side
from panelcal.calibration.sparse_factor import SparseFactor, sparse_factor, worth_factoring
from panelcal.panel import as_dense, totals_by

Array = NDArray[np.float64]
Solver = Literal["dense", "conjugate gradients", "sparse"]

DENSE_AT_ONCE = 500  # nodes: factored and inverted before anything is solved
DENSE_AT_MOST = 5_000  # nodes: 200 MB an array
_TIGHT, _MANY_STEPS = 1e-15, 5_000
_MOST_TRIED = 165
_WELL_LINKED_STEPS, _WELL_CONDITIONED = 80, 30.0
_SAYS_NOTHING = 1e-12
_MOST_PAIRS = 2e8
_WORTH_SORTING, _SHORT_ROWS = 200_000, 16
_FEW_PAIRS, _LEAST_PART = 8, 1e-9
_ROUNDS = 2
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
    eliminated, kept
        The two sides of the graph.
    eliminated_confidence, kept_confidence
        (n_eliminated,), (n_kept,) totals.
    scores, centre
        (N,) scores, and the number amid them that they are measured from, so that a common offset costs no digits. The
        way of solving is chosen by how the panel's own equations give way.
    """

    links: Array | scipy.sparse.csr_array | scipy.sparse.csc_array
    confidences: Array
    eliminated: Side
    kept: Side
    eliminated_confidence: Array
    kept_confidence: Array
    scores: Array
    centre: float

    @property
    def eliminated_index(self) -> NDArray[np.intp]:
        """(N,) the eliminated node of each assessment."""
        return self.eliminated.index

    @property
    def kept_index(self) -> NDArray[np.intp]:
        """(N,) the kept node of each assessment."""
        return self.kept.index

    @cached_property
    def ground(self) -> int:
        """The kept node with most confidence."""
        return int(np.argmax(self.kept_confidence))

    @property
    def meets_at_ground(self) -> bool:
        """Whether all nodes are within a few steps of the ground, looked at only where that is quickly seen.

        Then the panel is connected.
        """
        links = self.links
        if not isinstance(links, np.ndarray) and self.kept.runs is None:
            return False
        reached = np.zeros(len(self.kept_confidence))
        reached[self.ground] = 1.0
        for _ in range(_ROUNDS):
            reached = ((links.T @ (links @ reached)) > 0).astype(np.float64)
            if reached.all():
                return bool(self.eliminated_confidence.all())
        return False

    @cached_property
    def _sums(self) -> tuple[Array, Array, Array]:
        """Averages of the kept nodes' scores, and sums of confidence x (score - average) on both sides.

        Scores of one node, all on one side of zero, would cost their sum some digits.
        """
        weighted = self.scores - self.centre
        weighted *= self.confidences
        averages = self.kept.total(weighted) / self.kept_confidence
        off = self.kept.at_each(averages)
        off *= self.confidences
        weighted -= off
        return averages, self.eliminated.total(weighted), self.kept.total(weighted)

    @cached_property
    def _right(self) -> Array:
        return self.reduced(*self._sums[1:])

    @cached_property
    def _scores_say_something(self) -> bool:
        """Whether the right-hand side is more than rounding."""
        return bool(np.abs(self._right).max() > _SAYS_NOTHING * np.abs(self._sums[0] * self.kept_confidence).max())

    @cached_property
    def _trial(self) -> Progress:
        """Conjugate gradients on the panel's own scores, or on a random right-hand side if those say nothing."""
        right = self._right
        if not self._scores_say_something:
            right = np.random.default_rng(0).standard_normal(len(right)) * np.sqrt(self.kept_confidence)
        return conjugate_gradients(
            self.multiply_quickly,
            self.scale,
            self._balanced(right),
            tolerance=_TIGHT,
            most_steps=_MOST_TRIED,
        )

    @cached_property
    def solver(self) -> Solver:
        """How solutions are computed, from size, confidences and the trial."""
        if isinstance(self.links, np.ndarray) and len(self.kept_confidence) <= DENSE_AT_ONCE:
            return "dense"
        if not self._is_wide and self._trial.reached:
            return "conjugate gradients"
        if self.is_small:
            return "dense"
        return "sparse" if self.fits_sparse else "conjugate gradients"

    @cached_property
    def _is_wide(self) -> bool:
        return bool(self.confidences.max() > _WIDEST_CONFIDENCES * self.confidences.min())

    @property
    def way(self) -> str:
        """Which solver was chosen and why, as a sentence."""
        unknowns = f"{len(self.kept_confidence):,} unknowns"
        if self.solver == "dense" and isinstance(self.links, np.ndarray):
            return f"Solved by a Cholesky factor ({unknowns}), as so few allow."
        if self.solver == "conjugate gradients" and not self._is_wide and self._trial.reached:
            return f"Solved by conjugate gradients ({unknowns}), as {self._trial.steps} steps were enough: well linked."
        factor = {"dense": "by a Cholesky factor", "sparse": "by a sparse factor"}.get(self.solver)
        why = "some confidences are more than a million times others" if self._is_wide else "the links are weak"
        if factor is None:
            return f"Solved by conjugate gradients ({unknowns}) as far as they came: {why}, and no factor fits."
        return f"Solved {factor} ({unknowns}), as {why}."

    @cached_property
    def fits_sparse(self) -> bool:
        """Whether a sparse factor fits into memory and a short time."""
        # Pairs of kept nodes that share an eliminated one: what links between kept nodes are added up from.
        pairs = (np.bincount(self.eliminated.index).astype(np.float64) ** 2).sum()
        return bool(pairs <= _MOST_PAIRS) and (self._narrow is not None or worth_factoring(self.conductance))

    @cached_property
    def _narrow(self) -> NarrowOrder | None:
        return narrow_order(self.conductance)

    @cached_property
    def is_well_linked(self) -> bool:
        """Whether rounding is no matter: a few steps of conjugate gradients do, or a well conditioned factor."""
        if self.solver == "dense":
            return self.dense.condition <= _WELL_CONDITIONED
        if self.solver != "conjugate gradients" or not self._trial.reached:
            return False
        # Rounding comes with a node's total confidence, of which only a part may link it to others.
        part = float((self.scale / self.kept_confidence).min())
        return self._trial.steps**2 <= _WELL_LINKED_STEPS**2 * part

    def first_solution(self) -> tuple[Array, Array]:
        """Return a solution (n_eliminated,), (n_kept,) for the panel's own centred scores: unrefined, in no gauge."""
        averages, eliminated, _ = self._sums
        if self.solver == "conjugate gradients" and self._trial.reached and self._scores_say_something:
            solution = self._trial.solution
        else:
            solution = self.solve(self._right)
        return self.eliminated_part(eliminated, solution), averages + solution

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
        shares = self.links.tocsr(copy=True)
        shares.data /= np.repeat(self.eliminated_confidence, np.diff(shares.indptr))
        shares.sum_duplicates()
        return shares

    @cached_property
    def dense(self) -> DenseFactor:
        """The system factored and inverted as ordinary arrays."""
        return dense_factor(self.table, self.ground)

    @cached_property
    def table(self) -> Array:
        """(n_kept, n_kept) conductances between kept nodes as an ordinary array; the diagonal means nothing."""
        return self._table_by_pairs() if self._has_few_pairs else as_dense(self.links.T @ self.shares)

    @cached_property
    def _has_few_pairs(self) -> bool:
        """Whether few nodes are kept, and so few scores meet that they are put together pair by pair."""
        links = self.links
        if isinstance(links, np.ndarray) or links.format != "csr":
            return False
        if not 1 < len(self.kept_confidence) <= DENSE_AT_ONCE:
            return False
        counts = np.diff(links.indptr).astype(np.float64)
        return bool(np.einsum("i,i->", counts, counts) <= _FEW_PAIRS * links.nnz)

    def _table_by_pairs(self) -> Array:
        n, links = len(self.kept_confidence), self.links
        assert not isinstance(links, np.ndarray)
        counts, keys, conductances = np.diff(links.indptr), [], []
        for count in np.flatnonzero(np.bincount(counts)[2:]) + 2:
            rows = np.flatnonzero(counts == count)
            at = links.indptr[rows] + np.arange(count)[:, None]  # (count, rows)
            nodes, confidences = links.indices[at].astype(np.intp), links.data[at]
            shares = confidences / self.eliminated_confidence[rows]
            for k in range(count - 1):
                keys.append((nodes[k] * n + nodes[k + 1 :]).ravel())
                conductances.append((confidences[k] * shares[k + 1 :]).ravel())
        half = totals_by(np.concatenate(keys), np.concatenate(conductances), n * n).reshape(n, n)
        return half + half.T

    @cached_property
    def scale(self) -> Array:
        """(n_kept,) what levels the Laplacian out: its diagonal, or nearly that.

        Where eliminated nodes have many scores each, that is the total confidence but for little.
        """
        links, own = self.links, self.kept_confidence
        if isinstance(links, np.ndarray) or links.nnz > _SHORT_ROWS * len(self.eliminated_confidence):
            return own
        if self._has_few_pairs:
            within = self.table.diagonal()
            return np.asarray(self.table.sum(axis=1)) - within
        # Repeated pairs are taken for two assessors here, which does no harm to a scale.
        squares = type(links)((links.data**2, links.indices, links.indptr), shape=links.shape)
        return np.maximum(own - squares.T @ (1.0 / self.eliminated_confidence), _LEAST_PART * own)

    @cached_property
    def sparse(self) -> BandedFactor | SparseFactor:
        """The system factored within a narrow band, or where there is none, as sparsely as may be."""
        banded = None if self._narrow is None else banded_factor(self.conductance, self.ground, self._narrow)
        return sparse_factor(self.conductance, self.ground) if banded is None else banded

    @cached_property
    def conductance(self) -> scipy.sparse.csr_array:
        """(n_kept, n_kept) conductances between kept nodes, diagonal zero."""
        between = scipy.sparse.csr_array(self.links.T @ self.shares)
        between.setdiag(0.0)
        between.eliminate_zeros()
        between.sort_indices()
        return between

    def reduced(self, eliminated: Array, kept: Array) -> Array:
        """Return the right-hand side (n_kept,) that is left when the eliminated nodes are solved for."""
        return kept - self.links.T @ (eliminated / self.eliminated_confidence)

    def eliminated_part(self, eliminated: Array, solution: Array) -> Array:
        """Return the eliminated nodes' part (n_eliminated,) that goes with a solution (n_kept,)."""
        return (eliminated - self.links @ solution) / self.eliminated_confidence

    def solve(self, right: Array, *, tolerance: float = _TIGHT) -> Array:
        """Return x (n_kept,) or (n_kept, k), zero at the ground, with the other nodes' equations met.

        `tolerance` is how far conjugate gradients take the residual down; direct solvers do not need it.
        """
        if self.solver != "conjugate gradients":
            return (self.dense if self.solver == "dense" else self.sparse).solve(right)
        found = conjugate_gradients(
            self.multiply if right.ndim == 2 else self.multiply_quickly,
            self.scale,
            self._balanced(right),
            tolerance=tolerance,
            most_steps=_MANY_STEPS,
        )
        return found.solution - found.solution[self.ground]

    def multiply(self, x: Array) -> Array:
        """Multiply the Laplacian with (n_kept,) or (n_kept, k)."""
        own, eliminated = self.kept_confidence, self.eliminated_confidence
        if x.ndim == 2:
            own, eliminated = own[:, None], eliminated[:, None]
        return own * x - self.links.T @ ((self.links @ x) / eliminated)

    @cached_property
    def multiply_quickly(self) -> Callable[[Array], Array]:
        """Multiplies the Laplacian with (n_kept,), over and over.

        Where rows are short and of all lengths, those of one length are put side by side: the processor then foresees
        where each of them ends, and takes half the time.
        """
        links, eliminated, own = self.links, self.eliminated_confidence, self.kept_confidence
        if self._has_few_pairs:
            table, between = self.table, self.table.sum(axis=1)
            return lambda x: between * x - np.einsum("ij,j->i", table, x)
        if not isinstance(links, np.ndarray) and links.format == "csr" and links.nnz > _WORTH_SORTING:
            lengths = np.diff(links.indptr)
            if lengths.min() < lengths.max() and links.nnz < _SHORT_ROWS * len(lengths):
                order = np.argsort(lengths.astype(np.uint16) if lengths.max() < 65_536 else lengths, kind="stable")
                links, eliminated = links[order], eliminated[order]
        turned = links.T

        def multiply(x: Array) -> Array:
            passed = links @ x
            passed /= eliminated
            return own * x - turned @ passed

        return multiply

    def _balanced(self, right: Array) -> Array:
        """Let the ground take up what the other nodes' right-hand sides leave over, so that there is a solution."""
        balanced = right.copy()
        balanced[self.ground] = 0.0
        balanced[self.ground] = -balanced.sum(axis=0)
        return balanced
