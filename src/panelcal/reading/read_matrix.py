"""Turn a matrix of scores into assessments: labels, numbers, totals, duplicates, every cell accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.panel import Panel
from panelcal.panel_size import require_rows
from panelcal.reading.assessments import Assessments
from panelcal.reading.better_end import ask_about_direction
from panelcal.reading.cell_values import label_text
from panelcal.reading.confidence_sources import (
    Confidences,
    ConfidenceSource,
    chosen_confidences,
    source_from_cells,
    source_from_row,
)
from panelcal.reading.confidences import DeclaredCells, confidences_from_spreads
from panelcal.reading.decisions import Decision
from panelcal.reading.exclusions import Exclusions, rectangle
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, statistic_kind
from panelcal.reading.label_checks import near_matches, people_note
from panelcal.reading.matrix import Matrix
from panelcal.reading.matrix_block import Block, without_duplicates, without_empty
from panelcal.reading.matrix_columns import (
    leave_out_by_heading,
    refuse_by_layout,
    refuse_unknown_names,
    weigh_direction,
)
from panelcal.reading.nouns import nouns_for, plural
from panelcal.reading.plausibility.doubts import doubts_about_columns, doubts_about_rows
from panelcal.reading.plausibility.gate import Axis, ask_about, called_so, numbers_at, weigh_columns, weigh_rows
from panelcal.reading.plausibility.lines import lines_of_columns
from panelcal.reading.plausibility.maxima import maxima_in_headings
from panelcal.reading.problems import Problems
from panelcal.reading.reading import Nouns
from panelcal.reading.score_checks import check_scale
from panelcal.reading.score_values import ScoreValues, read_scores
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table

BlockFinder = Callable[[Sequence[tuple[str, str]], Sequence[str], Mapping[str, str], Problems], list[ConfidenceSource]]
"""(pairs, score cells, spellings of assessors, problems) -> confidences found elsewhere by name."""


def read_matrix(
    matrix: Matrix, settings: Settings, find_blocks: BlockFinder, titles: Sequence[Any], problems: Problems
) -> Assessments | None:
    """Read a matrix of scores.

    Parameters
    ----------
    find_blocks
        Looks for confidences on other sheets or blocks.
    titles
        Texts around the block that may name what is assessed.
    problems
        Receives everything that stops the reading; None is returned when there is something.
    """
    table, sheet = matrix.table, matrix.table.grid.sheet
    heading = _weights_heading(matrix, settings)
    nouns = nouns_for(settings, matrix.corner, titles, titles, heading)
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
    hidden = _hidden(table, rows, columns, settings, exclusions)
    if settings.hidden == "exclude":
        rows, columns = (
            [i for i in rows if not table.is_hidden_row(i)],
            [j for j in columns if not table.is_hidden_column(j)],
        )
    require_rows(len(rows), plural(nouns.object, 2))
    if not rows or not columns:
        problems.say(
            sheet, f"Every {plural(nouns.score, 1)} on sheet {sheet} is hidden: unhide some, or include hidden cells."
        )
        return None
    ids = {i: table.label(i, matrix.labels.identifier) for i in rows}
    names = {j: _heading_text(matrix, j) for j in columns}
    _refuse_labels(matrix, rows, columns, nouns, problems)
    values, entries = _read_values(table, rows, columns, settings, nouns, problems)
    coded = [entries[k] for found in values.excluded.values() for k in found]
    decisions += hidden + values.decisions
    shape = (len(rows), len(columns))
    block = Block(
        rows, columns, values.numbers.reshape(shape), values.plain.reshape(shape), values.half_widths.reshape(shape)
    )
    across, down = Axis(table, True, nouns.assessor, rows), Axis(table, False, nouns.object, columns)
    highest = np.max(block.numbers, axis=0, initial=-np.inf, where=~np.isnan(block.numbers))
    doubts = doubts_about_columns(block.numbers, _maxima(matrix, columns, highest))
    ask_about(doubts, names, block.numbers, across, settings, problems)
    ask_about(doubts_about_rows(block.numbers), ids, block.numbers.T, down, settings, problems)
    decisions += called_so(named_columns.called_so, across, names) + called_so(named_rows.called_so, down, ids)
    block = without_duplicates(table, block, ids, names, nouns, exclusions, problems)
    flat = block.numbers.ravel()
    width = len(block.columns)
    decisions += check_scale(
        flat,
        lambda k: table.at(block.rows[k // width], block.columns[k % width]),
        sheet,
        plural(nouns.score, 1),
        settings,
        problems,
    )
    ask_about_direction(lines_of_columns(block.numbers), table, plural(nouns.score, 1), settings, problems)
    block = without_empty(table, block, exclusions, nouns)
    if not block.rows or not block.columns:
        if not problems:
            problems.say(
                sheet, f"Sheet {sheet} has no {plural(nouns.score)} that count: type some, or change the codes."
            )
        return None
    at = [tuple(map(int, place)) for place in zip(*np.nonzero(~np.isnan(block.numbers)), strict=True)]
    places = [(block.rows[r], block.columns[c]) for r, c in at]
    cells = tuple(table.at(i, j) for i, j in places)
    pairs = [(ids[i], names[j]) for i, j in places]
    confidences = _confidences(matrix, block, values, places, cells, names, pairs, settings, find_blocks, problems)
    if problems:
        return None
    dense = None
    if confidences.numbers is not None:
        dense = np.ones(block.numbers.shape)
        dense[tuple(np.array(at).T)] = confidences.numbers
    objects, assessors = [ids[i] for i in block.rows], [names[j] for j in block.columns]
    panel = Panel.from_matrix(block.numbers, dense, objects=objects, assessors=assessors)
    found, left_out = exclusions.account(*candidates, set(places), coded)
    head, identifier, name = matrix.headings.row, matrix.labels.identifier, matrix.labels.name
    object_cells = tuple(table.at(i, identifier) for i in block.rows)
    assessor_cells = tuple(table.at(head, j) for j in block.columns)
    ids_at = table.span((candidates[0][0], identifier), (candidates[0][-1], identifier))
    headings_at = table.span((head, matrix.assessors[0]), (head, matrix.assessors[-1]))
    decisions += [*left_out, *confidences.decisions]
    decisions += near_matches(dict(zip(objects, object_cells, strict=True)), sheet, plural(nouns.object))
    decisions += near_matches(dict(zip(assessors, assessor_cells, strict=True)), sheet, plural(nouns.assessor))
    decisions += people_note(objects, ids_at, sheet, plural(nouns.object, 1))
    read = [(sheet, table.at(i, identifier), table.cells[i][identifier]) for i in block.rows]
    read += [(sheet, table.at(head, j), matrix.headings.headings[j]) for j in block.columns]
    read += [(sheet, table.at(i, j), table.cells[i][j]) for i, j in [*places, *coded]]
    return Assessments(
        panel=panel,
        nouns=replace(nouns, confidence=confidences.heading),
        summary=f"{panel.n_objects} {plural(nouns.object, panel.n_objects)} in {ids_at} and "
        f"{panel.n_assessors} {plural(nouns.assessor, panel.n_assessors)} in {headings_at}",
        score_block=rectangle(table, *candidates),
        score_cells=cells,
        plain_scores=np.array([block.plain[place] for place in at]),
        object_cells=object_cells,
        assessor_cells=assessor_cells,
        object_names=() if name is None else tuple(table.label(i, name) for i in block.rows),
        declared=confidences.declared,
        cells_found=found,
        confidence_block=confidences.block,
        decisions=decisions,
        cells_read=[*read, *confidences.cells_read],
    )


def _maxima(matrix: Matrix, columns: Sequence[int], reached: NDArray[np.float64]) -> NDArray[np.float64]:
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


def _refuse_labels(
    matrix: Matrix, rows: Sequence[int], columns: Sequence[int], nouns: Nouns, problems: Problems
) -> None:
    table, identifier, head = matrix.table, matrix.labels.identifier, matrix.headings.row
    for i, j, value, noun in [
        *((i, identifier, table.cells[i][identifier], nouns.object) for i in rows),
        *((head, j, matrix.headings.headings[j], nouns.assessor) for j in columns),
    ]:
        if isinstance(value, CellError | Uncalculated):
            refuse_label(table, i, j, value, noun, problems)


def refuse_label(table: Table, i: int, j: int, value: Any, noun: str, problems: Problems) -> None:
    """Note that a name is an error value or a formula without a stored result."""
    what = f"the error {value.code}" if isinstance(value, CellError) else "a formula whose result was never stored"
    todo = (
        "type the name" if isinstance(value, CellError) else "let your spreadsheet program calculate and save the file"
    )
    problems.add(
        table.grid.sheet,
        f"{{where}} [holds|hold] {what} where the name of {plural(noun, 1)} is expected: {todo}.",
        table.at(i, j),
    )


def _hidden(
    table: Table, rows: Sequence[int], columns: Sequence[int], settings: Settings, exclusions: Exclusions
) -> list[Decision]:
    """Warn of hidden rows and columns, or leave them out."""
    hidden_rows = [i for i in rows if table.is_hidden_row(i)]
    hidden_columns = [j for j in columns if table.is_hidden_column(j)]
    words = ("column", "row") if table.across else ("row", "column")
    spelled = [
        f"{len(lines)} hidden {plural(word, len(lines))}"
        for lines, word in zip((hidden_rows, hidden_columns), words, strict=True)
        if lines
    ]
    if not spelled:
        return []
    what = " and ".join(spelled)
    if settings.hidden == "exclude":
        sentence = f"Left out, as the sheet Settings says: {what}."
        exclusions.leave_out_rows(hidden_rows, "hidden excluded", sentence, "warning")
        exclusions.leave_out_columns(hidden_columns, rows, "hidden excluded", sentence, "warning")
        return []
    cells = tuple(table.row_span(i) for i in hidden_rows) + tuple(
        table.span((rows[0], j), (rows[-1], j)) for j in hidden_columns
    )
    sentence = f"Read like any other: {what} (or filtered away); the sheet Settings can exclude them."
    return [Decision("hidden included", cells, sentence, "warning", table.grid.sheet)]


def _read_values(
    table: Table, rows: Sequence[int], columns: Sequence[int], settings: Settings, nouns: Nouns, problems: Problems
) -> tuple[ScoreValues, list[tuple[int, int]]]:
    entries = [(i, j) for i in rows for j in columns]
    format_of = (lambda k: table.number_format(*entries[k])) if table.grid.number_formats else None
    values = read_scores(
        [table.cells[i][j] for i, j in entries],
        lambda k: table.at(*entries[k]),
        format_of,
        table.grid.sheet,
        settings,
        plural(nouns.score, 1),
        problems,
    )
    return values, entries


def _confidences(
    matrix: Matrix,
    block: Block,
    values: ScoreValues,
    places: Sequence[tuple[int, int]],
    cells: Sequence[str],
    names: Mapping[int, str],
    pairs: Sequence[tuple[str, str]],
    settings: Settings,
    find_blocks: BlockFinder,
    problems: Problems,
) -> Confidences:
    """Find the confidences, wherever they are written."""
    table = matrix.table
    column_at = {j: k for k, j in enumerate(block.columns)}
    by_assessor = np.array([column_at[j] for _, j in places], dtype=np.intp)
    sources: list[ConfidenceSource] = []
    if settings.confidence_column.casefold() == NO_CONFIDENCES:
        return Confidences(None)
    for row in (matrix.headings.weights, matrix.rows.weights):
        if row is not None:
            labels = [names[j] for j in block.columns]
            sources.append(source_from_row(table, row, matrix.labels.all, block.columns, labels, settings, by_assessor))
    if matrix.paired:
        beside = [(i, matrix.paired[j]) for i, j in places]
        role = role_in(settings, matrix.headings.lower[beside[0][1]])
        sources.append(source_from_cells(table, beside, cells, role, label_text(matrix.headings.lower[beside[0][1]])))
    spellings = {names[j]: names[j] for j in block.columns}
    lower = [label_text(matrix.headings.lower[j]) for j in block.columns]
    often = Counter(lower)
    spellings |= {text: names[j] for text, j in zip(lower, block.columns, strict=True) if text and often[text] == 1}
    sources += find_blocks(pairs, cells, spellings, problems)
    if values.spread_form:
        written = DeclaredCells(
            tuple(table.cells[i][j] for i, j in places), tuple(cells), tuple(cells), table.grid.sheet
        )
        if not sources:
            rows = np.searchsorted(block.rows, [i for i, _ in places])
            half_widths = block.half_widths[rows, by_assessor]
            usable = np.where(half_widths > 0, half_widths, 1.0)
            texts = tuple(label_text(value) for value in written.values)
            return Confidences(confidences_from_spreads(usable, settings), texts, "Confidence")
        sources.append(ConfidenceSource(written, np.arange(len(cells)), "the score cells", cells[0]))
    return chosen_confidences(sources, table.grid.sheet, settings, problems)
