"""Tell a statistic from a person: a judge may be called Max, and a marker's initials may be SD.

Such a heading is believed to name a statistic unless the numbers beside it say that it cannot be one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from panelcal.reading.cell_values import is_number
from panelcal.reading.headings import words_of

MOST_NAMESAKES = 10
"""More headings of this kind than this are not names; looking at all of them would take too long."""

_NAMES = frozenset({"max", "min", "n", "sd", "se"})


def can_be_name(heading: Any) -> bool:
    """Tell whether a heading is a statistic that could be somebody's name or initials."""
    words = words_of(heading)
    return len(words) == 1 and words[0] in _NAMES


def contradicts_statistic(heading: Any, pairs: Iterable[tuple[Any, Sequence[Any]]]) -> bool:
    """Tell whether the numbers under a heading such as Max cannot be what it says.

    Parameters
    ----------
    heading
        The heading of a row or column.
    pairs
        Each of its cells with the cells it would summarise.
    """
    if not can_be_name(heading):
        return False
    numbers = [(value, [other for other in others if is_number(other)]) for value, others in pairs if is_number(value)]
    numbers = [(value, others) for value, others in numbers if others]
    match words_of(heading)[0]:
        case "max":
            return any(value < max(others) for value, others in numbers)
        case "min":
            return any(value > min(others) for value, others in numbers)
        case "n":
            return any(value != len(others) for value, others in numbers)
        case "sd" | "se":
            return any(value > max(others) - min(others) for value, others in numbers)
    return False
