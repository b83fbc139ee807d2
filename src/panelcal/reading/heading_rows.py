"""Find the row of headings above a block of scores, join two-row headings, and find the credits above them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, code_key, kind_of, label_text, spread_in
from panelcal.reading.headings import Role, is_statistic, names_both, role_of, words_of
from panelcal.reading.nouns import plural_of
from panelcal.reading.patterns import matches
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import START_NUMBERS

_SEARCHED = 100
_CORNER_ROLES = (Role.OBJECT, Role.ASSESSOR, Role.IDENTIFIER, Role.NAME)


@dataclass(frozen=True, slots=True)
class HeadingRows:
    """The rows above a block of scores.

    Attributes
    ----------
    row
        The row of headings (the lowest, where there are two).
    upper
        Rows of headings above it that are joined to it.
    headings
        One value per column, joined.
    lower
        The lowest heading alone, per column.
    weights
        A row above the headings that holds credits or other confidences, or None.
    unread
        Rows above with numbers over the block that nothing explains.
    """

    row: int
    upper: tuple[int, ...]
    headings: tuple[Any, ...]
    lower: tuple[Any, ...]
    weights: int | None
    unread: tuple[int, ...]


def role_in(settings: Settings, heading: Any) -> Role:
    """Tell what a heading announces; headings and nouns in the settings come before the words of the trades."""
    for pattern, role in (
        (settings.object_column, Role.OBJECT),
        (settings.assessor_column, Role.ASSESSOR),
        (settings.score_column, Role.SCORE),
    ):
        if pattern and matches(pattern, heading):
            return role
    if settings.confidence_column and matches(settings.confidence_column, heading):
        return Role.DEVIATION if role_of(heading) is Role.DEVIATION else Role.WEIGHT
    text = label_text(heading).casefold()
    for noun, role in (
        (settings.object_noun, Role.OBJECT),
        (settings.assessor_noun, Role.ASSESSOR),
        (settings.score_noun, Role.SCORE),
    ):
        if noun and text in (noun.casefold(), plural_of(noun.casefold())):
            return role
    return role_of(heading)


def find_heading_row(table: Table, settings: Settings, codes: frozenset[str]) -> int | None:
    """Find the row that has the most headings with numbers below them; None when no row can be it."""
    top = table.top(_SEARCHED)
    last_number = [_last_number(table, j) for j in range(table.n_columns)]
    best, best_count = None, 0.0
    for i, row in enumerate(top):
        count = _headings_over_numbers(table, i, row, last_number, settings, codes)
        lower_of_two = best is not None and count == best_count > 0 and best == i - 1 and not table.gap_before(i)
        if count > best_count or lower_of_two:
            best, best_count = i, count
    if best is None:
        return _row_of_numbers(table, top, last_number)
    while best + 1 < len(top) and (_completes(table, best + 1, top[best]) or _says_score(table, best + 1, top[best])):
        best += 1
    return best


def _says_score(table: Table, i: int, above: Sequence[Any]) -> bool:
    """Tell whether row i holds the word for the ids and, below each heading, one and the same word for a score."""
    row = table.cells[i]
    words = {label_text(value) for j, value in enumerate(row) if j and value is not None}
    return (
        not table.gap_before(i)
        and len(words) == 1
        and role_of(next(iter(words))) is Role.SCORE
        and row[0] is not None
        and all((value is None) == (above[j] is None) for j, value in enumerate(row) if j)
    )


def _completes(table: Table, i: int, above: Sequence[Any]) -> bool:
    """Tell whether row i holds the second part of some headings: no id, texts under headings, nothing else."""
    row = table.cells[i]
    filled = [j for j, value in enumerate(row) if value is not None]
    if table.gap_before(i) or not filled or filled[0] == 0 or above[0] is None:
        return False
    return all(
        isinstance(row[j], str) and kind_of(row[j])[0] is Kind.TEXT and above[j] is not None for j in filled
    ) or (all(isinstance(row[j], str) and kind_of(row[j])[0] is Kind.TEXT for j in filled) and len(filled) > 1)


def _last_number(table: Table, j: int) -> int:
    return next((i for i in range(table.n_rows - 1, -1, -1) if _scorelike(table, i, j)), -1)


def _scorelike(table: Table, i: int, j: int) -> bool:
    return table.numeric(i, j) or spread_in(table.cells[i][j]) is not None


def _headings_over_numbers(
    table: Table, i: int, row: Sequence[Any], last_number: Sequence[int], settings: Settings, codes: frozenset[str]
) -> float:
    """Count the headings in row i that stand over numbers; 0 when the row cannot be headings."""
    filled = [j for j, value in enumerate(row) if value is not None]
    if len(filled) < 2:
        return float(_heads_one_assessor(table, i, row, filled, last_number, codes))
    if len({row[j] for j in filled}) == 1:
        return 0.0  # a title merged over the columns
    corner = row[filled[0]]
    said = corner if isinstance(corner, str) else None  # an error such as #N/A says nothing
    named = any(role_in(settings, part) in _CORNER_ROLES for part in (said, *(names_both(said) or ())))
    named = named or not START_NUMBERS.isdisjoint(words_of(said) if said else ())
    texts = [j for j in filled if _is_heading(row[j], codes)]
    numbers = len([j for j in filled if kind_of(row[j])[0] is Kind.NUMBER])
    if named:
        return 0.5 + sum(last_number[j] > i for j in filled if isinstance(row[j], str | int | float))
    if 2 * numbers > len(texts):
        return 0.0
    return float(sum(last_number[j] > i for j in texts))


def _heads_one_assessor(
    table: Table, i: int, row: Sequence[Any], filled: Sequence[int], last_number: Sequence[int], codes: frozenset[str]
) -> bool:
    """Tell whether the one text in row i heads the only column of scores, beside ids without a heading."""
    if not filled or filled[0] == 0 or not _is_heading(row[filled[0]], codes) or i + 1 >= table.n_rows:
        return False
    return table.cells[i + 1][0] is not None and last_number[filled[0]] > i


def _is_heading(value: Any, codes: frozenset[str]) -> bool:
    return isinstance(value, str) and kind_of(value)[0] is Kind.TEXT and code_key(value) not in codes


def _row_of_numbers(table: Table, top: Sequence[Sequence[Any]], last_number: Sequence[int]) -> int | None:
    """Find headings that are all numbers (judges 1, 2, 3): the corner is blank, the rows below have something there."""
    for i, row in enumerate(top[:-1]):
        rest = row[1:]
        whole = [value for value in rest if type(value) is int or (type(value) is float and value.is_integer())]
        if row[0] is None and len(whole) == len(rest) == len(set(whole)) >= 2 and table.cells[i + 1][0] is not None:
            return i if all(last > i for last in last_number[1:]) else None
    return None


def join_headings(table: Table, row: int, first_score_column: int, settings: Settings) -> HeadingRows:
    """Look upwards from the row of headings for rows to join, credits and unexplained numbers.

    Parameters
    ----------
    row, first_score_column
        The row of headings, and the first column that can hold scores.
    """
    top = table.top(row + 1)
    over = range(first_score_column, table.n_columns)
    lower = tuple(top[row])
    joined = list(lower)
    upper: list[int] = []
    unread: list[int] = []
    weights: int | None = None
    for i in range(row - 1, max(-1, row - 8), -1):
        if table.gap_before(i + 1) and upper:
            break
        labels = [top[i][j] for j in range(first_score_column) if top[i][j] is not None]
        texts = [j for j in over if isinstance(top[i][j], str) and kind_of(top[i][j])[0] is Kind.TEXT]
        numbers = [j for j in over if table.numeric(i, j)]
        is_weights = any(role_in(settings, label) in (Role.WEIGHT, Role.DEVIATION) for label in labels)
        if is_weights and (numbers or texts) and weights is None:
            weights = i
        elif len(numbers) >= max(2, len(over) // 2) and not labels:
            if not any(table.at(i, j) in settings.exclude for j in range(max(first_score_column, 1))):
                unread.append(i)
        elif (
            not table.gap_before(i + 1)
            and texts
            and not numbers
            and _joins(table, top[i], top[row], texts, labels, settings)
        ):
            upper.insert(0, i)
            _join(joined, _spread_right(top[i], lower, over, merged=bool(table.merges)), over)
            joined[:first_score_column] = [b if a is None else a for a, b in zip(joined, top[i], strict=True)][
                :first_score_column
            ]
    return HeadingRows(row, tuple(upper), tuple(joined), lower, weights, tuple(unread))


def _joins(
    table: Table,
    upper: Sequence[Any],
    head: Sequence[Any],
    texts: Sequence[int],
    labels: Sequence[Any],
    settings: Settings,
) -> bool:
    """Tell whether the texts of a row are upper headings: more than a title, and not labelled as something else."""
    headed = [j for j in range(texts[0], table.n_columns) if head[j] is not None]
    if len({label_text(upper[j]) for j in texts}) < 2 and not 2 <= len(texts) < len(headed):
        return False
    corner = {label_text(value) for value in head[: texts[0]] if value is not None}
    return all(
        not corner or label_text(label) in corner or role_in(settings, label) in (Role.ASSESSOR, Role.NAME)
        for label in labels
    ) and not any(is_statistic(label) for label in labels)


def _spread_right(upper: Sequence[Any], lower: Sequence[Any], over: range, *, merged: bool) -> list[Any]:
    """Repeat an upper heading to its right where the lower headings alone would not tell the columns apart.

    So too where every upper heading has blanks beside it and no cell is merged: sections, as a file of text has them.
    """
    spread = list(upper)
    repeats = Counter(label_text(lower[j]) for j in over if lower[j] is not None)
    starts = [j for j in over if upper[j] is not None]
    widths = np.diff([*starts, over.stop])
    sections = not merged and len(starts) > 1 and starts[0] == over.start and bool(widths.min() > 1)
    for j in over[1:]:
        if spread[j] is None and lower[j] is not None and (sections or repeats[label_text(lower[j])] > 1):
            spread[j] = spread[j - 1]
    return spread


def _join(joined: list[Any], upper: Sequence[Any], over: range) -> None:
    for j in over:
        first, second = label_text(upper[j]), label_text(joined[j])
        if first and first != second:
            joined[j] = f"{first} - {second}" if second else first
