"""Which assessments to make next, given those that were made: the best single one first, then the best after it, ...

Each step takes the pair that lowers the expected error of the values most: the mean variance of a value about the mean
of all, trace(Pi V Pi)/n with V the covariance of values over w. Adding a pair x = e_o + e_a of confidence c lowers it
by c ||Pi G x||^2 / (n (1 + c x' G x)) and changes G by -c G x x' G / (1 + c x' G x) (Sherman and Morrison). A faint
ridge, a millionth of a usual confidence on everything, keeps G finite while groups share nothing, and makes what
joins them come first.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import ImpossiblePlan
from panelcal.frozen import dataclass
from panelcal.spanning_forest import connected_groups

_FAINT, _ALIKE, _MOST_NODES = 1e-6, 1e-8, 3_000


@dataclass(frozen=True, slots=True)
class NextAssessment:
    """One step of a plan that goes on.

    Attributes
    ----------
    object, assessor
        Their numbers.
    variance
        Mean variance of a value about the mean of all once it is made, over w; infinite while not all are linked.
    """

    object: int
    assessor: int
    variance: float


@dataclass(frozen=True, slots=True, eq=False)
class Assessed:
    """What was assessed so far, by numbers from 0: who there is, the pairs (N,) and their confidences (N,)."""

    n_objects: int
    n_assessors: int
    object_index: Indices
    assessor_index: Indices
    confidences: Array

    @property
    def usual_confidence(self) -> float:
        """The median, at which further assessments are taken to be made."""
        return float(np.median(self.confidences))

    def normal_matrix(self) -> Array:
        """Return L (n_objects + n_assessors, same), eq. 11."""
        n, size = self.n_objects, self.n_objects + self.n_assessors
        crossed = np.zeros((size, size))
        np.add.at(crossed, (self.object_index, n + self.assessor_index), self.confidences)
        crossed += crossed.T
        return np.asarray(crossed + np.diag(crossed.sum(axis=0)))


def next_assessments(
    so_far: Assessed, allowed: Mask, most: int, *, per_assessor: int | None = None
) -> tuple[float, tuple[NextAssessment, ...]]:
    """Return the mean variance so far, and the assessments to make next, in order.

    Parameters
    ----------
    so_far
        What was assessed; objects and assessors without any assessment may be among them.
    allowed
        (n_objects, n_assessors) which pairs may be proposed.
    most
        How many to propose; fewer where fewer are allowed.
    per_assessor
        How many further ones an assessor takes at most; None = any number.

    Raises
    ------
    ImpossiblePlan
        If there are too many to try.
    """
    n, m = so_far.n_objects, so_far.n_assessors
    if n + m > _MOST_NODES:
        raise ImpossiblePlan(f"A plan goes on for up to {_MOST_NODES:,} names in all; here are {n + m:,}.")
    confidence = so_far.usual_confidence
    inverse = np.asarray(np.linalg.inv(so_far.normal_matrix() + _FAINT * confidence * np.eye(n + m)), np.float64)
    objects, assessors = so_far.object_index.tolist(), so_far.assessor_index.tolist()
    open_, taken = allowed.copy(), np.zeros(m, dtype=np.intp)
    found: list[NextAssessment] = []
    start = _variance(inverse, so_far, objects, assessors)
    while len(found) < most and open_.any():
        left = np.where(open_, _left(inverse, n, confidence), np.inf)
        # The first of those that are alike but for rounding, so that the choice is the same on every machine.
        o, a = divmod(int(np.argmax(left <= left.min() * (1 + _ALIKE))), m)
        moved = inverse[:, o] + inverse[:, n + a]
        inverse = inverse - confidence * np.outer(moved, moved) / (1 + confidence * (moved[o] + moved[n + a]))
        objects.append(o)
        assessors.append(a)
        taken[a] += 1
        open_[o, a] = False
        if per_assessor is not None and taken[a] >= per_assessor:
            open_[:, a] = False
        found.append(NextAssessment(o, a, _variance(inverse, so_far, objects, assessors)))
    return start, tuple(found)


def _left(inverse: Array, n: int, confidence: float) -> Array:
    """Sum of variances that would be left after each pair (n_objects, n_assessors)."""
    values, cross = inverse[:n, :n], inverse[:n, n:]
    apart = values.diagonal()[:, None] + inverse[n:, n:].diagonal()[None, :] + 2 * cross
    centred, across = values - values.mean(axis=0), cross - cross.mean(axis=0)
    moved = (centred**2).sum(axis=0)[:, None] + (across**2).sum(axis=0)[None, :] + 2 * centred.T @ across
    return np.asarray(np.trace(centred) - confidence * moved / (1 + confidence * apart))


def _variance(inverse: Array, so_far: Assessed, objects: list[int], assessors: list[int]) -> float:
    """Mean variance of a value about the mean of all; infinite while not all objects are linked."""
    n = so_far.n_objects
    groups = connected_groups(np.array(objects), n + np.array(assessors), n + so_far.n_assessors)
    if len(set(groups[:n].tolist())) > 1:
        return np.inf
    values = inverse[:n, :n]
    return float(np.trace(values - values.mean(axis=0)) / n)
