"""Made-up panels: drawn as they say, and found again by calibration."""

import numpy as np
import pytest

from panelcal import ImpossiblePlan, MethodNotApplicable, calibrate, network, plan_assignment, simulate_panel


@pytest.mark.slow
def test_noise_is_of_the_stated_size_and_smaller_where_confidence_is_high():
    made = simulate_panel(300, 40, 5, noise_sd=4.0, confidence_levels=(1.0, 4.0), seed=3)
    panel = made.panel
    noise = panel.scores - made.values[panel.object_index] - made.biases[panel.assessor_index]
    for level in (1.0, 4.0):
        own = noise[panel.confidences == level]
        assert own.std() == pytest.approx(4 / np.sqrt(level), rel=4 / np.sqrt(2 * len(own)))
    assert np.std(made.values) == pytest.approx(10, rel=0.17)
    assert np.std(made.biases) == pytest.approx(5, rel=0.45)


def test_without_noise_calibration_finds_the_truth():
    made = simulate_panel(20, 6, 3, noise_sd=0.0, seed=1)
    found = calibrate(made.panel)
    assert np.ptp(found.values - made.values) < 1e-9
    assert np.ptp(found.biases - made.biases) < 1e-9


def test_the_assignment_is_a_plan_and_the_same_seed_gives_the_same():
    made, again = simulate_panel(15, 6, 2, seed=7), simulate_panel(15, 6, 2, seed=7)
    assert made.panel.scores.tolist() == again.panel.scores.tolist()
    assert np.bincount(made.panel.object_index).tolist() == [2] * 15
    assert np.ptp(np.bincount(made.panel.assessor_index)) <= 1
    assert len(network(made.panel).components) == 1
    assert simulate_panel(15, 6, 2, seed=8).panel.scores.tolist() != made.panel.scores.tolist()


def test_what_makes_no_panel_is_refused():
    with pytest.raises(ImpossiblePlan):
        simulate_panel(5, 2, 3)
    with pytest.raises(MethodNotApplicable):
        simulate_panel(5, 3, 2, noise_sd=-1)
    with pytest.raises(MethodNotApplicable):
        simulate_panel(5, 3, 2, confidence_levels=(0.0,))


def test_a_plan_may_say_how_many_each_assessor_takes():
    plan = plan_assignment(20, 6, per_assessor=11)  # K = 11 x 6 / 20 = 3.3
    assert plan.per_object == 3
    assert plan.loads.max() <= 11
    assert plan_assignment(4, 3, per_assessor=100).per_object == 3
    with pytest.raises(ImpossiblePlan, match="would have to take at least 4"):
        plan_assignment(20, 6, per_assessor=3)
    with pytest.raises(ImpossiblePlan, match="either"):
        plan_assignment(20, 6)
    with pytest.raises(ImpossiblePlan, match="either"):
        plan_assignment(20, 6, 3, per_assessor=11)
