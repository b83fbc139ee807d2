"""Tell by its values which column of a list holds the assessors, where no heading says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from panelcal.errors import Answer, Question
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import sheet_reference
from panelcal.reading.headings import OBJECT_WORDS, noun_of, numbers_an_assessor
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import plural
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_SAMPLED = 5_000
_LONGEST = 60
_MOST_DIFFERENT = 0.5
_MOST_CANDIDATES = 4
_LEAST_REPEATED = 3
_SHARE_REPEATED = 0.2
_NOTHING: Mapping[str, str] = MappingProxyType({})


def crossing_columns(table: Table, row: int, thing: int, columns: Iterable[int], *, repeated: float = 0.0) -> list[int]:
    """Return the columns that cross the objects as assessors do, those with the most labels first.

    In such a column a label comes with several objects and never twice with one, and there are few of them.

    Parameters
    ----------
    row, thing
        The row of headings and the column of objects.
    columns
        The columns to look at.
    repeated
        Share of the rows that may repeat a pair, as where a form was sent twice.
    """
    rows = range(row + 1, min(table.n_rows, row + 1 + _SAMPLED))
    objects = {i: label_text(table.cells[i][thing]).casefold() for i in rows if table.cells[i][thing] is not None}
    found: list[tuple[int, int]] = []
    for j in columns:
        pairs = [(objects[i], label_text(table.cells[i][j]).casefold()) for i in objects]
        labels = {label for _, label in pairs}
        full = all(label and len(label) <= _LONGEST for label in labels)
        if full and len(set(pairs)) >= (1 - repeated) * len(pairs) and 2 <= len(labels) <= _MOST_DIFFERENT * len(pairs):
            found.append((-len(labels), j))
    return [j for _, j in sorted(found)][:_MOST_CANDIDATES]


def question_about_assessors(
    table: Table, row: int, thing: int, candidates: Iterable[int], also: Mapping[str, str] = _NOTHING
) -> Question:
    """Ask which column holds the assessors of a list.

    Parameters
    ----------
    also
        Further settings that every answer gives.
    """
    columns = list(candidates)
    sheet, heads = table.grid.sheet, {j: label_text(table.cells[row][j]) for j in columns}
    noun = plural(noun_of(table.cells[row][thing], OBJECT_WORDS) or "object", 1)
    said = [f"{head} in {table.at(row, j)}" for j, head in heads.items()]
    sentence = (
        f"Sheet {sheet} has several rows for the same {noun}, as a list with one row per assessment has, but no "
        f"heading says who gave each score; going by what stands below, it could be {listed(said)}."
    )
    answers = [Answer({**also, "assessor_column": head}, f"take {head} as who assesses") for head in heads.values()]
    return Question(sentence, tuple(answers), tuple(sheet_reference(sheet, table.at(row, j)) for j in columns))


def question_about_objects(table: Table, row: int, assessor: int, candidates: Iterable[int]) -> Question:
    """Ask which column holds what is assessed, in a list whose headings say only who assessed."""
    columns = list(candidates)
    sheet, heads = table.grid.sheet, {j: label_text(table.cells[row][j]) for j in columns}
    said = [f"{head} in {table.at(row, j)}" for j, head in heads.items()]
    sentence = (
        f"Sheet {sheet} is a list with one row per assessment by {label_text(table.cells[row][assessor])}, but no "
        f"heading says what was assessed; going by what stands below, it could be {listed(said)}."
    )
    answers = [Answer({"object_column": head}, f"take {head} as what is assessed") for head in heads.values()]
    return Question(sentence, tuple(answers), tuple(sheet_reference(sheet, table.at(row, j)) for j in columns))


def decision_about_objects(table: Table, row: int, assessor: int, thing: int) -> Decision:
    """Say which column holds what is assessed where nothing but it can."""
    thing_head, who = label_text(table.cells[row][thing]), label_text(table.cells[row][assessor])
    sentence = f"Read as what is assessed, because nothing else beside {who} and the scores can be: {thing_head}."
    return Decision(About.OBJECTS_BY_VALUES, (table.at(row, thing),), sentence, "warning", table.grid.sheet)


def many_repeated(count: int, repeated: int) -> bool:
    """Tell whether so many of `count` ids are repeats that the rows are assessments rather than objects."""
    return repeated >= max(_LEAST_REPEATED, _SHARE_REPEATED * count)


def question_about_list(matrix: Matrix, settings: Settings) -> Question | None:
    """Ask who assessed where a sheet without headings of a list has most ids several times; None for a true matrix."""
    table, thing, row = matrix.table, matrix.labels.identifier, matrix.headings.row
    different, _ = table.labels(matrix.rows.objects, thing)
    if table.across or not many_repeated(len(matrix.rows.objects), len(matrix.rows.objects) - len(different)):
        return None
    heads = table.cells[row]
    free = [j for j in (*matrix.labels.all, *matrix.texts) if j != thing and isinstance(heads[j], str)]
    found = crossing_columns(table, row, thing, free)
    named = sum(numbers_an_assessor(heads[j]) for j in matrix.assessors)  # each has a column then
    if not found or not isinstance(heads[thing], str) or named > 1 or settings.repeated == "average":
        return None
    also = {"layout": "list", "object_column": label_text(heads[thing])}
    if len(matrix.assessors) == 1:
        also["score_column"] = label_text(heads[matrix.assessors[0]])
        if not noun_of(heads[thing], OBJECT_WORDS):
            return _question_both_ways(table, row, thing, found, also)
    asked = question_about_assessors(table, row, thing, found, also)
    if _fit_together(matrix):
        together = Answer({"repeated": "average"}, "put the rows of each together, which never fill the same cell")
        asked = replace(asked, answers=(together, *asked.answers))
    return asked


def _fit_together(matrix: Matrix) -> bool:
    """Tell whether no two rows of the same id have a score in the same column, as where each day has a row."""
    cells, filled = matrix.table.cells, set()
    for i in matrix.rows.objects:
        label = label_text(cells[i][matrix.labels.identifier])
        for place in ((label, j) for j in matrix.assessors if cells[i][j] is not None):
            if place in filled:
                return False
            filled.add(place)
    return len(matrix.assessors) > 1


def _question_both_ways(
    table: Table, row: int, thing: int, candidates: Iterable[int], also: Mapping[str, str]
) -> Question:
    """Ask who assesses where no heading says what is assessed either: each may be the other."""
    asked = question_about_assessors(table, row, thing, candidates, also)
    heads = {j: label_text(table.cells[row][j]) for j in (thing, *candidates)}
    rows = range(row + 1, min(table.n_rows, row + 1 + _SAMPLED))
    often = {heads[j]: len({label_text(table.cells[i][j]) for i in rows}) for j in heads}
    turned = [
        Answer(
            {**also, "object_column": heads[j], "assessor_column": heads[thing]},
            f"take {heads[thing]} as who assesses and {heads[j]} as what is assessed",
        )
        for j in candidates
    ]
    # Few people each assess much: whatever has fewer names is likelier to assess.
    answers = sorted([*asked.answers, *turned], key=lambda answer: often[str(answer.gives["assessor_column"])])
    return replace(
        asked, answers=tuple(answers), cells=(sheet_reference(table.grid.sheet, table.at(row, thing)), *asked.cells)
    )
