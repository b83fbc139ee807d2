"""Several criteria per assessor under flat headings: "J1 Taste", "J1 Looks", "J2 Taste", "J2 Looks", and so on.

Where every name goes with every criterion the headings are taken apart, as if the names stood in a row above; the
reader of criteria below names then asks which of them is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from panelcal.reading.cell_values import label_text
from panelcal.reading.heading_rows import HeadingRows
from panelcal.reading.headings import (
    ASSESSOR_WORDS,
    OBJECT_WORDS,
    Role,
    is_statistic,
    noun_of,
    role_of,
    words_of,
)
from panelcal.reading.label_checks import looks_like_people
from panelcal.reading.patterns import any_matches
from panelcal.reading.plausibility.versions import Parts, parts_of, versions_of
from panelcal.reading.settings import Settings

_STUDENTS = frozenset({"student", "candidate", "pupil"})
_BESIDE = (Role.WEIGHT, Role.DEVIATION, Role.NAME, Role.ABOUT)


def name_modules(corner: Any, names: Sequence[str]) -> bool:
    """Tell whether names are modules of students, whose parts (exam, project) are assessments of their own."""
    thing = noun_of(corner, OBJECT_WORDS).lower()
    assess = any(not ASSESSOR_WORDS.isdisjoint(words_of(name)) for name in names)
    return thing in _STUDENTS and not assess and not looks_like_people(list(names))


def with_flat_criteria(headings: HeadingRows, identifier: int, first_score: int, settings: Settings) -> HeadingRows:
    """Take headings made of a name and a criterion apart; unchanged where they are not, or where patterns name them.

    Parameters
    ----------
    identifier, first_score
        The column of ids, and the first that can hold scores.
    """
    labels = {
        j: label_text(heading)
        for j, heading in enumerate(headings.lower)
        if j >= first_score and isinstance(heading, str) and not is_statistic(heading)
        and role_of(heading) not in _BESIDE
    }  # fmt: skip
    patterns = (*settings.include, *settings.exclude, *settings.scores)
    if headings.upper or any(any_matches(patterns, label) for label in labels.values()):
        return headings
    parts = parts_of(labels, signs=True)
    if not parts[0] or versions_of(labels, people=True)[0]:
        return headings
    names, criteria = _sorted_out(parts, list(labels))
    if name_modules(headings.headings[identifier], list(names)):
        return headings
    joined, lower = list(headings.headings), list(headings.lower)
    for name, columns in names.items():
        for j in columns:
            lower[j] = next(one for one, at in criteria.items() if j in at)
            joined[j] = f"{name} - {lower[j]}"
    return replace(headings, upper=(headings.row,), headings=tuple(joined), lower=tuple(lower))


def _sorted_out(parts: tuple[Parts, Parts], columns: Sequence[int]) -> tuple[Parts, Parts]:
    """Tell the names from the criteria: numbered or abbreviated ones are names, and else those that change least."""
    first, second = parts
    numbered = [sum(bool(re.search(r"[^\W\d_].*\d", one)) for one in side) for side in parts]
    if numbered[0] != numbered[1]:
        return (first, second) if numbered[0] > numbered[1] else (second, first)
    changes = [sum(_of(side, a) != _of(side, b) for a, b in pairwise(columns)) for side in parts]
    return (first, second) if changes[0] <= changes[1] else (second, first)


def _of(side: Parts, column: int) -> str:
    return next(one for one, columns in side.items() if column in columns)
