"""What every reading has: where it comes from, its words and decisions, and what was understood, said by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from panelcal.frozen import dataclass
from panelcal.reading.decisions import About, Decision
from panelcal.reading.nouns import Nouns, counted, in_sentence, opening, plural
from panelcal.reading.settings import Settings

_FIRST_NAMED = 3

_LINES_NOT_READ = frozenset(
    {
        About.TOTAL_OR_STATISTIC,
        About.STATISTICS_ROW,
        About.NAMES_BESIDE_THE_IDS,
        About.COLUMN_ABOUT_OBJECTS,
        About.CONFIDENCE_COLUMN_NOT_USED,
        About.TEXT_COLUMN,
        About.TEXT_WITHOUT_HEADING,
        About.COLUMN_NOT_READ,
        About.LEFT_OUT_BY_NAME,
        About.HIDDEN_EXCLUDED,
        About.OUTSIDE_THE_BLOCK,
        About.DUPLICATE_ROW,
        About.DUPLICATE_COLUMN,
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Header:
    """What the readings of all systems have in common: where they come from, their words and decisions.

    Attributes
    ----------
    settings
        The settings in force, with where they came from among the decisions.
    nouns
        Words for headings and sentences.
    source_name, sheet
        File, and sheet with the scores.
    summary
        "82 students in A5:A86 and 81 modules in B4:CD4".
    decisions
        Everything that was decided.
    fingerprint
        SHA-256, as hex, of the cells read (labels, scores, confidences and settings, with their addresses).
    """

    settings: Settings
    nouns: Nouns
    source_name: str
    sheet: str
    summary: str
    decisions: tuple[Decision, ...]
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Understood(Header, ABC):
    """A sheet with scores as it was read, before anything is computed."""

    @property
    @abstractmethod
    def who_and_what(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the assessors and of the objects, in the order of the sheet."""

    @property
    @abstractmethod
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest of the scores that are used."""

    @property
    @abstractmethod
    def used(self) -> str:
        """How many scores are used: "912 scores"."""

    @property
    def understood(self) -> Understanding:
        """Who assessed what, on which range, and what was not read."""
        nouns = self.nouns
        not_read = tuple(decision for decision in self.decisions if decision.kind in _LINES_NOT_READ)
        return Understanding(*self.who_and_what, nouns.assessor, nouns.object, nouns.score, *self.score_range, not_read)

    @property
    def counts(self) -> str:
        """How much of what was found is used: "912 scores used, 14 filled cells left out, confidences from credits"."""
        excluded = sum(decision.excluded_scores for decision in self.decisions)
        source = in_sentence(self.nouns.confidence)
        confidences = (
            ", with confidences" if source == "confidence" else f", confidences from {source}" if source else ""
        )
        return f"{self.used} used, {counted(excluded, 'filled cell')} left out{confidences}"


def first_and_last(names: Sequence[str]) -> str:
    """Name the first three and the last."""
    if len(names) <= _FIRST_NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_FIRST_NAMED])}, ... and {names[-1]}"
