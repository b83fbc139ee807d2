"""The numbers of a matrix on their way into the panel, less totals, identical duplicates, and what has no score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.errors import Answer
from panelcal.reading.crossing import many_repeated
from panelcal.reading.decisions import About
from panelcal.reading.exclusions import Exclusions, without_score
from panelcal.reading.nouns import Nouns, in_sentence, plural, with_article
from panelcal.reading.problems import listed, where
from panelcal.reading.score_values import ScoreValues
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms


@dataclass(slots=True, eq=False)
class Block:
    """Scores of a matrix while rows and columns are being left out.

    `rows` and `columns` are those of the table; the arrays have the shape (rows, columns), with NaN for no score.
    """

    rows: list[int]
    columns: list[int]
    numbers: NDArray[np.float64]
    plain: NDArray[np.bool_]
    half_widths: NDArray[np.float64]

    @staticmethod
    def of(rows: list[int], columns: list[int], values: ScoreValues) -> Block:
        """Make the block of values that were read row by row."""
        shape = len(rows), len(columns)
        plain, half_widths = values.plain.reshape(shape), values.half_widths.reshape(shape)
        return Block(rows, columns, values.numbers.reshape(shape), plain, half_widths)

    def without(self, rows: Sequence[int], columns: Sequence[int]) -> Block:
        """Return the block less some rows and columns."""
        dropped_rows, dropped_columns = frozenset(rows), frozenset(columns)
        kept_rows = [k for k, i in enumerate(self.rows) if i not in dropped_rows]
        kept_columns = [k for k, j in enumerate(self.columns) if j not in dropped_columns]
        at = np.ix_(kept_rows, kept_columns)
        return Block(
            [self.rows[k] for k in kept_rows],
            [self.columns[k] for k in kept_columns],
            self.numbers[at],
            self.plain[at],
            self.half_widths[at],
        )


def without_duplicates(
    table: Table,
    block: Block,
    ids: Mapping[int, str],
    names: Mapping[int, str],
    exclusions: Exclusions,
    terms: Terms,
) -> Block:
    """Leave out repeats whose scores are identical; refuse the others."""
    nouns = terms.nouns
    twins = _twins([ids[i] for i in block.rows], block.numbers)
    same_rows, other_rows = [block.rows[k] for k in twins[0]], twins[1]
    listed_twice = many_repeated(len(block.rows), len(twins[0]) + len(twins[1]))
    todo = f"If each row is one assessment, add a column that says which {plural(nouns.assessor, 1)} it is from."
    if _can_be_averaged(block, other_rows) and len(block.columns) > 1:
        if terms.settings.repeated == "average":
            return _averaged(block, other_rows, exclusions, terms).without(same_rows, [])
        _ask_about_repeated_rows(table, block, ids, other_rows, terms)
        other_rows = []
    for k, before in other_rows:
        span, first = table.row_span(block.rows[k]), table.row_span(block.rows[before])
        said = f"{ids[block.rows[k]]}, as in {first}"
        _refuse_twin(span, said, nouns.object, terms, todo if listed_twice else _ONE)
    twins = _twins([names[j] for j in block.columns], block.numbers.T)
    same_columns, other_columns = [block.columns[k] for k in twins[0]], twins[1]
    _refuse_twin_columns(table, block, names, other_columns, terms)
    sentence = "{} repeated with the very same scores; the first is used."
    said = f"{listed([ids[i] for i in same_rows])}:"
    exclusions.leave_out_rows(same_rows, About.DUPLICATE_ROW, sentence.format(said), "warning")
    said = f"{listed([names[j] for j in same_columns])}:"
    exclusions.leave_out_columns(same_columns, block.rows, About.DUPLICATE_COLUMN, sentence.format(said), "warning")
    return block.without(same_rows, same_columns)


def _can_be_averaged(block: Block, twins: Sequence[tuple[int, int]]) -> bool:
    """Tell whether every row that comes again has scores where it had them first, and nowhere else."""
    given = ~np.isnan(block.numbers)
    return bool(twins) and all(np.array_equal(given[k], given[before]) for k, before in twins)


def _averaged(block: Block, twins: Sequence[tuple[int, int]], exclusions: Exclusions, terms: Terms) -> Block:
    """Put the mean of the rows of each object in the place of its first."""
    again: dict[int, list[int]] = {}
    for k, before in twins:
        again.setdefault(before, []).append(k)
    for before, rows in again.items():
        block.numbers[before] = block.numbers[[before, *rows]].mean(axis=0)
        block.plain[before] = False
    out = [block.rows[k] for k, _ in twins]
    thing = plural(terms.nouns.object, 1)
    sentence = f"The same {thing} again: the mean of its rows is used."
    exclusions.leave_out_rows(out, About.REPEATED_ROW_AVERAGE, sentence, "warning")
    return block.without(out, [])


def _ask_about_repeated_rows(
    table: Table, block: Block, ids: Mapping[int, str], twins: Sequence[tuple[int, int]], terms: Terms
) -> None:
    """Ask what to do with objects that have several rows, as one for each attempt."""
    spans = [table.row_span(block.rows[k]) for k, _ in twins]
    names = [f'"{ids[block.rows[k]]}, as in {table.row_span(block.rows[before])}"' for k, before in twins]
    sentence = (
        f"{where(terms.sheet, spans)} repeat {with_article(terms.nouns.object)} with other scores than before: "
        f"{listed(names)}. Give each row a name of its own, remove what is not to count, or say what does."
    )
    answer = Answer({"repeated": "average"}, f"use the mean of the rows of each {plural(terms.nouns.object, 1)}")
    terms.problems.ask(terms.sheet, sentence, [answer], spans)


def _refuse_twin_columns(
    table: Table, block: Block, names: Mapping[int, str], twins: Sequence[tuple[int, int]], terms: Terms
) -> None:
    """Refuse columns with a heading that stood before; where it stands again and again, it may be left out whole.

    Parameters
    ----------
    twins
        Places of the columns, and where each heading stood first.
    """

    def span(k: int) -> str:
        return table.span((block.rows[0], block.columns[k]), (block.rows[-1], block.columns[k]))

    assessor, often = terms.nouns.assessor, Counter(before for _, before in twins)
    for before, count in often.items():
        if count > 1:
            name, spans = names[block.columns[before]], [span(before), *(span(k) for k, one in twins if one == before)]
            sentence = (
                f"{len(spans)} columns on sheet {terms.sheet} are headed {name} ({listed(spans)}): write the "
                f"{plural(assessor, 1)} above each of them, unless they hold something else."
            )
            terms.problems.ask(terms.sheet, sentence, [Answer({"exclude": (name,)}, "leave them all out")], spans)
    for k, before in twins:
        if often[before] == 1:
            said = f"{names[block.columns[k]]}, as in {span(before)}"
            _refuse_twin(span(k), said, assessor, terms)


_ONE = "Correct the name, or remove one of the two."


def _refuse_twin(span: str, said: str, noun: str, terms: Terms, todo: str = _ONE) -> None:
    terms.problems.add(
        terms.sheet,
        f"{{where}} [repeats|repeat] {with_article(noun)} with other scores than before: {{values}}. {todo}",
        span,
        said,
    )


def _twins(labels: Sequence[str], numbers: NDArray[np.float64]) -> tuple[list[int], list[tuple[int, int]]]:
    """Places of labels that stood before: those with identical numbers, and the others with where they stood."""
    first: dict[str, int] = {}
    same: list[int] = []
    other: list[tuple[int, int]] = []
    for k, label in enumerate(labels):
        before = first.setdefault(label, k)
        if before == k:
            continue
        if np.array_equal(numbers[before], numbers[k], equal_nan=True):
            same.append(k)
        else:
            other.append((k, before))
    return same, other


def without_empty(block: Block, exclusions: Exclusions, nouns: Nouns) -> Block:
    """Leave out objects and assessors without any score."""
    given = ~np.isnan(block.numbers)
    rows = [block.rows[k] for k in np.flatnonzero(~given.any(axis=1))]
    columns = [block.columns[k] for k in np.flatnonzero(~given.any(axis=0))]
    sentence, noun = without_score(len(rows), nouns.object, nouns.score), in_sentence(nouns.object)
    exclusions.leave_out_rows(rows, About.OBJECT_WITHOUT_SCORE, sentence, noun=noun)
    sentence, noun = without_score(len(columns), nouns.assessor, nouns.score), in_sentence(nouns.assessor)
    exclusions.leave_out_columns(columns, block.rows or [0], About.ASSESSOR_WITHOUT_SCORE, sentence, noun=noun)
    return block.without(rows, columns)
