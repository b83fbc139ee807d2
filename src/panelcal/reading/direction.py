"""Which way a matrix lies where its corner does not say so: by the labels on either side, such as Judge 1 or Talk 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from panelcal.reading import vocabulary
from panelcal.reading.headings import ASSESSOR_WORDS, Role, role_of, words_of
from panelcal.reading.plausibility.odd_names import is_full_name

_MOST_LABELS = 0.8
_MANY_MORE = 2
_ASSESSORS = frozenset(
    "judge marker reviewer examiner assessor juror rater referee panellist panelist grader evaluator scorer moderator "
    "annotator adjudicator".split()
)
_OBJECTS = frozenset(
    "talk candidate applicant proposal student pupil paper manuscript submission abstract poster participant entrant "
    "contestant competitor gymnast skater".split()
)
_TITLES = frozenset("prof professor dr".split())


class Direction(Enum):
    """What the labels of a matrix say about the way it lies."""

    SILENT = "silent"
    DOWN = "down"
    ACROSS = "across"
    PERHAPS_ACROSS = "perhaps across"


def direction_of(rows: Sequence[str], columns: Sequence[str]) -> Direction:
    """Compare the labels of the rows with the headings of the columns.

    Rows that are called Judge 1, Judge 2 are judges. Rows of professors, or columns called Talk 1, Talk 2, make
    it likely that the matrix lies the other way, and up to twice as many rows as columns make it possible where nothing
    else tells. Rows with numbers in their labels, beside columns without, are assessed.
    """
    if not rows or not columns:
        return Direction.SILENT
    if _share(columns, _assessor) > 0 or _share(rows, _object) > 0:
        return Direction.DOWN
    if _share(rows, _assessor) >= _MOST_LABELS:
        return Direction.ACROSS
    titled = _share(rows, _titled) >= _MOST_LABELS and _share(columns, _titled) == 0
    if titled or _share(columns, _object) >= _MOST_LABELS:
        return Direction.PERHAPS_ACROSS
    if _share(rows, _numbered) >= _MOST_LABELS and not any(_numbered(one) and not one.isdigit() for one in columns):
        return Direction.DOWN
    return Direction.PERHAPS_ACROSS if len(rows) <= _MANY_MORE * len(columns) else Direction.SILENT


def people_beside_titles(rows: Sequence[str], columns: Sequence[str]) -> bool:
    """Tell whether rows of people meet columns of several words each, none of them a word for an exam or its parts."""
    if (
        not rows
        or not columns
        or _share(rows, is_full_name) < _MOST_LABELS
        or _share(columns, is_full_name) > 1 - _MOST_LABELS
    ):
        return False
    said = [words_of(one) for one in columns]
    parts = vocabulary.PLACES | vocabulary.PARTS_OF_SELECTION | vocabulary.PARTS_OF_COURSES
    if any(any(word.isdigit() or word in parts for word in one) for one in said):
        return False
    return all(len(one) > 1 for one in said)


def _share(labels: Sequence[str], test: Callable[[str], bool]) -> float:
    return sum(map(test, labels)) / len(labels)


def _assessor(label: str) -> bool:
    """Tell whether a label is a word for an assessor with a number, a letter or a name, such as Judge 1."""
    words = words_of(label)
    return len(words) > 1 and vocabulary.ASSESSORS.get(words[0], words[0]) in _ASSESSORS


def _object(label: str) -> bool:
    words = words_of(label)
    return len(words) > 1 and vocabulary.OBJECTS.get(words[0], words[0]) in _OBJECTS and role_of(label) is not Role.NAME


def _numbered(label: str) -> bool:
    return any(character.isdigit() for character in label)


def _titled(label: str) -> bool:
    words = words_of(label)
    return len(words) > 1 and words[0] in _TITLES


def name_people(headings: Sequence[str]) -> bool:
    """Tell whether headings say of each column who assesses, as rater_ann does, whatever the corner says."""
    said = [words_of(heading) for heading in headings]
    return all(len(one) > 1 and one[0] in ASSESSOR_WORDS - vocabulary.PLACES for one in said)
