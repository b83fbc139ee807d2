"""Ask everything at once: what a file would still leave open when its first questions are answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.answers import Way, merged, questions_in_words
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import Over

_MOST_ROUNDS, _MOST_ANSWERS = 6, 4
_SETTINGS = frozenset(Settings.__slots__)
_HARMLESS = frozenset({"exclude", "include", "codes", "same"})
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
    questions += _after_any_answer([one for one in questions if not _is_tried(one)], questions, over, read)
    if len(questions) == len(refusal.questions):
        return refusal
    lines = [*refusal.problems, *questions_in_words(questions, way)]
    cells = [*refusal.cells, *(cell for one in questions[len(refusal.questions) :] for cell in one.cells)]
    return InputRefused("\n".join(lines), cells, questions, refusal.problems)


def _after_any_answer(
    left: list[Question], asked: list[Question], over: Over, read: Callable[[Over], Any]
) -> list[Question]:
    """Return what would be asked whichever way the one question is answered that was not tried yet."""
    if len(left) != 1 or not 1 < len(left[0].answers) <= _MOST_ANSWERS:
        return []
    if any(name not in _SETTINGS for answer in left[0].answers for name in answer.gives):
        return []  # another sheet, or files by name: more than a setting
    following: list[list[Question]] = []
    for answer in left[0].answers:
        try:
            read(_answered(over, [answer]))
        except InputRefused as further:
            following.append([one for one in further.questions if not _asked(one, asked)])
        else:
            return []
    return [one for one in following[0] if all(_asked(one, others) for others in following[1:])]


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
    """Tell whether a question has the answers of one that is asked already, or asks about some of its words again."""
    words = _words_in(question)
    return any(question.answers == one.answers or (words and words <= _words_in(one)) for one in questions)


def _words_in(question: Question) -> frozenset[str]:
    """Return the words in cells that answers give a meaning to; none where an answer is about anything else."""
    given = [answer.gives for answer in question.answers]
    if any(not set(gives) <= {"codes", "grades"} for gives in given):
        return frozenset()
    return frozenset(word for gives in given for table in gives.values() for word in table)
