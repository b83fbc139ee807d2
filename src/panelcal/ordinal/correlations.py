"""Correlation matrices through free numbers, with the LKJ prior, for many chains at once.

The lower Cholesky factor of a correlation matrix is built row by row from canonical partial correlations y = tanh(x)
(Lewandowski, Kurowicka and Joe 2009): L_ij = y_ij prod_{k<j} sqrt(1 - y_ik^2), L_ii = prod_{k<i} sqrt(1 - y_ik^2).
Under LKJ(eta) these are independent with density (1 - y^2)^(b - 1), b = eta + (size - 2 - j)/2 in column j.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class CholeskyFactor:
    """Lower factors of correlation matrices, chains last.

    Attributes
    ----------
    lower
        (size, size, C), L.
    partial
        (n_free, C) partial correlations y, row by row.
    remaining
        (size, size, C) prod_{k<j} sqrt(1 - y_ik^2) on and below the diagonal.
    """

    lower: Array
    partial: Array
    remaining: Array


class CorrelationPrior:
    """LKJ(shape) on correlation matrices, a density of size (size - 1)/2 free numbers x = atanh(y) for each.

    Parameters
    ----------
    groups
        Size and shape of each matrix; several stand side by side, in blocks along the diagonal of one.
    """

    def __init__(self, *groups: tuple[int, float]) -> None:
        starts = np.cumsum([0, *(size for size, _ in groups)])
        size = self.size = int(starts[-1])
        within = [np.tril_indices(own, -1) for own, _ in groups]
        self.rows, self.columns = np.concatenate(
            [np.array(places) + start for places, start in zip(within, starts[:-1], strict=True)], axis=1
        )
        count = len(self.rows)
        self._exponent = np.concatenate(
            [shape + (own - 2 - columns) / 2 for (own, shape), (_, columns) in zip(groups, within, strict=True)]
        )[:, None]
        self._twice_exponent = 2 * self._exponent
        # Where each entry of a matrix, row by row, stands among the free numbers followed by 0 and 1.
        places = np.full((size, size), count)
        places[np.diag_indices(size)] = count + 1
        places[self.rows, self.columns] = np.arange(count)
        self._places, self._entries = places.ravel(), self.rows * size + self.columns
        row, column = np.divmod(np.arange(size**2), size)
        same_row = self.rows[:, None] == row
        self._earlier = (same_row & (self.columns[:, None] < column)).T.astype(float)
        self._later = (same_row & (column > self.columns[:, None]) & (column <= row)).astype(float)

    @property
    def n_free(self) -> int:
        """How many free numbers there are."""
        return len(self.rows)

    def factor(self, free: Array) -> CholeskyFactor:
        """Return the factors belonging to `free` (n_free, C)."""
        size, count, chains = self.size, self.n_free, free.shape[1]
        known = np.empty((count + 2, chains))
        partial = np.tanh(free, out=known[:count])
        known[count], known[count + 1] = 0.0, 1.0
        lower = known.take(self._places, axis=0, mode="clip").reshape(size, size, chains)
        logs = np.cosh(free)  # 1/cosh x = sqrt(1 - y^2), without lost digits near |y| = 1
        np.log(logs, out=logs)
        remaining = np.dot(self._earlier, logs)
        np.negative(remaining, out=remaining)
        np.exp(remaining, out=remaining)
        remaining = remaining.reshape(size, size, chains)
        lower *= remaining
        return CholeskyFactor(lower, partial, remaining)

    def log_density(self, factor: CholeskyFactor) -> Array:
        """Return (C,) log prior density of the free numbers, up to a constant."""
        return np.asarray((self._exponent * np.log1p(-np.minimum(factor.partial**2, 1 - 1e-16))).sum(axis=0))

    def gradient(self, factor: CholeskyFactor, slope: Array) -> Array:
        """Return (n_free, C): the prior's gradient plus that of a function of L with derivative `slope` (like L)."""
        chains, partial = slope.shape[2], factor.partial
        later = np.dot(self._later, (slope * factor.lower).reshape(-1, chains))  # sum over j > k of a row
        later += self._twice_exponent
        later *= partial
        own = (slope * factor.remaining).reshape(-1, chains).take(self._entries, axis=0, mode="clip")
        own *= 1 - partial**2
        own -= later
        return np.asarray(own)

    def free_numbers(self, correlation: Array) -> Array:
        """Return the (n_free,) numbers that give the correlation matrix (size, size)."""
        lower = np.linalg.cholesky(correlation)
        left = np.sqrt(np.maximum(1 - np.cumsum(lower**2, axis=1) + lower**2, 1e-12))
        partial = np.clip(lower / left, -0.999, 0.999)
        return np.asarray(np.arctanh(partial[self.rows, self.columns]))


def draw_correlation(size: int, shape: float, random: np.random.Generator) -> Array:
    """Draw a correlation matrix (size, size) from LKJ(shape) by its vine of partial correlations."""
    partial, matrix = np.zeros((size, size)), np.eye(size)
    for k in range(size - 1):
        beta = shape + (size - 2 - k) / 2
        for i in range(k + 1, size):
            partial[k, i] = found = 2 * random.beta(beta, beta) - 1
            for below in range(k - 1, -1, -1):
                rest = (1 - partial[below, i] ** 2) * (1 - partial[below, k] ** 2)
                found = found * np.sqrt(rest) + partial[below, i] * partial[below, k]
            matrix[k, i] = matrix[i, k] = found
    return matrix
