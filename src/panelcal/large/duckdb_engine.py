"""DuckDB as the engine: in this process, out of core, everything it spills within one folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from panelcal.large.arrow_arrays import arrays_of, write_arrays
from panelcal.large.engine import Arrays, CannotRead, ColumnKind, Columns, Dialect
from panelcal.large.source import Kind

_ROWS_AT_ONCE = 500_000
_SELF_JOIN_ROWS = 20_000_000
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT")
_NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL")


class DuckDBEngine:
    """Runs statements in a database of its own.

    Parameters
    ----------
    folder
        An empty folder for the database and for what does not fit into memory.
    memory
        Bytes that DuckDB may take.
    threads
        Cores it may use; None = all.
    """

    dialect = Dialect(quote='"', part_of="hash({value}) % {n}")
    streams = True
    parts_of = _SELF_JOIN_ROWS

    def __init__(self, folder: Path, *, memory: float, threads: int | None = None) -> None:
        self._folder = folder
        self._given = 0
        self._files: dict[str, Path] = {}
        self._connection = duckdb.connect(str(folder / "work.duckdb"))
        self._run(f"SET memory_limit = '{int(memory / 1e6)}MB'")
        self._run(f"SET temp_directory = {_text(folder / 'spilled')}")
        self._run("SET preserve_insertion_order = false")
        self._run("SET enable_progress_bar = false")
        if threads is not None:
            self._run(f"SET threads = {threads}")

    def open(self, name: str, kind: Kind, paths: Sequence[Path], *, table: str = "", rows: bool = False) -> None:
        """Make files, or a table of a DuckDB file, a view of that name."""
        numbered = ", row_number() OVER () AS panelcal_row" if rows else ""
        if rows:
            self._run("SET preserve_insertion_order = true")
        try:
            self._run(f"CREATE OR REPLACE VIEW {name} AS SELECT *{numbered} FROM {self._reader(kind, paths, table)}")
        except duckdb.Error as problem:
            raise CannotRead(str(problem).splitlines()[0]) from problem

    def _reader(self, kind: Kind, paths: Sequence[Path], table: str) -> str:
        if kind == "duckdb":
            self._run(f"ATTACH IF NOT EXISTS {_text(paths[0])} AS given (READ_ONLY)")
            return f"given.{self.dialect.name(table)}"
        files = "[" + ", ".join(_text(path) for path in paths) + "]"
        if kind == "parquet":
            return f"read_parquet({files}, union_by_name = true)"
        if kind == "csv":
            return f"read_csv({files}, all_varchar = true, header = true, union_by_name = true)"
        return f"read_json({files}, format = 'newline_delimited', convert_strings_to_integers = false)"

    def columns(self, name: str) -> dict[str, ColumnKind]:
        """Return the columns of a view or table."""
        found = self._run(f"DESCRIBE {name}").fetchall()
        return {column: _kind(kind) for column, kind, *_ in found}

    def make(self, name: str, *statements: str) -> None:
        """Make a table of what the statements return, one after the other."""
        first, *others = statements
        self._run(f"CREATE OR REPLACE TABLE {name} AS {first}")
        for statement in others:
            self._run(f"INSERT INTO {name} {statement}")

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name."""
        self._run(f"CREATE OR REPLACE VIEW {name} AS {statement}")

    def drop(self, *names: str) -> None:
        """Remove tables."""
        for name in names:
            if name in self._files:
                self._run(f"DROP VIEW {name}")
                self._files.pop(name).unlink()
            else:
                self._run(f"DROP TABLE IF EXISTS {name}")

    def fetch(self, statement: str) -> Arrays:
        """Return what a statement finds, a column each."""
        return arrays_of(self._connection.sql(statement).to_arrow_table())

    def batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Return the same in pieces, in the statement's order."""
        cursor = self._connection.cursor()
        try:
            yield from cursor.sql(statement).to_arrow_reader(_ROWS_AT_ONCE)
        finally:
            cursor.close()

    def give(self, name: str, arrays: Columns | Iterator[Columns]) -> None:
        """Make a view of a file with arrays of equal length, given at once or in pieces."""
        self._given += 1
        path = self._folder / f"given-{self._given}.parquet"
        write_arrays(arrays, path)
        self.view(name, f"SELECT * FROM read_parquet({_text(path)})")
        if name in self._files:
            self._files[name].unlink()
        self._files[name] = path

    def write(self, statement: str, path: Path) -> None:
        """Write what a statement finds to a Parquet file."""
        self._run(f"COPY ({statement}) TO {_text(path)} (FORMAT parquet, COMPRESSION zstd)")

    def close(self) -> None:
        """End it."""
        self._connection.close()

    def _run(self, statement: str) -> Any:
        try:
            return self._connection.execute(statement)
        except (duckdb.InvalidInputException, duckdb.IOException, duckdb.SerializationException) as problem:
            raise CannotRead(str(problem).splitlines()[0]) from problem


def _kind(described: str) -> ColumnKind:
    if described in _WHOLE:
        return "whole"
    return "number" if described.startswith(_NUMBERS) else "text"


def _text(path: Path | str) -> str:
    return "'" + str(path).replace("'", "''") + "'"
