"""Arrow columns to arrays and back, buffer by buffer: pyarrow's own way would load pandas where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from panelcal.large.engine import Arrays, Columns

_OFFSETS_UP_TO = 2**31 - 1


def write_arrays(arrays: Columns | Iterator[Columns], path: Path) -> None:
    """Write arrays, at once or in pieces, to a Parquet file."""
    pieces = iter([arrays]) if not isinstance(arrays, Iterator) else arrays
    writer = None
    try:
        for piece in pieces:
            table = pa.table({name: arrow_of(values) for name, values in piece.items()})
            writer = writer or pq.ParquetWriter(path, table.schema, compression="none", use_dictionary=False)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def arrow_of(values: Any) -> pa.Array:
    """Turn an array into an Arrow array; one of Arrow stays what it is."""
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype.kind in "iuf":
        kind = pa.from_numpy_dtype(values.dtype)
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])
    if len(values) and all(isinstance(value, int) for value in values):
        return arrow_of(np.array(values, dtype=np.int64))
    if all(isinstance(value, str) for value in values):
        pieces = [value.encode("utf-8") for value in values]
        ends = np.cumsum([0, *map(len, pieces)])
        if ends[-1] <= _OFFSETS_UP_TO:
            offsets = pa.py_buffer(ends.astype(np.int32))
            return pa.StringArray.from_buffers(len(values), offsets, pa.py_buffer(b"".join(pieces)))
    return pa.array(values)


def numbers_of(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Turn an Arrow column of numbers without nulls into an array of its own kind."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    chunks = [part for part in (whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]) if len(part)]
    kind = np.dtype(column.type.to_pandas_dtype())
    parts = [np.frombuffer(part.buffers()[1], kind, len(part), part.offset * kind.itemsize) for part in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, kind), *parts])


def arrays_of(table: pa.Table | pa.RecordBatch) -> Arrays:
    """Turn Arrow columns into arrays: whole numbers int64, others float64 with NaN for null, text objects."""
    found = {}
    for name, column in zip(table.schema.names, table.columns, strict=True):
        kind = column.type
        if pa.types.is_integer(kind) and column.null_count == 0:
            found[name] = np.asarray(numbers_of(column), dtype=np.int64)
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            plain = column.cast(pa.float64())
            found[name] = np.array(plain.to_pylist(), dtype=np.float64) if plain.null_count else numbers_of(plain)
        else:
            found[name] = np.array(column.to_pylist(), dtype=object)
    return found
