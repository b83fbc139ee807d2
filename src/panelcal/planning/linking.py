"""Make an assignment hang together: first connected, then with mu_2 as large as exchanges can make it.

An exchange gives two objects' assessors to each other (o: a -> b, p: b -> a), so that nobody's load changes. The sum of
squared concurrences, weighted by loads, is K^2 times the sum of squared eigenvalues of D'D: lowering it evens the links
out quickly, and exchanges that raise mu_2 itself come last.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse import csgraph

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import ImpossiblePlan
from panelcal.planning.plan_words import PlanWords

_TRIED_AT_ONCE = 256
_FRUITLESS = 6
_MOST_ROUNDS = 2_000
_TRIES_PER_SCORE = 40
_EIGENVALUE_WORK = 4e8


def groups_of(given: Mask) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
    """Count the connected groups; return the group of every object and of every assessor."""
    n_objects, n_assessors = given.shape
    objects, assessors = np.nonzero(given)
    size = n_objects + n_assessors
    graph = sp.coo_array((np.ones(len(objects)), (objects, n_objects + assessors)), shape=(size, size))
    count, group = csgraph.connected_components(graph, directed=False)
    return int(count), group[:n_objects], group[n_objects:]


def connect(given: Mask, allowed: Mask, random: np.random.Generator, words: PlanWords) -> None:
    """Link all groups, in place: by exchanges that leave the loads alone where there are such, else by handing over.

    Raises
    ------
    ImpossiblePlan
        If the conflicts of interest keep the groups apart.
    """
    while (count := groups_of(given)[0]) > 1:
        if not (_exchange_between(given, allowed, count, random) or _hand_over(given, allowed, count)):
            raise ImpossiblePlan(
                f"Conflicts of interest keep some {words.objects} and {words.assessors} apart from the others, so that "
                f"their scores could not be compared: ask another {words.assessor} without a conflict on both sides, "
                f"or plan more for each {words.object}."
            )
    _relieve(given, allowed)


def _exchange_between(given: Mask, allowed: Mask, count: int, random: np.random.Generator) -> bool:
    """Make one exchange between two groups that leaves fewer of them."""
    _, group, _ = groups_of(given)
    objects, assessors = np.nonzero(given)
    for k in random.permutation(len(objects)):
        o, a = objects[k], assessors[k]
        fits = (group[objects] != group[o]) & allowed[o, assessors] & allowed[objects, a]
        for j in np.flatnonzero(fits):
            _exchange(given, o, a, objects[j], assessors[j])
            if groups_of(given)[0] < count:
                return True
            _exchange(given, o, assessors[j], objects[j], a)
    return False


def _hand_over(given: Mask, allowed: Mask, count: int) -> bool:
    """Give one object of an assessor to one of another group, where that leaves fewer groups; least harm to loads."""
    _, group, assessor_group = groups_of(given)
    loads = given.sum(axis=0)
    found: tuple[int, int, int, int] | None = None
    for o, a in np.argwhere(given):
        for b in np.flatnonzero(allowed[o] & ~given[o] & (assessor_group != group[o])):
            harm = int(loads[b] - loads[a])
            if found is not None and harm >= found[0]:
                continue
            given[o, a], given[o, b] = False, True
            if groups_of(given)[0] < count:
                found = (harm, int(o), int(a), int(b))
            given[o, a], given[o, b] = True, False
    if found is None:
        return False
    _, one, first, second = found
    given[one, first], given[one, second] = False, True
    return True


def _relieve(given: Mask, allowed: Mask) -> None:
    """Even out what handing over has done to the loads, as far as all stays linked."""
    while True:
        loads = given.sum(axis=0)
        if loads.max() - loads.min() <= 1 or not _relieved_once(given, allowed, loads):
            return


def _relieved_once(given: Mask, allowed: Mask, loads: Indices) -> bool:
    for a in np.argsort(-loads, kind="stable"):
        for b in np.argsort(loads, kind="stable"):
            if loads[a] < loads[b] + 2:
                break
            for o in np.flatnonzero(given[:, a] & ~given[:, b] & allowed[:, b]):
                given[o, a], given[o, b] = False, True
                if groups_of(given)[0] == 1:
                    return True
                given[o, a], given[o, b] = True, False
    return False


def second_eigenvalue(given: Mask) -> float:
    """Return lambda_2 of D'D (in eq. 32), D the assignment divided by the square roots of its row and column sums."""
    scaled = _scaled(given)
    smaller = scaled.T @ scaled if given.shape[1] <= given.shape[0] else scaled @ scaled.T
    return float(np.linalg.eigvalsh(smaller)[-2]) if len(smaller) > 1 else 0.0


def mu2_of(given: Mask) -> float:
    """Return mu_2 = 1 - sqrt(lambda_2), as the top singular value of D with the known pair taken out."""
    n_objects, n_assessors = given.shape
    if n_assessors == 1 or n_objects == 1:
        return 2.0 if n_assessors == n_objects else 1.0
    scaled = _scaled(given)
    left, right = np.sqrt(given.sum(axis=1)), np.sqrt(given.sum(axis=0))
    known = np.outer(left, right) / given.sum()
    return 1.0 - float(np.linalg.norm(scaled - known, 2))


def strengthen(given: Mask, allowed: Mask, random: np.random.Generator) -> None:
    """Even out how often any two assessors meet, by exchanges, in place."""
    n_objects, n_assessors = given.shape
    if n_assessors < 3 or n_objects < 2:
        return
    loads = given.sum(axis=0).astype(np.float64)
    weights = 1.0 / np.outer(loads, loads)
    table = given.astype(np.float64)
    shared = table.T @ table
    np.fill_diagonal(shared, 0.0)
    fruitless = 0
    for _ in range(_MOST_ROUNDS):
        tried = _exchanges(given, allowed, random)
        if tried is None or fruitless == _FRUITLESS:
            return
        o, a, p, b = tried
        moved = table[o] - table[p]
        rows = np.arange(len(o))
        moved[rows, a] = moved[rows, b] = 0.0
        change = (weights[a] * moved * (moved - 2 * shared[a]) + weights[b] * moved * (moved + 2 * shared[b])).sum(
            axis=1
        )
        best = int(np.argmin(change))
        if change[best] >= -1e-12:
            fruitless += 1
            continue
        fruitless = 0
        one, first, other, second = int(o[best]), int(a[best]), int(p[best]), int(b[best])
        shared[first] -= moved[best]
        shared[:, first] -= moved[best]
        shared[second] += moved[best]
        shared[:, second] += moved[best]
        _exchange(given, one, first, other, second)
        table[[one, one, other, other], [first, second, second, first]] = 0.0, 1.0, 0.0, 1.0


def polish(given: Mask, allowed: Mask, random: np.random.Generator) -> None:
    """Try exchanges one by one and keep those that raise mu_2, in place."""
    smaller = min(given.shape)
    if smaller < 2:
        return
    budget = int(min(_TRIES_PER_SCORE * given.sum(), _EIGENVALUE_WORK / smaller**3))
    best = second_eigenvalue(given)
    while budget > 0:
        tried = _exchanges(given, allowed, random)
        if tried is None:
            return
        for o, a, p, b in zip(*(part[:budget].tolist() for part in tried), strict=True):
            budget -= 1
            _exchange(given, o, a, p, b)
            found = second_eigenvalue(given)
            if found < best - 1e-12:
                best = found
                break  # what was drawn need not fit any more
            _exchange(given, o, b, p, a)


def _exchanges(
    given: Mask, allowed: Mask, random: np.random.Generator
) -> tuple[Indices, Indices, Indices, Indices] | None:
    """Draw exchanges (o: a -> b, p: b -> a) that are possible; None where the draw finds none."""
    objects, assessors = np.nonzero(given)
    first, second = random.integers(len(objects), size=(2, _TRIED_AT_ONCE))
    o, a, p, b = objects[first], assessors[first], objects[second], assessors[second]
    fits = ~given[o, b] & ~given[p, a] & allowed[o, b] & allowed[p, a]
    return (o[fits], a[fits], p[fits], b[fits]) if fits.any() else None


def _exchange(given: Mask, o: int, a: int, p: int, b: int) -> None:
    given[o, a] = given[p, b] = False
    given[o, b] = given[p, a] = True


def _scaled(given: Mask) -> Array:
    table = given.astype(np.float64)
    return table / np.sqrt(table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True))
