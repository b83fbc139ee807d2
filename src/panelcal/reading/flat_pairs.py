"""Two columns per assessor under flat headings: "Iris Jones score" beside "Iris Jones confidence", or her "rank".

The headings are taken apart into the name above and the word below, as if they stood in two rows; the reader of
matrices then does what it does for those.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.heading_rows import HeadingRows
from panelcal.reading.headings import Role, role_of, statistic_kind, words_of
from panelcal.reading.vocabulary import SURE, SURE_FILLERS

_LEAST_PAIRS = 2
_ENDS = (
    re.compile(r"(?P<name>.+?)\s*[\(\[](?P<word>[^()\[\]]+)[\)\]]"),
    re.compile(r"(?P<name>.+?)\s*(?:\s[-–—:/|]|[:/|_])\s*(?P<word>[^\s:/|_]+(?:\s[^\s:/|_]+){0,5})"),
    re.compile(
        r"(?P<name>.+?)(?:['’]s?)?\s+(?P<word>standard (?:deviation|error)|std\.? (?:dev\.?|deviation|error))", re.I
    ),
    re.compile(r"(?P<name>.+?)(?:['’]s?)?\s+(?P<word>\S+)"),
    re.compile(r"(?P<word>±|\+/-|σ)\s*(?P<name>.+)"),
    re.compile(r"(?P<word>[^\W\d_]+)_(?P<name>.+)"),
    re.compile(r"(?P<word>\w+\.?)\s*(?:[-–—:/|]|\bof\b|\bfrom\b|\bby\b)?\s+(?P<name>.+)"),
)
_SHORT = {"c": "confidence", "conf": "confidence", "exp": "expertise", "s": "score", "w": "weight"}
"""Abbreviations that count where every one of them has its partner."""
_CONFIDENCE = (Role.WEIGHT, Role.DEVIATION)


@dataclass(frozen=True, slots=True)
class _Parts:
    name: str
    word: str
    role: Role


def with_flat_pairs(headings: HeadingRows, first_score: int) -> HeadingRows:
    """Take the headings of score and confidence (or rank) columns apart; unchanged where they are no pairs.

    Every column with a confidence in its heading must have exactly one partner: a column with the same name and a
    word for a score, or with the name alone.

    Parameters
    ----------
    first_score
        The first column that can hold scores.
    """
    columns = range(first_score, len(headings.lower))
    if headings.upper:
        return _with_blocks(_in_full(headings, columns), columns)
    sure = {j: parts for j in columns if (parts := _parted(headings.lower[j], _CONFIDENCE))}
    ranked = {j: parts for j in columns if j not in sure and (parts := _ranked(headings.lower[j]))}
    joined, lower = list(headings.headings), list(headings.lower)
    for j, word in _bare_words(headings.lower, columns).items():
        joined[j], lower[j] = f"{label_text(headings.lower[j - 1])} - {word}", word
    for beside in (sure, ranked):
        others = [k for k in columns if k not in sure and k not in ranked]
        partner = _partners(headings.lower, beside, others) if len(beside) >= _LEAST_PAIRS else {}
        for j, (k, same) in partner.items():
            parts = beside[j]
            for column, held in ((k, same), (j, parts)):
                joined[column] = f"{held.name} - {held.word}" if held.word else held.name
                lower[column] = held.word or held.name
            if beside is ranked:
                joined[k] = same.name
    return replace(headings, headings=tuple(joined), lower=tuple(lower))


def _bare_words(headings: Sequence[Any], columns: range) -> dict[int, str]:
    """Find the columns headed by one word for a confidence alone, each right of a column with a name."""
    words: dict[str, list[int]] = {}
    for j in columns:
        text = _bare(headings[j]).casefold().strip(".")
        if role_of(_in_trade(text)) in _CONFIDENCE:
            words.setdefault(text, []).append(j)
    for text, found in words.items():
        named = [j - 1 for j in found if j > columns.start and role_of(headings[j - 1]) is Role.OTHER]
        if len(words) == 1 and len(found) >= _LEAST_PAIRS and len(named) == len(found):
            return dict.fromkeys(found, _in_trade(text))
    return {}


def _in_full(headings: HeadingRows, columns: range) -> HeadingRows:
    """Spell "Conf." out that stands below each of several names."""
    short = [j for j in columns if _SHORT.get(label_text(headings.lower[j]).casefold().strip(".")) == "confidence"]
    if len(short) < _LEAST_PAIRS:
        return headings
    joined, lower = list(headings.headings), list(headings.lower)
    for j in short:
        name = label_text(joined[j]).removesuffix(label_text(lower[j])).removesuffix(" - ")
        joined[j], lower[j] = f"{name} - confidence", "confidence"
    return replace(headings, headings=tuple(joined), lower=tuple(lower))


def _with_blocks(headings: HeadingRows, columns: range) -> HeadingRows:
    """Turn round what stands in two rows where the upper one says what a block holds and the lower one the names."""
    held = [j for j in columns if headings.lower[j] is not None]
    names = {j: label_text(headings.lower[j]) for j in held}
    over = {j: label_text(headings.headings[j]).removesuffix(f" - {names[j]}") for j in held}
    kinds = {word: role_of(word) for word in over.values()}
    scores, sure = ({j for j in held if kinds[over[j]] in roles} for roles in ((Role.SCORE,), _CONFIDENCE))
    alike = sorted(names[j] for j in scores) == sorted(names[j] for j in sure) == sorted({names[j] for j in sure})
    if len(kinds) != len((Role.SCORE, Role.WEIGHT)) or len(sure) < _LEAST_PAIRS or not alike:
        return headings
    joined, lower = list(headings.headings), list(headings.lower)
    for j in held:
        joined[j], lower[j] = f"{names[j]} - {over[j]}", over[j]
    return replace(headings, headings=tuple(joined), lower=tuple(lower))


def _partners(
    headings: Sequence[Any], beside: Mapping[int, _Parts], others: Sequence[int]
) -> dict[int, tuple[int, _Parts]]:
    """Give each of these columns the one of the others that has the same name; none where one has not exactly one."""
    found: dict[int, tuple[int, _Parts]] = {}
    for j, parts in beside.items():
        partners = [(k, same) for k in others if (same := _partner(headings[k], parts.name))]
        if len(partners) != 1:
            return {}
        found[j] = partners[0]
    return found


def _ranked(heading: Any) -> _Parts | None:
    """Split a heading into a name and a word for a rank, where it is no rank as a whole."""
    if not isinstance(heading, str) or statistic_kind(heading) is not None:
        return None
    for end in _ENDS:
        match = end.fullmatch(_bare(heading))
        if match and statistic_kind(match["word"]) == "rank":
            return _Parts(match["name"].strip(), match["word"].strip(), Role.STATISTIC)
    return None


def _parted(heading: Any, roles: Sequence[Role]) -> _Parts | None:
    """Split a heading into a name and a word for what the column holds."""
    text = _bare(heading)
    if not isinstance(heading, str) or role_of(heading) not in (Role.OTHER, *roles):
        return None
    for end in _ENDS:
        match = end.fullmatch(text)
        word = _in_trade(match["word"]) if match else ""
        if match and (role := role_of(word)) in roles:
            return _Parts(match["name"].strip(" ()[]"), word, role)
    return None


def _in_trade(word: str) -> str:
    """Return the word of the trade for an abbreviation, or for words that speak of being sure; else the word."""
    said = set(words_of(word))
    if said & SURE and said <= SURE | SURE_FILLERS:
        return "confidence"
    return _SHORT.get(word.casefold().strip("."), word.strip())


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
