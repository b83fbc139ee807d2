"""Everything that the numbers of a block say against its lines, gathered by kind: what the gate asks about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from panelcal.arrays import Array
from panelcal.reading.plausibility.copies import Copy, rescaled_lines
from panelcal.reading.plausibility.derived import derived_lines
from panelcal.reading.plausibility.explained import MOST_LINES, explained_lines
from panelcal.reading.plausibility.lines import Doubt, Lines, lines_of_columns
from panelcal.reading.plausibility.maxima import doubts_by_maxima
from panelcal.reading.plausibility.other_ends import ends_mistaken
from panelcal.reading.plausibility.recomputed import recomputed_lines
from panelcal.reading.plausibility.rounded_means import rounded_means
from panelcal.reading.plausibility.scales import other_scales
from panelcal.reading.plausibility.selected import selected_lines
from panelcal.reading.plausibility.series import series_lines
from panelcal.reading.plausibility.strangers import stranger_lines
from panelcal.reading.plausibility.subtotals import subtotal_lines

_MOST_CELLS = 5_000
_MOST_SIZE = 2_000_000
_STRANGER = "unlike the others, which go together, and beyond their numbers"
_BASES = {"all": "of all others", "before": "of those before {it}", "after": "of those after {it}"}


def doubts_about_columns(scores: Array, maxima: Array) -> tuple[Doubt, ...]:
    """Doubt the columns of a block of scores.

    Parameters
    ----------
    scores
        (n_rows, n_columns), NaN = no score.
    maxima
        (n_columns,) highest possible scores by what the sheet says, NaN where it says nothing.
    """
    seen = scores[:_MOST_CELLS]
    found = _doubts(seen, lines_of_columns(seen), downwards=True)
    declared = doubts_by_maxima(maxima, scores)
    if declared is None:
        return found
    # What is possible is known: whether scores are low is a matter of severity.
    return (*(doubt for doubt in found if doubt.usual is None), *declared)


def doubts_about_rows(scores: Array) -> tuple[Doubt, ...]:
    """Doubt the rows of a block of scores (n_rows, n_columns): statistics of the columns, maxima, weights."""
    turned = scores.T[:_MOST_CELLS]
    return _doubts(turned, lines_of_columns(turned), downwards=False)


def doubts_about_block(scores: Array, *, downwards: bool) -> tuple[Doubt, ...]:
    """Doubt the labels of a list laid out as a block (n_cells, n_labels), NaN = no score."""
    return _doubts(scores, lines_of_columns(scores), downwards=downwards)


def doubts_about_labels(lines: Lines, *, downwards: bool) -> tuple[Doubt, ...]:
    """Doubt the labels of a list that is too large to be laid out as a block."""
    return _doubts(None, lines, downwards=downwards)


def _doubts(scores: Array | None, lines: Lines, *, downwards: bool) -> tuple[Doubt, ...]:
    doubts: dict[str, list[int]] = {}
    taken: set[int] = set()
    copied: Doubt | None = None
    if scores is not None and scores.size <= _MOST_SIZE:
        _add_worked_out(scores, doubts, taken, downwards=downwards)
        if downwards and (copies := [one for one in rescaled_lines(scores) if not {one.line, one.of} & taken]):
            copied = _doubt_about_copies(copies)
            taken |= {*copied.lines, *copied.instead}
    if downwards and scores is not None and scores.size <= _MOST_SIZE:
        _add(derived_lines(scores), doubts, taken)
    _add({series.line: series.kind for series in series_lines(lines)}, doubts, taken)
    strangers = _strangers(scores, taken) if downwards and scores is not None else set()
    found = [Doubt(tuple(held), reason) for reason, held in doubts.items()]
    found += [] if copied is None else [copied]
    scales = other_scales(lines, downwards=downwards)
    left = tuple(line for line in scales.lines if line not in taken) if scales else ()
    strangers -= set(left)
    if scales and left:
        # Where every second line is on another scale, these are weights or confidences of the lines beside them.
        reason = "every second one, on a scale of its own" if scales.every_second else "on another scale"
        found.append(Doubt(left, reason, scales.usual))
    if strangers:
        found.append(Doubt(tuple(sorted(strangers)), _STRANGER))
    if downwards and scores is not None:
        doubted = {line for doubt in found for line in (*doubt.lines, *doubt.instead)}
        found += _doubts_about_ends(scores, [k for k in range(scores.shape[1]) if k not in doubted])
    return tuple(found)


def _doubts_about_ends(scores: Array, lines: Sequence[int]) -> list[Doubt]:
    """Doubt the lines that seem to take the other end of the scale for the best, or another scale."""
    by_reason: dict[str, list[int]] = {}
    for k, reason in ends_mistaken(scores[:, list(lines)]).items():
        by_reason.setdefault(reason, []).append(lines[k])
    return [Doubt(tuple(lines), reason) for reason, lines in by_reason.items()]


def _add_worked_out(scores: Array, doubts: dict[str, list[int]], taken: set[int], *, downwards: bool) -> None:
    """Put the lines that are worked out from others (sums, means, the best of them, weighted) with what they are."""
    for part in () if downwards else subtotal_lines(scores):
        doubts.setdefault(f"the {part.what} of some right before {{it}}", []).append(part.line)
        taken.add(part.line)
    places = [k for k in range(scores.shape[1]) if k not in taken]
    for one in recomputed_lines(scores[:, places]):
        doubts.setdefault(f"the {one.statistic.value} {_BASES[one.base]}", []).append(places[one.line])
        taken.add(places[one.line])
    for selected in selected_lines(scores, [k for k in range(scores.shape[1]) if k not in taken]):
        doubts.setdefault(f"{selected.what} {_BASES[selected.base]}", []).append(selected.line)
        taken.add(selected.line)
    if scores.shape[1] <= MOST_LINES and not taken:
        for explained in explained_lines(scores):
            doubts.setdefault(f"a {explained.form} of others", []).append(explained.line)
            taken.add(explained.line)
    if downwards and not taken:
        for line, base in rounded_means(scores).items():
            doubts.setdefault(f"the rounded mean {_BASES[base]}", []).append(line)
            taken.add(line)


def _add(found: Mapping[int, str], doubts: dict[str, list[int]], taken: set[int]) -> None:
    """Put lines that nothing else is said about with what they are."""
    for line, what in found.items():
        if line not in taken:
            doubts.setdefault(what, []).append(line)
            taken.add(line)


def _strangers(scores: Array, taken: set[int]) -> set[int]:
    """Return the lines, of those that nothing else is said about, that go their own way on numbers of their own."""
    places = [k for k in range(scores.shape[1]) if k not in taken]
    return {places[line] for line in stranger_lines(scores[:, places])}


def _doubt_about_copies(copies: Sequence[Copy]) -> Doubt:
    """Doubt all but the first line of each group of lines that say the same, or all but the last instead."""
    group: dict[int, int] = {}
    for copy in copies:
        first = group.get(copy.of, copy.of)
        group |= {copy.of: first, copy.line: first}
    last = {first: max(line for line in group if group[line] == first) for first in set(group.values())}
    later = tuple(sorted(line for line, first in group.items() if line != first))
    instead = tuple(sorted(line for line, first in group.items() if line != last[first]))
    return Doubt(later, "the same as others of these columns on another scale", None, instead)
