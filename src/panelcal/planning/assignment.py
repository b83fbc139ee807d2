"""Plan who assesses what before anybody does: balanced, linked, conflicts of interest respected."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from panelcal.arrays import Indices
from panelcal.errors import ImpossiblePlan
from panelcal.frozen import dataclass
from panelcal.planning.linking import connect, mu2_of, polish, strengthen
from panelcal.planning.loads import balanced_start, check_possible
from panelcal.planning.plan_words import PlanWords
from panelcal.shown import Drawn

_STARTS = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assignment(Drawn):
    """Who assesses what.

    Source: mu_2 is that of MacKay, Kenna, Low and Parker (2015), eq. (32).

    Attributes
    ----------
    n_objects, n_assessors, per_object
        What was asked for: numbers of objects and assessors, assessors per object.
    object_index, assessor_index
        (n_objects x per_object,) each planned assessment, in the order of the objects.
    loads
        (n_assessors,) how many objects each assessor has.
    mu2
        How firmly the plan hangs together, 1 - sqrt(lambda_2) with all confidences equal (the paper's robustness).
    conflicts
        The pairs (object, assessor) that were kept apart.
    seed
        Of the lots that were drawn; the same seed gives the same plan.

    Examples
    --------
    >>> plan = plan_assignment(6, 3, 2)
    >>> plan.loads.tolist()
    [4, 4, 4]
    """

    n_objects: int
    n_assessors: int
    per_object: int
    object_index: Indices
    assessor_index: Indices
    loads: Indices
    mu2: float
    conflicts: tuple[tuple[int, int], ...]
    seed: int

    def assessors_of(self, o: int) -> Indices:
        """Return the assessors of object `o`, ascending."""
        return self.assessor_index[self.object_index == o]

    def objects_of(self, a: int) -> Indices:
        """Return the objects of assessor `a`, ascending."""
        return self.object_index[self.assessor_index == a]


def plan_assignment(
    n_objects: int,
    n_assessors: int,
    per_object: int | None = None,
    *,
    per_assessor: int | None = None,
    conflicts: Iterable[tuple[int, int]] = (),
    seed: int = 0,
    words: PlanWords | None = None,
) -> Assignment:
    """Propose who assesses what.

    Every object gets `per_object` different assessors, none of them in conflict with it. All is linked, so that every
    score can be compared with every other; loads differ by at most one unless conflicts of interest stand in the way;
    and of several such plans the one with the largest mu_2 found is returned.

    Source: a search of our own for a plan with even loads and a large mu_2, eq. (32) of MacKay, Kenna, Low and Parker
    (2015).

    Parameters
    ----------
    n_objects, n_assessors, per_object
        At least 1 each.
    per_assessor
        Instead of `per_object`: how many objects an assessor takes at most, J. Each object then gets K = J M / N
        assessors, rounded down.
    conflicts
        Pairs (object, assessor), counted from 0, that must not be put together.
    seed
        Another seed gives another plan of the same kind.
    words
        What a refusal calls the objects and assessors; None = object 1, assessor 1, ...

    Returns
    -------
    Assignment
        Who assesses what.

    Raises
    ------
    ImpossiblePlan
        If there is no such plan, saying what stands in the way.

    Examples
    --------
    >>> plan = plan_assignment(6, 3, 2, conflicts=[(0, 0)])
    >>> plan.assessors_of(0).tolist()
    [1, 2]
    """
    words = words or PlanWords()
    per_object = _per_object(n_objects, n_assessors, per_object, per_assessor, words)
    if min(n_objects, n_assessors, per_object) < 1:
        raise ImpossiblePlan(
            f"A plan needs at least one {words.object}, one {words.assessor}, and one {words.assessor} for each "
            f"{words.object}."
        )
    kept_apart = tuple(sorted({(int(o), int(a)) for o, a in conflicts}))
    allowed = np.ones((n_objects, n_assessors), dtype=np.bool_)
    for o, a in kept_apart:
        if not (0 <= o < n_objects and 0 <= a < n_assessors):
            raise ImpossiblePlan(
                f"There is a conflict of interest between object {o + 1} and assessor {a + 1}, but the plan has "
                f"{n_objects} objects and {n_assessors} assessors only."
            )
        allowed[o, a] = False
    check_possible(allowed, per_object, words)
    random = np.random.default_rng(seed)
    best, best_mu2, best_spread = None, -1.0, n_objects + 1
    for _ in range(_STARTS):
        given = balanced_start(allowed, per_object, random)
        connect(given, allowed, random, words)
        strengthened = given.copy()
        strengthen(strengthened, allowed, random)
        mu2 = mu2_of(strengthened)
        if mu2 <= 1e-9:  # evening out the links cannot be allowed to cut one
            strengthened, mu2 = given, mu2_of(given)
        spread = int(np.ptp(strengthened.sum(axis=0)))
        if (spread, -mu2) < (best_spread, -best_mu2):
            best, best_mu2, best_spread = strengthened, mu2, spread
    assert best is not None
    polish(best, allowed, random)
    object_index, assessor_index = np.nonzero(best)
    return Assignment(
        n_objects=n_objects,
        n_assessors=n_assessors,
        per_object=per_object,
        object_index=object_index,
        assessor_index=assessor_index,
        loads=best.sum(axis=0),
        mu2=mu2_of(best),
        conflicts=kept_apart,
        seed=seed,
    )


def _per_object(
    n_objects: int, n_assessors: int, per_object: int | None, per_assessor: int | None, words: PlanWords
) -> int:
    """Return how many assessors each object gets, worked out from the objects of each assessor if need be."""
    if (per_object is None) == (per_assessor is None):
        raise ImpossiblePlan(
            f"Say either how many {words.assessors} each {words.object} gets, or how many {words.objects} each "
            f"{words.assessor} takes."
        )
    if per_object is not None:
        return per_object
    assert per_assessor is not None
    whole = min(per_assessor * n_assessors // max(n_objects, 1), n_assessors)
    if whole < 1:
        raise ImpossiblePlan(
            f"{n_assessors} {words.assessors} with {per_assessor} {words.objects} each make "
            f"{per_assessor * n_assessors} assessments, which is not one for each of {n_objects} {words.objects}: "
            f"every {words.assessor} would have to take at least {-(-n_objects // max(n_assessors, 1))}."
        )
    return whole
