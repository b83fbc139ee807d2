"""Numbers by line: every column, row or label of a list with what it holds, and what may speak against some lines."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass
from panelcal.panel import by_number

_MOST_DECIMALS = 4
_SHARE_ON_STEP = 0.95
_DECIMALS = 4
_SAMPLED_LINES = 200


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
    starts: Indices

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.starts) - 1

    def of(self, line: int) -> Array:
        """Return the numbers of a line."""
        return self.values[self.starts[line] : self.starts[line + 1]]

    @property
    def counts(self) -> Indices:
        """(n_lines,) how many numbers each line has."""
        return np.diff(self.starts)

    @property
    def lowest(self) -> Array:
        """(n_lines,) the lowest number of each line, NaN for a line without any."""
        return self.each(np.minimum, self.values, np.nan)

    @property
    def highest(self) -> Array:
        """(n_lines,) the highest number of each line, NaN for a line without any."""
        return self.each(np.maximum, self.values, np.nan)

    @property
    def whole(self) -> Mask:
        """(n_lines,) true for a line of whole numbers."""
        return np.asarray(self.each(np.minimum, self.values == np.round(self.values), 0.0) > 0)

    def each(self, ufunc: np.ufunc, values: Array | Mask, empty: float) -> Array:
        """(n_lines,) `ufunc` reduced over the entries of each line in `values` (N,); `empty` for a line without any."""
        result = np.full(len(self), empty)
        filled = self.counts > 0
        if filled.any():
            result[filled] = ufunc.reduceat(values, self.starts[:-1][filled])
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Commonness:
    """How common each number is among all lines, so that a line can be compared with the others.

    Attributes
    ----------
    lines
        The lines.
    ordered
        (N,) all numbers to four decimals, sorted.
    """

    lines: Lines
    ordered: Array

    @classmethod
    def of(cls, lines: Lines) -> Commonness:
        """Sort the numbers of all lines."""
        return cls(lines, np.sort(np.round(lines.values, _DECIMALS)))

    def log_shares(self, line: int) -> Array:
        """(n,) logarithm of the share that each number of a line has among the other lines, never quite nothing."""
        own = np.round(self.lines.of(line), _DECIMALS)
        everywhere = np.searchsorted(self.ordered, own, "right") - np.searchsorted(self.ordered, own, "left")
        in_line = np.sort(own)
        here = np.searchsorted(in_line, own, "right") - np.searchsorted(in_line, own, "left")
        return np.log((everywhere - here + 0.5) / (len(self.ordered) - len(own) + 1.0))

    def usual_repetition(self, line: int, fewest: int) -> float:
        """Share of the most frequent number in the other lines that vary; one in ten has more."""
        sampled = np.unique(np.linspace(0, len(self.lines) - 1, min(len(self.lines), _SAMPLED_LINES)).astype(np.intp))
        shares = []
        for other in sampled.tolist():
            counts = np.unique(self.lines.of(other), return_counts=True)[1]
            if other != line and counts.sum() >= fewest and len(counts) > 1:
                shares.append(counts.max() / counts.sum())
        return float(np.quantile(shares, 0.9)) if shares else 0.5


def lines_of_columns(scores: Array) -> Lines:
    """Take the columns of an array (n_cells, n_lines) as lines; NaN = no score."""
    turned = scores.T
    given = ~np.isnan(turned)
    return Lines(turned[given], np.concatenate([[0], np.cumsum(given.sum(axis=1))]).astype(np.intp))


def lines_of_list(values: Array, line: Indices, n_lines: int) -> Lines:
    """Sort a list of numbers (N,) by their line (N,), numbered from 0."""
    order = by_number(line, n_lines)
    starts = np.concatenate([[0], np.cumsum(np.bincount(line, minlength=n_lines))])
    return Lines(values[order], starts.astype(np.intp))


def half_steps(scores: Array) -> Array:
    """Half a unit of the last decimal that each line is written to, in units of the scores.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    given = ~np.isnan(scores)
    counts = np.maximum(given.sum(axis=0), 1)
    filled = np.where(given, scores, 0.0)
    steps = 1e-9 * np.maximum(1.0, np.abs(filled).max(axis=0, initial=0.0))
    for decimals in range(_MOST_DECIMALS, -1, -1):
        off = np.abs(filled - np.round(filled, decimals)) > 1e-9 * np.maximum(1.0, np.abs(filled))
        steps = np.where(1.0 - off.sum(axis=0) / counts >= _SHARE_ON_STEP, 0.5 * 10.0**-decimals + 1e-9, steps)
    return steps


@dataclass(frozen=True, slots=True)
class Doubt:
    """Lines that may be no assessors (or no objects), for one reason.

    Attributes
    ----------
    lines
        Their numbers.
    reason
        What they are, to be read after "is" or "are" ("the sum of all others"), or after their range where `range` is
        given.
    usual
        (lowest, highest) of the other lines where these are on another scale.
    instead
        Lines that say the same as these, which could be left out instead.
    rescale
        Whether percentages of what the sheet says was possible would bring them to one scale.
    """

    lines: tuple[int, ...]
    reason: str
    usual: tuple[float, float] | None = None
    instead: tuple[int, ...] = ()
    rescale: bool = False
