"""A plan that goes on: every step against trying all pairs, groups joined first, and what an assessor can take."""

import re
from dataclasses import replace
from datetime import datetime
from itertools import combinations, product

import numpy as np
import pytest

from panelcal import InputRefused, Panel, calibrate
from panelcal.planning.continuing import Assessed, next_assessments
from panelcal.reading.grid import Grid, Source
from panelcal.reading.settings import Settings
from panelcal.reporting.up_to_date import unchanged_texts
from panelcal.run import run
from panelcal.systems.choices import Choices
from panelcal.systems.continuing import what_comes_next
from panelcal.systems.system import chosen_settings
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


LISTED = [("T1", "J1", 5), ("T1", "J2", 7), ("T2", "J2", 6), ("T2", "J3", 8), ("T3", "J3", 4), ("T3", "J4", 5),
          ("T4", "J1", 3), ("T4", "J3", 9), ("T5", "J4", 6), ("T5", "J1", 5)]  # fmt: skip


def listed_source(settings=(), conflicts=()):
    grids = [Grid("Scores", (("Talk", "Judge", "Score"), *LISTED))]
    if settings:
        grids.append(Grid("Settings", (("Setting", "Value"), *settings)))
    if conflicts:
        grids.append(Grid("Conflicts", (("Talk", "Judge"), *conflicts)))
    return Source("talks.xlsx", tuple(grids), "Scores")


def test_a_row_of_the_sheet_settings_asks_for_it_and_the_first_is_the_best_of_all_there_are():
    so_far = [(f"T{o}", f"J{a}") for o, a in product(range(1, 6), range(1, 5))]
    free = [pair for pair in so_far if pair not in {row[:2] for row in LISTED} and pair != ("T1", "J3")]
    source = listed_source([("Further assessments to plan", 3)], [("T1", "J3")])
    settings = chosen_settings(source, Choices())
    found = what_comes_next(source, Choices(), settings)
    panel = Panel.from_records(*zip(*LISTED, strict=True))
    left = {
        pair: mean_variance(assessed(panel), [(panel.objects.index(pair[0]), panel.assessors.index(pair[1]))])
        for pair in free
    }
    first = found.so_far.objects[found.steps[0].object], found.so_far.assessors[found.steps[0].assessor]
    assert len(found.steps) == 3 and left[first] == pytest.approx(min(left.values()))
    assert found.errors[0] == pytest.approx(np.sqrt(calibrate(panel).w_unbiased * left[first]), rel=1e-5)
    assert what_comes_next(source, Choices(), Settings()) is None
    with pytest.raises(InputRefused, match="Further assessments to plan"):
        what_comes_next(source, Choices(), replace(settings, method="anchors"))


@pytest.mark.parametrize("named", [(), [(None, None), ("Feature", "Weight"), ("Score", 1)]], ids=["unnamed", "named"])
def test_ratings_of_one_feature_are_planned_for_as_scores_are(named):
    rows = [("Further assessments to plan", 3)]
    plain, ratings = listed_source(rows), listed_source([*rows, ("Method", "ordinal"), *named])
    steps = [what_comes_next(one, Choices(), chosen_settings(one, Choices())).steps for one in (plain, ratings)]
    assert steps[0] == steps[1]


@pytest.mark.slow
def test_the_result_has_the_sheet_what_to_assess_next():
    rows = [("Further assessments to plan", 4), ("Most further for each assessor", 1)]
    done = run(listed_source(rows), Choices(), created="2026-01-01T00:00:00")
    sheet = next(one for one in done.report.sheets if one.name == "Cal next")
    judges = sheet.tables[0].columns[2].cells
    assert sorted(judges) == ["J1", "J2", "J3", "J4"]
    (chart,), errors = sheet.charts, sheet.tables[0].columns[3].cells
    assert re.fullmatch(rf"The expected error falls from \d\.\d\d to {errors[-1]:.2f}", chart.title)
    assert chart.y_low == 0 and chart.y_title.endswith(", in points") and not chart.legend
    assert any(sentence.startswith("The best single assessment next: judge") for sentence in done.sentences)


def test_conflicts_are_watched_letter_by_letter_where_a_formula_can_hold_them():
    said = unchanged_texts(Grid("Who not", (("Talk", "Judge"), ('T "1"', 3), (None, "J2"))))
    assert said == (
        "IF(COUNTA('Who not'!A4:B503)=0,"
        'SUMPRODUCT(--EXACT(\'Who not\'!A1:B3,{"Talk","Judge";"T ""1""","3";"","J2"}))=6,FALSE)'
    )
    assert unchanged_texts(Grid("Dates", (("Talk", datetime(2026, 1, 2)),))) == ""
    assert unchanged_texts(Grid("Long", tuple(("T1", f"Judge {k}") for k in range(999)))) == ""
    assert unchanged_texts(Grid("Nothing", ())) == ""


@pytest.mark.slow
@pytest.mark.parametrize("carried", [True, False])
def test_cal_next_watches_conflicts_that_stand_in_the_same_workbook(carried):
    source = listed_source([("Further assessments to plan", 2)], [("T1", "J3")])
    done = run(source, Choices(), created="2026-01-01T00:00:00", carried=carried)
    sheet = next(one for one in done.report.sheets if one.name == "Cal next")
    assert [note.text for note in sheet.notes] == carried * [
        "Up to date: the conflicts of interest on sheet Conflicts are those of 2026-01-01. Changed scores show on Cal "
        "summary."
    ]
