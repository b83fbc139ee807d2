"""Scores that are words: proposed as filled tables, read only once somebody has confirmed one."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grades import numbers_within, partial_proposals, proposals_for
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.systems.choices import Choices


def _source(rows):
    return Source("grades.csv", (Grid("Grades", tuple(map(tuple, rows))),), "Grades", kind="text")


def _asked(source):
    with pytest.raises(InputRefused) as refused:
        read_panel(source)
    return refused.value


LETTERS = [
    ["Essay", "Ann", "Bob", "Cy"],
    ["E1", "A+", "B", None],
    ["E2", "B-", "C+", "B"],
    ["E3", None, "A", "B"],
    ["E4", "F", "C", "C+"],
]


def test_letters_are_proposed_as_points_and_as_steps_and_read_after_one_answer():
    refused = _asked(_source(LETTERS))
    points, steps = refused.answers
    assert points.gives["grades"] == {"A+": 4.3, "A": 4.0, "B": 3.0, "B-": 2.7, "C+": 2.3, "C": 2.0, "F": 0.0}
    assert steps.gives["grades"] == {"A+": 11, "A": 10, "B": 7, "B-": 6, "C+": 5, "C": 4, "F": 0}
    assert '--grades "A+=4.3, A=4, B=3' in str(refused)
    reading = read_panel(_source(LETTERS), over=Choices().answered(steps).over)
    assert reading.panel.scores.tolist() == [11, 7, 6, 5, 7, 10, 7, 0, 4, 5]
    assert reading.panel.assessors == ("Ann", "Bob", "Cy")


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["First", "2:1", "2:2", "Third"], [4, 3, 2, 1]),
        (["4*", "3*", "1*"], [4, 3, 1]),
        (["8: accept", "3: reject"], [8, 3]),
        (["Strongly agree", "agree", "Disagree"], [5, 4, 2]),
        (["Strong accept", "Weak reject"], [7, 3]),
        (["4*", "2*", "U"], [4, 2, 0]),
        (["Accept", "Minor revision", "Major revision", "Reject"], [5, 4, 3, 1]),
        (["A", "B+", "E", "E-"], [15, 13, 3, 2]),
        (["α", "β+", "β", "γ"], [9, 7, 6, 3]),
        (["Gold", "Bronze", "Commended"], [4, 2, 1]),
        (["Strong yes", "Maybe", "Strong no"], [5, 3, 1]),
        (["Yes", "No"], [3, 1]),
    ],
)
def test_well_known_scales_are_proposed(words, numbers):
    assert list(proposals_for(words)[0].grades.values()) == numbers


@pytest.mark.parametrize("words", [["sick", "A"], ["8: accept", "8: reject"], ["90% (18/20)", "80% (16/20)"], ["A"]])
def test_other_words_are_no_scale(words):
    assert proposals_for(words) == []


def test_roman_numerals_are_proposed_both_ways():
    both = [dict(one.grades) for one in proposals_for(["I", "III", "II"])[:2]]
    assert both == [{"III": 3, "II": 2, "I": 1}, {"I": 10, "II": 9, "III": 8}]


def test_the_number_before_a_bracket_is_proposed():
    (proposal,) = numbers_within(["66 (2)", "44 (1)", "7,5 [sure]"])
    assert (proposal.name, dict(proposal.grades)) == (
        "the numbers before the brackets",
        {"66 (2)": 66, "44 (1)": 44, "7,5 [sure]": 7.5},
    )


def test_a_list_with_no_number_at_all_is_read_after_one_answer():
    words = ("U", "1*", "2*", "3*", "4*")
    rows = [
        ["Output", "Assessor", "Rating"],
        *[[f"R{k}", a, words[(k + j) % 5]] for k in range(6) for j, a in enumerate("AB")],
    ]
    refused = _asked(_source(rows))
    reading = read_panel(_source(rows), over=Choices().answered(refused.answers[0]).over)
    assert reading.panel.scores.tolist() == [(k + j) % 5 for k in range(6) for j in range(2)]


def test_a_list_of_degree_classes_is_read_after_one_answer():
    classes = ("First", "2:1", "2:2", "Third")
    rows = [
        ["Essay", "Marker", "Mark"],
        *[[f"E{e}", f"M{m}", classes[(e * m + m) % 4]] for e in range(5) for m in range(3)],
    ]
    refused = _asked(_source(rows))
    reading = read_panel(_source(rows), over=Choices().answered(refused.answers[0]).over)
    assert reading.panel.n_assessments == 15
    assert reading.panel.scores.tolist() == [[4, 3, 2, 1][(e * m + m) % 4] for e in range(5) for m in range(3)]


@pytest.mark.parametrize(
    ("typed", "meant"), [("7O", 70.0), ("6l", 61.0), ("l0.5", 10.5), ("1O0", 100.0), ("5I,5", 51.5)]
)
def test_a_letter_typed_for_a_digit_is_read_as_that_digit(typed, meant):
    assert numbers_within([typed])[0].grades == {typed: meant}
    assert partial_proposals({typed: 1, "tbc": 2})[0].grades == {typed: meant}


def test_a_number_beside_other_letters_is_that_number():
    assert numbers_within(["45R"])[0].grades == {"45R": 45.0}
    assert not numbers_within(["Ol"])
