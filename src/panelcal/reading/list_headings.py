"""The row of headings of a list: what each column is, as far as headings and the kind of what stands below tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, Role, is_statistic, noun_of, statistic_kind, words_of
from panelcal.reading.list_columns import (
    headed_columns,
    holds_numbers,
    holds_numbers_before_words,
    holds_times,
    pointed_columns,
)
from panelcal.reading.patterns import any_matches
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_SAMPLED = 2000  # rows
_NUMBERED = (("id",), ("uid",))  # the last word of a heading above numbers that are no scores: Local ID


@dataclass(frozen=True, slots=True, eq=False)
class HeadingRow:
    """A row that may be the headings of a list.

    Attributes
    ----------
    table, row, settings
        The sheet, the row, and the settings that columns are looked for with.
    pointed
        The columns that the settings name, by what they hold.
    roles
        All columns by what their headings announce, less those that are to be left out.
    """

    table: Table
    row: int
    settings: Settings
    pointed: Mapping[str, list[int]]
    roles: Mapping[Role, list[int]]

    def heading(self, column: int) -> Any:
        """Return the heading of a column."""
        return self.table.cells[self.row][column]

    def of(self, *roles: Role) -> list[int]:
        """Return the columns with these roles, one role after the other."""
        return [j for role in roles for j in self.roles.get(role, [])]

    def pointed_at(self, *but: str) -> set[int]:
        """Return all columns that the settings name, but those that hold something in `but`."""
        return {j for what, columns in self.pointed.items() if what not in but for j in columns}

    def unclaimed(self, aside: Collection[int]) -> list[int]:
        """Return the columns that no heading makes confidences or a statistic, less some others."""
        taken = {*aside, *self.of(Role.WEIGHT, Role.DEVIATION)}
        return [j for j in self.of(*self.roles) if j not in taken and not is_statistic(self.heading(j))]

    def names(self) -> list[int]:
        """Return the columns of names that are not those of the people who assess."""
        return [j for j in self.of(Role.NAME) if noun_of(self.heading(j), ASSESSOR_WORDS) == ""]

    def wholes(self, aside: Collection[int]) -> list[int]:
        """Return the columns of numbers that are headed as a total or a mean, less some others."""
        free = [j for j in self.of(Role.OTHER) if j not in aside]
        return [j for j in free if statistic_kind(self.heading(j)) in ("sum", "mean") and self.holds_numbers(j)]

    def holds_numbers(self, column: int) -> bool:
        """Tell whether numbers stand below the heading."""
        return holds_numbers(self.table, self.row, column)

    def rated(self) -> list[int]:
        """Return the columns of numbers, headed by a word for what is assessed, that differ within one such text.

        A number of each talk is the same wherever its title comes; marks for its Presentation are not.
        """
        named = self.of(Role.OBJECT)
        numbers = [j for j in named if self.holds_numbers(j)]
        texts = [j for j in named if j not in numbers]
        return [j for j in numbers if any(self._differs_within(j, text) for text in texts)]

    def _differs_within(self, column: int, labels: int) -> bool:
        rows = self.table.cells[self.row + 1 : self.row + 1 + _SAMPLED]
        pairs = {(row[labels], row[column]) for row in rows if row[labels] is not None and row[column] is not None}
        return len({label for label, _ in pairs}) < len(pairs)

    def is_filled(self, column: int) -> bool:
        """Tell whether anything stands below the heading."""
        return any(self.table.cells[k][column] is not None for k in range(self.row + 1, self.table.n_rows))

    def is_constant(self, column: int) -> bool:
        """Tell whether the same stands below the heading in every row, as that of a course in its own gradebook."""
        return len({self.table.cells[k][column] for k in range(self.row + 1, self.table.n_rows)} - {None}) == 1


def heading_row(table: Table, i: int, settings: Settings) -> HeadingRow | None:
    """Sort the columns by what row i says of them; None where it lacks one that the settings name."""
    pointed = pointed_columns(table, i, settings)
    if pointed is None:
        return None
    roles: dict[Role, list[int]] = {}
    for j in headed_columns(table, i, settings):
        roles.setdefault(role_in(settings, table.cells[i][j]), []).append(j)
    return HeadingRow(table, i, settings, pointed, roles)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The columns that could be objects, assessors and scores, and whether a heading speaks of scores."""

    objects: list[int]
    assessors: list[int]
    scores: list[int]
    surely: bool


def candidates(at: HeadingRow) -> Candidates:
    """Tell by the headings which columns could be objects, assessors and scores."""
    labels = at.of(Role.OBJECT, Role.ASSESSOR, Role.NAME, Role.IDENTIFIER)
    aside = at.pointed_at("scores") | ({j for j in labels if not at.is_filled(j)} - at.pointed_at())
    numeric = _numeric_columns(at, aside)
    scores = [j for j in at.of(Role.SCORE) if j in numeric]
    if not scores and len(numeric) < 2:
        # Beside names of assessors "Overall" is what each of them gave in all, and nothing else is called a score.
        numeric = sorted({*numeric, *at.wholes(aside)})
    objects = [j for j in at.of(Role.OBJECT) if j not in aside]
    texts = [j for j in objects if j not in numeric]
    objects = texts if texts or "objects" in at.pointed else objects
    numeric = sorted(set(numeric) - set(objects))
    assessors = _assessors_by_headings(at, aside, several=len(numeric) > 1)
    if not objects and (assessors or "assessors" in at.pointed):
        plain = at.of(Role.IDENTIFIER) or at.of(Role.NAME)
        objects = [j for j in plain if j not in aside]
    return Candidates(
        at.pointed.get("objects", objects),
        at.pointed.get("assessors", assessors),
        at.pointed.get("scores", scores or numeric),
        surely=bool(scores) or "scores" in at.pointed or len(numeric) == 1,
    )


def _numeric_columns(at: HeadingRow, aside: Collection[int]) -> list[int]:
    """Return the columns of numbers that could be scores."""
    numeric = [j for role in (Role.OTHER, Role.SCORE) for j in at.of(role) if _may_hold_scores(at, j, role)]
    # A criterion may be called by a word for what is assessed, such as Presentation.
    rated = at.of(Role.OBJECT) if at.settings.criteria_together else at.rated() if numeric else []
    numeric += [j for j in rated if _may_hold_scores(at, j, Role.OBJECT)]
    numeric = [j for j in numeric if j not in aside]
    called = [j for j in at.of(Role.SCORE) if j not in aside]
    if not set(called) & set(numeric):
        # "5: accept" below Rating is a score whose number is asked about, whatever else holds numbers.
        numeric = sorted({*numeric, *(j for j in called if holds_numbers_before_words(at.table, at.row, j))})
    if not numeric and at.table.grades:
        # Words count as numbers here, and "Recommendation" may be what there is of a score.
        numeric = [j for j in at.of(Role.OTHER) if j not in aside and at.holds_numbers(j)]
    return numeric


def _may_hold_scores(at: HeadingRow, j: int, role: Role) -> bool:
    """Tell whether a column holds numbers that may be scores: no ids and, unless so headed, no statistics or times."""
    heading = at.heading(j)
    if words_of(heading)[-1:] in _NUMBERED or not at.holds_numbers(j):
        return False
    if role is Role.SCORE:
        return True
    statistic = is_statistic(heading) and not any_matches(at.settings.include, heading)
    return not statistic and not holds_times(at.table, at.row, j)


def _assessors_by_headings(at: HeadingRow, aside: Collection[int], *, several: bool) -> list[int]:
    """Return the columns headed as those who assess; a constant one is none beside several columns of numbers."""
    constant_is_none = several and not at.pointed.keys() & {"assessors", "scores"}
    headed = [j for j in at.of(Role.ASSESSOR) if j not in aside]
    assessors = [j for j in headed if not (constant_is_none and at.is_constant(j))]
    # "Member name" names people, and those who assess by the other word in it.
    called = [j for j in at.of(Role.NAME) if noun_of(at.heading(j), ASSESSOR_WORDS) and j not in aside]
    return assessors or called
