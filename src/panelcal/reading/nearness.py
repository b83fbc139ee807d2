"""How near each object is to its assessor's expertise: a column Nearness, or a column Topic with a sheet Expertise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, is_blank, kind_of, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, address, place_of
from panelcal.reading.nouns import in_sentence, plural
from panelcal.reading.problems import Problems, listed
from panelcal.reading.reading import NearnessRead, Reading

EXPERTISE_SHEET = "Expertise"
_TOPIC, _NEARNESS = "topic", "nearness"
_SEARCHED = 30
_MANY, _TOP = 5_000, 200
_WORDS: Mapping[str, float] = {
    **dict.fromkeys(("high", "expert", "very near"), 2.0),
    **dict.fromkeys(("medium", "near", "some", "familiar"), 1.0),
    **dict.fromkeys(("low", "far", "none", "no", "-"), 0.0),
    **dict.fromkeys(("yes", "x"), 1.0),
}
Cells = list[tuple[str, str, Any]]


@dataclass(frozen=True, slots=True)
class FoundNearness:
    """What was read, the cells it was read from (for the fingerprint), and what to say of it."""

    read: NearnessRead
    cells: Cells
    decision: Decision


def nearness_of(found: Reading, grid: Grid, expertise: Grid | None, problems: Problems) -> FoundNearness | None:
    """Read how near each assessment is; None where the workbook does not say.

    Whatever cannot be read is noted as a problem with its cell.
    """
    by_pair = _beside(grid, found.score_cells, _NEARNESS)
    topics = _beside(grid, found.object_cells, _TOPIC)
    named = () if topics is None else tuple(label_text(value) for _, value in topics)
    if by_pair is not None:
        numbers = [_number(grid, cell, value, problems) for cell, value in by_pair]
        cells = [(grid.sheet, cell, value) for cell, value in by_pair]
        return _found(found, grid, np.array(numbers), named, cells, "the column Nearness")
    if expertise is None or topics is None or not _is_about(expertise, named):
        return None
    nearness = _by_topics(found, named, grid, expertise, problems)
    if nearness is None:
        return None
    cells = [(grid.sheet, cell, value) for cell, value in topics]
    cells += [
        (expertise.sheet, address(i, j), value)
        for i, row in enumerate(expertise.rows, 1)
        for j, value in enumerate(row, 1)
        if not is_blank(value)
    ]
    return _found(found, grid, nearness, named, cells, f"the column Topic and the sheet {expertise.sheet}")


def _by_topics(
    found: Reading, topics: tuple[str, ...], grid: Grid, expertise: Grid, problems: Problems
) -> Array | None:
    """Return how near each assessment (N,) is by the topics of the objects; None where the sheet lacks something."""
    known = _expertise(found, expertise, {topic for topic in topics if topic}, problems)
    lacking = [found.panel.objects[k] for k, topic in enumerate(topics) if not topic]
    if lacking:
        noun = in_sentence(plural(found.nouns.object))
        problems.say(grid.sheet, f"No topic is given for the {noun} {listed(lacking)}: fill in the column Topic.")
    panel = found.panel
    pairs = [
        (panel.assessors[a], topics[o])
        for o, a in zip(panel.object_index.tolist(), panel.assessor_index.tolist(), strict=True)
    ]
    missing = sorted({who for who, _ in pairs} - {who for who, _ in known})
    unknown = sorted({topic for _, topic in pairs if topic} - {topic for _, topic in known})
    for what, names in ((found.nouns.assessor, missing), ("topic", unknown)):
        if names:
            noun = in_sentence(what if len(names) == 1 else plural(what))
            problems.say(
                expertise.sheet, f"Sheet {expertise.sheet} lacks the {noun} {listed(names)}, spelt as with the scores."
            )
    return None if problems.kinds else np.array([known[pair] for pair in pairs])


def _found(
    found: Reading, grid: Grid, nearness: Array, topics: tuple[str, ...], cells: Cells, source: str
) -> FoundNearness:
    low, high = (float(end) for end in (nearness.min(), nearness.max()))
    kinds = f" and {len(set(topics))} topics" if topics else ""
    sentence = (
        f"How near each {in_sentence(found.nouns.object)} is to the expertise of its "
        f"{in_sentence(plural(found.nouns.assessor))} was read from {source}: {low:g} to {high:g}{kinds}. Whether bias "
        "depends on it is on Cal nearness."
    )
    return FoundNearness(
        NearnessRead(nearness, topics), cells, Decision(About.NEARNESS, (), sentence, "note", grid.sheet)
    )


def _beside(grid: Grid, cells: tuple[str, ...] | Any, heading: str) -> list[tuple[str, Any]] | None:
    """Return the cells of that heading in the rows (or columns) of these cells; None where there is no such heading."""
    if len(cells) > _MANY and not any(
        label_text(value).casefold() == heading for row in grid.rows[:_TOP] for value in row
    ):
        return None  # before the place of each of very many cells is worked out
    places = [place for cell in cells if (place := place_of(cell))]
    if len(places) < len(cells):
        return None  # names that stand in no cell were put before a range
    rows, columns = {row for row, _ in places}, {column for _, column in places}
    down = len(columns) == 1
    if not places or not (down or len(rows) == 1):
        return None
    first = min(rows) if down else min(columns)
    for back in range(1, min(first, _SEARCHED)):
        for at in range(1, (grid.n_columns if down else grid.n_rows) + 1):
            i, j = (first - back, at) if down else (at, first - back)
            if label_text(grid.value(i, j)).casefold() == heading:
                own = [(row, at) if down else (at, column) for row, column in places]
                return [(address(i, j), grid.value(i, j)) for i, j in own]
    return None


def _is_about(expertise: Grid, topics: tuple[str, ...]) -> bool:
    """Tell whether the sheet has topics as headings; otherwise it may hold confidences, read elsewhere."""
    known = {topic for topic in topics if topic}
    return any(label_text(value) in known for row in expertise.rows for value in row)


def _expertise(found: Reading, grid: Grid, topics: set[str], problems: Problems) -> dict[tuple[str, str], float]:
    """Read (assessor, topic) -> nearness from a table with the ones down and the others across; a blank is far: 0."""
    assessors = set(found.panel.assessors)
    across = [[label_text(value) for value in row] for row in grid.rows]
    head = max(range(len(across)), key=lambda i: len(set(across[i]) & (topics | assessors)))
    side = min(
        (j for row in grid.rows for j, value in enumerate(row) if label_text(value) in topics | assessors), default=0
    )
    known: dict[tuple[str, str], float] = {}
    for i in range(head + 1, len(across)):
        for j in range(side + 1, grid.n_columns):
            ends = (across[i][side], across[head][j])
            who, topic = ends if ends[0] in assessors else ends[::-1]
            if who in assessors and topic:
                known[who, topic] = _number(grid, address(i + 1, j + 1), grid.value(i + 1, j + 1), problems, blank=0.0)
    return known


def _number(grid: Grid, cell: str, value: Any, problems: Problems, *, blank: float | None = None) -> float:
    """Read a degree of nearness, a number or a word; anything else is a problem with its cell."""
    if is_blank(value) and blank is not None:
        return blank
    kind, number = kind_of(value)
    if kind in (Kind.NUMBER, Kind.TEXT_NUMBER):
        return float(number)
    word = label_text(value).casefold()
    if word not in _WORDS:
        problems.say(
            grid.sheet,
            f"Cell {cell} on sheet {grid.sheet} says nothing about nearness: write a number, larger for nearer, or "
            "high, medium or low.",
            [cell],
        )
        return 0.0
    return _WORDS[word]
