"""A density seen through a linear map of some of its numbers, so that those that go together no longer do.

Totals, cut-points and difficulties of rated criteria shift against each other; scaling each by itself leaves the
sampler with small steps.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.ordinal.sampler import Density


class Whitened:
    """The log density of y, where the first numbers of a point x are `factor` y and the others are y.

    Parameters
    ----------
    density
        Of x.
    factor
        (size, size) lower triangular, of the first numbers.
    """

    def __init__(self, density: Density, factor: Array) -> None:
        self._density, self.factor, self._size = density, factor, len(factor)

    def points(self, y: Array) -> Array:
        """Return x (dimension, C)."""
        x = y.copy()
        x[: self._size] = self.factor @ y[: self._size]
        return x

    def whitened(self, x: Array) -> Array:
        """Return y (dimension, C)."""
        y = x.copy()
        y[: self._size] = np.linalg.solve(self.factor, x[: self._size])
        return y

    def gradient(self, y: Array) -> Array:
        """Return the gradient (dimension, C) by y."""
        return self._carried(self._density.gradient(self.points(y)))

    def value_and_gradient(self, y: Array) -> tuple[Array, Array]:
        """Return the log density (C,), up to a constant, and its gradient (dimension, C) by y."""
        value, gradient = self._density.value_and_gradient(self.points(y))
        return value, self._carried(gradient)

    def _carried(self, gradient: Array) -> Array:
        gradient[: self._size] = self.factor.T @ gradient[: self._size]
        return gradient


def shrunken_factor(draws: Array) -> Array:
    """Return the lower factor of the covariance of draws (size, count), correlations shrunk as so few draws need."""
    size, count = draws.shape
    spread = np.maximum(draws.std(axis=1), 1e-3)
    kept = count / (count + size)
    correlation = kept * np.cov(draws) / np.outer(spread, spread)
    correlation[np.diag_indices(size)] = 1.0
    return np.asarray(spread[:, None] * np.linalg.cholesky(correlation))
