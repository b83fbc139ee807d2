"""The set of possible winners, and who is at its edge: whom another run of the draws might place on the other side.

The chances to be the best are shares of draws, so they have an error. Its size follows from how far the chains, each
cut in parts, differ; the set is then found anew under many errors of that size.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass

_BATCHES = 32  # at least: parts of chains whose shares are compared
_OTHER_RUNS, _MOST_NUMBERS = 4000, 4_000_000  # runs imagined, fewer where very many objects could be the best
_RARE = 0.001  # share of other runs; an object that changes sides less often is not at the edge
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class WinnerSet:
    """The smallest set that holds the best object with a given probability.

    Attributes
    ----------
    chances
        (n,) P(best).
    members
        Places of the set's objects, likeliest first.
    edge
        Places of the objects, in the set or out of it, that another run of as many draws might place on the other
        side; likeliest first.
    """

    chances: Array
    members: tuple[int, ...]
    edge: tuple[int, ...]


def winner_set(best: Indices, n: int, level: float, chains: int) -> WinnerSet:
    """Find the set from draws of who is best.

    Parameters
    ----------
    best
        (draws,) place 0..n-1 of the best object in each draw; the chains of an iteration stand side by side.
    n
        How many objects there are.
    level
        Probability that the set holds the best.
    chains
        How many chains the draws are from; 1 where they are independent.
    """
    chances = np.bincount(best, minlength=n) / len(best)
    likeliest = np.argsort(-chances, kind="stable")
    inside = _inside(chances[None], level)[0]
    candidates = likeliest[chances[likeliest] > 0]
    errors = _errors(best, candidates, n, chains)
    # Two runs differ by the errors of both: hence the root of 2.
    shares = _inside(chances[candidates] + np.sqrt(2) * errors, level).mean(axis=0)
    unsure = (shares > _RARE) & (shares < 1 - _RARE)
    return WinnerSet(
        chances=chances,
        members=tuple(int(i) for i in likeliest if inside[i]),
        edge=tuple(int(i) for i in candidates[unsure]),
    )


def _inside(chances: Array, level: float) -> Mask:
    """(runs, n) whether each object belongs to the smallest set, given its chances (runs, n) to be the best."""
    order = np.argsort(-chances, axis=1, kind="stable")
    sorted_chances = np.take_along_axis(chances, order, axis=1)
    likelier = np.cumsum(sorted_chances, axis=1) - sorted_chances
    inside = np.empty(chances.shape, dtype=np.bool_)
    np.put_along_axis(inside, order, likelier < level - _ROUNDING, axis=1)
    return inside


def _errors(best: Indices, candidates: Indices, n: int, chains: int) -> Array:
    """Draw (runs, candidates) errors of the chances, with the covariance that the batches' shares show."""
    iterations = len(best) // chains
    parts = max(1, min(-(-_BATCHES // chains), iterations))
    iteration, chain = np.divmod(np.arange(iterations * chains), chains)
    batch = iteration * parts // iterations * chains + chain
    batches = parts * chains
    counts = np.bincount(batch * n + best[: len(batch)], minlength=batches * n).reshape(batches, n)[:, candidates]
    shares = counts / np.bincount(batch, minlength=batches)[:, None]
    deviations = (shares - shares.mean(axis=0)) / np.sqrt(batches * max(batches - 1, 1))
    # A fixed source: who is at the edge follows from the draws alone.
    runs = min(_OTHER_RUNS, _MOST_NUMBERS // len(candidates))
    return np.asarray(np.random.default_rng(0).standard_normal((runs, batches)) @ deviations)
