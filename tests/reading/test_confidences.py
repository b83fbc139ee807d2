"""Confidences in every form, wherever they are written, matched by name."""

import numpy as np
import pytest

from panelcal.reading.grid import CellError

HEAD = ["Student", "MA1", "MA2", "MA3"]
SCORES = [["S1", 65, 70, 58], ["S2", 55, None, 60], ["S3", 48, 71, 66]]
BOARD = [HEAD, *SCORES]
CREDITS = [15, 15, 30]
PER_SCORE = [15, 15, 30, 15, 30, 15, 15, 30]


@pytest.mark.parametrize("word", ["Credits", "CATS", "ECTS", "Weight", "Confidence", "Credits:", "ECTS points"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_row_of_weights_above_or_below_the_headings_is_read(read, word, place):
    rows = [[word, *CREDITS], *BOARD] if place == 0 else [HEAD, [word, *CREDITS], *SCORES]
    reading = read(rows)
    assert reading.panel.confidences.tolist() == PER_SCORE
    assert reading.panel.n_objects == 3
    assert reading.declared[0] == "15"


def test_weights_above_a_blank_row_are_read(read):
    assert read([["CATS", *CREDITS], [], *BOARD]).panel.confidences.tolist() == PER_SCORE


def test_weights_at_the_foot_are_read(read):
    assert read([*BOARD, ["Credits", *CREDITS]]).panel.confidences.tolist() == PER_SCORE


def test_a_label_in_the_name_column_is_enough(read):
    rows = [[None, "Credits", 15, 30], ["ID", "Name", "A", "B"], ["1", "x", 60, 61], ["2", "y", 50, 51]]
    assert read(rows).panel.confidences.tolist() == [15, 30, 15, 30]


def test_without_confidences_all_are_1_and_none_is_declared(read):
    reading = read(BOARD)
    assert reading.panel.confidences.tolist() == [1] * 8
    assert reading.declared == () and reading.nouns.confidence == ""


def test_numbers_above_the_headings_that_nothing_names_stop(refused):
    assert "B1:D1" in refused([[None, *CREDITS], *BOARD])


def test_standard_deviations_become_one_over_the_square(read):
    reading = read([["SD", 5, 10, 2], *BOARD])
    np.testing.assert_allclose(reading.panel.confidences[:3], [1 / 25, 1 / 100, 1 / 4])
    assert reading.nouns.confidence == "Standard deviation"


def test_a_standard_deviation_below_the_scores_is_a_statistic(read):
    assert read([*BOARD, ["SD", 7, 0.5, 3.4]]).panel.confidences.tolist() == [1] * 8


def test_words_become_powers_of_p(read):
    rows = [["Confidence", "high", "Medium", "LOW"], *BOARD]
    assert read(rows).panel.confidences[:3].tolist() == [4, 1, 0.25]
    reading = read(rows, settings={"Ratio p between confidence words": 3})
    np.testing.assert_allclose(reading.panel.confidences[:3], [9, 1, 1 / 9])


def test_the_setting_decides_what_numbers_mean(read):
    reading = read([["Confidence", 5, 10, 2], *BOARD], settings={"Confidences are": "standard deviations"})
    np.testing.assert_allclose(reading.panel.confidences[:3], [1 / 25, 1 / 100, 1 / 4])


@pytest.mark.parametrize("bad", [0, -15])
def test_zero_and_negative_confidences_stop(refused, bad):
    message = refused([["Credits", 15, bad, 30], *BOARD])
    assert "C1" in message and "more than zero" in message


def test_confidences_of_mixed_kinds_stop(refused):
    message = refused([["Confidence", "high", 15, "low"], *BOARD])
    assert "C1" in message and "another kind" in message


def test_a_missing_confidence_stops(refused):
    assert "C1" in refused([["Credits", 15, None, 30], *BOARD])


def test_an_error_instead_of_a_confidence_stops(refused):
    assert "C1" in refused([["Credits", 15, CellError("#N/A"), 30], *BOARD])


def test_a_missing_confidence_of_a_module_without_marks_does_not_matter(read):
    rows = [["Credits", 15, 30, None], HEAD, *([*row[:3], None] for row in SCORES)]
    assert read(rows).panel.n_assessors == 2


def test_text_numbers_are_credits_too(read):
    assert read([["Credits", "15", "15 ", "30"], *BOARD]).panel.confidences.tolist() == PER_SCORE


CONFIDENCE = [["Student", "MA3", "MA1", "MA2"], ["S3", 1, 2, 3], ["S1", 4, 5, 6], ["S2", 7, 8, 9], ["S9", 1, 1, 1]]
BY_NAME = [5, 6, 4, 8, 7, 2, 3, 1]


def test_a_second_sheet_is_matched_by_name_not_by_position(read, grid, said):
    reading = read(BOARD, more=[grid(CONFIDENCE, "Confidence")])
    assert reading.panel.confidences.tolist() == BY_NAME
    assert "S9" in said(reading, "confidences matched by name").sentence


def test_a_second_sheet_may_be_turned(read, grid):
    turned = [list(column) for column in zip(*CONFIDENCE, strict=True)]
    assert read(BOARD, more=[grid(turned, "Weights")]).panel.confidences.tolist() == BY_NAME


def test_the_confidence_sheet_can_be_named(read, grid):
    reading = read(BOARD, more=[grid(CONFIDENCE, "Sheet2")], choose={"confidence_sheet": "sheet2"})
    assert reading.panel.confidences.tolist() == BY_NAME


def test_a_sheet_that_is_not_about_confidence_is_left_alone(read, grid):
    reading = read(BOARD, more=[grid(CONFIDENCE, "Last year")], choose={"sheet": "Marks"})
    assert reading.panel.confidences.tolist() == [1] * 8


def test_a_confidence_sheet_that_does_not_exist_stops(refused):
    assert "Sheet9" in refused(BOARD, choose={"confidence_sheet": "Sheet9"})


def test_a_confidence_sheet_without_the_names_stops(refused, grid):
    message = refused(BOARD, more=[grid([["x", "y"], ["z", 1]], "Sheet2")], choose={"confidence_sheet": "Sheet2"})
    assert "Sheet2" in message and "names" in message


def test_a_missing_row_on_the_confidence_sheet_stops_and_names_it(refused, grid):
    message = refused(BOARD, more=[grid(CONFIDENCE[:3], "Confidence")])
    assert "S2" in message and "Confidence" in message


def test_a_sheet_of_standard_deviations_is_known_by_its_name(read, grid):
    reading = read(BOARD, more=[grid(CONFIDENCE, "Standard deviations")])
    np.testing.assert_allclose(reading.panel.confidences, 1 / np.array(BY_NAME) ** 2)


def test_ranges_on_a_second_sheet_give_their_half_width(read, grid):
    rows = [HEAD, ["S1", "60-70", "65-75", "56-60"], ["S2", "50-60", None, "55-65"], ["S3", "44-52", "70-72", "56-76"]]
    reading = read(BOARD, more=[grid(rows, "Confidence")])
    np.testing.assert_allclose(reading.panel.confidences[:3], [1 / 25, 1 / 25, 1 / 4])
    assert reading.panel.scores[0] == 65


def test_a_list_of_credits_per_module_is_read_from_its_sheet(read, grid):
    rows = [["Module", "Credits"], ["MA3", 30], ["MA1", 15], ["MA2", 15]]
    assert read(BOARD, more=[grid(rows, "Credits")]).panel.confidences.tolist() == PER_SCORE


def test_a_second_block_below_is_read_when_a_title_says_so(read):
    rows = [*BOARD, [], ["Confidence"], HEAD, *([row[0], 2, 3, 4] for row in SCORES)]
    assert read(rows).panel.confidences.tolist() == [2, 3, 4, 2, 4, 2, 3, 4]


def test_a_second_block_without_a_title_stops(refused):
    message = refused([*BOARD, [], HEAD, *([row[0], 2, 3, 4] for row in SCORES)])
    assert "second block" in message


def test_a_second_block_beside_is_read_when_a_title_says_so(read):
    rows = [[None] * 5 + ["Standard deviation"], [*HEAD, None, *HEAD]]
    rows += [[*row, None, row[0], 2, 3, 4] for row in SCORES]
    np.testing.assert_allclose(read(rows).panel.confidences[:3], [1 / 4, 1 / 9, 1 / 16])


def test_confidences_in_two_places_stop(refused, grid):
    message = refused([["Credits", *CREDITS], *BOARD], more=[grid(CONFIDENCE, "Confidence")])
    assert "more than one place" in message


def test_a_named_confidence_sheet_goes_before_a_row_of_credits(read, grid):
    rows = [["Credits", *CREDITS], *BOARD]
    reading = read(rows, more=[grid(CONFIDENCE, "Confidence")], choose={"confidence_sheet": "Confidence"})
    assert reading.panel.confidences.tolist() == BY_NAME
