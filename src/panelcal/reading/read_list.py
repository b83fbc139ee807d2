"""Turn a long list of scores into a panel: labels, numbers, repeated pairs, every cell accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.panel import Panel, panel_of_numbered
from panelcal.reading.cell_values import label_text
from panelcal.reading.coded_columns import as_indices
from panelcal.reading.confidence_sources import (
    BlockFinder,
    Confidences,
    ConfidenceSource,
    chosen_confidences,
    source_from_column,
)
from panelcal.reading.confidences import DeclaredCells
from panelcal.reading.criterion_rows import criteria_in_list
from panelcal.reading.decisions import Decision
from panelcal.reading.fingerprint import CellBlock, CellsRead
from panelcal.reading.label_checks import notes_about_labels, say_no_scores
from panelcal.reading.list_criteria import criteria_of_list, require_criteria
from panelcal.reading.list_maxima import settled_maxima
from panelcal.reading.list_rows import ListRows, hidden_note, left_out, refuse_unknown_names, require_room, sort_rows
from panelcal.reading.list_scores import (
    ScoreColumn,
    checked_scores,
    counting_scores,
    settled_repeats,
    summed_scores,
    weigh_labels,
)
from panelcal.reading.list_states import ask_about_states
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import nouns_for, plural
from panelcal.reading.reading import Reading
from panelcal.reading.settings import NO_CONFIDENCES
from panelcal.reading.terms import Terms


def read_list(
    found: LongList, terms: Terms, find_blocks: BlockFinder, titles: Sequence[Any]
) -> tuple[Reading, CellsRead] | None:
    """Read a long list of scores.

    Parameters
    ----------
    find_blocks
        Looks for confidences on other sheets.
    titles
        Texts around the list; unused words of the trade are taken from the headings.

    Returns
    -------
    reading, cells_read
        None when there are problems.
    """
    sorted_rows = rows_of(found, terms, titles)
    if sorted_rows is None:
        return None
    terms, rows = sorted_rows
    table, column, problems = found.table, found.score_column, terms.problems
    exclusions = left_out(found, rows, terms)
    require_criteria(found, terms)
    values = summed_scores(found, rows.scores, terms)
    settled_maxima(found, rows.scores, values, terms)
    scores = counting_scores(found, rows.scores, column, values)
    decisions = [
        *found.decisions,
        *values.decisions,
        *checked_scores(scores, table, terms),
        *hidden_note(found, rows, terms),
    ]
    if not scores.rows:
        say_no_scores(terms)
        return None
    confidences = _confidences(found, scores, values.spread_form, terms, find_blocks)
    weigh_labels(found, scores, terms)
    ask_about_states(found, scores.rows, terms)
    criteria_there = criteria_in_list(found, terms.settings, by_numbers=True) if scores.repeats else None
    more = () if criteria_there is None else criteria_there.answers()
    (chosen,), repeated = settled_repeats([scores], terms, exclusions, confidences.numbers, more)
    if problems:
        return None
    panel = _panel(scores, chosen, None if confidences.numbers is None else confidences.numbers[chosen])
    criteria = criteria_of_list(found, scores, values, chosen, panel, terms)
    taken = as_indices(scores.rows)[chosen]
    coded_rows = [rows.scores[k] for entries in values.excluded.values() for k in entries]
    cells_found, excluded = exclusions.account_columns(*rows.ends, {column: (taken, coded_rows)})
    labels = label_cells(found, rows.ends, [scores])
    decisions += [*repeated, *excluded, *confidences.decisions, *labels.notes(terms)]
    read_columns = (found.object_column, found.assessor_column, *found.score_columns)
    return Reading(
        panel=panel,
        settings=terms.settings,
        nouns=replace(terms.nouns, confidence=confidences.heading),
        source_name="",
        sheet=terms.sheet,
        summary=f"{labels.objects_in_words(terms)} and {labels.assessors_in_words(terms)}",
        score_block=table.span((rows.ends[0], column), (rows.ends[1], column)),
        score_cells=scores.cells if len(chosen) == len(scores.rows) else table.cells_of(taken.tolist(), column),
        plain_scores=scores.plain[chosen],
        object_cells=tuple(labels.objects[label] for label in panel.objects),
        assessor_cells=tuple(labels.assessors[label] for label in panel.assessors),
        object_names=tuple(labels.names[label] for label in panel.objects) if labels.names else (),
        declared=tuple([confidences.declared[k] for k in chosen.tolist()]) if confidences.declared else (),
        cells_found=cells_found,
        confidence_block=confidences.block,
        barred=frozenset(
            (table.label(i, found.object_column), table.label(i, found.assessor_column)) for i in coded_rows
        ),
        criteria=criteria,
        decisions=tuple(decisions),
    ), CellsRead(
        list(confidences.cells_read),
        [*_blocks_read(found, scores.rows, coded_rows, read_columns), *confidences.blocks_read],
    )


def _panel(scores: ScoreColumn, chosen: Indices, weights: Array | None) -> Panel:
    """Make the panel of the chosen scores, (K,) and with a weight each, or of equal weights."""
    if len(chosen) == len(scores.rows):
        numbered = (tuple(scores.objects), scores.object_index), (tuple(scores.assessors), scores.assessor_index)
        return panel_of_numbered(*numbered, scores.numbers, weights)
    return Panel.from_records(*scores.labels(chosen), scores.numbers[chosen], weights)


def rows_of(found: LongList, terms: Terms, titles: Sequence[Any]) -> tuple[Terms, ListRows] | None:
    """Find the words of the trade and sort the rows; None where nothing can be read."""
    problems = terms.problems
    if found.questions:
        problems.questions += found.questions
        return None
    thing, assessor, score = (
        found.heading(j) for j in (found.object_column, found.assessor_column, found.score_column)
    )
    nouns = nouns_for(terms.settings, thing, [assessor], [score, *titles], terms.nouns)
    terms = replace(terms, nouns=nouns)
    require_room(found, terms)
    refuse_unknown_names(found, terms)
    rows = sort_rows(found, terms)
    if not rows.scores and problems.questions:
        return None
    if not rows.scores:
        scores_word = plural(nouns.score)
        sentence = f"Sheet {terms.sheet} has headings for a list of {scores_word}, but no row with one below them."
        problems.say(terms.sheet, sentence)
        return None
    return terms, rows


@dataclass(frozen=True, slots=True, eq=False)
class LabelCells:
    """Where the labels of a list stand first: label -> address, and what objects are called beside their ids.

    `objects_at` and `assessors_at` are the ranges that all of them stand in.
    """

    objects: dict[str, str]
    assessors: dict[str, str]
    names: dict[str, str]
    objects_at: str
    assessors_at: str

    def objects_in_words(self, terms: Terms) -> str:
        """How many there are and where: "82 students in A5:A86"."""
        return f"{len(self.objects)} {plural(terms.nouns.object, len(self.objects))} in {self.objects_at}"

    def assessors_in_words(self, terms: Terms) -> str:
        """Say the same of the assessors."""
        return f"{len(self.assessors)} {plural(terms.nouns.assessor, len(self.assessors))} in {self.assessors_at}"

    def notes(self, terms: Terms) -> list[Decision]:
        """Say what is worth a look with the labels."""
        return notes_about_labels(self.objects, self.assessors, self.objects_at, terms)


def label_cells(found: LongList, ends: tuple[int, int], columns: Sequence[ScoreColumn]) -> LabelCells:
    """Find where each label stands first, over all columns of scores; `ends` are the first and the last row."""
    table, (first, last) = found.table, ends
    things: dict[str, int] = {}
    assessors: dict[str, int] = {}
    for scores in columns:
        for rows, labels, index in (
            (things, scores.objects, scores.object_index),
            (assessors, scores.assessors, scores.assessor_index),
        ):
            firsts = zip(labels, scores.first_rows(index), strict=True)
            if not rows:  # and of a single column these are all, from the top
                rows.update(firsts)
                continue
            for label, i in firsts:
                if rows.setdefault(label, i) > i:
                    rows[label] = i
    if len(columns) > 1:
        things, assessors = (dict(sorted(rows.items(), key=itemgetter(1))) for rows in (things, assessors))
    return LabelCells(
        dict(zip(things, table.cells_of(list(things.values()), found.object_column)[:], strict=True)),
        dict(zip(assessors, table.cells_of(list(assessors.values()), found.assessor_column)[:], strict=True)),
        {} if found.name_column is None else {label: table.label(i, found.name_column) for label, i in things.items()},
        table.span((first, found.object_column), (last, found.object_column)),
        table.span((first, found.assessor_column), (last, found.assessor_column)),
    )


def _blocks_read(
    found: LongList, scored: Sequence[int], with_codes: Sequence[int], columns: Sequence[int]
) -> list[CellBlock]:
    table, rows = found.table, [*scored, *with_codes] if with_codes else scored
    return [CellBlock(table.grid.sheet, places, held) for places, held in table.cell_groups(rows, columns)]


def _confidences(
    found: LongList, scores: ScoreColumn, spread_form: str, terms: Terms, find_blocks: BlockFinder
) -> Confidences:
    """Find the confidences, wherever they are written."""
    sources: list[ConfidenceSource] = []
    column, table = found.confidence_column, found.table
    if terms.settings.confidence_column.casefold() == NO_CONFIDENCES:
        return Confidences(None)
    if column is not None:
        heading = label_text(found.heading(column))
        sources.append(source_from_column(table, scores.rows, column, found.confidence_role, heading))
    spellings = {label: label for label in scores.assessors}
    sources += find_blocks(lambda: list(zip(*scores.labels(), strict=True)), spellings, terms.problems)
    written = None
    if spread_form:
        texts = tuple(label_text(table.cells[i][found.score_column]) for i in scores.rows)
        written = DeclaredCells(texts, scores.cells, terms.sheet)
    return chosen_confidences(sources, written, scores.half_widths, terms)
