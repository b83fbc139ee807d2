"""The arithmetic test for totals: it finds sums and means, and leaves judges alone."""

import numpy as np
import pytest

from panelcal.reading.plausibility.recomputed import recomputed_lines


def total_columns(scores):
    """Columns that are a sum or mean of others in every row."""
    return tuple(one.line for one in recomputed_lines(scores) if one.share == 1)


SCORES = np.array([[61, 70, 58], [55, 62, 60], [48, 71, 66], [72, 69, 59], [66, 51, 45]], dtype=float)
SUM = SCORES.sum(axis=1, keepdims=True)
MEAN = SCORES.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("total", [SUM, MEAN, np.round(MEAN, 1), np.round(MEAN, 2), np.round(MEAN)])
@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_sum_or_mean_is_found_wherever_it_stands(total, at):
    assert total_columns(np.insert(SCORES, [at], total, axis=1)) == (at,)


def test_a_total_and_a_mean_side_by_side_are_found():
    assert total_columns(np.hstack([SCORES, SUM, np.round(MEAN, 1)])) == (3, 4)


def test_a_total_over_blanks_is_found():
    scores = SCORES.copy()
    scores[0, 1] = scores[3, 2] = np.nan
    assert total_columns(np.hstack([scores, np.nansum(scores, axis=1, keepdims=True)])) == (3,)


def test_one_row_that_does_not_agree_is_enough_to_read_the_column():
    total = SUM.copy()
    total[2] += 1
    assert total_columns(np.hstack([SCORES, total])) == ()


def test_a_row_without_the_total_is_enough_to_read_the_column():
    total = SUM.copy()
    total[2] = np.nan
    assert total_columns(np.hstack([SCORES, total])) == ()


def test_three_rows_are_too_few():
    assert total_columns(np.hstack([SCORES, SUM])[:3]) == ()
    assert total_columns(np.hstack([SCORES, SUM])[:4]) == (3,)


def test_two_columns_are_too_few():
    assert total_columns(np.hstack([SCORES[:, :1], SCORES[:, :1]])) == ()


def test_judges_who_all_agree_are_no_totals():
    for judges in (3, 4, 5, 6, 40):
        assert total_columns(np.repeat([[4.0], [5.0], [3.0], [4.0], [2.0]], judges, axis=1)) == ()


def test_judges_on_a_short_scale_who_meet_the_rounded_mean_by_chance_are_no_totals():
    scores = np.array([[4, 5, 5], [2, 3, 2], [3, 4, 4], [5, 4, 4], [1, 2, 2]], dtype=float)
    assert total_columns(scores) == ()


def test_a_total_that_no_heading_names_is_asked_about(read, refused_by):
    rows = [
        ["Student", "A", "B", "C", "All"],
        *([f"S{i}", *row] for i, row in enumerate(np.hstack([SCORES, SUM]).tolist())),
    ]
    refusal = refused_by(rows)
    assert "Column E (All) is the sum of all others" in str(refusal)
    assert refusal.cells == ("Marks!E2:E6",)
    left_out, counted = (answer.gives for answer in refusal.answers)
    assert (left_out, counted) == ({"exclude": ("All",)}, {"include": ("All",)})
