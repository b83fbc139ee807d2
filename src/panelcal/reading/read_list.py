"""Turn a long list of scores into assessments: labels, numbers, repeated pairs, every cell accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.errors import Answer
from panelcal.panel import Panel
from panelcal.reading.assessments import Assessments
from panelcal.reading.better_end import ask_about_direction
from panelcal.reading.cell_values import label_text
from panelcal.reading.confidence_sources import Confidences, ConfidenceSource, chosen_confidences, source_from_column
from panelcal.reading.confidences import DeclaredCells, confidences_from_spreads
from panelcal.reading.decisions import Decision
from panelcal.reading.exclusions import Exclusions
from panelcal.reading.fingerprint import CellBlock, coded
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.headings import is_statistic
from panelcal.reading.label_checks import near_matches, people_note, refuse_names_nothing_has
from panelcal.reading.list_scores import scores_of_rows
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import nouns_for, plural, with_article
from panelcal.reading.patterns import any_matches
from panelcal.reading.plausibility.labels import ask_about_labels
from panelcal.reading.plausibility.lines import lines_of_list
from panelcal.reading.problems import Problems, listed, where
from panelcal.reading.read_matrix import BlockFinder, refuse_label
from panelcal.reading.reading import Nouns
from panelcal.reading.score_checks import check_scale
from panelcal.reading.score_values import ScoreValues
from panelcal.reading.settings import NO_CONFIDENCES, Settings

_LABELS = frozenset({str, int, float})
_NUMBERS = frozenset({int, float})


@dataclass(slots=True)
class _Rows:
    """Rows of a list by what they are."""

    scores: list[int] = field(default_factory=list)
    unscored: list[int] = field(default_factory=list)
    statistics: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    bridged: list[int] = field(default_factory=list)


def read_list(
    found: LongList, settings: Settings, find_blocks: BlockFinder, titles: Sequence[Any], problems: Problems
) -> Assessments | None:
    """Read a long list of scores.

    Parameters
    ----------
    find_blocks
        Looks for confidences on other sheets.
    titles
        Texts around the list; unused words of the trade are taken from the headings.
    problems
        Receives everything that stops the reading; None is returned when there is something.
    """
    if found.questions:
        problems.questions += found.questions
        return None
    table, sheet = found.table, found.table.grid.sheet
    score_heading = found.heading(found.score_column)
    nouns = nouns_for(
        settings,
        found.heading(found.object_column),
        [found.heading(found.assessor_column)],
        [score_heading, *titles],
        "",
    )
    exclusions = Exclusions(table)
    _refuse_unknown_names(found, settings, problems)
    rows = _sort_rows(found, settings, nouns, problems)
    if not rows.scores:
        problems.say(
            sheet, f"Sheet {sheet} has headings for a list of {plural(nouns.score)}, but no row with one below them."
        )
        return None
    _leave_out(found, rows, nouns, settings, exclusions)
    column = found.score_column
    values = scores_of_rows(found, rows.scores, settings, plural(nouns.score, 1), problems)
    decisions = list(values.decisions)
    score = plural(nouns.score, 1)
    decisions += check_scale(
        values.numbers, lambda k: table.at(rows.scores[k], column), sheet, score, settings, problems
    )
    decisions += _hidden_note(found, rows, settings)
    kept = np.flatnonzero(~np.isnan(values.numbers))
    kept_rows = rows.scores if len(kept) == len(rows.scores) else [rows.scores[k] for k in kept.tolist()]
    cells = table.cells_of(kept_rows, column)
    if not kept_rows:
        if not problems:
            problems.say(
                sheet, f"Sheet {sheet} has no {plural(nouns.score)} that count: type some, or change the codes."
            )
        return None
    object_labels, object_index = table.labels(kept_rows, found.object_column)
    assessor_labels, assessor_index = table.labels(kept_rows, found.assessor_column)
    by_assessor = lines_of_list(values.numbers[kept], assessor_index, len(assessor_labels))
    ask_about_direction(by_assessor, table, score, settings, problems)
    objects = [object_labels[k] for k in object_index.tolist()]
    assessors = [assessor_labels[k] for k in assessor_index.tolist()]
    pair = object_index * len(assessor_labels) + assessor_index
    confidences = _confidences(
        found, values, kept, kept_rows, objects, assessors, cells, settings, find_blocks, problems
    )
    for labels, index, other, j, noun in (
        (assessor_labels, assessor_index, object_index, found.assessor_column, nouns.assessor),
        (object_labels, object_index, assessor_index, found.object_column, nouns.object),
    ):
        firsts = [table.at(kept_rows[k], j) for k in np.unique(index, return_index=True)[1].tolist()]
        ask_about_labels(
            values.numbers[kept], index, other, labels, firsts, noun, sheet, settings, problems,
            assessors=noun is nouns.assessor,
        )  # fmt: skip
    repeats = _repeats(pair)
    if repeats and settings.repeated == "stop":
        _ask_about_repeats([(cells[k], objects[k], assessors[k]) for k in repeats], nouns, sheet, problems)
    if problems:
        return None
    numbers, plain = values.numbers[kept], values.plain[kept]
    chosen = np.arange(len(kept))
    if repeats and settings.repeated in ("average", "last"):
        chosen, dropped = _resolved(pair, numbers, plain, confidences, settings.repeated)
        exclusions.leave_out_rows(
            [kept_rows[k] for k in dropped],
            f"repeated pair: {settings.repeated}",
            f"The same {plural(nouns.assessor, 1)} and {plural(nouns.object, 1)} again: "
            + ("the mean is used." if settings.repeated == "average" else "the lowest row is used."),
            "warning",
        )
    elif repeats:
        sentence = f"The same {plural(nouns.assessor, 1)} and {plural(nouns.object, 1)} again: both are kept."
        decisions.append(
            Decision("repeated pair: keep both", tuple(cells[k] for k in repeats), sentence, "warning", sheet)
        )
    if len(chosen) < len(kept):
        objects, assessors = [objects[k] for k in chosen.tolist()], [assessors[k] for k in chosen.tolist()]
    weights = None if confidences.numbers is None else confidences.numbers[chosen]
    panel = Panel.from_records(objects, assessors, numbers[chosen], weights)
    object_rows = _first_rows(object_labels, object_index, kept_rows)
    assessor_rows = _first_rows(assessor_labels, assessor_index, kept_rows)
    object_cells = {label: table.at(i, found.object_column) for label, i in object_rows.items()}
    assessor_cells = {label: table.at(i, found.assessor_column) for label, i in assessor_rows.items()}
    taken = np.array(kept_rows, dtype=np.intp)[chosen]
    coded_rows = [rows.scores[k] for entries in values.excluded.values() for k in entries]
    ends = [group[end] for group in (rows.scores, rows.unscored) if group for end in (0, -1)]
    first, last = min(ends), max(ends)
    cells_found, left_out = exclusions.account_column(first, last, column, (taken, coded_rows))
    objects_at = table.span((first, found.object_column), (last, found.object_column))
    assessors_at = table.span((first, found.assessor_column), (last, found.assessor_column))
    decisions += [*left_out, *confidences.decisions]
    decisions += near_matches(object_cells, sheet, plural(nouns.object))
    decisions += near_matches(assessor_cells, sheet, plural(nouns.assessor))
    decisions += people_note(panel.objects, objects_at, sheet, plural(nouns.object, 1))
    read_rows = [*kept_rows, *coded_rows]
    read_columns = (found.object_column, found.assessor_column, *(found.score_columns or (column,)))
    read = [
        CellBlock(
            sheet,
            np.array([table.rows[i] for i in group], dtype=np.intp),
            tuple((columns[j], *coded(table.column(group, j))) for j in read_columns),
        )
        for group, columns in table.column_groups(read_rows)
    ]
    return Assessments(
        panel=panel,
        nouns=replace(nouns, confidence=confidences.heading),
        summary=f"{panel.n_objects} {plural(nouns.object, panel.n_objects)} in {objects_at} and "
        f"{panel.n_assessors} {plural(nouns.assessor, panel.n_assessors)} in {assessors_at}",
        score_block=table.span((first, column), (last, column)),
        score_cells=cells if len(chosen) == len(kept) else table.cells_of(taken.tolist(), column),
        plain_scores=plain[chosen],
        object_cells=tuple(object_cells[label] for label in panel.objects),
        assessor_cells=tuple(assessor_cells[label] for label in panel.assessors),
        object_names=()
        if found.name_column is None
        else tuple(table.label(object_rows[label], found.name_column) for label in panel.objects),
        declared=tuple([confidences.declared[k] for k in chosen.tolist()]) if confidences.declared else (),
        cells_found=cells_found,
        confidence_block=confidences.block,
        decisions=decisions,
        cells_read=list(confidences.cells_read),
        blocks_read=(*read, *confidences.blocks_read),
    )


def _sort_rows(found: LongList, settings: Settings, nouns: Nouns, problems: Problems) -> _Rows:
    table = found.table
    rows = _Rows()
    score_columns = found.score_columns or (found.score_column,)
    body = sorted({found.object_column, found.assessor_column, *score_columns})
    named_out = _rows_by_name(found, settings)
    for span in table.merges_within(range(found.row + 1, table.n_rows), body):
        problems.add(
            table.grid.sheet,
            "{where} [is|are] merged: unmerge [it|them] and write the value in every row it belongs to.",
            span,
        )
    head = tuple(table.cells[found.row][j] for j in body)
    exclude_hidden = settings.hidden == "exclude" and bool(table.grid.hidden_rows)
    after_gap = False
    following = found.row + 1
    unusual = set(_unusual_rows(found, exclude_hidden).tolist()) | named_out
    for i in [*sorted(unusual), table.n_rows]:
        if after_gap and following < i:
            rows.bridged.append(following)
            after_gap = False
        rows.scores.extend(range(following, i))
        following = i + 1
        if i == table.n_rows:
            break
        row = table.cells[i]
        thing, assessor = row[found.object_column], row[found.assessor_column]
        score = next((row[j] for j in score_columns if row[j] is not None), None)
        after_gap = after_gap or (table.gap_before(i) and bool(rows.scores))
        if exclude_hidden and table.is_hidden_row(i):
            rows.hidden.append(i)
        elif i in named_out:
            rows.excluded.append(i)
        elif isinstance(score, str) and tuple(row[j] for j in body) == head:
            rows.repeated.append(i)
        elif thing is not None and assessor is not None:
            _refuse_error_labels(found, i, nouns, problems)
            (rows.unscored if score is None else rows.scores).append(i)
            if after_gap and score is not None:
                rows.bridged.append(i)
                after_gap = False
        elif any(isinstance(value, str) and is_statistic(value) for value in row):
            rows.statistics.append(i)
        elif score is None or (isinstance(score, str) and thing is None and assessor is None):
            rows.notes.append(i)
        else:
            missing, at = (
                (nouns.object, found.object_column) if thing is None else (nouns.assessor, found.assessor_column)
            )
            problems.add(
                table.grid.sheet,
                f"{{where}} [is|are] blank beside {with_article(nouns.score)}: write the {plural(missing, 1)} "
                f"there, or clear "
                f"the {plural(nouns.score, 1)}.",
                table.at(i, at),
            )
    return rows


def _refuse_unknown_names(found: LongList, settings: Settings, problems: Problems) -> None:
    if not (settings.exclude or settings.include):
        return
    table = found.table
    heads = [(value, table.at(found.row, j)) for j, value in enumerate(table.cells[found.row]) if value is not None]
    body = [
        (table.cells[i][j], table.at(i, j))
        for j in (found.object_column, found.assessor_column)
        for i in range(found.row + 1, table.n_rows)
        if table.cells[i][j] is not None
    ]
    seen: dict[Any, str] = {}
    for value, cell in (*heads, *body):
        seen.setdefault(value, cell)
    refuse_names_nothing_has(list(seen), list(seen.values()), table.grid.sheet, settings, problems)


def _rows_by_name(found: LongList, settings: Settings) -> set[int]:
    """Find the rows whose object or assessor is to be left out."""
    if not settings.exclude:
        return set()
    table, out = found.table, set()
    for j in (found.object_column, found.assessor_column):
        for i in range(found.row + 1, table.n_rows):
            value = table.cells[i][j]
            if value is not None and any_matches(settings.exclude, value) and not any_matches(settings.include, value):
                out.add(i)
    return out


def _unusual_rows(found: LongList, exclude_hidden: bool) -> NDArray[np.intp]:
    """Find the rows that need a look of their own: all but those with two labels and a number, right below another."""
    table, first = found.table, found.row + 1
    unusual = np.zeros(table.n_rows - first, dtype=np.bool_)
    labels = (found.object_column, _LABELS), (found.assessor_column, _LABELS)
    for j, expected in (*labels, *((j, _NUMBERS) for j in found.score_columns or (found.score_column,))):
        types = [type(row[j]) for row in table.cells[first:]]
        if not set(types) <= expected:
            unusual |= ~np.fromiter(map(expected.__contains__, types), np.bool_, len(types))
    places = np.array(table.rows[found.row :], dtype=np.intp)
    unusual |= np.diff(places) > 1
    if exclude_hidden:
        unusual |= np.isin(places[1:], list(table.grid.hidden_rows))
    return first + np.flatnonzero(unusual)


def _refuse_error_labels(found: LongList, i: int, nouns: Nouns, problems: Problems) -> None:
    for j, noun in ((found.object_column, nouns.object), (found.assessor_column, nouns.assessor)):
        value = found.table.cells[i][j]
        if isinstance(value, CellError | Uncalculated):
            refuse_label(found.table, i, j, value, noun, problems)


def _leave_out(found: LongList, rows: _Rows, nouns: Nouns, settings: Settings, exclusions: Exclusions) -> None:
    table = found.table
    unread = [j for j in found.unread if any(table.cells[i][j] is not None for i in rows.scores[:50])]
    names = listed([label_text(found.heading(j)) or "no heading" for j in unread])
    exclusions.leave_out_columns(unread, rows.scores, "column not read", f"Columns not read: {names}.")
    sentence = f"Left out by name: {listed([_label_of(found, i, settings) for i in rows.excluded])}."
    exclusions.leave_out_rows(rows.excluded, "left out by name", sentence)
    exclusions.leave_out_rows(rows.statistics, "statistics row", "Not read, going by the label.")
    exclusions.leave_out_rows(rows.repeated, "repeated headings", "The headings appear again here; not read as scores.")
    exclusions.leave_out_rows(rows.notes, "note", f"No {plural(nouns.score, 1)} of anybody; not read.")
    sentence = f"No {plural(nouns.score, 1)} in these rows: not assessed."
    exclusions.leave_out_rows(rows.unscored, "not assessed", sentence)
    sentence = f"Left out, as the sheet Settings says: {len(rows.hidden)} hidden rows."
    exclusions.leave_out_rows(rows.hidden, "hidden excluded", sentence, "warning")
    if rows.bridged:
        cells = tuple(table.row_span(i) for i in rows.bridged)
        sentence = f"Blank rows end before {listed(cells)}, where the list goes on; read as one list."
        exclusions.drafts.append(("blank rows bridged", sentence, cells, "warning"))


def _label_of(found: LongList, i: int, settings: Settings) -> str:
    labels = [label_text(found.table.cells[i][j]) for j in (found.object_column, found.assessor_column)]
    return next((label for label in labels if any_matches(settings.exclude, label)), labels[0])


def _hidden_note(found: LongList, rows: _Rows, settings: Settings) -> list[Decision]:
    table = found.table
    if settings.hidden == "exclude" or not table.grid.hidden_rows:
        return []
    hidden = [i for i in rows.scores if table.is_hidden_row(i)]
    if not hidden:
        return []
    cells = tuple(table.at(i, found.score_column) for i in hidden)
    count = f"{len(hidden)} {plural('hidden row', len(hidden))} (or filtered away)"
    sentence = f"{count} were read like any other; the sheet Settings can exclude them."
    return [Decision("hidden included", cells, sentence, "warning", table.grid.sheet)]


def _repeats(pair: NDArray[np.intp]) -> list[int]:
    """Entries whose object and assessor stood together before; `pair` (K,) numbers the pairs."""
    order = np.argsort(pair, kind="stable")
    return np.sort(order[1:][np.diff(pair[order]) == 0]).tolist()


def _ask_about_repeats(repeats: Sequence[tuple[str, str, str]], nouns: Nouns, sheet: str, problems: Problems) -> None:
    """Ask what to do with assessments whose object and assessor stood together before."""
    assessor, thing = plural(nouns.assessor, 1), plural(nouns.object, 1)
    cells = [cell for cell, _, _ in repeats]
    pairs = listed(list(dict.fromkeys(f'"{thing}, {assessor}"' for _, thing, assessor in repeats)))
    verb = "repeats an" if len(cells) == 1 else "repeat"
    sentence = f"{where(sheet, cells)} {verb} earlier {assessor} for the same {thing} ({pairs})."
    answers = [
        Answer({"repeated": "average"}, "use their mean"),
        Answer({"repeated": "last"}, "use the lowest row of each"),
        Answer({"repeated": "keep both"}, "count each of them"),
    ]
    problems.ask(sheet, sentence, answers, cells)


def _resolved(
    pair: NDArray[np.intp],
    numbers: NDArray[np.float64],
    plain: NDArray[np.bool_],
    confidences: Confidences,
    treatment: str,
) -> tuple[NDArray[np.intp], list[int]]:
    """Choose one entry for each pair, changing `numbers`, `plain` and the confidences where entries are averaged."""
    order = np.argsort(pair, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(pair[order])) + 1)
    chosen: list[int] = []
    dropped: list[int] = []
    for entries in sorted((group.tolist() for group in groups), key=itemgetter(0)):
        keep = entries[-1] if treatment == "last" else entries[0]
        if treatment == "average" and len(entries) > 1:
            numbers[keep] = numbers[entries].mean()
            plain[keep] = False
            if confidences.numbers is not None:
                confidences.numbers[keep] = confidences.numbers[entries].mean()
        chosen.append(keep)
        dropped += [k for k in entries if k != keep]
    return np.array(chosen, dtype=np.intp), sorted(dropped)


def _first_rows(labels: Sequence[str], index: NDArray[np.intp], rows: Sequence[int]) -> dict[str, int]:
    """Return the row in which each label stands first; `index` (K,) numbers the labels in order of appearance."""
    first = np.unique(index, return_index=True)[1]
    return {label: rows[k] for label, k in zip(labels, first.tolist(), strict=True)}


def _confidences(
    found: LongList,
    values: ScoreValues,
    kept: NDArray[np.intp],
    rows: Sequence[int],
    objects: Sequence[str],
    assessors: Sequence[str],
    cells: Sequence[str],
    settings: Settings,
    find_blocks: BlockFinder,
    problems: Problems,
) -> Confidences:
    sources: list[ConfidenceSource] = []
    column = found.confidence_column
    if column is not None:
        heading = label_text(found.heading(column))
        sources.append(source_from_column(found.table, rows, column, cells, found.confidence_role, heading))
    if settings.confidence_column.casefold() == NO_CONFIDENCES:
        return Confidences(None)
    spellings = {label: label for label in dict.fromkeys(assessors)}
    sources += find_blocks(list(zip(objects, assessors, strict=True)), cells, spellings, problems)
    if values.spread_form:
        texts = tuple(label_text(found.table.cells[i][found.score_column]) for i in rows)
        if not sources:
            half_widths = values.half_widths[kept]
            usable = np.where(half_widths > 0, half_widths, 1.0)
            return Confidences(confidences_from_spreads(usable, settings), texts, "Confidence")
        written = DeclaredCells(texts, tuple(cells), tuple(cells), found.table.grid.sheet)
        sources.append(ConfidenceSource(written, np.arange(len(cells)), "the score cells", cells[0]))
    return chosen_confidences(sources, found.table.grid.sheet, settings, problems)
