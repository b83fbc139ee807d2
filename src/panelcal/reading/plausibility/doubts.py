"""Everything that the numbers of a block say against its lines, gathered by kind: what the gate asks about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.plausibility.explained import MOST_LINES, explained_lines
from panelcal.reading.plausibility.lines import Lines, lines_of_columns
from panelcal.reading.plausibility.recomputed import recomputed_lines
from panelcal.reading.plausibility.scales import other_scales
from panelcal.reading.plausibility.series import series_lines

Array = NDArray[np.float64]

_MOST_CELLS = 5_000
_MOST_SIZE = 2_000_000
_BASES = {"all": "of all others", "before": "of those before {it}", "after": "of those after {it}"}


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
    """

    lines: tuple[int, ...]
    reason: str
    usual: tuple[float, float] | None = None


def doubts_about_columns(scores: Array) -> tuple[Doubt, ...]:
    """Doubt the columns of a block of scores (n_rows, n_columns), NaN = no score."""
    return _doubts(scores[:_MOST_CELLS], lines_of_columns(scores[:_MOST_CELLS]), downwards=True)


def doubts_about_rows(scores: Array) -> tuple[Doubt, ...]:
    """Doubt the rows of a block of scores (n_rows, n_columns): statistics of the columns, maxima, weights."""
    turned = scores.T[:_MOST_CELLS]
    return _doubts(turned, lines_of_columns(turned), downwards=False)


def doubts_about_labels(lines: Lines, *, downwards: bool) -> tuple[Doubt, ...]:
    """Doubt the labels of a list that is too large to be laid out as a block."""
    return _doubts(None, lines, downwards=downwards)


def _doubts(scores: Array | None, lines: Lines, *, downwards: bool) -> tuple[Doubt, ...]:
    doubts: dict[str, list[int]] = {}
    taken: set[int] = set()
    if scores is not None and scores.size <= _MOST_SIZE:
        for one in recomputed_lines(scores):
            doubts.setdefault(f"the {one.statistic.value} {_BASES[one.base]}", []).append(one.line)
            taken.add(one.line)
        if scores.shape[1] <= MOST_LINES and not taken:
            for explained in explained_lines(scores):
                doubts.setdefault(f"a {explained.form} of others", []).append(explained.line)
                taken.add(explained.line)
    for series in series_lines(lines):
        if series.line not in taken:
            doubts.setdefault(series.kind, []).append(series.line)
            taken.add(series.line)
    found = [Doubt(tuple(held), reason) for reason, held in doubts.items()]
    scales = other_scales(lines, downwards=downwards)
    left = tuple(line for line in scales.lines if line not in taken) if scales else ()
    if scales and left:
        # Where every second line is on another scale, these are weights or confidences of the lines beside them.
        reason = "every second one, on a scale of its own" if scales.every_second else "on another scale"
        found.append(Doubt(left, reason, scales.usual))
    return tuple(found)
