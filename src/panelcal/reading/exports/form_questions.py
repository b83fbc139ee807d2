"""Forms have questions for headings: which of them names what is assessed, which asks for the score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from panelcal.reading.cell_values import Kind, is_number, kind_of, label_text, leading_number
from panelcal.reading.exports.known import ASIDE, Gives, Headed, numbers_before_words
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, SCORE_WORDS, Role, noun_of, role_of
from panelcal.reading.patterns import any_matches
from panelcal.reading.vocabulary import WEIGHTS

EMAILS = ("email address", "email", "e-mail*", "adresse de messagerie", "adresse e-mail*", "correo*", "username")
NAMES = (
    "name",
    "your name",
    "full name",
    "nom",
    "nombre",
    "naam",
    "nome",
    "imię i nazwisko",
    "*your name*",
    "ihr name",
    "*reviewer*name*",
    "*judge*name*",
    "*assessor*name*",
    "*examiner*name*",
    "*marker*name*",
)
_CONFIDENT = WEIGHTS | set("confident sure certain familiar sicher sûr seguro sicuro zeker pewny".split())
_GRID = re.compile(r"(?P<question>.+?)\s*\[(?P<item>[^\[\]]+)\]", re.DOTALL)
_LEAST_ITEMS = 3


def answered_by(headed: Headed) -> str:
    """Return the column that tells who answered: names where they are as many as the addresses, else addresses."""
    emails = [heading for heading in headed.find(*EMAILS) if len(_different(headed, heading)) > 1]
    called = [
        heading for heading in headed.headings if role_of(heading) is Role.NAME and noun_of(heading, ASSESSOR_WORDS)
    ]
    names = [heading for heading in (*headed.find(*NAMES), *called) if len(_different(headed, heading)) > 1]
    if emails and names:
        pairs = {
            (_at(headed, i, emails[0]), _at(headed, i, names[0])) for i in range(headed.row + 1, headed.table.n_rows)
        }
        if len(pairs) == len({mail for mail, _ in pairs}) == len({name for _, name in pairs}):
            return names[0]
    return next(iter([*emails, *names]), "")


def questions_of(headed: Headed, answered: str, aside: Sequence[str]) -> Gives | None:
    """Find the questions for object, score and confidence among the headings.

    Parameters
    ----------
    answered
        The column that tells who answered.
    aside
        Headings of the system's own columns.
    """
    asked = [heading for heading in dict.fromkeys(headed.headings) if heading and heading not in (*aside, answered)]
    asked = [heading for heading in asked if headed.values(heading)]
    numeric = [heading for heading in asked if _is_numeric(headed.values(heading))]
    confidences = [heading for heading in numeric if _words(heading) & _CONFIDENT]
    scores = [heading for heading in numeric if heading not in confidences]
    scores = [heading for heading in scores if _words(heading) & SCORE_WORDS] or scores
    rest = [heading for heading in asked if heading not in (*scores, *confidences)]
    objects = [heading for heading in rest if _words(heading) & OBJECT_WORDS and _repeats(headed, heading)]
    if len(objects) != 1 or not scores:
        return None
    gives: dict[str, Any] = {"layout": "list", "object_column": objects[0], "assessor_column": answered}
    if len(scores) == 1:
        gives |= {"score_column": scores[0], **numbers_before_words(headed.values(scores[0]))}
    if len(confidences) == 1:
        gives["confidence_column"] = confidences[0]
    return gives


def grid_of(headed: Headed, answered: str) -> Gives | None:
    """Recognise a question with many items, "Score each poster [Poster 1]": the objects stand across."""
    items = [heading for heading in headed.headings if (found := _GRID.fullmatch(heading)) and found["item"]]
    questions = {found["question"] for heading in items if (found := _GRID.fullmatch(heading))}
    if len(items) < _LEAST_ITEMS or len(questions) > 1:
        return None
    others = [heading for heading in headed.headings if heading and heading not in (*items, answered)]
    return {"layout": "objects across", ASIDE: tuple(others)}


def items_across(headed: Headed, who: Sequence[str], own: Sequence[str], texts: Sequence[int] = ()) -> Gives | None:
    """Recognise responses in rows with what is rated across: every further column of numbers is one of the items.

    Parameters
    ----------
    who
        Headings that may tell who answered, the best first; one in which everybody is different is taken.
    own
        Headings of the system's own columns.
    texts
        Rows right below the headings that explain them and are no responses.
    """
    below = [i for i in range(headed.row + 1, headed.table.n_rows) if i not in texts]

    def values(heading: str) -> list[Any]:
        j = headed.headings.index(heading)
        return [value for i in below if (value := headed.table.cells[i][j]) is not None]

    candidates = [heading for heading in headed.find(*who) if len(set(map(label_text, values(heading)))) == len(below)]
    answered = next(iter(candidates), "")
    items = [
        heading
        for heading in dict.fromkeys(headed.headings)
        if heading and heading != answered and not any_matches(own, heading)
        if (held := values(heading)) and _is_numeric(held)
    ]
    if not answered or len(items) < _LEAST_ITEMS:
        return None
    others = [heading for heading in headed.headings if heading and heading not in (*items, answered)]
    words = [label_text(value) for i in texts for value in headed.table.cells[i] if value is not None]
    return {"layout": "objects across", ASIDE: (*others, *words)}


def _at(headed: Headed, i: int, heading: str) -> str:
    return label_text(headed.table.cells[i][headed.headings.index(heading)])


def _different(headed: Headed, heading: str) -> set[str]:
    return set(map(label_text, headed.values(heading)))


def _repeats(headed: Headed, heading: str) -> bool:
    return len(_different(headed, heading)) < len(headed.values(heading))


def _is_numeric(values: Sequence[Any]) -> bool:
    return all(is_number(v) or kind_of(v)[0] is Kind.TEXT_NUMBER or leading_number(v) is not None for v in values)


def _words(heading: str) -> set[str]:
    found = set(re.findall(r"\w+", heading.casefold()))
    return found | {word.removesuffix("s") for word in found}
