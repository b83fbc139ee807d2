"""Assignments, against every assignment there is on small panels, and against the graph of the panel they make."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panelcal import Panel, calibrate, network, robustness
from panelcal.errors import ImpossiblePlan
from panelcal.planning.assignment import Assignment, plan_assignment
from panelcal.planning.plan_words import PlanWords

EXACT = 1e-9


def panel_of(plan: Assignment) -> Panel:
    scores = np.random.default_rng(1).normal(size=len(plan.object_index))
    return Panel.from_records(plan.object_index, plan.assessor_index, scores)


def every_linked_assignment(n_objects, n_assessors, per_object, conflicts=()):
    """Yield (spread of loads, mu_2) of all connected assignments, mu_2 by the plain eigenvalues of D'D."""
    barred = set(conflicts)
    choices = [
        [chosen for chosen in combinations(range(n_assessors), per_object) if not any((o, a) in barred for a in chosen)]
        for o in range(n_objects)
    ]
    for assignment in product(*choices):
        table = np.zeros((n_objects, n_assessors))
        for o, chosen in enumerate(assignment):
            table[o, list(chosen)] = 1
        loads = table.sum(axis=0)
        if not loads.all():
            continue
        scaled = table / np.sqrt(per_object * loads)
        values = np.sort(np.linalg.eigvalsh(scaled.T @ scaled))
        mu2 = 1 - np.sqrt(max(values[-2], 0)) if n_assessors > 1 else 1.0
        if mu2 > EXACT:
            yield int(np.ptp(loads)), mu2


@pytest.mark.slow
@pytest.mark.parametrize(("n_objects", "n_assessors", "per_object"), [(4, 4, 2), (5, 3, 2), (4, 5, 3), (5, 4, 2)])
def test_no_balanced_assignment_of_a_small_panel_is_linked_more_firmly(n_objects, n_assessors, per_object):
    plan = plan_assignment(n_objects, n_assessors, per_object)
    firmest = max(mu2 for spread, mu2 in every_linked_assignment(n_objects, n_assessors, per_object) if spread <= 1)
    assert np.ptp(plan.loads) <= 1
    assert plan.mu2 == pytest.approx(firmest, abs=EXACT)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_with_conflicts_a_plan_is_found_where_there_is_one_and_is_as_balanced_as_any(data):
    n_objects, n_assessors = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    per_object = data.draw(st.integers(1, 3))
    pairs = list(product(range(n_objects), range(n_assessors)))
    conflicts = data.draw(st.lists(st.sampled_from(pairs), max_size=6, unique=True))
    there_are = list(every_linked_assignment(n_objects, n_assessors, per_object, conflicts))
    if not there_are:
        with pytest.raises(ImpossiblePlan):
            plan_assignment(n_objects, n_assessors, per_object, conflicts=conflicts)
        return
    plan = plan_assignment(n_objects, n_assessors, per_object, conflicts=conflicts)
    assert not set(conflicts) & set(zip(plan.object_index.tolist(), plan.assessor_index.tolist(), strict=True))
    assert len(network(panel_of(plan)).components) == 1
    assert np.ptp(plan.loads) == min(spread for spread, _ in there_are)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_objects", "n_assessors", "per_object"), [(54, 18, 4), (50, 10, 4), (23, 7, 3), (9, 9, 2), (7, 2, 2), (8, 1, 1)]
)
def test_a_plan_is_balanced_linked_and_its_mu2_is_that_of_the_panel_it_makes(n_objects, n_assessors, per_object):
    plan = plan_assignment(n_objects, n_assessors, per_object)
    panel = panel_of(plan)
    assert (
        len(set(zip(plan.object_index.tolist(), plan.assessor_index.tolist(), strict=True))) == n_objects * per_object
    )
    assert np.bincount(plan.object_index).tolist() == [per_object] * n_objects
    assert np.ptp(plan.loads) <= 1
    found = network(panel)
    assert len(found.components) == 1
    assert found.links.diagonal().tolist() == [plan.loads[int(label)] for label in panel.assessors]
    assert plan.mu2 == pytest.approx(robustness(calibrate(panel)).mu2, abs=EXACT)


@pytest.mark.slow
def test_the_plan_is_linked_more_firmly_than_lots_drawn_with_equal_loads():
    """The generator of the document's simulations draws judges by lot, the less loaded more likely."""
    random = np.random.default_rng(3)
    drawn = []
    for _ in range(20):
        order = [random.permutation(18) for _ in range(12)]
        judges = np.concatenate(order).reshape(54, 4)
        table = np.zeros((54, 18))
        np.add.at(table, (np.repeat(np.arange(54), 4), judges.ravel()), 1.0)
        objects, assessors = np.nonzero(table)
        panel = Panel.from_records(objects, assessors, np.zeros(len(objects)) + random.normal(size=len(objects)))
        drawn.append(robustness(calibrate(panel)).mu2)
    assert plan_assignment(54, 18, 4).mu2 > max(drawn)


def test_the_same_seed_gives_the_same_plan_and_another_seed_another():
    one, again, other = (plan_assignment(20, 8, 3, seed=seed) for seed in (5, 5, 6))
    assert one.assessor_index.tolist() == again.assessor_index.tolist()
    assert one.assessor_index.tolist() != other.assessor_index.tolist()


def test_both_sides_of_the_list_agree():
    plan = plan_assignment(12, 5, 3, conflicts=[(0, 0), (1, 4)])
    for o in range(12):
        assert all(o in plan.objects_of(a) for a in plan.assessors_of(o))
    assert [len(plan.objects_of(a)) for a in range(5)] == plan.loads.tolist()
    assert plan.conflicts == ((0, 0), (1, 4))


@pytest.mark.parametrize(
    ("size", "conflicts", "words"),
    [
        ((5, 2, 3), [], "among 2"),
        ((5, 4, 3), [(2, 0), (2, 1)], "object 3 has 2 of the 3"),
        ((4, 3, 2), [(o, 1) for o in range(4)], "Assessor 2 can assess nothing"),
        ((10, 4, 1), [], "plan 2 for each object"),
        ((3, 10, 2), [], "at least 12 to link"),
        ((4, 4, 2), [(0, 2), (0, 3), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0), (3, 1)], "keep some objects"),
        ((2, 2, 2), [(2, 0)], "object 3 and assessor 1"),
        ((0, 2, 1), [], "at least one object"),
    ],
)
def test_what_is_impossible_is_said_in_a_sentence_with_a_way_out(size, conflicts, words):
    with pytest.raises(ImpossiblePlan) as refusal:
        plan_assignment(*size, conflicts=conflicts)
    assert words in str(refusal.value)
    assert str(refusal.value).endswith(".")


def test_a_refusal_uses_the_words_and_names_of_the_trade():
    words = PlanWords("talk", "talks", "judge", "judges", ("T1", "T2", "T3"), ("ada", "Ben"))
    for size, conflicts, sentence in (
        ((3, 2, 2), [(1, 0)], "too few judges for talk T2 (talk T2 has 1 of the 2 it needs)"),
        ((3, 2, 1), [(o, 0) for o in range(3)], "Judge ada can assess nothing"),
        ((3, 2, 3), [], "3 judges for each talk cannot be found among 2"),
    ):
        with pytest.raises(ImpossiblePlan) as refusal:
            plan_assignment(*size, conflicts=conflicts, words=words)
        assert sentence in str(refusal.value)
        assert "object" not in str(refusal.value) and "assessor" not in str(refusal.value)
