"""The words of the trade for headings and sentences: from the settings, the headings and the titles of the sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, SCORE_WORDS, names_both, noun_of, words_of
from panelcal.reading.settings import Settings

_MARKED = ("Student", "Candidate", "Pupil")
_OF_MODULES = ("credit", "credits", "cats", "ects", "cat")
_IRREGULAR = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "chairman": "chairmen",
    "chairwoman": "chairwomen",
    "criterion": "criteria",
    "curriculum": "curricula",
    "quiz": "quizzes",
    "staff": "staff",
}
_LIKE_YOU = re.compile(r"u(?:ni(?:[^mn]|$)|s[aeu]|t[ei]|k|rol|bi)|eu|ewe|one\b|once\b", re.IGNORECASE)
_SILENT_H = re.compile(r"hour|honest|honou?r|heir", re.IGNORECASE)
_READ_BY_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Nouns:
    """The words of the trade, capitalised singular as headings use them: "Student", "Module", "Mark", "Credits".

    `confidence` names what the confidences were given as ("Credits", "Confidence", "Standard deviation", ...), empty
    when none were given.
    """

    object: str = "Object"
    assessor: str = "Assessor"
    score: str = "Score"
    confidence: str = ""


def deciders(nouns: Nouns) -> str:
    """Name who decides on the results: "the Board" of an examination, "the panel" anywhere else."""
    return "the Board" if nouns.object in _MARKED or nouns.assessor == "Module" else "the panel"


def nouns_for(
    settings: Settings,
    object_heading: Any,
    assessor_headings: Iterable[Any],
    score_headings: Iterable[Any],
    defaults: Nouns = Nouns(),
) -> Nouns:
    """Choose the nouns.

    Parameters
    ----------
    object_heading
        The heading of the ids.
    assessor_headings, score_headings
        Texts that may contain the word for an assessor or a score (headings, titles, the sheet's name).
    defaults
        The words that stand where nothing says another; `confidence` is what the confidences were headed as.
    """
    parts = names_both(object_heading)
    thing = settings.object_noun or noun_of(parts[0] if parts else object_heading, OBJECT_WORDS)
    candidates = ([parts[1]] if parts else []) + list(assessor_headings)
    of_modules = any(word in _OF_MODULES for word in words_of(defaults.confidence))
    assessor = settings.assessor_noun or _first_noun(candidates, ASSESSOR_WORDS) or ("Module" if of_modules else "")
    score = settings.score_noun or _first_noun(score_headings, SCORE_WORDS - {"result", "value", "evaluation"})
    if not score:
        score = "Mark" if thing in _MARKED or assessor == "Module" else defaults.score
    return Nouns(thing or defaults.object, assessor or defaults.assessor, score, defaults.confidence)


def _first_noun(texts: Iterable[Any], vocabulary: frozenset[str]) -> str:
    """Find a word of the vocabulary that stands alone or in the plural ("Marks 2026", but not "Exam board")."""
    for text in map(label_text, texts):
        noun = noun_of(text, vocabulary)
        if noun and (len(text.split()) == 1 or plural(noun) in text.casefold().split()):
            return noun
    return ""


def in_sentence(noun: str) -> str:
    """Spell a heading's noun within a sentence: "Student" -> "student", while "AI", "PhD student" and "X-ray" stay."""
    return " ".join(word if word[1:] != word[1:].lower() or word[1:2] == "-" else word.lower() for word in noun.split())


def opening(text: str) -> str:
    """Spell the first letter of a sentence large, and leave all others as they are."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=1024)
def plural_of(noun: str) -> str:
    """Return the plural of an English noun: theses, juries, coaches; a word that is one already stays."""
    lower = noun.lower()
    before, _, last = lower.rpartition(" ")
    if last in _IRREGULAR:
        kept = len(before) + 1 if before else 0
        return noun[:kept] + noun[kept : kept + 1] + _IRREGULAR[last][1:]
    if lower.endswith("sis"):
        return noun[:-2] + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if lower.endswith(("ss", "us", "is", "as", "x", "z", "ch", "sh")):
        return noun + "es"
    return noun if lower.endswith("s") else noun + "s"


def plural(noun: str, count: int = 2) -> str:
    """Spell a noun within a sentence for a count: "1 student", "2 students"."""
    word = in_sentence(noun)
    return word if count == 1 else plural_of(word)


def counted(count: int, noun: str) -> str:
    """Spell a count with its noun: "1 student", "1,200 students"."""
    return f"{count:,} {plural(noun, count)}"


def with_article(noun: str) -> str:
    """Spell one of a noun within a sentence: "a student", "an assessor", "an MP"."""
    word = in_sentence(noun)
    first = word.split(" ")[0]
    if first[1:2] == "-":
        first = first[0].upper()  # an X-ray, a U-turn
    if first.isupper() and len(first) <= _READ_BY_LETTERS:
        vowel = first[0] in "AEFHILMNORSX"
    else:
        vowel = _SILENT_H.match(word) is not None or (word[:1].lower() in "aeiou" and _LIKE_YOU.match(word) is None)
    return f"{'an' if vowel else 'a'} {word}"
