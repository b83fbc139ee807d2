"""Find confidences on another sheet or in a second block, by the names of objects and assessors, never by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceBlock:
    """A block of confidences whose names are those of the scores.

    Attributes
    ----------
    table
        The block, turned so that assessors go across.
    columns
        Assessor -> column. For confidences per assessor, every assessor -> the same column or row of its own.
    rows
        Object -> row; None when there is one confidence per assessor.
    weights_row
        Without `rows`, the row with the confidences.
    role, heading
        What the sheet's name, a title or a label says they are; `role` is None when nothing says.
    extra
        Names of objects or assessors that the scores do not have.
    """

    table: Table
    columns: Mapping[str, int]
    rows: Mapping[str, int] | None
    weights_row: int
    role: Role | None
    heading: str
    extra: tuple[str, ...]

    def cell(self, thing: str, assessor: str) -> tuple[int, int] | None:
        """Return where the confidence of an assessment is, None where the block lacks one of the names."""
        column = self.columns.get(assessor)
        row = self.weights_row if self.rows is None else self.rows.get(thing)
        return None if column is None or row is None else (row, column)


def find_confidences(
    table: Table, objects: Sequence[str], assessors: Mapping[str, str], settings: Settings, title: str
) -> ConfidenceBlock | None:
    """Look for the names of the scores on another table.

    Parameters
    ----------
    objects
        Labels of the objects.
    assessors
        Every spelling of an assessor's heading (joined, lower part alone) -> its label.
    title
        The sheet's name if that may say what the block holds, else "".
    """
    things = set(objects)
    best: ConfidenceBlock | None = None
    for turned in (table, table.exchanged()):
        found = _find_down(turned, things, assessors, settings, title)
        if found and (best is None or _coverage(found) > _coverage(best)):
            best = found
    return best


def _coverage(block: ConfidenceBlock) -> tuple[int, int]:
    return len(block.columns), len(block.rows or ())


def _find_down(
    table: Table, things: set[str], assessors: Mapping[str, str], settings: Settings, title: str
) -> ConfidenceBlock | None:
    top = table.top(table.n_rows) if table.merges else table.cells
    hits = [sum(label_text(value) in assessors for value in row if value is not None) for row in top]
    head = max(range(len(hits)), key=lambda i: hits[i], default=-1)
    if head < 0 or hits[head] == 0:
        return None
    headings = {j: label_text(value) for j, value in enumerate(top[head]) if value is not None}
    columns: dict[str, int] = {}
    for j, heading in headings.items():
        if heading in assessors:
            columns.setdefault(assessors[heading], j)
    first = min(columns.values())
    rows: dict[str, int] = {}
    for j in range(first):
        labels = {table.label(i, j): i for i in range(table.n_rows - 1, head, -1) if table.cells[i][j] is not None}
        matched = {label: i for label, i in labels.items() if label in things}
        if len(matched) > len(rows):
            rows, others = matched, [label for label in labels if label not in things]
    role, heading = _announced(table, head, settings, title)
    extra = [heading for j, heading in headings.items() if j >= first and heading not in assessors]
    if rows:
        return ConfidenceBlock(table, columns, rows, -1, role, heading, tuple(extra + others))
    below = _row_of_confidences(table, head, columns, settings)
    if below is None:
        return None
    label = next((table.cells[below][j] for j in range(first) if table.cells[below][j] is not None), None)
    if role_in(settings, label) in (Role.WEIGHT, Role.DEVIATION):
        role, heading = role_in(settings, label), label_text(label)
    return ConfidenceBlock(table, columns, None, below, role, heading, tuple(extra))


def _row_of_confidences(table: Table, head: int, columns: Mapping[str, int], settings: Settings) -> int | None:
    """Find the one row beside the names of assessors that has something for all of them."""
    rows = [
        i for i in range(table.n_rows) if i != head and any(table.cells[i][j] is not None for j in columns.values())
    ]
    if len(rows) == 1:
        return rows[0]
    first = min(columns.values())
    labelled = [
        i
        for i in rows
        if any(role_in(settings, table.cells[i][j]) in (Role.WEIGHT, Role.DEVIATION) for j in range(first))
    ]
    return labelled[0] if len(labelled) == 1 else None


def _announced(table: Table, head: int, settings: Settings, title: str) -> tuple[Role | None, str]:
    """Read what a title, the corner or the sheet's name says the block holds."""
    texts: list[Any] = [value for row in table.cells[: head + 1] for value in row if isinstance(value, str)]
    for text in [*texts, title]:
        role = role_in(settings, text)
        if role in (Role.WEIGHT, Role.DEVIATION):
            return role, label_text(text)
    words = {word for text in [*texts, title] for word in label_text(text).casefold().split()}
    if words & {"confidence", "confidences", "weights", "credits"}:
        return Role.WEIGHT, "Confidence"
    if words & {"deviation", "deviations", "uncertainties", "uncertainty", "sds"}:
        return Role.DEVIATION, "Standard deviation"
    return None, ""
