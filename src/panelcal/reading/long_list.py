"""Find a long list of scores: one row per assessment, its columns recognised by their headings in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.errors import Question
from panelcal.frozen import dataclass
from panelcal.reading.crossing import (
    crossing_columns,
    decision_about_objects,
    question_about_assessors,
    question_about_objects,
)
from panelcal.reading.decisions import Decision
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import (
    OBJECT_WORDS,
    Role,
    noun_of,
    numbers_an_assessor,
)
from panelcal.reading.list_columns import (
    ColumnChoice,
    headed_columns,
    holds_levels,
    holds_numbers,
    identifying_column,
    repeats,
)
from panelcal.reading.list_headings import Candidates, HeadingRow, candidates, heading_row
from panelcal.reading.overall_columns import overall_columns
from panelcal.reading.patterns import places_of
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table

_SEARCHED = 100
_SAMPLED = 2_000
_SENT_AGAIN = 0.15
_MOST_ON_ITS_SIDE = 8
_EACH_A_COLUMN = 3  # judge_1, judge_2, judge_3: a table with a column for each, and no list


@dataclass(frozen=True, slots=True, eq=False)
class LongList:
    """A long list as found on a sheet: its heading row and what its columns hold.

    Attributes
    ----------
    table, row
        The sheet and the row of headings.
    object_column, assessor_column
        Where objects and assessors are.
    name_column, confidence_column
        Display names and confidences, or None.
    confidence_role
        Whether the confidences are weights or standard deviations.
    unread
        Columns that are not read.
    score_columns, score_weights
        The columns with scores, and how much each counts where they add up to one.
    questions
        What the headings leave open; the columns are a first guess then.
    category_column
        Categories of prizes in a list of ratings, or None.
    decisions
        What was decided by more than the headings.
    unused
        Columns headed as confidences in a list of ratings, which has no use for them.
    """

    table: Table
    row: int
    object_column: int
    assessor_column: int
    score_columns: tuple[int, ...]
    name_column: int | None
    confidence_column: int | None
    confidence_role: Role
    unread: tuple[int, ...]
    score_weights: tuple[float, ...] = (1.0,)
    questions: tuple[Question, ...] = ()
    category_column: int | None = None
    unused: tuple[int, ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def score_column(self) -> int:
        """Where the scores are, or the first of the columns that make them up."""
        return self.score_columns[0]

    def heading(self, column: int) -> Any:
        """Return the heading of a column."""
        return self.table.cells[self.row][column]


def find_list(table: Table, settings: Settings) -> LongList | None:
    """Find the headings of a long list; None when the sheet is not one.

    Where two columns could be the object, the assessor, the score or the confidence, and no setting decides, the list
    carries the questions.
    """
    if settings.layout in ("objects down", "objects across"):
        return None
    named = any((settings.object_column, settings.assessor_column, settings.score_column, settings.criteria))
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        if sum(isinstance(value, str) for value in table.cells[i]) < (2 if named else 3):
            continue
        at = heading_row(table, i, settings)
        found = None if at is None else _list_below(at)
        if found is not None:
            return found
    return open_list(table, settings) if settings.layout == "list" else None


def list_on_its_side(table: Table, settings: Settings) -> LongList | None:
    """Find a list that lies on its side: few rows, each headed in the first column, and all three parts among them."""
    if settings.layout not in ("auto", "list") or not 3 <= table.n_rows <= _MOST_ON_ITS_SIDE < table.n_columns:
        return None
    roles = [role_in(settings, row[0]) for row in table.cells]
    if any(roles.count(role) != 1 for role in (Role.OBJECT, Role.ASSESSOR, Role.SCORE)):
        return None
    at = heading_row(table.exchanged(), 0, settings)
    found = None if at is None else _list_below(at)
    return None if found is None or found.questions else found


def _list_below(at: HeadingRow) -> LongList | None:
    """Make the list of which the row is the headings; None where it is none."""
    table, settings, choice = at.table, at.settings, ColumnChoice(at.table, at.row)
    found = _with_those_told_by_values(at, choice, candidates(at))
    if not found.objects or not found.assessors or not found.scores:
        return None
    declared = found.surely or at.pointed or settings.layout == "list"
    if not declared and not repeats(table, at.row, found.objects[0]):
        return None
    object_column, other_objects = identifying_column(choice, found.objects, "objects", settings)
    assessor_column, _ = identifying_column(choice, found.assessors, "assessors", settings)
    if "objects" not in at.pointed and not choice.questions:
        object_column = _object_in_pairs(at, choice, object_column, assessor_column)
    taken = {object_column, assessor_column, *at.pointed_at()}
    overall = [] if "scores" in at.pointed else [j for j in at.wholes(taken) if j not in found.scores]
    score_columns, score_weights = _score_columns(choice, found.scores, settings, overall)
    confidence_column = _confidence_column(at, choice)
    used = {object_column, assessor_column, *score_columns, confidence_column}
    names = [] if found.objects == at.roles.get(Role.NAME) else at.names()
    names = [j for j in names + other_objects if j not in used]
    used |= set(names[:1])
    return LongList(
        table,
        at.row,
        object_column,
        assessor_column,
        score_columns,
        names[0] if names else None,
        confidence_column,
        Role.DEVIATION if confidence_column in at.of(Role.DEVIATION) else Role.WEIGHT,
        tuple(j for j in range(table.n_columns) if j not in used),
        score_weights,
        tuple(choice.questions),
        decisions=tuple(choice.decisions),
    )


def _with_those_told_by_values(at: HeadingRow, choice: ColumnChoice, found: Candidates) -> Candidates:
    """Look for objects, or assessors, by what stands below where no heading announces them."""
    beside = sum(numbers_an_assessor(at.heading(j)) for j in range(at.table.n_columns))
    objects, assessors = found.objects, found.assessors
    if found.scores and found.surely:
        if objects and not assessors and beside < _EACH_A_COLUMN:
            assessors = _assessors_by_values(at, choice, objects[0], found.scores)
        if assessors and not objects:
            objects = _objects_by_values(at, choice, assessors[0], found.scores)
    return Candidates(objects, assessors, found.scores, found.surely)


def _object_in_pairs(at: HeadingRow, choice: ColumnChoice, thing: int, assessor: int) -> int:
    """Return what is assessed: a column of names where the first comes several times with an assessor; ask.

    A criterion called Presentation, with a few levels such as "3 good", gives way to ids as well, and is not offered.
    """
    table, i = at.table, at.row
    rows = range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))

    def unique(j: int) -> bool:
        pairs = [(table.cells[k][j], table.cells[k][assessor]) for k in rows]
        return len(set(pairs)) == len(pairs) and all(value is not None for value, _ in pairs)

    if unique(thing):
        return thing
    names, offered = at.names(), [thing]
    if holds_levels(table, i, thing):
        others, offered = at.of(Role.IDENTIFIER) + names, []
    else:
        others = [j for j in names if noun_of(at.heading(j), OBJECT_WORDS)]
    others = [j for j in others if j != assessor and unique(j)]
    if others:
        choice.questions.append(question_about_objects(table, i, assessor, [*others, *offered]))
    return others[0] if others else thing


def _assessors_by_values(at: HeadingRow, choice: ColumnChoice, thing: int, scores: Sequence[int]) -> list[int]:
    """Find who assessed in a list whose headings do not say so, and ask; none where objects do not repeat."""
    if not repeats(at.table, at.row, thing):
        return []
    found = crossing_columns(at.table, at.row, thing, at.unclaimed({thing, *scores}))
    if found:
        choice.questions.append(question_about_assessors(at.table, at.row, thing, found))
    return found[:1]


def _objects_by_values(at: HeadingRow, choice: ColumnChoice, assessor: int, scores: Sequence[int]) -> list[int]:
    """Find what was assessed where the headings say only who assessed, and ask."""
    table, i = at.table, at.row
    free = at.unclaimed({assessor, *scores})
    found = crossing_columns(table, i, assessor, free, repeated=_SENT_AGAIN) if repeats(table, i, assessor) else []
    if len(found) == 1 and len(free) == 1 and not table.numeric(i + 1, free[0]):
        choice.decisions.append(decision_about_objects(table, i, assessor, free[0]))
    elif found:
        choice.questions.append(question_about_objects(table, i, assessor, found))
    return found[:1]


def _score_columns(
    choice: ColumnChoice, scores: list[int], settings: Settings, overall: Sequence[int] = ()
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the columns of the score and what each counts: one column, or the criteria that make it up.

    `overall` are the columns that are headed as a total or a mean, which may be what is meant.
    """
    if settings.criteria:
        named = settings.criteria_named
        scores = scores if named else list(overall_columns(choice.table, choice.row, scores, overall).criteria)
        heads = choice.headings(scores)
        weights = [next((w for name, w in named.items() if places_of(name, [head])), 1.0) for head in heads]
        return tuple(scores), tuple(weights)
    return (choice.score(scores, settings.score_noun, overall),), (1.0,)


def _confidence_column(at: HeadingRow, choice: ColumnChoice) -> int | None:
    if at.settings.confidence_column.casefold() == NO_CONFIDENCES:
        return None
    roles = {"weight": [Role.WEIGHT], "word": [Role.WEIGHT], "sd": [Role.DEVIATION]}
    by_form = at.of(*roles.get(at.settings.confidence_form, (Role.WEIGHT, Role.DEVIATION)))
    columns = at.pointed.get("confidences", by_form)
    return choice.only(columns, "confidences") if columns else None


def open_list(table: Table, settings: Settings) -> LongList | None:
    """Make a list of a sheet that is declared to be one although its headings do not say which column is which."""
    rows = range(min(table.n_rows - 1, _SEARCHED))
    i = max(rows, key=lambda row: (sum(isinstance(value, str) for value in table.cells[row]), -row), default=0)
    at = heading_row(table, i, settings)
    columns = headed_columns(table, i, settings)
    numeric = [j for j in columns if holds_numbers(table, i, j)]
    texts = [j for j in columns if j not in numeric] or columns
    if at is None or len(columns) < 3 or not numeric or len(texts) < 2:
        return None
    choice, taken = ColumnChoice(table, i), at.pointed_at()

    def known(what: str, *roles: Role) -> list[int]:
        return at.pointed.get(what) or [j for j in at.of(*roles) if j not in taken]

    by_heading = {"objects": known("objects", Role.OBJECT), "assessors": known("assessors", Role.ASSESSOR)}
    scores = known("scores")
    aside = taken.union(scores, *by_heading.values())
    free = [j for j in texts if j not in aside] or columns
    objects, assessors = (choice.only(found or free, what) for what, found in by_heading.items())
    scores = scores or [j for j in numeric if j not in aside] or numeric
    score_columns, weights = _score_columns(choice, scores, settings)
    used = {objects, assessors, *score_columns}
    return LongList(
        table,
        i,
        objects,
        assessors,
        score_columns,
        None,
        at.pointed.get("confidences", [None])[0],
        Role.WEIGHT,
        tuple(j for j in range(table.n_columns) if j not in used),
        weights,
        tuple(choice.questions),
    )
