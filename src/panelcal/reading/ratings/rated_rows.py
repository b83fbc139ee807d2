"""Turn a layout of ratings, list or matrix, into one row of numbers per assessment, every cell accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.reading.answers import how_to_set
from panelcal.reading.cell_values import label_text
from panelcal.reading.confidence_sources import no_blocks
from panelcal.reading.decisions import About, Decision
from panelcal.reading.fingerprint import CellsRead
from panelcal.reading.headings import SCORE_WORDS, noun_of
from panelcal.reading.label_checks import say_no_scores
from panelcal.reading.list_rows import hidden_note, left_out
from panelcal.reading.list_scores import (
    ScoreColumn,
    checked_scores,
    counting_scores,
    scores_in,
    settled_repeats,
    weigh_labels,
)
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import Nouns, counted, with_article
from panelcal.reading.plausibility.recomputed import FEWEST_CELLS, Statistic, bases_of, recomputed_lines, share_met
from panelcal.reading.problems import Problems, listed
from panelcal.reading.ratings.rating_list import is_category
from panelcal.reading.read_list import label_cells, rows_of
from panelcal.reading.read_matrix import read_matrix
from panelcal.reading.settings import Settings
from panelcal.reading.terms import Terms

_RATING = "Rating"
# These are said anew once all features are known.
_SAID_ANEW = (About.NOT_ASSESSED, About.NEGATIVE_SCORE, About.ABOVE_THE_SCALE)
# These are said once of all features whose cells hold the same.
_SAID_ONCE = (
    About.CODE_EXCLUDED,
    About.GRADE_READ_AS_NUMBER,
    About.PERCENTAGES_MULTIPLIED_BY_100,
    About.SCORES_WITH_UNCERTAINTY,
)


@dataclass(slots=True, eq=False)
class RatedRows:
    """Ratings as numbers, one row per assessment.

    Attributes
    ----------
    objects, assessors
        (K,) labels.
    features
        (Q,) headings.
    numbers
        (K, Q), NaN = not rated.
    cells
        (K, Q) addresses of the ratings, "" where there is none.
    object_cells, assessor_cells
        Label -> address of its first appearance, in that order.
    object_names
        Label -> display name; empty where there are none.
    categories, category_heading
        Label of the object -> its category, and what the column is called; empty where there is none.
    nouns, summary, score_block, decisions, cells_found, cells_read, barred
        As for a panel.
    """

    objects: list[str]
    assessors: list[str]
    features: tuple[str, ...]
    numbers: Array
    cells: list[list[str]]
    object_cells: dict[str, str]
    assessor_cells: dict[str, str]
    object_names: dict[str, str]
    categories: dict[str, str]
    category_heading: str
    nouns: Nouns
    summary: str
    score_block: str
    decisions: list[Decision]
    cells_found: int
    cells_read: CellsRead
    barred: frozenset[tuple[str, str]]


def rows_of_list(found: LongList, terms: Terms, titles: Sequence[Any]) -> RatedRows | None:
    """Read a list of ratings of one or several features; None when there are problems."""
    table, settings = found.table, terms.settings
    heads = [label_text(found.heading(j)) for j in found.score_columns]
    score_noun = settings.score_noun or next((noun for head in heads if (noun := noun_of(head, SCORE_WORDS))), _RATING)
    sorted_rows = rows_of(found, replace(terms, settings=_without_scale(settings, score_noun)), titles)
    if sorted_rows is None:
        return None
    plain, rows = sorted_rows
    exclusions = left_out(found, rows, plain)
    read = _features_read(found, rows.scores, plain)
    noted = [*hidden_note(found, rows, plain)]
    chosen, repeated = settled_repeats(list(read.columns), plain, exclusions)
    _ask_once(terms.problems)
    if terms.problems:
        return None
    _refuse_averages(repeated, settings, plain)
    kept = {
        j: np.array(scores.rows)[at] for j, scores, at in zip(found.score_columns, read.columns, chosen, strict=True)
    }
    accounted = {j: (kept[j], coded) for j, coded in zip(found.score_columns, read.coded, strict=True)}
    cells_found, excluded = exclusions.account_columns(*rows.ends, accounted)
    order = sorted({int(i) for taken in kept.values() for i in taken})
    labels = label_cells(found, (order[0], order[-1]), read.columns)
    numbers = _numbers(order, read.columns, chosen)
    features = counted(len(heads), "feature")
    whole = table.span((order[0], min(kept)), (order[-1], max(kept)))
    rated = RatedRows(
        objects=[table.label(i, found.object_column) for i in order],
        assessors=[table.label(i, found.assessor_column) for i in order],
        features=tuple(heads),
        numbers=numbers,
        cells=[
            [table.at(i, j) if given else "" for j, given in zip(kept, line, strict=True)]
            for i, line in zip(order, (~np.isnan(numbers)).tolist(), strict=True)
        ],
        object_cells=labels.objects,
        assessor_cells=labels.assessors,
        object_names=labels.names,
        categories={},
        category_heading="",
        nouns=plain.nouns,
        summary=f"{labels.objects_in_words(plain)}, {labels.assessors_in_words(plain)} and {features} "
        f"({', '.join(heads)}) in {whole}",
        score_block=table.span((found.row + 1, min(kept)), (order[-1], max(kept))),
        decisions=_joined([*read.decisions, *noted, *repeated, *excluded, *labels.notes(plain)]),
        cells_found=cells_found,
        cells_read=_cells_of(found, read),
        barred=frozenset(
            (table.label(i, found.object_column), table.label(i, found.assessor_column))
            for rows_with_codes in read.coded
            for i in rows_with_codes
        ),
    )
    if not settings.feature_weights:
        _leave_out_totals(rated, terms.sheet)
    rated.decisions += [*_partly_rated(rated, terms.sheet), *_unused_confidences(found, settings)]
    _categories_in_list(found, rated, terms.problems)
    return rated


@dataclass(slots=True, eq=False)
class _FeaturesRead:
    """The ratings of each feature, the rows of its cells with codes, and what was decided about them."""

    columns: list[ScoreColumn]
    coded: list[list[int]]
    decisions: list[Decision]


def _features_read(found: LongList, rows: Sequence[int], terms: Terms) -> _FeaturesRead:
    """Read the columns of the features, each by itself."""
    read = _FeaturesRead([], [], [])
    for column in found.score_columns:
        values = scores_in(found.table, rows, column, terms)
        scores = counting_scores(found, rows, column, values)
        read.columns.append(scores)
        read.coded.append([rows[k] for entries in values.excluded.values() for k in entries])
        read.decisions += [*values.decisions, *checked_scores(scores, found.table, terms)]
        if scores.rows:
            weigh_labels(found, scores, terms)
        else:
            say_no_scores(terms)
    return read


def _numbers(order: Sequence[int], columns: Sequence[ScoreColumn], chosen: Sequence[Indices]) -> Array:
    """Put the ratings of all features together by the rows of the table: (K, Q), NaN = not rated."""
    place = {i: k for k, i in enumerate(order)}
    numbers = np.full((len(order), len(columns)), np.nan)
    for q, (scores, at) in enumerate(zip(columns, chosen, strict=True)):
        for k in at.tolist():
            numbers[place[scores.rows[k]], q] = scores.numbers[k]
    return numbers


def _cells_of(found: LongList, read: _FeaturesRead) -> CellsRead:
    """Every cell that was read: the ratings and codes, and the labels beside them."""
    table, places = found.table, set()
    for column, scores, coded in zip(found.score_columns, read.columns, read.coded, strict=True):
        for i in (*scores.rows, *coded):
            places |= {(i, found.object_column), (i, found.assessor_column), (i, column)}
    return CellsRead([(table.grid.sheet, table.at(i, j), table.cells[i][j]) for i, j in sorted(places)])


def rows_of_matrix(layout: Matrix, terms: Terms, titles: Sequence[Any]) -> RatedRows | None:
    """Read a matrix of ratings, objects down and assessors across or the other way round; None on problems."""
    settings = terms.settings
    plain = replace(terms, settings=_without_scale(settings, settings.score_noun), nouns=Nouns(score=_RATING))
    read = read_matrix(layout, plain, no_blocks, titles)
    if read is None:
        return None
    part, cells_read = read
    panel = part.panel
    rows = RatedRows(
        objects=[panel.objects[k] for k in panel.object_index],
        assessors=[panel.assessors[k] for k in panel.assessor_index],
        features=(part.nouns.score,),
        numbers=panel.scores[:, None].copy(),
        cells=[[cell] for cell in part.score_cells],
        object_cells=dict(zip(panel.objects, part.object_cells, strict=True)),
        assessor_cells=dict(zip(panel.assessors, part.assessor_cells, strict=True)),
        object_names=dict(zip(panel.objects, part.object_names, strict=False)),
        categories={},
        category_heading="",
        nouns=replace(part.nouns, confidence=""),
        summary=part.summary,
        score_block=part.score_block,
        decisions=_joined(part.decisions),
        cells_found=part.cells_found,
        cells_read=cells_read,
        barred=part.barred,
    )
    if part.nouns.confidence:
        sentence = f"{part.nouns.confidence} is not used: the method ordinal finds out how each rating is to be taken."
        rows.decisions.append(Decision(About.CONFIDENCES_NOT_USED, (), sentence, "warning", terms.sheet))
    _categories_in_matrix(layout, rows)
    return rows


def _without_scale(settings: Settings, score_noun: str) -> Settings:
    """Settings for reading numbers: the scale is checked afterwards, and 3-4 is no rating but a text to refuse."""
    return replace(
        settings,
        scale_low=None,
        scale_high=None,
        score_noun=score_noun,
        confidence_form="weight",
        repeated="keep both" if settings.repeated == "average" else settings.repeated,
    )


def _ask_once(problems: Problems) -> None:
    """Keep one of the questions that several features raise: the answer is the same for all."""
    asked = list(problems.questions)
    answers = [question.answers for question in asked]
    problems.questions[:] = [question for k, question in enumerate(asked) if answers.index(question.answers) == k]


def _joined(decisions: Sequence[Decision]) -> list[Decision]:
    """Put decisions together that say of several features that their cells hold the same."""
    joined: dict[tuple[About, str, int], Decision] = {}
    for number, decision in enumerate(decisions):
        if decision.kind in _SAID_ANEW:
            continue
        key = decision.kind, decision.found, 0 if decision.kind in _SAID_ONCE else number
        known = joined.get(key)
        joined[key] = (
            decision
            if known is None
            else replace(
                known,
                cells=tuple(dict.fromkeys([*known.cells, *decision.cells])),
                excluded_scores=known.excluded_scores + decision.excluded_scores,
            )
        )
    return [
        replace(decision, sentence=f'"{decision.found}" was taken as not rated: {listed(decision.cells)}.')
        if decision.kind == About.CODE_EXCLUDED
        else decision
        for decision in joined.values()
    ]


def _refuse_averages(repeated: Sequence[Decision], settings: Settings, terms: Terms) -> None:
    """Refuse means of levels; `repeated` says which pairs came twice."""
    if settings.repeated != "average":
        return
    last = how_to_set({"repeated": "last"}, terms.problems.way.kind)
    for decision in repeated:
        terms.problems.say(
            terms.sheet,
            f"On sheet {terms.sheet} the same {terms.assessor} rated the same {terms.thing} twice "
            f"({listed(decision.cells)}), and a mean of two levels is no level: {last}, or keep both.",
            decision.cells,
        )


def _leave_out_totals(rows: RatedRows, sheet: str) -> None:
    """Leave out a column that is the sum or the mean of others in every row although its heading does not say so."""
    totals = _totals(rows.numbers)
    kept = [q for q in range(len(rows.features)) if q not in totals]
    for q, statistic in sorted(totals.items()):
        given = [line[q] for line in rows.cells if line[q]]
        sentence = (
            f"{rows.features[q]} is the {statistic.value} of the other columns in every row, so it is no feature."
        )
        cells = (f"{given[0]}:{given[-1]}",)
        rows.decisions.append(Decision(About.TOTAL_OR_STATISTIC, cells, sentence, "warning", sheet, len(given)))
    rows.features = tuple(rows.features[q] for q in kept)
    rows.numbers = rows.numbers[:, kept]
    rows.cells = [[line[q] for q in kept] for line in rows.cells]


def _totals(numbers: Array) -> dict[int, Statistic]:
    """Find the columns of ratings (K, Q) that are a statistic of others in every row."""
    found = {one.line: one.statistic for one in recomputed_lines(numbers) if one.share == 1}
    if found or numbers.shape[1] < 3:
        return found
    # No feature is the sum of the others by chance, not even in a few rows; features that agree are each other's mean.
    sums = bases_of(numbers)["all"][Statistic.SUM]
    met = [share_met(numbers[:, q], sums[:, q]) for q in range(numbers.shape[1])]
    exact = [q for q, (share, cells) in enumerate(met) if share == 1 and cells >= FEWEST_CELLS]
    return {exact[0]: Statistic.SUM} if len(exact) == 1 else {}


def _partly_rated(rows: RatedRows, sheet: str) -> list[Decision]:
    missing = np.isnan(rows.numbers)
    cells = tuple(next((cell for cell in rows.cells[k] if cell), "") for k in np.flatnonzero(missing.any(axis=1)))
    if not cells:
        return []
    sentence = f"Not every feature is rated in {counted(len(cells), 'row')}; what is there counts."
    return [Decision(About.FEATURES_NOT_RATED, cells, sentence, sheet=sheet)]


def _unused_confidences(found: LongList, settings: Settings) -> list[Decision]:
    if not found.unused:
        return []
    cells = tuple(found.table.at(found.row, j) for j in found.unused)
    headings = listed([label_text(found.heading(j)) for j in found.unused])
    sentence = f"{headings} is not used: the method {settings.method} finds out how each rating is to be taken."
    return [Decision(About.CONFIDENCES_NOT_USED, cells, sentence, "warning", found.table.grid.sheet)]


def _categories_in_list(found: LongList, rows: RatedRows, problems: Problems) -> None:
    """Take the categories from their column; each object must have the same in every row."""
    column = found.category_column
    if column is None:
        return
    table, sheet = found.table, found.table.grid.sheet
    heading = label_text(found.heading(column))
    seen: dict[str, tuple[str, str]] = {}
    for i in range(found.row + 1, table.n_rows):
        thing, kind = table.label(i, found.object_column), table.label(i, column)
        if thing not in rows.object_cells or not kind:
            continue
        rows.cells_read.cells.append((sheet, table.at(i, column), table.cells[i][column]))
        known, cell = seen.setdefault(thing, (kind, table.at(i, column)))
        if known.casefold() != kind.casefold():
            problems.add(
                sheet,
                f"{{where}} [gives|give] {with_article(rows.nouns.object)} another {heading.lower()} than an earlier "
                f"row ({{values}}): write the same in every row of {with_article(rows.nouns.object)}.",
                table.at(i, column),
                f"{thing}: {kind} instead of {known} in {cell}",
            )
    rows.categories = {label: seen.get(label, ("", ""))[0] for label in rows.object_cells}
    rows.category_heading = heading
    kinds = listed([kind or "none" for kind in dict.fromkeys(rows.categories.values())])
    sentence = f"Categories of prizes from {heading}: {kinds}."
    rows.decisions.append(Decision(About.CATEGORIES, (table.at(found.row, column),), sentence, sheet=sheet))


def _categories_in_matrix(layout: Matrix, rows: RatedRows) -> None:
    """Take the categories from a column beside the ids, when its heading announces them."""
    column = next((j for j, heading in enumerate(layout.headings.headings) if is_category(heading)), None)
    if column is None or column in layout.assessors:
        return
    table = layout.table
    place = {table.at(i, layout.labels.identifier): i for i in layout.rows.objects}
    rows.category_heading = str(layout.headings.headings[column])
    for label, cell in rows.object_cells.items():
        rows.categories[label] = table.label(place[cell], column)
        rows.cells_read.cells.append(
            (table.grid.sheet, table.at(place[cell], column), table.cells[place[cell]][column])
        )
