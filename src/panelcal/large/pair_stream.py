"""The pairs in pieces, each member whole in one of them, in files that are laid down once and gone through often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.large.arrow_arrays import arrow_of, numbers_of

_OF_MEMBERS, _OF_PAIRS = "members.arrow", "pairs.arrow"


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some eliminated members with all of their pairs, p of them, member by member and by k within.

    Attributes
    ----------
    members
        Arrow array (m,) of the eliminated members.
    starts, sizes
        (m,) where the pairs of each begin, and how many there are.
    totals
        (m,) their confidence d.
    k
        (p,) number of the kept member.
    confidence, score
        (p,) total confidence, and mean score less the centre.
    count, within
        (p,) assessments, and their squares about their mean.
    """

    members: pa.Array
    starts: Indices
    sizes: Indices
    totals: Array
    k: NDArray[np.int32]
    confidence: Array
    score: Array
    count: Array
    within: Array

    def add_up(self, amounts: Array) -> Array:
        """Add up amounts of pairs (p,) or (p, n) member by member."""
        return np.add.reduceat(amounts, self.starts, axis=0)

    def hand_out(self, amounts: Any) -> Any:
        """Give each pair (p,) what is its member's (m,)."""
        return np.repeat(amounts, self.sizes)

    def shares(self) -> Array:
        """Return the confidence of each pair (p,) over the total of its member."""
        return np.asarray(self.confidence / self.hand_out(self.totals))

    def table(self, amounts: Array, n_kept: int) -> sp.csr_array:
        """Lay out amounts of pairs as a sparse table (m, n_kept)."""
        ends = np.append(self.starts, len(self.k))
        return sp.csr_array((amounts, self.k, ends), shape=(len(self.sizes), n_kept))

    def two_by_two(self) -> Iterator[tuple[Indices, Indices]]:
        """Yield places i < j of two pairs of the same member: neighbours, then those two apart, and so on.

        Neither i nor j holds a place twice, and k at i is below k at j.
        """
        after = self.hand_out(self.starts + self.sizes - 1) - np.arange(len(self.k))
        apart, i = 1, np.flatnonzero(after >= 1)
        while len(i):
            yield i, i + apart
            apart += 1
            i = i[after[i] >= apart]


@dataclass(frozen=True, slots=True)
class PairStream:
    """Goes through the pieces whenever it is iterated over."""

    folder: Path
    n_kept: int

    def __iter__(self) -> Iterator[Piece]:
        """Begin anew."""
        # Read, not mapped: pages of a mapped file would count as memory of the program.
        with pa.OSFile(str(self.folder / _OF_MEMBERS)) as one, pa.OSFile(str(self.folder / _OF_PAIRS)) as two:
            of_members, of_pairs = pa.ipc.open_file(one), pa.ipc.open_file(two)
            for number in range(of_members.num_record_batches):
                yield _piece(of_members.get_batch(number), of_pairs.get_batch(number))

    def multiply(self, confidence: Array, x: Array) -> Array:
        """Multiply the system (15) with (n_kept,) or (n_kept, m)."""
        product: Array = (confidence if x.ndim == 1 else confidence[:, None]) * x
        for piece in self:
            carried = piece.table(piece.shares(), self.n_kept) @ x
            product -= piece.table(piece.confidence, self.n_kept).T @ carried
        return product


def _piece(of_members: pa.RecordBatch, of_pairs: pa.RecordBatch) -> Piece:
    sizes = numbers_of(of_members.column("size")).astype(np.intp)
    there = set(of_pairs.schema.names)
    n = of_pairs.num_rows
    return Piece(
        members=of_members.column("member"),
        starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        totals=numbers_of(of_members.column("total")),
        k=numbers_of(of_pairs.column("k")),
        confidence=numbers_of(of_pairs.column("confidence")),
        score=numbers_of(of_pairs.column("score")),
        count=numbers_of(of_pairs.column("count")) if "count" in there else np.ones(n),
        within=numbers_of(of_pairs.column("within")) if "within" in there else np.zeros(n),
    )


class PairWriter:
    """Lays pieces down in a folder of their own.

    Parameters
    ----------
    folder
        Is made; must not be there.
    repeats
        Whether pairs may be of several assessments, so that how many has to be written as well.
    """

    def __init__(self, folder: Path, *, repeats: bool) -> None:
        self._folder = folder
        self._repeats = repeats
        self._writers: list[Any] = []
        self._sinks: list[Any] = []
        folder.mkdir()

    def write(self, piece: Piece) -> None:
        """Lay down one more."""
        of_members = {"member": piece.members, "size": piece.sizes.astype(np.int32), "total": piece.totals}
        of_pairs: dict[str, Any] = {"k": piece.k, "confidence": piece.confidence, "score": piece.score}
        if self._repeats:
            of_pairs |= {"count": piece.count, "within": piece.within}
        batches = [
            pa.record_batch({name: arrow_of(values) for name, values in columns.items()})
            for columns in (of_members, of_pairs)
        ]
        if not self._writers:
            self._sinks = [pa.OSFile(str(self._folder / name), "wb") for name in (_OF_MEMBERS, _OF_PAIRS)]
            both = zip(self._sinks, batches, strict=True)
            self._writers = [pa.ipc.new_file(sink, batch.schema) for sink, batch in both]
        for writer, batch in zip(self._writers, batches, strict=True):
            writer.write_batch(batch)

    def stream(self, n_kept: int) -> PairStream:
        """Close the files and return what goes through them."""
        for closing in (*self._writers, *self._sinks):
            closing.close()
        return PairStream(self._folder, n_kept)
