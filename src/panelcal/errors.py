"""Every way panelcal can say no, by stage: the panel, the method, the sheet, the file.

The text of each error is one sentence (or one per kind of problem) that a board secretary can act on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.frozen import dataclass

LARGEST = 1e50
"""Scores and confidences beyond this, and confidences below its reciprocal, are refused: fourth powers must exist."""


class PanelcalError(Exception):
    """Base of every error that panelcal raises on purpose; its text is meant for the user.

    Examples
    --------
    >>> issubclass(InvalidPanel, PanelcalError)
    True
    """


class InvalidPanel(PanelcalError, ValueError):
    """The assessments cannot form a panel (a score that is not a number, a confidence that is not positive, ...).

    Examples
    --------
    >>> try:
    ...     Panel.from_records(['A'], ['x'], [float('nan')])
    ... except InvalidPanel as problem:
    ...     print(problem)
    Not a finite score: x for A.
    """


class DisconnectedPanel(PanelcalError, ValueError):
    """The assessor-object graph falls into groups that share nothing, so no common scale exists.

    Attributes
    ----------
    components
        One ``(objects, assessors)`` pair of label tuples for each connected group, largest first.

    Examples
    --------
    >>> try:
    ...     calibrate(Panel.from_records(['A', 'B'], ['x', 'y'], [1, 2]))
    ... except DisconnectedPanel as problem:
    ...     print(problem.components)
    ((('A',), ('x',)), (('B',), ('y',)))
    """

    def __init__(self, message: str, components: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
        super().__init__(message)
        self.components = tuple(components)


class PanelTooLarge(PanelcalError, ValueError):
    """A panel has more objects or assessors than a sheet has rows, or needs more memory than is free."""


class MethodNotApplicable(PanelcalError, ValueError):
    """A method was asked for on a panel where its answer would not mean anything.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> try:
    ...     calibrate(panel, gauge='sideways')
    ... except MethodNotApplicable:
    ...     print('there is no such gauge')
    there is no such gauge
    """


class TimeLimitReached(PanelcalError, TimeoutError):
    """A time limit ended a run, and nothing of it is reported.

    Examples
    --------
    >>> issubclass(TimeLimitReached, TimeoutError)
    True
    """


class ImpossiblePlan(PanelcalError, ValueError):
    """No assignment of assessors to objects can be what was asked for.

    Examples
    --------
    >>> try:
    ...     plan_assignment(6, 3, 4)
    ... except ImpossiblePlan:
    ...     print('three assessors are not four')
    three assessors are not four
    """


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer an open question about a file.

    Attributes
    ----------
    gives
        Field of `Settings` (or "sheet", "confidence_sheet") -> what to set it to; several belong together. Patterns
        and codes join those already given, everything else takes their place.
    meaning
        What that does, to be read after "to": "leave it out", "read it as a list".
    """

    gives: Mapping[str, Any]
    meaning: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a file leaves open.

    Attributes
    ----------
    sentence
        What was found and why it is not clear, without what to do.
    answers
        The ways to answer it; each leads on by itself.
    cells
        Addresses such as ``"Marks!C7"``.
    """

    sentence: str
    answers: tuple[Answer, ...]
    cells: tuple[str, ...] = ()


class InputRefused(PanelcalError):
    """A sheet cannot be read as it stands.

    Attributes
    ----------
    cells
        Addresses of the cells at fault, such as ``"Marks!C7"`` (all of them, also where the text shows only ten).
    questions
        What only the user can say, each with the ways to answer it; the text has the same in words for this file.
    problems
        What else is wrong, a sentence each, where there are questions as well.

    Examples
    --------
    >>> marks = chr(10).join(['Student,Maths,Physics', 'Ann,50,absent', 'Bo,55,65', 'Cy,70,82']).encode()
    >>> try:
    ...     run_bytes([('marks.csv', marks)])
    ... except InputRefused as problem:
    ...     print(problem.cells)
    ('marks!C2',)
    """

    def __init__(
        self,
        message: str,
        cells: Sequence[str] = (),
        questions: Sequence[Question] = (),
        problems: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.cells = tuple(cells)
        self.questions = tuple(questions)
        self.problems = tuple(problems)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer to any of the questions."""
        return tuple(answer for question in self.questions for answer in question.answers)


class SheetUnclear(InputRefused):
    """More than one sheet could hold what is looked for; each door has a way of its own to name one."""


class FileProblem(PanelcalError):
    """A file cannot be opened, read or written.

    Examples
    --------
    >>> try:
    ...     run_bytes([('marks.csv', b'')])
    ... except FileProblem as problem:
    ...     print(problem)
    marks.csv is empty (0 bytes): save it again from your spreadsheet program, or use a backup.
    """


class InstallProblem(PanelcalError):
    """The add-in cannot be built, put into Excel or removed."""


def first_few(names: Sequence[str], most: int = 10) -> str:
    """List the first names and say how many more there are: "T1, T2 and 3 more"."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
