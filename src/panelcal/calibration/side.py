"""One side of the assessor-object graph: sums by node, and numbers of nodes spread over their assessments."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.panel import totals_by

LONG_RUN = 16  # assessments of a node, one after the other: from here on they are added up quicker as a run
_LEAST_BLOCK, _OF_EACH_NODE = 4_096, 64


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The objects, or the assessors.

    Attributes
    ----------
    index
        (N,) the node of each assessment.
    count
        How many nodes there are.
    runs
        (count,) where each node's assessments start, if they come one after the other in long runs; else None.
    each
        How many assessments every node has, if they come one after the other, and equally few for all; else 0.
    """

    index: Indices
    count: int
    runs: Indices | None = None
    each: int = 0

    def total(self, amounts: Array) -> Array:
        """Add up `amounts` (N,) by node (count,)."""
        if self.runs is not None:
            return np.add.reduceat(amounts, self.runs)
        if not self.each:
            return totals_by(self.index, amounts, self.count)
        total = amounts[:: self.each].copy()
        for k in range(1, self.each):
            total += amounts[k :: self.each]
        return total

    def counts(self) -> Indices:
        """How many assessments each node has (count,)."""
        if self.runs is not None:
            return np.diff(self.runs, append=len(self.index))
        return np.full(self.count, self.each) if self.each else np.bincount(self.index, minlength=self.count)

    def total_by_blocks(self, amounts: Array) -> Array:
        """Add up `amounts` (N,) by node (count,), block by block: sums of sums lose fewer digits than one long sum."""
        size = self._block
        if self.runs is not None or self.each or len(amounts) <= size:
            return self.total(amounts)
        total = np.zeros(self.count)
        for start in range(0, len(amounts), size):
            block = slice(start, start + size)
            total += totals_by(self.index[block], amounts[block], self.count)
        return total

    def longest_part(self, of: int) -> float:
        """Which part of so many assessments is added up in one go at most, by blocks."""
        return 1.0 if self.runs is not None or self.each else min(1.0, self._block / of)

    @property
    def _block(self) -> int:
        return max(_LEAST_BLOCK, _OF_EACH_NODE * self.count)

    def at_each(self, numbers: Array) -> Array:
        """Return the number (count,) of each assessment's node (N,)."""
        if self.runs is None:
            return np.repeat(numbers, self.each) if self.each else numbers[self.index]
        return np.repeat(numbers, self.counts())


def side_in_runs(index: Indices, count: int, runs: Indices | None) -> Side:
    """Return the side whose nodes' assessments start at `runs` (count,), or come in no such order (None)."""
    each, over = divmod(len(index), count)
    if runs is None or each >= LONG_RUN:
        return Side(index, count, runs)
    same = not over and np.array_equal(runs, np.arange(0, len(index), each))
    return Side(index, count, each=each if same else 0)


def runs_of(index: Indices, count: int) -> Indices | None:
    """Return where each node's assessments start (count,), if node after node has its own in a row; else None."""
    each, over = divmod(len(index), count)
    nodes = np.arange(count)
    if not over and np.array_equal(index[::each], nodes) and np.array_equal(index[each - 1 :: each], nodes):
        if (index[1:] >= index[:-1]).all():
            return np.arange(0, len(index), each)
    starts = np.flatnonzero(index[1:] != index[:-1])
    if len(starts) != count - 1:
        return None
    starts += 1
    starts = np.concatenate([[0], starts])
    return starts if np.array_equal(index[starts], nodes) else None
