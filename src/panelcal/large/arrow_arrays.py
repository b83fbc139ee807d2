"""Arrow tables to arrays and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from panelcal.large.engine import Arrays, Columns


def write_arrays(arrays: Columns | Iterator[Columns], path: Path) -> None:
    """Write arrays, at once or in pieces, to a Parquet file."""
    pieces = iter([arrays]) if not isinstance(arrays, Iterator) else arrays
    writer = None
    try:
        for piece in pieces:
            table = pa.table({name: pa.array(values) for name, values in piece.items()})
            writer = writer or pq.ParquetWriter(path, table.schema, compression="none", use_dictionary=False)
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def arrays_of(table: pa.Table | pa.RecordBatch) -> Arrays:
    """Turn Arrow columns into arrays: whole numbers int64, others float64 with NaN for null, text objects."""
    found = {}
    for name, column in zip(table.schema.names, table.columns, strict=True):
        kind = column.type
        if pa.types.is_integer(kind) and column.null_count == 0:
            found[name] = np.asarray(column.to_numpy(), dtype=np.int64)
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            found[name] = np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        else:
            found[name] = np.array(column.to_pylist(), dtype=object)
    return found
