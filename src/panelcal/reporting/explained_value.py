"""Finds, for a cell that a user points at, the sentence "Why" of the object that it is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.nouns import in_sentence, with_article

HEADING_ROW = 4
"""Of the table on Cal values."""

_VALUES = "cal values"
_WHYS = ("Why, in full", "Why")  # the second in older results


def values_to_explain(own: Sequence[str], sheet: str) -> str:
    """Return the sheet of values that a cell is explained by: its own where it is one of them, else the newest.

    Parameters
    ----------
    own
        Names of our sheets in the order of the tabs.
    sheet
        Name of the sheet of the cell.

    Raises
    ------
    InputRefused
        If there are no results yet.
    """
    candidates = [name for name in own if name.casefold().startswith(_VALUES)]
    if not candidates:
        raise InputRefused("There are no results to explain yet: click Calibrate first.")
    return sheet if sheet in candidates else candidates[-1]


def explained(
    values: str,
    table: Sequence[Sequence[Any]],
    labels: Sequence[Sequence[str | None]],
    place: tuple[int, int],
    cell: str,
) -> str:
    """Explain the value of the object in whose row (or column) a cell stands.

    Parameters
    ----------
    values, table
        Name of the sheet of values, and its rows from the headings on.
    labels
        The sheet of the cell, each value as `as_label` spells it.
    place
        Row and column of the cell in `labels`, from 0; it may lie outside.
    cell
        Its address, for the message.

    Raises
    ------
    InputRefused
        If the cell is about no object in the results, or these were changed by hand.
    """
    if not table or not set(_WHYS) & set(table[0]):
        raise InputRefused(f"Sheet {values} has been changed by hand: click Calibrate for a new one.")
    headings, *rows = [list(row) for row in table]
    why = next(headings.index(heading) for heading in _WHYS if heading in headings)
    whys = {label_text(row[0]): row[why] for row in rows if row[0] is not None}
    label = _label_near(labels, place, whys.keys())
    if label is not None:
        return f"{headings[0]} {label}. {whys[label]}"
    raise InputRefused(
        f"Select a cell in the row of one {in_sentence(str(headings[0]))} and click again: nothing near cell "
        f"{cell} is {with_article(str(headings[0]))} on sheet {values}."
    )


def as_label(value: Any, number_format: str) -> str | None:
    """Spell what a cell holds as a label; None of what can be none."""
    is_label = isinstance(value, str | int | float) and not isinstance(value, bool)
    return label_text(value, number_format) if is_label else None


def _label_near(rows: Sequence[Sequence[str | None]], place: tuple[int, int], labels: Collection[str]) -> str | None:
    """Find the label that a cell is about: in the cell, else in the column or row of its sheet that holds most of them.

    Scores can look like labels (a mark of 62 and a candidate number 62), so only that line is asked, and the cell
    itself only when it holds words.
    """
    columns = list(zip(*rows, strict=True))
    row, column = place
    inside_rows, inside_columns = 0 <= row < len(rows), 0 <= column < len(columns)
    if inside_rows and inside_columns:
        own = rows[row][column]
        if own in labels and kind_of(own)[0] is Kind.TEXT:
            return own
    if not columns:
        return None
    best = [max((len(set(line) & set(labels)), -k) for k, line in enumerate(lines)) for lines in (columns, rows)]
    if best[0] >= best[1]:  # as many, and nearer to the edge, is more
        found = columns[-best[0][1]][row] if inside_rows else None
    else:
        found = rows[-best[1][1]][column] if inside_columns else None
    return found if found in labels else None
