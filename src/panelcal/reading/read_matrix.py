"""Turn a matrix of scores into a panel: labels, numbers, totals, duplicates, every cell accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.panel import Panel
from panelcal.panel_size import require_rows
from panelcal.reading.absence_codes import ask_about_absence, ask_about_unlikely_zeros
from panelcal.reading.better_end import ask_about_direction
from panelcal.reading.cell_values import label_text
from panelcal.reading.confidence_sources import (
    BlockFinder,
    Confidences,
    ConfidenceSource,
    announced_by,
    chosen_confidences,
    source_from_cells,
    source_from_row,
)
from panelcal.reading.confidences import DeclaredCells
from panelcal.reading.decisions import About, Decision
from panelcal.reading.exclusions import Exclusions, rectangle
from panelcal.reading.fingerprint import CellsRead
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, statistic_kind, words_of
from panelcal.reading.hidden_lines import read_although_hidden
from panelcal.reading.keys import ask_about_zeros
from panelcal.reading.label_checks import notes_about_labels, refuse_label, say_no_scores
from panelcal.reading.matrix import Matrix
from panelcal.reading.matrix_block import Block, without_duplicates, without_empty
from panelcal.reading.matrix_columns import (
    leave_out_by_heading,
    refuse_by_layout,
    refuse_unknown_names,
    weigh_direction,
)
from panelcal.reading.nouns import nouns_for, plural
from panelcal.reading.plausibility.copies import rescaled_lines
from panelcal.reading.plausibility.doubts import doubts_about_columns, doubts_about_rows
from panelcal.reading.plausibility.gate import (
    Axis,
    ask_about,
    ask_about_parts,
    ask_about_versions,
    called_so,
    numbers_at,
    warn_of_half_used,
    weigh_columns,
    weigh_rows,
)
from panelcal.reading.plausibility.lines import Doubt, lines_of_columns
from panelcal.reading.plausibility.maxima import are_declared, maxima_in_headings
from panelcal.reading.plausibility.odd_names import nouns_among_names, odd_columns_doubted, odd_rows_doubted
from panelcal.reading.plausibility.siblings import with_siblings
from panelcal.reading.plausibility.subtotals import said_subtotals
from panelcal.reading.reading import Reading
from panelcal.reading.score_checks import check_scale
from panelcal.reading.score_values import ScoreValues, read_scores
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table, cells_at
from panelcal.reading.terms import Terms
from panelcal.reading.twins import told_apart
from panelcal.reading.vocabulary import STATISTICS
from panelcal.reading.weights_row import ask_about_weights, rows_not_used

_MOST_COMPARED = 500_000
_WHOLES = STATISTICS["mean"] | STATISTICS["sum"]
_FEWEST_SURE = 3  # columns that nothing is said against: rows are looked at in these alone

Place = tuple[int, int]


@dataclass(slots=True, eq=False)
class _Lines:
    """The rows and columns of a matrix that may hold scores.

    Attributes
    ----------
    matrix, exclusions, decisions
        The matrix, what of it was left out so far, and what was decided.
    ids, names
        Rows of objects and columns of assessors -> their labels.
    rows, columns
        All that could have been, hidden ones and confidences beside the scores included: the block of scores.
    called_so
        Decisions about rows and columns that have the name of a statistic and are none.
    """

    matrix: Matrix
    exclusions: Exclusions
    decisions: list[Decision]
    ids: dict[int, str]
    names: dict[int, str]
    rows: list[int]
    columns: list[int]
    called_so: list[Decision]


@dataclass(slots=True, eq=False)
class _Scores:
    """The scores of a matrix that count.

    Attributes
    ----------
    block, values
        The numbers by row and column, and how they were read.
    at, places, cells
        (N,) where each score is in the block, in the table, and on the sheet.
    coded
        Places of the cells with codes.
    """

    block: Block
    values: ScoreValues
    at: list[Place]
    places: list[Place]
    cells: tuple[str, ...]
    coded: list[Place]


def read_matrix(
    matrix: Matrix, terms: Terms, find_blocks: BlockFinder, titles: Sequence[Any]
) -> tuple[Reading, CellsRead] | None:
    """Read a matrix of scores.

    Parameters
    ----------
    find_blocks
        Looks for confidences on other sheets or blocks.
    titles
        Texts around the block that may name what is assessed.

    Returns
    -------
    reading, cells_read
        None when there are problems.
    """
    defaults = replace(terms.nouns, confidence=_weights_heading(matrix, terms.settings))
    terms = replace(terms, nouns=nouns_for(terms.settings, matrix.corner, titles, titles, defaults))
    lines = _lines_of(matrix, terms)
    scores = None if lines is None else _scores_of(lines, terms)
    if lines is None or scores is None:
        return None
    confidences = _confidences(lines, scores, terms, find_blocks)
    if terms.problems:
        return None
    return _reading(lines, scores, confidences, terms)


def _lines_of(matrix: Matrix, terms: Terms) -> _Lines | None:
    """Choose the rows and columns that may hold scores, each of the others with its reason."""
    table, nouns, settings, problems = matrix.table, terms.nouns, terms.settings, terms.problems
    refuse_by_layout(matrix, nouns, problems)
    refuse_unknown_names(matrix, settings, problems)
    decisions = weigh_direction(matrix, settings, problems)
    exclusions = Exclusions(table)
    named_columns = weigh_columns(matrix, nouns, problems)
    named_rows = weigh_rows(matrix, nouns, problems)
    matrix = matrix.counting(named_rows.called_so, named_columns.called_so)
    leave_out_by_heading(matrix, nouns, exclusions, named_columns, named_rows)
    rows, columns = list(matrix.rows.objects), list(matrix.assessors)
    candidates = rows, sorted({*columns, *matrix.paired.values()})
    decisions += _hidden(matrix, rows, columns, terms, exclusions)
    if settings.hidden == "exclude":
        rows = [i for i in rows if not table.is_hidden_row(i)]
        columns = [j for j in columns if not table.is_hidden_column(j)]
    require_rows(len(rows), plural(nouns.object))
    if not rows or not columns:
        sentence = f"Every {terms.score} on sheet {terms.sheet} is hidden: unhide some, or include hidden cells."
        problems.say(terms.sheet, sentence)
        return None
    labelled, head = matrix.labels.identifier, matrix.headings.row
    ids = told_apart({i: table.label(i, labelled) for i in rows}, {i: table.at(i, labelled) for i in rows}, settings)
    names = {j: _heading_text(matrix, j) for j in columns}
    names = told_apart(names, {j: table.at(head, j) for j in columns}, settings)
    for i in rows:
        refuse_label(table, i, matrix.labels.identifier, nouns.object, problems)
    for j in columns:
        if not isinstance(matrix.headings.headings[j], str):
            refuse_label(table, matrix.headings.row, j, nouns.assessor, problems)
    across, down = Axis(table, True, nouns.assessor, rows), Axis(table, False, nouns.object, columns)
    so = called_so(named_columns.called_so, across, names) + called_so(named_rows.called_so, down, ids)
    return _Lines(matrix, exclusions, decisions, ids, names, *candidates, so)


def _scores_of(lines: _Lines, terms: Terms) -> _Scores | None:
    """Read the numbers, ask about those that may be no scores, and leave out duplicates and what is empty."""
    table, nouns, problems = lines.matrix.table, terms.nouns, terms.problems
    rows, columns = list(lines.ids), list(lines.names)
    entries = [(i, j) for i in rows for j in columns]
    values = _values_of(table, entries, terms)
    block = Block.of(rows, columns, values)
    across, down = Axis(table, True, nouns.assessor, rows), Axis(table, False, nouns.object, columns)
    highest = np.max(block.numbers, axis=0, initial=-np.inf, where=~np.isnan(block.numbers))
    maxima = _maxima(lines.matrix, columns, highest)
    values.decisions += _in_percentages(block, maxima, terms)
    doubts = doubts_about_columns(block.numbers, maxima)
    doubts = (*doubts, *_doubts_by_statistics(lines.matrix, block, doubts))
    filled = (~np.isnan(block.numbers)).mean(axis=0)
    doubts = (*doubts, *nouns_among_names(list(lines.names.values()), filled, doubts))
    doubts = with_siblings((*doubts, *odd_columns_doubted(lines.names, doubts)), list(lines.names.values()))
    ask_about(doubts, lines.names, block.numbers, across, terms.settings, problems)
    ask_about_versions(lines.names, {j: across.span(j) for j in columns}, nouns.assessor, terms)
    for labels, axis in ((lines.names, across), (lines.ids, down)):
        ask_about_parts(labels, axis, terms.settings, problems)
    doubted = {line for doubt in doubts for line in doubt.lines}
    surely = [k for k in range(len(columns)) if k not in doubted]
    below = doubts_about_rows(block.numbers[:, surely] if len(surely) >= _FEWEST_SURE else block.numbers)
    below = (*below, *_subtotals_by_name(lines, block, below))
    ask_about((*below, *odd_rows_doubted(lines.ids, below)), lines.ids, block.numbers.T, down, terms.settings, problems)
    block = without_duplicates(lines.matrix, block, lines.ids, lines.names, lines.exclusions, terms)
    lines.decisions += [*values.decisions, *lines.called_so, *_checked(block, lines.names, table, terms)]
    block = without_empty(block, lines.exclusions, nouns)
    if not block.rows or not block.columns:
        say_no_scores(terms)
        return None
    at: list[Place] = [(int(r), int(c)) for r, c in zip(*np.nonzero(~np.isnan(block.numbers)), strict=True)]
    places = [(block.rows[r], block.columns[c]) for r, c in at]
    cells = tuple(table.at(i, j) for i, j in places)
    coded = [entries[k] for found in values.excluded.values() for k in found]
    return _Scores(block, values, at, places, cells, coded)


def _reading(lines: _Lines, scores: _Scores, confidences: Confidences, terms: Terms) -> tuple[Reading, CellsRead]:
    """Put together what was read."""
    matrix, block = lines.matrix, scores.block
    table, sheet, nouns = matrix.table, terms.sheet, terms.nouns
    head, identifier, name = matrix.headings.row, matrix.labels.identifier, matrix.labels.name
    dense = None
    if confidences.numbers is not None:
        dense = np.ones(block.numbers.shape)
        dense[tuple(np.array(scores.at).T)] = confidences.numbers
    objects, assessors = [lines.ids[i] for i in block.rows], [lines.names[j] for j in block.columns]
    panel = Panel.from_matrix(block.numbers, dense, objects=objects, assessors=assessors)
    found, left_out = lines.exclusions.account(lines.rows, lines.columns, set(scores.places), scores.coded)
    object_cells = tuple(table.at(i, identifier) for i in block.rows)
    assessor_cells = tuple(table.at(head, j) for j in block.columns)
    ids_at = table.span((lines.rows[0], identifier), (lines.rows[-1], identifier))
    headings_at = table.span((head, matrix.assessors[0]), (head, matrix.assessors[-1]))
    things, people = dict(zip(objects, object_cells, strict=True)), dict(zip(assessors, assessor_cells, strict=True))
    notes = notes_about_labels(things, people, ids_at, terms)
    decisions = (*lines.decisions, *left_out, *confidences.decisions, *notes)
    read = [(sheet, table.at(i, identifier), table.cells[i][identifier]) for i in block.rows]
    read += [(sheet, table.at(head, j), matrix.headings.headings[j]) for j in block.columns]
    read += [(sheet, table.at(i, j), table.cells[i][j]) for i, j in [*scores.places, *scores.coded]]
    return Reading(
        panel=panel,
        settings=terms.settings,
        nouns=replace(nouns, confidence=confidences.heading),
        source_name="",
        sheet=sheet,
        summary=f"{panel.n_objects} {plural(nouns.object, panel.n_objects)} in {ids_at} and "
        f"{panel.n_assessors} {plural(nouns.assessor, panel.n_assessors)} in {headings_at}",
        score_block=rectangle(table, lines.rows, lines.columns),
        score_cells=scores.cells,
        plain_scores=np.array([block.plain[place] for place in scores.at]),
        object_cells=object_cells,
        assessor_cells=assessor_cells,
        object_names=() if name is None else tuple(table.label(i, name) for i in block.rows),
        declared=confidences.declared,
        cells_found=found,
        confidence_block=confidences.block,
        barred=frozenset((lines.ids[i], lines.names[j]) for i, j in scores.coded),
        decisions=decisions,
    ), CellsRead([*read, *confidences.cells_read], list(confidences.blocks_read))


def _doubts_by_statistics(matrix: Matrix, block: Block, doubts: Sequence[Doubt]) -> list[Doubt]:
    """Doubt columns that say the same as a total or mean beside them, which is left out, on another scale."""
    beside = numbers_at(matrix.table, block.rows, matrix.statistics)
    beside = beside[:, (~np.isnan(beside)).any(axis=0)]
    if not beside.shape[1] or block.numbers.size > _MOST_COMPARED:
        return []
    width = block.numbers.shape[1]
    doubted = {line for doubt in doubts for line in doubt.lines}
    copies = rescaled_lines(np.hstack([block.numbers, beside]))
    found = {one.of for one in copies if one.of < width <= one.line} - doubted
    return [Doubt(tuple(sorted(found)), "the same as a statistic beside {it} on another scale")] if found else []


def _subtotals_by_name(lines: _Lines, block: Block, doubts: Sequence[Doubt]) -> list[Doubt]:
    """Doubt rows such as "Average heat 1" that are a mean or a sum of rows right above them."""
    doubted = {line for doubt in doubts for line in doubt.lines}
    said = [
        k
        for k, i in enumerate(block.rows)
        if k not in doubted and not _WHOLES.isdisjoint(words_of(lines.ids[i])) and len(words_of(lines.ids[i])) > 1
    ]
    found = said_subtotals(block.numbers.T, said) if said else ()
    return [Doubt((one.line,), f"the {one.what} of some right before {{it}}") for one in found]


def _maxima(matrix: Matrix, columns: Sequence[int], reached: Array) -> Array:
    """(n_columns,) the highest possible score of each column by its heading or by a row of maxima, NaN without one."""
    maxima = maxima_in_headings([matrix.headings.headings[j] for j in columns])
    for i in matrix.rows.statistics:
        kinds = {statistic_kind(matrix.table.cells[i][j]) for j in matrix.labels.all}
        if kinds & {"max", "maximum possible"}:
            written = numbers_at(matrix.table, [i], columns)[0]
            if "max" in kinds and (written <= reached).mean() > 0.5:
                continue  # the highest scores there were, not those there could have been
            maxima = np.where(np.isnan(written), maxima, written)
    return maxima


def _in_percentages(block: Block, maxima: Array, terms: Terms) -> list[Decision]:
    """Bring every score to a percentage of what is possible, where the settings say so and the sheet says how much."""
    if terms.settings.different_maxima != "percentage" or not are_declared(maxima, block.numbers):
        return []
    block.numbers[:] = np.round(100 * block.numbers / maxima, 10)
    block.plain[:] = False
    maxima[:] = 100.0
    sentence = f"Each {terms.score} counts as a percentage of the highest possible one of its column."
    return [Decision(About.PERCENTAGES_OF_MAXIMA, (), sentence, "warning", terms.sheet)]


def _weights_heading(matrix: Matrix, settings: Settings) -> str:
    row = matrix.headings.weights if matrix.headings.weights is not None else matrix.rows.weights
    if row is None:
        return ""
    texts = [matrix.table.cells[row][j] for j in matrix.labels.all]
    return next((label_text(text) for text in texts if role_in(settings, text) is Role.WEIGHT), "")


def _heading_text(matrix: Matrix, j: int) -> str:
    """The assessor's label; with confidences beside the scores, the word for the score is no part of it."""
    heading = label_text(matrix.headings.headings[j], matrix.table.number_format(matrix.headings.row, j))
    lower = label_text(matrix.headings.lower[j])
    suffix = f" - {lower}"
    return heading.removesuffix(suffix) if matrix.paired and heading.endswith(suffix) else heading


def _hidden(
    matrix: Matrix, rows: Sequence[int], columns: Sequence[int], terms: Terms, exclusions: Exclusions
) -> list[Decision]:
    """Warn of hidden rows and columns, or leave them out."""
    table, settings, way = matrix.table, terms.settings, terms.problems.way
    hidden_rows = [i for i in rows if table.is_hidden_row(i)]
    hidden_columns = [j for j in columns if table.is_hidden_column(j)]
    words = ("column", "row") if table.across else ("row", "column")
    if not hidden_rows and not hidden_columns:
        return []
    if settings.hidden == "exclude":
        counts = [
            f"{len(lines)} hidden {plural(word, len(lines))}"
            for lines, word in zip((hidden_rows, hidden_columns), words, strict=True)
            if lines
        ]
        sentence = f"Left out, as the settings say: {' and '.join(counts)}."
        exclusions.leave_out_rows(hidden_rows, About.HIDDEN_EXCLUDED, sentence, "warning")
        exclusions.leave_out_columns(hidden_columns, rows, About.HIDDEN_EXCLUDED, sentence, "warning")
        return []
    cells = tuple(table.row_span(i) for i in hidden_rows) + tuple(
        table.span((rows[0], j), (rows[-1], j)) for j in hidden_columns
    )
    ids = {i: table.label(i, matrix.labels.identifier) for i in hidden_rows}
    names = {j: _heading_text(matrix, j) for j in hidden_columns}
    return [read_although_hidden(table, ids, names, cells, way)]


def _values_of(table: Table, entries: Sequence[Place], terms: Terms) -> ScoreValues:
    return read_scores(cells_at(table, entries), terms)


def _checked(block: Block, names: Mapping[int, str], table: Table, terms: Terms) -> list[Decision]:
    """Check the numbers against the scale, and ask which end of it is best where that is open."""
    flat, width = block.numbers.ravel(), len(block.columns)

    def cell(k: int) -> str:
        return table.at(block.rows[k // width], block.columns[k % width])

    decisions = check_scale(flat, cell, terms.sheet, terms.score, terms.settings, terms.problems)
    if not ask_about_zeros(int((flat == 0).sum()), table, terms.score, terms.settings, terms.problems):
        row, column = np.nonzero(~np.isnan(block.numbers))
        ask_about_unlikely_zeros(block.numbers[row, column], row, column, terms)
    ask_about_absence(flat, terms.score, terms.sheet, terms.settings, terms.problems)
    by_assessor = lines_of_columns(block.numbers)
    ask_about_direction(by_assessor, table, terms.score, terms.settings, terms.problems)
    spans = [table.span((block.rows[0], j), (block.rows[-1], j)) for j in block.columns]
    return [*decisions, *warn_of_half_used(by_assessor, [names[j] for j in block.columns], spans, terms)]


def _confidences(lines: _Lines, scores: _Scores, terms: Terms, find_blocks: BlockFinder) -> Confidences:
    """Find the confidences, wherever they are written."""
    matrix, block, places, settings = lines.matrix, scores.block, scores.places, terms.settings
    table, names = matrix.table, {j: lines.names[j] for j in block.columns}
    if settings.confidence_column.casefold() == NO_CONFIDENCES:
        return Confidences(None, decisions=rows_not_used(matrix, list(names), terms))
    by_assessor = np.array([c for _, c in scores.at], dtype=np.intp)
    sources: list[ConfidenceSource] = []
    for row in (matrix.headings.weights, matrix.rows.weights):
        if row is not None and not ask_about_weights(matrix, row, names, block.numbers, terms):
            announced = announced_by([table.cells[row][j] for j in matrix.labels.all], settings)
            sources.append(source_from_row(table, row, list(names), announced, by_assessor))
    if matrix.paired:
        beside = [(i, matrix.paired[j]) for i, j in places]
        heading = matrix.headings.lower[beside[0][1]]
        sources.append(source_from_cells(table, beside, role_in(settings, heading), label_text(heading)))
    spellings = {name: name for name in names.values()}
    lower = [label_text(matrix.headings.lower[j]) for j in names]
    often = Counter(lower)
    spellings |= {text: name for text, name in zip(lower, names.values(), strict=True) if text and often[text] == 1}
    sources += find_blocks(lambda: [(lines.ids[i], names[j]) for i, j in places], spellings, terms.problems)
    written = None
    if scores.values.spread_form:
        texts = tuple(table.cells[i][j] for i, j in places)
        written = DeclaredCells(texts, scores.cells, terms.sheet)
    half_widths = np.array([block.half_widths[place] for place in scores.at])
    return chosen_confidences(sources, written, half_widths, terms)
