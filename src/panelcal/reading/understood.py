"""What was understood of a sheet, said first and by name: who assesses, what, on which range, what is not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from panelcal.reading.decisions import Decision
from panelcal.reading.nouns import opening, plural

_FIRST_NAMED = 3

_LINES_NOT_READ = frozenset(
    {
        "total or statistic",
        "statistics row",
        "column about objects",
        "confidence column not used",
        "text column",
        "text without heading",
        "column not read",
        "left out by name",
        "hidden excluded",
        "outside the block",
        "duplicate row",
        "duplicate column",
    }
)
"""Kinds of decisions that leave out whole columns and rows."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """Who assessed what, on which range.

    Attributes
    ----------
    assessors, objects
        Their names, in the order of the sheet.
    assessor_noun, object_noun, score_noun
        Words for one of them.
    lowest, highest
        Ends of the scores that are used.
    not_read
        What says of columns and rows why they are not read.
    """

    assessors: Sequence[str]
    objects: Sequence[str]
    assessor_noun: str
    object_noun: str
    score_noun: str
    lowest: float
    highest: float
    not_read: tuple[Decision, ...]

    def rows(self) -> tuple[tuple[str, int | str, str], ...]:
        """(what, how many or which range, who) for the assessors, the objects and the scores."""
        spread = f"{self.lowest:g} to {self.highest:g}"
        return (
            (opening(plural(self.assessor_noun)), len(self.assessors), first_and_last(self.assessors)),
            (opening(plural(self.object_noun)), len(self.objects), first_and_last(self.objects)),
            (f"Range of the {plural(self.score_noun)}", spread, ""),
        )

    def sentences(self) -> tuple[str, ...]:
        """Say it in three lines."""
        who = (self.assessor_noun, self.assessors), (self.object_noun, self.objects)
        counted = [f"{len(names):,} {plural(noun, len(names))}: {first_and_last(names)}." for noun, names in who]
        return (*counted, f"{opening(plural(self.score_noun))} from {self.lowest:g} to {self.highest:g}.")


def lines_not_read(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Choose the decisions that leave out whole columns and rows."""
    return tuple(decision for decision in decisions if decision.kind in _LINES_NOT_READ)


def first_and_last(names: Sequence[str]) -> str:
    """Name the first three and the last."""
    if len(names) <= _FIRST_NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_FIRST_NAMED])}, ... and {names[-1]}"
