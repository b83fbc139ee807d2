"""Headings and labels as a user writes them: capitals and spaces do not matter, * stands for any letters, ? for one.

A cell address stands for the heading in that cell where no heading is spelt so, for headings that come twice.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from panelcal.reading.cell_values import label_text

_WORD = 3  # letters of a word that is worth looking for within a heading


@lru_cache(maxsize=1 << 10)
def _expression(pattern: str) -> re.Pattern[str]:
    wild = {"*": ".*", "?": "."}
    return re.compile("".join(wild.get(letter, re.escape(letter)) for letter in _plain(pattern)), re.DOTALL)


@lru_cache(maxsize=1 << 12)
def _plain(text: str) -> str:
    return " ".join(label_text(text).casefold().split())


def matches(pattern: str, label: Any) -> bool:
    """Tell whether a heading or label is what a pattern means."""
    text = _plain(label_text(label))
    return bool(text) and (text == _plain(pattern) or _expression(pattern).fullmatch(text) is not None)


def any_matches(patterns: Iterable[str], label: Any) -> bool:
    """Tell whether one of several patterns means a heading or label."""
    return any(matches(pattern, label) for pattern in patterns)


def places_of(pattern: str, labels: Sequence[Any], cells: Sequence[str] = ()) -> list[int]:
    """Return which of the labels a pattern means; none spelt so, the one whose cell has this address.

    Parameters
    ----------
    labels, cells
        (K,) headings or labels, and their addresses.
    """
    exact = [k for k, label in enumerate(labels) if _plain(label_text(label)) == _plain(pattern) != ""]
    found = exact or [k for k, label in enumerate(labels) if matches(pattern, label)]
    return found or [k for k, cell in enumerate(cells) if cell == pattern.strip().upper()]


def meant(patterns: Iterable[str], labels: Sequence[Any], cells: Sequence[str] = ()) -> set[int]:
    """Return which of the labels any of the patterns means."""
    return {k for pattern in patterns for k in places_of(pattern, labels, cells)}


def near_miss(pattern: str, labels: Iterable[Any]) -> str:
    """Return the label most like a pattern that means none of them, or the one that has it as a word; "" without."""
    spelt = {_plain(label_text(label)): label_text(label) for label in labels if label_text(label)}
    wanted = _plain(pattern)
    close = difflib.get_close_matches(wanted, spelt, 1)
    if not close:
        close = [text for text in spelt if re.search(rf"\b{re.escape(wanted)}\b", text)] if len(wanted) >= _WORD else []
    return spelt[close[0]] if len(close) == 1 else ""


def did_you_mean(pattern: str, labels: Iterable[Any]) -> str:
    """Spell the nearest label as a hint: "; did you mean Reviewer?", or "" where none is near."""
    close = near_miss(pattern, labels)
    return f"; did you mean {close}?" if close else ""
