"""Two columns for each assessor: what was given first, and what became of it ("Ann", "Ann (moderated)")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from panelcal.reading.headings import words_of
from panelcal.reading.vocabulary import words

_VERSIONS = words(
    "moderated revised reviewed adjusted amended corrected confirmed initial before after first second 1st 2nd "
    "original final draft recount remark remarked new old look round pre post unmoderated vor nach erst zweit "
    "moderiert avant après antes después"
)
_FEWEST = 2
_BRACKETED = re.compile(r"(?P<name>.+?)\s*\[(?P<part>[^\[\]]+)\]")


def versions_of(labels: Mapping[int, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find the columns that hold the first and the second version of what each assessor gave.

    Parameters
    ----------
    labels
        Column -> heading, in the order of the sheet.

    Returns
    -------
    first, second
        Both empty unless every column belongs to such a pair, and all pairs are told apart by the same words.
    """
    columns = list(labels)
    pairs = list(zip(columns[::2], columns[1::2], strict=False))
    if len(columns) % 2 or len(pairs) < _FEWEST:
        return (), ()
    split = [_split(_words(labels[a]), _words(labels[b])) for a, b in pairs]
    names = {name for name, _, _ in split}
    ends = {(one, other) for _, one, other in split}
    if len(names) < len(pairs) or () in names or len(ends) > 1:
        return (), ()
    said = {word for one, other in ends for word in (*one, *other)}
    if not said or not said <= _VERSIONS:
        return (), ()
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def parts_of(labels: Mapping[int, str]) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """Sort lines labelled "Alpha [Idea]", "Alpha [Pitch]", "Beta [Idea]" and so on by both words, as forms write them.

    Returns
    -------
    before, within
        Word before the brackets, and within them -> lines; empty unless every word goes with every other.
    """
    before: dict[str, list[int]] = {}
    within: dict[str, list[int]] = {}
    for line, label in labels.items():
        found = _BRACKETED.fullmatch(label.strip())
        if not found:
            return {}, {}
        before.setdefault(found["name"], []).append(line)
        within.setdefault(found["part"], []).append(line)
    if min(len(before), len(within)) < _FEWEST or len(before) * len(within) != len(labels):
        return {}, {}
    return {one: tuple(lines) for one, lines in before.items()}, {one: tuple(k) for one, k in within.items()}


def _words(label: str) -> tuple[str, ...]:
    return words_of(label.translate({ord(sign): " " for sign in "()[]"}))


def _split(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Split two headings into the words they begin with alike, and the rest of each."""
    alike = 0
    while alike < min(len(first), len(second)) and first[alike] == second[alike]:
        alike += 1
    return tuple(first[:alike]), tuple(first[alike:]), tuple(second[alike:])
