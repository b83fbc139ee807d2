"""Entries of the generalised inverse for every eliminated member and every pair, in the engine or over the stream.

They fill two tables: `own` with e and g (the entry of e itself), `room` with e, k and along = x' G x for the pair's x.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from panelcal.large.engine import Arrays, Engine
from panelcal.large.pair_stream import PairStream, Piece
from panelcal.large.pairs import Pairs
from panelcal.large.solution import Solver

Array = NDArray[np.float64]

SAMPLES = 64
"""Random scores that entries are estimated from where the inverse is too large: good to about a tenth."""
_SAMPLES_AT_ONCE = 16
_CELLS_AT_ONCE = 20_000_000


def spread_by_join(engine: Engine, pairs: Pairs, inverse: Array) -> None:
    """Join the pairs with themselves and with the inverse Z, given as a table."""
    n = pairs.n_kept
    engine.give("inverse", {"at": np.arange(n * n), "z": inverse.ravel()})
    engine.give("diagonal", {"k": np.arange(n), "z": inverse.diagonal().copy()})
    statements = []
    for part in range(pairs.parts):
        only = f"WHERE part = {part}" if pairs.parts > 1 else ""
        some = f"(SELECT e, k, c, share, d FROM linked {only})"
        statements.append(
            "SELECT p.e AS e, p.k AS k, max(p.share) AS share, max(p.d) AS d, sum(q.share * z.z) AS h "
            f"FROM {some} AS p JOIN {some} AS q ON p.e = q.e "
            f"JOIN inverse AS z ON z.at = CAST(p.k AS BIGINT) * {n} + q.k GROUP BY p.e, p.k"
        )
    engine.make("carried", *statements)
    engine.drop("inverse")
    engine.make("own", "SELECT e, 1.0 / max(d) + sum(share * h) AS g FROM carried GROUP BY e")
    engine.make(
        "room",
        "SELECT p.e AS e, p.k AS k, own.g - 2.0 * p.h + z.z AS along "
        "FROM carried AS p JOIN own ON p.e = own.e JOIN diagonal AS z ON p.k = z.k",
    )
    engine.drop("carried", "diagonal")


def spread_by_streaming(engine: Engine, stream: PairStream, inverse: Array) -> None:
    """Gather the same piece by piece, for members with many pairs each."""

    def own() -> Iterator[Arrays]:
        for piece in stream:
            for some, carried, total in _carried(piece, inverse):
                yield {"e": some.members, "g": 1.0 / total + np.asarray(some.shares.multiply(carried).sum(axis=1))}

    def room() -> Iterator[Arrays]:
        diagonal = inverse.diagonal()
        for piece in stream:
            for some, carried, total in _carried(piece, inverse):
                rows, k = some.rows(), some.links.indices
                g = 1.0 / total + np.asarray(some.shares.multiply(carried).sum(axis=1))
                yield {"e": some.members.take(rows), "k": k, "along": g[rows] - 2 * carried[rows, k] + diagonal[k]}

    engine.give("own", own())
    engine.give("room", room())


def _carried(piece: Piece, inverse: Array) -> Iterator[tuple[Piece, Array, Array]]:
    """Yield a piece in smaller ones with shares times inverse (m, n_kept) and totals (m,)."""
    step = max(1, _CELLS_AT_ONCE // len(inverse))
    for first in range(0, len(piece.totals), step):
        some = slice(first, first + step)
        part = Piece(piece.members.slice(first, step), piece.totals[some], piece.links[some, :], piece.shares[some, :])
        yield part, np.asarray(part.shares @ inverse), part.totals


def spread_by_sampling(
    engine: Engine, stream: PairStream, solver: Solver, pairs: Pairs, group: NDArray[np.intp]
) -> Array:
    """Estimate the same, in the gauge "weighted", from solutions for random scores; returns the kept side (n_kept,)."""
    blocks = range(SAMPLES // _SAMPLES_AT_ONCE)
    solutions = [_sampled(stream, solver, pairs, group, block) for block in blocks]

    def fits() -> Iterator[tuple[Piece, Array, Array]]:
        """Yield pieces with the eliminated part of every solution (m, SAMPLES), and the sums of squares over pairs."""
        for number, piece in enumerate(stream):
            parts = []
            for block, solution in enumerate(solutions):
                noise = _noise(piece, number, block)
                right = _totals(piece, noise)
                parts.append(right / piece.totals[:, None] - piece.shares @ solution)
            yield piece, np.hstack(parts), np.hstack(solutions)

    def own() -> Iterator[Arrays]:
        for piece, eliminated, _ in fits():
            yield {"e": piece.members, "g": (eliminated**2).mean(axis=1)}

    def room() -> Iterator[Arrays]:
        for piece, eliminated, kept in fits():
            rows, k = piece.rows(), piece.links.indices
            along = np.zeros(len(rows))
            for column in range(eliminated.shape[1]):
                along += (eliminated[rows, column] + kept[k, column]) ** 2
            yield {"e": piece.members.take(rows), "k": k, "along": along / eliminated.shape[1]}

    engine.give("own", own())
    engine.give("room", room())
    return (np.hstack(solutions) ** 2).mean(axis=1)


def _sampled(stream: PairStream, solver: Solver, pairs: Pairs, group: NDArray[np.intp], block: int) -> Array:
    """Solve for random scores (n_kept, samples), moved to the gauge "weighted"."""
    right = np.zeros((stream.n_kept, _SAMPLES_AT_ONCE))
    given = np.zeros_like(right)
    for number, piece in enumerate(stream):
        noise = _noise(piece, number, block)
        on_kept = _onto_kept(piece, noise)
        given += on_kept
        right += on_kept - piece.shares.T @ _totals(piece, noise)
    solution = solver.solve(right)
    for k in range(int(group.max()) + 1):
        own = group == k
        weights = pairs.confidence[own]
        goal = 0.0 if pairs.kept == "assessor" else given[own].sum(axis=0)
        solution[own] += (goal - weights @ solution[own]) / weights.sum()
    return solution


def _noise(piece: Piece, number: int, block: int) -> Array:
    """Confidence times random scores of unit noise (pairs, samples): root(c) times normal numbers."""
    normal = np.random.default_rng((number, block)).standard_normal((len(piece.links.data), _SAMPLES_AT_ONCE))
    return np.sqrt(piece.links.data)[:, None] * normal


def _totals(piece: Piece, noise: Array) -> Array:
    return np.add.reduceat(noise, piece.links.indptr[:-1], axis=0)


def _onto_kept(piece: Piece, noise: Array) -> Array:
    pick = sp.csr_array(
        (np.ones(len(noise)), (piece.links.indices, np.arange(len(noise)))), shape=(piece.links.shape[1], len(noise))
    )
    return np.asarray(pick @ noise)
