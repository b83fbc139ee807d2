"""Columns of figures that are seldom an assessor's: asked about by their heading alone, where the others are names."""

import pytest

from panelcal.reading.headings import is_statistic
from panelcal.reading.plausibility.odd_names import odd_columns_doubted, odd_rows

MODULES = ["Statics", "Dynamics", "Thermo", "Materials", "Drawing", "Workshop"]


@pytest.mark.parametrize(
    "heading",
    (
        "Participation;Engagement;Height (cm);House no.;Table;Panel no.;Intake;Week;Similarity;Turnitin;"
        "Plagiarism score;Peer score;Predicted;Entry score;IELTS;Target;Threshold;Cut-off;Days late;Extension;"
        "Adjusted mark;Capped mark;Provisional;Index;Budget;Cost;Amount;Votes;Likes;Downloads;Month;Temperature;"
        "Points;Score;Resit mark;First attempt;Second attempt;Weighted mark;Capped overall;Calibrated;Residual;Punkte"
    ).split(";"),
)
def test_figures_of_the_house_are_asked_about(heading):
    found = odd_columns_doubted(dict(enumerate([*MODULES, heading])), [])
    assert [doubt.lines for doubt in found] == [(len(MODULES),)]


def test_what_nobody_gives_as_a_score_is_known():
    assert all(map(is_statistic, ["z-score", "T-score", "AI score", "Grade point"]))


@pytest.mark.parametrize(
    "heading", ["AI", "Exam", "Media", "Price", "Day", "Best", "Mark", "Table manners", "Week in Rome"]
)
def test_names_and_modules_are_not(heading):
    assert not odd_columns_doubted(dict(enumerate([*MODULES, heading])), [])


def test_rounds_that_are_most_columns_are_not():
    assert not odd_columns_doubted(dict(enumerate([f"Week {k}" for k in range(1, 7)])), [])


@pytest.mark.parametrize("odd", [["61", "99"], ["X5000"], ["5000X"], ["7"]])
def test_a_shorter_number_or_one_with_a_letter_is_a_candidate_among_numbers(odd):
    assert odd_rows([*odd, *(str(139 + 37 * k) for k in range(30))])[0] == ()


def test_a_word_among_numbers_is_asked_about():
    assert odd_rows(["Department average", *(str(139 + 37 * k) for k in range(30))])[0] == (0,)
