"""What a long table is read from: files of one kind, a table of a DuckDB file, or something Python holds already."""

from __future__ import annotations

import difflib
import glob
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from panelcal.errors import FileProblem
from panelcal.frozen import dataclass

Kind = Literal["parquet", "csv", "json lines", "duckdb"]

_KINDS: dict[str, Kind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".jsonl.gz": "json lines",
    ".duckdb": "duckdb",
    ".ddb": "duckdb",
}
ONLY_HERE = frozenset({".parquet", ".pq", ".jsonl", ".ndjson", ".jsonl.gz", ".csv.gz", ".duckdb", ".ddb"})
"""Endings that no spreadsheet program opens."""


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Which column holds what; no confidences = all 1."""

    object: str
    assessor: str
    score: str
    confidence: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """Those that are there to be read."""
        return tuple(name for name in (self.object, self.assessor, self.score, self.confidence) if name is not None)


@dataclass(frozen=True, slots=True)
class LongTable:
    """Files of one kind, read as one table.

    Attributes
    ----------
    kind
        What they are.
    paths
        In the order they are read; one only where the kind is "duckdb".
    table
        Name of the table in a DuckDB file.
    """

    kind: Kind
    paths: tuple[Path, ...]
    table: str = ""


def ending_of(path: Path) -> str:
    """Return the ending that tells what a file is, in small letters; ".csv.gz" is one."""
    endings = [suffix.casefold() for suffix in path.suffixes[-2:]]
    return "".join(endings) if endings[-1:] == [".gz"] else "".join(endings[-1:])


def long_table(given: Sequence[str | Path], *, table: str | None = None) -> LongTable:
    """Find the files: names, folders, and patterns such as ``scores/*.parquet``.

    Raises
    ------
    FileProblem
        If a file is missing, of a kind that cannot be read, or they are of several kinds.
    """
    paths = tuple(dict.fromkeys(path for name in given for path in _found(Path(name))))
    kinds = {path: _KINDS.get(ending_of(path)) for path in paths}
    unknown = [path.name for path, kind in kinds.items() if kind is None]
    if unknown:
        raise FileProblem(
            f"{unknown[0]} is no long table that can be read: give .parquet, .csv, .jsonl or .duckdb files."
        )
    different = {kind for kind in kinds.values() if kind is not None}
    if len(different) > 1:
        raise FileProblem(f"The files are of several kinds ({', '.join(sorted(different))}): give one kind at a time.")
    kind = different.pop()
    if kind == "duckdb" and len(paths) > 1:
        raise FileProblem("Give one DuckDB file at a time.")
    if kind == "duckdb" and not table:
        raise FileProblem(f"{paths[0].name} holds tables: name the one to read with --table.")
    return LongTable(kind, paths, table or "")


def _found(name: Path) -> Iterable[Path]:
    if name.is_dir():
        found = sorted(path for path in name.iterdir() if path.is_file() and ending_of(path) in _KINDS)
        if not found:
            raise FileProblem(f"The folder {name} holds no .parquet, .csv, .jsonl or .duckdb file.")
        return found
    if name.exists():
        return [name]
    found = sorted(Path(path) for path in glob.glob(str(name), recursive=True) if Path(path).is_file())
    if not found:
        raise FileProblem(f"There is no file {name}.")
    return found


def missing_columns(wanted: ColumnNames, there: Sequence[str]) -> str:
    """Say which columns a table lacks and which of its own come near; empty where it has them all."""
    lacking = [name for name in wanted.all if name not in there]
    if not lacking:
        return ""
    near = difflib.get_close_matches(lacking[0].casefold(), [name.casefold() for name in there], 1, 0.5)
    hint = next((f" (did you mean {name}?)" for name in there if near and name.casefold() == near[0]), "")
    shown = ", ".join(there[:12]) + (", ..." if len(there) > 12 else "")
    return f"has no column {lacking[0]}{hint}; its columns are {shown}"
