"""Columns that were asked for by name and are nowhere: said at once with the nearest, before anything else is asked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from panelcal.errors import FileProblem, PanelcalError, first_few
from panelcal.reading.grid import Source
from panelcal.reading.settings import EACH, TOGETHER

_FIELDS = ("object_column", "assessor_column", "score_column", "confidence_column")
_NAMED = 12  # of the columns, in a message
_NEAR = 0.55  # of 1: how alike a name must be to be suggested
_TOP = 40  # rows among which headings are looked for
_ADDRESS = re.compile(r"[a-z]{1,3}[0-9]+", re.IGNORECASE)
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
        With the nearest heading; or if two things are to be read from one column.
    """
    rows = [_texts(row) for grid in source.grids for row in grid.rows[:_TOP]]
    there = {cell.casefold() for row in rows for cell in row}
    shown = max(rows, key=len, default=[])
    headings = {cell.casefold(): cell for row in rows for cell in row} if len(source.grids) > 1 else {}
    headings |= {cell.casefold(): cell for cell in shown}
    criteria = [name for name in asked.get("criteria", ()) if name.casefold() not in (TOGETHER, EACH)]
    for name in (*(asked.get(field) for field in _FIELDS), *criteria):
        if not isinstance(name, str) or _NO_NAME.fullmatch(name.strip()) or name.strip().casefold() in there:
            continue
        close = difflib.get_close_matches(name.strip().casefold(), headings, 1, _NEAR)
        hint = f": did you mean {headings[close[0]]!r}?" if close else "."
        listed = first_few(shown, _NAMED)
        raise FileProblem(f"{source.name} has no column {name!r}{hint} The columns are {listed or 'without names'}.")
    _refuse_one_column_twice(asked)


def _refuse_one_column_twice(asked: Mapping[str, Any]) -> None:
    options: dict[str, str] = {}
    for field in _FIELDS:
        name = asked.get(field)
        if not isinstance(name, str) or (_NO_NAME.fullmatch(name.strip()) and not _ADDRESS.fullmatch(name.strip())):
            continue
        option = f"--{field.removesuffix('_column')}"
        other = options.setdefault(name.strip().casefold(), option)
        if other != option:
            raise FileProblem(f"{other} and {option} both name the column {name!r}: give each a column of its own.")


def _texts(row: Sequence[Any]) -> list[str]:
    return [text for cell in row if isinstance(cell, str) and (text := cell.strip())]
