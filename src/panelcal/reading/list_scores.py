"""The scores of a list: one column, or several criteria that add up to one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import Decision
from panelcal.reading.long_list import LongList
from panelcal.reading.problems import Problems, listed
from panelcal.reading.score_values import ScoreValues, read_scores
from panelcal.reading.settings import Settings


def scores_of_rows(
    found: LongList, rows: Sequence[int], settings: Settings, noun: str, problems: Problems
) -> ScoreValues:
    """Read the scores in some rows of a list; criteria are added up with their weights.

    A code in one criterion leaves the whole row out; a blank beside other criteria is noted in `problems`.
    """
    columns = found.score_columns or (found.score_column,)
    if len(columns) == 1 and found.score_weights[:1] == (1.0,):
        return _column(found, rows, columns[0], frozenset(), settings, noun, problems)
    out: set[int] = set()
    parts: list[ScoreValues] = []
    for column in columns:
        parts.append(_column(found, rows, column, frozenset(out), settings, noun, problems))
        out |= {k for entries in parts[-1].excluded.values() for k in entries}
    numbers = np.vstack([part.numbers for part in parts])
    numbers[:, sorted(out)] = np.nan
    table, sheet = found.table, found.table.grid.sheet
    blank = np.array([[table.cells[i][j] is None for i in rows] for j in columns])
    blank[:, sorted(out)] = False
    for q, k in zip(*np.nonzero(blank & ~blank.all(axis=0)), strict=True):
        problems.add(
            sheet,
            "{where} [is|are] blank beside other criteria of the same row: fill [it|them] in, or clear the whole row.",
            table.at(rows[k], columns[q]),
        )
    weights = np.array(found.score_weights)
    total = weights @ numbers
    count = len(rows)
    excluded: dict[str, list[int]] = {}
    for part in parts:
        for code, entries in part.excluded.items():
            excluded.setdefault(code, []).extend(entries)
    said = [f"{label_text(found.heading(j))} times {w:g}" for j, w in zip(columns, weights, strict=True)]
    spans = tuple(table.span((rows[0], j), (rows[-1], j)) for j in columns)
    sentence = f"Each {noun} is the sum of {listed(said)}."
    decisions = [Decision("criteria added up", spans, sentence, "warning", sheet)]
    decisions += [decision for part in parts for decision in part.decisions]
    return ScoreValues(total, np.zeros(count, bool), np.full(count, np.nan), "", excluded, decisions)


def _column(
    found: LongList,
    rows: Sequence[int],
    column: int,
    out: frozenset[int],
    settings: Settings,
    noun: str,
    problems: Problems,
) -> ScoreValues:
    """Read one column; entries in `out` are left out already."""
    table = found.table
    values = [table.cells[i][column] for i in rows]
    for k in out:
        values[k] = None
    # A range such as 60-70 in one criterion could not be added to the others.
    single = len(found.score_columns) <= 1
    return read_scores(
        values,
        lambda k: table.at(rows[k], column),
        (lambda k: table.number_format(rows[k], column)) if table.has_percents else None,
        table.grid.sheet,
        settings if single else replace(settings, confidence_form="weight"),
        noun,
        problems,
    )
