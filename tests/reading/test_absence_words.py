"""Words that say that nothing was given: not assessed, unless they say that a student was absent from an exam."""

import pytest

from panelcal.reading.absence_words import is_absence
from panelcal.reading.nouns import Nouns

JURY, BOARD = Nouns("Wine", "Judge", "Score"), Nouns("Student", "Module", "Mark")


def _rows(corner, word):
    return [
        [corner, "Ann Lee", "Bob Roy", "Cy Fox"],
        ["T1", word, 5, 7],
        ["T2", 4, 5, word],
        ["T3", 8, 6, 5],
        ["T4", 7, 6, 6],
    ]


@pytest.mark.parametrize("word", ["NA", "N.A.", ".", "k. A.", "nicht bewertet", "non noté", "COI", "sin calificar"])
def test_words_for_no_score_are_the_same_everywhere(word):
    assert is_absence(word, JURY)
    assert is_absence(word, BOARD)


@pytest.mark.parametrize("word", ["absent", "n.b.", "nicht erschienen", "Ausente", "assente", "afwezig"])
def test_an_absence_from_an_exam_is_left_to_the_board(word):
    assert is_absence(word, JURY)
    assert not is_absence(word, BOARD)
    assert not is_absence(word, Nouns("Prüfling", "Assessor", "Score"))


@pytest.mark.parametrize("word", ["late", "A", "pass", "none of these", "good", "?", "no"])
def test_other_words_are_asked_about(word):
    assert not is_absence(word, JURY)


def test_they_are_left_out_with_their_cells_and_what_to_do_for_zero(read):
    reading = read(_rows("Wine", "n.v."))
    (left,) = [one for one in reading.decisions if one.kind == "code excluded"]
    assert left.cells == ("B2", "D3")
    assert left.weight == "warning"
    assert "taken as not assessed" in left.sentence
    assert reading.panel.n_assessments == 10


def test_the_table_of_codes_comes_first(read):
    assert read(_rows("Wine", "n.v."), codes={"n.v.": "zero"}).panel.scores.min() == 0


def test_where_most_cells_are_words_they_are_grades_to_be_asked_about(refused):
    rows = [["Wine", "Ann Lee", "Bob Roy"], *[[f"T{k}", "NA", k if k < 3 else "NA"] for k in range(9)]]
    assert '"NA"' in refused(rows)


def test_slots_that_are_counted_all_the_same_are_warned_about(read, said):
    rows = [["Essay", "rater1_domain1", "rater2_domain1"], *[[f"E{k}", 3 + k % 3, 4 - k % 2] for k in range(8)]]
    reading = read(rows, settings={"Count in": "rater*"})
    assert said(reading, "slots without names").weight == "warning"
