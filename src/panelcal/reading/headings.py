"""The words of the trades: what a heading says its column (or row) holds.

Headings are compared word by word and only as a whole, so that a module called "Mean Field Theory" or a judge called
"Mark Rank" is not taken for a statistic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Any

from panelcal.reading import vocabulary
from panelcal.reading.cell_values import label_text


class Role(Enum):
    """What a heading announces."""

    OBJECT = "object"
    ASSESSOR = "assessor"
    SCORE = "score"
    WEIGHT = "weight"
    DEVIATION = "standard deviation"
    IDENTIFIER = "identifier"
    NAME = "name"
    ABOUT = "about"
    STATISTIC = "statistic"
    OTHER = "other"


_MOST_COLUMNS = 1 << 15  # more than the headings of the widest sheet, which are looked at several times
_SHORT = {"cand": "candidate", "stud": "student"}
OBJECT_WORDS = frozenset(vocabulary.OBJECTS)
ASSESSOR_WORDS = frozenset(vocabulary.ASSESSORS)
SCORE_WORDS = frozenset(vocabulary.SCORES)
ABOUT_WORDS = vocabulary.ABOUT
_ENGLISH = {**vocabulary.SCORES, **vocabulary.ASSESSORS, **vocabulary.OBJECTS}
_STATISTIC_WORDS = frozenset().union(*vocabulary.STATISTICS.values())
_TEST_STUDENT = "student, test"
_OUT_OF = re.compile(  # Total /100, Moyenne sur 20, Anwesenheit in %
    r"\s*(?:(?:/|\b(?:out of|sur|von|van|sobre|su)\b)\s*\d+|,?\s*\(?(?:\b(?:in|en|em|w)\s+)?%\)?)\s*$", re.I
)


def words_of(heading: Any) -> tuple[str, ...]:
    """Split a heading into lower-case singular words; "StudentID", "student_id" and "Student id:" are the same."""
    return _split(label_text(heading))


@lru_cache(maxsize=_MOST_COLUMNS)
def _split(text: str) -> tuple[str, ...]:
    text = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", text) if not re.fullmatch(r"\(.*\)", text) else text
    text = re.sub(r"\|\s*\d+$", "", text.strip())  # the number that Blackboard gives a column
    text = re.sub(r"(?<=\w)[*:_/·]in(nen)?\b", "", text)  # Gutachter*in, Prüfer/in
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold()
    parts = re.split(r"[\s_:;.,/\\|?!-]+", text)
    return tuple(_SHORT.get(word, vocabulary.singular(word)) for word in parts if word)


def _made_of(words: Iterable[str], needed: frozenset[str], fillers: frozenset[str]) -> bool:
    words = list(words)
    return any(word in needed for word in words) and all(word in needed or word in fillers for word in words)


def role_of(heading: Any) -> Role:
    """Tell what a heading says, going by whole headings only; `Role.OTHER` for anything but the words of the trades."""
    return _role_in(label_text(heading))


@lru_cache(maxsize=_MOST_COLUMNS)
def _role_in(text: str) -> Role:
    words = _split(text)
    plain = text.casefold().strip(" :")
    if not words:
        return Role.DEVIATION if plain in vocabulary.DEVIATION_PHRASES else Role.OTHER
    phrase = " ".join(words)
    if plain in vocabulary.DEVIATION_PHRASES or phrase in vocabulary.DEVIATION_PHRASES:
        return Role.DEVIATION
    by_somebody = len(words) == 2 and words[1] == "by" and words[0] in vocabulary.ASSESSED
    if by_somebody or (len(words) == 1 and words[0] in vocabulary.ASSESSORS_ALONE):
        return Role.ASSESSOR
    for role, needed, fillers in _ROLES:
        if _made_of(words, needed, fillers):
            return role
    return Role.OTHER


_EXAM = vocabulary.words("exam anonymous anon examination")
_ROLES = (
    (Role.OBJECT, OBJECT_WORDS, vocabulary.IDENTIFIERS | vocabulary.words("anonymous anon exam input")),
    (Role.IDENTIFIER, vocabulary.IDENTIFIERS, _EXAM),
    (Role.ASSESSOR, ASSESSOR_WORDS, vocabulary.IDENTIFIERS | vocabulary.ASSESSOR_FILLERS),
    (Role.SCORE, SCORE_WORDS, vocabulary.SCORE_FILLERS | {"%"}),
    (Role.WEIGHT, vocabulary.WEIGHTS, vocabulary.WEIGHT_FILLERS),
    (
        Role.NAME,
        vocabulary.NAMES,
        vocabulary.NAME_FILLERS | vocabulary.ASSESSOR_FILLERS | OBJECT_WORDS | ASSESSOR_WORDS,
    ),
    (Role.ABOUT, vocabulary.ABOUT, vocabulary.IDENTIFIERS | vocabulary.NAMES | vocabulary.ABOUT_FILLERS),
)
"""What a heading made of these words, and of nothing but these and those, announces; the first that fits."""


def is_statistic(heading: Any) -> bool:
    """Tell whether a heading, as a whole, names a total, mean, rank, class, comment or other result."""
    return statistic_kind(heading) is not None


def statistic_kind(heading: Any) -> str | None:
    """Tell which statistic a heading, as a whole, names.

    Returns
    -------
    kind
        "sum", "mean", "weighted mean", "trimmed mean", "median", "max", "min", "maximum possible", "rank", "count",
        "deviation", "agreed" (by the markers) or "other" (about the object, but no score: a class, a comment, an
        attendance, a year of birth); None for anything else.
    """
    return _kind_in(label_text(heading))


@lru_cache(maxsize=_MOST_COLUMNS)
def _kind_in(text: str) -> str | None:
    words = _split(text)
    for phrase in (" ".join(words), text.casefold().strip(" :.")):
        if phrase in vocabulary.STATISTIC_PHRASES:
            return vocabulary.STATISTIC_PHRASES[phrase]
    if text.casefold() == _TEST_STUDENT:
        return "other"
    if words[:2] == ("std", "dev") and set(words[2:]) <= vocabulary.STATISTIC_FILLERS | SCORE_WORDS:
        return "deviation"  # as a pivot table has it: StdDev of Score
    if bare := _OUT_OF.sub("", text) if _OUT_OF.search(text) else "":
        return _kind_in(bare)
    meaningful = [word for word in words if not word.isdigit()]
    if _made_of(words, vocabulary.AGREED, vocabulary.SCORE_FILLERS | SCORE_WORDS):
        return "agreed"
    if _selects(words) or _made_of(words, vocabulary.PENALTIES, vocabulary.PENALTY_FILLERS):
        return "other"
    if len(meaningful) == 1 and any(word.isdigit() and len(word) != 4 for word in words):
        return None
    if not _made_of(meaningful, _STATISTIC_WORDS, vocabulary.STATISTIC_FILLERS):
        return None
    kind = next(kind for kind, known in vocabulary.STATISTICS.items() if not known.isdisjoint(meaningful))
    if kind == "other" and text.endswith("]") and _role_in(text) is Role.SCORE:
        return None  # Note [Boats that think]: a form's question for a score of that item
    return _sort_of_mean(kind, meaningful) if kind in ("mean", "sum") else kind


def _sort_of_mean(kind: str, words: Iterable[str]) -> str:
    """Tell a trimmed or weighted mean from a plain one, or a sum."""
    if not _TRIMMED.isdisjoint(words):
        return "trimmed mean"
    return kind if _WEIGHTED.isdisjoint(words) else "weighted mean"


def _selects(words: Iterable[str]) -> bool:
    """Tell whether words name a statistic of some of the scores: "Best 4 of 5", "Top three average", "Drop lowest"."""
    said = {word for word in words if not word.isdigit()}
    numbers = any(word.isdigit() and len(word) <= _MOST_DIGITS for word in words) or bool(said & vocabulary.NUMBERS)
    best = bool(said & vocabulary.SELECTING) and numbers
    without = bool(said & vocabulary.LEAVING_OUT and said & vocabulary.LEFT_OUT)
    known = vocabulary.SELECTING | vocabulary.LEAVING_OUT | vocabulary.LEFT_OUT | vocabulary.NUMBERS
    known |= vocabulary.SELECTION_FILLERS | vocabulary.STATISTIC_FILLERS | _STATISTIC_WORDS
    return (best or without) and said <= known


_MOST_DIGITS = 2
_TRIMMED = vocabulary.words("trimmed truncated truncada truncado getrimmt gestutzt tronquée")
_WEIGHTED = vocabulary.words(
    "weighted gewichtet gewichteter gewichtetes pondérée pondéré ponderada ponderado ponderata ponderato gewogen ważona"
)


def names_both(heading: Any) -> tuple[str, str] | None:
    """Read a corner such as "Student / Module" or "Talk by Judge": the words for rows and for columns."""
    parts = [part.strip() for part in re.split(r"\s*[/\\|]\s*|\s+(?:by|x|×)\s+", label_text(heading)) if part.strip()]
    return (parts[0], parts[1]) if len(parts) == 2 and not parts[1].isdigit() else None


def numbers_an_assessor(heading: Any) -> bool:
    """Tell whether a heading is the word for an assessor with a number, as above the scores of each: judge_1."""
    words = words_of(heading)
    return any(word.isdigit() for word in words) and all(word.isdigit() or word in ASSESSOR_WORDS for word in words)


def noun_of(heading: Any, vocabulary: frozenset[str]) -> str:
    """Take the trade's word out of a heading, capitalised and singular ("Students" -> "Student"); "" without one."""
    found = [word for word in words_of(heading) if word in vocabulary]
    return _ENGLISH.get(found[0], found[0]).capitalize() if found else ""
