"""Entries of the generalised inverse for every eliminated member and every pair, looked up or estimated.

Of each eliminated member g, the entry of itself; of each pair along = x' G x for the pair's x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import scipy.sparse as sp

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.large.gauge_sums import GaugeSums
from panelcal.large.pairs import Pairs
from panelcal.large.solution import Solver

if TYPE_CHECKING:
    from panelcal.large.pair_stream import PairStream, Piece


SAMPLES = 64
"""Random scores that entries are estimated from where the inverse is too large: good to about a tenth."""
_SAMPLES_AT_ONCE = 16
_CELLS_AT_ONCE = 4_000_000
_LOOKED_UP = 20  # what a number taken from a table costs beside one multiplied in a row


class Spread(Protocol):
    """Entries of the generalised inverse, and the gauge they have still to be moved to."""

    @property
    def inverse(self) -> Array | None:
        """(n_kept, n_kept) the generalised inverse Z, or None where entries are estimated."""

    @property
    def gauge(self) -> GaugeSums | None:
        """The gauge, or None where entries are in it already."""

    @property
    def kept(self) -> Array:
        """(n_kept,) variance for w = 1 of each kept member, in the gauge."""

    def entries(self, number: int, piece: Piece) -> tuple[Array, Array]:
        """Return g (m,) and along (p,) of the piece of that number."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactSpread:
    """Entries from the inverse between kept members; see `Spread`."""

    inverse: Array
    gauge: GaugeSums
    kept: Array

    def entries(self, number: int, piece: Piece) -> tuple[Array, Array]:
        """Return g (m,) and along (p,)."""
        shares = piece.shares()
        products = float((piece.sizes.astype(np.float64) ** 2).sum())
        if _LOOKED_UP * products <= float(len(piece.k)) * len(self.inverse):
            carried = _looked_up(piece, shares, self.inverse)
        else:
            carried = _multiplied(piece, shares, self.inverse)
        g = 1.0 / piece.totals + piece.add_up(shares * carried)
        return g, piece.hand_out(g) - 2 * carried + self.inverse.diagonal()[piece.k]


def exact_spread(inverse: Array, gauge: GaugeSums, group: Indices) -> ExactSpread:
    """Return entries taken from the inverse, to be moved to that gauge."""
    part, half = gauge.solution / gauge.scale[group], gauge.half[group]
    correction = 2 * (part + half) if gauge.objects_eliminated else -2 * (part - half)
    return ExactSpread(inverse, gauge, np.maximum(inverse.diagonal() + correction, 0.0))


def _looked_up(piece: Piece, shares: Array, inverse: Array) -> Array:
    """Add up share times entry over the pairs of the same member, for every pair (p,)."""
    k, n = piece.k.astype(np.intp), len(inverse)
    flat = inverse.ravel()
    carried: Array = shares * inverse.diagonal()[k]
    for i, j in piece.two_by_two():
        z = flat[k[j] * n + k[i]]
        carried[i] += shares[j] * z
        carried[j] += shares[i] * z
    return carried


def _multiplied(piece: Piece, shares: Array, inverse: Array) -> Array:
    """Do the same as a product of tables, for members with many pairs each."""
    n = len(inverse)
    table, carried = piece.table(shares, n), np.empty(len(shares))
    step = max(1, _CELLS_AT_ONCE // n)
    for first in range(0, len(piece.sizes), step):
        sizes = piece.sizes[first : first + step]
        some = slice(piece.starts[first], piece.starts[first] + sizes.sum())
        whole = np.asarray(table[first : first + step, :] @ inverse)
        carried[some] = whole[np.repeat(np.arange(len(sizes)), sizes), piece.k[some]]
    return carried


@dataclass(frozen=True, slots=True, eq=False)
class SampledSpread:
    """Entries estimated from solutions for random scores, in the gauge "weighted"; see `Spread`.

    Attributes
    ----------
    solutions
        Blocks (n_kept, samples).
    """

    kept: Array
    solutions: tuple[Array, ...]
    inverse: None = None
    gauge: None = None

    def entries(self, number: int, piece: Piece) -> tuple[Array, Array]:
        """Return g (m,) and along (p,)."""
        g, along = np.zeros(len(piece.sizes)), np.zeros(len(piece.k))
        for block, solution in enumerate(self.solutions):
            right = piece.add_up(_noise(piece, number, block))
            shares = piece.table(piece.shares(), len(solution))
            fitted = right / piece.totals[:, None] - shares @ solution
            g += (fitted**2).sum(axis=1)
            for column in range(fitted.shape[1]):
                along += (piece.hand_out(fitted[:, column]) + solution[piece.k, column]) ** 2
        return g / SAMPLES, along / SAMPLES


def sampled_spread(stream: PairStream, solver: Solver, pairs: Pairs, group: Indices) -> SampledSpread:
    """Solve for random scores."""
    blocks = range(SAMPLES // _SAMPLES_AT_ONCE)
    solutions = tuple(_sampled(stream, solver, pairs, group, block) for block in blocks)
    return SampledSpread((np.hstack(solutions) ** 2).mean(axis=1), solutions)


def _sampled(stream: PairStream, solver: Solver, pairs: Pairs, group: Indices, block: int) -> Array:
    """Solve for random scores (n_kept, samples), moved to the gauge "weighted"."""
    right = np.zeros((stream.n_kept, _SAMPLES_AT_ONCE))
    given = np.zeros_like(right)
    for number, piece in enumerate(stream):
        noise = _noise(piece, number, block)
        on_kept = _onto_kept(piece, noise, stream.n_kept)
        given += on_kept
        right += on_kept - piece.table(piece.shares(), stream.n_kept).T @ piece.add_up(noise)
    solution = solver.solve(right)
    for k in range(int(group.max()) + 1):
        own = group == k
        weights = pairs.confidence[own]
        goal = 0.0 if pairs.kept == "assessor" else given[own].sum(axis=0)
        solution[own] += (goal - weights @ solution[own]) / weights.sum()
    return solution


def _noise(piece: Piece, number: int, block: int) -> Array:
    """Confidence times random scores of unit noise (p, samples): root(c) times normal numbers."""
    normal = np.random.default_rng((number, block)).standard_normal((len(piece.k), _SAMPLES_AT_ONCE))
    return np.asarray(np.sqrt(piece.confidence)[:, None] * normal)


def _onto_kept(piece: Piece, noise: Array, n_kept: int) -> Array:
    pick = sp.csr_array((np.ones(len(noise)), (piece.k, np.arange(len(noise)))), shape=(n_kept, len(noise)))
    return np.asarray(pick @ noise)
