"""Straight-line curves against numpy's own fit and against what they promise."""

import numpy as np
import pytest

from panelcal.anchors.lines_and_steps import fit_line, match_mean_and_sd, match_range

SAME = 1e-9
random = np.random.default_rng(1)
SCORES = random.uniform(20, 70, 50)
CONSENSUS = np.clip(1.3 * SCORES - 10 + random.normal(0, 8, 50), 0, 100)


def test_least_squares_is_numpys_fit():
    slope, start = np.polyfit(SCORES, CONSENSUS, 1)
    at = np.array([-5.0, 40.0, 110.0])
    assert fit_line(SCORES, CONSENSUS, np.ones(50))(at) == pytest.approx(start + slope * at, abs=SAME)


def test_weights_are_numpys_weights():
    weights = random.integers(0, 4, 50).astype(float)
    slope, start = np.polyfit(SCORES, CONSENSUS, 1, w=np.sqrt(weights))
    assert fit_line(SCORES, CONSENSUS, weights)(np.array([0.0, 50.0])) == pytest.approx(
        [start, start + 50 * slope], abs=SAME
    )


def test_a_line_that_would_fall_is_flat_at_the_mean():
    line = fit_line(SCORES, 100 - CONSENSUS, np.ones(50))
    assert line.is_flat
    assert line(np.array([3.0, 90.0])) == pytest.approx((100 - CONSENSUS).mean(), abs=SAME)


def test_min_max_takes_the_extremes_to_the_extremes():
    ends = match_range(SCORES, CONSENSUS, np.ones(50))(np.array([SCORES.min(), SCORES.max()]))
    assert ends == pytest.approx([CONSENSUS.min(), CONSENSUS.max()], abs=SAME)


def test_mean_and_sd_become_those_of_the_consensus():
    moved = match_mean_and_sd(SCORES, CONSENSUS, np.ones(50))(SCORES)
    assert (moved.mean(), moved.std()) == pytest.approx((CONSENSUS.mean(), CONSENSUS.std()), abs=SAME)
