"""The numbers of a matrix on their way into the panel, less totals, identical duplicates, and what has no score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.errors import Answer
from panelcal.reading.cell_values import label_text
from panelcal.reading.crossing import many_repeated
from panelcal.reading.decisions import About
from panelcal.reading.exclusions import Exclusions, without_score
from panelcal.reading.matrix import Matrix
from panelcal.reading.namesakes import numbers_of_namesakes
from panelcal.reading.nouns import Nouns, in_sentence, plural
from panelcal.reading.problems import listed
from panelcal.reading.score_values import ScoreValues
from panelcal.reading.terms import Terms
from panelcal.reading.twins import Named, ask_about_twins


@dataclass(slots=True, eq=False)
class Block:
    """Scores of a matrix while rows and columns are being left out.

    `rows` and `columns` are those of the table; the arrays have the shape (rows, columns), with NaN for no score.
    """

    rows: list[int]
    columns: list[int]
    numbers: Array
    plain: Mask
    half_widths: Array

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
    matrix: Matrix,
    block: Block,
    ids: Mapping[int, str],
    names: Mapping[int, str],
    exclusions: Exclusions,
    terms: Terms,
) -> Block:
    """Leave out repeats whose scores are identical; ask about the others."""
    table = matrix.table
    identifier, head = matrix.labels.identifier, matrix.headings.row
    same, other = _twins([ids[i] for i in block.rows], block.numbers)
    same_rows = [block.rows[k] for k in same]
    listed_twice = many_repeated(len(block.rows), len(same) + len(other))
    averaged = terms.settings.repeated == "average"
    if averaged and other:
        block = _averaged(block, other, exclusions, terms).without(same_rows, [])
    elif other:
        rows = {k: block.rows[k] for pair in other for k in pair}
        named = {k: Named(ids[i], table.row_span(i), table.at(i, identifier)) for k, i in rows.items()}
        more = _by_number(matrix, {i: ids[i] for i in block.rows})
        ask_about_twins(other, named, terms, many=listed_twice, more=more)
    same, other = _twins([names[j] for j in block.columns], block.numbers.T)
    same_columns = [block.columns[k] for k in same]
    if averaged and other:
        block = _averaged_columns(block, other, exclusions, terms).without([], same_columns)
    elif other:
        columns, ends = {k: block.columns[k] for pair in other for k in pair}, (block.rows[0], block.rows[-1])
        spans = {k: table.span((ends[0], j), (ends[1], j)) for k, j in columns.items()}
        found = {k: Named(names[j], spans[k], table.at(head, j)) for k, j in columns.items()}
        ask_about_twins(other, found, terms, columns=True)
    sentence = "{} repeated with the very same scores; the first is used."
    said = f"{listed([ids[i] for i in same_rows])}:"
    exclusions.leave_out_rows(same_rows, About.DUPLICATE_ROW, sentence.format(said), "warning")
    said = f"{listed([names[j] for j in same_columns])}:"
    exclusions.leave_out_columns(same_columns, block.rows, About.DUPLICATE_COLUMN, sentence.format(said), "warning")
    return block.without(same_rows, same_columns)


def _by_number(matrix: Matrix, ids: Mapping[int, str]) -> list[Answer]:
    """Return the answers that take a column of numbers beside the names, different for each, as what is assessed."""
    head = matrix.headings.row
    beside = [j for j in matrix.labels.all if j != matrix.labels.identifier]
    heads = [label_text(matrix.headings.headings[j]) for j in numbers_of_namesakes(matrix.table, head, ids, beside)]
    return [Answer({"object_column": one}, f"tell them apart by {one}") for one in heads]


def _averaged(block: Block, twins: Sequence[tuple[int, int]], exclusions: Exclusions, terms: Terms) -> Block:
    """Put the mean of the rows of each object in the place of its first; a blank in one of them does not count."""
    thing = plural(terms.nouns.object, 1)
    _put_means(block.numbers, block.plain, twins)
    out = [block.rows[k] for k, _ in twins]
    sentence = f"The same {thing} again: the mean of its rows is used."
    exclusions.leave_out_rows(out, About.REPEATED_ROW_AVERAGE, sentence, "warning")
    return block.without(out, [])


def _averaged_columns(block: Block, twins: Sequence[tuple[int, int]], exclusions: Exclusions, terms: Terms) -> Block:
    """Do the same with the columns of each assessor."""
    _put_means(block.numbers.T, block.plain.T, twins)
    out = [block.columns[k] for k, _ in twins]
    sentence = f"The same {plural(terms.nouns.assessor, 1)} again: the mean of the columns is used."
    exclusions.leave_out_columns(out, block.rows, About.REPEATED_COLUMN_AVERAGE, sentence, "warning")
    return block.without([], out)


def _put_means(numbers: Array, plain: Mask, twins: Sequence[tuple[int, int]]) -> None:
    """Put the means over the lines that repeat each other, numbers (n_lines, n_cells), where the first of them is."""
    again: dict[int, list[int]] = {}
    for k, before in twins:
        again.setdefault(before, [before]).append(k)
    for before, lines in again.items():
        counts = (~np.isnan(numbers[lines])).sum(axis=0)
        sums = np.nansum(numbers[lines], axis=0)
        numbers[before] = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
        plain[before] = False


def _twins(labels: Sequence[str], numbers: Array) -> tuple[list[int], list[tuple[int, int]]]:
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
