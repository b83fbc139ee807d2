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
        (size, size, C) partial correlations y below the diagonal, 0 elsewhere.
    remaining
        (size, size, C) prod_{k<j} sqrt(1 - y_ik^2).
    """

    lower: Array
    partial: Array
    remaining: Array


class CorrelationPrior:
    """LKJ(shape) on correlation matrices of one size, a density of size (size - 1)/2 free numbers x = atanh(y)."""

    def __init__(self, size: int, shape: float) -> None:
        self.size = size
        self.rows, self.columns = np.tril_indices(size, -1)
        self._exponent = (shape + (size - 2 - self.columns) / 2)[:, None]

    @property
    def n_free(self) -> int:
        """How many free numbers there are."""
        return len(self.rows)

    def factor(self, free: Array) -> CholeskyFactor:
        """Return the factors belonging to `free` (n_free, C)."""
        if self.size == 1:  # nothing correlates, as with a single feature
            one = np.ones((1, 1, free.shape[1]))
            return CholeskyFactor(one, np.zeros_like(one), one)
        partial = np.zeros((self.size, self.size, free.shape[1]))
        partial[self.rows, self.columns] = np.tanh(free)
        remaining = np.ones_like(partial)
        # 1 - y^2 as (1 - y)(1 + y): no digits lost near |y| = 1. Above the diagonal y = 0, so the factor is 1.
        np.cumprod(np.sqrt((1 - partial) * (1 + partial))[:, :-1], axis=1, out=remaining[:, 1:])
        lower = partial * remaining
        diagonal = np.arange(self.size)
        lower[diagonal, diagonal] = remaining[diagonal, diagonal]
        return CholeskyFactor(lower, partial, remaining)

    def log_density(self, factor: CholeskyFactor) -> Array:
        """Return (C,) log prior density of the free numbers, up to a constant."""
        partial = factor.partial[self.rows, self.columns]
        return np.asarray((self._exponent * np.log1p(-np.minimum(partial**2, 1 - 1e-16))).sum(axis=0))

    def gradient(self, factor: CholeskyFactor, slope: Array) -> Array:
        """Return (n_free, C): the prior's gradient plus that of a function of L with derivative `slope` (like L)."""
        if self.size == 1:
            return np.empty((0, slope.shape[2]))
        product = slope * factor.lower
        if self.size > 2:
            later = np.cumsum(product[:, ::-1], axis=1)[:, ::-1] - product  # sum over j > k
        else:
            later = product[:, ::-1]
        partial = factor.partial[self.rows, self.columns]
        own = (slope * factor.remaining)[self.rows, self.columns] * (1 - partial**2)
        return np.asarray(own - partial * (later[self.rows, self.columns] + 2 * self._exponent))

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
