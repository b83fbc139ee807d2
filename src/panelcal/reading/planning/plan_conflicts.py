"""Who must not meet whom: pairs on a sheet about conflicts of interest, or in columns beside the lists of a plan."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import code_key
from panelcal.reading.grid import Grid
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, Role, noun_of, words_of
from panelcal.reading.label_checks import refuse_label
from panelcal.reading.nouns import plural
from panelcal.reading.problems import Problems
from panelcal.reading.reading import Reading
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_ours
from panelcal.reading.table import Table, table_of

Pairs = set[tuple[int, int]]

_SEARCHED = 100
_CONFLICT_WORDS = frozenset({"conflict", "conflicted", "conflicting", "coi"})
_NOBODY = frozenset({"none", "nobody", "no one", "no", "nil", "-", "--", "n/a", "na"})


@dataclass(frozen=True, slots=True)
class NamedList:
    """One of the two lists of a plan.

    Attributes
    ----------
    noun
        What its members are, in small letters.
    cells
        Name -> address of the cell it stands in, in the order of the list.
    places
        Name -> its place in the list, counted from 0.
    row_of
        Row of the table -> the name that stands there.
    span
        Range from the first name to the last, "" for an empty list.
    """

    noun: str
    cells: Mapping[str, str]
    places: Mapping[str, int]
    row_of: Mapping[int, str]
    span: str

    @property
    def counted(self) -> str:
        """Spell how many there are and where: "54 talks in A2:A55"."""
        return f"{len(self.cells):,} {plural(self.noun, len(self.cells))} in {self.span}"


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Both lists, and the sheet they stand on."""

    sheet: str
    objects: NamedList
    assessors: NamedList


def role_of_list(heading: Any, settings: Settings) -> Role | None:
    """Tell whether a heading announces objects or assessors by their ids or names; None for anything else."""
    role = role_in(settings, heading)
    if role in (Role.OBJECT, Role.ASSESSOR):
        return role
    if role is Role.NAME:
        if noun_of(heading, ASSESSOR_WORDS):
            return Role.ASSESSOR
        return Role.OBJECT if noun_of(heading, OBJECT_WORDS) else None
    return None


def is_about_conflicts(heading: Any) -> bool:
    """Tell whether a heading, or the name of a sheet, speaks of conflicts of interest."""
    return not _CONFLICT_WORDS.isdisjoint(words_of(heading))


def sheets_of_conflicts(grids: Iterable[Grid]) -> tuple[Grid, ...]:
    """Return those that say who must not meet whom."""
    return tuple(grid for grid in grids if not is_ours(grid.sheet) and is_about_conflicts(grid.sheet))


def conflicts_among(grids: Iterable[Grid], reading: Reading) -> frozenset[tuple[str, str]]:
    """Name the pairs (object, assessor) of a panel that must not meet, by sheets about conflicts of interest.

    What cannot be read there is for a plan to ask about; a calibration only proposes nothing against what can.
    """
    things, people = ({label: k for k, label in enumerate(labels)} for labels in reading.who_and_what[::-1])
    lists = [
        NamedList(plural(noun, 1), dict.fromkeys(places, ""), places, {}, "")
        for noun, places in ((reading.nouns.object, things), (reading.nouns.assessor, people))
    ]
    known = KnownNames(reading.sheet, *lists)
    pairs = {
        pair
        for grid in sheets_of_conflicts(grids)
        for pair in conflicts_on_sheet(table_of(grid), known, reading.settings, Problems())
    }
    return frozenset((reading.panel.objects[o], reading.panel.assessors[a]) for o, a in pairs)


def conflict_columns(headings: Sequence[Any], settings: Settings) -> dict[int, Role | None]:
    """Find the columns headed Conflict; for each, whose names it holds if its heading says so ("Conflict: judge")."""
    return {j: _side(heading, settings) for j, heading in enumerate(headings) if is_about_conflicts(heading)}


def _side(heading: Any, settings: Settings) -> Role | None:
    """Whose names a heading speaks of, by the whole of it or else by its words ("Judge in conflict")."""
    if (role := role_of_list(heading, settings)) is not None:
        return role
    words = set(words_of(heading))
    nouns = ((settings.object_noun, settings.assessor_noun), (OBJECT_WORDS, ASSESSOR_WORDS))
    speaks = [bool(words & known) or bool(words & set(words_of(noun))) for noun, known in zip(*nouns, strict=True)]
    if speaks[0] == speaks[1]:
        return None
    return Role.OBJECT if speaks[0] else Role.ASSESSOR


def conflicts_on_sheet(table: Table, known: KnownNames, settings: Settings, problems: Problems) -> Pairs:
    """Read the pairs on a sheet of their own: in each row, the objects and assessors that must not meet.

    Several columns for the same side are read alike, and so are several names in a cell, between commas or semicolons.
    """
    sheet = table.grid.sheet
    table = replace(table, cells=tuple(map(tuple, table.top(table.n_rows))))  # a merged cell counts for all its rows
    found = [
        (i, {j: side for j, heading in enumerate(row) if (side := _side(heading, settings)) is not None})
        for i, row in enumerate(table.cells[:_SEARCHED])
    ]
    head, columns = next(((i, sides) for i, sides in found if len(set(sides.values())) == 2), (None, {}))
    if head is None:
        if table.n_rows:
            one, other = known.objects.noun, known.assessors.noun
            problems.say(
                sheet,
                f"Sheet {sheet} has no row of headings for its pairs: write {one.capitalize()} above the {plural(one)} "
                f"and {other.capitalize()} above the {plural(other)} that must not meet.",
            )
        return set()
    pairs: Pairs = set()
    for i in range(head + 1, table.n_rows):
        if all(table.cells[i][j] == table.cells[head][j] for j in columns):  # headings repeated on the next page
            continue
        objects, assessors = _by_side(table, i, columns, known, problems)
        if bool(objects) != bool(assessors):
            _half(table, i, known, problems, columns)
        pairs |= _matched(objects, assessors, known)
    return pairs


def conflicts_beside_lists(
    table: Table, head: int, columns: Mapping[int, Role | None], known: KnownNames, problems: Problems
) -> Pairs:
    """Read conflicts in columns beside the lists.

    Where a row names somebody of both lists there, these must not meet. Where it names some of one list only, they
    must not meet the one of the other list in the same row.
    """
    pairs: Pairs = set()
    found: dict[int, tuple[list[str], list[str]]] = {}
    for i in range(head + 1, table.n_rows):
        objects, assessors = _by_side(table, i, {j: side for j, side in columns.items() if side}, known, problems)
        for j in (j for j, side in columns.items() if side is None):
            more = _of_either_list(table, i, j, known, problems)
            objects += more[0]
            assessors += more[1]
        if objects or assessors:
            found[i] = objects, assessors
    sides = set(columns.values())
    # Where some rows hold whole pairs, a row with half of one must not be filled up from the lists.
    pairwise = {Role.OBJECT, Role.ASSESSOR} <= sides or any(all(named) for named in found.values())
    for i, (objects, assessors) in found.items():
        if not pairwise and not objects and i in known.objects.row_of:
            objects.append(known.objects.row_of[i])
        elif not pairwise and not assessors and i in known.assessors.row_of:
            assessors.append(known.assessors.row_of[i])
        if not (objects and assessors):
            _half(table, i, known, problems, columns)
        pairs |= _matched(objects, assessors, known)
    return pairs


def _of_either_list(table: Table, i: int, j: int, known: KnownNames, problems: Problems) -> tuple[list[str], list[str]]:
    """Return the objects and the assessors that a cell names where its heading does not say which of them it holds."""
    objects, assessors = known.objects.places, known.assessors.places
    found: tuple[list[str], list[str]] = [], []
    for name in _names_in(table, i, j, objects.keys() | assessors.keys(), problems):
        if name in objects and name in assessors:
            problems.add(
                table.grid.sheet,
                f"{{where}} [names|name] {{values}}, which is in both lists: put the conflicts on a sheet "
                f"called Conflicts under the headings {known.objects.noun.capitalize()} and "
                f"{known.assessors.noun.capitalize()}.",
                table.at(i, j),
                name,
            )
        elif name in objects or name in assessors:
            found[name in assessors].append(name)
        else:
            _unknown(table, (i, j), name, (known.objects, known.assessors), known.sheet, problems)
    return found


def _by_side(
    table: Table, i: int, sides: Mapping[int, Role | None], known: KnownNames, problems: Problems
) -> tuple[list[str], list[str]]:
    """Read the names in a row, column by column, by whose they are; names that are in no list are problems."""
    objects: list[str] = []
    assessors: list[str] = []
    for j, side in sides.items():
        if side is None:
            continue
        names, group, into = (
            (known.objects.places, known.objects, objects)
            if side is Role.OBJECT
            else (known.assessors.places, known.assessors, assessors)
        )
        for name in _names_in(table, i, j, names.keys(), problems):
            if name not in names:
                _unknown(table, (i, j), name, (group,), known.sheet, problems)
            into.append(name)
    return objects, assessors


def _names_in(table: Table, i: int, j: int, names: Collection[str], problems: Problems) -> list[str]:
    """Take the names out of a cell: one, or several between semicolons, line breaks or commas."""
    if refuse_label(table, i, j, "somebody in conflict", problems):
        return []
    text = table.label(i, j)
    if text in names:
        return [text]
    found: list[str] = []
    for part in (part.strip() for part in re.split(r"[;\n]", text)):
        found += [part] if part in names else [each.strip() for each in part.split(",")]
    return [name for name in found if name and (name in names or code_key(name) not in _NOBODY)]


def _matched(objects: Sequence[str], assessors: Sequence[str], known: KnownNames) -> Pairs:
    return {
        (known.objects.places[one], known.assessors.places[other])
        for one in objects
        for other in assessors
        if one in known.objects.places and other in known.assessors.places
    }


def _unknown(
    table: Table,
    place: tuple[int, int],
    name: str,
    groups: Sequence[NamedList],
    listed_on: str,
    problems: Problems,
) -> None:
    """Note a name that is in none of the lists it could be from; a likely one is offered, but never taken."""
    lists = " or ".join(f"the {plural(group.noun)} in {group.span} of sheet {listed_on}" for group in groups)
    folded = {other.casefold(): other for group in groups for other in group.cells}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.75)
    sheet, cell = table.grid.sheet, table.at(*place)
    if close:
        problems.say(
            sheet,
            f'Cell {cell} on sheet {sheet} names "{name}", who is not among {lists}; write it as there if '
            f'"{folded[close[0]]}" is meant.',
            (cell,),
        )
    else:
        sentence = f"{{where}} [names somebody|name some] not among {lists} ({{values}}): correct or clear [it|them]."
        problems.add(sheet, sentence, cell, name)


def _half(table: Table, i: int, known: KnownNames, problems: Problems, columns: Iterable[int]) -> None:
    """Note a row that says who must not meet, but not whom, unless it says that there is nobody."""
    filled = [j for j in columns if table.cells[i][j] is not None]
    if any(code_key(table.cells[i][j]) in _NOBODY for j in filled):
        return
    problems.add(
        table.grid.sheet,
        f"{{where}} [holds|hold] only half of a conflict: name the {known.objects.noun} and the "
        f"{known.assessors.noun} that must not meet in the same row.",
        table.span((i, filled[0]), (i, filled[-1])),
    )
