"""Rows brought together by eliminated member: parted by a hash into files, each then sorted in memory.

What a GROUP BY does, but what comes out is sorted, stays here as arrays and needs no more memory than one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.large.arrow_arrays import arrow_of, numbers_of
from panelcal.large.engine import Engine
from panelcal.large.pair_stream import Piece

ROWS_IN_A_PART = 1_000_000
MOST_PARTS = 200
"""Files open at a time; more rows make larger parts."""
_LARGEST_KEY = 2**62


def parts_of(n_rows: int) -> int:
    """How many parts that many rows are taken in; never depends on memory or cores."""
    return min(max(1, -(-n_rows // ROWS_IN_A_PART)), MOST_PARTS)


def row_pieces(
    engine: Engine, statement: str, n_parts: int, n_kept: int, folder: Path, *, average: bool
) -> Iterator[Piece]:
    """Yield the pairs of rows with columns e, k, score, confidence and part (below `n_parts`), part by part.

    Parameters
    ----------
    folder
        For files, which are gone when all is yielded.
    average
        Whether a repeated pair counts as one assessment, the mean; else each row counts.
    """
    for rows in _parted(engine, statement, n_parts, folder):
        if rows.num_rows:
            yield _piece(rows, n_kept, average=average)


def _parted(engine: Engine, statement: str, n_parts: int, folder: Path) -> Iterator[pa.Table]:
    batches = engine.batches(statement)
    if n_parts == 1:
        yield pa.Table.from_batches(batches)
        return
    paths = [folder / f"part-{number}.arrow" for number in range(n_parts)]
    writers: list[Any] = []
    for batch in batches:
        part = numbers_of(batch.column("part"))
        together = batch.drop_columns(["part"]).take(arrow_of(np.argsort(part, kind="stable")))
        if not writers:
            writers = [pa.ipc.new_stream(str(path), together.schema) for path in paths]
        ends = np.cumsum(np.bincount(part, minlength=n_parts)).tolist()
        for writer, first, last in zip(writers, [0, *ends], ends, strict=False):
            if last > first:
                writer.write_batch(together.slice(first, last - first))
    for writer in writers:
        writer.close()
    for path in paths:
        with pa.OSFile(str(path)) as source:
            rows = pa.ipc.open_stream(source).read_all()
        path.unlink()
        yield rows


def _piece(rows: pa.Table, n_kept: int, *, average: bool) -> Piece:
    members = rows.column("e").combine_chunks()
    k = numbers_of(rows.column("k"))
    key = _in_order(members, n_kept) * n_kept + k
    order = np.argsort(key)
    key, k = key[order], k[order]
    confidence, score = (numbers_of(rows.column(name))[order] for name in ("confidence", "score"))
    new = np.empty(len(key), dtype=np.bool_)
    new[0] = True
    np.not_equal(key[1:], key[:-1], out=new[1:])
    count, within = np.ones(len(key)), np.zeros(len(key))
    if not new.all():
        at = np.flatnonzero(new)
        confidence, score, count, within = _together(confidence, score, at, average=average)
        key, k, order = key[at], k[at], order[at]
    member = key // n_kept
    starts = np.flatnonzero(np.concatenate([[True], member[1:] != member[:-1]]))
    return Piece(
        members=members.take(arrow_of(order[starts])),
        starts=starts,
        sizes=np.diff(np.append(starts, len(k))),
        totals=np.add.reduceat(confidence, starts),
        k=k,
        confidence=confidence,
        score=score,
        count=count,
        within=within,
    )


def _in_order(members: pa.Array, n_kept: int) -> NDArray[np.int64]:
    """Return small numbers in the order of the members' labels, equal where they are equal."""
    if pa.types.is_integer(members.type):
        labels = numbers_of(members)
        low, high = int(labels.min()), int(labels.max())
        if (high - low + 1) * n_kept < _LARGEST_KEY:
            wide = labels if labels.dtype == np.uint64 else labels.astype(np.int64)
            return np.asarray((wide - wide.dtype.type(low)).astype(np.int64))
    coded = members.dictionary_encode()
    rank = np.empty(len(coded.dictionary), dtype=np.int64)
    rank[numbers_of(pc.sort_indices(coded.dictionary))] = np.arange(len(rank))
    return np.asarray(rank[numbers_of(coded.indices)])


def _together(confidence: Array, score: Array, at: Indices, *, average: bool) -> tuple[Array, Array, Array, Array]:
    """Bring repeated pairs together, which begin at these places: confidence, score, count, within."""
    rows = np.diff(np.append(at, len(score))).astype(np.float64)
    if average:
        mean = np.add.reduceat(score, at) / rows
        return np.add.reduceat(confidence, at) / rows, mean, np.ones(len(at)), np.zeros(len(at))
    total = np.add.reduceat(confidence, at)
    mean = np.add.reduceat(confidence * score, at) / total
    about = np.add.reduceat(confidence * (score - np.repeat(mean, rows.astype(np.intp))) ** 2, at)
    return total, mean, rows, about
