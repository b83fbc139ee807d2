"""Whether a range handed to a function has names in its first row and its first column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import Kind, is_blank, kind_of
from panelcal.reading.headings import Role, role_of
from panelcal.reading.settings import DEFAULT_CODES

_CODES = frozenset(code.casefold() for code in DEFAULT_CODES)
_CHOICES = {"top": (True, False), "left": (False, True), "both": (True, True), "none": (False, False)}


def headings_of(rows: Sequence[Sequence[Any]], declared: Any) -> tuple[bool, bool]:
    """Tell whether the first row and the first column are names.

    Parameters
    ----------
    rows
        The cells.
    declared
        What the user says: TRUE (both), FALSE (neither), "top", "left"; None = to be seen from the cells.

    Raises
    ------
    InputRefused
        If it cannot be seen from the cells, or the answer of the user is another one.
    """
    if declared is not None and not is_blank(declared):
        if isinstance(declared, bool | int | float) and declared in (0, 1):
            return bool(declared), bool(declared)
        choice = _CHOICES.get(str(declared).strip().casefold())
        if choice is None:
            raise InputRefused('The argument headers must be TRUE, FALSE, "top" or "left".')
        return choice
    corner, across, down = rows[0][0], rows[0][1:], [row[0] for row in rows[1:]]
    labels = [label for label in down if not is_blank(label)]  # blank rows may stand between groups
    top = any(map(is_name, across)) and not any(map(_is_numeric, across))
    if top:
        if is_blank(corner) or role_of(corner) is not Role.OTHER or (labels and all(map(is_name, labels))):
            return True, True
        if not any(map(_is_numeric, down)):
            return True, False
        raise InputRefused(
            "It cannot be seen whether the first column holds names or scores: leave the upper left cell blank, or set "
            'the argument headers to TRUE (names) or "top" (scores).'
        )
    if is_name(corner) and all(map(is_name, down)):
        return False, True
    if is_blank(corner) or is_name(corner) or _could_be_ids([corner, *down], [row[1:] for row in rows]):
        raise InputRefused(
            "It cannot be seen whether the first row and column hold names or scores: set the argument headers to TRUE "
            'or FALSE, or to "top" or "left" where only one of them holds names.'
        )
    return False, False


def _could_be_ids(first: Sequence[Any], others: Sequence[Sequence[Any]]) -> bool:
    """Tell whether a column of numbers looks like candidate numbers beside scores rather than like scores."""
    if not all(map(_is_numeric, first)) or not any(others):
        return False
    if all(isinstance(value, str) for value in first):
        return True
    ids = [kind_of(value)[1] for value in first]
    scores = [kind_of(value)[1] for row in others for value in row if _is_numeric(value)]
    whole = all(number == round(number) for number in ids) and len(set(ids)) == len(ids) > 1
    counted = len(ids) > 2 and ids[0] == 1 and all(after - before == 1 for before, after in pairwise(ids))
    return whole and bool(scores) and (counted or min(ids) > 2 * max(scores))


def _is_numeric(value: Any) -> bool:
    return kind_of(value)[0] in (Kind.NUMBER, Kind.TEXT_NUMBER, Kind.PERCENT_TEXT, Kind.AMBIGUOUS)


def is_name(value: Any) -> bool:
    """Tell whether a cell holds words that are no code for a missing score."""
    return isinstance(value, str) and kind_of(value)[0] is Kind.TEXT and value.strip().casefold() not in _CODES
