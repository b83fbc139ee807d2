"""A second table of scores below or beside the first, with other judges or other entries: asked about, or joined.

Joined, all of them are seen as one list with a row for each score; every cell keeps its address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import address, sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix, find_matrix
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_about_confidence
from panelcal.reading.slot_table import SlotTable

_FEWEST, _SHARED = 2, 0.5
_MOST_TABLES = 12


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTable(SlotTable):
    """Several tables as one list.

    Attributes
    ----------
    heads
        (n_rows,) row on the sheet of the name of who assessed.
    """

    heads: tuple[int, ...] = ()

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Return (row, column) on the sheet."""
        return (self.heads[i] if j == 1 else self.rows[i]), self.places[i][j]

    def cells_of(self, rows: Sequence[int], j: int) -> Sequence[str]:
        """Spell the addresses of cells in a column of the list."""
        return tuple([address(*self.place(i, j)) for i in rows])


def further_tables(matrix: Matrix, settings: Settings) -> tuple[Matrix, ...]:
    """Find further tables of scores that share entries or judges with the first."""
    found: list[Matrix] = []
    rest = list(matrix.rest)
    things, people = _things(matrix), _people(matrix)
    while rest and len(found) < _MOST_TABLES:
        table = rest.pop(0)
        if table.n_rows <= _FEWEST or any(_says_confidence(row, settings) for row in table.cells[:3]):
            continue
        other = find_matrix(table, settings)
        if other is None or other.table.across or min(len(other.assessors), len(other.rows.objects)) < _FEWEST:
            continue
        alike = [_share(_things(other), things), _share(_people(other), people)]
        if max(alike) >= _SHARED and min(alike) < 1:
            found.append(other)
            rest += other.rest
    return tuple(found)


def question_about_tables(matrix: Matrix, others: Sequence[Matrix]) -> Question:
    """Ask whether all tables are one panel."""
    sheet = matrix.table.grid.sheet
    spans = [one.table.row_span(one.headings.row) for one in others]
    sentence = (
        f"Sheet {sheet} has {'another table' if len(others) == 1 else 'other tables'} of scores below or beside the "
        f"first, with headings in {listed(spans)}."
    )
    answers = (
        Answer({"further_tables": "join"}, "read all tables as one panel"),
        Answer({"further_tables": "first"}, "read the first alone"),
    )
    return Question(sentence, answers, tuple(sheet_reference(sheet, span) for span in spans))


def joined(tables: Sequence[Matrix]) -> tuple[LongList, Decision]:
    """See several tables as one list."""
    first = tables[0]
    table, row = first.table, first.headings.row
    corner = label_text(first.corner) or "Object"
    rows, heads = [table.rows[row]], [table.rows[row]]
    cells: list[tuple[Any, ...]] = [(corner, "Assessor", "Score")]
    start = table.columns[first.labels.identifier], *[table.columns[first.assessors[0]]] * 2
    places: list[tuple[int, ...]] = [start]
    for one in tables:
        held = one.table
        for i in one.rows.objects:
            for j in one.assessors:
                if held.cells[i][j] is not None:
                    rows.append(held.rows[i])
                    heads.append(held.rows[one.headings.row])
                    cells.append((held.cells[i][one.labels.identifier], one.headings.headings[j], held.cells[i][j]))
                    places.append((held.columns[one.labels.identifier], held.columns[j], held.columns[j]))
    view = JoinedTable(
        table.grid, tuple(cells), tuple(rows), start, False, table.merges, table.spaces, table.grades, tuple(places),
        tuple(heads),
    )  # fmt: skip
    spans = tuple(one.table.row_span(one.headings.row) for one in tables)
    sentence = f"{len(tables)} tables, with headings in {listed(spans)}, are read as one panel, as the settings say."
    decision = Decision(About.TABLES_JOINED, spans, sentence, "warning", table.grid.sheet)
    return LongList(view, 0, 0, 1, (2,), None, None, Role.WEIGHT, ()), decision


def _things(matrix: Matrix) -> set[str]:
    return {label_text(matrix.table.cells[i][matrix.labels.identifier]) for i in matrix.rows.objects}


def _people(matrix: Matrix) -> set[str]:
    return {label_text(matrix.headings.headings[j]) for j in matrix.assessors}


def _share(ours: set[str], theirs: set[str]) -> float:
    return len(ours & theirs) / len(ours) if ours else 0.0


def _says_confidence(row: Sequence[Any], settings: Settings) -> bool:
    """Tell whether a row above a table speaks of confidences, credits or deviations."""
    texts = [value for value in row if isinstance(value, str)]
    roles = (Role.WEIGHT, Role.DEVIATION)
    return any(role_in(settings, text) in roles or is_about_confidence(text) for text in texts)
