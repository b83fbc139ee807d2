"""Made-up conferences for `bench_ordinal.py`: the document's generator, and draws from the model's own prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from panelcal import Ratings

TALK_SPREAD, CUT_SPREAD, SHIFT_SPREAD = 1.5, 2.0, 1.0
PREFERENCE_FOR_FREE_JUDGES = 2.0


@dataclass(frozen=True, slots=True)
class Conference:
    """Ratings and the truth behind them: scores (n, Q), cut-points (M, Q, L), in the order of the ratings' labels."""

    ratings: Ratings
    scores: np.ndarray
    cutpoints: np.ndarray

    @property
    def totals(self) -> np.ndarray:
        """True totals (n,), all features counting 1."""
        return self.scores.sum(axis=1)


def correlation_matrix(random: np.random.Generator, size: int, shape: float = 2.0) -> np.ndarray:
    """Draw from LKJ(shape) by partial correlations."""
    lower = np.eye(size)
    for i in range(1, size):
        left = 1.0
        for j in range(i):
            b = shape + (size - 2 - j) / 2
            partial = 2 * random.beta(b, b) - 1
            lower[i, j] = partial * np.sqrt(left)
            left *= 1 - partial**2
        lower[i, i] = np.sqrt(left)
    return lower @ lower.T


def assign(random: np.random.Generator, n: int, M: int, K: int) -> np.ndarray:
    """K different judges (n, K) for each talk, drawn with weight exp(2 x how many talks they have still to take)."""
    load = np.full(M, K * -(-n // M), dtype=float)
    chosen = np.empty((n, K), dtype=int)
    for talk in range(n):
        # Gumbel keys: the K largest are a weighted draw without replacement.
        keys = PREFERENCE_FOR_FREE_JUDGES * load + random.gumbel(size=M)
        keys[load <= 0] -= 1e6
        chosen[talk] = np.argsort(-keys)[:K]
        load[chosen[talk]] -= 1
    return chosen


def rate(random: np.random.Generator, scores: np.ndarray, cutpoints: np.ndarray, judges: np.ndarray) -> Conference:
    """Let the assigned judges (n, K) rate all features."""
    n, K = judges.shape
    talks, who = np.repeat(np.arange(n), K), judges.ravel()
    below = 1 / (1 + np.exp(-(cutpoints[who] - scores[talks][:, :, None])))
    levels = (random.random((n * K, scores.shape[1], 1)) > below).sum(axis=2)
    ratings = Ratings.from_records(talks, who, levels, levels=range(cutpoints.shape[2] + 1))
    order = [int(label) for label in ratings.assessors]
    return Conference(ratings, scores, cutpoints[order])


def conference(seed: int, *, n: int = 54, M: int = 18, K: int = 4, Q: int = 2, L: int = 4) -> Conference:
    """Draw a conference by the document's generator."""
    random = np.random.default_rng(seed)
    features = correlation_matrix(random, Q)
    scores = TALK_SPREAD * random.standard_normal((n, Q)) @ np.linalg.cholesky(features).T
    judges = assign(random, n, M, K)
    cutpoints = np.sort(CUT_SPREAD * random.standard_normal((M, Q, L)), axis=2)
    cutpoints += SHIFT_SPREAD * random.standard_normal((M, 1, 1))
    return rate(random, scores, cutpoints, judges)


def from_prior(seed: int, *, n: int, M: int, K: int, Q: int, L: int) -> Conference:
    """Draw everything from the model's prior."""
    random = np.random.default_rng(seed)
    tau, spread = random.exponential(size=Q), random.exponential(size=Q * L)
    scores = random.standard_normal((n, Q)) @ (tau[:, None] * np.linalg.cholesky(correlation_matrix(random, Q))).T
    first = np.arange(Q * L) % L == 0
    centre = np.where(first, -1.0, 0.0) + np.where(first, 1.0, 0.5) * random.standard_normal(Q * L)
    factor = spread[:, None] * np.linalg.cholesky(correlation_matrix(random, Q * L))
    eta = (centre + random.standard_normal((M, Q * L)) @ factor.T).reshape(M, Q, L)
    cutpoints = np.cumsum(np.concatenate([eta[..., :1], np.exp(eta[..., 1:])], axis=2), axis=2)
    return rate(random, scores, cutpoints, assign(random, n, M, K))
