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


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHORT = {"cand": "candidate", "stud": "student"}
OBJECT_WORDS = _words(
    "student candidate talk proposal paper manuscript applicant application abstract submission object project item "
    "essay entry entrant contestant competitor presentation poster presenter speaker grant bid pupil participant team "
    "startup nominee nomination thesis dissertation script article exhibit product case performer artwork film wine "
    "matriculation"
)
ASSESSOR_WORDS = _words(
    "module judge marker reviewer examiner agent assessor rater referee panellist panelist grader evaluator "
    "juror expert "
    "scorer model unit course subject exam critic moderator voter annotator test"
)
SCORE_WORDS = _words("mark score rating grade point value result percentage evaluation")
_SCORE_FILLERS = _words("final overall awarded given raw total agreed moderated the")
WEIGHT_WORDS = _words("confidence weight weighting credit cats ects expertise certainty precision")
_WEIGHT_FILLERS = _words("value point rating level per module of reviewer judge assessor self in the score mark")
_DEVIATION_PHRASES = frozenset(
    {
        "sd", "s d", "std", "stdev", "st dev", "std dev", "std deviation", "standard deviation", "sigma", "σ",
        "uncertainty", "+/-", "±", "standard error", "se", "std error", "standard uncertainty",
    }
)  # fmt: skip
_IDENTIFIER_WORDS = _words("id identifier number no nr code ref reference key # num")
_NAME_WORDS = _words("name surname forename title firstname lastname fullname")
_NAME_FILLERS = _words("first last full family given of the middle")
ABOUT_WORDS = _words(
    "programme program degree route year stage department school faculty email mail tutor supervisor college "
    "group section "
    "track session institution affiliation country gender topic category level status mode date time cohort leader "
    "convenor convener lecturer semester term home organisation organization university company room slot order field "
    "discipline type occurrence period kind"
)
_STATISTIC_WORDS = _words(
    "total sum mean average avg ave avge av median rank ranking position place class classification gpa overall "
    "outcome decision "
    "count min max minimum maximum sd stdev variance comment remark note award recommendation n aggregate final "
    "subtotal "
    "passed failed pass fail highest lowest mode quartile percentile cwa wam"
)
_STATISTIC_FILLERS = _words(
    "mark score scores weighted year of credit the all unweighted arithmetic stage level module % percentage out no "
    "number degree proposed provisional suggested draft raw cats ects result grade rate student candidate standard "
    "deviation std dev board exam examiner overall per in and or full available possible range rounded rating point "
    "value on to by from for entries assessment taken obtained attempted judge reviewer talk proposal ug pgt"
)
_STATISTIC_PHRASES = frozenset(
    {
        "standard deviation", "std dev", "std deviation", "st dev", "out of", "full marks", "range", "number of marks",
        "number of scores", "number of students", "number of candidates", "no of students", "no of marks",
        "number marked", "σ", "ø", "∑", "x̄", "weighted", "grade", "degree class", "result",
    }
)  # fmt: skip


def words_of(heading: Any) -> tuple[str, ...]:
    """Split a heading into lower-case singular words; "StudentID", "student_id" and "Student id:" are the same."""
    return _split(label_text(heading))


@lru_cache(maxsize=1 << 14)
def _split(text: str) -> tuple[str, ...]:
    text = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", text) if not re.fullmatch(r"\(.*\)", text) else text
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold()
    return tuple(_SHORT.get(word, _singular(word)) for word in re.split(r"[\s_:;.,/\\|-]+", text) if word)


def _singular(word: str) -> str:
    keep = ("ss", "us", "is", "ects", "cats")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(keep) else word


def _made_of(words: Iterable[str], needed: frozenset[str], fillers: frozenset[str]) -> bool:
    words = list(words)
    return any(word in needed for word in words) and all(word in needed or word in fillers for word in words)


def role_of(heading: Any) -> Role:
    """Tell what a heading says, going by whole headings only; `Role.OTHER` for anything but the words of the trades."""
    words = words_of(heading)
    if not words:
        plain = label_text(heading).casefold().strip(" :")
        return Role.DEVIATION if plain in _DEVIATION_PHRASES else Role.OTHER
    phrase = " ".join(words)
    if label_text(heading).casefold().strip(" :") in _DEVIATION_PHRASES or phrase in _DEVIATION_PHRASES:
        return Role.DEVIATION
    if _made_of(words, OBJECT_WORDS, _IDENTIFIER_WORDS | _words("anonymous anon exam")):
        return Role.OBJECT
    if _made_of(words, _IDENTIFIER_WORDS, _words("exam anonymous anon examination")):
        return Role.IDENTIFIER
    if _made_of(words, ASSESSOR_WORDS, _IDENTIFIER_WORDS):
        return Role.ASSESSOR
    if _made_of(words, SCORE_WORDS, _SCORE_FILLERS | _words("%")):
        return Role.SCORE
    if _made_of(words, WEIGHT_WORDS, _WEIGHT_FILLERS):
        return Role.WEIGHT
    if _made_of(words, _NAME_WORDS, _NAME_FILLERS | OBJECT_WORDS | ASSESSOR_WORDS):
        return Role.NAME
    if _made_of(words, ABOUT_WORDS, _IDENTIFIER_WORDS | _NAME_WORDS | _words("of study the module home")):
        return Role.ABOUT
    return Role.OTHER


def is_statistic(heading: Any) -> bool:
    """Tell whether a heading, as a whole, names a total, mean, rank, class, comment or other result."""
    words = words_of(heading)
    phrase = " ".join(words)
    if phrase in _STATISTIC_PHRASES or label_text(heading).casefold().strip(" :.") in _STATISTIC_PHRASES:
        return True
    meaningful = [word for word in words if not word.isdigit()]
    if len(meaningful) == 1 and any(word.isdigit() and len(word) != 4 for word in words):
        return False
    return _made_of(meaningful, _STATISTIC_WORDS, _STATISTIC_FILLERS)


def names_both(heading: Any) -> tuple[str, str] | None:
    """Read a corner such as "Student / Module" or "Talk by Judge": the words for rows and for columns."""
    parts = [part.strip() for part in re.split(r"\s*[/\\|]\s*|\s+(?:by|x|×)\s+", label_text(heading)) if part.strip()]
    return (parts[0], parts[1]) if len(parts) == 2 else None


def noun_of(heading: Any, vocabulary: frozenset[str]) -> str:
    """Take the trade's word out of a heading, capitalised and singular ("Students" -> "Student"); "" without one."""
    found = [word for word in words_of(heading) if word in vocabulary]
    return found[0].capitalize() if found else ""
