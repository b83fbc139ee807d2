"""Keep account of what lies inside the block of scores but not in the panel, so that no cell is dropped silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from panelcal.arrays import Indices
from panelcal.reading.decisions import About, Decision, Weight
from panelcal.reading.grid import address, block_address
from panelcal.reading.nouns import plural
from panelcal.reading.table import Table

_Place = tuple[int, int]


@dataclass(slots=True)
class Exclusions:
    """Rows and columns of a table that were left out, with the reasons, and the cells accounted for so far."""

    table: Table
    drafts: list[Decision] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)
    columns: dict[int, int] = field(default_factory=dict)

    def leave_out_rows(
        self, rows: Sequence[int], kind: About, sentence: str, weight: Weight = "note", noun: str = ""
    ) -> None:
        """Leave out rows; a row that was left out before keeps its first reason."""
        if rows:
            self.say(kind, sentence, tuple(self.table.row_span(i) for i in rows), weight, noun)
            for i in rows:
                self.rows.setdefault(i, len(self.drafts) - 1)

    def leave_out_columns(
        self,
        columns: Sequence[int],
        body: Sequence[int],
        kind: About,
        sentence: str,
        weight: Weight = "note",
        noun: str = "",
    ) -> None:
        """Leave out columns; `body` are the rows that the reported ranges span."""
        if columns:
            spans = tuple(self.table.span((body[0], j), (body[-1], j)) for j in columns)
            self.say(kind, sentence, spans, weight, noun)
            for j in columns:
                self.columns.setdefault(j, len(self.drafts) - 1)

    def say(self, kind: About, sentence: str, cells: tuple[str, ...], weight: Weight = "note", noun: str = "") -> None:
        """Put on record how cells were read that are not left out, or why they are."""
        self.drafts.append(Decision(kind, cells, sentence, weight, self.table.grid.sheet, noun=noun))

    def account(
        self, rows: Sequence[int], columns: Sequence[int], taken: set[tuple[int, int]], coded: Iterable[tuple[int, int]]
    ) -> tuple[int, list[Decision]]:
        """Count the cells between the outermost of `rows` and `columns` and say which decision kept each out.

        Parameters
        ----------
        taken
            Cells that are in the panel.
        coded
            Cells that a decision of their own lists as a code.

        Returns
        -------
        cells_found, decisions
        """
        accounted = taken | set(coded)
        found = 0
        others: list[tuple[int, int]] = []
        for i in range(min(rows), max(rows) + 1):
            for j in range(min(columns), max(columns) + 1):
                if self.table.cells[i][j] is None:
                    continue
                found += 1
                if (i, j) not in accounted:
                    others.append((i, j))
        corners = (min(rows), min(columns)), (max(rows), max(columns))
        return self._explained(found, others, [corners])

    def account_columns(
        self, first: int, last: int, accounted: Mapping[int, Iterable[Sequence[int] | Indices]]
    ) -> tuple[int, list[Decision]]:
        """Do the same for the cells of some columns from row `first` to row `last`.

        Parameters
        ----------
        accounted
            Column -> rows of the cells that are in the panel, and of those that a decision of their own lists as a
            code.
        """
        found = 0
        others: list[tuple[int, int]] = []
        for column, groups in accounted.items():
            values = self.table.coded(column)
            filled = np.array([value is not None for value in values.values])[values.index[first : last + 1]]
            found += int(filled.sum())
            for rows in groups:
                filled[np.asarray(rows, dtype=np.intp) - first] = False
            others += [(first + k, column) for k in np.flatnonzero(filled).tolist()]
        return self._explained(found, others, [((first, column), (last, column)) for column in accounted])

    def _explained(
        self, found: int, others: Iterable[tuple[int, int]], blocks: Iterable[tuple[_Place, _Place]]
    ) -> tuple[int, list[Decision]]:
        """Say which decision kept each of the `others` out, and which cells of the blocks nothing explains."""
        table = self.table
        counts = [0] * len(self.drafts)
        strays: list[str] = []
        for i, j in others:
            reason = self.rows.get(i, self.columns.get(j))
            if reason is None:
                strays.append(table.at(i, j))
            else:
                counts[reason] += 1
        sheet = table.grid.sheet
        decisions = [replace(draft, excluded_scores=count) for draft, count in zip(self.drafts, counts, strict=True)]
        if strays:
            sentence = (
                "These cells lie inside the block of scores but belong to no object with a score; they were not read."
            )
            decisions.append(Decision(About.NOT_READ, tuple(strays), sentence, "warning", sheet, len(strays)))
        spaces = tuple(cell for first, last in blocks for cell in self._spaces(table.place(*first), table.place(*last)))
        if spaces:
            sentence = "These cells hold nothing but spaces or an empty text, and were taken as blank."
            decisions.append(Decision(About.ONLY_SPACES, spaces, sentence, "note", sheet, len(spaces)))
        return found + len(spaces), decisions

    def _spaces(self, first: tuple[int, int], last: tuple[int, int]) -> tuple[str, ...]:
        return tuple(
            address(row, column)
            for row, column in self.table.spaces
            if first[0] <= row <= last[0] and first[1] <= column <= last[1]
        )


def rectangle(table: Table, rows: Sequence[int], columns: Sequence[int]) -> str:
    """Spell the range between the outermost rows and columns."""
    return block_address(*table.place(min(rows), min(columns)), *table.place(max(rows), max(columns)))


def without_score(count: int, noun: str, score: str) -> str:
    """Say how many objects or assessors are left out because they have no score."""
    return f"Left out: {count} {plural(noun, count)} without any {plural(score, 1)}."
