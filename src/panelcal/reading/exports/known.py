"""What it takes to know an export: headings that must be there, and which of them holds what."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import is_number, label_text, leading_number
from panelcal.reading.confidences import CONFIDENCE_WORDS
from panelcal.reading.decisions import About, Decision
from panelcal.reading.patterns import matches
from panelcal.reading.problems import listed
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table

Gives = Mapping[str, Any]
"""Field of `Settings` -> value: what somebody would answer who knows the system."""

ASIDE = "aside"
"""Key for headings of columns to look past, among what an export gives."""
_BELOW = 3
_JOINED = ("exclude", "include")
_SAID = {
    "object_column": "what is assessed from {}",
    "assessor_column": "who assessed it from {}",
    "score_column": "the scores from {}",
    "confidence_column": "the confidences from {}",
}


class Headed:
    """A sheet seen from a row that may hold its headings."""

    def __init__(self, table: Table, row: int) -> None:
        self.table = table
        self.row = row

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The heading of each column, "" for none."""
        return tuple(map(label_text, self.table.cells[self.row]))

    def find(self, *patterns: str) -> list[str]:
        """Return the headings that match, those of the first pattern first; a column without content is no match."""
        found = [j for pattern in patterns for j in self._columns(pattern) if self.values(j)]
        return list(dict.fromkeys(self.headings[j] for j in found))

    def first(self, *patterns: str) -> str:
        """Return the first heading that matches, "" for none."""
        return next(iter(self.find(*patterns)), "")

    def has(self, *patterns: str) -> bool:
        """Tell whether a heading matches one of the patterns, also above an empty column."""
        return any(self._columns(pattern) for pattern in patterns)

    @cached_property
    def _exact(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for j, heading in enumerate(self.headings):
            if heading:
                places.setdefault(" ".join(heading.casefold().split()), []).append(j)
        return places

    def _columns(self, pattern: str) -> list[int]:
        """Return the columns whose heading matches; most patterns are plain headings, looked up and not tried."""
        if not set(pattern) & set("*?"):
            return self._exact.get(pattern.casefold(), [])
        return [j for heading, places in self._exact.items() if matches(pattern, heading) for j in places]

    def values(self, column: int | str) -> list[Any]:
        """Return what stands below a heading, blanks left out."""
        j = self.headings.index(column) if isinstance(column, str) else column
        return [value for i in range(self.row + 1, self.table.n_rows) if (value := self.table.cells[i][j]) is not None]

    def labels(self, pattern: str) -> list[int]:
        """Return the rows below whose first cell matches."""
        cells = self.table.cells
        return [i for i in range(self.row + 1, self.table.n_rows) if matches(pattern, cells[i][0])]

    def is_full(self, heading: str, but: Container[int]) -> bool:
        """Tell whether a column has something in every row, but for some rows."""
        j = self.headings.index(heading)
        rows = range(self.row + 1, self.table.n_rows)
        return all(self.table.cells[i][j] is not None or i in but for i in rows)


@dataclass(frozen=True, slots=True)
class Known:
    """A layout that is recognised: its name with an article, and what it gives when a sheet is one."""

    name: str
    recognise: Callable[[Headed], Gives | None]


@dataclass(frozen=True, slots=True)
class Recognised:
    """A sheet that is a known export.

    Attributes
    ----------
    name
        With its article.
    row
        Its row of headings.
    gives
        What is known about its columns.
    aside
        Headings of columns left of the scores, and words in rows of their own, that stand in the way of reading it.
    """

    name: str
    row: int
    gives: Gives
    aside: tuple[str, ...] = ()

    def beside(self, table: Table) -> Table:
        """Return the sheet without the columns to look past, and rows that hold nothing but such words."""
        if not self.aside:
            return table
        past = {heading.casefold() for heading in self.aside}
        columns = {j for j, value in enumerate(table.cells[self.row]) if label_text(value).casefold() in past}
        return table.without(rows_of_words(table, self.row, self.aside), columns)

    def over(self, settings: Settings) -> Settings:
        """Put what is known under what the user says; the user's word stands."""
        untouched = Settings()
        changed: dict[str, Any] = {}
        for name, value in self.gives.items():
            held = getattr(settings, name)
            if name in _JOINED:
                changed[name] = tuple(dict.fromkeys((*held, *value)))
            elif isinstance(value, Mapping):
                changed[name] = {**value, **held}
            elif held == getattr(untouched, name):
                changed[name] = value
        return replace(settings, **changed)

    def decision(self, table: Table) -> Decision:
        """Say which export it is, and which of its columns are read as what."""
        parts = [
            said.format(self.gives[name])
            for name, said in _SAID.items()
            if self.gives.get(name) not in (None, NO_CONFIDENCES)
        ]
        read = f"; read from it: {', '.join(parts)}" if parts else ""
        there = {label_text(value) for value in table.cells[self.row]}
        past = [heading for heading in self.aside if heading in there]
        for i in sorted(rows_of_words(table, self.row, self.aside)):
            word = next(label_text(value) for value in table.cells[i] if value is not None)
            past.append(f"{table.row_span(i)} ({word})")
        sentence = f"This is {self.name}, going by its headings{read}."
        sentence += f" Not read: {listed(past)}." if past else ""
        return Decision(About.KNOWN_EXPORT, (table.row_span(self.row),), sentence, "note", table.grid.sheet)


def known_list(
    name: str,
    signature: Sequence[Sequence[str]],
    *,
    objects: Sequence[str],
    assessors: Sequence[str],
    scores: Sequence[str],
    confidences: Sequence[str] = (),
) -> Known:
    """Describe a list with one row per review.

    Parameters
    ----------
    name
        With its article: "an EasyChair review list".
    signature
        One of the patterns in each of these must be the heading of a column.
    objects, assessors, scores, confidences
        Headings that hold them, the best first; patterns with * and ?. The first one with content is taken.
    """

    def recognise(headed: Headed) -> Gives | None:
        if not all(headed.has(*patterns) for patterns in signature):
            return None
        thing, assessor, score = headed.first(*objects), headed.first(*assessors), headed.first(*scores)
        if not thing or not assessor or not score:
            return None
        gives: dict[str, Any] = {
            "layout": "list",
            "object_column": thing,
            "assessor_column": assessor,
            "score_column": score,
        }
        if confidence := headed.first(*confidences):
            usable = all(_is_confidence(value) for value in headed.values(confidence))
            gives["confidence_column"] = confidence if usable else NO_CONFIDENCES
        return {**gives, **numbers_before_words(headed.values(score))}

    return Known(name, recognise)


def known_gradebook(
    name: str,
    signature: Sequence[Sequence[str]],
    *,
    students: Sequence[str],
    aside: Sequence[str] = (),
    left_out: Sequence[str] = (),
    rows: Sequence[str] = (),
) -> Known:
    """Describe a gradebook: one row per student, one column per assignment.

    Parameters
    ----------
    signature
        As for a list.
    students
        Headings that identify a student, the best first; the first one that is filled in for everybody is taken.
    aside
        Further headings about a student, and words that fill rows of their own.
    left_out
        Headings, and labels of rows, that are no assignments and no students.
    rows
        Labels of further rows without a student, which the reader understands by itself.
    """

    def recognise(headed: Headed) -> Gives | None:
        if not all(headed.has(*patterns) for patterns in signature):
            return None
        nobody = {i for pattern in (*left_out, *rows) for i in headed.labels(pattern)}
        nobody |= rows_of_words(headed.table, headed.row, aside)
        filled = [heading for heading in headed.find(*students) if headed.is_full(heading, nobody)]
        if not filled:
            return None
        out = [pattern for pattern in left_out if headed.has(pattern) or headed.labels(pattern)]
        gives: dict[str, Any] = {"layout": "objects down", "object_column": filled[0], ASIDE: (*filled[1:], *aside)}
        return {**gives, "exclude": tuple(out)} if out else gives

    return Known(name, recognise)


def with_codes(known: Known, codes: Mapping[str, str]) -> Known:
    """Add texts that a system writes in the place of marks, with their treatment, to what its layout gives."""

    def recognise(headed: Headed) -> Gives | None:
        gives = known.recognise(headed)
        return None if gives is None else {**gives, "codes": codes}

    return Known(known.name, recognise)


def _is_confidence(value: Any) -> bool:
    """Tell whether a value says by itself how much it counts: expertise X, Y or Z does not."""
    return is_number(value) or leading_number(value) is not None or label_text(value).casefold() in CONFIDENCE_WORDS


def rows_of_words(table: Table, row: int, words: Sequence[str]) -> set[int]:
    """Find the rows right below the headings that hold nothing but such words."""
    known = {word.casefold() for word in words}
    near = range(row + 1, min(table.n_rows, row + 1 + _BELOW))
    return {i for i in near if {label_text(v).casefold() for v in table.cells[i] if v is not None} <= known}


def numbers_before_words(values: Sequence[Any]) -> Gives:
    """Give the numbers that stand before the words ("8: accept") as grades, where every score is written so."""
    texts = {value for value in values if isinstance(value, str)}
    numbers = {text: leading_number(text) for text in sorted(texts)}
    if not texts or any(number is None for number in numbers.values()):
        return {}
    return {"grades": numbers}
