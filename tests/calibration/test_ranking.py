"""Rank intervals by better direction and the probability of being above the next, against draws and plain algebra."""

import itertools

import numpy as np
import pytest
from scipy import stats

from panelcal import Panel, calibrate, uncertainty
from panelcal.calibration.ranking import ranking
from panels import bordered_solution, connected_simulated_panel


@pytest.mark.parametrize("shape", [(15, 6, 4), (6, 15, 9)])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_above_next_is_the_tail_of_the_difference(shape, higher_is_better):
    panel = connected_simulated_panel(*shape, seed=3)
    calibration = calibrate(panel)
    weights = panel.assessor_totals(panel.confidences)
    values, _, covariance = bordered_solution(panel, np.zeros(panel.n_objects), weights, 0.0)
    order = np.argsort(values)[:: -1 if higher_is_better else 1]
    found = ranking(uncertainty(calibration), higher_is_better=higher_is_better).above_next
    assert np.isnan(found[order[-1]])
    for one, two in itertools.pairwise(order):
        variance = covariance[one, one] + covariance[two, two] - 2 * covariance[one, two]
        t = abs(values[one] - values[two]) / np.sqrt(calibration.w_unbiased * variance)
        assert found[one] == pytest.approx(stats.t.cdf(t, calibration.degrees_of_freedom), rel=1e-9)


def test_rank_intervals_count_from_the_better_end():
    panel = connected_simulated_panel(15, 6, 4, seed=3)
    mirrored = Panel(
        *(getattr(panel, name) for name in ("objects", "assessors", "object_index", "assessor_index")),
        -panel.scores,
        panel.confidences,
    )
    plain = ranking(uncertainty(calibrate(panel)))
    flipped = ranking(uncertainty(calibrate(mirrored)), higher_is_better=False)
    assert (plain.first <= plain.last).all()
    assert (flipped.first <= flipped.last).all()
    # The draws differ in sign, so ends may differ by what 4,000 draws leave open.
    assert np.abs(plain.first - flipped.first).max() <= 1
    assert np.abs(plain.last - flipped.last).max() <= 1
    assert flipped.above_next == pytest.approx(plain.above_next, nan_ok=True)


def test_rank_intervals_hold_the_rank_and_cover_the_draws_of_plain_algebra():
    panel = connected_simulated_panel(12, 6, 4, seed=8)
    calibration = calibrate(panel)
    weights = panel.assessor_totals(panel.confidences)
    values, _, covariance = bordered_solution(panel, np.zeros(panel.n_objects), weights, 0.0)
    n = panel.n_objects
    drawn = stats.multivariate_t(
        values, calibration.w_unbiased * covariance[:n, :n], calibration.degrees_of_freedom, allow_singular=True
    ).rvs(20_000, random_state=1)
    ranks = n - np.argsort(np.argsort(drawn, axis=1), axis=1)
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0)
    found = ranking(uncertainty(calibration))
    assert np.abs(found.first - low).max() <= 1
    assert np.abs(found.last - high).max() <= 1


def test_two_equal_values_are_a_toss_up():
    panel = Panel.from_matrix([[50.0, 60.0], [50.0, 60.0], [70.0, 81.0], [40.0, 49.0]])
    found = ranking(uncertainty(calibrate(panel))).above_next
    assert found[0] == pytest.approx(0.5)


def test_without_scores_to_spare_nothing_is_said():
    found = ranking(uncertainty(calibrate(Panel.from_matrix([[50.0, 60.0], [55.0, None]]))))
    assert np.isnan(np.concatenate([found.first, found.last, found.above_next])).all()
