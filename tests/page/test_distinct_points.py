"""Points that a picture cannot tell apart are told once, and every other one is there."""

import numpy as np

from panelcal.page.sheet_data import ACROSS, UPRIGHT, distinct_points


def test_points_that_can_be_told_apart_all_stay():
    x, y = np.arange(400.0), np.arange(400.0) % 7
    assert distinct_points(x, y, y, y).tolist() == list(range(400))


def test_points_on_one_spot_are_told_once_unless_their_bars_differ():
    x = np.array([0.0, 5.0, 5.0 + 1e-6, 5.0, 10.0])
    y = np.array([0.0, 5.0, 5.0, 5.0, 10.0])
    high = np.array([0.0, 5.0, 5.0, 8.0, 10.0])
    assert distinct_points(x, y, y, high).tolist() == [0, 1, 3, 4]


def test_every_point_has_one_that_stays_within_a_spot():
    chance = np.random.default_rng(1)
    x, y = chance.normal(size=20_000), chance.normal(size=20_000)
    kept = distinct_points(x, y, y, y)
    assert kept.size < 20_000
    spots = {tuple(spot) for spot in _spots(x[kept], y[kept], x, y)}
    assert {tuple(spot) for spot in _spots(x, y, x, y)} == spots


def test_what_is_nowhere_is_left_out():
    x, y = np.array([1.0, np.nan, 3.0]), np.array([np.nan, 2.0, 3.0])
    assert distinct_points(x, y, y, y).tolist() == [2]
    assert distinct_points(x[:0], y[:0], y[:0], y[:0]).tolist() == []


def _spots(x, y, all_x, all_y):
    across = (x - all_x.min()) / np.ptp(all_x) * ACROSS
    return np.column_stack([across, (y - all_y.min()) / np.ptp(all_y) * UPRIGHT]).astype(int)
