"""The words of the trade for headings and sentences: from the settings, the headings and the titles of the sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from panelcal.reading.cell_values import label_text
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, SCORE_WORDS, names_both, noun_of, words_of
from panelcal.reading.settings import Settings

_MARKED = ("Student", "Candidate", "Pupil")
_OF_MODULES = ("credit", "credits", "cats", "ects", "cat")


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


def nouns_for(
    settings: Settings,
    object_heading: Any,
    assessor_headings: Iterable[Any],
    score_headings: Iterable[Any],
    weights: str,
) -> Nouns:
    """Choose the nouns.

    Parameters
    ----------
    object_heading
        The heading of the ids.
    assessor_headings, score_headings
        Texts that may contain the word for an assessor or a score (headings, titles, the sheet's name).
    weights
        What the confidences were headed as, "" for none.
    """
    parts = names_both(object_heading)
    thing = settings.object_noun or noun_of(parts[0] if parts else object_heading, OBJECT_WORDS)
    candidates = ([parts[1]] if parts else []) + list(assessor_headings)
    of_modules = any(word in _OF_MODULES for word in words_of(weights))
    assessor = settings.assessor_noun or _first_noun(candidates, ASSESSOR_WORDS) or ("Module" if of_modules else "")
    score = settings.score_noun or _first_noun(score_headings, SCORE_WORDS - {"result", "value", "evaluation"})
    if not score:
        score = "Mark" if thing in _MARKED or assessor == "Module" else "Score"
    return Nouns(thing or "Object", assessor or "Assessor", score, weights)


def _first_noun(texts: Iterable[Any], vocabulary: frozenset[str]) -> str:
    """Find a word of the vocabulary that stands alone or in the plural ("Marks 2026", but not "Exam board")."""
    for text in map(label_text, texts):
        noun = noun_of(text, vocabulary)
        if noun and (len(text.split()) == 1 or plural(noun) in text.casefold().split()):
            return noun
    return ""


def plural(noun: str, count: int = 2) -> str:
    """Spell a noun in small letters for a count: "1 student", "2 students"."""
    word = noun if noun.isupper() else noun.lower()
    if count == 1:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith("sis"):
        return word[:-2] + "es"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def with_article(noun: str) -> str:
    """Spell one of a noun: "a student", "an assessor"."""
    word = plural(noun, 1)
    vowel = word[:1].lower() in "aeio" or (word[:1].lower() == "u" and word[1:2] not in "ns") or word[:3] == "und"
    return f"{'an' if vowel else 'a'} {word}"
