"""Random panels as cells of a sheet: every size, shape, kind of confidence and oddity the formulas must put up with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openpyxl.utils import get_column_letter

from panelcal import Panel

CODES = ("ABS", "n/a", "-", "withdrawn", "MC", "?", " ", "EXT.")
WORDS = {"high": 4.0, "Medium": 1.0, "L": 0.25}
KINDS = ("none", "number", "row", "column", "matrix", "four decades", "words")


@dataclass(frozen=True, slots=True)
class SheetPanel:
    """A connected panel as cells, and the same as numbers.

    Attributes
    ----------
    description
        For the message when something differs.
    cells, confidence_cells
        What stands on the sheets Scores and Conf, from A1.
    scores, confidences
        (n_rows, n_columns); scores NaN where not assessed.
    arguments
        What goes between the brackets of ``CALIBRATE.VALUES(...)``, without the word for the direction.
    across
        Whether objects run across and assessors down.
    """

    description: str
    cells: list[list[Any]]
    confidence_cells: list[list[Any]]
    scores: NDArray[np.float64]
    confidences: NDArray[np.float64]
    arguments: str
    across: bool

    @property
    def panel(self) -> Panel:
        """The panel of those rows and columns that hold a score."""
        assessed = ~np.isnan(self.scores)
        part = np.ix_(assessed.any(1), assessed.any(0))
        scores, confidences = self.scores[part], self.confidences[part]
        return Panel.from_matrix(scores.T, confidences.T) if self.across else Panel.from_matrix(scores, confidences)

    def call(self, name: str, *more: str) -> str:
        """Spell a call of one of the formulas on this panel."""
        words = ",".join(f'"{word}"' for word in ("across" if self.across else "down", *more))
        return f"CALIBRATE.{name}({self.arguments},{words})"


def block(sheet: str, rows: int, columns: int) -> str:
    """Spell a range that starts in A1."""
    return f"{sheet}!A1:{get_column_letter(columns)}{rows}"


def random_panel(random: np.random.Generator, size: tuple[int, int] | None = None, share: float | None = None,
                 kind: str | None = None) -> SheetPanel:  # fmt: skip
    """Draw one panel; what is not given is drawn too."""
    n_rows, n_columns = size or (int(random.integers(1, 41)), int(random.integers(1, 31)))
    across = bool(random.random() < 0.25)
    kind = kind or KINDS[int(random.integers(len(KINDS)))]
    assessed = _connected(random, n_rows, n_columns, share or float(random.uniform(0.1, 1.0)))
    n_assessors = n_rows if across else n_columns

    given: list[list[Any]]
    if kind == "none":
        given, along = [], np.ones((1, 1))
    elif kind == "number":
        along = random.uniform(0.1, 30, (1, 1))
        given = along.tolist()
    elif kind in ("row", "column"):
        each = random.choice([6.0, 7.5, 12.0, 15.0, 18.0, 30.0], n_assessors)
        given = [each.tolist()] if kind == "row" else [[c] for c in each]
        along = each[:, None] if across else each[None, :]
    elif kind == "words":
        words = random.choice(list(WORDS), (n_rows, n_columns))
        given = [[str(word) for word in line] for line in words]
        along = np.vectorize(WORDS.__getitem__)(words)
    else:
        decades = (-2, 2) if kind == "four decades" else (-0.6, 0.6)
        along = 10 ** random.uniform(*decades, (n_rows, n_columns))
        given = along.tolist()
    confidences = np.broadcast_to(along, (n_rows, n_columns))

    rows, columns = random.normal(60, 12, n_rows), random.normal(0, 5, n_columns)
    noise = random.standard_normal((n_rows, n_columns)) * 8 / np.sqrt(confidences / confidences.mean())
    offset = 1e6 if random.random() < 0.25 else 0.0
    scores = np.where(assessed, np.round(rows[:, None] + columns + noise, 1) + offset, np.nan)
    cells: list[list[Any]] = [[None if np.isnan(score) else float(score) for score in line] for line in scores]
    for row, column in np.argwhere(~assessed):
        if random.random() < 0.1:
            cells[row][column] = CODES[int(random.integers(len(CODES)))]
    arguments = block("Scores", n_rows, n_columns)
    arguments += "," if kind == "none" else f",{block('Conf', len(given), len(given[0]))}"
    description = f"{n_rows} x {n_columns}, {int(assessed.sum())} scores, confidence {kind}, {across=}, {offset=}"
    return SheetPanel(description, cells, given, scores, confidences, arguments, across)


def _connected(random: np.random.Generator, n_rows: int, n_columns: int, share: float) -> NDArray[np.bool_]:
    """Draw who assesses what: a random tree over those that take part, and others with the given chance.

    Now and then a row and a column take no part at all.
    """
    assessed = random.random((n_rows, n_columns)) < share
    rows, columns = list(random.permutation(n_rows)), list(random.permutation(n_columns))
    idle_row = rows.pop() if n_rows > 3 and random.random() < 0.3 else None
    idle_column = columns.pop() if n_columns > 3 and random.random() < 0.3 else None
    assessed[rows[0], columns[0]] = True
    for at in range(1, max(len(rows), len(columns))):
        if at < len(rows):
            assessed[rows[at], columns[int(random.integers(min(at, len(columns))))]] = True
        if at < len(columns):
            assessed[rows[int(random.integers(min(at, len(rows))))], columns[at]] = True
    if idle_row is not None:
        assessed[idle_row, :] = False
    if idle_column is not None:
        assessed[:, idle_column] = False
    return assessed
