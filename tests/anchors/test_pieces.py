"""Curves kept as cubic pieces."""

import numpy as np
import pytest

from panelcal.anchors.pieces import Pieces, broken_line, straight_line


def test_each_piece_is_its_own_cubic():
    pieces = Pieces(np.array([1.0, 3.0]), np.array([[5, 5, 19], [2, 1, 4], [0, 1, 0], [0, 0.5, 0]], dtype=float))
    assert pieces(np.array([0.0, 1.0, 2.0, 3.0, 4.0])).tolist() == [3, 5, 7.5, 19, 23]


def test_a_broken_line_is_numpys_interpolation():
    scores, values = np.array([0.0, 2.0, 7.0]), np.array([1.0, 1.5, 9.0])
    at = np.linspace(-3, 10, 70)
    assert broken_line(scores, values)(at) == pytest.approx(np.interp(at, scores, values), abs=1e-12)


@pytest.mark.parametrize("gap", [8.9e-308, 5e-324, 1e-16])
def test_points_closer_than_rounding_are_a_step(gap):
    line = broken_line(np.array([-16.0, -gap, 0.0]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_array_equal(line(np.array([-20.0, -16.0, -1.0, 0.0, 3.0])), [0.0, 0.0, 0.0, 1.0, 1.0])
    assert not line.is_flat


def test_missing_scores_stay_missing_and_shapes_stay():
    table = straight_line(0.0, 1.0, 2.0)(np.array([[1.0, np.nan], [3.0, -1.0]]))
    assert table.shape == (2, 2)
    assert np.isnan(table[0, 1])
    assert table[[0, 1, 1], [0, 0, 1]].tolist() == [3, 7, -1]


@pytest.mark.slow
def test_more_scores_than_are_evaluated_at_once_come_out_in_order():
    scores = np.random.default_rng(0).uniform(-1, 1, 200_001)
    assert straight_line(0.5, 1.0, 3.0)(scores) == pytest.approx(1 + 3 * (scores - 0.5), abs=1e-12)
