"""The scores of a list: read by columns or added up from criteria, checked, each pair settled once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import Answer
from panelcal.panel import by_number
from panelcal.reading.absence_codes import ask_about_absence, ask_about_unlikely_zeros
from panelcal.reading.better_end import ask_about_direction
from panelcal.reading.cell_values import label_text
from panelcal.reading.criterion_rows import CriteriaTable
from panelcal.reading.decisions import About, Decision
from panelcal.reading.exclusions import Exclusions
from panelcal.reading.keys import ask_about_zeros
from panelcal.reading.list_columns import TOGETHER_ANSWER
from panelcal.reading.long_list import LongList
from panelcal.reading.namesakes import ask_about_namesakes
from panelcal.reading.nouns import counted, plural
from panelcal.reading.plausibility.gate import warn_of_half_used
from panelcal.reading.plausibility.labels import LabelledScores, ask_about_labels
from panelcal.reading.plausibility.lines import lines_of_list
from panelcal.reading.problems import listed, where
from panelcal.reading.score_checks import check_scale
from panelcal.reading.score_values import ScoreValues, read_scores
from panelcal.reading.table import ScoreCells, Table
from panelcal.reading.terms import Terms


def summed_scores(found: LongList, rows: Sequence[int], terms: Terms) -> ScoreValues:
    """Read the scores in some rows of a list; criteria are added up with their weights.

    A code in one criterion leaves the whole row out; a blank beside other criteria is noted as a problem, but where
    criteria are calibrated together: there it is missing, and the sum has its mean in its place until more is known.
    """
    columns = found.score_columns
    if len(columns) == 1 and found.score_weights[:1] == (1.0,):
        return scores_in(found.table, rows, columns[0], terms)
    # A range such as 60-70 in one criterion could not be added to the others.
    alone = terms if len(columns) == 1 else replace(terms, settings=replace(terms.settings, confidence_form="weight"))
    out: set[int] = set()
    parts: list[ScoreValues] = []
    for column in columns:
        parts.append(scores_in(found.table, rows, column, alone, frozenset(out)))
        out |= {k for entries in parts[-1].excluded.values() for k in entries}
    numbers = np.vstack([part.numbers for part in parts])
    numbers[:, sorted(out)] = np.nan
    table, sheet = found.table, found.table.grid.sheet
    blank = np.array([[table.cells[i][j] is None for i in rows] for j in columns])
    blank[:, sorted(out)] = False
    beside = blank & ~blank.all(axis=0)
    sentence = (
        "{where} [is|are] blank beside other criteria of the same row: fill [it|them] in, or clear the whole row."
    )
    if isinstance(table, CriteriaTable):
        sentence = "{where} [belongs|belong] to assessments without all criteria: add the rows that are missing."
    for q, k in () if terms.settings.criteria_together else zip(*np.nonzero(beside), strict=True):
        terms.problems.add(sheet, sentence, table.at(rows[k], columns[q]))
    if beside.any() and not terms.settings.criteria_together:
        blanks = [table.at(rows[k], columns[q]) for q, k in zip(*np.nonzero(beside), strict=True)]
        sentence = "A sum of criteria needs all of them; calibrated together they need not."
        together = Answer(dict(TOGETHER_ANSWER.gives), "count them as missing, with all criteria calibrated together")
        terms.problems.ask(sheet, sentence, [together], blanks)
    weights = np.array(found.score_weights)
    total = weights @ (_with_means(numbers, beside) if terms.settings.criteria_together else numbers)
    count = len(rows)
    excluded: dict[str, list[int]] = {}
    for part in parts:
        for code, entries in part.excluded.items():
            excluded.setdefault(code, []).extend(entries)
    said = [f"{label_text(found.heading(j))} times {w:g}" for j, w in zip(columns, weights, strict=True)]
    spans = tuple(table.span((rows[0], j), (rows[-1], j)) for j in columns)
    sentence = f"Each {terms.score} is the sum of {listed(said)}."
    if terms.settings.criteria_together:
        sentence += " The criteria are calibrated together as well: see Cal criteria."
    decisions = [Decision(About.CRITERIA_ADDED_UP, spans, sentence, "warning", sheet)]
    if terms.settings.criteria_together and beside.any():
        cells = tuple(table.at(rows[k], columns[q]) for q, k in zip(*np.nonzero(beside), strict=True))
        are = "is" if len(cells) == 1 else "are"
        missing = (
            f"{counted(len(cells), 'cell')} {are} blank beside other criteria of the same row and {are} missing: in "
            f"the sum stands what the other {plural(terms.score)} let expect. Standard errors and intervals of values "
            "allow for that; ranks and chances of classes take it for given."
        )
        decisions.append(Decision(About.CRITERIA_MISSING, cells, missing, "warning", sheet))
    decisions += [decision for part in parts for decision in part.decisions]
    return ScoreValues(total, np.zeros(count, bool), np.full(count, np.nan), "", excluded, decisions, numbers)


def _with_means(numbers: Array, missing: Mask) -> Array:
    """Put the mean of its criterion in the place of what is missing, (Q, K)."""
    counted_in = ~np.isnan(numbers)
    means = np.where(counted_in, numbers, 0.0).sum(axis=1) / np.maximum(counted_in.sum(axis=1), 1)
    return np.where(missing, means[:, None], numbers)


def scores_in(
    table: Table, rows: Sequence[int], column: int, terms: Terms, out: frozenset[int] = frozenset()
) -> ScoreValues:
    """Read the scores in some rows of one column; entries in `out` are left out already."""
    values = table.column(rows, column)
    for k in out:
        values[k] = None
    format_of = (lambda k: table.number_format(rows[k], column)) if table.has_percents else None
    return read_scores(ScoreCells(values, lambda k: table.at(rows[k], column), format_of), terms)


@dataclass(slots=True, eq=False)
class ScoreColumn:
    """The scores of a list that count, from one column or added up from several.

    Attributes
    ----------
    rows, cells
        (K,) rows of the table, and addresses of the scores.
    numbers, plain, half_widths
        (K,) as in `ScoreValues`.
    objects, assessors
        Labels, in order of first appearance.
    object_index, assessor_index
        (K,) which of them each score belongs to.
    """

    rows: Sequence[int]
    cells: Sequence[str]
    numbers: Array
    plain: Mask
    half_widths: Array
    objects: list[str]
    object_index: Indices
    assessors: list[str]
    assessor_index: Indices

    @property
    def pairs(self) -> Indices:
        """(K,) numbers of the pairs of object and assessor."""
        return self.object_index * len(self.assessors) + self.assessor_index

    @property
    def repeats(self) -> list[int]:
        """Entries whose object and assessor stood together before."""
        order = self.by_pair
        return np.sort(order[1:][np.diff(self.pairs[order]) == 0]).tolist()

    @property
    def by_pair(self) -> Indices:
        """(K,) the entries, those of a pair together, in the order of `pairs`."""
        order = by_number(self.assessor_index, len(self.assessors))
        return order[by_number(self.object_index[order], len(self.objects))]

    def labels(self, chosen: Indices | None = None) -> tuple[list[str], list[str]]:
        """Object and assessor of every entry, or of the chosen ones."""
        things, assessors = self.object_index, self.assessor_index
        if chosen is not None:
            things, assessors = things[chosen], assessors[chosen]
        return [self.objects[k] for k in things.tolist()], [self.assessors[k] for k in assessors.tolist()]

    def first_rows(self, index: Indices) -> list[int]:
        """Row in which each label stands first; `index` is that of the objects or of the assessors."""
        # Labels are numbered as they appear, so a new one stands where the highest number so far rises.
        highest = np.maximum.accumulate(index)
        return [self.rows[k] for k in np.flatnonzero(np.diff(highest, prepend=-1)).tolist()]


def counting_scores(found: LongList, rows: Sequence[int], column: int, values: ScoreValues) -> ScoreColumn:
    """Take the scores that are numbers, with their labels; `rows` are those that were read."""
    table, kept = found.table, np.flatnonzero(~np.isnan(values.numbers))
    kept_rows = rows if len(kept) == len(rows) else [rows[k] for k in kept.tolist()]
    return ScoreColumn(
        kept_rows,
        table.cells_of(kept_rows, column),
        values.numbers[kept],
        values.plain[kept],
        values.half_widths[kept],
        *table.labels(kept_rows, found.object_column),
        *table.labels(kept_rows, found.assessor_column),
    )


def checked_scores(scores: ScoreColumn, table: Table, terms: Terms) -> list[Decision]:
    """Check the scores against the scale, and ask which end of it is best where that is open."""
    cells = scores.cells
    decisions = check_scale(
        scores.numbers, lambda k: cells[k], terms.sheet, terms.score, terms.settings, terms.problems
    )
    by_assessor = lines_of_list(scores.numbers, scores.assessor_index, len(scores.assessors))
    if not ask_about_zeros(int((scores.numbers == 0).sum()), table, terms.score, terms.settings, terms.problems):
        ask_about_unlikely_zeros(scores.numbers, scores.object_index, scores.assessor_index, terms)
    ask_about_absence(scores.numbers, terms.score, terms.sheet, terms.settings, terms.problems)
    ask_about_direction(by_assessor, table, terms.score, terms.settings, terms.problems)
    spans = [cells[k] for k in np.unique(scores.assessor_index, return_index=True)[1].tolist()]
    return [*decisions, *warn_of_half_used(by_assessor, scores.assessors, spans, terms)]


def weigh_labels(found: LongList, scores: ScoreColumn, terms: Terms) -> None:
    """Ask about labels that may be no assessors, or no objects, going by their numbers."""
    for labels, index, other, j in (
        (scores.assessors, scores.assessor_index, scores.object_index, found.assessor_column),
        (scores.objects, scores.object_index, scores.assessor_index, found.object_column),
    ):
        firsts = found.table.cells_of(scores.first_rows(index), j)
        given = LabelledScores(scores.numbers, index, other, labels, firsts)
        ask_about_labels(given, terms, assessors=j == found.assessor_column)
    if found.unread:
        names = dict(zip(scores.rows, map(scores.objects.__getitem__, scores.object_index.tolist()), strict=True))
        ask_about_namesakes(found.table, found.row, names, found.object_column, found.unread, terms)


def settled_repeats(
    columns: Sequence[ScoreColumn],
    terms: Terms,
    exclusions: Exclusions,
    confidences: Array | None = None,
    more: Sequence[Answer] = (),
) -> tuple[list[Indices], list[Decision]]:
    """Choose which scores count where an assessor has several for the same object, as the settings say, or ask.

    Parameters
    ----------
    confidences
        (K,) those of a single column; means are taken of them too.
    more
        Further answers to what the repeated ones are.

    Returns
    -------
    chosen, decisions
        Entries of each column that count, in order.
    """
    chosen = [np.arange(len(scores.rows)) for scores in columns]
    repeats = [scores.repeats for scores in columns]
    treatment = terms.settings.repeated
    if not any(repeats):
        return chosen, []
    if treatment == "stop":
        first = next(k for k, found in enumerate(repeats) if found)
        _ask_about_repeats(columns[first], repeats[first], terms, more)
        return chosen, []
    again = f"The same {terms.assessor} and {terms.thing} again: "
    if treatment == "keep both":
        cells = [scores.cells[k] for scores, found in zip(columns, repeats, strict=True) for k in found]
        kind = About.REPEATED_PAIR_KEEP_BOTH
        return chosen, [Decision(kind, tuple(cells), f"{again}both are kept.", "warning", terms.sheet)]
    dropped: set[int] = set()
    for q, scores in enumerate(columns):
        chosen[q], out = _resolved(scores, confidences, treatment)
        dropped |= {scores.rows[k] for k in out}
    used = "the mean is used." if treatment == "average" else "the last row is used."
    exclusions.leave_out_rows(sorted(dropped), About(f"repeated pair: {treatment}"), again + used, "warning")
    return chosen, []


def _ask_about_repeats(scores: ScoreColumn, repeats: Sequence[int], terms: Terms, more: Sequence[Answer]) -> None:
    """Ask what to do with assessments whose object and assessor stood together before."""
    cells = [scores.cells[k] for k in repeats]
    things, assessors = scores.labels(np.array(repeats, dtype=np.intp))
    pairs = listed(
        list(dict.fromkeys(f'"{thing}, {assessor}"' for thing, assessor in zip(things, assessors, strict=True)))
    )
    verb = "repeats an" if len(cells) == 1 else "repeat"
    sentence = f"{where(terms.sheet, cells)} {verb} earlier {terms.assessor} for the same {terms.thing} ({pairs})."
    answers = [
        Answer({"repeated": "average"}, "use their mean"),
        Answer({"repeated": "last"}, "use the last row of each, the one furthest down"),
        Answer({"repeated": "keep both"}, "count each of them"),
        *more,
    ]
    if terms.settings.method == "ordinal":
        answers = answers[1:]  # a mean of two levels is no level
    terms.problems.ask(terms.sheet, sentence, answers, cells)


def _resolved(scores: ScoreColumn, confidences: Array | None, treatment: str) -> tuple[Indices, list[int]]:
    """Choose one entry for each pair, changing the scores and the confidences where entries are averaged."""
    order = scores.by_pair
    groups = np.split(order, np.flatnonzero(np.diff(scores.pairs[order])) + 1)
    chosen: list[int] = []
    dropped: list[int] = []
    for entries in sorted((group.tolist() for group in groups), key=itemgetter(0)):
        keep = entries[-1] if treatment == "last" else entries[0]
        if treatment == "average" and len(entries) > 1:
            scores.numbers[keep] = scores.numbers[entries].mean()
            scores.plain[keep] = False
            if confidences is not None:
                confidences[keep] = confidences[entries].mean()
        chosen.append(keep)
        dropped += [k for k in entries if k != keep]
    return np.array(chosen, dtype=np.intp), sorted(dropped)
