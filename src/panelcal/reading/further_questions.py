"""Ask everything at once: what a file would still leave open when its first questions are answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.answers import Way, merged, questions_in_words
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import Over

_MOST_ROUNDS = 6
_HARMLESS = frozenset({"exclude", "include", "codes"})
"""What an answer may set to be tried: it takes something away or counts it in, and changes nothing about the rest."""


def with_what_follows(refusal: InputRefused, way: Way, over: Over, read: Callable[[Over], Any]) -> InputRefused:
    """Return a refusal with the questions that would come up once its own are answered by leaving things out.

    Parameters
    ----------
    way
        How an answer is given for this file.
    over, read
        What was chosen for this run, and a reading with such choices.
    """
    questions = list(refusal.questions)
    open_ones = questions
    for _ in range(_MOST_ROUNDS):
        tried = [question.answers[0] for question in open_ones if _is_tried(question)]
        if not tried:
            break
        over = _answered(over, tried)
        try:
            read(over)
        except InputRefused as further:
            open_ones = [question for question in further.questions if not _asked(question, questions)]
            questions += open_ones
            continue
        break
    if len(questions) == len(refusal.questions):
        return refusal
    lines = [*refusal.problems, *questions_in_words(questions, way)]
    cells = [*refusal.cells, *(cell for one in questions[len(refusal.questions) :] for cell in one.cells)]
    return InputRefused("\n".join(lines), cells, questions, refusal.problems)


def _is_tried(question: Question) -> bool:
    """Tell whether the first answer to a question is the only one, or only takes something away."""
    answers = question.answers
    return len(answers) == 1 or (bool(answers) and set(answers[0].gives) <= _HARMLESS)


def _answered(over: Over, answers: list[Answer]) -> Over:
    """Put answers over what was chosen."""

    def chosen(settings: Settings) -> Settings:
        settings = over(settings)
        for answer in answers:
            settings = replace(
                settings, **{name: merged(name, getattr(settings, name), value) for name, value in answer.gives.items()}
            )
        return settings

    return chosen


def _asked(question: Question, questions: list[Question]) -> bool:
    """Tell whether a question has the answers of one that is asked already."""
    return any(question.answers == one.answers for one in questions)
