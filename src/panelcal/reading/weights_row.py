"""A row of weights in a matrix of scores: where it is incomplete, where it may be an object, where it is not wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import Answer
from panelcal.reading.cell_values import kind_of, label_text
from panelcal.reading.confidence_sources import announced_by
from panelcal.reading.decisions import About, Decision
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed
from panelcal.reading.settings import NO_CONFIDENCES
from panelcal.reading.terms import Terms

_SHARE_WITHOUT_WEIGHT = 1 / 3


def ask_about_weights(matrix: Matrix, row: int, names: Mapping[int, str], scores: Array, terms: Terms) -> bool:
    """Ask about a row of weights that may be none, or lacks a few; tell whether it did.

    Parameters
    ----------
    names
        Columns of the assessors -> their labels.
    scores
        (objects, assessors), NaN for none.
    """
    return _ask_whether_object(matrix, row, list(names), scores, terms) or _ask_about_blanks(matrix, row, names, terms)


def rows_not_used(matrix: Matrix, columns: Sequence[int], terms: Terms) -> tuple[Decision, ...]:
    """Name the rows of weights that the settings do not want."""
    table, found = matrix.table, []
    for row in (matrix.headings.weights, matrix.rows.weights):
        if row is not None:
            _, label = announced_by([table.cells[row][j] for j in matrix.labels.all], terms.settings)
            span = table.span((row, columns[0]), (row, columns[-1]))
            sentence = f"Not used, as no confidences are wanted: {label}."
            found.append(Decision(About.CONFIDENCES_NOT_USED, (span,), sentence, sheet=terms.sheet))
    return tuple(found)


def _ask_whether_object(matrix: Matrix, row: int, columns: Sequence[int], scores: Array, terms: Terms) -> bool:
    """Ask about a row amid the objects that is called as weights are, but has blanks as they have, or their numbers."""
    table, objects = matrix.table, matrix.rows.objects
    if row != matrix.rows.weights or not min(objects) < row < max(objects):
        return False
    values = [table.cells[row][j] for j in columns]
    low, high = np.nanmin(scores), np.nanmax(scores)
    if None not in values and not all(low <= kind_of(value)[1] <= high for value in values):
        return False
    label, thing = label_text(table.cells[row][matrix.labels.identifier]), plural(terms.nouns.object, 1)
    span = table.row_span(row)
    sentence = (
        f"What stands in {span} is called {label}, as weights are, but it stands amid the {plural(terms.nouns.object)} "
        f"and looks like one: nothing else says which it is."
    )
    answers = [
        Answer({"include": (label,)}, f"count it as {with_article(thing)}"),
        Answer({"confidence_column": NO_CONFIDENCES}, "leave it out and calibrate without weights"),
    ]
    terms.problems.ask(terms.sheet, sentence, answers, [span])
    return True


def _ask_about_blanks(matrix: Matrix, row: int, names: Mapping[int, str], terms: Terms) -> bool:
    """Ask about the few columns without a weight where the others have one."""
    table = matrix.table
    blank = [j for j in names if table.cells[row][j] is None]
    if not 0 < len(blank) <= _SHARE_WITHOUT_WEIGHT * len(names):
        return False
    labels, it = tuple(names[j] for j in blank), "it" if len(blank) == 1 else "them"
    cells = [table.at(row, j) for j in blank]
    sentence = (
        f"{listed(labels)} {'has' if len(blank) == 1 else 'have'} no weight in {table.row_span(row)}, where the others "
        f"have one ({listed(cells)}): write it there, or say what is meant."
    )
    answers = [
        Answer({"exclude": labels}, f"leave {it} out"),
        Answer({"confidence_column": NO_CONFIDENCES}, "calibrate without confidences"),
    ]
    terms.problems.ask(terms.sheet, sentence, answers, cells)
    return True
