"""A list of scores from standard input, CSV, JSON lines or Parquet, as a file in memory."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable
from typing import Any, BinaryIO

from panelcal.errors import FileProblem
from panelcal.files.in_memory import FileBytes

NAME = "standard input.csv"
_PARQUET = b"PAR1"


def read_standard_input(stream: BinaryIO) -> FileBytes:
    """Read everything; lines of JSON objects become a table with a column for each name, in order of appearance.

    Raises
    ------
    FileProblem
        If there is nothing, or a line that begins like JSON is none, or holds more than names with plain values, or a
        table in Parquet is damaged or cannot be read here.
    """
    content = stream.read()
    if content.startswith(_PARQUET):
        return FileBytes(NAME, _from_parquet(content))
    text = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise FileProblem("Nothing came from standard input: give CSV, or JSON lines such as "
                          '{"student": "Ann", "marker": "Reed", "mark": 61}.')  # fmt: skip
    if text.startswith(b"["):
        raise FileProblem("Standard input holds a JSON list: give JSON lines, an object on each line, or CSV.")
    return FileBytes(NAME, _as_csv(text) if text.startswith(b"{") else content)


def _as_csv(text: bytes) -> bytes:
    rows = [_row(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _spelt(names, ([row.get(name) for name in names] for row in rows))


def _from_parquet(content: bytes) -> bytes:
    try:
        import pyarrow as pa  # noqa: PLC0415  few have it, and few need it
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise FileProblem(
            "Standard input holds Parquet, which pyarrow reads, and that is not installed: "
            'pip install "panelcal[large]", or send CSV or JSON lines.'
        ) from None
    try:
        table = parquet.read_table(io.BytesIO(content))
        columns = [column.to_pylist() for column in table.columns]
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise FileProblem("The Parquet table from standard input is damaged or was cut off: send it again.") from None
    for name, column in zip(table.column_names, columns, strict=True):
        if any(isinstance(value, dict | list | bytes) for value in column):
            raise FileProblem(f"The column {name!r} from standard input holds no plain values: give one in each row.")
        column[:] = [None if isinstance(value, float) and math.isnan(value) else value for value in column]
    return _spelt(table.column_names, zip(*columns, strict=True))


def _spelt(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return stream.getvalue().encode()


def _row(number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise FileProblem(f"Line {number} of standard input is not JSON: give an object on each line.") from None
    if not isinstance(row, dict):
        raise FileProblem(f"Line {number} of standard input is no JSON object with names: give one on each line.")
    for name, value in row.items():
        if isinstance(value, dict | list):
            raise FileProblem(f"Line {number} of standard input holds several things in {name!r}: give one value.")
    return row
