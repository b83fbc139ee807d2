"""Numbers by line: every column, row or label of a list with what it holds, in the order of the sheet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Numbers sorted by line.

    Attributes
    ----------
    values
        (N,) the numbers, those of one line together, in the order of the sheet.
    starts
        (n_lines + 1,) where each line begins in `values`, and the end.
    """

    values: Array
    starts: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def of(self, line: int) -> Array:
        """Return the numbers of a line."""
        return self.values[self.starts[line] : self.starts[line + 1]]

    def beside(self, line: int) -> Array:
        """Return the numbers of all other lines."""
        return np.concatenate([self.values[: self.starts[line]], self.values[self.starts[line + 1] :]])

    @property
    def counts(self) -> NDArray[np.intp]:
        """(n_lines,) how many numbers each line has."""
        return np.diff(self.starts)

    def each(self, ufunc: np.ufunc, values: NDArray, empty: float) -> Array:
        """(n_lines,) `ufunc` reduced over the entries of each line in `values` (N,); `empty` for a line without any."""
        result = np.full(len(self), empty)
        filled = self.counts > 0
        if filled.any():
            result[filled] = ufunc.reduceat(values, self.starts[:-1][filled])
        return result


def lines_of_columns(scores: Array) -> Lines:
    """Take the columns of an array (n_cells, n_lines) as lines; NaN = no score."""
    turned = scores.T
    given = ~np.isnan(turned)
    return Lines(turned[given], np.concatenate([[0], np.cumsum(given.sum(axis=1))]).astype(np.intp))


def lines_of_list(values: Array, line: NDArray[np.intp], n_lines: int) -> Lines:
    """Sort a list of numbers (N,) by their line (N,), numbered from 0."""
    order = np.argsort(line, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(line, minlength=n_lines))])
    return Lines(values[order], starts.astype(np.intp))
