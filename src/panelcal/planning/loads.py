"""Give every object its assessors so that all assessors have nearly the same to do, conflicts of interest respected.

The loads are balanced when no chain of exchanges takes one object from an assessor and gives, in the end, one more to
another who has at least two fewer: the sum of squared loads is then the smallest possible (a convex flow).
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np

from panelcal.arrays import Mask
from panelcal.errors import ImpossiblePlan
from panelcal.planning.plan_words import PlanWords


def check_possible(allowed: Mask, per_object: int, words: PlanWords) -> None:
    """Do nothing if every object can be given its assessors and all of it can be linked.

    Parameters
    ----------
    allowed
        (n_objects, n_assessors) false where there is a conflict of interest.
    words
        What the refusal calls objects and assessors.

    Raises
    ------
    ImpossiblePlan
        Otherwise, saying what stands in the way and what would help.
    """
    n_objects, n_assessors = allowed.shape
    if per_object > n_assessors:
        raise ImpossiblePlan(
            f"{per_object} {words.assessors if per_object > 1 else words.assessor} for each {words.object} cannot be "
            f"found among {n_assessors}: ask more {words.assessors}, or plan at most {n_assessors} for each "
            f"{words.object}."
        )
    short = np.flatnonzero(allowed.sum(axis=1) < per_object)
    if short.size:
        free = int(allowed[short[0]].sum())
        raise ImpossiblePlan(
            f"Conflicts of interest leave too few {words.assessors} for {words.objects_called(short)} "
            f"({words.object_called(short[0])} has {free} of the {per_object} it needs): ask {words.assessors} without "
            f"a conflict there, or plan fewer for each {words.object}."
        )
    barred = np.flatnonzero(~allowed.any(axis=0))
    if barred.size:
        barred_ones = words.assessors_called(barred)
        raise ImpossiblePlan(
            f"{barred_ones[:1].upper()}{barred_ones[1:]} can assess nothing, for conflicts of interest with every "
            f"{words.object}: leave them out of the plan."
        )
    needed = n_objects + n_assessors - 1
    if n_objects * per_object < needed:
        enough = -(-needed // n_objects)
        remedy = (
            f"plan {enough} for each {words.object}, or ask fewer {words.assessors}"
            if enough <= n_assessors
            else f"ask at most {max(1, n_objects * (per_object - 1) + 1)} {words.assessors}"
        )
        raise ImpossiblePlan(
            f"{per_object} for each of {n_objects} {words.objects} makes {n_objects * per_object} assessments, but it "
            f"takes at least {needed} to link {n_objects} {words.objects} and {n_assessors} {words.assessors}, so that "
            f"their scores can be compared: {remedy}."
        )


def balanced_start(allowed: Mask, per_object: int, random: np.random.Generator) -> Mask:
    """Give each object `per_object` assessors, by lot among the least loaded, then even out the loads.

    Returns
    -------
    given
        (n_objects, n_assessors) who assesses what, with loads as even as the conflicts allow.
    """
    n_objects, n_assessors = allowed.shape
    given = np.zeros(allowed.shape, dtype=np.bool_)
    loads = np.zeros(n_assessors)
    # Objects with the least choice come first, ties by lot.
    for o in np.lexsort((random.random(n_objects), allowed.sum(axis=1))):
        wanted = np.where(allowed[o], loads + random.random(n_assessors), np.inf)
        chosen = np.argsort(wanted)[:per_object]
        given[o, chosen] = True
        loads[chosen] += 1
    even_out(given, allowed)
    return given


def even_out(given: Mask, allowed: Mask) -> None:
    """Exchange along chains, in place, until no assessor could be relieved for one with two objects fewer."""
    while (chain := _relieving_chain(given, allowed)) is not None:
        for one, other in pairwise(chain):
            o = int(np.flatnonzero(given[:, one] & ~given[:, other] & allowed[:, other])[0])
            given[o, one], given[o, other] = False, True


def _relieving_chain(given: Mask, allowed: Mask) -> list[int] | None:
    """Find a shortest chain from a more to a less loaded assessor, each able to hand an object to the next."""
    loads = given.sum(axis=0)
    if loads.max() - loads.min() <= 1:
        return None
    passes = given.T.astype(np.float32) @ (allowed & ~given).astype(np.float32) > 0
    for first in np.argsort(-loads, kind="stable"):
        came_from = {int(first): -1}
        waiting = deque([int(first)])
        while waiting:
            at = waiting.popleft()
            if loads[at] <= loads[first] - 2:
                chain = [at]
                while came_from[chain[-1]] >= 0:
                    chain.append(came_from[chain[-1]])
                return chain[::-1]
            for following in np.flatnonzero(passes[at]):
                if int(following) not in came_from:
                    came_from[int(following)] = at
                    waiting.append(int(following))
    return None
