"""Calibration with confidence of a long table: the walk from rows to results, as tables of the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc, stdtr

from panelcal.calibration.gauges import GaugeName
from panelcal.calibration.uncertainty import student_quantile
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays, Engine
from panelcal.large.gauge_sums import GaugeSums, gauge_sums
from panelcal.large.network import (
    JOINED_AT_MOST,
    SQUARE_AT_MOST,
    Square,
    groups_by_links,
    groups_of_square,
    require_one_group,
    square_by_join,
    square_by_streaming,
)
from panelcal.large.pair_stream import PairStream, pair_stream
from panelcal.large.pairs import Pairs
from panelcal.large.solution import Solver, square_solver, streaming_solver
from panelcal.large.spread import spread_by_join, spread_by_sampling, spread_by_streaming

Array = NDArray[np.float64]
Progress = Callable[[str], None]

UNEXPECTED = 1_000
_SETTLED, _MOST_STEPS = 1e-12, 4
_NO_ROOM = 1e-8
_UNIT = float(np.finfo(np.float64).eps)  # twice the unit of rounding


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Values and biases, as the table `fitted` (e, v, m, d, n, g: group) and what is small enough to be here.

    Attributes
    ----------
    kept
        (n_kept,) solution of the kept side, the ground of each group at zero.
    group
        (n_kept,) connected group of each, the largest being 0.
    shift
        (n_groups,) what the gauge adds to values and takes off biases.
    squares
        (n_groups,) R, the weighted sum of squared residuals.
    freedom
        (n_groups,) N - p.
    members
        (n_groups,) eliminated members.
    leftover
        Bound on what the normal equations leave over, over root(C), as a length: as computed, and what computing it
        may have lost.
    rounding
        Bound on what rounding may do to the sums of the gauge and to values as stored, in score units.
    largest_change
        Largest difference of an object's average and value, their confidence-weighted mean taken out.
    """

    kept: Array
    group: NDArray[np.intp]
    shift: Array
    squares: Array
    freedom: Array
    members: Array
    leftover: float
    rounding: float
    largest_change: float

    @property
    def noise(self) -> Array:
        """(n_groups,) w = R/(N - p), NaN where N = p."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.freedom > 0, self.squares / self.freedom, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Linked:
    """How the kept members hang together, and how their system is solved."""

    group: NDArray[np.intp]
    solver: Solver
    square: Square | None
    stream: PairStream | None


def link(engine: Engine, pairs: Pairs, folder: Path, *, apart: bool) -> Linked:
    """Choose by measured counts how the system is set up, and set it up.

    Raises
    ------
    DisconnectedPanel
        If there are several groups, unless they are to be calibrated apart.
    """
    stream = None
    square = None
    many_each = pairs.products / pairs.n_pairs > JOINED_AT_MOST
    if pairs.n_kept > SQUARE_AT_MOST or many_each:
        stream = pair_stream(engine, pairs.n_kept, folder / "pairs.arrow")
    if pairs.n_kept <= SQUARE_AT_MOST:
        square = square_by_streaming(stream) if stream is not None else square_by_join(engine, pairs)
        group = groups_of_square(square)
    else:
        group = groups_by_links(engine, pairs.n_kept)
    if not apart:
        require_one_group(pairs, group)
    if square is not None:
        return Linked(group, square_solver(square, group, pairs.confidence), square, stream)
    assert stream is not None
    return Linked(group, streaming_solver(stream, group, pairs.confidence), None, stream)


def fit(engine: Engine, pairs: Pairs, linked: Linked, *, gauge: GaugeName, reference: float | None) -> Fit:
    """Solve, refine by what the engine finds left over, and fill the table `fitted`."""
    solver, group = linked.solver, linked.group
    solution = solver.solve(pairs.right)
    for step in range(_MOST_STEPS):
        _fitted_table(engine, solution, group)
        left = engine.fetch(
            "SELECT p.k AS k, sum(p.c * (p.s - x.x - f.v)) AS left_over, "
            "sum(p.c * (p.s - x.x - f.v) * (p.s - x.x - f.v) + p.css) AS squares "
            "FROM pair AS p JOIN fitted AS f ON p.e = f.e JOIN solution AS x ON p.k = x.k GROUP BY p.k ORDER BY p.k"
        )
        more = solver.solve(left["left_over"])
        size = float(np.abs(solution).max()) or 1.0
        if step == _MOST_STEPS - 1 or float(np.abs(more).max()) <= _SETTLED * size:
            break
        solution = solution + more
    sums = engine.fetch(
        "SELECT g, count(*) AS n, sum(d * v) AS dv, sum(v) AS v, sum(d * (m - v)) AS change, "
        "min(m - v) AS low, max(m - v) AS high, sum(d * v * v) AS dvv, max(abs(v)) AS far, max(n) AS most "
        "FROM fitted GROUP BY g ORDER BY g"
    )
    n_groups = len(sums["g"])
    rows = np.bincount(group, weights=pairs.rows, minlength=n_groups)
    unknowns = sums["n"] + np.bincount(group, minlength=n_groups) - 1.0
    return Fit(
        kept=solution,
        group=group,
        shift=_shift(gauge, reference, pairs, solution, group, sums),
        squares=np.asarray(np.bincount(group, weights=left["squares"], minlength=n_groups), dtype=np.float64),
        freedom=rows - unknowns,
        members=sums["n"].astype(np.float64),
        leftover=float(np.sqrt((left["left_over"] ** 2 / pairs.confidence).sum()))
        + _lost_in_sums(pairs, solution, sums),
        rounding=_UNIT * (pairs.n_eliminated + pairs.n_kept + 8) * float(sums["far"].max() + np.abs(solution).max()),
        largest_change=_largest_change(pairs, solution, sums),
    )


def _lost_in_sums(pairs: Pairs, solution: Array, sums: Arrays) -> float:
    """Bound what sums of n terms may lose, (n + 4) units of rounding of sum |terms|, in whatever order they are taken.

    By Cauchy and Schwarz (sum c y)^2/C <= sum c y^2, with y = |s| + |x| + |v|, on either side.
    """
    terms = float(pairs.squares.sum() + pairs.confidence @ solution**2 + sums["dvv"].sum())
    longest = float(pairs.rows.max()) + float(sums["most"].max()) + 8.0
    return _UNIT * longest * float(np.sqrt(3.0 * terms))


def _largest_change(pairs: Pairs, solution: Array, sums: Arrays) -> float:
    if pairs.kept == "object":
        change = pairs.mean - solution
        ends, total = (change.min(), change.max()), pairs.confidence @ change
    else:
        ends, total = (sums["low"].min(), sums["high"].max()), sums["change"].sum()
    common = total / pairs.total_confidence
    return float(max(ends[1] - common, common - ends[0]))


def _fitted_table(engine: Engine, solution: Array, group: NDArray[np.intp]) -> None:
    engine.give("solution", {"k": np.arange(len(solution)), "x": solution, "g": group})
    engine.make(
        "fitted",
        "SELECT p.e AS e, sum(p.c * (p.s - x.x)) / sum(p.c) AS v, sum(p.c * p.s) / sum(p.c) AS m, sum(p.c) AS d, "
        "sum(p.n) AS n, max(x.g) AS g FROM pair AS p JOIN solution AS x ON p.k = x.k GROUP BY p.e",
    )


def _shift(
    gauge: GaugeName, reference: float | None, pairs: Pairs, solution: Array, group: NDArray[np.intp], sums: Arrays
) -> Array:
    """(n_groups,) what is added to values and taken off biases so that the gauge is met."""

    def by_group(amounts: Array) -> Array:
        return np.asarray(np.bincount(group, weights=amounts, minlength=len(sums["g"])), dtype=np.float64)

    totals = by_group(pairs.confidence)
    kept_sum, eliminated_sum = by_group(pairs.confidence * solution), sums["dv"]
    kept_plain, eliminated_plain = by_group(solution), sums["v"]
    if pairs.eliminated == "object":
        of_values, of_biases, plain, count = eliminated_sum, kept_sum, kept_plain, by_group(np.ones(len(group)))
    else:
        of_values, of_biases, plain, count = kept_sum, eliminated_sum, eliminated_plain, sums["n"]
    if gauge == "equal":
        return np.asarray(plain / count)
    if gauge == "weighted" or reference is None:
        return np.asarray(of_biases / totals)
    return np.asarray((totals * (reference - pairs.centre) - of_values + of_biases) / (2 * totals))


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Unit variances, as the tables `own` and `room` and the column `t` of `fitted_error`, and those of the kept side.

    Attributes
    ----------
    kept
        (n_kept,) variance of each for w = 1, in the gauge.
    estimated
        Whether they are estimated from random scores.
    """

    kept: Array
    estimated: bool


def errors(engine: Engine, pairs: Pairs, linked: Linked, fitted: Fit, gauge: GaugeName) -> Errors:
    """Fill `own` (e, unit: variance of the eliminated member for w = 1, in the gauge) and `room` (e, k, along)."""
    solver = linked.solver
    if solver.inverse is None:
        if gauge != "weighted":
            raise MethodNotApplicable(f'Tables of this size are calibrated in the gauge "weighted", not "{gauge}".')
        assert linked.stream is not None
        kept = spread_by_sampling(engine, linked.stream, solver, pairs, fitted.group)
        engine.make("unit_error", "SELECT e, g AS unit FROM own")
        return Errors(kept, estimated=True)
    if linked.stream is not None:
        spread_by_streaming(engine, linked.stream, solver.inverse)
    else:
        spread_by_join(engine, pairs, solver.inverse)
    sums = gauge_sums(gauge, pairs, fitted.group, fitted.members, solver)
    group = fitted.group
    engine.give(
        "gauge",
        {"k": np.arange(len(group)), "t": sums.solution, "scale": sums.scale[group], "half": sums.half[group]},
    )
    # The eliminated part of G u is alpha + beta/d less the member's shares of the kept part.
    part = f"({sums.alpha!r} + {sums.beta!r} / max(p.d) - sum(p.share * t.t)) / max(t.scale)"
    correction = (
        f"- 2.0 * ({part} - max(t.half))" if pairs.eliminated == "object" else f"+ 2.0 * ({part} + max(t.half))"
    )
    engine.make(
        "unit_error",
        f"SELECT p.e AS e, greatest(max(own.g) {correction}, 0.0) AS unit "
        "FROM linked AS p JOIN own ON p.e = own.e JOIN gauge AS t ON p.k = t.k GROUP BY p.e",
    )
    return Errors(_kept_variances(solver.inverse, sums, group), estimated=False)


def _kept_variances(inverse: Array, sums: GaugeSums, group: NDArray[np.intp]) -> Array:
    part = sums.solution / sums.scale[group]
    half = sums.half[group]
    correction = 2 * (part + half) if sums.objects_eliminated else -2 * (part - half)
    return np.maximum(inverse.diagonal() + correction, 0.0)


def members_statement(pairs: Pairs, fitted: Fit, level: float) -> tuple[Arrays, str]:
    """Return a table to be given as `by_group` and the statement for the eliminated members' results.

    Columns: label, estimate, standard_error, lower, upper, assessments, average, group_number.
    """
    objects = pairs.eliminated == "object"
    noise = fitted.noise
    half = [student_quantile(int(freedom), level) for freedom in fitted.freedom.tolist()]
    given: Arrays = {
        "g": np.arange(len(noise)),
        "shift": (fitted.shift + pairs.centre) if objects else -fitted.shift,
        "deviation": np.sqrt(noise),
        "half": np.array(half) * np.sqrt(noise),
    }
    return given, (
        "SELECT f.e AS label, f.v + b.shift AS estimate, b.deviation * sqrt(u.unit) AS standard_error, "
        "f.v + b.shift - b.half * sqrt(u.unit) AS lower, f.v + b.shift + b.half * sqrt(u.unit) AS upper, "
        f"CAST(f.n AS BIGINT) AS assessments, f.m + ({pairs.centre!r}) AS average, f.g + 1 AS group_number "
        "FROM fitted AS f JOIN unit_error AS u ON f.e = u.e JOIN by_group AS b ON f.g = b.g"
    )


def kept_members(pairs: Pairs, fitted: Fit, found: Errors, level: float) -> Arrays:
    """Return the same columns for the kept side."""
    group = fitted.group
    deviation = np.sqrt(fitted.noise[group] * found.kept)
    half = np.array([student_quantile(int(freedom), level) for freedom in fitted.freedom.tolist()])[group] * deviation
    sign = 1.0 if pairs.kept == "object" else -1.0
    estimate = fitted.kept + sign * fitted.shift[group] + (pairs.centre if pairs.kept == "object" else 0.0)
    return {
        "label": pairs.kept_labels,
        "estimate": estimate,
        "standard_error": deviation,
        "lower": estimate - half,
        "upper": estimate + half,
        "assessments": pairs.rows,
        "average": pairs.mean + pairs.centre,
        "group_number": group + 1,
    }


def unexpected(engine: Engine, pairs: Pairs, fitted: Fit) -> Arrays:
    """Return the thousand pairs least like what all others suggest, by externally studentised residuals.

    Columns: object, assessor, score, fitted, residual, studentised, p_value, adjusted_p_value (Holm over all pairs).
    """
    noise, freedom = fitted.noise, fitted.freedom
    engine.give("by_group", {"g": np.arange(len(noise)), "squares": fitted.squares, "freedom": freedom})
    room = "(1.0 / p.c - r.along)"
    left = "(p.s - x.x - f.v)"
    found = engine.fetch(
        f"SELECT CAST(p.e AS STRING) AS e, p.k AS k, p.s AS s, {left} AS residual, b.freedom AS freedom, "
        f"{left} / sqrt({room}) / sqrt(greatest(b.squares - {left} * {left} / {room}, 1e-300) / (b.freedom - 1)) AS t "
        "FROM pair AS p JOIN room AS r ON p.e = r.e AND p.k = r.k JOIN fitted AS f ON p.e = f.e "
        "JOIN solution AS x ON p.k = x.k JOIN by_group AS b ON f.g = b.g "
        f"WHERE b.freedom > 1 AND p.c * {room} > {_NO_ROOM} ORDER BY abs({left} / sqrt({room})) DESC LIMIT {UNEXPECTED}"
    )
    order = np.argsort(-np.abs(found["t"]), kind="stable")
    found = {name: values[order] for name, values in found.items()}
    p = 2 * stdtr(found["freedom"] - 1, -np.abs(found["t"]))
    tests = pairs.n_pairs - np.arange(len(p))
    score = found["s"] + pairs.centre
    ends = {pairs.eliminated: found["e"].astype(object), pairs.kept: pairs.kept_labels[found["k"].astype(np.intp)]}
    return {
        "object": np.array([str(label) for label in ends["object"]], dtype=object),
        "assessor": np.array([str(label) for label in ends["assessor"]], dtype=object),
        "score": score,
        "fitted": score - found["residual"],
        "residual": found["residual"],
        "studentised": found["t"],
        "p_value": p,
        "adjusted_p_value": np.maximum.accumulate(np.minimum(p * tests, 1.0)) if len(p) else p,
    }


def f_test(pairs: Pairs, fitted: Fit) -> tuple[float, float]:
    """F test that all biases are equal, on (n_assessors - groups, N - p) degrees of freedom: statistic and p-value."""
    within_objects = pairs.within if pairs.eliminated == "object" else pairs.squares - pairs.confidence * pairs.mean**2
    explained = max(float(within_objects.sum() - fitted.squares.sum()), 0.0)
    more, freedom = pairs.n_assessors - len(fitted.squares), float(fitted.freedom.sum())
    if more < 1 or freedom < 1 or fitted.squares.sum() <= 0:
        return float("nan"), float("nan")
    statistic = explained / more / (float(fitted.squares.sum()) / freedom)
    return statistic, float(fdtrc(more, freedom, statistic))
