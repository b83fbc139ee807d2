"""Find a long list of ratings: a row per assessment, a column per feature, perhaps one with categories of prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import (
    ASSESSOR_WORDS,
    OBJECT_WORDS,
    Role,
    is_statistic,
    noun_of,
    words_of,
)
from panelcal.reading.list_columns import (
    ColumnChoice,
    headed_columns,
    holds_numbers,
    identifying_column,
    pointed_columns,
    repeats,
)
from panelcal.reading.long_list import LongList
from panelcal.reading.patterns import did_you_mean
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_SEARCHED = 100
_CATEGORY_WORDS = frozenset(("category", "prize", "award", "competition"))
_CATEGORY_FILLERS = frozenset(("of", "the", "for", "class", "group", "type")) | OBJECT_WORDS


def find_rating_list(table: Table, settings: Settings) -> LongList | None:
    """Find the headings of a list of ratings; None when the sheet is not one.

    Raises
    ------
    InputRefused
        If it is one, but several columns could be the object, the assessor or the category, two features have the same
        heading, or a feature of the Settings sheet is missing.
    """
    if settings.layout in ("objects down", "objects across"):
        return None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        row = table.cells[i]
        if sum(isinstance(value, str) for value in row) < 3:
            continue
        roles: dict[Role, list[int]] = {}
        for j in headed_columns(table, i, settings):
            roles.setdefault(role_in(settings, row[j]), []).append(j)
        if (found := _list_at(table, i, roles, settings)) is not None:
            return found
    return None


def is_category(heading: object) -> bool:
    """Tell whether a heading, as a whole, announces categories of prizes."""
    words = words_of(heading)
    return any(word in _CATEGORY_WORDS for word in words) and all(
        word in _CATEGORY_WORDS or word in _CATEGORY_FILLERS for word in words
    )


def _list_at(table: Table, i: int, roles: dict[Role, list[int]], settings: Settings) -> LongList | None:
    heads = {j: label_text(value) for j, value in enumerate(table.cells[i]) if isinstance(value, str)}
    categories = [j for j in heads if is_category(heads[j])]
    objects = [j for j in roles.get(Role.OBJECT, []) if j not in categories]
    assessors = list(roles.get(Role.ASSESSOR, []))
    if not objects and assessors and (roles.get(Role.IDENTIFIER) or roles.get(Role.NAME)):
        objects = roles.get(Role.IDENTIFIER, []) or roles.get(Role.NAME, [])
    pointed = pointed_columns(table, i, replace(settings, score_column="", criteria={}, scores=()))
    if pointed is None:
        return None
    objects, assessors = pointed.get("objects", objects), pointed.get("assessors", assessors)
    if not objects or not assessors:
        return None
    aside = {*pointed.get("objects", ()), *pointed.get("assessors", ())}
    roles = {role: [j for j in columns if j not in aside] for role, columns in roles.items()}
    if settings.criteria_together:
        objects = _without_criteria(table, i, objects, roles, settings)
    features = _features(table, i, roles, categories, settings)
    if not features:
        return None
    if not settings.feature_weights and not roles.get(Role.SCORE) and len(features) > 1:
        # Without any word for a rating, headings over numbers could be assessors; a list names objects repeatedly.
        if not repeats(table, i, objects[0]):
            return None
    names = list(roles.get(Role.NAME, [])) if objects != roles.get(Role.NAME) else []
    choice = ColumnChoice(table, i)
    object_column, others = identifying_column(choice, objects, "objects", settings)
    assessor_column, _ = identifying_column(choice, assessors, "assessors", settings)
    _refuse_same_headings(table, i, features)
    if len(categories) > 1:
        headings = [f"{heads[j]} in {table.at(i, j)}" for j in categories]
        raise InputRefused(
            f"On sheet {table.grid.sheet} several columns could hold the categories of prizes ({listed(headings)}): "
            "keep one of them under such a heading.",
            [sheet_reference(table.grid.sheet, table.at(i, j)) for j in categories],
        )
    names = [j for j in names if noun_of(heads[j], ASSESSOR_WORDS) == ""] + others
    confidences = tuple(roles.get(Role.WEIGHT, []) + roles.get(Role.DEVIATION, []))
    used = {object_column, assessor_column, *features, *categories, *names[:1], *confidences}
    return LongList(
        table=table,
        row=i,
        object_column=object_column,
        assessor_column=assessor_column,
        score_columns=features,
        name_column=names[0] if names else None,
        confidence_column=None,
        confidence_role=Role.WEIGHT,
        category_column=categories[0] if categories else None,
        unused=confidences,
        unread=tuple(j for j in range(table.n_columns) if j not in used),
        questions=tuple(choice.questions),
    )


def _features(
    table: Table, i: int, roles: dict[Role, list[int]], categories: Sequence[int], settings: Settings
) -> tuple[int, ...]:
    """Return the columns of ratings: those that Settings names, else every column of numbers that is nothing else."""
    if settings.feature_weights:
        place = {label_text(value).casefold(): j for j, value in enumerate(table.cells[i]) if isinstance(value, str)}
        missing = [name for name in settings.feature_weights if name.casefold() not in place]
        if missing:
            what = "criterion" if settings.criteria_named else "feature"
            hint = did_you_mean(missing[0], table.cells[i])
            raise InputRefused(
                f"Row {table.place(i, 0)[0]} on sheet {table.grid.sheet} has no heading for the {what} "
                f"{listed(missing)} of the settings: spell both alike{hint or '.'}"
            )
        return tuple(place[name.casefold()] for name in settings.feature_weights)
    return tuple(
        sorted(
            j
            for role in (Role.OTHER, Role.SCORE)
            for j in roles.get(role, [])
            if j not in categories
            and (role is Role.SCORE or not is_statistic(table.cells[i][j]))
            and holds_numbers(table, i, j)
        )
    )


def _without_criteria(
    table: Table, i: int, objects: Sequence[int], roles: dict[Role, list[int]], settings: Settings
) -> list[int]:
    """Give columns of numbers that are headed like what is assessed (Presentation) to the criteria, if one is left."""
    named = {name.casefold() for name in settings.criteria_named}

    def is_criterion(j: int) -> bool:
        head = label_text(table.cells[i][j]).casefold()
        return head in named or (not named and holds_numbers(table, i, j))

    left = [j for j in objects if not is_criterion(j)]
    if not left or len(left) == len(objects):
        return list(objects)
    roles[Role.OBJECT] = left
    roles[Role.OTHER] = sorted([*roles.get(Role.OTHER, []), *(j for j in objects if is_criterion(j))])
    return left


def _refuse_same_headings(table: Table, i: int, features: Sequence[int]) -> None:
    seen: dict[str, int] = {}
    for j in features:
        heading = label_text(table.cells[i][j]).casefold()
        if heading in seen:
            cells = [table.at(i, seen[heading]), table.at(i, j)]
            raise InputRefused(
                f"On sheet {table.grid.sheet} two columns of ratings have the same heading ({listed(cells)}): give "
                "each feature its own.",
                [sheet_reference(table.grid.sheet, cell) for cell in cells],
            )
        seen[heading] = j
