"""Find a matrix of scores: objects down, assessors across, ids to the left, headings above, credits near them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.body_rows import BodyRows, classify_rows
from panelcal.reading.cell_values import Kind, code_key, kind_of, label_text, spread_in
from panelcal.reading.dates_as_scores import columns_like_the_others, is_of_times
from panelcal.reading.direction import Direction, direction_of, name_people
from panelcal.reading.flat_criteria import with_flat_criteria
from panelcal.reading.flat_pairs import with_flat_pairs
from panelcal.reading.heading_rows import HeadingRows, find_heading_row, join_headings, role_in
from panelcal.reading.headings import (
    ASSESSOR_WORDS,
    OBJECT_WORDS,
    Role,
    is_statistic,
    names_both,
    noun_of,
    statistic_kind,
    words_of,
)
from panelcal.reading.labels_elsewhere import in_usual_order
from panelcal.reading.matrix_ids import fuller_ids, own_addresses, telling_ids
from panelcal.reading.patterns import any_matches, meant, places_of
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import IDENTIFIERS

_LARGEST_MARK = 100
_SEVERAL = 3
_NUMBERING = frozenset("# no nr row order start rank place pl pos position draw rang".split()) | {"running order"}
_LABEL_ROLES = (Role.OBJECT, Role.IDENTIFIER, Role.NAME, Role.ABOUT)


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The columns to the left of the scores.

    Attributes
    ----------
    identifier
        The column whose cells name the objects.
    name
        A column with display names, or None.
    others
        Further columns about the objects, which are not read.
    first_score
        The first column that can hold scores.
    """

    identifier: int
    name: int | None
    others: tuple[int, ...]
    first_score: int

    @property
    def all(self) -> tuple[int, ...]:
        """Every column to the left of the scores."""
        return tuple(range(self.first_score))


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A matrix of scores as found on a sheet.

    Attributes
    ----------
    table
        The sheet, turned so that objects go down.
    headings, labels, rows
        What stands above, to the left, and in the rows of the block.
    assessors
        Columns that hold scores.
    statistics, texts, unheaded
        Columns kept out: by their heading, because they hold only text, because nothing names them (with text only).
    paired
        Score column -> the column of confidences that belongs to it.
    nameless
        Columns with numbers but no heading.
    rest
        What stands below or beside the block and may be a second block, as tables of its own.
    excluded
        Columns that are to be left out by name.
    """

    table: Table
    headings: HeadingRows
    labels: LabelColumns
    rows: BodyRows
    assessors: tuple[int, ...]
    statistics: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    unheaded: tuple[int, ...] = ()
    paired: dict[int, int] = field(default_factory=dict)
    nameless: tuple[int, ...] = ()
    rest: tuple[Table, ...] = ()
    excluded: tuple[int, ...] = ()

    @property
    def corner(self) -> Any:
        """Return the heading of the id column."""
        return self.headings.headings[self.labels.identifier]

    def by_labels(self) -> Direction:
        """Return what the labels of the rows and the headings of the columns say about the way the matrix lies."""
        rows = [label_text(self.table.cells[i][self.labels.identifier]) for i in self.rows.objects]
        return direction_of(rows, [label_text(self.headings.headings[j]) for j in self.assessors])

    def names_people(self) -> bool:
        """Tell whether the headings say of each column who assesses."""
        return name_people([label_text(self.headings.headings[j]) for j in self.assessors])

    def is_said(self, settings: Settings) -> bool:
        """Tell whether something beside the labels says which way the matrix lies: titles, credits, confidences."""
        credits = self.headings.weights is not None or self.rows.weights is not None
        return bool(self.paired) or credits or bool(_roles_above(self, settings))

    def counting(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """Return the matrix with rows and columns that were taken for statistics counted as objects and assessors."""
        body = replace(
            self.rows,
            objects=tuple(sorted({*self.rows.objects, *rows})),
            statistics=tuple(i for i in self.rows.statistics if i not in rows),
        )
        return replace(
            self,
            rows=body,
            assessors=tuple(sorted({*self.assessors, *columns})),
            statistics=tuple(j for j in self.statistics if j not in columns),
        )


def find_matrix(table: Table, settings: Settings) -> Matrix | None:
    """Find the matrix of scores on a sheet, in either direction; None when there is none.

    With the layout "auto" the words in the corner decide the direction, then a row or column of credits; where nothing
    tells, objects go down.
    """
    if table.n_rows < 2 or table.n_columns < 2 or settings.layout == "list" or settings.assessor_column:
        return None
    if settings.layout == "objects across":
        return _matrix_down(table.exchanged(), settings)
    down = _matrix_down(table, settings)
    if settings.layout == "objects down" or (down is not None and not _goes_across(down, settings)):
        return down
    across = _matrix_down(table.exchanged(), settings)
    if down is None and across is not None and role_in(settings, across.corner) is Role.OTHER:
        # Numbers without headings would otherwise pass for ids once the sheet is turned.
        return None
    return down if across is None else across


def _goes_across(matrix: Matrix, settings: Settings) -> bool:
    """Tell whether a matrix found with objects down speaks of assessors down instead."""
    corner = matrix.corner
    parts = names_both(corner)
    role = role_in(settings, parts[0] if parts else corner)
    if role is Role.ASSESSOR or (role is Role.NAME and noun_of(corner, ASSESSOR_WORDS)):
        return not matrix.names_people()
    if role is Role.OBJECT:
        return False
    if role is Role.OTHER and matrix.by_labels() is Direction.ACROSS:
        return True
    if over := _roles_above(matrix, settings):
        return Role.ASSESSOR not in over
    beside = matrix.statistics and matrix.statistics[0] == matrix.labels.first_score
    credits_beside = bool(beside) and role_in(settings, matrix.headings.lower[matrix.statistics[0]]) is Role.WEIGHT
    return credits_beside and matrix.headings.weights is None and matrix.rows.weights is None


def _roles_above(matrix: Matrix, settings: Settings) -> set[Role]:
    """Return whether titles above the headings speak of objects or of assessors."""
    table, row = matrix.table, matrix.headings.row
    titles = {label_text(value) for i in range(row) for value in table.cells[i] if isinstance(value, str)}
    return {role_in(settings, title) for title in titles} & {Role.OBJECT, Role.ASSESSOR}


def _matrix_down(table: Table, settings: Settings) -> Matrix | None:
    codes = frozenset(code_key(code) for code in settings.codes)
    row = find_heading_row(table, settings, codes)
    if row is None or row + 1 >= table.n_rows:
        return None
    table = in_usual_order(table, row, settings)
    top = table.top(row + 1)
    head = [above if value is None else value for value, above in zip(top[row], top[max(row - 1, 0)], strict=True)]
    labels = _label_columns(table, row, head, settings, codes)
    end = _second_block_beside(table, row, head, labels)
    block = table.part(range(table.n_rows), range(end))
    headings = with_flat_pairs(join_headings(block, row, labels.first_score, settings), labels.first_score)
    headings = with_flat_criteria(headings, labels.identifier, labels.first_score, settings)
    rows = classify_rows(block, row, headings.headings, labels.identifier, labels.all, settings)
    if not rows.objects:
        return None
    columns = _score_columns(block, headings, labels, rows, settings, codes)
    if not columns["assessors"]:
        return None
    headings = _without_wholes(headings, columns["assessors"])
    paired = _paired_confidences(headings, columns["assessors"], columns["confidences"])
    if not paired:
        columns["statistics"] = sorted(columns["statistics"] + columns["confidences"])
    rest = [] if rows.end >= table.n_rows else [block.part(range(rows.end, table.n_rows), range(block.n_columns))]
    if end < table.n_columns:
        rest.append(table.part(range(table.n_rows), range(end, table.n_columns)))
    return Matrix(
        block,
        headings,
        labels,
        rows,
        tuple(columns["assessors"]),
        tuple(columns["statistics"]),
        tuple(columns["texts"]),
        tuple(columns["unheaded"]),
        paired,
        tuple(columns["nameless"]),
        tuple(rest),
        tuple(columns["excluded"]),
    )


def _label_columns(
    table: Table, row: int, head: Sequence[Any], settings: Settings, codes: frozenset[str]
) -> LabelColumns:
    """Split the columns into those that describe the objects and those that can hold scores."""
    first_score = 1
    named = set(places_of(settings.object_column, head, [table.at(row, j) for j in range(table.n_columns)]))
    out = _columns_left_out(table, row, head, settings)
    for j in range(1, table.n_columns):
        if j in out or j in named:
            first_score = j + 1
            continue
        if any_matches((*settings.include, *settings.scores), head[j]):
            break
        described = role_in(settings, head[j]) in _LABEL_ROLES and not _is_module(table, row, head, j, settings)
        if not described and not _only_text(table, range(row + 1, table.n_rows), j, codes):
            break
        if not described and is_statistic(head[j]):
            break
        first_score = j + 1
    first_score = max(first_score, _behind_ranks(table, row, head, settings))
    beyond = range(first_score, max(named, default=0))
    if all(table.cells[i][j] is None for j in beyond for i in range(row + 1, table.n_rows)):
        first_score = max(first_score, beyond.stop + 1)  # blank columns before the ids that were named
    if first_score >= table.n_columns:
        first_score = max(1, table.n_columns - 1)
    roles = {j: role_in(settings, head[j]) for j in range(first_score)}
    objects = [j for j, role in roles.items() if role is Role.OBJECT]
    named_ids = [j for j in objects if len(label_text(head[j]).split()) > 1]
    numbering = [j for j in roles if label_text(head[j]).casefold().strip(".") in _NUMBERING]
    numbering += [j for j in roles if j not in numbering and table.n_rows > row + 1 and is_of_times(table, row, j)]
    ids = [j for j, role in roles.items() if role is Role.IDENTIFIER and j not in numbering]
    rows_down = [j for j in roles if role_in(settings, head[j]) is Role.ASSESSOR]
    candidates = [*sorted(named), *named_ids, *objects, *ids, *rows_down, *[j for j in roles if j not in numbering], 0]
    identifier = next((j for j in candidates if j not in out or j in named), 0)
    if identifier not in named:
        identifier = telling_ids(table, row, identifier, [j for j in roles if j not in out and j not in numbering])
        identifier = fuller_ids(table, row, identifier, [j for j in roles if j not in out])
        if roles[identifier] is Role.NAME:
            identifier = own_addresses(table, row, head, identifier)
    names = [j for j, role in roles.items() if j != identifier and role is Role.NAME]
    names += [j for j in objects if j != identifier]
    name = names[0] if names else None
    others = tuple(j for j in roles if j not in (identifier, name))
    return LabelColumns(identifier, name, others, first_score)


def _behind_ranks(table: Table, row: int, head: Sequence[Any], settings: Settings) -> int:
    """Return the first column for scores where ranks, means and the like stand before the ids; 0 elsewhere."""
    ids = next((j for j in range(1, table.n_columns) if not is_statistic(head[j])), 0)
    if not ids or not is_statistic(head[0]) or role_in(settings, head[ids]) is not Role.OBJECT:
        return 0
    held = [value for i in range(row + 1, table.n_rows) if (value := table.cells[i][ids]) is not None]
    whole = all(isinstance(value, str | int) for value in held)
    return ids + 1 if whole and len(set(held)) == len(held) > 1 else 0


def _is_module(table: Table, row: int, head: Sequence[Any], j: int, settings: Settings) -> bool:
    """Tell whether a column called Essay or Project, right of the ids of students, holds their scores for it."""
    if role_in(settings, head[j]) is not Role.OBJECT or not IDENTIFIERS.isdisjoint(words_of(head[j])):
        return False
    noun = noun_of(head[j], OBJECT_WORDS)
    left = [k for k in range(j) if role_in(settings, head[k]) in (Role.OBJECT, Role.IDENTIFIER)]
    if not left or any(noun_of(head[k], OBJECT_WORDS) == noun for k in left):
        return False
    rows = [i for i in range(row + 1, table.n_rows) if table.cells[i][j] is not None]
    numbers = [number for i in rows if not math.isnan(number := kind_of(table.cells[i][j])[1])]
    if 2 * len(numbers) <= len(rows):
        return False
    # Ids are whole numbers, all different, and either long or in sequence.
    distinct = len(set(numbers)) == len(numbers) and all(number.is_integer() for number in numbers)
    return not distinct or (max(numbers) <= _LARGEST_MARK and max(numbers) - min(numbers) >= len(numbers))


def _columns_left_out(table: Table, row: int, head: Sequence[Any], settings: Settings) -> set[int]:
    """Return the columns that are to be left out by their headings (or the cells of these)."""
    cells = [table.at(row, j) for j in range(table.n_columns)]
    return meant(settings.exclude, head, cells) - meant(settings.include, head, cells)


def _only_text(table: Table, rows: range | Sequence[int], j: int, codes: frozenset[str]) -> bool:
    """Tell whether a column holds text, but no number, code, error or anything else that could be a score."""
    found = False
    for i in rows:
        value = table.cells[i][j]
        if value is None:
            continue
        if not isinstance(value, str) or kind_of(value)[0] is not Kind.TEXT or spread_in(value) is not None:
            return False
        if table.is_grade(value):
            return False
        if code_key(value) in codes:
            return False
        found = True
    return found


def _second_block_beside(table: Table, row: int, head: Sequence[Any], labels: LabelColumns) -> int:
    """Return the column where a second block with the same id heading starts, or the number of columns."""
    corner = label_text(head[labels.identifier])
    if corner:
        for j in range(max(labels.first_score, labels.identifier) + 1, table.n_columns - 1):
            apart = table.columns[j] - table.columns[j - 1] > 1
            titled = isinstance(table.at(row + 1, j), str) and all(
                isinstance(table.cells[i][j], str) for i in range(row + 1, min(table.n_rows, row + 1 + _SEVERAL))
            )
            if (apart or titled) and label_text(head[j]) == corner:
                return j
    return table.n_columns


def _score_columns(
    table: Table,
    headings: HeadingRows,
    labels: LabelColumns,
    rows: BodyRows,
    settings: Settings,
    codes: frozenset[str],
) -> dict[str, list[int]]:
    """Sort the columns to the right of the ids by what they are."""
    sorted_out: dict[str, list[int]] = {
        name: [] for name in ("assessors", "statistics", "texts", "unheaded", "confidences", "nameless", "excluded")
    }
    body = (*rows.objects, *rows.scoreless)
    columns = range(labels.first_score, table.n_columns)
    out = _columns_left_out(table, headings.row, headings.headings, settings)
    only = {j for j in columns if any_matches(settings.scores, headings.headings[j])}
    often = Counter(label_text(headings.lower[j]) for j in columns)
    whole = _whole_of_pivot(headings, often)
    for j in columns:
        if j == labels.identifier:
            continue
        heading, lower = headings.headings[j], headings.lower[j]
        role = role_in(settings, lower)
        text_only = _only_text(table, body, j, codes)
        filled = any(table.cells[i][j] is not None for i in body)
        if heading is None and j not in out:
            sorted_out["unheaded" if text_only or not filled else "nameless"].append(j)
        elif j in out or (only and j not in only and role not in (Role.WEIGHT, Role.DEVIATION)):
            sorted_out["excluded"].append(j)
        elif j in only or any_matches(settings.include, heading) or (whole and label_text(lower) == whole):
            sorted_out["assessors"].append(j)
        elif role in (Role.WEIGHT, Role.DEVIATION):
            sorted_out["confidences"].append(j)
        elif is_statistic(heading) or role in (Role.NAME, Role.ABOUT):
            sorted_out["statistics"].append(j)
        elif (
            is_statistic(lower) and role is not Role.SCORE and often[label_text(lower)] > 1
        ):  # below every name, as in Score, Rank
            sorted_out["statistics"].append(j)
        elif text_only or (filled and is_of_times(table, headings.row, j)):
            sorted_out["texts"].append(j)
        else:
            sorted_out["assessors"].append(j)
    like = columns_like_the_others(table, body, sorted_out["texts"], sorted_out["assessors"])
    sorted_out["texts"] = [j for j in sorted_out["texts"] if j not in like]
    sorted_out["assessors"] = sorted({*sorted_out["assessors"], *like})
    return sorted_out


def _whole_of_pivot(headings: HeadingRows, often: Counter[str]) -> str:
    """Return the sum or the mean that stands below each name beside a count or a spread of the same; "" without one.

    So a pivot table has its figures: "Average of Score" and "Count of Score" below every reviewer.
    """
    kinds = {text: statistic_kind(text) for text, times in often.items() if text and times > 1}
    wholes = [text for text, kind in kinds.items() if kind in ("sum", "mean")]
    if not headings.upper or not kinds or None in kinds.values() or len(wholes) != 1:
        return ""
    return wholes[0]


def _without_wholes(headings: HeadingRows, assessors: Sequence[int]) -> HeadingRows:
    """Call the columns of a pivot table by the names above alone, where one figure of each is read."""
    lower = {label_text(headings.lower[j]) for j in assessors}
    names = {j: label_text(headings.headings[j]).removesuffix(f" - {next(iter(lower))}") for j in assessors}
    kept = headings.upper and len(lower) == 1 and statistic_kind(next(iter(lower))) in ("sum", "mean")
    if not kept or len(set(names.values())) < len(names):
        return headings
    return replace(headings, headings=tuple(names.get(j, head) for j, head in enumerate(headings.headings)))


def _paired_confidences(headings: HeadingRows, assessors: Sequence[int], confidences: Sequence[int]) -> dict[int, int]:
    """Give each column of scores its column of confidences, by the name above both or the place right of it.

    Only where every one of them has one.
    """
    of_name: dict[str, list[int]] = {}
    for k in confidences:
        of_name.setdefault(_name_above(headings, k), []).append(k)
    named = {j: found[0] for j in assessors if len(found := of_name.get(_name_above(headings, j), [])) == 1}
    beside = {j: j + 1 for j in assessors if j + 1 in confidences}
    for paired in (named, beside):
        if len(set(paired.values())) == len(paired) == len(assessors) == len(confidences) > 1:
            return paired
    return {}


def _name_above(headings: HeadingRows, j: int) -> str:
    return label_text(headings.headings[j]).removesuffix(f" - {label_text(headings.lower[j])}").casefold()
