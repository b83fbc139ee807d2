"""A plan that goes on: every step against trying all pairs, groups joined first, and what an assessor can take."""

from itertools import combinations

import numpy as np
import pytest

from panelcal.planning.continuing import Assessed, next_assessments
from panels import connected_simulated_panel


def assessed(panel) -> Assessed:
    return Assessed(
        panel.n_objects, panel.n_assessors, panel.object_index, panel.assessor_index, np.array(panel.confidences)
    )


def free_pairs(so_far: Assessed) -> np.ndarray:
    allowed = np.ones((so_far.n_objects, so_far.n_assessors), dtype=bool)
    allowed[so_far.object_index, so_far.assessor_index] = False
    return allowed


def mean_variance(so_far: Assessed, more) -> float:
    """From the plain pseudo-inverse of the normal equations."""
    n, size = so_far.n_objects, so_far.n_objects + so_far.n_assessors
    system = np.zeros((size, size))
    pairs = zip(so_far.object_index, so_far.assessor_index, so_far.confidences, strict=True)
    for o, a, c in (*pairs, *((o, a, so_far.usual_confidence) for o, a in more)):
        x = np.zeros(size)
        x[o] = x[n + a] = 1
        system += c * np.outer(x, x)
    about_mean = np.eye(n) - 1 / n
    return float(np.trace(about_mean @ np.linalg.pinv(system)[:n, :n] @ about_mean) / n)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_step_is_the_best_of_all_pairs_there_are(seed):
    so_far = assessed(connected_simulated_panel(7, 5, 2, seed=seed))
    allowed = free_pairs(so_far)
    start, steps = next_assessments(so_far, allowed, 4)
    assert start == pytest.approx(mean_variance(so_far, []), rel=1e-5)
    made = []
    for step in steps:
        left = {
            (o, a): mean_variance(so_far, [*made, (o, a)])
            for o, a in np.argwhere(allowed).tolist()
            if (o, a) not in made
        }
        assert left[step.object, step.assessor] == pytest.approx(min(left.values()), rel=1e-6)
        assert step.variance == pytest.approx(left[step.object, step.assessor], rel=1e-5)
        made.append((step.object, step.assessor))


@pytest.mark.slow
def test_one_after_the_other_is_hardly_worse_than_the_best_three_at_once():
    lost = []
    for seed in range(6):
        so_far = assessed(connected_simulated_panel(5, 4, 2, seed=seed))
        allowed = free_pairs(so_far)
        start, steps = next_assessments(so_far, allowed, 3)
        best = min(mean_variance(so_far, three) for three in combinations(np.argwhere(allowed).tolist(), 3))
        lost.append((steps[-1].variance - best) / (start - best))
    assert np.mean(lost) < 0.05 and max(lost) < 0.15


def test_groups_are_joined_first_and_those_whom_nobody_assessed():
    """Two groups, an object and an assessor without any assessment: three steps link all objects, in the best way."""
    o, a = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 2, 3, 3])
    so_far = Assessed(5, 5, o, a, np.ones(6))
    start, steps = next_assessments(so_far, free_pairs(so_far), 4)
    assert start == np.inf
    finite = [np.isfinite(step.variance) for step in steps]
    assert finite == [False, True, True, True]
    both = min(
        mean_variance(so_far, two)
        for two in combinations(np.argwhere(free_pairs(so_far)).tolist(), 2)
        if _links(so_far, two)
    )
    assert steps[1].variance <= 1.1 * both


def _links(so_far, more) -> bool:
    reached, before = {("o", 0)}, 0
    pairs = [*zip(so_far.object_index.tolist(), so_far.assessor_index.tolist(), strict=True), *map(tuple, more)]
    while len(reached) > before:
        before = len(reached)
        for o, a in pairs:
            if {("o", o), ("a", a)} & reached:
                reached |= {("o", o), ("a", a)}
    return all(("o", o) in reached for o in range(so_far.n_objects))


def test_nobody_gets_what_is_not_allowed_or_more_than_they_take():
    so_far = assessed(connected_simulated_panel(8, 4, 2, seed=3))
    allowed = free_pairs(so_far)
    allowed[:, 2] = False
    _, steps = next_assessments(so_far, allowed, 99, per_assessor=2)
    given = [step.assessor for step in steps]
    assert sorted(given) == sorted(2 * [a for a in range(so_far.n_assessors) if a != 2])
    assert all(allowed[step.object, step.assessor] for step in steps)
    assert len({(step.object, step.assessor) for step in steps}) == len(steps)
