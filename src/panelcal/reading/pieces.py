"""The scores on one file or sheet: what one assessor returned, or what all who saw one object said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import Grid, place_of, sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic
from panelcal.reading.label_checks import looks_like_people
from panelcal.reading.list_columns import headed_columns, holds_numbers, pointed_columns
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table, table_of

_SEARCHED = 30
_MOSTLY = 0.9
_OBJECTS = (Role.OBJECT, Role.IDENTIFIER, Role.NAME)


@dataclass(frozen=True, slots=True)
class Piece:
    """The scores on one file or sheet.

    Attributes
    ----------
    name, origin
        Whose they are, or what they are about, and the file or sheet that they came from.
    about_one
        Whether they are about one object, the rows naming who assesses; else they are one assessor's, the rows naming
        what is assessed.
    labels, scores, confidences
        Headings of what the rows name, of the columns of scores (one for each criterion), and of the confidences, ""
        where there are none.
    rows
        (label, scores, confidence, address) of each row; blank scores included.
    written
        Name that stands above the headings, beside a word such as Judge or Candidate; "" where none does or it is not
        to be used.
    noun
        That word; "" without one.
    is_known
        Whether the heading says what the rows name; else it is nobody's word for it.
    """

    name: str
    origin: str
    about_one: bool
    labels: str
    scores: tuple[str, ...]
    confidences: str
    rows: tuple[tuple[Any, tuple[Any, ...], Any, str], ...]
    written: str = ""
    noun: str = ""
    is_known: bool = True

    @property
    def headings(self) -> tuple[str, ...]:
        """Headings in the order of the sheet that is made of all."""
        return (self.labels, *self.scores, *([self.confidences] if self.confidences else []))

    @property
    def n_scores(self) -> int:
        """Number of rows with a score."""
        return sum(any(score is not None for score in scores) for _, scores, _, _ in self.rows)


@dataclass(frozen=True, slots=True)
class _Columns:
    labels: int
    about_one: bool
    scores: tuple[int, ...]
    confidences: int | None
    is_known: bool


def piece_on(grid: Grid, settings: Settings, name: str, origin: str) -> Piece | None:
    """Read a sheet with one column of names and one of scores, or several criteria; None where it is no such sheet.

    Raises
    ------
    InputRefused
        If the cell that the settings name for the assessor's name is blank.
    """
    table = table_of(_without_name(grid, settings))
    head = _heading_row(table, settings)
    if head is None:
        return None
    return _piece(grid, table, head, settings, name, origin)


def blank_piece(grid: Grid, settings: Settings, like: Piece, name: str, origin: str) -> Piece | None:
    """Read a sheet that nobody filled in yet, with the headings of another piece; None where it is none.

    Raises
    ------
    InputRefused
        As `piece_on`.
    """
    table = table_of(_without_name(grid, settings))
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        heads = [label_text(value).casefold() for value in table.cells[i]]
        wanted = [heading.casefold() for heading in (like.labels, *like.scores)]
        if any(heads.count(heading) != 1 for heading in wanted):
            continue
        labels, *scores = (heads.index(heading) for heading in wanted)
        if any(table.numeric(k, j) for k in range(i + 1, table.n_rows) for j in scores):
            return None
        columns = _Columns(labels, like.about_one, tuple(scores), None, like.is_known)
        return _piece(grid, table, (i, columns), settings, name, origin)
    return None


def _piece(
    grid: Grid, table: Table, head: tuple[int, _Columns], settings: Settings, name: str, origin: str
) -> Piece | None:
    """Take the rows below the headings."""
    i, columns = head
    rows = tuple(
        (
            table.cells[k][columns.labels],
            tuple(table.cells[k][j] for j in columns.scores),
            None if columns.confidences is None else table.cells[k][columns.confidences],
            sheet_reference(grid.sheet, _span(table, k, columns.scores)),
        )
        for k in range(i + 1, table.n_rows)
        if table.cells[k][columns.labels] is not None and not is_statistic(table.cells[k][columns.labels])
    )
    if not rows:
        return None
    written, noun = ("", "") if settings.names else _name_above(table, i, columns.about_one, settings)
    heads = table.cells[i]
    return Piece(
        _name_in(grid, settings, name),
        origin,
        columns.about_one,
        label_text(heads[columns.labels]),
        tuple(label_text(heads[j]) for j in columns.scores),
        "" if columns.confidences is None else label_text(heads[columns.confidences]),
        rows,
        written,
        noun,
        columns.is_known,
    )


def _span(table: Table, k: int, columns: tuple[int, ...]) -> str:
    first, last = table.at(k, columns[0]), table.at(k, columns[-1])
    return first if first == last else f"{first}:{last}"


def _heading_row(table: Table, settings: Settings) -> tuple[int, _Columns] | None:
    """Return the first row of headings with a score below it, and what stands in its columns."""
    found = None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        columns = _columns_at(table, i, settings)
        if columns is None:
            continue
        if found is not None and any(table.numeric(k, j) for k in range(found[0] + 1, i) for j in found[1].scores):
            return found
        found = i, columns
    return found


def _columns_at(table: Table, i: int, settings: Settings) -> _Columns | None:
    columns = headed_columns(table, i, settings)
    pointed = pointed_columns(table, i, settings)
    if len(columns) < 2 or pointed is None or any(str(table.cells[i][j]).rstrip().endswith(":") for j in columns):
        return None
    roles = {j: role_in(settings, table.cells[i][j]) for j in columns}
    things = [j for wanted in _OBJECTS for j in columns if roles[j] is wanted]
    people = [j for j in columns if roles[j] is Role.ASSESSOR]
    labels = pointed.get("assessors", people) or pointed.get("objects", things)
    is_known = bool(labels)
    if not labels and roles[columns[0]] is Role.OTHER and _names_rows(table, i, columns[0]):
        labels = columns[:1]
    about_one = bool(pointed.get("assessors", people))
    scores = pointed.get("scores", []) or _scores_among(table, i, roles)
    if not labels or not scores or (about_one and (things or len(people) > 1)):
        return None
    if len(scores) > 1 and not _are_criteria(table, i, scores):
        return None
    sure = [j for j in columns if roles[j] in (Role.WEIGHT, Role.DEVIATION)]
    return _Columns(labels[0], about_one, tuple(scores), sure[0] if len(sure) == 1 else None, is_known)


def _names_rows(table: Table, i: int, j: int) -> bool:
    """Tell whether a column under a heading nobody knows holds a text of its own in most rows."""
    held = [table.cells[k][j] for k in range(i + 1, table.n_rows) if table.cells[k][j] is not None]
    numbers = any(table.numeric(k, j) for k in range(i + 1, table.n_rows))
    return len(held) > 1 and not numbers and len({label_text(value) for value in held}) >= _MOSTLY * len(held)


def _scores_among(table: Table, i: int, roles: dict[int, Role]) -> list[int]:
    """Return the columns with scores: those called so, else all criteria with numbers and their total."""
    numeric = [j for j in roles if holds_numbers(table, i, j)]
    called = [j for j in roles if roles[j] is Role.SCORE]
    if called:
        return [j for j in called if j in numeric] or called[:1]
    totals = {j for j in numeric if is_statistic(table.cells[i][j])}
    others = [j for j in numeric if roles[j] is Role.OTHER and j not in totals]
    return sorted([*others, *totals]) if len(others) > 1 else others


def _are_criteria(table: Table, i: int, columns: list[int]) -> bool:
    """Tell criteria, which are filled in together, from columns of several people, who each saw some."""
    if looks_like_people([table.cells[i][j] for j in columns]):
        return False
    filled = [sum(table.cells[k][j] is not None for j in columns) for k in range(i + 1, table.n_rows)]
    some = [n for n in filled if n]
    return sum(n == len(columns) for n in some) >= _MOSTLY * len(some)


def _name_above(table: Table, head: int, about_one: bool, settings: Settings) -> tuple[str, str]:
    """Return the name beside a word for whom the piece is named after, or behind its colon, and that word."""
    wanted = _OBJECTS if about_one else (Role.ASSESSOR,)
    for row in table.cells[:head]:
        for j, value in enumerate(row):
            word, _, behind = label_text(value).partition(":") if isinstance(value, str) else ("", "", "")
            if word and role_in(settings, word) in wanted:
                beside = next((other for other in row[j + 1 :] if other is not None), None)
                return behind.strip() or (label_text(beside) if isinstance(beside, str) else ""), word
    return "", ""


def _without_name(grid: Grid, settings: Settings) -> Grid:
    """Take the cell with the name out, which may stand among the headings."""
    place = place_of(settings.names)
    if place is None or grid.value(*place) is None:
        return grid
    rows = [list(row) for row in grid.rows]
    rows[place[0] - 1][place[1] - 1] = None
    return replace(grid, rows=tuple(map(tuple, rows)))


def _name_in(grid: Grid, settings: Settings, name: str) -> str:
    place = place_of(settings.names)
    if place is None:
        return name
    said = label_text(grid.value(*place))
    if not said:
        raise InputRefused(f"Cell {settings.names} on sheet {grid.sheet} of {name} is blank: write the name there.")
    return said
