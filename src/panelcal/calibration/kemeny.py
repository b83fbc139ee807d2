"""The ranking that reverses fewest of the assessors' preferences (Kemeny 1959), with proof or with a proven bound.

Objects that beat one another in a circle are settled together, the others by order of the circles. Within a circle the
linear ordering problem is solved: x_ij = 1 where i is ranked above j, with 0 <= x_ij + x_jk - x_ik <= 1 for every
three, added where they are violated; by linear programming first, which mostly ends in whole numbers, then by scipy's
`milp`. Budgets count nodes and rounds, never time, so that the answer is the same on every machine.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csgraph

from panelcal.arrays import Array, Indices
from panelcal.calibration.preferences import preference_counts
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel

MOST_OBJECTS = 2_000
_MOST_SOLVED, _MOST_WHOLE, _MOST_PACKED = 60, 30, 400
_ROUNDS, _IDLE, _ADDED = 20, 4, 3_000
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Kemeny:
    """A ranking with few reversals.

    Attributes
    ----------
    order
        (n_objects,) the objects from first (highest) to last.
    reversals
        How many preferences it turns round: an assessor scored one object above another, the ranking says otherwise.
    least
        No ranking has fewer than this, which is proven.
    preferences
        How many preferences there are.
    """

    order: Indices
    reversals: int
    least: int
    preferences: int

    @property
    def is_proven(self) -> bool:
        """Whether no ranking has fewer reversals."""
        return self.reversals == self.least


def kemeny(panel: Panel, nearest_to: Array, *, most_solved: int = _MOST_SOLVED, nodes: int = 100) -> Kemeny:
    """Find the ranking with fewest reversals.

    Parameters
    ----------
    panel
        The assessments; every assessor's preference between two objects counts 1.
    nearest_to
        (n_objects,) values: of rankings with equally few reversals, the one that has fewest pairs in another order.
    most_solved
        Circles of more objects are not solved: they get a good ranking, and the bound that circles of three give.
    nodes
        Most nodes of each integer programme.

    Raises
    ------
    MethodNotApplicable
        With more than 2,000 objects, or where no assessor prefers anything.
    """
    if panel.n_objects > MOST_OBJECTS:
        raise MethodNotApplicable(
            f"Rankings with fewest reversals are looked for among up to {MOST_OBJECTS:,} objects."
        )
    counts = preference_counts(panel)
    if not counts.any():
        raise MethodNotApplicable("No assessor gives two objects different scores, so there is nothing to rank by.")
    order: list[int] = []
    least = int(np.minimum(counts, counts.T).sum()) // 2
    for circle in _circles(counts, nearest_to):
        own = counts[np.ix_(circle, circle)]
        ranked, proven = _settled(own, nearest_to[circle], most_solved, nodes)
        order += [circle[k] for k in ranked]
        least += proven - int(np.minimum(own, own.T).sum()) // 2
    ranking = np.array(order, dtype=np.intp)
    return Kemeny(ranking, _reversals(counts, ranking), least, int(counts.sum()))


def _reversals(counts: NDArray[np.int64], order: Indices) -> int:
    return int(np.tril(counts[np.ix_(order, order)], -1).sum())


def _circles(counts: NDArray[np.int64], nearest_to: Array) -> list[list[int]]:
    """Group objects that beat one another in circles, the groups in an order that reverses no majority."""
    beats = sp.csr_array(counts > counts.T)
    number, group = csgraph.connected_components(beats, directed=True, connection="strong")
    members = [np.flatnonzero(group == k).tolist() for k in range(number)]
    first, second = beats.nonzero()
    links = np.unique(np.column_stack([group[first], group[second]])[group[first] != group[second]], axis=0)
    waits = np.bincount(links[:, 1], minlength=number)
    best = [-float(nearest_to[one].mean()) for one in members]
    ready = [(best[k], k) for k in np.flatnonzero(waits == 0).tolist()]
    heapq.heapify(ready)
    found = []
    while ready:
        _, k = heapq.heappop(ready)
        found.append(members[k])
        for other in links[links[:, 0] == k, 1].tolist():
            waits[other] -= 1
            if not waits[other]:
                heapq.heappush(ready, (best[other], other))
    return found


def _settled(counts: NDArray[np.int64], nearest_to: Array, most_solved: int, nodes: int) -> tuple[list[int], int]:
    """Return the best ranking found of a circle, and the proven least number of reversals."""
    size = len(counts)
    floor = int(np.minimum(counts, counts.T).sum()) // 2
    if size == 1:
        return [0], 0
    # Reversals first, then pairs in another order than `nearest_to`: both in one figure.
    unit = size * size
    above = nearest_to[:, None] > nearest_to[None, :]
    costs = (counts.T * unit + above.T).astype(np.float64)  # of ranking the first above the second
    order = _improved(costs, np.argsort(-nearest_to, kind="stable"))
    if size > most_solved:
        return order.tolist(), floor + (_packed_circles(counts) if size <= _MOST_PACKED else 0)
    found, least = _Ordering(counts, costs, nodes).solve(order)
    return found.tolist(), max(floor, least)


def _improved(costs: Array, order: Indices) -> Indices:
    """Move single objects to better places until none helps."""
    gains = costs - costs.T
    while True:
        helped = False
        for k in range(len(order)):
            one = order[k]
            rest = np.delete(order, k)
            # Cost of standing at each place, from the first on: those passed are then above instead of below.
            steps = np.concatenate([[0.0], np.cumsum(gains[rest, one])])
            place = int(np.argmin(steps))
            if steps[place] < steps[k]:
                order = np.insert(rest, place, one)
                helped = True
        if not helped:
            return order


def _packed_circles(counts: NDArray[np.int64]) -> int:
    """Return how many reversals circles of three force, taking each majority's lead into account once."""
    lead = np.maximum(counts - counts.T, 0)
    forced = 0
    for i, j in np.argwhere(lead > 0).tolist():
        while lead[i, j]:
            through = np.minimum(lead[j], lead[:, i])
            k = int(np.argmax(through))
            step = min(int(through[k]), int(lead[i, j]))
            if not step:
                break
            for one, other in ((i, j), (j, k), (k, i)):
                lead[one, other] -= step
            forced += step
    return forced


class _Ordering:
    """The linear ordering problem of one circle, with as many of its conditions as have been needed."""

    def __init__(self, counts: NDArray[np.int64], costs: Array, nodes: int) -> None:
        self.counts, self.costs, self.nodes, self.size = counts, costs, nodes, len(counts)
        self.first, self.second = np.triu_indices(self.size, 1)
        self.place = np.zeros(counts.shape, dtype=np.intp)
        self.place[self.first, self.second] = np.arange(len(self.first))
        self.weights = (counts[self.second, self.first] - counts[self.first, self.second]).astype(np.float64)
        self.constant = int(counts[self.first, self.second].sum())
        self.triples = np.empty((0, 3), dtype=np.intp)

    def solve(self, order: Indices) -> tuple[Indices, int]:
        """Return the best ranking found, starting from one, and a number that no ranking has fewer reversals than."""
        least = 0
        for whole in (False, True) if self.size <= _MOST_WHOLE else (False,):
            bounds = [least]
            while len(bounds) <= _ROUNDS and (len(bounds) <= _IDLE or bounds[-1] > bounds[-1 - _IDLE]):
                found, reached = self._relaxed(whole=whole)
                least = max(least, reached)
                bounds.append(least)
                if found is None:
                    break
                order = self._better(order, found)
                if _reversals(self.counts, order) == least:
                    return order, least
                if not self._add_violated(found):
                    break
        return order, least

    def _relaxed(self, *, whole: bool) -> tuple[Array | None, int]:
        """Solve with the conditions so far, in fractions or in whole numbers within the budget of nodes.

        Returns what was found, if anything, and the bound that follows.
        """
        rows = np.repeat(np.arange(len(self.triples)), 3)
        i, j, k = self.triples.T
        columns = np.column_stack([self.place[i, j], self.place[j, k], self.place[i, k]]).ravel()
        signs = np.tile([1.0, 1.0, -1.0], len(self.triples))
        # Older solvers take indices of 32 bits only.
        at = rows.astype(np.int32), columns.astype(np.int32)
        table = sp.csc_array((signs, at), shape=(len(self.triples), len(self.first)))
        solved = milp(
            self.weights,
            integrality=np.full(len(self.first), int(whole)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(table, 0, 1) if len(self.triples) else (),
            options={"node_limit": self.nodes, "mip_rel_gap": 0.0},
        )
        reached = solved.mip_dual_bound if whole else solved.fun
        least = 0 if reached is None else math.ceil(self.constant + float(reached) - _TOLERANCE * self.size)
        return solved.x, least

    def _better(self, order: Indices, found: Array) -> Indices:
        """Round a solution to a ranking by how often each object is above others, improve it, keep the better one."""
        above = np.zeros(self.costs.shape)
        above[self.first, self.second] = found
        above[self.second, self.first] = 1 - found
        other = _improved(self.costs, np.argsort(-np.round(above.sum(axis=1), 6), kind="stable"))
        return min(order, other, key=lambda one: float(np.triu(self.costs[np.ix_(one, one)], 1).sum()))

    def _add_violated(self, found: Array) -> bool:
        """Add the conditions that a solution violates, the worst first; tell whether there were any."""
        above = np.zeros(self.costs.shape)
        above[self.first, self.second] = found
        sums = above[:, :, None] + above[None, :, :] - above[:, None, :]
        i, j, k = np.ogrid[: self.size, : self.size, : self.size]
        off = np.where((i < j) & (j < k), np.maximum(sums - 1, -sums), 0.0)
        worst = np.argwhere(off > _TOLERANCE)
        if not len(worst):
            return False
        by = np.argsort(-np.round(off[tuple(worst.T)], 6), kind="stable")[:_ADDED]
        self.triples = np.vstack([self.triples, worst[by]])
        return True
