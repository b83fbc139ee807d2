"""Long lists: one row per score, columns by heading, in any order and in the words of the trade."""

import itertools
from datetime import datetime

import numpy as np
import pytest

ROWS = [("T1", "A", 65), ("T1", "B", 60), ("T2", "A", 70), ("T2", "B", 55), ("T3", "B", 58)]
LIST = [["Talk", "Judge", "Score"], *map(list, ROWS)]

TRADES = [
    ("Student", "Module", "Mark"),
    ("Candidate number", "Examiner", "Mark"),
    ("Talk", "Judge", "Score"),
    ("Proposal", "Reviewer", "Score"),
    ("Paper ID", "Referee", "Rating"),
    ("Manuscript", "Reviewer", "Rating"),
    ("Submission", "Agent", "Score"),
    ("Application", "Panellist", "Points"),
    ("Essay", "Marker", "Final mark"),
    ("Item", "Rater", "Rating"),
]


@pytest.mark.parametrize("headings", TRADES)
def test_the_words_of_the_trades_are_known(read, headings):
    reading = read([list(headings), *map(list, ROWS)])
    assert reading.panel.objects == ("T1", "T2", "T3")
    assert reading.panel.assessors == ("A", "B")
    assert reading.panel.scores.tolist() == [65, 60, 70, 55, 58]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_columns_may_come_in_any_order(read, order):
    reading = read([[row[k] for k in order] for row in LIST])
    assert reading.panel.objects == ("T1", "T2", "T3")
    assert reading.panel.scores.tolist() == [65, 60, 70, 55, 58]


def test_places_are_those_of_the_score_column(read):
    reading = read([["Prize 2026"], [], *LIST])
    assert reading.score_block == "C4:C8"
    assert reading.score_cells == ("C4", "C5", "C6", "C7", "C8")
    assert reading.object_cells == ("A4", "A6", "A8")
    assert reading.assessor_cells == ("B4", "B5")
    assert reading.summary == "3 talks in A4:A8 and 2 judges in B4:B8"
    assert reading.plain_scores.all()


def test_confidences_are_read_from_their_column(read):
    words = ["high", "low", "medium", "High", "LOW"]
    reading = read([[*LIST[0], "Confidence"], *([*row, word] for row, word in zip(ROWS, words, strict=True))])
    assert reading.panel.confidences.tolist() == [4, 0.25, 1, 4, 0.25]
    assert reading.declared == tuple(words)


@pytest.mark.parametrize("heading", ["SD", "Standard deviation", "Uncertainty", "+/-"])
def test_standard_deviations_are_read_from_their_column(read, heading):
    reading = read([[*LIST[0], heading], *([*row, 5] for row in ROWS)])
    np.testing.assert_allclose(reading.panel.confidences, 1 / 25)


def test_two_columns_of_confidences_stop(refused):
    message = refused([[*LIST[0], "Confidence", "SD"], *([*row, 1, 5] for row in ROWS)])
    assert "D1" in message and "E1" in message


def test_two_columns_of_assessors_stop_unless_settings_choose(read, refused):
    rows = [["Student", "Module", "Examiner", "Mark"], *([a, b, f"X{k}", c] for k, (a, b, c) in enumerate(ROWS))]
    assert "B1" in refused(rows) and "C1" in refused(rows)
    assert read(rows, settings={"Word for an assessor": "Module"}).panel.assessors == ("A", "B")


def test_two_columns_of_scores_stop_unless_settings_choose(read, refused):
    rows = [["Talk", "Judge", "Content", "Delivery"], *([*row, row[2] + 1] for row in ROWS)]
    assert "Content" in refused(rows) and "Delivery" in refused(rows)
    assert read(rows, settings={"Word for a score": "Delivery"}).panel.scores[0] == 66


def test_other_columns_are_listed_and_not_read(read, said):
    rows = [["Talk", "Title", "Judge", "Comment", "Score"]]
    rows += [[a, f"On {a}", b, "fine", c] for a, b, c in ROWS]
    reading = read(rows)
    assert reading.object_names == ("On T1", "On T2", "On T3")
    assert "Comment" in said(reading, "column not read").sentence


def test_a_blank_score_is_not_assessed(read):
    reading = read([*LIST, ["T3", "A", None]])
    assert reading.panel.n_assessments == 5
    assert reading.score_block == "C2:C7"


def test_codes_text_numbers_and_dates_are_treated_as_in_a_matrix(read, refused, said):
    reading = read([*LIST, ["T3", "A", "ABS"], ["T4", "A", "64,5"]])
    assert said(reading, "code excluded").cells == ("C7",)
    assert said(reading, "text read as number").cells == ("C8",)
    assert "C7" in refused([*LIST, ["T3", "A", datetime(2026, 11, 12)]])


def test_a_score_without_object_or_assessor_stops(refused):
    assert "B7" in refused([*LIST, ["T3", None, 50]])
    assert "A7" in refused([*LIST, [None, "A", 50]])


@pytest.mark.parametrize("row", [["Average", None, 61.6], [None, "Total", 308], ["Mean score", None, 61.6]])
def test_statistics_below_the_list_are_not_read(read, row):
    assert read([*LIST, row]).panel.n_assessments == 5


def test_notes_and_blank_rows_do_not_matter(read, said):
    reading = read([*LIST, [], ["T4", "A", 61], [], ["Checked by the chair"]])
    assert reading.panel.n_assessments == 6
    assert said(reading, "blank rows bridged").cells == ("A8:C8",)


def test_a_repeated_pair_stops_by_default(refused):
    message = refused([*LIST, ["T1", "A", 61]])
    assert "C7" in message and "T1, A" in message and "Settings" in message


@pytest.mark.parametrize(
    ("choice", "scores", "cells"),
    [
        ("average", [63, 60], ("C2", "C3")),
        ("last", [61, 60], ("C4", "C3")),
        ("keep both", [65, 60, 61], ("C2", "C3", "C4")),
    ],
)
def test_a_repeated_pair_can_be_resolved(read, choice, scores, cells):
    reading = read([*LIST[:3], ["T1", "A", 61]], settings={"Repeated assessments": choice})
    assert sorted(reading.panel.scores) == sorted(scores)
    assert sorted(reading.score_cells) == sorted(cells)
    averaged = reading.plain_scores[reading.score_cells.index(cells[0])]
    assert averaged == (choice != "average")


def test_merged_cells_in_the_list_stop(refused):
    rows = [LIST[0], ["T1", "A", 65], [None, "B", 60]]
    assert "A2:A3" in refused(rows, merged=((2, 1, 3, 1),))


def test_hidden_rows_are_included_or_excluded(read, said):
    hidden = frozenset({3, 4})
    assert said(read(LIST, hidden_rows=hidden), "hidden included").cells == ("C3", "C4")
    reading = read(LIST, hidden_rows=hidden, settings={"Hidden rows and columns": "exclude"})
    assert reading.panel.n_assessments == 3


def test_repeated_headings_are_skipped(read):
    assert read([*LIST, LIST[0], ["T4", "A", 61]]).panel.n_assessments == 6


def test_percent_formats_are_a_property_of_the_whole_column(read, refused):
    rows = [LIST[0], *([a, b, c / 100] for a, b, c in ROWS)]
    formats = {(row, 3): "0%" for row in range(2, 7)}
    np.testing.assert_array_equal(read(rows, number_formats=formats).panel.scores, [65, 60, 70, 55, 58])
    formats.pop((4, 3))
    assert "C4" in refused(rows, number_formats=formats)


def test_a_matrix_with_a_tutor_column_is_no_list(read):
    rows = [["Student", "Tutor", "MA1", "MA2"], ["S1", "Fox", 60, 61], ["S2", "Ray", 50, 51]]
    assert read(rows).panel.assessors == ("MA1", "MA2")


def test_the_layout_setting_insists_on_a_list(refused):
    assert "headings" in refused([["Talk", "A", "B"], ["T1", 1, 2]], settings={"Layout": "list"})


def test_credits_on_another_sheet_are_matched_by_name(read, grid):
    reading = read(LIST, more=[grid([["Judge", "Weight"], ["B", 2], ["A", 3]], "Weights")])
    assert reading.panel.confidences.tolist() == [3, 2, 3, 2, 2]
