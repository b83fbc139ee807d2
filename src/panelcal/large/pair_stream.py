"""The pairs in pieces, sorted by eliminated member, from a file that is laid down once and gone through often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays, Engine

if TYPE_CHECKING:
    import pyarrow as pa

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some eliminated members with all of their pairs.

    Attributes
    ----------
    members
        Arrow array (m,) of the eliminated members.
    totals
        (m,) their confidence d.
    links, shares
        (m, n_kept) confidences, and the same over d.
    """

    members: pa.Array
    totals: Array
    links: sp.csr_array
    shares: sp.csr_array

    def rows(self) -> NDArray[np.intp]:
        """Return the member, 0 to m - 1, of each pair."""
        return np.repeat(np.arange(len(self.totals)), np.diff(self.links.indptr))


@dataclass(frozen=True, slots=True)
class PairStream:
    """Goes through the pieces whenever it is iterated over; each piece is one record batch of the file."""

    path: Path
    n_kept: int

    def __iter__(self) -> Iterator[Piece]:
        """Begin anew."""
        import pyarrow as pa

        with pa.memory_map(str(self.path)) as source:
            reader = pa.ipc.open_file(source)
            for k in range(reader.num_record_batches):
                yield self._piece(reader.get_batch(k))

    def _piece(self, batch: pa.RecordBatch) -> Piece:
        import pyarrow as pa

        first = batch.column("first").to_numpy(zero_copy_only=False)
        starts = np.flatnonzero(first)
        ends = np.append(starts, len(first))
        k, c, share, d = (batch.column(name).to_numpy() for name in ("k", "c", "share", "d"))
        shape = (len(starts), self.n_kept)
        return Piece(
            members=batch.column("e").take(pa.array(starts)),
            totals=d[starts],
            links=sp.csr_array((c, k, ends), shape=shape),
            shares=sp.csr_array((share, k, ends), shape=shape),
        )

    def multiply(self, confidence: Array, x: Array) -> Array:
        """Multiply the system (15) with (n_kept,) or (n_kept, m)."""
        product: Array = (confidence if x.ndim == 1 else confidence[:, None]) * x
        for piece in self:
            product -= piece.links.T @ (piece.shares @ x)
        return product


def pair_stream(engine: Engine, n_kept: int, path: Path) -> PairStream:
    """Lay the pairs down in a file, sorted, no member in two pieces."""
    import pyarrow as pa

    writer: Any = None
    left: dict[str, NDArray[Any]] = {}
    with pa.OSFile(str(path), "wb") as sink:
        for batch in engine.batches("SELECT e, k, c, share, d FROM linked ORDER BY e, k"):
            joined = {name: np.concatenate([left[name], batch[name]]) if left else batch[name] for name in batch}
            first = np.concatenate([[True], joined["e"][1:] != joined["e"][:-1]])
            last = int(np.flatnonzero(first)[-1])
            left = {name: values[last:] for name, values in joined.items()}
            if last:
                writer = _write(writer, sink, {name: values[:last] for name, values in joined.items()}, first[:last])
        first = np.zeros(len(left["e"]), dtype=np.bool_)
        first[0] = True
        writer = _write(writer, sink, left, first)
        writer.close()
    return PairStream(path, n_kept)


def _write(writer: Any, sink: pa.NativeFile, columns: Arrays, first: NDArray[np.bool_]) -> Any:
    import pyarrow as pa

    batch = pa.record_batch(
        {
            "e": pa.array(columns["e"]),
            "k": pa.array(columns["k"].astype(np.int32)),
            **{name: pa.array(columns[name]) for name in ("c", "share", "d")},
            "first": pa.array(first),
        }
    )
    writer = writer or pa.ipc.new_file(sink, batch.schema)
    writer.write_batch(batch)
    return writer
