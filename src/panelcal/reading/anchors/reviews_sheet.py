"""The sheet Reviews: what people gave to each anchor, the adjudicator's word, and the rules that make the consensus.

One row for each anchor: its name, a column for each reviewer, and a column Adjudicated; or one row for each review,
see `reviews_list`. The rules stand above the headings, each beside its name; what is not there has its default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from panelcal.anchors.review_consensus import Average, ReviewConsensus, ReviewRules, Unresolved, consensus_of_reviews
from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reading.anchors.anchor_headings import AnchorRole, anchor_role
from panelcal.reading.anchors.reviews_list import (
    SEARCHED,
    ListHead,
    ReviewTable,
    anchors_named,
    is_adjudicated,
    list_head,
    points,
    read_list_of_reviews,
)
from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, address
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings

REVIEWS_SHEET = "Reviews"
ADJUDICATED = "Adjudicated"
RULE_LABELS = ("Adjudicate from points apart", "Consensus is", "Not adjudicated")
AVERAGES: tuple[Average, ...] = ("mean", "median")
UNRESOLVED: tuple[Unresolved, ...] = ("stop", "leave out", "keep")
_USUAL_SHARE = 0.2
_NOT_REVIEWERS = (AnchorRole.TIER, AnchorRole.CLUSTER, AnchorRole.DATE, AnchorRole.CONSENSUS, AnchorRole.NOT_READ)
_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, slots=True, eq=False)
class AnchorReviews:
    """The reviews of a bank of anchors.

    Attributes
    ----------
    sheet
        The sheet they are on.
    anchors, cells
        (n_anchors) names, and the address of each.
    reviewers
        (n_reviewers) headings of their columns.
    reviews
        (n_anchors, n_reviewers) in points; NaN = not reviewed.
    rules
        What makes the consensus.
    consensus
        What the reviews come to.
    decisions
        What was decided on the way.
    cells_read
        (sheet, address, value) of every cell.
    heading_cells
        Address of the heading of each reviewer, and of that of the adjudicator if there is one.
    """

    sheet: str
    anchors: tuple[str, ...]
    cells: tuple[str, ...]
    reviewers: tuple[str, ...]
    reviews: Array
    rules: ReviewRules
    consensus: ReviewConsensus
    decisions: tuple[Decision, ...]
    cells_read: tuple[tuple[str, str, Any], ...]
    heading_cells: tuple[str, ...]

    def known(self) -> dict[str, tuple[float, str]]:
        """Give the consensus and the cell of each anchor that has one."""
        pairs = zip(self.anchors, self.consensus.values.tolist(), self.cells, strict=True)
        return {name: (value, cell) for name, value, cell in pairs if np.isfinite(value)}

    @property
    def left_out(self) -> frozenset[str]:
        """Names of anchors that needed an adjudicator and do not count."""
        pairs = zip(self.anchors, self.consensus.values.tolist(), strict=True)
        return frozenset(name for name, value in pairs if np.isnan(value))


@dataclass(frozen=True, slots=True)
class _Head:
    row: int
    anchor: int
    reviewers: tuple[int, ...]
    adjudicated: int | None


def is_reviews(grid: Grid, settings: Settings, others: Sequence[Grid] = ()) -> bool:
    """Tell whether a sheet holds reviews of anchors: its name and its headings say so, and something is filled in.

    Parameters
    ----------
    others
        The other sheets, of which one may name the anchors.
    """
    if grid.sheet.casefold() != REVIEWS_SHEET.casefold():
        return False
    head = _head_of(grid, settings, others)
    return head is not None and any(label_text(grid.value(i, head.anchor)) for i in _below(grid, head))


def read_reviews(
    grid: Grid, settings: Settings, bounds: tuple[float, float], problems: Problems, others: Sequence[Grid] = ()
) -> AnchorReviews:
    """Read reviews and rules, and find the consensus; `problems` receives everything that stops the reading."""
    head = _head_of(grid, settings, others)
    assert head is not None, "asked for before"
    rules = _rules(grid, head, bounds, problems)
    if isinstance(head, ListHead):
        table = read_list_of_reviews(grid, head, settings, bounds, problems)
    else:
        table = _table(grid, head, settings, bounds, problems)
    cells = table.cells
    found = consensus_of_reviews(table.reviews, table.adjudicated, rules)
    if rules.unresolved == "stop":
        for k in [] if problems else np.flatnonzero(found.open).tolist():
            problems.add(
                grid.sheet,
                f"{{where}} [names an anchor|name anchors] whose reviews are {rules.adjudicate_from:g} or more points "
                f"apart, or fewer than two, and nobody has adjudicated: write the adjudicator's value under "
                f"{ADJUDICATED}, or write leave out or keep beside {RULE_LABELS[2]} above the headings.",
                cells[k],
            )
    values = [*table.places, *_above(grid, head)]
    return AnchorReviews(
        sheet=grid.sheet,
        anchors=table.anchors,
        cells=cells,
        reviewers=table.reviewers,
        reviews=table.reviews,
        rules=rules,
        consensus=found,
        decisions=_decisions(grid, cells, found, rules),
        cells_read=tuple((grid.sheet, address(i, j), grid.value(i, j)) for i, j in values),
        heading_cells=table.heading_cells,
    )


def _head_of(grid: Grid, settings: Settings, others: Sequence[Grid]) -> _Head | ListHead | None:
    """Find the headings of a list, else those of a table."""
    return list_head(grid, settings, anchors_named(others, settings)) or _head(grid, settings)


def _table(grid: Grid, head: _Head, settings: Settings, bounds: tuple[float, float], problems: Problems) -> ReviewTable:
    """Read a row for each anchor."""
    rows = [i for i in _below(grid, head) if label_text(grid.value(i, head.anchor))]
    names = tuple(label_text(grid.value(i, head.anchor)) for i in rows)
    cells = tuple(address(i, head.anchor) for i in rows)
    for k, name in enumerate(names):
        if name in names[:k]:
            problems.add(grid.sheet, "{where} [names|name] an anchor a second time: keep one of the rows.", cells[k])
    columns = [*head.reviewers, *([head.adjudicated] if head.adjudicated else [])]
    table = np.array([[points(grid, i, j, settings, bounds, problems) for j in columns] for i in rows])
    table = table.reshape(len(rows), len(columns))
    return ReviewTable(
        anchors=names,
        cells=cells,
        reviewers=tuple(label_text(grid.value(head.row, j)) for j in head.reviewers),
        reviews=table[:, : len(head.reviewers)],
        adjudicated=table[:, -1] if head.adjudicated else np.full(len(rows), np.nan),
        places=tuple((i, j) for i in rows for j in (head.anchor, *columns)),
        heading_cells=tuple(address(head.row, j) for j in columns),
    )


def _head(grid: Grid, settings: Settings) -> _Head | None:
    """Find the row that names the anchors and two reviewers or more, who gave a number at least once."""
    for i in range(1, min(grid.n_rows, SEARCHED) + 1):
        texts = {j: grid.value(i, j) for j in range(1, grid.n_columns + 1) if label_text(grid.value(i, j))}
        roles = {j: anchor_role(text, settings) for j, text in texts.items()}
        anchor = next((j for j, role in roles.items() if role is AnchorRole.ANCHOR), None)
        word = next((j for j, text in texts.items() if is_adjudicated(text)), None)
        named = (j for j, role in roles.items() if j not in (anchor, word) and role not in _NOT_REVIEWERS)
        reviewers = tuple(j for j in named if any(_number(grid.value(k, j)) for k in range(i + 1, grid.n_rows + 1)))
        if anchor is not None and len(reviewers) > 1:
            return _Head(i, anchor, reviewers, word)
    return None


def _number(value: Any) -> bool:
    return kind_of(value)[0] in (Kind.NUMBER, Kind.TEXT_NUMBER)


def _above(grid: Grid, head: _Head | ListHead) -> list[tuple[int, int]]:
    """List the filled cells above the headings."""
    places = ((i, j) for i in range(1, head.row) for j in range(1, grid.n_columns + 1))
    return [(i, j) for i, j in places if grid.value(i, j) is not None]


def _below(grid: Grid, head: _Head | ListHead) -> range:
    return range(head.row + 1, grid.n_rows + 1)


def _rules(grid: Grid, head: _Head | ListHead, bounds: tuple[float, float], problems: Problems) -> ReviewRules:
    beside = {label_text(grid.value(i, j)).casefold(): (i, j + 1) for i, j in _above(grid, head)}

    def rule(label: str, read: Callable[[Any], Any], wanted: str, usual: Any) -> Any:
        place = beside.get(label.casefold())
        if place is None or grid.value(*place) is None:
            return usual
        found = read(grid.value(*place))
        if found is None:
            problems.say(
                grid.sheet,
                f"Cell {address(*place)} on sheet {grid.sheet} needs {wanted} for {label}: correct it, or clear it.",
                [address(*place)],
            )
        return usual if found is None else found

    return ReviewRules(
        rule(RULE_LABELS[0], _positive, "a number above 0", _USUAL_SHARE * (bounds[1] - bounds[0])),
        rule(RULE_LABELS[1], lambda value: _one_of(value, AVERAGES), "mean or median", "mean"),
        rule(RULE_LABELS[2], lambda value: _one_of(value, UNRESOLVED), "stop, leave out or keep", "stop"),
    )


def _positive(value: Any) -> float | None:
    kind, number = kind_of(value)
    return float(number) if kind in (Kind.NUMBER, Kind.TEXT_NUMBER) and number > 0 else None


def _one_of(value: Any, choices: tuple[_Choice, ...]) -> _Choice | None:
    return next((choice for choice in choices if choice == label_text(value).casefold()), None)


def _decisions(grid: Grid, cells: tuple[str, ...], found: ReviewConsensus, rules: ReviewRules) -> tuple[Decision, ...]:
    adjudicated = int(found.adjudicated.sum())
    said = (
        f"The consensus comes from the reviews on sheet {grid.sheet}: of {len(cells)} anchors {adjudicated} by the "
        f"adjudicator, the others the {rules.average} of their reviews."
    )
    decisions = [Decision(About.CONSENSUS_OF_REVIEWS, (), said, "note", grid.sheet)]
    open_cells = tuple(cell for cell, is_open in zip(cells, found.open.tolist(), strict=True) if is_open)
    if open_cells and rules.unresolved != "stop":
        done = "left out" if rules.unresolved == "leave out" else f"given the {rules.average} all the same"
        sentence = (
            f"Reviews {rules.adjudicate_from:g} or more points apart, or fewer than two, not adjudicated: {done}."
        )
        decisions.append(Decision(About.NOT_ADJUDICATED, open_cells, sentence, "warning", grid.sheet))
    return tuple(decisions)
