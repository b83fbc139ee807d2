"""Find a long list of scores: one row per assessment, its columns recognised by their headings in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, Role, is_statistic, noun_of
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_SEARCHED = 100
_SAMPLED = 200


@dataclass(frozen=True, slots=True, eq=False)
class LongList:
    """A long list as found on a sheet: its heading row and what its columns hold.

    Attributes
    ----------
    table, row
        The sheet and the row of headings.
    object_column, assessor_column, score_column
        Where objects, assessors and scores are.
    name_column, confidence_column
        Display names and confidences, or None.
    confidence_role
        Whether the confidences are weights or standard deviations.
    unread
        Columns that are not read.
    """

    table: Table
    row: int
    object_column: int
    assessor_column: int
    score_column: int
    name_column: int | None
    confidence_column: int | None
    confidence_role: Role
    unread: tuple[int, ...]

    def heading(self, column: int) -> Any:
        """Return the heading of a column."""
        return self.table.cells[self.row][column]


def find_list(table: Table, settings: Settings) -> LongList | None:
    """Find the headings of a long list; None when the sheet is not one.

    Raises
    ------
    InputRefused
        If the headings are those of a list, but two columns could be the object, the assessor, the score or the
        confidence, and the nouns on the Settings sheet do not decide.
    """
    if settings.layout in ("objects down", "objects across"):
        return None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        row = table.cells[i]
        if sum(isinstance(value, str) for value in row) < 3:
            continue
        roles: dict[Role, list[int]] = {}
        for j, value in enumerate(row):
            if isinstance(value, str):
                roles.setdefault(role_in(settings, value), []).append(j)
        found = _list_at(table, i, roles, settings)
        if found is not None:
            return found
    return None


def _list_at(table: Table, i: int, roles: dict[Role, list[int]], settings: Settings) -> LongList | None:
    objects, assessors = list(roles.get(Role.OBJECT, [])), list(roles.get(Role.ASSESSOR, []))
    numeric = [
        j
        for role in (Role.OTHER, Role.SCORE)
        for j in roles.get(role, [])
        if (role is Role.SCORE or not is_statistic(table.cells[i][j])) and holds_numbers(table, i, j)
    ]
    scores = [j for j in roles.get(Role.SCORE, []) if j in numeric]
    if not objects and assessors and (roles.get(Role.IDENTIFIER) or roles.get(Role.NAME)):
        objects = roles.get(Role.IDENTIFIER, []) or roles.get(Role.NAME, [])
    if not objects or not assessors or not numeric:
        return None
    if not scores and len(numeric) > 1 and not repeats(table, i, objects[0]):
        return None
    names = list(roles.get(Role.NAME, [])) if objects != roles.get(Role.NAME) else []
    object_column, other_objects = identifying_column(table, i, objects, OBJECT_WORDS, "objects", settings.object_noun)
    assessor_column, _ = identifying_column(table, i, assessors, ASSESSOR_WORDS, "assessors", settings.assessor_noun)
    score_column = _only(table, i, scores or numeric, "scores", "Word for a score", settings.score_noun)
    weights, deviations = roles.get(Role.WEIGHT, []), roles.get(Role.DEVIATION, [])
    confidence = {"weight": weights, "word": weights, "sd": deviations}.get(
        settings.confidence_form, weights + deviations
    )
    confidence_column = _only(table, i, confidence, "confidences", "Confidences are", "") if confidence else None
    names = [j for j in names if noun_of(table.cells[i][j], ASSESSOR_WORDS) == ""] + other_objects
    used = {object_column, assessor_column, score_column, confidence_column, names[0] if names else None}
    return LongList(
        table,
        i,
        object_column,
        assessor_column,
        score_column,
        names[0] if names else None,
        confidence_column,
        Role.DEVIATION if confidence_column in deviations else Role.WEIGHT,
        tuple(j for j in range(table.n_columns) if j not in used),
    )


def holds_numbers(table: Table, i: int, j: int) -> bool:
    """Tell whether numbers stand in a column; the first rows are enough to know."""
    return any(table.numeric(k, j) for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED)))


def repeats(table: Table, i: int, j: int) -> bool:
    """Tell whether a label comes more than once in the column, as objects do in a list."""
    labels = [label_text(table.cells[k][j]) for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))]
    return len(set(labels)) < len(labels)


def identifying_column(
    table: Table, i: int, columns: Sequence[int], vocabulary: frozenset[str], what: str, noun: str
) -> tuple[int, list[int]]:
    """Choose the column with ids where a noun heads several ("Candidate", "Candidate number"); return the rest too."""
    named = [j for j in columns if noun and noun_of(table.cells[i][j], vocabulary).casefold() == noun.casefold()]
    columns = named or columns
    with_id = [j for j in columns if len(label_text(table.cells[i][j]).split()) > 1]
    if len({noun_of(table.cells[i][j], vocabulary) for j in columns}) == 1 and len(columns) > 1 and len(with_id) == 1:
        return with_id[0], [j for j in columns if j != with_id[0]]
    setting = "Word for an object" if what == "objects" else "Word for an assessor"
    return _only(table, i, columns, what, setting, ""), []


def _only(table: Table, i: int, columns: Sequence[int], what: str, setting: str, noun: str) -> int:
    """Return the one column, or the one that the noun names, or refuse."""
    named = [j for j in columns if noun and label_text(table.cells[i][j]).casefold() == noun.casefold()]
    if len(named or columns) == 1:
        return (named or columns)[0]
    headings = [f"{label_text(table.cells[i][j])} in {table.at(i, j)}" for j in columns]
    raise InputRefused(
        f"On sheet {table.grid.sheet} several columns could hold the {what} ({listed(headings)}): keep one of "
        f"them under such "
        f'a heading, or name the right one on the sheet Settings, row "{setting}".',
        [sheet_reference(table.grid.sheet, table.at(i, j)) for j in columns],
    )
