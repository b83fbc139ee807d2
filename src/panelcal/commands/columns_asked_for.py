"""Columns that were asked for by name and are nowhere: said at once with the nearest, before anything else is asked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from panelcal.errors import FileProblem, PanelcalError
from panelcal.reading.grid import Source

_FIELDS = ("object_column", "assessor_column", "score_column", "confidence_column")
_TOP = 40  # rows among which headings are looked for
_NO_NAME = re.compile(r"none|[a-z]{1,3}[0-9]+|.*[*?].*|.*=.*", re.IGNORECASE | re.DOTALL)  # addresses, patterns, tables


@contextmanager
def nearest_column_named(source: Source, asked: Mapping[str, Any]) -> Iterator[None]:
    """Where a file is refused, and nowhere has a heading that was asked for, refuse it for that.

    Raises
    ------
    FileProblem
        With the nearest heading.
    """
    try:
        yield
    except PanelcalError:
        require_columns(source, asked)
        raise


def require_columns(source: Source, asked: Mapping[str, Any]) -> None:
    """Refuse a list that nowhere near its top has a heading that was asked for.

    Parameters
    ----------
    source
        The list as loaded.
    asked
        Fields of `Settings` -> what was chosen for this run.

    Raises
    ------
    FileProblem
        With the nearest heading.
    """
    rows = [_texts(row) for grid in source.grids for row in grid.rows[:_TOP]]
    there = {cell.casefold() for row in rows for cell in row}
    shown = max(rows, key=len, default=[])
    headings = {cell.casefold(): cell for row in rows for cell in row} if len(source.grids) > 1 else {}
    headings |= {cell.casefold(): cell for cell in shown}
    for field in _FIELDS:
        name = asked.get(field)
        if not isinstance(name, str) or _NO_NAME.fullmatch(name.strip()) or name.strip().casefold() in there:
            continue
        close = difflib.get_close_matches(name.strip().casefold(), headings, 1, 0.5)
        hint = f"did you mean {headings[close[0]]!r}? " if close else ""
        raise FileProblem(f"{source.name} has no column {name!r}: {hint}The columns are {', '.join(shown)}.")


def _texts(row: Sequence[Any]) -> list[str]:
    return [text for cell in row if isinstance(cell, str) and (text := cell.strip())]
