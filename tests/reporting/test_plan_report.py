"""A plan as sheets to hand out: both lists say the same, and nobody is put where a conflict is."""

import pytest

from panelcal.errors import ImpossiblePlan
from panelcal.planning.assignment import plan_assignment
from panelcal.planning.worth import expected_rankings
from panelcal.reading.reading import Nouns
from panelcal.reporting.plan_report import build_plan_report

TALKS = [f"T{k}" for k in range(1, 11)]
JUDGES = ["Ada", "Ben", "Cleo", "Dan"]
CREATED = "2026-01-01T00:00:00"


@pytest.fixture(scope="module")
def plan():
    return plan_assignment(10, 4, 3, conflicts=[(0, 0), (3, 2)])


@pytest.fixture(scope="module")
def report(plan):
    worth = expected_rankings(10, 4, simulations=2)
    return build_plan_report(
        plan, created=CREATED, objects=TALKS, assessors=JUDGES, nouns=Nouns("Talk", "Judge", "Rating"), worth=worth
    )


def pairs_in(table, first):
    rows = zip(*(column.cells for column in table.columns), strict=True)
    return {(row[0], cell) for row in rows for cell in row[first:] if cell is not None}


def test_both_lists_hold_the_pairs_of_the_plan(plan, report):
    expected = {(TALKS[o], JUDGES[a]) for o, a in zip(plan.object_index, plan.assessor_index, strict=True)}
    assert [sheet.name for sheet in report.sheets] == ["By talk", "By judge", "What it buys"]
    assert pairs_in(report.sheets[0].tables[0], 1) == expected
    assert {(talk, judge) for judge, talk in pairs_in(report.sheets[1].tables[0], 2)} == expected
    assert {("T1", "Ada"), ("T4", "Cleo")}.isdisjoint(expected)


def test_the_loads_stand_beside_the_names_and_the_figures_are_those_of_the_plan(plan, report):
    assert list(report.sheets[1].tables[0].columns[1].cells) == plan.loads.tolist()
    figures = dict(zip(*(column.cells for column in report.sheets[2].tables[0].columns[:2]), strict=True))
    assert figures["mu_2 = 1 - sqrt(lambda_2)"] == plan.mu2
    assert figures["Conflicts of interest kept apart"] == 2
    assert list(report.sheets[2].tables[1].columns[0].cells) == ["1", "2", "3", "4"]


def test_without_names_objects_and_assessors_are_numbered(plan):
    report = build_plan_report(plan, created=CREATED)
    assert report.sheets[0].tables[0].columns[0].cells[0] == "Object 1"
    assert report.sheets[1].tables[0].columns[0].cells[3] == "Assessor 4"
    assert len(report.sheets[2].tables) == 1


def test_another_plan_has_another_run_id(plan):
    other = plan_assignment(10, 4, 3, seed=1)
    ids = {build_plan_report(one, created=CREATED).run_id for one in (plan, other, plan)}
    assert len(ids) == 2


def test_names_that_do_not_fit_are_refused(plan):
    with pytest.raises(ImpossiblePlan, match="for 10 objects, but 3 names"):
        build_plan_report(plan, created=CREATED, objects=TALKS[:3])
