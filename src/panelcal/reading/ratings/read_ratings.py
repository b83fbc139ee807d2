"""Read ratings for the method ordinal: choose the sheet, find layout and scale, put every decision on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import InputRefused
from panelcal.ordinal.ratings import Ratings
from panelcal.reading.answers import Way, how_to_set
from panelcal.reading.decisions import about_the_file
from panelcal.reading.grid import Grid, Source
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.nouns import plural
from panelcal.reading.one_spelling import with_one_spelling
from panelcal.reading.problems import Problems, listed
from panelcal.reading.ratings.rated_criteria import criteria_as_features, criteria_below_names, require_criteria
from panelcal.reading.ratings.rated_rows import RatedRows, rows_of_list, rows_of_matrix
from panelcal.reading.ratings.rating_list import find_rating_list
from panelcal.reading.ratings.rating_scale import levels_of, refuse_above
from panelcal.reading.ratings.rating_words import WordsReplaced, replace_words
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.read import formula_decisions, read_panel, titles_of
from panelcal.reading.score_checks import check_links, check_scale
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import Over, as_they_are, scores_sheet, settings_cells, settings_of
from panelcal.reading.table import table_of
from panelcal.reading.terms import Terms

_SUCH_WORDS = {"Poor": 1.0, "Fair": 2.0, "Good": 3.0}


def read_ratings(source: Source, *, sheet: str | None = None, over: Over = as_they_are) -> RatingsReading:
    """Read the ratings in a workbook.

    A long list has a row for each assessment and a column for each feature, and perhaps one with categories of prizes;
    ratings of a single feature may also stand in a matrix.

    Parameters
    ----------
    source
        The workbook as loaded.
    sheet
        The sheet with the ratings; None = the active one if it holds any, else the only one that does.
    over
        Puts what was chosen for this run over the settings of the workbook.

    Raises
    ------
    InputRefused
        If the ratings cannot be read without guessing. The message has one line for each kind of problem.
    """
    on_sheet, settings_decisions, settings_grid = settings_of(source)
    settings = criteria_as_features(over(on_sheet))
    if settings.feature_weights and not any(settings.feature_weights.values()):
        raise InputRefused("No feature counts: give at least one of them a weight above 0.")
    replaced, named = replace_words(with_one_spelling(source, settings), settings), sheet or settings.sheet or None
    layout_of = partial(_layout_of, settings=settings)
    try:
        chosen: tuple[Grid, LongList | Matrix] = scores_sheet(replaced.source, named, None, layout_of)
    except InputRefused as problem:
        if settings.rating_words or settings.grades or settings.feature_weights:
            raise
        _ask_what_words_mean(source, named, over)
        hint = f"If the ratings are words, {how_to_set({'rating_words': _SUCH_WORDS}, source.kind)}, with your words."
        raise InputRefused(f"{problem} {hint}", problem.cells) from None
    grid, layout = chosen
    problems = Problems(way=Way(source.kind, on_sheet, settings_grid))
    terms = Terms(grid.sheet, settings, problems)
    rows = _rows(layout, terms, grid, replaced)
    problems.stop_if_any()
    if rows is None:
        raise InputRefused(f"Sheet {grid.sheet} could not be read.")
    weights = _weights(rows.features, settings)
    require_criteria(rows.features, weights, terms)
    problems.stop_if_any()
    levels, scale_decisions = levels_of(rows.numbers[~np.isnan(rows.numbers)], grid.sheet, settings, source.kind)
    ratings = Ratings.from_records(
        rows.objects,
        rows.assessors,
        [[None if np.isnan(number) else number for number in row] for row in rows.numbers.tolist()],
        levels=levels.tolist(),
        features=rows.features,
    )
    object_cells = tuple(rows.object_cells[label] for label in ratings.objects)
    assessor_cells = tuple(rows.assessor_cells[label] for label in ratings.assessors)
    decisions = [*settings_decisions, *rows.decisions, *scale_decisions]
    decisions += replaced.decisions(grid.sheet, {cell for line in rows.cells for cell in line}, settings)
    decisions += check_links(ratings.panel(), rows.nouns, object_cells, assessor_cells, grid.sheet)
    decisions += formula_decisions(grid, dict.fromkeys(sorted(rows.cells_read.all(), key=lambda cell: cell[:2])))
    decisions += about_the_file(source)
    return RatingsReading(
        ratings=ratings,
        level_values=levels,
        feature_weights=weights,
        categories=tuple(rows.categories.get(label, "") for label in ratings.objects) if rows.category_heading else (),
        category_heading=rows.category_heading,
        settings=settings,
        nouns=rows.nouns,
        source_name=source.name,
        sheet=grid.sheet,
        summary=rows.summary,
        score_block=rows.score_block,
        object_cells=object_cells,
        assessor_cells=assessor_cells,
        object_names=tuple(rows.object_names.get(label, "") for label in ratings.objects) if rows.object_names else (),
        decisions=tuple(decisions),
        cells_found=rows.cells_found,
        barred=rows.barred,
        fingerprint=rows.cells_read.fingerprint(settings_cells(settings_grid)),
        kind=source.kind,
    )


def _ask_what_words_mean(source: Source, sheet: str | None, over: Over) -> None:
    """Refuse a sheet of words with the questions what they mean, where it would be a panel with them."""
    try:
        read_panel(source, sheet=sheet, over=lambda settings: replace(over(settings), method="confidence"))
    except InputRefused as refusal:
        if any("grades" in answer.gives for answer in refusal.answers):
            raise


def _layout_of(grid: Grid, settings: Settings) -> LongList | Matrix | None:
    table = table_of(grid)
    return find_rating_list(table, settings) or find_matrix(table, settings)


def _weights(features: Sequence[str], settings: Settings) -> Array:
    by_name = {name.casefold(): weight for name, weight in settings.feature_weights.items()}
    return np.array([by_name.get(name.casefold(), 1.0) for name in features])


def _rows(layout: LongList | Matrix, terms: Terms, grid: Grid, replaced: WordsReplaced) -> RatedRows | None:
    """Read the rows and check names and numbers; what is wrong is noted as a problem."""
    settings, problems = terms.settings, terms.problems
    if isinstance(layout, LongList):
        rows = rows_of_list(layout, terms, [grid.sheet])
    elif (across := criteria_below_names(layout, settings)) is not None:
        rows = rows_of_list(across[0], terms, [grid.sheet])
        if rows is not None:
            rows.decisions.append(across[1])
    elif len(settings.feature_weights) > 1:
        raise InputRefused(
            f"The settings name {len(settings.feature_weights)} features ({listed(list(settings.feature_weights))}), "
            f"but sheet {grid.sheet} is a table of one rating for each pair: give a list with a column for each "
            "feature, or leave the features out."
        )
    else:
        rows = rows_of_matrix(layout, terms, titles_of(grid, layout))
    if rows is None:
        return None
    labels = {cell: plural(rows.nouns.object, 1) for cell in rows.object_cells.values()}
    labels |= {cell: plural(rows.nouns.assessor, 1) for cell in rows.assessor_cells.values()}
    replaced.refuse_in_labels(grid.sheet, labels, problems)
    given = ~np.isnan(rows.numbers)
    numbers = rows.numbers[given]
    cells = [rows.cells[k][q] for k, q in np.argwhere(given)]
    noun = plural(rows.nouns.score, 1)
    check_scale(numbers, lambda k: cells[k], grid.sheet, noun, settings, problems)
    refuse_above(numbers, cells, grid.sheet, noun, settings, problems)
    return rows
