"""Words in the place of a score that say that none was given: nb, n.v., not reviewed, non valutato."""

from __future__ import annotations

from panelcal.reading.cell_values import code_key
from panelcal.reading.headings import OBJECT_WORDS, words_of
from panelcal.reading.nouns import Nouns
from panelcal.reading.vocabulary import ASSESSORS, NOT_THERE, NOTHING_GIVEN, OBJECTS

_EXAMINED = frozenset({"student", "candidate", "pupil", "examinee", "matriculation", "participant"})
_EXAMS = frozenset({"module", "course", "subject", "unit", "exam", "test", "examiner", "marker"})
_OF_REVIEWS, _OF_ANYBODY = (frozenset(map(code_key, spelt)) for spelt in (NOTHING_GIVEN, NOT_THERE))


def is_absence(word: str, nouns: Nouns) -> bool:
    """Tell whether a word says that nothing was assessed.

    That a student was absent from an exam may count as zero, or as failed: so much is asked, and not decided by a word.
    """
    key = code_key(word)
    return key in _OF_REVIEWS or (key in _OF_ANYBODY and not _is_exam(nouns))


def _is_exam(nouns: Nouns) -> bool:
    things = {OBJECTS.get(word, word) for word in words_of(nouns.object)}
    places = {ASSESSORS.get(word, word) for word in words_of(nouns.assessor)}
    unnamed = things.isdisjoint(OBJECT_WORDS - {"object"})
    return bool(things & _EXAMINED or places & _EXAMS) or (unnamed and nouns.score.casefold() == "mark")
