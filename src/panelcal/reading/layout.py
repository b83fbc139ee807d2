"""How the scores lie on a sheet: a known export first, then slots with names, then a list or a matrix by its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.errors import Question
from panelcal.frozen import dataclass
from panelcal.panel_size import CLEARLY_TOO_MANY_ROWS, require_rows
from panelcal.reading.cell_values import by_key
from panelcal.reading.cells_as_said import as_said, with_names_repeated
from panelcal.reading.criteria_across import (
    Groups,
    are_modules,
    criteria_decision,
    criteria_of,
    list_of_criteria,
    parts_decision,
    question_about_criteria,
)
from panelcal.reading.criterion_rows import criteria_in_list, criteria_in_matrix
from panelcal.reading.crossing import question_about_list
from panelcal.reading.decisions import Decision
from panelcal.reading.exports import recognised
from panelcal.reading.full_names import with_full_names
from panelcal.reading.further_tables import further_tables, joined, question_about_tables
from panelcal.reading.grades import words_that_count
from panelcal.reading.grid import Grid
from panelcal.reading.joined_scores import cells_with_several
from panelcal.reading.long_list import LongList, find_list, list_on_its_side
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.named_scores import find_named_scores
from panelcal.reading.settings import Settings
from panelcal.reading.slots import find_slots, question_about_numbers, question_about_slots
from panelcal.reading.table import Table, table_of
from panelcal.reading.unnamed_list import question_about_unnamed_list


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """What was found on a sheet.

    Attributes
    ----------
    layout
        The list or matrix.
    settings
        What the readers go by: the user's settings, and below them what is known about the export.
    decisions
        Which export it is, if it is a known one.
    questions
        What only the user can say.
    misread
        True where reading on would only find fault with what the question is about.
    """

    layout: LongList | Matrix
    settings: Settings
    decisions: tuple[Decision, ...] = ()
    questions: tuple[Question, ...] = ()
    misread: bool = False


def lay_out(grid: Grid, settings: Settings) -> LaidOut | None:
    """Find the list or matrix of scores on a sheet; None when there is none."""
    table = replace(as_said(table_of(grid), settings), grades=frozenset(by_key(settings.grades)))
    table, names = with_full_names(table, settings)
    laid = _laid_out(table, settings)
    if laid is None:
        return None
    if names is not None:
        laid = replace(laid, decisions=(*laid.decisions, names))
    if isinstance(laid.layout, LongList):
        return replace(laid, layout=with_names_repeated(laid.layout, settings))
    return laid


def _laid_out(table: Table, settings: Settings) -> LaidOut | None:
    if settings.several_in_cell == "by name" and (named := find_named_scores(table, settings)):
        as_list, decision = named.as_list()
        return LaidOut(as_list, settings, (decision,))
    if settings.several_in_cell:
        table = replace(table, grades=table.grades | cells_with_several(table))
    export = recognised(table)
    if export is not None:
        known = export.over(settings)
        graded = replace(export.beside(table), grades=frozenset(by_key(known.grades)))
        layout = find_list(graded, known) or find_matrix(graded, known)
        if layout is not None:
            return LaidOut(layout, known, (export.decision(table),))
    if settings.criteria and (chosen := _criteria_in_rows(table, settings)):
        return chosen
    slots = find_slots(table, settings)
    if slots is not None:
        # What stands beside the slots is not read anyway, and no longer there for a pattern to mean.
        return LaidOut(slots[0], replace(settings, exclude=()), (slots[1],))
    layout = find_list(table, settings) or list_on_its_side(table, settings) or _matrix_on(table, settings)
    if layout is None and not settings.several_in_cell and (named := find_named_scores(table, settings)):
        return LaidOut(named.as_list()[0], settings, (), (named.question(),), misread=True)
    words = frozenset() if layout is not None else cells_with_several(table) or _words(table, settings)
    if words:
        # Where no cell is a number, the sheet is laid out as if its words were, and the reader asks what they mean.
        worded = replace(table, grades=words)
        layout = find_list(worded, settings) or find_matrix(worded, settings)
    if layout is None:
        unnamed = question_about_unnamed_list(table, None, settings)
        return unnamed and LaidOut(unnamed[0], settings, (), (unnamed[1],), misread=True)
    if isinstance(layout, LongList):
        question = question_about_numbers(layout, settings)
        criteria = criteria_in_list(layout, settings) if settings.repeated == "stop" and not layout.questions else None
        if criteria is not None:
            return LaidOut(layout, settings, (), (criteria.question(),), misread=True)
        return LaidOut(layout, settings, (), () if question is None else (question,))
    return _of_matrix(layout, table, settings)


def _of_matrix(layout: Matrix, table: Table, settings: Settings) -> LaidOut:
    """Ask what a sheet taken for a matrix leaves open: criteria, whether it is a list, further tables, slots."""
    if groups := criteria_of(layout, settings):
        return _with_criteria(layout, groups, settings)
    if settings.repeated == "stop" and (criteria := criteria_in_matrix(layout, settings)):
        return LaidOut(layout, settings, (), (criteria.question(),), misread=True)
    question = question_about_list(layout, settings)
    if question is not None:
        if may_be := criteria_in_matrix(layout, settings, by_numbers=True):
            question = replace(question, answers=(*question.answers, *may_be.answers()))
        return LaidOut(layout, settings, (), (question,), misread=True)
    if unnamed := question_about_unnamed_list(table, layout, settings):
        return LaidOut(unnamed[0], settings, (), (unnamed[1],), misread=True)
    if (tables := further_tables(layout, settings)) and settings.further_tables != "first":
        return _with_tables(layout, tables, settings)
    slots = question_about_slots(layout, settings)
    if isinstance(slots, Decision):
        return LaidOut(layout, settings, (slots,))
    return LaidOut(layout, settings, (), () if slots is None else (slots,))


def _criteria_in_rows(table: Table, settings: Settings) -> LaidOut | None:
    """Put the criteria that the settings choose side by side where each has rows of its own."""
    plain = replace(settings, criteria={})
    layout = find_list(table, plain) or _matrix_on(table, plain)
    if isinstance(layout, LongList):
        criteria = None if layout.questions else criteria_in_list(layout, plain, by_numbers=True)
    else:
        criteria = None if layout is None else criteria_in_matrix(layout, plain, by_numbers=True)
    chosen = None if criteria is None else criteria.as_list(settings)
    return chosen and LaidOut(chosen[0], settings, (chosen[1],))


def _with_criteria(layout: Matrix, groups: Groups, settings: Settings) -> LaidOut:
    """Take the criteria below each name that the settings choose, or ask which count."""
    chosen = list_of_criteria(layout, groups, settings) if settings.criteria else None
    if chosen is not None:
        return LaidOut(chosen, settings, (criteria_decision(chosen, layout, groups),))
    if are_modules(layout, groups) and not settings.criteria:
        return LaidOut(layout, settings, (parts_decision(layout, groups),))
    return LaidOut(layout, settings, (), (question_about_criteria(layout, groups),), misread=True)


def _with_tables(layout: Matrix, tables: Sequence[Matrix], settings: Settings) -> LaidOut:
    """Join the tables of a sheet, or ask whether to."""
    if settings.further_tables != "join":
        return LaidOut(layout, settings, (), (question_about_tables(layout, tables),), misread=True)
    as_one, decision = joined((layout, *tables))
    return LaidOut(as_one, settings, (decision,))


def _words(table: Table, settings: Settings) -> frozenset[str]:
    return frozenset() if settings.grades else words_that_count(table, settings)


def _matrix_on(table: Table, settings: Settings) -> Matrix | None:
    """Find the matrix on a sheet, unless it has far more rows than results have room for: a look at each takes long."""
    if table.n_rows > CLEARLY_TOO_MANY_ROWS and not settings.exclude:
        require_rows(table.n_rows, "rows of scores")
    return find_matrix(table, settings)
