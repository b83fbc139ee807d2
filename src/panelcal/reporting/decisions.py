"""The column that is left for the Board to fill in, and the places elsewhere that lead to it and repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.reading.grid import column_letters, sheet_reference
from panelcal.reporting.columns import Spec
from panelcal.reporting.looks import NUMBER_FORMATS, ZERO_LOOKS, zero_look
from panelcal.reporting.model import Column, Table

DECISION = "Board decision"


def board_decision(who: str) -> Spec[Any]:
    """Leave a cell in each row for those who decide: "the Board", "people"."""
    return Spec(DECISION, lambda results: None, "input", 11, f"Left blank: {who}.")


def links_to_rows(table: Table, sheet: str, rows: Sequence[int], blank: int = 0) -> list[str | None]:
    """Lead to rows of a table, to its first column; `blank` more cells lead nowhere.

    Parameters
    ----------
    table
        The table, on the sheet named `sheet`.
    rows
        Data rows of it, from 0.
    blank
        How many cells follow that stand for no row.
    """
    places = _places(table, sheet, rows, table.columns[0].heading)
    return [*(f"#{place}" for place in places), *[None] * blank]


def decisions_shown(table: Table, sheet: str, rows: Sequence[int], blank: int = 0, *, who: str) -> Column:
    """Leave a cell for each of some rows of a table, which repeats what is filled in beside the row until typed over.

    The parameters are those of `links_to_rows`, and who decides, as for `board_decision`.
    """
    places = _places(table, sheet, rows, DECISION)
    return Column(
        DECISION,
        [*[""] * len(places), *[None] * blank],
        "input",
        14,
        formulas=[*(f'=IF({place}="","",{place})' for place in places), *[None] * blank],
        explanation=f"Left blank: {who}. Type here; what is filled in on {sheet} shows here as well.",
    )


def rows_of(table: Table, labels: Sequence[Any]) -> list[int]:
    """Return the data row of the table, from 0, that begins with each label."""
    cells = table.columns[0].cells
    places = dict(zip(cells, range(len(cells)), strict=True))
    return [places[label] for label in labels]


def shown_from(
    table: Table, sheet: str, rows: Sequence[int], heading: str, shown_as: str = "", blank: int = 0
) -> Column:
    """Repeat cells of a column of a table by formulas, in rows of another sheet; `blank` more cells stay empty.

    Parameters
    ----------
    table, sheet, rows
        As for `links_to_rows`.
    heading
        Of the column that is repeated.
    shown_as
        Heading of the column that is made, the same where it is empty.
    """
    source = table.columns[table.column_number(heading) - table.column]
    places = _places(table, sheet, rows, heading)
    # What would be shown as zero with a sign is rounded to it.
    shown = [source.cells[row] for row in rows]
    near = [source.style in ZERO_LOOKS and zero_look(source.style, value) is not None for value in shown]
    decimals = len(NUMBER_FORMATS[source.style].partition(";")[0].partition(".")[2])
    return Column(
        shown_as or heading,
        [*(0.0 if zero else value for value, zero in zip(shown, near, strict=True)), *[None] * blank],
        source.style,
        formulas=[
            *(f"=ROUND({place},{decimals})" if zero else f"={place}" for place, zero in zip(places, near, strict=True)),
            *[None] * blank,
        ],
    )


def _places(table: Table, sheet: str, rows: Sequence[int], heading: str) -> list[str]:
    """Spell references to some rows' cells under a heading; what they have in common is spelt once."""
    before = sheet_reference(sheet, column_letters(table.column_number(heading)))
    first = table.row + 1
    return [f"{before}{first + row}" for row in rows]
