"""Criteria below the names of assessors: chosen by settings, else asked about."""

import pytest

from panelcal.systems.choices import Choices

ROWS = [
    [None, "Ann", None, "Ben", None],
    ["Cake", "Taste", "Looks", "Taste", "Looks"],
    ["C1", 7, 5, 6, 9],
    ["C2", 8, 6, None, None],
    ["C3", 9, 4, 5, 7],
]


def chosen(criteria):
    return {"over": Choices(settings={"criteria": criteria}).over}


def test_which_criterion_is_the_score_is_asked(refused_by):
    refusal = refused_by(ROWS)
    given = [answer.gives.get("criteria") for answer in refusal.answers]
    added, single = {"Taste": 1.0, "Looks": 1.0}, [{"Taste": 1.0}, {"Looks": 1.0}]
    assert given == [added, {"together": 1.0}, *single, {"each": 1.0}, None]


def test_each_column_may_count_by_itself(read, refused_by):
    include = refused_by(ROWS).answers[-1].gives
    panel = read(ROWS, choose={"over": Choices(settings=dict(include)).over}).panel
    assert panel.assessors == ("Ann - Taste", "Ann - Looks", "Ben - Taste", "Ben - Looks")


def test_parts_of_modules_are_assessments_of_their_own_and_said(read, said):
    rows = [[None, "Algebra", None, "Drama", None], ["Student", *ROWS[1][1:]], *ROWS[2:]]
    reading = read(rows)
    assert reading.panel.n_assessors == 4
    assert said(reading, "criteria below names").weight == "warning"


@pytest.mark.parametrize(
    ("criteria", "scores"),
    [
        ({"Taste": 1.0}, [7, 6, 8, 9, 5]),
        ({"Taste": 1.0, "Looks": 2.0}, [17, 24, 20, 17, 19]),
    ],
)
def test_the_chosen_criteria_are_added_up_with_their_weights(read, criteria, scores):
    reading = read(ROWS, choose=chosen(criteria))
    assert reading.panel.scores.tolist() == scores
    assert reading.panel.assessors == ("Ann", "Ben")
    said = next(one for one in reading.decisions if one.kind == "criteria below names")
    assert ("Not read: Looks." in said.sentence) is (len(criteria) == 1)
    assert reading.assessor_cells == ("B1", "D1")
    assert reading.object_cells == ("A3", "A4", "A5")


def test_half_a_judgement_is_refused(refused):
    assert "blank beside other criteria" in refused(
        [*ROWS, ["C4", 5, None, 6, 6]], choose=chosen({"Taste": 1.0, "Looks": 1.0})
    )


def test_confidences_below_the_names_belong_to_the_chosen_criteria(read):
    rows = [
        [None, "Ann", None, None, "Ben", None, None],
        ["Cake", *["Taste", "Looks", "Confidence"] * 2],
        *[[f"C{k}", 5 + k % 3, 9 - k % 4, 1 + k % 2, 4 + k % 5, 6 + k % 2, 3] for k in range(6)],
    ]
    panel = read(rows, choose=chosen({"Looks": 1.0})).panel
    assert panel.scores.tolist() == [x for k in range(6) for x in (9 - k % 4, 6 + k % 2)]
    assert panel.confidences.tolist() == [x for k in range(6) for x in (1 + k % 2, 3)]
