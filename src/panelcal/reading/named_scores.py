"""Several scores in one cell with the names of who gave them: "Weber: 7; Koch: 8", or names and scores in two cells.

The sheet is then a list with one row for each name; it is read so where the settings say so, and asked about otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, kind_of, label_text, number_in, trimmed
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role
from panelcal.reading.long_list import LongList
from panelcal.reading.settings import Settings
from panelcal.reading.slot_table import SlotTable
from panelcal.reading.table import Table

BY_NAME = Answer({"several_in_cell": "by name"}, "read them as one score for each name")
_OTHERS = tuple(
    Answer({"several_in_cell": how}, said)
    for how, said in (("mean", "count their mean"), ("first", "count the first"), ("last", "count the last"))
)
_SIGNS = (re.compile(r"\s*[;|\n]\s*"), re.compile(r"\s*,\s+"), re.compile(r"\s*[,/]\s*"))
_NUMBER = r"(?P<score>[+-]?\d{1,4}(?:[.,]\d+)?)"
_NAMED = (
    re.compile(rf"(?P<name>[^\W\d][^\d()\[\]]*?)\s*(?::|=|->|→|\s[-–]|\s)\s*{_NUMBER}"),
    re.compile(rf"(?P<name>[^\W\d][^\d()\[\]]*?)\s*[(\[]{_NUMBER}[)\]]"),
    re.compile(rf"{_NUMBER}\s*(?::|=|[-–]|\s)\s*(?P<name>[^\W\d][^\d()\[\]]*)"),
    re.compile(rf"{_NUMBER}\s*[(\[](?P<name>[^\W\d][^\d()\[\]]*?)[)\]]"),
)
_MOST_ROWS, _MOST_COLUMNS, _FEWEST_CELLS = 20_000, 60, 3
_MOSTLY = 0.9
_MOST_SPREAD = 0.5  # different names, of all of them

_Pairs = tuple[tuple[str, str], ...]
"""(name, score as it is written) of everything in a cell."""


@dataclass(frozen=True, slots=True)
class NamedScores:
    """Where scores stand with their names.

    Attributes
    ----------
    table, row
        The sheet and its row of headings.
    thing, names, scores
        Columns of what is assessed, of the names and of the scores; the last two may be one.
    pairs
        Row -> its pairs.
    """

    table: Table
    row: int
    thing: int
    names: int
    scores: int
    pairs: dict[int, _Pairs]

    def question(self) -> Question:
        """Ask whether the scores belong to the names."""
        table, sheet = self.table, self.table.grid.sheet
        cells = [table.at(i, self.scores) for i in self.pairs]
        example = next(iter(self.pairs.values()))[:2]
        beside = label_text(table.cells[self.row][self.names])
        where = "in the same cell" if self.names == self.scores else f"in {beside}"
        said = ", ".join(f"{name}: {score}" for name, score in example)
        sentence = (
            f"{len(cells)} cells on sheet {sheet} ({cells[0]} to {cells[-1]}) hold several scores each, with as many "
            f"names {where} ({said})."
        )
        answers = (BY_NAME, *(() if self.names == self.scores else _OTHERS))
        return Question(sentence, answers, tuple(sheet_reference(sheet, cell) for cell in cells))

    def as_list(self) -> tuple[LongList, Decision]:
        """See the sheet as a list with one row for each name."""
        table, across = self.table, (self.thing, self.names, self.scores)
        heads = table.cells[self.row]
        people = label_text(heads[self.names]) if self.names != self.scores else "Assessor"
        cells: list[tuple[Any, ...]] = [(heads[self.thing], people, "Score")]
        rows = [self.row]
        for i, pairs in self.pairs.items():
            for name, score in pairs:
                rows.append(i)
                cells.append((table.cells[i][self.thing], name, score))
        places = tuple(table.columns[j] for j in across)
        view = SlotTable(
            table.grid, tuple(cells), tuple(table.rows[i] for i in rows), places, False, table.merges, table.spaces,
            table.grades, (places,) * len(rows),
        )  # fmt: skip
        span = table.span((rows[1], self.scores), (rows[-1], self.scores))
        sentence = f"Each of the scores in {span} counts for the name beside it, as the settings say."
        decision = Decision(About.SCORES_BY_NAME, (span,), sentence, "warning", table.grid.sheet)
        return LongList(view, 0, 0, 1, (2,), None, None, Role.WEIGHT, ()), decision


def find_named_scores(table: Table, settings: Settings) -> NamedScores | None:
    """Find the columns that hold several scores with their names in each cell; None where none does."""
    if table.n_rows > _MOST_ROWS or not 2 <= table.n_columns <= _MOST_COLUMNS:
        return None
    row = next((i for i in range(min(table.n_rows, 20)) if _filled(table, i) > 1), None)
    if row is None or table.n_rows - row - 1 < _FEWEST_CELLS:
        return None
    body = range(row + 1, table.n_rows)
    for j in range(table.n_columns):
        found = _taken(table, row, j, j, {i: named_in(table.cells[i][j]) for i in body}, settings)
        if found is not None:
            return found
    texts = [
        j for j in range(table.n_columns) if sum(isinstance(table.cells[i][j], str) for i in body) >= _FEWEST_CELLS
    ]
    for names, scores in permutations(texts, 2):
        pairs = {i: _side_by_side(table.cells[i][names], table.cells[i][scores]) for i in body}
        found = _taken(table, row, names, scores, pairs, settings)
        if found is not None:
            return found
    return None


def named_in(value: Any) -> _Pairs:
    """Take a cell such as "Weber: 7; Koch: 8" or "Weber (7), Koch (8)" apart; empty for any other."""
    if not isinstance(value, str) or kind_of(value)[0] is not Kind.TEXT:
        return ()
    text = trimmed(value).strip(" ;,|")
    for sign in _SIGNS[:2]:
        parts = [part for part in sign.split(text) if part]
        for form in _NAMED:
            found = [form.fullmatch(part) for part in parts]
            if all(found):
                return tuple((one["name"].strip(), one["score"]) for one in found if one is not None)
    return ()


def _side_by_side(names: Any, scores: Any) -> _Pairs:
    """Give each of the names in a cell the score in its place in another; empty where there are not as many."""
    if isinstance(scores, int | float) and not isinstance(scores, bool):
        scores = label_text(scores)
    if not isinstance(names, str) or not isinstance(scores, str) or any(letter.isdigit() for letter in names):
        return ()
    for sign in _SIGNS:
        held = [part for part in sign.split(trimmed(scores)) if part]
        if not all(number_in(part) is not None for part in held):
            continue
        for other in _SIGNS:
            people = [part for part in other.split(trimmed(names)) if part]
            if len(people) == len(held):
                return tuple(zip(people, held, strict=True))
    return ()


def _taken(
    table: Table, row: int, names: int, scores: int, pairs: dict[int, _Pairs], settings: Settings
) -> NamedScores | None:
    """Return what was found in two columns (or one), if nearly every filled cell has names with scores."""
    filled = [i for i in pairs if table.cells[i][scores] is not None]
    held = {i: found for i, found in pairs.items() if found}
    several = [i for i, found in held.items() if len(found) > 1]
    if len(several) < max(_FEWEST_CELLS, len(held) / 2) or len(held) < _MOSTLY * len(filled):
        return None
    people = [name.casefold() for found in held.values() for name, _ in found]
    if len(set(people)) > _MOST_SPREAD * len(people):
        return None
    roles = {j: role_in(settings, table.cells[row][j]) for j in range(table.n_columns) if j not in (names, scores)}
    labelled = [j for j in roles if all(table.cells[i][j] is not None for i in held)]
    unique = [j for j in labelled if len({label_text(table.cells[i][j]) for i in held}) == len(held)]
    things = [j for j in unique if roles[j] is Role.OBJECT] + unique
    return NamedScores(table, row, things[0], names, scores, held) if things else None


def _filled(table: Table, i: int) -> int:
    values: Sequence[Any] = table.cells[i]
    return sum(isinstance(value, str) for value in values)
