"""The pairs gone through in the engine's tables: statements that run wherever the rows are (`Walk`).

`pair` has e (the eliminated member), k (number of the kept one), n assessments, their confidence c, mean score s less
`centre`, and their squares about it css. `linked` has e, k, c, share = c over the total d of e. `fitted` has e, v, m
(mean), d, n, g: group.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from panelcal.arrays import Array, Indices
from panelcal.large.arrow_arrays import arrow_of, numbers_of
from panelcal.large.engine import Arrays, Engine
from panelcal.large.network import SquareSums, fits_square, groups_of_links
from panelcal.large.pair_stream import PairStream, PairWriter, Piece
from panelcal.large.pairs import REPEATED_NAMED, Pairs, Repeated, Side, kept_labels, number_kept, require_no_repeats
from panelcal.large.rows import Assessments
from panelcal.large.walk import NO_ROOM, UNEXPECTED, Closing, MemberSums, Residuals

JOINED_AT_MOST = 20.0
"""Pairs of an eliminated member, on average over pairs, up to which a self-join is quicker than streaming."""


class TableWalk:
    """Makes the tables; sums of what members with very many pairs share are made over a stream of them.

    Parameters
    ----------
    engine, found, repeated, folder
        As for `StreamWalk`.

    Raises
    ------
    InputRefused
        If pairs repeat and that is to stop a run.
    """

    def __init__(self, engine: Engine, found: Assessments, *, repeated: Repeated, folder: Path) -> None:
        eliminated = number_kept(engine, found)
        self._engine = engine
        self._folder = folder
        self._stream: PairStream | None = None
        self._square: SquareSums | None = None
        _pair_table(engine, found.centre, eliminated, repeated)
        n_pairs = int(engine.fetch("SELECT count(*) AS pairs FROM pair")["pairs"][0])
        if repeated == "stop" and found.n_rows > n_pairs:
            require_no_repeats(found.n_rows - n_pairs, _first_repeats(engine), eliminated)
        self._parts = max(1, -(-n_pairs // engine.parts_of)) if engine.parts_of else 1
        _linked_table(engine, self._parts)
        self.pairs, products = _sums(engine, eliminated, found, n_pairs)
        self.streams = products / n_pairs > JOINED_AT_MOST or not fits_square(self.pairs.n_kept)

    def stream(self) -> PairStream:
        """Lay the pairs down in files, once."""
        if self._stream is None:
            self._stream = _laid_down(self._engine, self.pairs.n_kept, self._folder / "pairs")
        return self._stream

    def conductance(self) -> Array | None:
        """Add up the square tables, and return that of conductance."""
        if not fits_square(self.pairs.n_kept):
            return None
        self._square = self._square_sums()
        return self._square.conductance()

    def overlap(self) -> Array:
        """Return the table of overlap."""
        assert self._square is not None
        return self._square.overlap()

    def _square_sums(self) -> SquareSums:
        """Join the pairs with themselves, member by member, or go over the stream."""
        n = self.pairs.n_kept
        sums = SquareSums(n)
        if self.streams:
            for piece in self.stream():
                sums.add(piece)
            return sums
        for some in self._in_parts("e, k, c, share"):
            found = self._engine.fetch(
                f"SELECT CAST(p.k AS BIGINT) * {n} + q.k AS at, sum(p.share * q.c) AS c, sum(p.share * q.share) AS s "
                f"FROM {some} AS p JOIN {some} AS q ON p.e = q.e AND q.k <= p.k "
                f"GROUP BY CAST(p.k AS BIGINT) * {n} + q.k"
            )
            sums.add_places(found["at"], found["c"], found["s"])
        return sums

    def _in_parts(self, columns: str) -> list[str]:
        if self._parts == 1:
            return [f"(SELECT {columns} FROM linked)"]
        return [f"(SELECT {columns} FROM linked WHERE part = {part})" for part in range(self._parts)]

    def groups(self) -> Indices:
        """Link every kept member of an eliminated one to its first."""
        found = self._engine.fetch(
            "SELECT DISTINCT m.first AS i, p.k AS j FROM linked AS p "
            "JOIN (SELECT e, min(k) AS first FROM linked GROUP BY e) AS m ON p.e = m.e"
        )
        return groups_of_links(found["i"], found["j"], self.pairs.n_kept)

    def residuals(self, solution: Array, group: Indices) -> Residuals:
        """Fill the table `fitted`, and tell what is left over."""
        engine = self._engine
        engine.give("solution", {"k": np.arange(len(solution)), "x": solution, "g": group})
        engine.make(
            "fitted",
            "SELECT p.e AS e, sum(p.c * (p.s - x.x)) / sum(p.c) AS v, sum(p.c * p.s) / sum(p.c) AS m, sum(p.c) AS d, "
            "sum(p.n) AS n, max(x.g) AS g FROM pair AS p JOIN solution AS x ON p.k = x.k GROUP BY p.e",
        )
        left = engine.fetch(
            "SELECT p.k AS k, sum(p.c * (p.s - x.x - f.v)) AS left_over, "
            "sum(p.c * (p.s - x.x - f.v) * (p.s - x.x - f.v) + p.css) AS squares "
            "FROM pair AS p JOIN fitted AS f ON p.e = f.e JOIN solution AS x ON p.k = x.k GROUP BY p.k ORDER BY p.k"
        )
        sums = engine.fetch(
            "SELECT g, count(*) AS members, max(n) AS most, sum(v) AS v, sum(v * v) AS vv, sum(m - v) AS moved, "
            "sum((m - v) * v) AS together, sum(d * v) AS dv, sum(d * v * v) AS dvv, sum(d * (m - v)) AS change, "
            "min(m - v) AS low, max(m - v) AS high, max(abs(v)) AS far FROM fitted GROUP BY g ORDER BY g"
        )
        members = MemberSums(**{name: values.astype(np.float64) for name, values in sums.items() if name != "g"})
        return Residuals(left["left_over"], left["squares"], members)

    def close(self, closing: Closing) -> Arrays:
        """Fill the tables of errors and results; return the wildest pairs."""
        engine, spread = self._engine, closing.spread
        if self.streams or spread.inverse is None:
            _spread_over_stream(engine, self.stream(), closing)
        else:
            self._spread_by_join(spread.inverse)
        _unit_errors(engine, closing)
        n_groups = len(closing.noise)
        engine.give(
            "by_group",
            {
                "g": np.arange(n_groups),
                "shift": closing.shift,
                "deviation": np.sqrt(closing.noise),
                "half": closing.quantile * np.sqrt(closing.noise),
                "squares": closing.squares,
                "freedom": closing.freedom,
            },
        )
        engine.make(
            "eliminated_result",
            "SELECT f.e AS label, f.v + b.shift AS estimate, b.deviation * sqrt(u.unit) AS standard_error, "
            "f.v + b.shift - b.half * sqrt(u.unit) AS lower, f.v + b.shift + b.half * sqrt(u.unit) AS upper, "
            f"CAST(f.n AS BIGINT) AS assessments, f.m + ({self.pairs.centre!r}) AS average, f.g + 1 AS group_number "
            "FROM fitted AS f JOIN unit_error AS u ON f.e = u.e JOIN by_group AS b ON f.g = b.g",
        )
        room, left = "(1.0 / p.c - r.along)", "(p.s - x.x - f.v)"
        return engine.fetch(
            f"SELECT CAST(p.e AS STRING) AS e, p.k AS k, p.s AS s, {left} AS residual, b.freedom AS freedom, "
            f"{left} / sqrt({room}) / sqrt(greatest(b.squares - {left} * {left} / {room}, 1e-300) / (b.freedom - 1)) "
            "AS t FROM pair AS p JOIN room AS r ON p.e = r.e AND p.k = r.k JOIN fitted AS f ON p.e = f.e "
            "JOIN solution AS x ON p.k = x.k JOIN by_group AS b ON f.g = b.g "
            f"WHERE b.freedom > 1 AND p.c * {room} > {NO_ROOM} ORDER BY abs({left} / sqrt({room})) DESC "
            f"LIMIT {UNEXPECTED}"
        )

    def _spread_by_join(self, inverse: Array) -> None:
        """Fill `own` (e, g) and `room` (e, k, along): join the pairs with themselves and with the inverse."""
        engine, n = self._engine, self.pairs.n_kept
        engine.give("inverse", {"at": np.arange(n * n), "z": inverse.ravel()})
        engine.give("diagonal", {"k": np.arange(n), "z": inverse.diagonal().copy()})
        statements = [
            "SELECT p.e AS e, p.k AS k, max(p.share) AS share, max(p.d) AS d, sum(q.share * z.z) AS h "
            f"FROM {some} AS p JOIN {some} AS q ON p.e = q.e "
            f"JOIN inverse AS z ON z.at = CAST(p.k AS BIGINT) * {n} + q.k GROUP BY p.e, p.k"
            for some in self._in_parts("e, k, c, share, d")
        ]
        engine.make("carried", *statements)
        engine.drop("inverse")
        engine.make("own", "SELECT e, 1.0 / max(d) + sum(share * h) AS g FROM carried GROUP BY e")
        engine.make(
            "room",
            "SELECT p.e AS e, p.k AS k, own.g - 2.0 * p.h + z.z AS along "
            "FROM carried AS p JOIN own ON p.e = own.e JOIN diagonal AS z ON p.k = z.k",
        )
        engine.drop("carried", "diagonal")


def _pair_table(engine: Engine, centre: float, eliminated: Side, repeated: Repeated) -> None:
    kept = "assessor" if eliminated == "object" else "object"
    score = f"(r.score - ({centre!r}))"
    if repeated == "average":
        amounts = f"CAST(1 AS BIGINT) AS n, avg(r.confidence) AS c, avg({score}) AS s, CAST(0.0 AS DOUBLE) AS css"
    else:
        mean = f"sum(r.confidence * {score}) / sum(r.confidence)"
        about = f"sum(r.confidence * {score} * {score}) - sum(r.confidence * {score}) * {mean}"
        amounts = (
            f"count(*) AS n, sum(r.confidence) AS c, {mean} AS s, "
            f"CASE WHEN count(*) = 1 THEN CAST(0.0 AS DOUBLE) ELSE greatest({about}, 0.0) END AS css"
        )
    engine.make(
        "pair",
        f"SELECT r.{eliminated} AS e, kept.k AS k, {amounts} "
        f"FROM scores AS r JOIN kept ON r.{kept} = kept.label GROUP BY r.{eliminated}, kept.k",
    )


def _linked_table(engine: Engine, parts: int) -> None:
    part = engine.dialect.part_of.format(value="p.e", n=parts)
    engine.make(
        "linked",
        f"SELECT p.e AS e, p.k AS k, p.c AS c, p.c / t.d AS share, p.c * (p.s - t.m) AS r, t.d AS d, t.pairs AS pairs, "
        f"CAST({part} AS INTEGER) AS part FROM pair AS p JOIN "
        "(SELECT e, sum(c) AS d, sum(c * s) / sum(c) AS m, count(*) AS pairs FROM pair GROUP BY e) AS t ON p.e = t.e",
    )


def _sums(engine: Engine, eliminated: Side, found: Assessments, n_pairs: int) -> tuple[Pairs, float]:
    """Return what is to be known of the pairs, and the sum of squared numbers of pairs, what a join goes through."""
    by_kept = engine.fetch(
        "SELECT k, sum(c) AS c, sum(r) AS r, sum(pairs) AS products, sum(1.0 / pairs) AS members, "
        "sum(share) AS share, sum(1.0 / (d * pairs)) AS inverse, sum(r * r / c) AS within "
        "FROM linked GROUP BY k ORDER BY k"
    )
    rows = engine.fetch(
        "SELECT k, sum(n) AS n, sum(c * s) / sum(c) AS m, sum(c * s * s + css) AS squares, "
        "sum(css) AS css FROM pair GROUP BY k ORDER BY k"
    )
    pairs = Pairs(
        eliminated=eliminated,
        kept_labels=kept_labels(engine),
        confidence=by_kept["c"],
        rows=rows["n"].astype(np.int64),
        right=by_kept["r"],
        share=by_kept["share"],
        inverse_share=by_kept["inverse"],
        mean=rows["m"],
        squares=rows["squares"],
        within=by_kept["within"] + rows["css"],
        n_eliminated=round(float(by_kept["members"].sum())),
        n_pairs=n_pairs,
        n_assessments=int(rows["n"].sum()),
        centre=found.centre,
        repeated=found.n_rows - n_pairs,
    )
    return pairs, float(by_kept["products"].sum())


def _first_repeats(engine: Engine) -> list[tuple[Any, Any, int]]:
    first = engine.fetch(
        "SELECT p.e AS e, kept.label AS label, p.n AS n FROM pair AS p JOIN kept ON p.k = kept.k WHERE p.n > 1 "
        f"ORDER BY p.e, kept.label LIMIT {REPEATED_NAMED}"
    )
    return list(zip(*(first[name].tolist() for name in ("e", "label", "n")), strict=True))


def _laid_down(engine: Engine, n_kept: int, folder: Path) -> PairStream:
    """Lay the table `pair` down in pieces, no member in two of them."""
    writer = PairWriter(folder, repeats=True)
    left: pa.Table | None = None
    for batch in engine.batches("SELECT e, k, c, s, n, css FROM pair ORDER BY e, k"):
        rows = pa.Table.from_batches([batch])
        rows = (rows if left is None else pa.concat_tables([left, rows])).combine_chunks()
        last = int(_starts(rows)[-1])
        if last:
            writer.write(_piece(rows.slice(0, last)))
        left = rows.slice(last)
    assert left is not None
    writer.write(_piece(left))
    return writer.stream(n_kept)


def _starts(rows: pa.Table) -> Indices:
    """Return the places where another member begins."""
    members = rows.column("e").combine_chunks()
    new = np.ones(len(members), dtype=np.bool_)
    new[1:] = pa.compute.not_equal(members.slice(1), members.slice(0, len(members) - 1)).to_numpy(zero_copy_only=False)
    return np.flatnonzero(new)


def _piece(rows: pa.Table) -> Piece:
    starts = _starts(rows)
    confidence, score, count, within = (numbers_of(rows.column(name)) for name in ("c", "s", "n", "css"))
    return Piece(
        members=rows.column("e").combine_chunks().take(arrow_of(starts)),
        starts=starts,
        sizes=np.diff(np.append(starts, rows.num_rows)),
        totals=np.add.reduceat(confidence, starts),
        k=numbers_of(rows.column("k")).astype(np.int32),
        confidence=confidence,
        score=score,
        count=count.astype(np.float64),
        within=within,
    )


def _spread_over_stream(engine: Engine, stream: PairStream, closing: Closing) -> None:
    """Fill `own` (e, g) and `room` (e, k, along) from pieces."""

    def own() -> Iterator[dict[str, Any]]:
        for number, piece in enumerate(stream):
            yield {"e": piece.members, "g": closing.spread.entries(number, piece)[0]}

    def room() -> Iterator[dict[str, Any]]:
        for number, piece in enumerate(stream):
            members = piece.members.take(arrow_of(piece.hand_out(np.arange(len(piece.sizes)))))
            yield {"e": members, "k": piece.k, "along": closing.spread.entries(number, piece)[1]}

    engine.give("own", own())
    engine.give("room", room())


def _unit_errors(engine: Engine, closing: Closing) -> None:
    """Fill `unit_error` (e, unit: variance of the eliminated member for w = 1, in the gauge)."""
    gauge, group = closing.spread.gauge, closing.group
    if gauge is None:
        engine.make("unit_error", "SELECT e, g AS unit FROM own")
        return
    engine.give(
        "gauge",
        {"k": np.arange(len(group)), "t": gauge.solution, "scale": gauge.scale[group], "half": gauge.half[group]},
    )
    # The eliminated part of G u is alpha + beta/d less the member's shares of the kept part.
    part = f"({gauge.alpha!r} + {gauge.beta!r} / max(p.d) - sum(p.share * t.t)) / max(t.scale)"
    correction = f"- 2.0 * ({part} - max(t.half))" if gauge.objects_eliminated else f"+ 2.0 * ({part} + max(t.half))"
    engine.make(
        "unit_error",
        f"SELECT p.e AS e, greatest(max(own.g) {correction}, 0.0) AS unit "
        "FROM linked AS p JOIN own ON p.e = own.e JOIN gauge AS t ON p.k = t.k GROUP BY p.e",
    )
