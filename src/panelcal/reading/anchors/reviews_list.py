"""Reviews of anchors as a list: a row for each review, with the anchor, who reviewed it and the number given.

The adjudicator's word stands in a column Adjudicated, or in a row of its own with Adjudicator in the place of a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.anchors.anchor_headings import AnchorRole, anchor_role
from panelcal.reading.cell_values import Kind, by_key, code_key, kind_of, label_text
from panelcal.reading.grid import Grid, address
from panelcal.reading.headings import words_of
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings

SEARCHED = 20
_ADJUDICATED = frozenset({"adjudicated", "adjudicator", "adjudication"})


@dataclass(frozen=True, slots=True, eq=False)
class ReviewTable:
    """Reviews by anchor and reviewer, in points, NaN = none, and where they stand.

    Attributes
    ----------
    anchors, cells
        (n_anchors) names, and the address where each is first named.
    reviewers
        (n_reviewers) who they are.
    reviews
        (n_anchors, n_reviewers).
    adjudicated
        (n_anchors,).
    places
        (row, column) of every cell that was read.
    heading_cells
        Addresses of the headings.
    """

    anchors: tuple[str, ...]
    cells: tuple[str, ...]
    reviewers: tuple[str, ...]
    reviews: Array
    adjudicated: Array
    places: tuple[tuple[int, int], ...]
    heading_cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListHead:
    """The row of headings, and the columns of anchors, reviewers, numbers and, if there is one, the adjudicator."""

    row: int
    anchor: int
    reviewer: int
    score: int
    adjudicated: int | None


def is_adjudicated(text: Any) -> bool:
    """Tell whether a heading, or a name, is that of the adjudicator."""
    return bool(_ADJUDICATED & set(words_of(text)))


def list_head(grid: Grid, settings: Settings, known: Sequence[str]) -> ListHead | None:
    """Find the headings of such a list; a word for what is assessed does for Anchor where most of `known` stand below.

    Parameters
    ----------
    known
        Names of anchors on other sheets.
    """
    for i in range(1, min(grid.n_rows, SEARCHED) + 1):
        texts = {j: grid.value(i, j) for j in range(1, grid.n_columns + 1) if label_text(grid.value(i, j))}
        word = next((j for j, text in texts.items() if is_adjudicated(text)), None)
        roles = {j: anchor_role(text, settings) for j, text in texts.items() if j != word}
        reviewers, scores, anchors, items = (
            [j for j, found in roles.items() if found is role]
            for role in (AnchorRole.AGENT, AnchorRole.SCORE, AnchorRole.ANCHOR, AnchorRole.ITEM)
        )
        if not anchors and items and _holds_most(grid, i, items[0], known):
            anchors = items[:1]
        if len(reviewers) == len(scores) == len(anchors) == 1:
            return ListHead(i, anchors[0], reviewers[0], scores[0], word)
    return None


def read_list_of_reviews(
    grid: Grid, head: ListHead, settings: Settings, bounds: tuple[float, float], problems: Problems
) -> ReviewTable:
    """Put the list together by anchor and reviewer; `problems` receives everything that stops the reading."""
    found: dict[str, dict[str, float]] = {}
    spoken: dict[str, float] = {}
    first: dict[str, str] = {}
    columns = [j for j in (head.anchor, head.reviewer, head.score, head.adjudicated) if j is not None]
    places = [(i, j) for i in range(head.row + 1, grid.n_rows + 1) for j in columns]
    for row in _reviews_in_rows(grid, head, settings, bounds, problems):
        first.setdefault(row.anchor, address(row.place, head.anchor))
        given = found.setdefault(row.anchor, {})
        again = row.reviewer in given if row.score is not None else False
        if again or (row.word is not None and spoken.get(row.anchor, row.word) != row.word):
            problems.add(
                grid.sheet,
                "{where} [is|are] a second review of an anchor by the same person: keep one of the rows.",
                address(row.place, head.score),
            )
        if row.score is not None:
            given[row.reviewer] = row.score
        if row.word is not None:
            spoken[row.anchor] = row.word
    reviewers = tuple(dict.fromkeys(who for given in found.values() for who in given))
    return ReviewTable(
        anchors=tuple(first),
        cells=tuple(first.values()),
        reviewers=reviewers,
        reviews=np.array([[found[name].get(who, np.nan) for who in reviewers] for name in first]).reshape(
            len(first), len(reviewers)
        ),
        adjudicated=np.array([spoken.get(name, np.nan) for name in first]),
        places=tuple(places),
        heading_cells=tuple(address(head.row, j) for j in columns[1:]),
    )


@dataclass(frozen=True, slots=True)
class _ReviewRow:
    """A row of the list: its number, whom and what it is about, the review and the adjudicator's word, None = none."""

    place: int
    anchor: str
    reviewer: str
    score: float | None
    word: float | None


def _reviews_in_rows(
    grid: Grid, head: ListHead, settings: Settings, bounds: tuple[float, float], problems: Problems
) -> Iterator[_ReviewRow]:
    """Yield the rows with a review or an adjudicator's word; those that lack a name are noted as problems."""
    for i in range(head.row + 1, grid.n_rows + 1):
        name, who = label_text(grid.value(i, head.anchor)), label_text(grid.value(i, head.reviewer))
        score, word = (
            None if j is None or np.isnan(number := points(grid, i, j, settings, bounds, problems)) else number
            for j in (head.score, head.adjudicated)
        )
        if score is None and word is None:
            continue
        if not name or (not who and score is not None):
            problems.add(
                grid.sheet,
                "{where} [needs|need] a name beside a review: write who or what it is, or clear the review.",
                address(i, head.reviewer if name else head.anchor),
            )
        elif is_adjudicated(who):
            yield _ReviewRow(i, name, who, None, word if score is None else score)
        else:
            yield _ReviewRow(i, name, who, score, word)


def points(grid: Grid, i: int, j: int, settings: Settings, bounds: tuple[float, float], problems: Problems) -> float:
    """Read one review; NaN where there is none or a code, and where it is a problem."""
    value = grid.value(i, j)
    if value is None or (isinstance(value, str) and code_key(value) in by_key(settings.codes)):
        return np.nan
    kind, number = kind_of(value)
    if kind in (Kind.NUMBER, Kind.TEXT_NUMBER) and bounds[0] <= number <= bounds[1]:
        return float(number)
    problems.add(
        grid.sheet,
        f"{{where}} [holds|hold] no number from {bounds[0]:g} to {bounds[1]:g}: correct [it|them], or clear [it|them] "
        "where nobody reviewed.",
        address(i, j),
    )
    return np.nan


def anchors_named(grids: Sequence[Grid], settings: Settings) -> tuple[str, ...]:
    """Name what stands below a heading Anchor on any of these sheets."""
    names: dict[str, None] = {}
    for grid in grids:
        for i in range(1, min(grid.n_rows, SEARCHED) + 1):
            texts = {j: grid.value(i, j) for j in range(1, grid.n_columns + 1) if label_text(grid.value(i, j))}
            column = next((j for j, text in texts.items() if anchor_role(text, settings) is AnchorRole.ANCHOR), None)
            if column is not None and len(texts) > 1:
                names |= dict.fromkeys(_below(grid, i, column))
                break
    return tuple(names)


def _below(grid: Grid, row: int, column: int) -> list[str]:
    return [name for i in range(row + 1, grid.n_rows + 1) if (name := label_text(grid.value(i, column)))]


def _holds_most(grid: Grid, row: int, column: int, known: Sequence[str]) -> bool:
    """Tell whether more than half of the known names stand below a heading."""
    return bool(known) and 2 * len(set(known) & set(_below(grid, row, column))) > len(known)
