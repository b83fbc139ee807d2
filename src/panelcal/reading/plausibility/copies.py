"""Lines that say the same as another line on another scale: points and percentages, marks and grade points."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.plausibility.lines import half_steps

MOST_LINES = 400
_FEWEST_CELLS, _FEWEST_LEVELS = 8, 6
_MOST_CELLS = 1_000
_ALIKE = 0.99
_COARSE = 0.06  # half a step, of the standard deviation
_SAME_SCALE = 0.05


@dataclass(frozen=True, slots=True)
class Copy:
    """Line `line` is line `of`, multiplied and moved."""

    line: int
    of: int


def rescaled_lines(scores: Array) -> tuple[Copy, ...]:
    """Find lines that another line gives exactly, to rounding, by one factor (other than 1) and one difference.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.
    """
    if not 2 <= scores.shape[1] <= MOST_LINES:
        return ()
    if len(scores) > _MOST_CELLS:
        scores = scores[np.linspace(0, len(scores) - 1, _MOST_CELLS).astype(np.intp)]
    given = ~np.isnan(scores)
    weight = given.astype(np.float64)
    centred = np.where(given, scores - np.nanmean(np.where(given.any(axis=0), scores, 0.0), axis=0), 0.0)
    counts = weight.T @ weight
    means = (centred.T @ weight) / np.maximum(counts, 1)  # of line k where line l has an entry too
    squares = (centred**2).T @ weight / np.maximum(counts, 1) - means**2
    products = centred.T @ centred / np.maximum(counts, 1) - means * means.T
    size = np.sqrt(np.maximum(squares, 0.0) * np.maximum(squares.T, 0.0))
    likely = (counts >= _FEWEST_CELLS) & (products >= _ALIKE * size) & (size > 0)
    steps = half_steps(scores)
    found: list[Copy] = []
    for first, second in zip(*np.nonzero(np.triu(likely, 1)), strict=True):
        rows = given[:, first] & given[:, second]
        if _same(scores[rows, first], scores[rows, second], float(steps[first]), float(steps[second])):
            found.append(Copy(int(second), int(first)))
    return tuple(found)


def _same(first: Array, second: Array, first_step: float, second_step: float) -> bool:
    """Tell whether one of two lines (n,) is the other on another scale, to the rounding of the coarser."""
    if np.ptp(np.diff(first)) < 1e-9:
        return False  # a sequence is judged as one
    for x, y, step in ((first, second, second_step), (second, first, first_step)):
        if len(np.unique(y)) < _FEWEST_LEVELS or step > _COARSE * y.std() or x.std() == 0:
            continue
        slope = float(np.cov(x, y)[0, 1] / x.var(ddof=1))
        if abs(np.log(max(slope, 1e-12))) < _SAME_SCALE:
            continue
        away = y - slope * x
        if np.ptp(away) <= 2.1 * step + 1e-9 * float(np.abs(y).max()):
            return True
    return False
