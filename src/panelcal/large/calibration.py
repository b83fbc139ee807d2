"""Calibration with confidence of a long table: the walk from rows to results, as tables of the engine."""

from __future__ import annotations

import numpy as np
from scipy.special import fdtrc, stdtr

from panelcal.arrays import Array, Indices
from panelcal.calibration.gauges import GaugeName
from panelcal.calibration.uncertainty import student_quantile
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays
from panelcal.large.gauge_sums import gauge_sums
from panelcal.large.network import groups_of_square, require_one_group
from panelcal.large.pairs import Pairs
from panelcal.large.solution import Solver, square_solver, streaming_solver
from panelcal.large.spread import Spread, exact_spread, sampled_spread
from panelcal.large.walk import Closing, MemberSums, Walk

_SETTLED, _MOST_STEPS = 1e-12, 4
_UNIT = float(np.finfo(np.float64).eps)  # twice the unit of rounding


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Values and biases: what of them is small enough to be here.

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
        Sums over the eliminated members.
    leftover
        Bound on what the normal equations leave over, over root(C), as a length: as computed, and what computing it
        may have lost.
    rounding
        Bound on what rounding may do to the sums of the gauge and to values as stored, in score units.
    largest_change
        Largest difference of an object's average and value, their confidence-weighted mean taken out.
    """

    kept: Array
    group: Indices
    shift: Array
    squares: Array
    freedom: Array
    members: MemberSums
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
    """How the kept members hang together, and how their system is solved.

    Attributes
    ----------
    group
        (n_kept,) connected group of each.
    solver
        Solves the system.
    conductance
        (n_kept, n_kept) what the system is made of; None where it is too large.
    """

    group: Indices
    solver: Solver
    conductance: Array | None


def link(walk: Walk, *, apart: bool) -> Linked:
    """Set up the system between kept members.

    Raises
    ------
    DisconnectedPanel
        If there are several groups, unless they are to be calibrated apart.
    """
    conductance = walk.conductance()
    group = walk.groups() if conductance is None else groups_of_square(conductance)
    if not apart:
        require_one_group(walk.pairs, group)
    confidence = walk.pairs.confidence
    if conductance is None:
        return Linked(group, streaming_solver(walk.stream(), group, confidence), None)
    return Linked(group, square_solver(conductance, group, confidence), conductance)


def fit(walk: Walk, linked: Linked, *, gauge: GaugeName, reference: float | None) -> Fit:
    """Solve, and refine by what is left over."""
    pairs, solver, group = walk.pairs, linked.solver, linked.group
    quick = solver.quick(pairs.right)
    solution = solver.solve(pairs.right) if quick is None else quick
    for step in range(_MOST_STEPS):
        left = walk.residuals(solution, group)
        more = None if quick is None else solver.quick(left.left_over)
        if more is None:
            more = solver.solve(left.left_over)
        size = float(np.abs(solution).max()) or 1.0
        if step == _MOST_STEPS - 1 or float(np.abs(more).max()) <= _SETTLED * size:
            break
        if quick is not None:  # what was thought to be well linked is not
            quick, more = None, solver.solve(left.left_over)
        solution = solution + more
    sums = left.members
    n_groups = len(sums.members)
    rows = np.bincount(group, weights=pairs.rows, minlength=n_groups)
    unknowns = sums.members + np.bincount(group, minlength=n_groups) - 1.0
    return Fit(
        kept=solution,
        group=group,
        shift=_shift(gauge, reference, pairs, solution, group, sums),
        squares=np.asarray(np.bincount(group, weights=left.squares, minlength=n_groups), dtype=np.float64),
        freedom=rows - unknowns,
        members=sums,
        leftover=float(np.sqrt((left.left_over**2 / pairs.confidence).sum())) + _lost_in_sums(pairs, solution, sums),
        rounding=_UNIT * (pairs.n_eliminated + pairs.n_kept + 8) * float(sums.far.max() + np.abs(solution).max()),
        largest_change=_largest_change(pairs, solution, sums),
    )


def _lost_in_sums(pairs: Pairs, solution: Array, sums: MemberSums) -> float:
    """Bound what sums of n terms may lose, (n + 4) units of rounding of sum |terms|, in whatever order they are taken.

    By Cauchy and Schwarz (sum c y)^2/C <= sum c y^2, with y = |s| + |x| + |v|, on either side.
    """
    terms = float(pairs.squares.sum() + pairs.confidence @ solution**2 + sums.dvv.sum())
    longest = float(pairs.rows.max()) + float(sums.most.max()) + 8.0
    return _UNIT * longest * float(np.sqrt(3.0 * terms))


def _largest_change(pairs: Pairs, solution: Array, sums: MemberSums) -> float:
    if pairs.kept == "object":
        change = pairs.mean - solution
        ends, total = (change.min(), change.max()), pairs.confidence @ change
    else:
        ends, total = (sums.low.min(), sums.high.max()), sums.change.sum()
    common = total / pairs.total_confidence
    return float(max(ends[1] - common, common - ends[0]))


def _shift(
    gauge: GaugeName, reference: float | None, pairs: Pairs, solution: Array, group: Indices, sums: MemberSums
) -> Array:
    """(n_groups,) what is added to values and taken off biases so that the gauge is met."""

    def by_group(amounts: Array) -> Array:
        return np.asarray(np.bincount(group, weights=amounts, minlength=len(sums.members)), dtype=np.float64)

    totals = by_group(pairs.confidence)
    kept_sum, eliminated_sum = by_group(pairs.confidence * solution), sums.dv
    kept_plain, eliminated_plain = by_group(solution), sums.v
    if pairs.eliminated == "object":
        of_values, of_biases, plain, count = eliminated_sum, kept_sum, kept_plain, by_group(np.ones(len(group)))
    else:
        of_values, of_biases, plain, count = kept_sum, eliminated_sum, eliminated_plain, sums.members
    if gauge == "equal":
        return np.asarray(plain / count)
    if gauge == "weighted" or reference is None:
        return np.asarray(of_biases / totals)
    return np.asarray((totals * (reference - pairs.centre) - of_values + of_biases) / (2 * totals))


def spread_of(walk: Walk, linked: Linked, fitted: Fit, gauge: GaugeName) -> Spread:
    """Find the unit variances, or how they are looked up.

    Raises
    ------
    MethodNotApplicable
        If they have to be estimated and the gauge is another than "weighted".
    """
    solver, pairs = linked.solver, walk.pairs
    inverse = solver.inverse()
    if inverse is not None:
        sums = gauge_sums(gauge, pairs, fitted.group, fitted.members.members, solver)
        return exact_spread(inverse, sums, fitted.group)
    if gauge != "weighted":
        raise MethodNotApplicable(f'Tables of this size are calibrated in the gauge "weighted", not "{gauge}".')
    return sampled_spread(walk.stream(), solver, pairs, fitted.group)


def close(walk: Walk, fitted: Fit, spread: Spread, level: float) -> Arrays:
    """Fill the table `eliminated_result` and return the thousand pairs least like what all others suggest."""
    pairs = walk.pairs
    quantiles = [student_quantile(int(freedom), level) for freedom in fitted.freedom.tolist()]
    found = walk.close(
        Closing(
            solution=fitted.kept,
            group=fitted.group,
            shift=fitted.shift + pairs.centre if pairs.eliminated == "object" else -fitted.shift,
            noise=fitted.noise,
            squares=fitted.squares,
            freedom=fitted.freedom,
            quantile=np.array(quantiles),
            spread=spread,
        )
    )
    return _unexpected(pairs, found)


def kept_members(pairs: Pairs, fitted: Fit, spread: Spread, level: float) -> Arrays:
    """Return the columns of `eliminated_result` for the kept side."""
    group = fitted.group
    deviation = np.sqrt(fitted.noise[group] * spread.kept)
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


def _unexpected(pairs: Pairs, found: Arrays) -> Arrays:
    """Return the thousand wildest pairs, by externally studentised residuals.

    Columns: object, assessor, score, fitted, residual, studentised, p_value, adjusted_p_value (Holm over all pairs).
    """
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
