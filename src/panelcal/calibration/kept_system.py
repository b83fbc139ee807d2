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

from panelcal.arrays import Array, Indices
from panelcal.calibration.banded_factor import BandedFactor, NarrowOrder, banded_factor, narrow_order
from panelcal.calibration.conjugate_gradient import Progress, conjugate_gradients
from panelcal.calibration.dense_factor import (
    DenseFactor,
    add_turned_over,
    careful_dense_factor,
    inverted_dense_factor,
    quick_dense_factor,
    turned_over,
)
from panelcal.calibration.envelope_factor import EnvelopeFactor, envelope_factor
from panelcal.calibration.quick_links import QuickLinks, quick_links
from panelcal.calibration.shared_pairs import SharedPairs, alike_nodes, shared_pairs, turns_of
from panelcal.calibration.side import Side
from panelcal.calibration.sparse_factor import SparseFactor, sparse_factor, worth_factoring
from panelcal.panel import as_dense

Solver = Literal["dense", "conjugate gradients", "sparse"]

DENSE_AT_ONCE = 500  # nodes: factored and inverted before anything is solved
DENSE_AT_MOST = 5_000  # nodes: 200 MB an array
_TIGHT, _MANY_STEPS = 1.25e-15, 5_000
_MOST_TRIED = 165
_WELL_LINKED_STEPS, _WELL_CONDITIONED = 80, 30.0
_SAYS_NOTHING = 1e-12
_MOST_PAIRS, _MOST_PAIRS_IF_FULL, _FULL_AT_MOST = 2e8, 2e7, 10_000
_FEW_PAIRS, _LEAST_PART = 8, 1e-9
_TOGETHER, _MOST_PAIRS_TOGETHER = 1_000, 8_000_000
_NARROW = 96  # places: beyond, dense products within the envelope are quicker than a band
_LONG_SUM = 2_048  # scores of one node
_FEW_STEPS, _MOSTLY_LINKS, _SOME_LINKS = 20, 0.05, 1e-3
_FIRST_SCORES, _ROUNDS = 4, 4
_NEARLY_ALL = 0.8
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
    least_and_most
        The smallest of them and the largest.
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
    least_and_most: tuple[float, float]
    eliminated: Side
    kept: Side
    eliminated_confidence: Array
    kept_confidence: Array
    scores: Array
    centre: float

    @property
    def eliminated_index(self) -> Indices:
        """(N,) the eliminated node of each assessment."""
        return self.eliminated.index

    @property
    def kept_index(self) -> Indices:
        """(N,) the kept node of each assessment."""
        return self.kept.index

    @cached_property
    def ground(self) -> int:
        """The kept node with most confidence."""
        return int(np.argmax(self.kept_confidence))

    @property
    def meets_at_ground(self) -> bool:
        """Whether all nodes are seen to hang together, looked at only where that is quickly seen.

        Few nodes have a factor that is well conditioned only if they do; of many, all may be within a few steps.
        """
        if isinstance(self.links, np.ndarray):
            return self._quick_factor is not None and bool(self.eliminated_confidence.all())
        if not self.eliminated_confidence.all():
            return False
        if self.has_few_pairs:
            reached = self.table[self.ground] > 0
            reached[self.ground] = True
            return bool((self.table[~reached][:, reached] > 0).any(axis=1).all())
        return self.kept.runs is not None and self._all_meet_ground(self.kept.runs)

    def _all_meet_ground(self, runs: Indices) -> bool:
        """Whether the first few scores of every kept node, and all of the ground's, already join everybody."""
        ends = np.append(runs[1:], len(self.confidences))
        first = self.eliminated_index[np.minimum(runs + np.arange(_FIRST_SCORES)[:, None], ends - 1)]
        met = np.zeros(len(self.eliminated_confidence), dtype=np.bool_)
        met[self.eliminated_index[runs[self.ground] : ends[self.ground]]] = True
        for _ in range(_ROUNDS):
            reached = met[first].any(axis=0)
            if reached.all():
                return True
            met[first[:, reached]] = True
        return False

    @cached_property
    def _rounds_little(self) -> bool:
        """Whether the sums may be added up plainly: none is long, and no node's links are few amid all its scores."""
        mean = float(self.eliminated_confidence.sum()) / len(self.confidences)
        kept = self.kept_confidence.max() * self.kept.longest_part(len(self.confidences))
        longest = max(self.eliminated_confidence.max(), kept) / mean
        return bool(longest <= _LONG_SUM) and self._least_part >= _MOSTLY_LINKS

    @cached_property
    def _sums(self) -> tuple[Array, Array, Array]:
        """Averages of the kept nodes' scores, and sums of confidence x (score - average) on both sides.

        Scores of one node, all on one side of zero, would cost their sum some digits. What is left on the kept side is
        rounding, and no matter where there is little of it.
        """
        weighted = self.scores - self.centre
        weighted *= self.confidences
        if self._rounds_little:
            averages = self.kept.total_by_blocks(weighted) / self.kept_confidence
            eliminated = self.eliminated.total(weighted) - self._quick.gather(averages)
            return averages, eliminated, np.zeros_like(averages)
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
        # Everybody takes a part of what rounding leaves over: there must be nothing left for there to be a solution.
        own = self.kept_confidence
        return conjugate_gradients(
            self.multiply_quickly,
            self.scale,
            right - own * (float(right.sum()) / float(own.sum())),
            tolerance=_TIGHT,
            most_steps=_MOST_TRIED,
        )

    @cached_property
    def solver(self) -> Solver:
        """How solutions are computed, from size, confidences and the trial."""
        if isinstance(self.links, np.ndarray) and len(self.kept_confidence) <= DENSE_AT_ONCE:
            return "dense"
        if not self.is_wide and self._trial.reached:
            return "conjugate gradients"
        if self.is_small:
            return "dense"
        return "sparse" if self.fits_sparse else "conjugate gradients"

    @property
    def is_wide(self) -> bool:
        """Whether some confidences are more than a million times others."""
        least, most = self.least_and_most
        return most > _WIDEST_CONFIDENCES * least

    @property
    def way(self) -> str:
        """Which solver was chosen and why, as a sentence."""
        unknowns = f"{len(self.kept_confidence):,} unknowns"
        if self.solver == "dense" and isinstance(self.links, np.ndarray):
            return f"Solved by a Cholesky factor ({unknowns}), as so few allow."
        if self.solver == "conjugate gradients" and not self.is_wide and self._trial.reached:
            return f"Solved by conjugate gradients ({unknowns}), as {self._trial.steps} steps were enough: well linked."
        why = "some confidences are more than a million times others" if self.is_wide else "the links are weak"
        if self.solver == "conjugate gradients":
            return f"Solved by conjugate gradients ({unknowns}) as far as they came: {why}, and no factor fits."
        if self.solver == "dense":
            factor = "a Cholesky factor"
        elif isinstance(self.sparse, BandedFactor):
            factor = f"a Cholesky factor within a band of {self.sparse.order.width:,}"
        else:
            is_envelope = isinstance(self.sparse, EnvelopeFactor)
            factor = "a Cholesky factor within its envelope" if is_envelope else "a sparse factor"
        return f"Solved by {factor} ({unknowns}), as {why}."

    @cached_property
    def fits_sparse(self) -> bool:
        """Whether a sparse factor fits into memory and a short time."""
        # Pairs of kept nodes that share an eliminated one: what links between kept nodes are added up from.
        pairs = (np.bincount(self.eliminated.index).astype(np.float64) ** 2).sum()
        # Where many well linked nodes share that many, the factor is nearly full: seen before anything is added up.
        is_full = not self.is_wide and self._trial.reached and len(self.kept_confidence) > _FULL_AT_MOST
        if pairs > (_MOST_PAIRS_IF_FULL if is_full else _MOST_PAIRS):
            return False
        return self._narrow is not None or worth_factoring(self.conductance)

    @cached_property
    def _narrow(self) -> NarrowOrder | None:
        return narrow_order(self.conductance)

    @cached_property
    def is_well_linked(self) -> bool:
        """Whether rounding is no matter: a few steps of conjugate gradients do, or a well conditioned factor."""
        if self.solver == "dense":
            return self.dense.condition <= _WELL_CONDITIONED and self._least_part >= _SOME_LINKS
        if self.solver != "conjugate gradients" or not self._trial.reached:
            return False
        return self._trial.steps**2 <= _WELL_LINKED_STEPS**2 * self._least_part

    @cached_property
    def _first(self) -> Array:
        """A solution (n_kept,) for the panel's own centred scores: unrefined, in no gauge."""
        if self.solver == "conjugate gradients" and self._trial.reached and self._scores_say_something:
            return self._trial.solution
        return self.solve(self._right)

    @property
    def first_is_enough(self) -> bool:
        """Whether the first solution of a well linked system is as right as rounding allows.

        A factor is, and a few steps of conjugate gradients are as far from the equations as they say, but for that many
        roundings.
        """
        return self._rounds_little and (self.solver == "dense" or self._trial.steps <= _FEW_STEPS)

    def first_solution(self) -> tuple[Array, Array]:
        """Return a solution (n_eliminated,), (n_kept,) for the panel's own centred scores: unrefined, in no gauge."""
        averages, eliminated, _ = self._sums
        return self.eliminated_part(eliminated, self._first), averages + self._first

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
        return careful_dense_factor(self.table, self.ground) if self._quick_factor is None else self._quick_factor

    @cached_property
    def _quick_factor(self) -> DenseFactor | None:
        if isinstance(self.links, np.ndarray) or self.solver != "conjugate gradients":
            return quick_dense_factor(self.table, self.ground)
        # Only errors ask for it then, and they need the inverse.
        if self.pairs is not None and self.pairs.above:
            return inverted_dense_factor(self._by_pairs(self.pairs), self.ground, only_above=True)
        return inverted_dense_factor(self.table, self.ground, only_above=False)

    @cached_property
    def table(self) -> Array:
        """(n_kept, n_kept) conductances between kept nodes as an ordinary array; the diagonal means nothing."""
        if isinstance(self.links, np.ndarray) or self.pairs is None:
            return as_dense(self.links.T @ self.shares)
        if self.pairs.above:
            return turned_over(self._by_pairs(self.pairs))
        table = self._by_pairs(self.pairs)
        add_turned_over(table)
        return table

    def _by_pairs(self, pairs: SharedPairs) -> Array:
        return pairs.conductances(self.confidences, self.eliminated_confidence)

    @cached_property
    def pairs(self) -> SharedPairs | None:
        """Pairs of kept nodes that share an eliminated one; None where it is not worth putting them side by side.

        That is quicker than a product, and takes more memory, unless there are few nodes of about as many scores.
        """
        if isinstance(self.links, np.ndarray) or len(self.kept_confidence) < 2:
            return None
        turns, entries = turns_of(self.eliminated)
        if not _TOGETHER * turns <= entries <= 2 * _MOST_PAIRS_TOGETHER:
            return None
        return shared_pairs(alike_nodes(self.eliminated, self.kept_index), len(self.kept_confidence))

    @cached_property
    def _table_sums(self) -> Array:
        return np.asarray(np.einsum("ij->i", self.table))

    @cached_property
    def has_few_pairs(self) -> bool:
        """Whether few nodes are kept, and so few scores meet that their table is quickly made."""
        links = self.links
        if isinstance(links, np.ndarray) or links.format != "csr":
            return False
        if not 1 < len(self.kept_confidence) <= DENSE_AT_ONCE:
            return False
        counts = np.diff(links.indptr).astype(np.float64)
        return bool(np.einsum("i,i->", counts, counts) <= _FEW_PAIRS * links.nnz)

    @cached_property
    def scale(self) -> Array:
        """(n_kept,) what levels the Laplacian out: its diagonal; where the table is an ordinary array, about that."""
        return self.kept_confidence if isinstance(self.links, np.ndarray) else self._linking

    @cached_property
    def _linking(self) -> Array:
        """(n_kept,) what part of a node's confidence links it to others: the diagonal of the Laplacian, or nearly."""
        links, own = self.links, self.kept_confidence
        if isinstance(links, np.ndarray) or self.has_few_pairs:
            return self._table_sums - self.table.diagonal()
        least, most = self.least_and_most
        # No score has more than this part in the total of its eliminated node, so at least the rest is a link.
        nearly_all = 1.0 - most / float(self.eliminated_confidence.min())
        if nearly_all >= _NEARLY_ALL:
            return nearly_all * own
        # Repeated pairs are taken for two assessors here, which does no harm to a scale.
        if least == most:
            within = least * self._quick.spread(1.0 / self.eliminated_confidence)
        else:
            turned = self._quick.turned
            assert not isinstance(turned, np.ndarray)
            squares = type(turned)((turned.data**2, turned.indices, turned.indptr), turned.shape)
            within = squares @ (1.0 / self._quick.in_order(self.eliminated_confidence))
        return np.maximum(own - within, _LEAST_PART * own)

    @cached_property
    def _least_part(self) -> float:
        """The smallest part of a node's confidence that links it: rounding comes with all of it."""
        return float((self._linking / self.kept_confidence).min())

    @cached_property
    def sparse(self) -> BandedFactor | EnvelopeFactor | SparseFactor:
        """The system factored within a narrow band or its envelope, or where there is none, as sparsely as may be."""
        narrow = self._narrow
        if narrow is not None:
            factor = envelope_factor if narrow.width > _NARROW else banded_factor
            found = factor(self.conductance, self.ground, narrow)
            if found is not None:
                return found
        return sparse_factor(self.conductance, self.ground)

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
        return kept - self._quick.spread(eliminated / self.eliminated_confidence)

    def eliminated_part(self, eliminated: Array, solution: Array) -> Array:
        """Return the eliminated nodes' part (n_eliminated,) that goes with a solution (n_kept,)."""
        return (eliminated - self._quick.gather(solution)) / self.eliminated_confidence

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
        """Multiplies the Laplacian with (n_kept,), over and over."""
        own, quick = self.kept_confidence, self._quick
        if self.has_few_pairs:
            table, between = self.table, self._table_sums
            return lambda x: between * x - np.einsum("ij,j->i", table, x)
        links, turned, eliminated = quick.links, quick.turned, quick.in_order(self.eliminated_confidence)

        def multiply(x: Array) -> Array:
            passed = links @ x
            passed /= eliminated
            return own * x - turned @ passed

        return multiply

    @cached_property
    def _quick(self) -> QuickLinks:
        return quick_links(self.links)

    def _balanced(self, right: Array) -> Array:
        """Let the ground take up what the other nodes' right-hand sides leave over, so that there is a solution."""
        balanced = right.copy()
        balanced[self.ground] = 0.0
        balanced[self.ground] = -balanced.sum(axis=0)
        return balanced
