"""Spark as the engine: the same statements, on a cluster or in local mode. Tables are Parquet folders."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import dataset
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as kinds

from panelcal.large.arrow_arrays import arrays_of, write_arrays
from panelcal.large.engine import Arrays, CannotRead, ColumnKind, Columns, Dialect
from panelcal.large.source import Kind

_ROWS_AT_ONCE = 500_000
_WHOLE = (kinds.ByteType, kinds.ShortType, kinds.IntegerType, kinds.LongType)
_NUMBERS = (kinds.FloatType, kinds.DoubleType, kinds.DecimalType)


class SparkEngine:
    """Runs statements in the Spark session that is there, or in a local one of its own.

    Parameters
    ----------
    folder
        An empty folder for tables; on a cluster one that all workers see.
    """

    dialect = Dialect(quote="`", part_of="pmod(hash({value}), {n})")
    streams = False
    parts_of = 0

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        there = SparkSession.getActiveSession()
        self._own = there is None
        self._session = there or _local_session(folder)
        self._versions: dict[str, int] = {}
        self._views: set[str] = set()

    def open(self, name: str, kind: Kind, paths: Sequence[Path], *, table: str = "", rows: bool = False) -> None:
        """Make files a view of that name."""
        if kind == "duckdb":
            raise CannotRead("Spark does not read DuckDB files")
        files = [str(path.resolve()) for path in paths]
        reader = self._session.read
        try:
            if kind == "parquet":
                frame = reader.option("mergeSchema", "true").parquet(*files)
            elif kind == "csv":
                frame = reader.option("header", "true").option("mode", "FAILFAST").csv(files)
            else:
                frame = reader.option("primitivesAsString", "true").option("mode", "FAILFAST").json(files)
            frame.schema  # noqa: B018  # looks into the files now
        except PySparkException as problem:
            raise CannotRead(str(problem).splitlines()[0]) from problem
        if rows:
            numbered = frame.rdd.zipWithIndex().map(lambda pair: (*pair[0], pair[1] + 1))
            schema = kinds.StructType([*frame.schema.fields, kinds.StructField("panelcal_row", kinds.LongType())])
            frame = self._session.createDataFrame(numbered, schema)
        self._named(name, frame)

    def columns(self, name: str) -> dict[str, ColumnKind]:
        """Return the columns of a view or table."""
        return {field.name: _kind(field.dataType) for field in self._session.table(name).schema.fields}

    def make(self, name: str, *statements: str) -> None:
        """Make a table of what the statements return."""
        frame = self._session.sql(statements[0])
        for statement in statements[1:]:
            frame = frame.unionAll(self._session.sql(statement))
        version = self._versions.get(name, 0) + 1
        place = self._place(name, version)
        frame.write.parquet(str(place))
        self._named(name, self._session.read.parquet(str(place)))
        if version > 1:
            shutil.rmtree(self._place(name, version - 1), ignore_errors=True)
        self._versions[name] = version

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name."""
        self._named(name, self._session.sql(statement))

    def drop(self, *names: str) -> None:
        """Remove tables."""
        for name in names:
            self._session.catalog.dropTempView(name)
            if name in self._versions:
                shutil.rmtree(self._place(name, self._versions[name]), ignore_errors=True)

    def fetch(self, statement: str) -> Arrays:
        """Return what a statement finds, a column each."""
        try:
            return arrays_of(self._session.sql(statement).toArrow())
        except PySparkException as problem:
            raise CannotRead(str(problem).splitlines()[0]) from problem

    def batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Return the same in pieces, in the statement's order, by way of a file."""
        place = self._place("batches", 1)
        shutil.rmtree(place, ignore_errors=True)
        self._session.sql(statement).coalesce(1).write.parquet(str(place))
        for batch in dataset.dataset(place, format="parquet").to_batches(batch_size=_ROWS_AT_ONCE):
            if batch.num_rows:
                yield batch

    def give(self, name: str, arrays: Columns | Iterator[Columns]) -> None:
        """Make a table of arrays of equal length, given at once or in pieces."""
        version = self._versions.get(name, 0) + 1
        place = self._place(name, version)
        place.mkdir()
        write_arrays(arrays, place / "given.parquet")
        self._named(name, self._session.read.parquet(str(place)))
        if version > 1:
            shutil.rmtree(self._place(name, version - 1), ignore_errors=True)
        self._versions[name] = version

    def write(self, statement: str, path: Path) -> None:
        """Write what a statement finds to a folder of Parquet files."""
        self._session.sql(statement).write.parquet(str(path))

    def close(self) -> None:
        """End it; a session that was there before stays."""
        for name in self._views:
            self._session.catalog.dropTempView(name)
        if self._own:
            self._session.stop()

    def _place(self, name: str, version: int) -> Path:
        return self._folder / f"{name}-{version}"

    def _named(self, name: str, frame: DataFrame) -> None:
        frame.createOrReplaceTempView(name)
        self._views.add(name)


def _local_session(folder: Path) -> SparkSession:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder / "spilled"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "8",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[*]").appName("panelcal")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _kind(described: kinds.DataType) -> ColumnKind:
    if isinstance(described, _WHOLE):
        return "whole"
    return "number" if isinstance(described, _NUMBERS) else "text"
