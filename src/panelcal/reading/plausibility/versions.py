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
_AGAIN = words(
    "resit retake attempt repeat repeated redo supplementary supp wiederholung wiederholungsprüfung nachprüfung "
    "nachschrift rattrapage repêchage recuperación recupero recuperação herkansing poprawka bis ter r"
)
_FEWEST = 2
_SURELY = r"bis|ter|(?:r|v|round|runde|ronda|ronde|giro|rodada|tour|version|durchgang|attempt|versuch)[\s._]*[1-9]"
_TAGGED = re.compile(rf"(?P<stem>.*?[^\W\d_])(?:[\s_–-]*[(\[]|[\s_–-]+)(?P<tag>{_SURELY}|[12])[)\]]?", re.I)
_NUMBERED = re.compile(r"(?P<stem>.*[^\W\d_])(?P<tag>[12])")
_SURE = re.compile(_SURELY, re.I)
_BRACKETED = re.compile(r"(?P<name>.+?)\s*\[(?P<part>[^\[\]]+)\]")
_SPACED = (re.compile(r"(?P<name>.+)\s(?P<part>\S+)"), re.compile(r"(?P<name>\S+)\s(?P<part>.+)"))
_PARTED = (
    re.compile(r"(?P<name>.+?)\s*\((?P<part>[^()]+)\)"),
    re.compile(r"(?P<name>.+?)\s*(?:>+|→|::?|\||/|–|—|\s-\s|_|\.\s?)\s*(?P<part>.+)"),
    re.compile(r"(?P<name>.+)\s*(?:>+|→|::?|\||/|–|—|\s-\s|_|\.\s?)\s*(?P<part>.+)"),
    *_SPACED,
)
_FEWEST_SPACED = 6  # lines: two first names and two family names are four people

Parts = Mapping[str, tuple[int, ...]]
"""Word -> the lines that have it."""


def versions_of(labels: Mapping[int, str], *, people: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find the columns that hold the first and the second version of what each assessor gave.

    Parameters
    ----------
    labels
        Column -> heading, in the order of the sheet.
    people
        Whether the columns may be people: Meier and Meier2 are one, Algebra and Algebra 2 are two modules.

    Returns
    -------
    first, second
        Both empty unless every column belongs to such a pair, and all pairs are told apart by the same words.
    """
    tagged = _by_tags(labels, people=people)
    return tagged if tagged[0] else _by_words(labels)


def repeated_later(labels: Mapping[int, str]) -> dict[int, int]:
    """Find the few columns that say to be a later version of another: "Algebra (resit)" beside "Algebra".

    Returns
    -------
    found
        Column -> the column it is a version of.
    """
    by_words = {_words(label): column for column, label in labels.items()}
    found: dict[int, int] = {}
    for said, column in by_words.items():
        for end in range(1, len(said)):
            known = all(word in _AGAIN or word in _VERSIONS or word.isdigit() for word in said[end:])
            if known and not said[end:][-1].isdigit() and said[:end] in by_words:
                found[column] = by_words[said[:end]]
    letters = [column for column in found if _words(labels[column])[-1] == "r"]
    return {} if letters and len(letters) < _FEWEST else found


def _by_tags(labels: Mapping[int, str], *, people: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find pairs told apart by what stands behind each name: Meier and Meier2, Meier (R1) and Meier (R2)."""
    split: dict[str, dict[str, int]] = {}
    sure = False
    for column, label in labels.items():
        found = _TAGGED.fullmatch(label.strip()) or (_NUMBERED.fullmatch(label.strip()) if people else None)
        tag = found["tag"].casefold() if found else ""
        sure = sure or bool(_SURE.fullmatch(tag))
        split.setdefault(tag, {})[(found["stem"] if found else label.strip()).casefold()] = column
    if len(split) != _FEWEST or not (sure or (people and split.keys() == {"", "2"})):
        return (), ()
    first, second = (split[tag] for tag in sorted(split))
    if len(first) < _FEWEST or first.keys() != second.keys() or len(first) + len(second) != len(labels):
        return (), ()
    return tuple(first.values()), tuple(second[stem] for stem in first)


def _by_words(labels: Mapping[int, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find pairs beside each other that are told apart by the words of versions."""
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


def parts_of(labels: Mapping[int, str], *, signs: bool = False) -> tuple[Parts, Parts]:
    """Sort lines labelled "Alpha [Idea]", "Alpha [Pitch]", "Beta [Idea]" and so on by both words, as forms write them.

    Parameters
    ----------
    labels
        Line -> label.
    signs
        Whether other signs may part the two, and a space where there are enough lines.

    Returns
    -------
    before, within
        Word before the brackets (or the sign), and within (behind) them -> lines; empty unless every word goes with
        every other.
    """
    for sign in (_BRACKETED, *(_PARTED if signs else ())):
        before, within = _parted(labels, sign)
        fewest = _FEWEST_SPACED if sign in _SPACED else 0
        if before and len(labels) >= fewest and not (sign in _SPACED and any(map(_counts, (before, within)))):
            return before, within
    return {}, {}


def _parted(labels: Mapping[int, str], sign: re.Pattern[str]) -> tuple[Parts, Parts]:
    """Sort lines by what stands on both sides of a sign; empty unless each goes with every other."""
    before: dict[str, list[int]] = {}
    within: dict[str, list[int]] = {}
    pairs: set[tuple[str, str]] = set()
    for line, label in labels.items():
        found = sign.fullmatch(label.strip())
        if not found:
            return {}, {}
        before.setdefault(found["name"], []).append(line)
        within.setdefault(found["part"], []).append(line)
        pairs.add((found["name"], found["part"]))
    if min(len(before), len(within)) < _FEWEST or not len(before) * len(within) == len(labels) == len(pairs):
        return {}, {}
    return {one: tuple(lines) for one, lines in before.items()}, {one: tuple(k) for one, k in within.items()}


def _counts(side: Parts) -> bool:
    """Tell whether words are numbers: Algebra 1, Algebra 2, Logic 1, Logic 2 are four modules."""
    return all(re.fullmatch(r"[IVX]+|\W*\d+\W*", one) for one in side)


def _words(label: str) -> tuple[str, ...]:
    return words_of(label.translate({ord(sign): " " for sign in "()[]"}))


def _split(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Split two headings into the words they begin with alike, and the rest of each."""
    alike = 0
    while alike < min(len(first), len(second)) and first[alike] == second[alike]:
        alike += 1
    return tuple(first[:alike]), tuple(first[alike:]), tuple(second[alike:])
