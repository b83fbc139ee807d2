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
    ASSESSOR_WORDS,
    OBJECT_WORDS,
    Role,
    is_statistic,
    noun_of,
    numbers_an_assessor,
    statistic_kind,
    words_of,
)
from panelcal.reading.list_columns import (
    ColumnChoice,
    headed_columns,
    holds_levels,
    holds_numbers,
    holds_numbers_before_words,
    holds_times,
    identifying_column,
    pointed_columns,
    repeats,
)
from panelcal.reading.overall_columns import overall_columns
from panelcal.reading.patterns import any_matches, places_of
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table

_SEARCHED = 100
_SAMPLED = 2_000
_SENT_AGAIN = 0.15
_NUMBERED = (("id",), ("uid",))  # the last word of a heading above numbers that are no scores: Local ID
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
        found = _list_at(table, i, settings)
        if found is not None:
            return found
    return open_list(table, settings) if settings.layout == "list" else None


def _list_at(table: Table, i: int, settings: Settings) -> LongList | None:
    pointed = pointed_columns(table, i, settings)
    if pointed is None:
        return None
    roles = _roles_at(table, i, settings)
    choice = ColumnChoice(table, i)
    objects, assessors, scores, surely = _candidates(table, i, roles, pointed, settings)
    beside = sum(numbers_an_assessor(table.cells[i][j]) for j in range(table.n_columns))
    if objects and scores and surely and not assessors and beside < _EACH_A_COLUMN:
        assessors = _assessors_by_values(choice, objects[0], scores, roles)
    if assessors and scores and surely and not objects:
        objects = _objects_by_values(choice, assessors[0], scores, roles)
    if not objects or not assessors or not scores:
        return None
    if not surely and not pointed and settings.layout != "list" and not repeats(table, i, objects[0]):
        return None
    object_column, other_objects = identifying_column(choice, objects, "objects", settings)
    assessor_column, _ = identifying_column(choice, assessors, "assessors", settings)
    if "objects" not in pointed and not choice.questions:
        object_column = _object_in_pairs(choice, object_column, assessor_column, roles)
    weights, deviations = roles.get(Role.WEIGHT, []), roles.get(Role.DEVIATION, [])
    taken = {object_column, assessor_column, *_pointed(pointed)}
    overall = [] if "scores" in pointed else [j for j in _wholes(table, i, roles, taken) if j not in scores]
    score_columns, score_weights = _score_columns(choice, scores, settings, overall)
    confidence_column = _confidence_column(choice, pointed, weights, deviations, settings)
    names = list(roles.get(Role.NAME, [])) if objects != roles.get(Role.NAME) else []
    names = [j for j in names if noun_of(table.cells[i][j], ASSESSOR_WORDS) == ""] + other_objects
    names = [j for j in names if j not in (object_column, assessor_column, *score_columns, confidence_column)]
    used = {object_column, assessor_column, *score_columns, confidence_column, *names[:1]}
    return LongList(
        table,
        i,
        object_column,
        assessor_column,
        score_columns,
        names[0] if names else None,
        confidence_column,
        Role.DEVIATION if confidence_column in deviations else Role.WEIGHT,
        tuple(j for j in range(table.n_columns) if j not in used),
        score_weights,
        tuple(choice.questions),
        decisions=tuple(choice.decisions),
    )


def _object_in_pairs(choice: ColumnChoice, thing: int, assessor: int, roles: dict[Role, list[int]]) -> int:
    """Return what is assessed: a column of names where the first comes several times with an assessor; ask.

    A criterion called Presentation, with a few levels such as "3 good", gives way to ids as well, and is not offered.
    """
    table, i = choice.table, choice.row
    rows = range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))

    def unique(j: int) -> bool:
        pairs = [(table.cells[k][j], table.cells[k][assessor]) for k in rows]
        return len(set(pairs)) == len(pairs) and all(value is not None for value, _ in pairs)

    if unique(thing):
        return thing
    names = [j for j in roles.get(Role.NAME, []) if noun_of(table.cells[i][j], ASSESSOR_WORDS) == ""]
    if holds_levels(table, i, thing):
        others = [j for j in (*roles.get(Role.IDENTIFIER, []), *names) if j != assessor and unique(j)]
        if others:
            choice.questions.append(question_about_objects(table, i, assessor, others))
        return others[0] if others else thing
    others = [j for j in names if j != assessor and noun_of(table.cells[i][j], OBJECT_WORDS) and unique(j)]
    if others:
        choice.questions.append(question_about_objects(table, i, assessor, [*others, thing]))
    return others[0] if others else thing


def _assessors_by_values(
    choice: ColumnChoice, thing: int, scores: Sequence[int], roles: dict[Role, list[int]]
) -> list[int]:
    """Find who assessed in a list whose headings do not say so, and ask; none where objects do not repeat."""
    table, i = choice.table, choice.row
    if not repeats(table, i, thing):
        return []
    aside = {thing, *scores, *roles.get(Role.WEIGHT, []), *roles.get(Role.DEVIATION, [])}
    free = [j for columns in roles.values() for j in columns if j not in aside and not is_statistic(table.cells[i][j])]
    found = crossing_columns(table, i, thing, free)
    if found:
        choice.questions.append(question_about_assessors(table, i, thing, found))
    return found[:1]


def _objects_by_values(
    choice: ColumnChoice, assessor: int, scores: Sequence[int], roles: dict[Role, list[int]]
) -> list[int]:
    """Find what was assessed where the headings say only who assessed, and ask."""
    table, i = choice.table, choice.row
    aside = {assessor, *scores, *roles.get(Role.WEIGHT, []), *roles.get(Role.DEVIATION, [])}
    free = [j for columns in roles.values() for j in columns if j not in aside and not is_statistic(table.cells[i][j])]
    found = crossing_columns(table, i, assessor, free, repeated=_SENT_AGAIN) if repeats(table, i, assessor) else []
    if len(found) == 1 and len(free) == 1 and not table.numeric(i + 1, free[0]):
        choice.decisions.append(decision_about_objects(table, i, assessor, free[0]))
    elif found:
        choice.questions.append(question_about_objects(table, i, assessor, found))
    return found[:1]


def _roles_at(table: Table, i: int, settings: Settings) -> dict[Role, list[int]]:
    """Sort the columns by what their headings announce, less those that are to be left out."""
    roles: dict[Role, list[int]] = {}
    for j in headed_columns(table, i, settings):
        roles.setdefault(role_in(settings, table.cells[i][j]), []).append(j)
    return roles


def _candidates(
    table: Table, i: int, roles: dict[Role, list[int]], pointed: dict[str, list[int]], settings: Settings
) -> tuple[list[int], list[int], list[int], bool]:
    """Return the columns that could be objects, assessors and scores, and whether a heading speaks of scores."""
    aside = {j for name, columns in pointed.items() for j in columns if name != "scores"}
    labels = (Role.OBJECT, Role.ASSESSOR, Role.NAME, Role.IDENTIFIER)
    aside |= {j for role in labels for j in roles.get(role, []) if not _is_filled(table, i, j)} - _pointed(pointed)
    # A criterion may be called by a word for what is assessed, such as Presentation.
    criteria = settings.criteria_together
    numeric = [
        j
        for role in (Role.OTHER, Role.SCORE, *((Role.OBJECT,) if criteria else ()))
        for j in roles.get(role, [])
        if (
            role is Role.SCORE
            or not is_statistic(table.cells[i][j])
            or any_matches(settings.include, table.cells[i][j])
        )
        and j not in aside
        and words_of(table.cells[i][j])[-1:] not in _NUMBERED
        and holds_numbers(table, i, j)
        and (role is Role.SCORE or not holds_times(table, i, j))
    ]
    if not any(j in numeric for j in roles.get(Role.SCORE, [])):
        # "5: accept" below Rating is a score whose number is asked about, whatever else holds numbers.
        worded = [j for j in roles.get(Role.SCORE, []) if j not in aside and holds_numbers_before_words(table, i, j)]
        numeric = sorted({*numeric, *worded})
    if not numeric and table.grades:
        # Words count as numbers here, and "Recommendation" may be what there is of a score.
        numeric = [j for j in roles.get(Role.OTHER, []) if j not in aside and holds_numbers(table, i, j)]
    scores = [j for j in roles.get(Role.SCORE, []) if j in numeric]
    if not scores and len(numeric) < 2:
        # Beside names of assessors "Overall" is what each of them gave in all, and nothing else is called a score.
        numeric = sorted({*numeric, *_wholes(table, i, roles, aside)})
    objects = [j for j in roles.get(Role.OBJECT, []) if j not in aside]
    if criteria:
        texts = [j for j in objects if j not in numeric]
        objects = texts if texts or "objects" in pointed else objects
        numeric = sorted(set(numeric) - set(objects))
    several = len(numeric) > 1 and not pointed.keys() & {"assessors", "scores"}
    assessors = [
        j for j in roles.get(Role.ASSESSOR, []) if j not in aside and not (several and _is_constant(table, i, j))
    ]
    if not assessors:
        # "Member name" names people, and those who assess by the other word in it.
        called = [j for j in roles.get(Role.NAME, []) if noun_of(table.cells[i][j], ASSESSOR_WORDS)]
        assessors = [j for j in called if j not in aside]
    if not objects and (assessors or "assessors" in pointed):
        plain = roles.get(Role.IDENTIFIER) or roles.get(Role.NAME) or []
        objects = [j for j in plain if j not in aside]
    found = (
        pointed.get("objects", objects),
        pointed.get("assessors", assessors),
        pointed.get("scores", scores or numeric),
    )
    return *found, bool(scores) or "scores" in pointed or len(numeric) == 1


def _wholes(table: Table, i: int, roles: dict[Role, list[int]], aside: set[int]) -> list[int]:
    """Find the columns of numbers that are headed as a total or a mean."""
    return [
        j
        for j in roles.get(Role.OTHER, [])
        if j not in aside and statistic_kind(table.cells[i][j]) in ("sum", "mean") and holds_numbers(table, i, j)
    ]


def _is_filled(table: Table, i: int, j: int) -> bool:
    return any(table.cells[k][j] is not None for k in range(i + 1, table.n_rows))


def _is_constant(table: Table, i: int, j: int) -> bool:
    """Tell whether a column says the same in every row, as that of a course does in its own gradebook."""
    return len({table.cells[k][j] for k in range(i + 1, table.n_rows)} - {None}) == 1


def _pointed(pointed: dict[str, list[int]]) -> set[int]:
    return {j for columns in pointed.values() for j in columns}


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


def _confidence_column(
    choice: ColumnChoice,
    pointed: dict[str, list[int]],
    weights: list[int],
    deviations: list[int],
    settings: Settings,
) -> int | None:
    if settings.confidence_column.casefold() == NO_CONFIDENCES:
        return None
    by_form = {"weight": weights, "word": weights, "sd": deviations}.get(settings.confidence_form, weights + deviations)
    columns = pointed.get("confidences", by_form)
    return choice.only(columns, "confidences") if columns else None


def open_list(table: Table, settings: Settings) -> LongList | None:
    """Make a list of a sheet that is declared to be one although its headings do not say which column is which."""
    rows = range(min(table.n_rows - 1, _SEARCHED))
    i = max(rows, key=lambda row: (sum(isinstance(value, str) for value in table.cells[row]), -row), default=0)
    columns = headed_columns(table, i, settings)
    pointed = pointed_columns(table, i, settings)
    numeric = [j for j in columns if holds_numbers(table, i, j)]
    texts = [j for j in columns if j not in numeric] or columns
    if pointed is None or len(columns) < 3 or not numeric or len(texts) < 2:
        return None
    choice = ColumnChoice(table, i)
    taken = {j for places in pointed.values() for j in places}
    roles = _roles_at(table, i, settings)
    wanted = {"objects": roles.get(Role.OBJECT, []), "assessors": roles.get(Role.ASSESSOR, []), "scores": []}
    known = {what: pointed.get(what) or [j for j in found if j not in taken] for what, found in wanted.items()}
    aside = taken | {j for found in known.values() for j in found}
    free = {"scores": [j for j in numeric if j not in aside]}
    objects, assessors = (
        choice.only(known[what] or [j for j in texts if j not in aside] or columns, what)
        for what in ("objects", "assessors")
    )
    score_columns, weights = _score_columns(choice, known["scores"] or free["scores"] or numeric, settings)
    used = {objects, assessors, *score_columns}
    return LongList(
        table,
        i,
        objects,
        assessors,
        score_columns,
        None,
        pointed.get("confidences", [None])[0],
        Role.WEIGHT,
        tuple(j for j in range(table.n_columns) if j not in used),
        weights,
        tuple(choice.questions),
    )
