"""Rows that are the mean or the sum of the rows right above them, down from the last such row: subtotals of groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.plausibility.lines import half_steps

_FEWEST_CELLS, _FEWEST_LINES, _MOST_LINES = 3, 2, 1_500
_CHANCE, _CHANCE_OF_ONE_MORE = math.log(1e-7), math.log(1e-2)
_CHANCE_WHERE_SAID = math.log(1e-2)
_COARSE = 0.06  # half a step, of the standard deviation


@dataclass(frozen=True, slots=True)
class Subtotal:
    """A line that is the mean or the sum (`what`) of the lines from `first` up to it."""

    line: int
    first: int
    what: str


def subtotal_lines(scores: Array) -> tuple[Subtotal, ...]:
    """Find the lines that are means or sums of two or more lines right before them.

    Parameters
    ----------
    scores
        (n_cells, n_lines), NaN = no score; lines are columns here, in the order of the sheet.
    """
    n_cells, n_lines = scores.shape
    if n_cells < _FEWEST_CELLS or not _FEWEST_LINES < n_lines <= _MOST_LINES:
        return ()
    given = ~np.isnan(scores)
    steps = half_steps(scores)
    found: list[Subtotal] = []
    for known in (False, True):
        begin = 0
        steps = np.minimum(steps, steps[[one.line for one in found]].min()) if found else steps
        again, found = found, []
        for line in range(_FEWEST_LINES, n_lines):
            if line - begin < _FEWEST_LINES or given[:, line].sum() < _FEWEST_CELLS:
                continue
            one = _subtotal(scores, line, begin, float(steps[line]), _CHANCE_OF_ONE_MORE if known else _CHANCE)
            if one is not None:
                found.append(one)
                begin = line + 1
        if known:
            return tuple(found) if len(found) >= len(again) else tuple(again)
        if not found:
            break
    return ()


def said_subtotals(scores: Array, said: Sequence[int]) -> tuple[Subtotal, ...]:
    """Find the means and sums of lines right before them among the lines that are called so.

    Parameters
    ----------
    scores
        (n_cells, n_lines) as above.
    said
        The lines whose name has a word for a mean or a sum.
    """
    if len(scores) < _FEWEST_CELLS:
        return ()
    steps, found = half_steps(scores), []
    for line in said:
        if line >= _FEWEST_LINES and (~np.isnan(scores[:, line])).sum() >= _FEWEST_CELLS:
            found.append(_subtotal(scores, line, 0, float(steps[line]), _CHANCE_WHERE_SAID))
    return tuple(one for one in found if one is not None)


def _subtotal(scores: Array, line: int, begin: int, step: float, most_chance: float) -> Subtotal | None:
    """Try every first line from `begin` on; None where none makes the line a mean or a sum, or chance may do so."""
    compared_rows = ~np.isnan(scores[:, line])
    before = scores[compared_rows, begin:line][:, ::-1]
    given = ~np.isnan(before)
    counts = np.cumsum(given, axis=1)[:, 1:]
    sums = np.cumsum(np.where(given, before, 0.0), axis=1)[:, 1:]
    own = scores[compared_rows, line][:, None]
    for what, values in (("mean", sums / np.maximum(counts, 1)), ("sum", sums)):
        compared = counts > 0
        met = (np.abs(own - values) <= step + 1e-9 * np.abs(values)) | ~compared
        whole = met.all(axis=0) & (compared.sum(axis=0) >= _FEWEST_CELLS)
        places = np.flatnonzero(whole)
        if len(places) and (spread := float(np.nanstd(scores))) > 0:
            # Of a few neighbours a number is met by chance as often as the step is wide beside their spread.
            near = spread / math.sqrt(2.0 + places[0]) / 2 if what == "mean" else spread
            rate = min(1.0, 2 * step / near)
            cells = int(compared[:, places[0]].sum())
            if step > _COARSE * spread or cells * math.log(rate) + math.log(whole.size * scores.shape[1]) > most_chance:
                continue
            return Subtotal(line, line - 2 - int(places[0]), what)
    return None
