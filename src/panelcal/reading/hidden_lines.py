"""What is said of scores that were read although their row or column is hidden or filtered away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from panelcal.errors import Answer
from panelcal.reading.answers import Way, deed
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import column_letters
from panelcal.reading.problems import listed
from panelcal.reading.table import Table


def read_although_hidden(
    table: Table, rows: Mapping[int, str], columns: Mapping[int, str], cells: tuple[str, ...], way: Way
) -> Decision:
    """Name the hidden rows and columns that were read like any other, and say how to leave them out.

    Parameters
    ----------
    rows, columns
        Those of the table -> their labels.
    cells
        Where the scores are.
    way
        How an answer is given at this door.
    """
    down = {str(table.place(i, 0)[0]) if not table.across else column_letters(table.place(i, 0)[1]): i for i in rows}
    over = {column_letters(table.place(0, j)[1]) if not table.across else str(table.place(0, j)[0]): j for j in columns}
    words = ("column", "row") if table.across else ("row", "column")
    named = [f"{words[0]} {place}{_called(rows[i])}" for place, i in down.items()]
    named += [f"{words[1]} {place}{_called(columns[j])}" for place, j in over.items()]
    # Where there is a sheet for it, every door names its cell alone, so that their audits agree.
    door = way if way.grid is None else replace(way, kind="open workbook")
    todo = deed(Answer({"hidden": "exclude"}, "leave out what is hidden"), door)
    sentence = f"Read although hidden or filtered away: {listed(named)}. To leave out what is hidden, {todo}."
    return Decision(About.HIDDEN_INCLUDED, cells, sentence, "warning", table.grid.sheet)


def _called(label: str) -> str:
    return f" ({label_text(label)})" if label else ""
