"""Sort the rows below the headings: objects, credits, statistics, notes, and where the block ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import code_key, label_text, spread_in
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic
from panelcal.reading.patterns import any_matches
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_LEAST_IDS, _MOST_LAST = 8, 3
_ROW_FACTS = (Role.ABOUT, Role.ASSESSOR)
_KINDS = ("objects", "scoreless", "statistics", "repeated", "excluded", "nameless", "strays", "notes", "bridged")


@dataclass(frozen=True, slots=True)
class BodyRows:
    """The rows below the headings, by what they are.

    Attributes
    ----------
    objects
        Rows with an id and at least one cell that could be a score.
    scoreless
        Rows with an id but nothing that could be a score.
    statistics
        Rows of means, maxima, semesters and so on, by their label.
    repeated
        Rows that repeat the headings.
    excluded
        Rows that are to be left out by name.
    nameless
        Rows with numbers but no id.
    strays
        Rows with numbers after a blank row whose label is unlike the ids above.
    notes
        Rows with nothing but text.
    bridged
        First rows after blank rows that the block goes on across.
    weights
        A row with credits or other confidences, or None.
    end
        The row after the last one that belongs to the block.
    """

    objects: tuple[int, ...]
    scoreless: tuple[int, ...]
    statistics: tuple[int, ...]
    repeated: tuple[int, ...]
    excluded: tuple[int, ...]
    nameless: tuple[int, ...]
    strays: tuple[int, ...]
    notes: tuple[int, ...]
    bridged: tuple[int, ...]
    weights: int | None
    end: int


def classify_rows(
    table: Table,
    head: int,
    headings: Sequence[Any],
    identifier: int,
    labels: Sequence[int],
    settings: Settings,
) -> BodyRows:
    """Walk down from the row of headings and sort the rows.

    Parameters
    ----------
    head, headings
        The row of headings, and the headings themselves; cells in columns without one do not make a row an object.
    identifier, labels
        The id column, and all columns to the left of the scores.
    """
    walk = _Walk(table, head, headings, identifier, labels, settings)
    for i in range(head + 1, table.n_rows):
        walk.after_gap = walk.after_gap or (i > head + 1 and table.gap_before(i))
        kind = walk.kind_of_row(i)
        if kind == "end":
            walk.end = i
            break
        if kind == "weights":
            walk.weights = i
        else:
            walk.kinds[kind].append(i)
        if kind == "objects":
            walk.seen.add(label_text(table.cells[i][identifier]))
            if walk.after_gap:
                walk.kinds["bridged"].append(i)
                walk.after_gap = False
    notes, end = walk.kinds["notes"], walk.end
    while end < table.n_rows and notes and notes[-1] == end - 1:
        # A title right above the next block belongs to it.
        end = notes.pop()
    return BodyRows(**{name: tuple(walk.kinds[name]) for name in _KINDS}, weights=walk.weights, end=end)


class _Walk:
    """A walk down the rows: what they were so far, and what the next one is.

    Attributes
    ----------
    kinds
        Rows by what they are.
    weights, end
        The row with confidences, if any, and the row after the last one of the block.
    seen
        Ids so far.
    after_gap
        Whether blank rows came since the last object.
    """

    def __init__(
        self,
        table: Table,
        head: int,
        headings: Sequence[Any],
        identifier: int,
        labels: Sequence[int],
        settings: Settings,
    ) -> None:
        self.table, self.head, self.identifier, self.labels, self.settings = table, head, identifier, labels, settings
        self.first_score = len(labels)
        columns = range(self.first_score, table.n_columns)
        self.headed = [j for j in columns if headings[j] is not None and j != identifier]
        self.only = _rows_with_scores(table, head, headings[self.first_score :], identifier, settings)
        self.codes = frozenset(code_key(code) for code in settings.codes)
        self.cells_out = frozenset(pattern.strip().upper() for pattern in settings.exclude)
        ids = (label_text(row[identifier]).upper() for row in table.cells) if settings.exclude else ()
        self._labels = frozenset(ids)
        self.kinds: dict[str, list[int]] = {name: [] for name in _KINDS}
        self.weights: int | None = None
        self.end = table.n_rows
        self.seen: set[str] = set()
        self.after_gap = False

    def kind_of_row(self, i: int) -> str:
        """Tell what a row is: a name of `BodyRows`, or "end" where another block begins."""
        row = self.table.cells[i]
        body = [j for j in self.headed if row[j] is not None]
        texts = [row[j] for j in self.labels if row[j] is not None]
        called = {label_text(text) for text in (*texts, row[self.identifier]) if text is not None} - {""}
        wanted = any(any_matches(self.settings.include, text) for text in called)
        if _repeats(self.table, self.head, i, self.first_score):
            return "end" if _starts_again(self.table, i, self.identifier, self.seen) else "repeated"
        if self._heads_another(i, body):
            return "end"
        if (by_label := self._kind_by_label(i, texts, called, wanted, filled=bool(body))) is not None:
            return by_label
        could_score = any(_could_be_score(self.table, i, j, self.codes) for j in body)
        if self.after_gap and body and not could_score and not wanted:
            return "end"
        if row[self.identifier] is None:
            by_cell = could_score and self.table.at(i, self.identifier) in self.cells_out
            return "excluded" if by_cell else "nameless" if could_score else "notes"
        label = label_text(row[self.identifier])
        if not body:
            return "notes" if self.after_gap or " " in label.strip() else "scoreless"
        stray = self.seen and not wanted and _unlike(label, self.seen) and (self.after_gap or self._is_last(i))
        return "strays" if stray else "objects"

    def _is_out_by_cell(self, i: int) -> bool:
        """Tell whether a row is to be left out by the cell of its id, which is no label of the sheet itself."""
        return bool(self.cells_out) and self.table.at(i, self.identifier) in self.cells_out - self._labels

    def _heads_another(self, i: int, body: Sequence[int]) -> bool:
        """Tell whether a row repeats the heading of the ids, with other headings beside it: another table begins."""
        row, corner = self.table.cells[i], self.table.cells[self.head][self.identifier]
        again = isinstance(corner, str) and row[self.identifier] == corner and len(body) > 1
        return again and not any(_could_be_score(self.table, i, j, self.codes) for j in body)

    def _is_last(self, i: int) -> bool:
        """Tell whether a row is one of a few below many ids, none of which is like these."""
        rest = [self.table.cells[k][self.identifier] for k in range(i, min(self.table.n_rows, i + _MOST_LAST + 1))]
        labels = [label_text(value) for value in rest if value is not None]
        enough = len(self.seen) >= _LEAST_IDS
        return enough and len(labels) <= _MOST_LAST and all(_unlike(label, self.seen) for label in labels)

    def _kind_by_label(
        self, i: int, texts: Sequence[Any], called: set[str], wanted: bool, *, filled: bool
    ) -> str | None:
        """Tell what the labels of a row say that it is; None where they say nothing."""
        roles = (role_in(self.settings, text) for text in texts if isinstance(text, str))
        role = next((role for role in roles if role is not Role.OTHER), None)
        confident = role in (Role.WEIGHT, Role.DEVIATION)
        if filled and not wanted:
            named = any(any_matches(self.settings.exclude, text) for text in called) or self._is_out_by_cell(i)
            if named or (self.only and i not in self.only and not confident):
                return "excluded"
        objects = self.kinds["objects"]
        # Below the scores a standard deviation is a statistic of the column, not what the assessor declared.
        if filled and confident and not wanted and self.weights is None and (role is Role.WEIGHT or not objects):
            return "weights"
        statistic = any(isinstance(text, str) and is_statistic(text) for text in texts)
        fact = filled and role in _ROW_FACTS and not objects
        return "statistics" if (statistic or fact) and not wanted else None


def _rows_with_scores(
    table: Table, head: int, headings: Sequence[Any], identifier: int, settings: Settings
) -> frozenset[int]:
    """Find the rows that alone hold scores by the settings, where these name no column."""
    if not settings.scores or any(any_matches(settings.scores, heading) for heading in headings):
        return frozenset()
    return frozenset(
        i for i in range(head + 1, table.n_rows) if any_matches(settings.scores, table.cells[i][identifier])
    )


def _could_be_score(table: Table, i: int, j: int, codes: frozenset[str]) -> bool:
    value = table.cells[i][j]
    return not isinstance(value, str) or table.numeric(i, j) or code_key(value) in codes or spread_in(value) is not None


def _repeats(table: Table, head: int, i: int, first_score: int) -> bool:
    """Tell whether row i says the same as the row of headings."""
    ours, theirs = table.cells[i][first_score:], table.cells[head][first_score:]
    return any(value is not None for value in ours) and all(
        a == b for a, b in zip(ours, theirs, strict=True) if a is not None or b is not None
    )


def _starts_again(table: Table, i: int, identifier: int, seen: set[str]) -> bool:
    """Tell whether the ids below row i are ids that stood above: a second block, not a second page of the first."""
    below = [label_text(row[identifier]) for row in table.cells[i + 1 : i + 4] if row[identifier] is not None]
    return any(label in seen for label in below)


def _unlike(label: str, seen: set[str]) -> bool:
    """Tell whether a label lacks the digits that every id above has."""
    return not any(character.isdigit() for character in label) and all(
        any(c.isdigit() for c in other) for other in seen
    )
