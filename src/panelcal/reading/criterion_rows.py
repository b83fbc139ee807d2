"""Criteria in rows of their own: a list with a column Criterion and one score per row, or matrices with such a column.

With the criteria chosen (settings), the sheet is seen as a list with one row per object and assessor, whose criteria
are columns; without, the run asks which of them is meant. Every cell keeps its address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import kind_of, label_text
from panelcal.reading.coded_columns import as_indices, coded
from panelcal.reading.crossing import crossing_columns
from panelcal.reading.decisions import About, Decision, Weight
from panelcal.reading.direction import name_people
from panelcal.reading.grid import address, block_address, sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic, words_of
from panelcal.reading.label_checks import looks_like_people
from panelcal.reading.list_columns import EACH_ANSWER, TOGETHER_ANSWER
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.patterns import any_matches, places_of
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import CellGroup, Table
from panelcal.reading.vocabulary import words

_CRITERIA = words(
    "criterion criteria kriterium kriterien critère critere criterio criterium critério kryterium aspect aspekt "
    "aspecto aspetto dimension question frage item rubric merkmal indicator indikator trait attribute component domain "
    "teilaufgabe aufgabe pregunta domanda vraag pergunta pytanie category kategorie catégorie categoría categoria"
)
"""Words of headings above the names of criteria."""
_FEWEST, _MOST = 2, 30
_MOST_BY_NUMBERS = 100_000
_ALL_THERE = 0.8

Spot = tuple[int, int]
_Cell = tuple[Any, Spot]


@dataclass(frozen=True, slots=True, eq=False)
class CriteriaTable(Table):
    """A list of criteria put side by side.

    Attributes
    ----------
    spots
        (n_rows)(n_columns) where each cell is on the sheet, (row, column).
    """

    spots: tuple[tuple[Spot, ...], ...] = ()

    def place(self, i: int, j: int) -> Spot:
        """Return (row, column) on the sheet."""
        return self.spots[i][j]

    def row_span(self, i: int) -> str:
        """Spell the range between the outermost cells of a row."""
        rows, columns = zip(*self.spots[i], strict=True)
        return block_address(min(rows), min(columns), max(rows), max(columns))

    def cells_of(self, rows: Sequence[int], j: int) -> Sequence[str]:
        """Spell the addresses of cells in a column of the list."""
        return tuple([address(*self.spots[i][j]) for i in rows])

    def cell_groups(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[CellGroup]:
        """Sort cells by the columns on the sheet that they are in; those that are not there are passed over."""
        found: dict[int, dict[int, Any]] = {}
        for j in columns:
            for i in rows:
                row, column = self.spots[i][j]
                if self.cells[i][j] is not None:
                    found.setdefault(column, {})[row] = self.cells[i][j]
        for column, cells in found.items():
            held = coded(list(cells.values()))
            yield as_indices(list(cells)), ((column, held.values, held.index),)

    def gap_before(self, i: int) -> bool:
        """Tell that no blank rows stand before any row."""
        return False

    def merges_within(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Spell the merged ranges that touch a score of the list."""
        used = {self.spots[i][j] for i in rows for j in columns[2:]}
        for r1, c1, r2, c2 in self.merges:
            if any(r1 <= row <= r2 and c1 <= column <= c2 for row, column in used):
                yield block_address(r1, c1, r2, c2)


@dataclass(frozen=True, slots=True, eq=False)
class CriterionRows:
    """Where the criteria stand in rows of their own.

    Attributes
    ----------
    table, row
        The sheet and its row of headings.
    column
        The column with the criteria.
    thing, assessor, name
        Columns of objects, of assessors (None where these stand in the headings) and of display names (or None).
    scores
        Columns with scores: one, or one for each assessor.
    criteria
        Each with how much it counts by the sheet, in the order of the sheet.
    """

    table: Table
    row: int
    column: int
    thing: int
    assessor: int | None
    name: int | None
    scores: tuple[int, ...]
    criteria: Mapping[str, float] = field(default_factory=dict)

    def answers(self) -> list[Answer]:
        """Return what may be meant: their sum, one of them, all of them together or each by itself."""
        named = list(self.criteria)
        parts = {name: weight for name, weight in self.criteria.items() if not is_statistic(name)} or self.criteria
        answers = [Answer({"criteria": dict(parts)}, "add them up, each with the weight given here"), TOGETHER_ANSWER]
        answers += [Answer({"criteria": {name: 1.0}}, f"calibrate {name} by itself") for name in named]
        return [*answers, EACH_ANSWER]

    def question(self) -> Question:
        """Ask which criterion is meant."""
        table, sheet = self.table, self.table.grid.sheet
        heading = label_text(table.cells[self.row][self.column])
        rows = "each score is one of several" if self.assessor is not None else "each row is one of several"
        sentence = (
            f"On sheet {sheet} {rows} criteria, by {heading} in {table.at(self.row, self.column)} "
            f"({listed(list(self.criteria))}), and nothing says which of them is the score."
        )
        cell = sheet_reference(sheet, table.at(self.row, self.column))
        return Question(sentence, tuple(self.answers()), (cell,))

    def as_list(self, settings: Settings) -> tuple[LongList, Decision] | None:
        """See the sheet as a list with the chosen criteria side by side; None where one of them is not there."""
        chosen: dict[str, float] = {}
        names = list(self.criteria)
        for pattern, weight in (settings.criteria_named or self.criteria).items():
            found = places_of(pattern, names)
            if not found:
                return None
            chosen |= {names[k]: weight for k in found}
        heads = self.table.cells[self.row]
        beside = [j for j in (self.thing, self.name) if j is not None]
        who = heads[self.assessor] if self.assessor is not None else "Assessor"
        top = [
            (self.table.place(self.row, j))
            for j in (*beside, self.scores[0] if self.assessor is None else self.assessor)
        ]
        at = self.table.place(self.row, self.column)
        cells: list[tuple[Any, ...]] = [(*[heads[j] for j in beside], who, *chosen)]
        spots: list[tuple[Spot, ...]] = [(*top, *[at] * len(chosen))]
        for labels, held in self._side_by_side(list(chosen)):
            first = next(iter(held.values()))[1]
            cells.append((*[value for value, _ in labels], *[held.get(name, (None, first))[0] for name in chosen]))
            spots.append((*[spot for _, spot in labels], *[held.get(name, (None, first))[1] for name in chosen]))
        table = self.table
        view = CriteriaTable(
            table.grid, tuple(cells), tuple(one[-1][0] for one in spots), tuple(c for _, c in spots[0]), False,
            table.merges, table.spaces, table.grades, tuple(spots),
        )  # fmt: skip
        who_at = len(beside)
        scores = tuple(range(who_at + 1, who_at + 1 + len(chosen)))
        as_list = LongList(
            view, 0, 0, who_at, scores, None if self.name is None else 1, None, Role.WEIGHT, (), tuple(chosen.values())
        )
        return as_list, self._decision(list(chosen))

    def _side_by_side(self, chosen: Sequence[str]) -> Iterator[tuple[list[_Cell], dict[str, _Cell]]]:
        """Yield the labels and the scores in each criterion of every object and assessor.

        A score that comes again for the same criterion begins another row of the same labels.
        """
        table = self.table
        found: dict[tuple[tuple[str, str], int], tuple[list[_Cell], dict[str, _Cell]]] = {}
        for i, thing, criterion in self._rows():
            if criterion not in chosen:
                continue
            for j in self.scores:
                value = table.cells[i][j]
                if value is None:
                    continue
                who = (self.row, j) if self.assessor is None else (i, self.assessor)
                beside = [thing] if self.name is None else [thing, (i, self.name)]
                labels = [(table.cells[r][c], table.place(r, c)) for r, c in (*beside, who)]
                pair = label_text(labels[0][0]), label_text(labels[-1][0])
                again = 0
                while criterion in found.setdefault((pair, again), (labels, {}))[1]:
                    again += 1
                found[pair, again][1][criterion] = (value, table.place(i, j))
        yield from found.values()

    def _rows(self) -> Iterator[tuple[int, Spot, str]]:
        """Yield each row with a criterion: (row, place of its object in the table, criterion).

        Between columns of assessors an object that is written once stands for the rows below it, too.
        """
        table, above = self.table, None
        for i in range(self.row + 1, table.n_rows):
            if table.cells[i][self.thing] is not None:
                above = i
            at = above if self.assessor is None else i
            criterion = label_text(table.cells[i][self.column])
            if at is not None and criterion:
                yield i, (at, self.thing), criterion

    def _decision(self, chosen: Sequence[str]) -> Decision:
        table, left = self.table, [name for name in self.criteria if name not in chosen]
        heading = label_text(table.cells[self.row][self.column])
        sentence = f"Each row holds one of several criteria ({heading}); read: {listed(list(chosen))}."
        sentence += f" Not read: {listed(left)}." if left else ""
        weight: Weight = "warning" if left else "note"
        span = table.span((self.row, self.column), (table.n_rows - 1, self.column))
        return Decision(About.CRITERIA_IN_ROWS, (span,), sentence, weight, table.grid.sheet)


def criteria_in_list(found: LongList, settings: Settings, *, by_numbers: bool = False) -> CriterionRows | None:
    """Find the column of a list that says which criterion a score is for; None where there is none.

    Parameters
    ----------
    by_numbers
        Whether any heading will do, where every object and assessor have a score for nearly every entry below it.
    """
    table, row = found.table, found.row
    if type(table) is not Table or len(found.score_columns) != 1:
        return None
    heads = table.cells[row]
    columns = [j for j in found.unread if isinstance(heads[j], str)]
    said = [j for j in columns if not _CRITERIA.isdisjoint(words_of(heads[j]))]
    tried = said or (columns if by_numbers and table.n_rows <= _MOST_BY_NUMBERS else [])
    if not tried:
        return None
    score = found.score_columns[0]
    body = [k for k in range(row + 1, table.n_rows) if table.cells[k][score] is not None]
    for j in tried:
        levels = [label_text(value) for value in table.column(body, j)]
        different = set(levels) - {""}
        if not _FEWEST <= len(different) <= _MOST:
            continue
        things, assessors = (table.column(body, c) for c in (found.object_column, found.assessor_column))
        pairs = list(zip(things, assessors, strict=True))
        triples = set(zip(pairs, levels, strict=True))
        several = len(triples) > len(set(pairs))
        full = len(triples) == len(pairs) and len(triples) >= _ALL_THERE * len(set(pairs)) * len(different)
        if several and (full or j in said):
            made = CriterionRows(
                table, row, j, found.object_column, found.assessor_column, found.name_column, (score,),
            )  # fmt: skip
            return _weighed(made, settings)
    return None


def criteria_in_matrix(matrix: Matrix, settings: Settings, *, by_numbers: bool = False) -> CriterionRows | None:
    """Find a column beside the objects of a matrix that says which criterion a row is for; None where there is none."""
    table, row, labels = matrix.table, matrix.headings.row, matrix.labels
    heads = table.cells[row]
    if type(table) is not Table or table.across or len(matrix.assessors) < _FEWEST or matrix.headings.upper:
        return None
    beside = [j for j in (*labels.all, *matrix.texts) if isinstance(heads[j], str)]
    objects = [j for j in beside if role_in(settings, heads[j]) is Role.OBJECT]
    said = [j for j in beside if j not in objects and not _CRITERIA.isdisjoint(words_of(heads[j]))]
    thing = objects[0] if objects else labels.identifier
    if thing in said:
        thing = next((j for j in labels.all if j not in said), thing)
    people = [label_text(heads[j]) for j in matrix.assessors]
    by_numbers = by_numbers and (looks_like_people(people) or name_people(people))
    tried = said or (crossing_columns(table, row, thing, [j for j in beside if j != thing]) if by_numbers else [])
    for j in tried:
        name = labels.name if labels.name not in (thing, j) else None
        made = CriterionRows(table, row, j, thing, None, name, tuple(matrix.assessors))
        if j != thing and _has_each_for_each(made):
            return _weighed(made, settings)
    return None


def _has_each_for_each(made: CriterionRows) -> bool:
    """Tell whether there are several criteria, and nearly every object has a row for nearly each of them."""
    cells = made.table.cells
    found = {(label_text(cells[i][j]), criterion) for _, (i, j), criterion in made._rows()}
    things, criteria = {thing for thing, _ in found}, {criterion for _, criterion in found}
    repeated = len(found) > len(things) and _FEWEST <= len(criteria) <= _MOST
    return repeated and len(found) >= _ALL_THERE * len(things) * len(criteria)


def _weighed(made: CriterionRows, settings: Settings) -> CriterionRows | None:
    """Add the criteria, each with the weight that a column of the sheet gives it, or 1."""
    table, heads = made.table, made.table.cells[made.row]
    weights: dict[str, float] = dict.fromkeys((criterion for _, _, criterion in made._rows()), 1.0)
    columns = [j for j, head in enumerate(heads) if isinstance(head, str) and role_in(settings, head) is Role.WEIGHT]
    for j in columns:
        given: dict[str, set[float]] = {}
        for i, _, criterion in made._rows():
            given.setdefault(criterion, set()).add(kind_of(table.cells[i][j])[1])
        if all(len(numbers) == 1 and next(iter(numbers)) > 0 for numbers in given.values()):
            weights = {criterion: next(iter(numbers)) for criterion, numbers in given.items()}
    said = label_text(heads[made.column])
    kept = {name: weight for name, weight in weights.items() if not any_matches(settings.exclude, f"{said}={name}")}
    return replace(made, criteria=kept) if len(kept) >= _FEWEST else None
