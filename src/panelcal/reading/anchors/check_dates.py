"""When anchors or items were scored: dates, or numbers such as weeks, put in order."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, kind_of, label_text

_NUMBERED = re.compile(r"(?:(week|wk|w|day|d|month|wave|round|r)\s*[.#-]?\s*)?(\d{1,4})", re.IGNORECASE)
_ISO_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})", re.IGNORECASE)
_SPELT = ("%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y")
_WORDS = {"w": "week", "wk": "week", "d": "day", "r": "round"}


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a numbered week, day or round.

    Attributes
    ----------
    is_date
        Whether it is a calendar date; moments of different kinds cannot be put in order.
    order
        Days since 1 January of year 1, or the number.
    label
        "2026-03-02" or "week 9".
    """

    is_date: bool
    order: float
    label: str


def moment_of(value: Any, heading: Any = None) -> Moment | None:
    """Read a cell as a moment; None when it is none, or could be read in two ways (03/04/2026).

    Parameters
    ----------
    heading
        The heading of its column, which names plain numbers: 3 under Week is "week 3".
    """
    if isinstance(value, datetime):
        fraction = (value.hour * 60 + value.minute) / 1440
        return Moment(True, value.toordinal() + fraction, label_text(value))
    if isinstance(value, date):
        return Moment(True, float(value.toordinal()), value.isoformat())
    kind, number = kind_of(value)
    if kind is Kind.NUMBER:
        return Moment(False, number, f"{_noun(heading)}{number:g}")
    return _moment_in(label_text(value), heading) if isinstance(value, str) else None


def _moment_in(text: str, heading: Any) -> Moment | None:
    if found := _ISO_WEEK.fullmatch(text):
        try:
            return moment_of(date.fromisocalendar(int(found[1]), int(found[2]), 1))
        except ValueError:
            return None
    if found := _NUMBERED.fullmatch(text):
        word = (found[1] or "").lower()
        named = f"{_WORDS.get(word, word)} " if word else _noun(heading)
        return Moment(False, float(found[2]), f"{named}{int(found[2])}")
    try:
        return moment_of(datetime.fromisoformat(text).replace(tzinfo=None))
    except ValueError:
        pass
    for pattern in _SPELT:
        try:
            return moment_of(datetime.strptime(text, pattern))
        except ValueError:
            continue
    return None


def _noun(heading: Any) -> str:
    words = label_text(heading).casefold().split()
    return next((f"{word} " for word in ("week", "day", "month", "wave", "round") if word in words), "")
