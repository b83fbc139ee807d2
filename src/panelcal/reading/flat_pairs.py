"""Two columns per assessor under flat headings: "Iris Jones score" beside "Iris Jones confidence".

The headings are taken apart into the name above and the word below, as if they stood in two rows; the reader of
matrices then does what it does for those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from panelcal.reading.cell_values import label_text
from panelcal.reading.heading_rows import HeadingRows
from panelcal.reading.headings import Role, role_of

_LEAST_PAIRS = 2
_ENDS = (
    re.compile(r"(?P<name>.+?)\s*[\(\[](?P<word>[^()\[\]]+)[\)\]]"),
    re.compile(r"(?P<name>.+?)\s*(?:\s[-–—:/|]|[:/|_])\s*(?P<word>[^\s:/|_]+(?:\s[^\s:/|_]+)?)"),
    re.compile(r"(?P<name>.+?)(?:['’]s?)?\s+(?P<word>standard deviation)", re.IGNORECASE),
    re.compile(r"(?P<name>.+?)(?:['’]s?)?\s+(?P<word>\S+)"),
    re.compile(r"(?P<word>\w+\.?)\s*(?:[-–—:/|]|\bof\b|\bfrom\b|\bby\b)?\s+(?P<name>.+)"),
)
_SHORT = {"c": "confidence", "conf": "confidence", "s": "score"}
"""Abbreviations that count where every one of them has its partner."""
_CONFIDENCE = (Role.WEIGHT, Role.DEVIATION)


@dataclass(frozen=True, slots=True)
class _Parts:
    name: str
    word: str
    role: Role


def with_flat_pairs(headings: HeadingRows, first_score: int) -> HeadingRows:
    """Take the headings of score and confidence columns apart; unchanged where they are no pairs.

    Every column with a confidence in its heading must have exactly one partner: a column with the same name and a
    word for a score, or with the name alone.

    Parameters
    ----------
    first_score
        The first column that can hold scores.
    """
    columns = range(first_score, len(headings.lower))
    sure = {j: parts for j in columns if (parts := _parted(headings.lower[j], _CONFIDENCE))}
    if len(sure) < _LEAST_PAIRS or headings.upper:
        return headings
    found: dict[int, _Parts] = {}
    for j, parts in sure.items():
        partners = [k for k in columns if k not in sure and (same := _partner(headings.lower[k], parts.name))]
        same = _partner(headings.lower[partners[0]], parts.name) if len(partners) == 1 else None
        if same is None:
            return headings
        found |= {partners[0]: same, j: parts}
    joined, lower = list(headings.headings), list(headings.lower)
    for j, parts in found.items():
        joined[j] = f"{parts.name} - {parts.word}" if parts.word else parts.name
        lower[j] = parts.word or parts.name
    return replace(headings, headings=tuple(joined), lower=tuple(lower))


def _parted(heading: Any, roles: Sequence[Role]) -> _Parts | None:
    """Split a heading into a name and a word for what the column holds."""
    text = _bare(heading)
    if not isinstance(heading, str) or role_of(heading) is not Role.OTHER:
        return None
    for end in _ENDS:
        match = end.fullmatch(text)
        word = _SHORT.get(match["word"].casefold().strip("."), match["word"].strip()) if match else ""
        if match and (role := role_of(word)) in roles:
            return _Parts(match["name"].strip(), word, role)
    return None


def _bare(heading: Any) -> str:
    """Spell a heading without a scale in brackets at its end, as in "Iris confidence (1-5)"."""
    return re.sub(r"\s*[(\[][\d\s.,–-]+[)\]]$", "", label_text(heading))


def _partner(heading: Any, name: str) -> _Parts | None:
    """Tell whether a heading is the name alone, or the name with a word for a score."""
    text = _bare(heading)
    if text.casefold() == name.casefold():
        return _Parts(name, "", Role.SCORE)
    parts = _parted(heading, (Role.SCORE,))
    return parts if parts and parts.name.casefold() == name.casefold() else None
