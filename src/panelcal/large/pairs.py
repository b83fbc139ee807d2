"""Pairs of object and assessor: the only thing about a long table that everything else is computed from.

The side with more members is eliminated, eq. (15) or its mirror image; members of the kept side get numbers.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.large.engine import Engine
from panelcal.large.rows import Assessments

Repeated = Literal["stop", "average", "keep both"]
Side = Literal["object", "assessor"]

_NAMED = 10
_MOST_KEPT = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The tables `pair` and `linked`, and what is small enough to be here.

    `pair` has e (the eliminated member), k (number of the kept one), n assessments, their confidence c, mean score s
    less `centre`, and their squares about it css. `linked` has e, k, c and share = c over the total d of e.

    Attributes
    ----------
    eliminated
        Which side is eliminated.
    kept_labels
        (n_kept,) labels of the kept side, in the order of their numbers.
    confidence, rows
        (n_kept,) total confidence and number of assessments of each.
    right
        (n_kept,) the right-hand side of the system (15).
    share
        (n_kept,) sum of their shares in eliminated members.
    inverse_share
        (n_kept,) 1/d of each eliminated member, handed out evenly to the kept ones it is paired with.
    mean, squares
        (n_kept,) confidence-weighted mean score less `centre`, and the sum of c x square about `centre`.
    within
        (n_kept,) sum of c x square about the mean of the eliminated member.
    n_eliminated, n_pairs, n_assessments
        How many there are.
    products
        Sum over eliminated members of the square of their number of pairs: what a self-join has to go through.
    centre
        What scores are measured from.
    parts
        In how many parts a join of `linked` with itself is done.
    repeated
        How many assessments repeat an earlier pair.
    """

    eliminated: Side
    kept_labels: NDArray[np.object_]
    confidence: NDArray[np.float64]
    rows: NDArray[np.int64]
    right: NDArray[np.float64]
    share: NDArray[np.float64]
    inverse_share: NDArray[np.float64]
    mean: NDArray[np.float64]
    squares: NDArray[np.float64]
    within: NDArray[np.float64]
    n_eliminated: int
    n_pairs: int
    n_assessments: int
    products: float
    centre: float
    parts: int
    repeated: int

    @property
    def kept(self) -> Side:
        """Which side is kept."""
        return "assessor" if self.eliminated == "object" else "object"

    @property
    def n_kept(self) -> int:
        """Number of kept members."""
        return len(self.kept_labels)

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.n_eliminated if self.eliminated == "object" else self.n_kept

    @property
    def n_assessors(self) -> int:
        """Number of assessors."""
        return self.n_kept if self.eliminated == "object" else self.n_eliminated

    @property
    def total_confidence(self) -> float:
        """Sum of all confidences."""
        return float(self.confidence.sum())


def make_pairs(engine: Engine, found: Assessments, *, repeated: Repeated) -> Pairs:
    """Make the tables.

    Raises
    ------
    InputRefused
        If pairs repeat and that is to stop a run.
    """
    eliminated = _larger_side(engine)
    kept: Side = "assessor" if eliminated == "object" else "object"
    _pair_table(engine, found.centre, kept, repeated)
    n_pairs = int(engine.fetch("SELECT count(*) AS pairs FROM pair")["pairs"][0])
    again = found.n_rows - n_pairs
    if again and repeated == "stop":
        raise InputRefused(_repeated_pairs(engine, again, eliminated))
    parts = max(1, -(-n_pairs // engine.parts_of)) if engine.parts_of else 1
    part = engine.dialect.part_of.format(value="p.e", n=parts)
    engine.make(
        "linked",
        f"SELECT p.e AS e, p.k AS k, p.c AS c, p.c / t.d AS share, p.c * (p.s - t.m) AS r, t.d AS d, t.pairs AS pairs, "
        f"CAST({part} AS INTEGER) AS part FROM pair AS p JOIN "
        "(SELECT e, sum(c) AS d, sum(c * s) / sum(c) AS m, count(*) AS pairs FROM pair GROUP BY e) AS t ON p.e = t.e",
    )
    by_kept = engine.fetch(
        "SELECT k, sum(c) AS c, sum(r) AS r, sum(pairs) AS products, sum(1.0 / pairs) AS members, "
        "sum(share) AS share, sum(1.0 / (d * pairs)) AS inverse, sum(r * r / c) AS within "
        "FROM linked GROUP BY k ORDER BY k"
    )
    rows = engine.fetch(
        "SELECT k, sum(n) AS n, sum(c * s) / sum(c) AS m, sum(c * s * s + css) AS squares, "
        "sum(css) AS css FROM pair GROUP BY k ORDER BY k"
    )
    labels = engine.fetch("SELECT label FROM kept ORDER BY k")
    return Pairs(
        eliminated=eliminated,
        kept_labels=labels["label"].astype(object),
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
        products=float(by_kept["products"].sum()),
        centre=found.centre,
        parts=parts,
        repeated=again,
    )


def _larger_side(engine: Engine) -> Side:
    counts = engine.fetch(
        "SELECT approx_count_distinct(object) AS objects, approx_count_distinct(assessor) AS assessors FROM scores"
    )
    if min(counts["objects"][0], counts["assessors"][0]) > _MOST_KEPT:
        raise InputRefused(
            f"There are about {int(counts['objects'][0]):,} different objects and {int(counts['assessors'][0]):,} "
            "different assessors; one of the two must be below two million: look whether a column of ids is meant."
        )
    return "object" if counts["objects"][0] >= counts["assessors"][0] else "assessor"


def _pair_table(engine: Engine, centre: float, kept: Side, repeated: Repeated) -> None:
    eliminated: Side = "assessor" if kept == "object" else "object"
    engine.make(
        "kept",
        f"SELECT label, CAST(row_number() OVER (ORDER BY label) - 1 AS INTEGER) AS k "
        f"FROM (SELECT DISTINCT {kept} AS label FROM scores) AS labels",
    )
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


def _repeated_pairs(engine: Engine, again: int, eliminated: Side) -> str:
    first = engine.fetch(
        "SELECT p.e AS e, kept.label AS label, p.n AS n FROM pair AS p JOIN kept ON p.k = kept.k WHERE p.n > 1 "
        f"ORDER BY p.e, kept.label LIMIT {_NAMED}"
    )
    pairs = zip(*(first[name].tolist() for name in ("e", "label", "n")), strict=True)
    listed = "; ".join(
        f"{e if eliminated == 'object' else label} by {label if eliminated == 'object' else e}, {int(n)} times"
        for e, label, n in pairs
    )
    rows = "1 row repeats" if again == 1 else f"{again:,} rows repeat"
    return (
        f'{rows} an earlier pair of object and assessor ({listed}): add --set "Repeated assessments=average" to use '
        'their mean, or --set "Repeated assessments=keep both" to count each of them.'
    )
