"""Lines that are the mean of others written to whole marks, as the marks are: every cell meets it, beyond chance."""

from __future__ import annotations

import math

import numpy as np

from panelcal.arrays import Array
from panelcal.reading.plausibility.lines import half_steps
from panelcal.reading.plausibility.recomputed import Statistic, bases_of

_FEWEST_LINES, _FEWEST_CELLS, _MOST_LINES, _MOST_CELLS = 4, 12, 100, 1_000
_CHANCE = math.log(1e-5)
_LEAST_RATE = 0.1  # added to how often the others meet the same mean
_COARSEST = 0.5  # half a step, of the standard deviation of a line


def rounded_means(scores: Array) -> dict[int, str]:
    """Find the lines that meet the mean of the others (or of those before) in every cell.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here.

    Returns
    -------
    found
        Line -> "all", "before" or "after": of which others it is the mean.
    """
    n_cells, n_lines = scores.shape
    if n_cells < _FEWEST_CELLS or not _FEWEST_LINES <= n_lines <= _MOST_LINES:
        return {}
    scores = scores[:_MOST_CELLS]
    steps = half_steps(scores)
    found: dict[int, str] = {}
    for base, statistics in bases_of(scores).items():
        means = statistics[Statistic.MEAN]
        compared = ~np.isnan(means) & ~np.isnan(scores)
        with np.errstate(invalid="ignore"):
            met = (np.abs(scores - means) <= steps + 1e-9 * np.abs(means)) & compared
        counts, matches = compared.sum(axis=0), met.sum(axis=0)
        for line in np.flatnonzero((counts >= _FEWEST_CELLS) & (matches == counts)).tolist():
            others = [k for k in range(n_lines) if k != line and counts[k] >= _FEWEST_CELLS]
            usual = max((float(matches[k] / counts[k]) for k in others), default=1.0)
            own = scores[compared[:, line], line]
            chance = counts[line] * math.log(min(usual + _LEAST_RATE, 1.0)) + math.log(n_lines)
            if line not in found and chance < _CHANCE and steps[line] <= _COARSEST * own.std():
                found[line] = base
    return found
