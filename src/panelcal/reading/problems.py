"""Everything that stops a reading, collected so that the user hears of all of it at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from panelcal.errors import Answer, InputRefused, Question, first_few
from panelcal.reading.answers import Way, questions_in_words
from panelcal.reading.grid import sheet_reference


def listed(names: Sequence[str]) -> str:
    """Spell the first ten names and how many more there are."""
    return first_few(names)


def where(sheet: str, cells: Sequence[str]) -> str:
    """Start a sentence about cells: "Cell C7 on sheet Marks" or "12 cells on sheet Marks (C7, ... and 2 more)"."""
    if len(cells) == 1:
        return f"{'Cells' if ':' in cells[0] else 'Cell'} {cells[0]} on sheet {sheet}"
    return f"{len(cells)} cells on sheet {sheet} ({listed(cells)})"


@dataclass(slots=True)
class _Kind:
    sentence: str
    cells: list[str] = field(default_factory=list)
    values: dict[str, None] = field(default_factory=dict)
    complete: bool = False


@dataclass(slots=True)
class Problems:
    """What is wrong with the sheets, by kind; one line per kind and sheet in the final message.

    Attributes
    ----------
    kinds
        What is wrong.
    questions
        What only the user can say.
    way
        How an answer is given for this file.
    """

    kinds: dict[tuple[str, str], _Kind] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    way: Way = field(default_factory=Way)

    def add(self, sheet: str, sentence: str, cell: str, value: str = "") -> None:
        """Note a cell at fault.

        Parameters
        ----------
        sheet, cell
            Where it is.
        sentence
            What is wrong and what to do. ``{where}`` stands for the cells, ``{values}`` for what they hold; words
            in ``[one|several]`` are chosen by number. Cells with the same sentence share a line.
        value
            What the cell holds, for ``{values}``.
        """
        kind = self.kinds.setdefault((sheet, sentence), _Kind(sentence))
        kind.cells.append(cell)
        if value:
            kind.values.setdefault(value)

    def say(self, sheet: str, sentence: str, cells: Sequence[str] = ()) -> None:
        """Note a problem whose sentence is complete already, whatever it quotes from the sheet."""
        kind = self.kinds.setdefault((sheet, sentence), _Kind(sentence, complete=True))
        kind.cells.extend(cells)

    def ask(self, sheet: str, sentence: str, answers: Sequence[Answer], cells: Sequence[str] = ()) -> None:
        """Note what only the user can say.

        Parameters
        ----------
        sheet, cells
            Where it is.
        sentence
            What was found and why it is not clear, complete; what to do follows from the answers.
        answers
            The ways to answer.
        """
        question = Question(sentence, tuple(answers), tuple(sheet_reference(sheet, cell) for cell in cells))
        if question not in self.questions:
            self.questions.append(question)

    def __bool__(self) -> bool:
        """Tell whether anything stops the reading."""
        return bool(self.kinds or self.questions)

    def stop_if_any(self) -> None:
        """Raise `InputRefused` with a line for every kind and the questions with their answers, if there is one."""
        if not self:
            return
        lines = [_spelled(sheet, kind) for (sheet, _), kind in self.kinds.items()]
        problems = tuple(lines)
        lines += questions_in_words(self.questions, self.way)
        cells = [sheet_reference(sheet, cell) for (sheet, _), kind in self.kinds.items() for cell in kind.cells]
        cells += [cell for question in self.questions for cell in question.cells]
        raise InputRefused("\n".join(lines), cells, self.questions, problems)


def _spelled(sheet: str, kind: _Kind) -> str:
    if kind.complete:
        return kind.sentence
    several = len(kind.cells) > 1 or any(":" in cell for cell in kind.cells)
    text = kind.sentence
    # The choices are resolved before cell contents come in, which may hold brackets of their own.
    text = re.sub(r"\[([^|\]]*)\|([^\]]*)\]", r"\2" if several else r"\1", text)
    return text.replace("{where}", where(sheet, kind.cells)).replace(
        "{values}", listed([f'"{value}"' for value in kind.values])
    )
