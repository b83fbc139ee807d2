"""What came out of a run as a folder of CSV files: a file for each table, and figures.csv.

The same names and unrounded figures as in JSON; an empty cell where there is no answer. A label that a spreadsheet
program would take for a formula is kept from being one by an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from panelcal.files.as_json import decisions_table
from panelcal.reading.decisions import Decision
from panelcal.systems.system import Outcome

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_files(outcome: Outcome, decisions: Iterable[Decision]) -> dict[str, bytes]:
    """Return the content of each file by its name."""
    found = {**outcome.tables, "decisions": decisions_table(decisions)}
    tables = {f"{name}.csv": _table(columns) for name, columns in found.items()}
    return {"figures.csv": _lines([("figure", "value"), *_flat(outcome.figures)]), **tables}


def _table(columns: Mapping[str, Sequence[Any]]) -> bytes:
    return _lines([tuple(columns), *zip(*columns.values(), strict=True)])


def _flat(figures: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, figure in figures.items():
        if isinstance(figure, Mapping):
            yield from _flat(figure, f"{before}{name}.")
        elif isinstance(figure, list | tuple):
            yield f"{before}{name}", "; ".join(map(str, figure))
        else:
            yield f"{before}{name}", figure


def _lines(rows: Iterable[Sequence[Any]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
