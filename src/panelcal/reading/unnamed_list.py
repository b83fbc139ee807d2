"""Lists whose headings are nobody's words: "userId, movieId, rating", "Title, Parent record, Created by, Stars".

Two columns that cross as objects and assessors do tell such a list, beside one column headed as a score: each label of
both comes several times, and no pair of them twice. Which of the two assesses is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from panelcal.errors import Answer, Question
from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.grid import sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, Role, is_statistic, words_of
from panelcal.reading.list_columns import headed_columns, holds_numbers
from panelcal.reading.long_list import LongList, find_list
from panelcal.reading.matrix import Matrix
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import IDENTIFIERS, words

_SEARCHED = 20
_SAMPLED = 2_000
_FEWEST_ROWS, _LEAST_HEADS, _LONGEST = 8, 3, 60
_MOST_DIFFERENT = 0.5
_MOST_PAIRS = 3
_KEYS = IDENTIFIERS | words("fk uid user by")
_GIVES = words("user by from owner creator author annotator listener rater who")
_RECEIVES = words("to for record parent target about")

_Pair = tuple[int, int]


def question_about_unnamed_list(
    table: Table, layout: Matrix | None, settings: Settings
) -> tuple[LongList, Question] | None:
    """Ask which columns of an unnamed list are which; None where a sheet is none.

    Parameters
    ----------
    layout
        What the sheet was taken for, None where nothing was found on it. A matrix with several columns of scores is
        doubted only where one of them is headed as a key.

    Returns
    -------
    list, question
        The list by the first answer, and the question.
    """
    if settings.layout != "auto" or any((settings.object_column, settings.assessor_column, settings.score_column)):
        return None
    if settings.criteria or (layout is not None and layout.table.across):
        return None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        columns = headed_columns(table, i, settings)
        if len(columns) < _LEAST_HEADS:
            continue
        scores = [
            j for j in columns if role_in(settings, table.cells[i][j]) is Role.SCORE and holds_numbers(table, i, j)
        ]
        if not scores and layout is not None and i == layout.headings.row and len(held := _with_scores(layout)) == 1:
            scores = [j for j in columns if table.cells[i][j] == layout.headings.headings[held[0]]]
        pairs = _pairs(table, i, [j for j in columns if j not in scores], settings)
        if not scores or not pairs or not _is_doubtful(layout, pairs):
            return None
        found = _asked(table, i, scores[0], pairs)
        first = replace(settings, **dict(found.answers[0].gives))
        laid = find_list(table, first)
        return None if laid is None else (laid, found)
    return None


def _is_doubtful(layout: Matrix | None, pairs: Sequence[_Pair]) -> bool:
    """Tell whether a sheet that was taken for a matrix may be a list all the same."""
    if layout is None or len(_with_scores(layout)) == 1:
        return True
    return any({*pair} & {*layout.assessors} for pair in pairs)


def _with_scores(layout: Matrix) -> list[int]:
    """Return the columns of assessors that are not blank throughout."""
    cells = layout.table.cells
    return [j for j in layout.assessors if any(cells[k][j] is not None for k in layout.rows.objects)]


def _pairs(table: Table, i: int, columns: Sequence[int], settings: Settings) -> list[_Pair]:
    """Return the pairs (what is assessed, who assesses) of columns that cross, the likeliest first."""
    rows = [k for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED)) if _filled(table, k, columns) > 1]
    if len(rows) < _FEWEST_ROWS:
        return []
    labels: dict[int, list[str]] = {}
    for j in columns:
        held = [label_text(table.cells[k][j]) for k in rows]
        texts = all(isinstance(table.cells[k][j], str) and kind_of(table.cells[k][j])[0] is Kind.TEXT for k in rows)
        head = table.cells[i][j]
        keyed = not _KEYS.isdisjoint(words_of(head)) or role_in(settings, head) in (Role.OBJECT, Role.ASSESSOR)
        named = all(held) and max(map(len, held)) <= _LONGEST and not is_statistic(head)
        if named and (texts or keyed) and 1 < len(set(held)) <= _MOST_DIFFERENT * len(held):
            labels[j] = held
    crossing = []
    for one, other in permutations(labels, 2):
        pairs = list(zip(labels[one], labels[other], strict=True))
        if len(set(pairs)) == len(pairs):
            rank = _rank(table.cells[i][one], table.cells[i][other], len(set(labels[one])) >= len(set(labels[other])))
            spelt = sum(not label.isdigit() for label in (labels[one][0], labels[other][0]))
            crossing.append((-rank, -spelt, one, other))
    return [(one, other) for _, _, one, other in sorted(crossing)][: 2 * _MOST_PAIRS]


def _rank(thing: object, assessor: object, more: bool) -> int:
    """Count what speaks for one column as what is assessed and another as who assesses."""
    things, people = set(words_of(thing)), set(words_of(assessor))
    said = bool(things & (OBJECT_WORDS | _RECEIVES)) + bool(people & (ASSESSOR_WORDS | _GIVES))
    against = bool(things & (ASSESSOR_WORDS | _GIVES)) + bool(people & (OBJECT_WORDS | _RECEIVES))
    return 2 * (said - against) + more


def _filled(table: Table, k: int, columns: Sequence[int]) -> int:
    return sum(table.cells[k][j] is not None for j in columns)


def _asked(table: Table, i: int, score: int, pairs: Sequence[_Pair]) -> Question:
    heads = {j: label_text(table.cells[i][j]) for pair in pairs for j in pair} | {
        score: label_text(table.cells[i][score])
    }
    sheet, columns = table.grid.sheet, sorted({j for pair in pairs for j in pair})
    said = listed([f"{heads[j]} in {table.at(i, j)}" for j in columns])
    sentence = (
        f"Sheet {sheet} looks like a list with one row per assessment, but no heading says what is assessed and who "
        f"assesses; going by what stands below, these could ({said})."
    )
    answers = tuple(
        Answer(
            {
                "layout": "list",
                "object_column": heads[thing],
                "assessor_column": heads[assessor],
                "score_column": heads[score],
            },
            f"take {heads[thing]} as what is assessed and {heads[assessor]} as who assesses",
        )
        for thing, assessor in pairs
    )
    return Question(sentence, answers, tuple(sheet_reference(sheet, table.at(i, j)) for j in columns))
