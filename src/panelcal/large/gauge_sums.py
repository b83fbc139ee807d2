"""The gauges (10), (29), (36) and their corrections, from sums over the eliminated side (see `calibration.gauges`).

A gauge u . (v, b) = target has, for every eliminated member, the entry alpha d + beta, and for every kept one gamma C +
delta, C its confidence.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.gauges import GaugeName
from panelcal.frozen import dataclass
from panelcal.large.pairs import Pairs
from panelcal.large.solution import Solver


@dataclass(frozen=True, slots=True, eq=False)
class GaugeSums:
    """The gauge of each group.

    Attributes
    ----------
    alpha, beta
        Of the eliminated side.
    kept
        (n_kept,) entries of the kept side.
    solution
        (n_kept,) kept part of G u.
    scale, half
        (n_groups,) as in `Gauge.correction`.
    objects_eliminated
        Whether objects are the eliminated side.
    """

    alpha: float
    beta: float
    kept: Array
    solution: Array
    scale: Array
    half: Array
    objects_eliminated: bool


def gauge_sums(name: GaugeName, pairs: Pairs, group: Indices, members: Array, solver: Solver) -> GaugeSums:
    """Work out the gauge of that name; `members` (n_groups,) counts eliminated members, "reference" has a number."""
    objects_eliminated = pairs.eliminated == "object"
    ones, none = np.ones(pairs.n_kept), np.zeros(pairs.n_kept)
    if name == "reference":
        alpha, beta, kept = 1.0, 0.0, -pairs.confidence
        if not objects_eliminated:
            alpha, kept = -1.0, pairs.confidence
    elif objects_eliminated:
        alpha, beta, kept = 0.0, 0.0, (pairs.confidence if name == "weighted" else ones)
    else:
        alpha, beta, kept = (1.0, 0.0, none) if name == "weighted" else (0.0, 1.0, none)
    solution = solver.solve(kept - alpha * pairs.confidence - beta * pairs.share)

    def by_group(amounts: Array) -> Array:
        return np.asarray(np.bincount(group, weights=amounts, minlength=len(members)), dtype=np.float64)

    totals = by_group(pairs.confidence)
    on_eliminated = alpha * totals + beta * members
    scale = on_eliminated - by_group(kept) if objects_eliminated else by_group(kept) - on_eliminated
    # u . G u, the eliminated members' part being alpha + beta/d less their shares of the solution.
    own = alpha**2 * totals + 2 * alpha * beta * members + beta**2 * by_group(pairs.inverse_share)
    along = own - by_group((alpha * pairs.confidence + beta * pairs.share) * solution) + by_group(kept * solution)
    return GaugeSums(alpha, beta, kept, solution, scale, along / (2 * scale**2), objects_eliminated)
