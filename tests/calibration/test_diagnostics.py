"""Habits of assessors: a bias that depends on confidence, and round numbers."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from panelcal import MethodNotApplicable, Panel, calibrate
from panelcal.calibration.diagnostics import confidence_bias, round_numbers
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_the_slope_is_one_more_column_of_the_regression(shape):
    panel = connected_simulated_panel(*shape, seed=1)
    n, count = panel.n_objects, panel.n_assessments
    design = np.zeros((count, n + panel.n_assessors))
    design[np.arange(count), panel.object_index] = 1
    design[np.arange(count), n + panel.assessor_index] = 1
    root = np.sqrt(panel.confidences)[:, None]
    full = np.hstack([design[:, 1:], np.log2(panel.confidences)[:, None]])
    solution = np.linalg.lstsq(full * root, panel.scores * root[:, 0], rcond=None)[0]
    left = panel.confidences @ (panel.scores - full @ solution) ** 2
    freedom = count - full.shape[1]
    error = np.sqrt(left / freedom * np.linalg.inv((full * root).T @ (full * root))[-1, -1])
    found = confidence_bias(calibrate(panel))
    assert found.degrees_of_freedom == freedom
    assert found.slope == pytest.approx(solution[-1], rel=1e-8)
    assert found.slope_error == pytest.approx(error, rel=1e-8)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(solution[-1] / error), freedom), rel=1e-6)


def test_a_bias_for_what_they_know_is_found_and_taken_out():
    panel = simulated_panel(80, 10, 5, seed=2, noise_sd=3.0)
    tilted = Panel.from_records(
        panel.object_index, panel.assessor_index, panel.scores + 4 * np.log2(panel.confidences), panel.confidences
    )
    found = confidence_bias(calibrate(tilted))
    assert abs(found.slope - 4) < 4 * found.slope_error
    assert "higher by" in found.sentence
    before = confidence_bias(calibrate(panel))
    assert found.values - found.values.mean() == pytest.approx(before.values - before.values.mean(), abs=1e-8)


def test_without_such_a_bias_it_cries_wolf_one_time_in_twenty():
    p_values = [confidence_bias(calibrate(simulated_panel(40, 8, 4, seed))).p_value for seed in range(60)]
    assert stats.kstest(p_values, "uniform").pvalue > 0.01


def test_equal_confidences_say_nothing():
    panel = simulated_panel(20, 5, 3, seed=3)
    with pytest.raises(MethodNotApplicable, match="do not differ"):
        confidence_bias(calibrate(panel.with_confidences(np.full(panel.n_assessments, 15.0))))
    with pytest.raises(MethodNotApplicable, match="too few"):
        confidence_bias(calibrate(load_case("one_by_one").panel))


def _whole(seed: int, rounding=None) -> Panel:
    panel = simulated_panel(80, 10, 5, seed)
    scores = np.rint(panel.scores)
    if rounding is not None:
        mine = panel.assessor_index == 3
        scores[mine] = rounding * np.rint(scores[mine] / rounding)
    return Panel.from_records(panel.object_index, panel.assessor_index, scores)


def test_an_assessor_who_rounds_to_fives_is_found():
    found = round_numbers(_whole(1, rounding=5))
    assert (found.step, found.base) in {(1.0, 5.0), (1.0, 10.0)}
    assert np.argmin(found.assessor_p_values) == 3
    assert found.assessor_p_values[3] < 1e-6
    assert found.expected_share == pytest.approx(0.2, abs=0.03)
    assert "multiples of 5" in found.sentence


def test_scores_that_nobody_rounded_seldom_look_round():
    assert sum(round_numbers(_whole(seed)).p_value < 0.05 for seed in range(40)) <= 5


def test_the_scores_that_count_are_those_near_a_multiple_away_from_ends_zeros_and_boundaries():
    """Counted by hand: 40 (a boundary), 20 and 95 (the ends) are left out, and 60, which stands out most."""
    counted = [55, 55, 56, 54, 70, 70, 71, 72, 75, 75, 76, 77, 73, 65, 65, 66, 80, 80, 81, 82]
    scores = np.array([20, 40, 40, 39, 41, 38, 60, 60, 60, 60, 60, 61, 95, *counted], dtype=float)
    found = round_numbers(Panel.from_records(np.arange(len(scores)), ["x"] * len(scores), scores), boundaries=[40.0])
    assert (found.base, found.expected_share) == (5.0, 0.2)
    assert found.share == pytest.approx(sum(score % 5 == 0 for score in counted) / len(counted))


@pytest.mark.parametrize("moved", ["cap", "zeros", "pass mark", "boundaries"])
def test_scores_moved_to_a_place_for_a_reason_do_not_look_like_a_liking(moved):
    """Each of these was called a liking at the 1% level in up to 85 of 100 panels."""
    called = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        panel = simulated_panel(60, 20, 8, seed)
        scores = np.rint(np.clip(panel.scores + (25 if moved == "cap" else -5), 0, 100))
        if moved == "zeros":
            scores[random.random(480) < 0.06] = 0
        if moved == "pass mark":
            scores[(scores >= 36) & (scores < 40)] = 40
        for boundary in (40, 50, 60, 70) if moved == "boundaries" else ():
            scores[(scores >= boundary - 2) & (scores < boundary)] = boundary
        told = {"pass mark": (40.0,), "boundaries": (40.0, 50.0, 60.0, 70.0)}.get(moved, ())
        called += (
            round_numbers(Panel.from_records(panel.object_index, panel.assessor_index, scores), boundaries=told).p_value
            < 0.01
        )
    assert called <= 2


def test_scales_with_few_steps_or_none_have_no_round_numbers():
    with pytest.raises(MethodNotApplicable, match="no regular steps"):
        round_numbers(simulated_panel(20, 5, 3, seed=4))
    with pytest.raises(MethodNotApplicable, match="too few steps"):
        round_numbers(Panel.from_matrix(np.add.outer(np.arange(6.0), np.arange(5.0))))


def test_a_few_half_marks_do_not_make_a_scale_of_half_marks():
    whole = _whole(1, rounding=5)
    scores = whole.scores.copy()
    scores[:5] += 0.5
    mixed = Panel.from_records(whole.object_index, whole.assessor_index, scores)
    found, expected = round_numbers(mixed), round_numbers(whole)
    assert (found.step, found.base) == (expected.step, expected.base)
    assert found.share == pytest.approx(expected.share, abs=0.01)
    assert found.assessor_shares[3] == pytest.approx(expected.assessor_shares[3], abs=0.03)


def test_a_scale_of_half_marks_is_one_once_more_than_one_in_five_are_half():
    whole = _whole(1)
    count = int(0.21 * whole.n_assessments)
    scores = whole.scores + 0.5 * (np.arange(whole.n_assessments) < count)
    assert round_numbers(Panel.from_records(whole.object_index, whole.assessor_index, scores)).step == 0.5


def test_a_stray_time_among_the_scores_costs_no_memory():
    scores = np.tile([60.0, 65.0, 70.0, 75.0], 10).reshape(10, 4)
    scores[:, 3] = 1.7e9 + np.arange(10) * 3601
    tracemalloc.start()
    try:
        with pytest.raises(MethodNotApplicable, match="away from boundaries"):
            round_numbers(Panel.from_matrix(scores))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1e6  # bytes


def test_round_numbers_are_judged_by_multiples_of_which_some_are_away_from_boundaries():
    """Between 75 and 100 with boundaries at 84, 88 and 92 no multiple of 10 says anything, but 85 and 95 do."""
    random = np.random.default_rng(3)
    scores = random.integers(75, 101, 200).astype(float)
    panel = Panel.from_records(
        np.arange(200) // 4, random.permuted(np.tile(np.arange(4), (50, 1)), axis=1).ravel(), scores
    )
    found = round_numbers(panel, boundaries=(84.0, 88.0, 92.0))
    assert found.base == 5.0
    assert 0.0 < found.share < 0.5
