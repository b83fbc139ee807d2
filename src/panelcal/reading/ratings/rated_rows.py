"""Turn a layout of ratings, list or matrix, into one row of numbers per assessment, every cell accounted for.

A list of several features is read feature by feature in the way of any long list, and the rows are put together again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.assessments import Assessments
from panelcal.reading.decisions import CODE_EXCLUDED, Decision
from panelcal.reading.headings import SCORE_WORDS, noun_of
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems, listed
from panelcal.reading.ratings.rating_list import RatingList, is_category
from panelcal.reading.read_list import read_list
from panelcal.reading.read_matrix import read_matrix
from panelcal.reading.reading import Nouns
from panelcal.reading.settings import Settings
from panelcal.reading.totals import total_columns

_RATING = "Rating"
# These are said anew once all features are known.
_SAID_ANEW = ("not assessed", "negative score", "above the scale")
_KEPT_BOTH = "repeated pair: keep both"


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
    nouns, summary, score_block, decisions, cells_found, cells_read
        As in `Assessments`.
    """

    objects: list[str]
    assessors: list[str]
    features: tuple[str, ...]
    numbers: NDArray[np.float64]
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
    cells_read: set[tuple[str, str, Any]]


def rows_of_list(found: RatingList, settings: Settings, titles: Sequence[Any], problems: Problems) -> RatedRows | None:
    """Read a list of ratings of one or several features; None when there are problems."""
    table, sheet = found.table, found.table.grid.sheet
    score_noun = settings.score_noun or next(
        (noun for j in found.features if (noun := noun_of(found.heading(j), SCORE_WORDS))), _RATING
    )
    plain = _without_scale(settings, score_noun)
    problems.questions += found.questions
    parts = {}
    for column in found.features:
        told = Problems()
        part = read_list(found.of_feature(column), plain, _no_blocks, titles, told)
        _tell_once(told, problems)
        if part is not None:
            parts[column] = part
    if problems or not parts:
        return None
    rows = _merged(found, parts)
    _refuse_averages(rows, parts, settings, problems)
    if not settings.feature_weights:
        rows = _without_totals(found, rows)
    rows.decisions += _partly_rated(found, rows)
    rows.decisions += _unused_confidences(found, settings)
    rows.categories, rows.category_heading = _categories_in_list(found, rows, problems)
    if rows.category_heading:
        kinds = dict.fromkeys(rows.categories.values())
        sentence = f"Categories of prizes from {rows.category_heading}: {listed([kind or 'none' for kind in kinds])}."
        at = table.at(found.row, found.category_column or 0)
        rows.decisions.append(Decision("categories", (at,), sentence, sheet=sheet))
    return rows


def rows_of_matrix(layout: Matrix, settings: Settings, titles: Sequence[Any], problems: Problems) -> RatedRows | None:
    """Read a matrix of ratings, objects down and assessors across or the other way round; None on problems."""
    part = read_matrix(layout, _without_scale(settings, settings.score_noun), _no_blocks, titles, problems)
    if part is None:
        return None
    panel = part.panel
    nouns = part.nouns if part.nouns.score != "Score" or settings.score_noun else replace(part.nouns, score=_RATING)
    sheet = layout.table.grid.sheet
    rows = RatedRows(
        objects=[panel.objects[k] for k in panel.object_index],
        assessors=[panel.assessors[k] for k in panel.assessor_index],
        features=(nouns.score,),
        numbers=panel.scores[:, None].copy(),
        cells=[[cell] for cell in part.score_cells],
        object_cells=dict(zip(panel.objects, part.object_cells, strict=True)),
        assessor_cells=dict(zip(panel.assessors, part.assessor_cells, strict=True)),
        object_names=dict(zip(panel.objects, part.object_names, strict=False)),
        categories={},
        category_heading="",
        nouns=nouns,
        summary=part.summary,
        score_block=part.score_block,
        decisions=_joined(part.decisions),
        cells_found=part.cells_found,
        cells_read=set(_cells_read(part)),
    )
    if part.nouns.confidence:
        sentence = f"{part.nouns.confidence} is not used: the method ordinal finds out how each rating is to be taken."
        rows.decisions.append(Decision("confidences not used", (), sentence, "warning", sheet))
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


def _no_blocks(*_: Any) -> list[Any]:
    """Look for no confidences: ratings in levels have none."""
    return []


def _tell_once(told: Problems, problems: Problems) -> None:
    """Add what one feature's reading found wrong, leaving out what an earlier one has said of the same cell."""
    for key, kind in told.kinds.items():
        known = problems.kinds.setdefault(key, kind)
        if known is not kind:
            known.cells += [cell for cell in kind.cells if cell not in known.cells]
            known.values |= kind.values
    answered = [question.answers for question in problems.questions]
    problems.questions += [question for question in told.questions if question.answers not in answered]


def _merged(found: RatingList, parts: dict[int, Assessments]) -> RatedRows:
    """Put the features' readings together by the rows of the sheet."""
    table = found.table
    columns = list(parts)
    rated: dict[int, dict[int, float]] = {}
    for q, (column, part) in enumerate(parts.items()):
        row_of = {table.at(i, column): i for i in range(found.row + 1, table.n_rows)}
        for cell, number in zip(part.score_cells, part.panel.scores.tolist(), strict=True):
            rated.setdefault(row_of[cell], {})[q] = number
    order = sorted(rated)
    numbers = np.array([[rated[i].get(q, np.nan) for q in range(len(columns))] for i in order])
    objects = [table.label(i, found.object_column) for i in order]
    assessors = [table.label(i, found.assessor_column) for i in order]
    first_rows: dict[str, int] = {}
    assessor_cells: dict[str, str] = {}
    for i, label, assessor in zip(order, objects, assessors, strict=True):
        first_rows.setdefault(label, i)
        assessor_cells.setdefault(assessor, table.at(i, found.assessor_column))
    first = next(iter(parts.values()))
    features = tuple(found.heading(j) for j in columns)
    top, bottom = found.row + 1, max(order)
    whole = table.span((min(order), min(columns)), (bottom, max(columns)))
    objects_at = table.span((min(order), found.object_column), (bottom, found.object_column))
    assessors_at = table.span((min(order), found.assessor_column), (bottom, found.assessor_column))
    n, m, q = len(first_rows), len(assessor_cells), len(features)
    summary = (
        f"{n} {plural(first.nouns.object, n)} in {objects_at}, {m} {plural(first.nouns.assessor, m)} in {assessors_at} "
        f"and {q} feature{'s' if q > 1 else ''} ({', '.join(features)}) in {whole}"
    )
    return RatedRows(
        objects=objects,
        assessors=assessors,
        features=features,
        numbers=numbers,
        cells=[[table.at(i, j) if q in rated[i] else "" for q, j in enumerate(columns)] for i in order],
        object_cells={label: table.at(i, found.object_column) for label, i in first_rows.items()},
        assessor_cells=assessor_cells,
        object_names={}
        if found.name_column is None
        else {label: table.label(i, found.name_column) for label, i in first_rows.items()},
        categories={},
        category_heading="",
        nouns=replace(first.nouns, confidence=""),
        summary=summary,
        score_block=table.span((top, min(columns)), (bottom, max(columns))),
        decisions=_joined([decision for part in parts.values() for decision in part.decisions]),
        cells_found=sum(part.cells_found for part in parts.values()),
        cells_read={cell for part in parts.values() for cell in _cells_read(part)},
    )


def _cells_read(part: Assessments) -> list[tuple[str, str, Any]]:
    return [*part.cells_read, *(triple for block in part.blocks_read for triple in block.triples())]


def _joined(decisions: Sequence[Decision]) -> list[Decision]:
    """Put decisions of the same kind and wording together."""
    joined: dict[tuple[str, str], Decision] = {}
    for decision in decisions:
        if decision.kind in _SAID_ANEW:
            continue
        key = decision.kind, decision.found if decision.kind == CODE_EXCLUDED else decision.sentence
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
        if decision.kind == CODE_EXCLUDED
        else decision
        for decision in joined.values()
    ]


def _refuse_averages(rows: RatedRows, parts: dict[int, Assessments], settings: Settings, problems: Problems) -> None:
    if settings.repeated != "average":
        return
    for part in parts.values():
        for decision in part.decisions:
            if decision.kind == _KEPT_BOTH:
                problems.say(
                    decision.sheet,
                    f"On sheet {decision.sheet} the same {plural(rows.nouns.assessor, 1)} rated the same "
                    f"{plural(rows.nouns.object, 1)} twice ({listed(decision.cells)}), and a mean of two levels is no "
                    "level: choose last or keep both for Repeated assessments on the sheet Settings.",
                    decision.cells,
                )


def _without_totals(found: RatingList, rows: RatedRows) -> RatedRows:
    """Leave out a column that is the sum or the mean of the others although its heading does not say so."""
    if len(rows.features) < 3:
        return rows
    totals = total_columns(rows.numbers)
    kept = [q for q in range(len(rows.features)) if q not in totals]
    for q in totals:
        given = [line[q] for line in rows.cells if line[q]]
        sentence = f"{rows.features[q]} is the sum or the mean of the other columns in every row, so it is no feature."
        decision = Decision(
            "total or statistic", (f"{given[0]}:{given[-1]}",), sentence, "warning", found.table.grid.sheet, len(given)
        )
        rows.decisions.append(decision)
    rows.features = tuple(rows.features[q] for q in kept)
    rows.numbers = rows.numbers[:, kept]
    rows.cells = [[line[q] for q in kept] for line in rows.cells]
    return rows


def _partly_rated(found: RatingList, rows: RatedRows) -> list[Decision]:
    missing = np.isnan(rows.numbers)
    cells = tuple(next(cell for cell in rows.cells[k] if cell) for k in np.flatnonzero(missing.any(axis=1)))
    decisions = []
    if cells:
        sentence = (
            f"Not every feature is rated in {len(cells)} row{'s' if len(cells) > 1 else ''}; what is there counts."
        )
        decisions.append(Decision("features not rated", cells, sentence, sheet=found.table.grid.sheet))
    return decisions


def _unused_confidences(found: RatingList, settings: Settings) -> list[Decision]:
    if not found.confidences:
        return []
    cells = tuple(found.table.at(found.row, j) for j in found.confidences)
    headings = listed([found.heading(j) for j in found.confidences])
    sentence = f"{headings} is not used: the method {settings.method} finds out how each rating is to be taken."
    return [Decision("confidences not used", cells, sentence, "warning", found.table.grid.sheet)]


def _categories_in_list(found: RatingList, rows: RatedRows, problems: Problems) -> tuple[dict[str, str], str]:
    column = found.category_column
    if column is None:
        return {}, ""
    table, sheet = found.table, found.table.grid.sheet
    heading = found.heading(column)
    seen: dict[str, tuple[str, str]] = {}
    for i in range(found.row + 1, table.n_rows):
        thing, kind = table.label(i, found.object_column), table.label(i, column)
        if thing not in rows.object_cells or not kind:
            continue
        rows.cells_read.add((sheet, table.at(i, column), table.cells[i][column]))
        known, cell = seen.setdefault(thing, (kind, table.at(i, column)))
        if known.casefold() != kind.casefold():
            problems.add(
                sheet,
                f"{{where}} [gives|give] {with_article(rows.nouns.object)} another {heading.lower()} than an earlier "
                f"row ({{values}}): write the same in every row of {with_article(rows.nouns.object)}.",
                table.at(i, column),
                f"{thing}: {kind} instead of {known} in {cell}",
            )
    return {label: seen.get(label, ("", ""))[0] for label in rows.object_cells}, heading


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
        rows.cells_read.add((table.grid.sheet, table.at(place[cell], column), table.cells[place[cell]][column]))
