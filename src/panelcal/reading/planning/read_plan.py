"""Read what a plan needs from a workbook: a list of objects, a list of assessors, and who must not meet whom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source, address, column_letters
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, Role, is_statistic, noun_of, words_of
from panelcal.reading.label_checks import near_matches, refuse_label
from panelcal.reading.nouns import Nouns, plural
from panelcal.reading.planning.plan_conflicts import (
    KnownNames,
    NamedList,
    conflict_columns,
    conflicts_beside_lists,
    conflicts_on_sheet,
    is_about_conflicts,
    role_of_list,
)
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import Sought, chosen_sheet, is_ours, settings_of
from panelcal.reading.table import Table, table_of
from panelcal.reading.understood import Header

_SEARCHED = 100
_COUNTS = frozenset({"total", "subtotal", "sum", "count"})
_WHAT_IS_NEEDED = (
    "write a heading such as Talk above the talks and, in the same row, one such as Judge above the judges"
)


@dataclass(frozen=True, slots=True)
class PlanWanted:
    """What the caller asks of a plan.

    How many assessors each object is to get, or None and how many objects each assessor takes; the seed of the lots;
    how many minutes an assessment takes. Or how many assessments to make next on what was scored so far.
    """

    per_object: int | None = 3
    seed: int = 0
    per_assessor: int | None = None
    minutes: float | None = None
    following: int | None = None


_USUAL = PlanWanted()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlanLists(Header):
    """What is to be planned; the summary reads "54 talks in A2:A55 and 18 judges in B2:B19".

    Attributes
    ----------
    objects, assessors
        Names in the order of the lists.
    conflicts
        Pairs (object, assessor), counted from 0, that must not be put together; each once, ascending.
    wanted
        What the plan is to be like.
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    conflicts: tuple[tuple[int, int], ...]
    wanted: PlanWanted


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """Where the two lists are: row of headings and columns of a table, and columns that could be such a list too."""

    table: Table
    head: int
    headings: tuple[object, ...]
    objects: int
    assessors: int
    unread: tuple[int, ...]

    @property
    def is_filled(self) -> bool:
        """Whether anything stands below either heading."""
        return any(
            self.table.cells[i][j] is not None
            for i in range(self.head + 1, self.table.n_rows)
            for j in (self.objects, self.assessors)
        )


def read_plan(source: Source, *, sheet: str | None = None, wanted: PlanWanted = _USUAL) -> PlanLists:
    """Read two independent lists under headings of the trade, and conflicts of interest.

    The lists may have different lengths; blank cells are skipped. Conflicts stand on a sheet whose name speaks of
    conflicts, under headings like those of the lists, or beside the lists in columns headed Conflict.

    Parameters
    ----------
    source
        The workbook as loaded.
    sheet
        The sheet with the lists; None = the active one if it holds such lists, else the only one that does.
    wanted
        Goes along with the lists.

    Raises
    ------
    InputRefused
        If a name is there twice, a conflict names somebody unknown, or anything else would have to be guessed. The
        message has one line for each kind of problem.
    """
    settings, _, _ = settings_of(source)
    layout = _chosen(source, sheet or settings.sheet or None, settings)
    table, problems = layout.table, Problems()
    nouns = Nouns(
        settings.object_noun or noun_of(layout.headings[layout.objects], OBJECT_WORDS) or "Object",
        settings.assessor_noun or noun_of(layout.headings[layout.assessors], ASSESSOR_WORDS) or "Assessor",
        settings.score_noun or "Rating",
    )
    decisions: list[Decision] = []
    objects = _names(layout, layout.objects, nouns.object, settings, decisions, problems)
    assessors = _names(layout, layout.assessors, nouns.assessor, settings, decisions, problems)
    known = KnownNames(table.grid.sheet, objects, assessors)
    beside = conflict_columns(layout.headings, settings)
    pairs = conflicts_beside_lists(table, layout.head, beside, known, problems)
    if beside:
        columns = listed([column_letters(table.columns[j]) for j in beside])
        decisions.append(_conflicts_read(len(pairs), f"beside the lists (columns {columns})", table.grid))
    for grid in source.grids:
        if grid is not table.grid and not is_ours(grid.sheet) and is_about_conflicts(grid.sheet):
            found = conflicts_on_sheet(table_of(grid), known, settings, problems)
            decisions.append(_conflicts_read(len(found), f"on sheet {grid.sheet}", grid))
            pairs |= found
    problems.stop_if_any()
    decisions += _unread(layout, nouns)
    for names in (objects, assessors):
        decisions += near_matches(names.cells, table.grid.sheet, plural(names.noun))
    return PlanLists(
        objects=tuple(objects.cells),
        assessors=tuple(assessors.cells),
        conflicts=tuple(sorted(pairs)),
        wanted=wanted,
        settings=settings,
        nouns=nouns,
        source_name=source.name,
        sheet=table.grid.sheet,
        summary=f"{objects.counted} and {assessors.counted}",
        decisions=tuple(decisions),
    )


def _chosen(source: Source, sheet: str | None, settings: Settings) -> _Layout:
    """Choose the sheet with the lists by the rule of the house; lists with names come before empty ones."""
    ours = [grid for grid in source.grids if not is_ours(grid.sheet)]
    ours = [grid for grid in ours if not is_about_conflicts(grid.sheet)] or ours
    sought = Sought(
        "lists",
        partial(_layout_of, settings=settings),
        lambda grid: f"Sheet {grid.sheet} does not hold two lists: {_WHAT_IS_NEEDED}.",
        lambda _: f"No sheet of {source.name} holds a list to plan for and a list to plan with: {_WHAT_IS_NEEDED}.",
        preferred=lambda layout: layout.is_filled,
    )
    return chosen_sheet(source, sheet, ours, sought)[1]


def _layout_of(grid: Grid, settings: Settings) -> _Layout | None:
    """Find the first row that has headings for both lists; of several columns for a list the first is read."""
    table = table_of(grid)
    for i, row in enumerate(table.top(_SEARCHED)):
        roles = [role_of_list(heading, settings) for heading in row]
        if Role.OBJECT in roles and Role.ASSESSOR in roles:
            first = (roles.index(Role.OBJECT), roles.index(Role.ASSESSOR))
            unread = tuple(j for j, role in enumerate(roles) if role is not None and j not in first)
            return _Layout(table, i, tuple(row), *first, unread)
    return None


def _names(
    layout: _Layout, j: int, noun: str, settings: Settings, decisions: list[Decision], problems: Problems
) -> NamedList:
    """Read the names of one list, each of which must stand there once."""
    table, sheet, heading = layout.table, layout.table.grid.sheet, layout.headings[j]
    places: dict[str, list[str]] = {}
    row_of: dict[int, str] = {}
    statistics: list[str] = []
    hidden: list[str] = []
    for i in range(layout.head + 1, table.n_rows):
        value = table.cells[i][j]
        if value is None or words_of(value) == words_of(heading):  # a long list repeats its headings page by page
            continue
        if refuse_label(table, i, j, noun, problems):
            continue
        if _is_total(value):
            statistics.append(table.at(i, j))
        elif table.is_hidden_row(i) and settings.hidden == "exclude":
            hidden.append(table.at(i, j))
        else:
            if table.is_hidden_row(i):
                hidden.append(table.at(i, j))
            row_of[i] = table.label(i, j)
            places.setdefault(row_of[i], []).append(table.at(i, j))
    for name, cells in places.items():
        for cell in cells if len(cells) > 1 else ():
            problems.add(
                sheet,
                f"{{where}} [holds|hold] names of {plural(noun)} that are in the list more than once ({{values}}): "
                f"write each {plural(noun, 1)} once.",
                cell,
                name,
            )
    if not places:
        at = address(*table.place(layout.head, j))
        problems.say(
            sheet,
            f"There is no {plural(noun, 1)} below the heading {label_text(heading)} in cell {at} of sheet {sheet}: "
            f"write the names of the {plural(noun)} there, one below the other.",
            (at,),
        )
    decisions += _left_out(table, statistics, hidden, plural(noun), settings)
    span = table.span((min(row_of), j), (max(row_of), j)) if row_of else ""
    return NamedList(
        plural(noun, 1),
        cells={name: cells[0] for name, cells in places.items()},
        places={name: k for k, name in enumerate(places)},
        row_of=row_of,
        span=span,
    )


def _is_total(value: object) -> bool:
    """Tell whether a cell below a list counts it ("Total", "Number of judges"); "Judge N" is somebody."""
    words = words_of(value)
    return words[:2] == ("number", "of") or (is_statistic(value) and words[0] in _COUNTS)


def _left_out(
    table: Table, statistics: Sequence[str], hidden: Sequence[str], nouns: str, settings: Settings
) -> list[Decision]:
    sheet, found = table.grid.sheet, []
    if statistics:
        sentence = f"Taken for a total or the like and left out of the {nouns}: {listed(statistics)}."
        found.append(Decision(About.STATISTICS, tuple(statistics), sentence, "warning", sheet))
    if hidden:
        done = "Left out, as the sheet Settings says" if settings.hidden == "exclude" else "Read like any other"
        sentence = f"{done}: {nouns} in hidden rows ({listed(hidden)})."
        found.append(Decision(About(f"hidden {settings.hidden}d"), tuple(hidden), sentence, "warning", sheet))
    return found


def _conflicts_read(count: int, place: str, grid: Grid) -> Decision:
    found = f"{count} {'pair was' if count == 1 else 'pairs were'}"
    return Decision(About.CONFLICTS, (), f"{found} found {place} who must not meet.", "note", grid.sheet)


def _unread(layout: _Layout, nouns: Nouns) -> list[Decision]:
    """Say which columns could have been a list too."""
    if not layout.unread:
        return []
    table = layout.table
    cells = tuple(table.at(layout.head, j) for j in layout.unread)
    headings = listed([f"{label_text(layout.headings[j])} in {table.at(layout.head, j)}" for j in layout.unread])
    sentence = (
        f"The {plural(nouns.object)} and {plural(nouns.assessor)} are those in columns "
        f"{column_letters(table.columns[layout.objects])} and {column_letters(table.columns[layout.assessors])}; not "
        f"read: {headings}."
    )
    return [Decision(About.COLUMN_NOT_READ, cells, sentence, "warning", table.grid.sheet)]
