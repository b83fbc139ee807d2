"""The pairs gone through here, in pieces: how it is done where rows come from the engine at little cost (`Walk`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass
from panelcal.large.arrow_arrays import arrow_of
from panelcal.large.engine import Arrays, Engine
from panelcal.large.network import SquareSums, fits_square, groups_of_links
from panelcal.large.pair_stream import PairStream, PairWriter, Piece
from panelcal.large.pairs import REPEATED_NAMED, Pairs, Repeated, Side, kept_labels, number_kept, require_no_repeats
from panelcal.large.row_pieces import parts_of, row_pieces
from panelcal.large.rows import Assessments
from panelcal.large.walk import NO_ROOM, UNEXPECTED, Closing, MemberSums, Residuals


class StreamWalk:
    """Lays the pairs down in a folder and goes through them piece by piece.

    Parameters
    ----------
    engine
        Where the view `scores` is.
    found
        What is known of it.
    repeated
        What to do where object and assessor stand together twice.
    folder
        For the pairs.

    Raises
    ------
    InputRefused
        If pairs repeat and that is to stop a run.
    """

    streams = True

    def __init__(self, engine: Engine, found: Assessments, *, repeated: Repeated, folder: Path) -> None:
        eliminated = number_kept(engine, found)
        labels = kept_labels(engine)
        n, n_parts = len(labels), parts_of(found.n_rows)
        sums, repeats = _KeptSums(n), _Repeats()
        self._engine = engine
        self._square = SquareSums(n) if fits_square(n) else None
        self._solution, self._group = np.zeros(n), np.zeros(n, dtype=np.intp)
        writer = PairWriter(folder / "pairs", repeats=repeated == "keep both")
        statement = _rows_statement(engine, eliminated, found.centre, n_parts)
        for piece in row_pieces(engine, statement, n_parts, n, folder, average=repeated == "average"):
            writer.write(piece)
            sums.add(piece)
            repeats.add(piece)
            if self._square is not None:
                self._square.add(piece)
        self._stream = writer.stream(n)
        again = found.n_rows - sums.n_pairs
        if repeated == "stop":
            require_no_repeats(again, repeats.named(labels), eliminated)
        self.pairs = sums.pairs(eliminated, labels, found.centre, again)

    def conductance(self) -> Array | None:
        """Return the table of conductance."""
        return None if self._square is None else self._square.conductance()

    def overlap(self) -> Array:
        """Return the table of overlap."""
        assert self._square is not None
        return self._square.overlap()

    def stream(self) -> PairStream:
        """Return the pairs in pieces."""
        return self._stream

    def groups(self) -> Indices:
        """Link every kept member of an eliminated one to its first."""
        n, links = self.pairs.n_kept, np.zeros(0, dtype=np.int64)
        for piece in self._stream:
            own = piece.hand_out(piece.k[piece.starts]).astype(np.int64) * n + piece.k
            links = np.union1d(links, own)
        return groups_of_links(*np.divmod(links, n), n)

    def residuals(self, solution: Array, group: Indices) -> Residuals:
        """Fit the eliminated members to a solution, and tell what is left over."""
        self._solution, self._group = solution, group
        n, n_groups = len(solution), int(group.max()) + 1
        left, squares, members = np.zeros(n), np.zeros(n), _MemberSums(n_groups)
        for piece in self._stream:
            fit = _fitted(piece, solution, group)
            weighted = piece.confidence * fit.residual
            left += np.bincount(piece.k, weighted, n)
            squares += np.bincount(piece.k, weighted * fit.residual + piece.within, n)
            members.add(piece, fit)
        return Residuals(left, squares, members.sums())

    def close(self, closing: Closing) -> Arrays:
        """Go through the pieces once more for results and the wildest pairs."""
        wildest = _Wildest()

        def results() -> Iterator[dict[str, Any]]:
            for number, piece in enumerate(self._stream):
                fit = _fitted(piece, self._solution, self._group)
                g, along = closing.spread.entries(number, piece)
                wildest.add(piece, fit, along, closing)
                yield _results(piece, fit, _moved(piece, fit, g, closing), closing, self.pairs.centre)

        self._engine.give("eliminated_result", results())
        return wildest.found()


def _rows_statement(engine: Engine, eliminated: Side, centre: float, n_parts: int) -> str:
    kept = "assessor" if eliminated == "object" else "object"
    part = engine.dialect.part_of.format(value=f"r.{eliminated}", n=n_parts)
    return (
        f"SELECT r.{eliminated} AS e, kept.k AS k, r.score - ({centre!r}) AS score, r.confidence AS confidence, "
        f"CAST({part} AS SMALLINT) AS part FROM scores AS r JOIN kept ON r.{kept} = kept.label"
    )


class _KeptSums:
    """Adds up what is to be known of each kept member."""

    _NAMES = ("confidence", "rows", "right", "share", "inverse", "score", "squares", "about", "within")

    def __init__(self, n_kept: int) -> None:
        self._n = n_kept
        self._sums = {name: np.zeros(n_kept) for name in self._NAMES}
        self.n_pairs = 0
        self._members = 0

    def add(self, piece: Piece) -> None:
        c, s = piece.confidence, piece.score
        weighted = c * s
        from_mean = s - piece.hand_out(piece.add_up(weighted) / piece.totals)
        right = c * from_mean
        amounts = (
            c, piece.count, right, piece.shares(), piece.hand_out(1.0 / (piece.totals * piece.sizes)), weighted,
            weighted * s, right * from_mean, piece.within,
        )  # fmt: skip
        for name, amount in zip(self._NAMES, amounts, strict=True):
            self._sums[name] += np.bincount(piece.k, amount, self._n)
        self.n_pairs += len(piece.k)
        self._members += len(piece.sizes)

    def pairs(self, eliminated: Side, labels: NDArray[np.object_], centre: float, again: int) -> Pairs:
        sums = self._sums
        return Pairs(
            eliminated=eliminated,
            kept_labels=labels,
            confidence=sums["confidence"],
            rows=np.rint(sums["rows"]).astype(np.int64),
            right=sums["right"],
            share=sums["share"],
            inverse_share=sums["inverse"],
            mean=sums["score"] / sums["confidence"],
            squares=sums["squares"] + sums["within"],
            within=sums["about"] + sums["within"],
            n_eliminated=self._members,
            n_pairs=self.n_pairs,
            n_assessments=round(float(sums["rows"].sum())),
            centre=centre,
            repeated=again,
        )


class _Repeats:
    """Keeps the first pairs that stand there several times."""

    def __init__(self) -> None:
        self._first: list[tuple[Any, int, int]] = []

    def add(self, piece: Piece) -> None:
        again = np.flatnonzero(piece.count > 1)[:REPEATED_NAMED]
        if len(again):
            members = np.searchsorted(piece.starts, again, side="right") - 1
            labels = piece.members.take(arrow_of(members)).to_pylist()
            more = zip(labels, piece.k[again].tolist(), piece.count[again].astype(int).tolist(), strict=True)
            self._first = sorted([*self._first, *more])[:REPEATED_NAMED]

    def named(self, labels: NDArray[np.object_]) -> list[tuple[Any, Any, int]]:
        return [(member, labels[k], count) for member, k, count in self._first]


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """Fitted values and means less the centre (m,), groups (m,), residuals (p,)."""

    value: Array
    mean: Array
    group: Indices
    residual: Array


def _fitted(piece: Piece, solution: Array, group: Indices) -> _Fitted:
    residual = piece.score - solution[piece.k]
    value = piece.add_up(piece.confidence * residual) / piece.totals
    mean = piece.add_up(piece.confidence * piece.score) / piece.totals
    residual -= piece.hand_out(value)
    return _Fitted(value, mean, group[piece.k[piece.starts]], residual)


class _MemberSums:
    """Adds up what is to be known of the eliminated members of each group."""

    _NAMES = ("members", "v", "vv", "moved", "together", "dv", "dvv", "change")

    def __init__(self, n_groups: int) -> None:
        self._n = n_groups
        self._sums = {name: np.zeros(n_groups) for name in self._NAMES}
        self._low = np.full(n_groups, np.inf)
        self._high, self._far, self._most = (np.full(n_groups, -np.inf) for _ in range(3))

    def add(self, piece: Piece, fit: _Fitted) -> None:
        d, v, moved = piece.totals, fit.value, fit.mean - fit.value
        amounts = (np.ones(len(v)), v, v * v, moved, moved * v, d * v, d * v * v, d * moved)
        for name, amount in zip(self._NAMES, amounts, strict=True):
            self._sums[name] += np.bincount(fit.group, amount, self._n)
        np.minimum.at(self._low, fit.group, moved)
        for ends, amount in ((self._high, moved), (self._far, np.abs(v)), (self._most, piece.add_up(piece.count))):
            np.maximum.at(ends, fit.group, amount)

    def sums(self) -> MemberSums:
        return MemberSums(**self._sums, most=self._most, low=self._low, high=self._high, far=self._far)


def _moved(piece: Piece, fit: _Fitted, g: Array, closing: Closing) -> Array:
    """Move variances for w = 1 (m,) to the gauge."""
    gauge = closing.spread.gauge
    if gauge is None:
        return g
    # The eliminated part of G u is alpha + beta/d less the member's shares of the kept part.
    along = gauge.alpha + gauge.beta / piece.totals - piece.add_up(piece.shares() * gauge.solution[piece.k])
    part, half = along / gauge.scale[fit.group], gauge.half[fit.group]
    correction = -2.0 * (part - half) if gauge.objects_eliminated else 2.0 * (part + half)
    return np.maximum(g + correction, 0.0)


def _results(piece: Piece, fit: _Fitted, unit: Array, closing: Closing, centre: float) -> dict[str, Any]:
    estimate = fit.value + closing.shift[fit.group]
    error = np.sqrt(closing.noise[fit.group] * unit)
    half = closing.quantile[fit.group] * error
    return {
        "label": piece.members,
        "estimate": estimate,
        "standard_error": error,
        "lower": estimate - half,
        "upper": estimate + half,
        "assessments": piece.add_up(piece.count).astype(np.int64),
        "average": fit.mean + centre,
        "group_number": fit.group + 1,
    }


class _Wildest:
    """Keeps the pairs with the largest residual/root(room)."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def add(self, piece: Piece, fit: _Fitted, along: Array, closing: Closing) -> None:
        room = 1.0 / piece.confidence - along
        freedom = piece.hand_out(closing.freedom[fit.group])
        told = (freedom > 1) & (piece.confidence * room > NO_ROOM)
        size = np.where(told, np.abs(fit.residual) / np.sqrt(np.where(told, room, 1.0)), -1.0)
        if len(size) > UNEXPECTED:
            at = np.sort(np.argpartition(-size, UNEXPECTED)[:UNEXPECTED])
        else:
            at = np.arange(len(size))
        at = at[size[at] >= 0]
        members = np.searchsorted(piece.starts, at, side="right") - 1
        residual, free, group = fit.residual[at], freedom[at], fit.group[members]
        others = np.maximum(closing.squares[group] - residual**2 / room[at], 1e-300) / (free - 1)
        found = {
            "size": size[at],
            "e": np.array([str(label) for label in piece.members.take(arrow_of(members)).to_pylist()], dtype=object),
            "k": piece.k[at],
            "s": piece.score[at],
            "residual": residual,
            "freedom": free,
            "t": residual / np.sqrt(room[at]) / np.sqrt(others),
        }
        both = {name: np.concatenate([self._kept[name], new]) for name, new in found.items()} if self._kept else found
        first = np.argsort(-both["size"], kind="stable")[:UNEXPECTED]
        self._kept = {name: values[first] for name, values in both.items()}

    def found(self) -> Arrays:
        return self._kept
