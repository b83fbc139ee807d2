"""Factors on confidences: a dense restricted likelihood, simulated factors, and the refit."""

import numpy as np
import pytest
from scipy import optimize

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate
from panelcal.calibration.weighted_confidences import calibrate_confidences, restricted_deviance
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case


def _restricted_deviance(panel: Panel, variances: np.ndarray) -> float:
    """-2 x restricted log likelihood for these noise variances (N,), up to a constant, from dense matrices."""
    count, n = panel.n_assessments, panel.n_objects
    design = np.zeros((count, n + panel.n_assessors))
    design[np.arange(count), panel.object_index] = 1
    design[np.arange(count), n + panel.assessor_index] = 1
    design = design[:, 1:]
    information = design.T @ (design / variances[:, None])
    left = panel.scores - design @ np.linalg.solve(information, design.T @ (panel.scores / variances))
    return np.log(variances).sum() + np.linalg.slogdet(information)[1] + left @ (left / variances)


@pytest.mark.parametrize("by", ["assessor", "level"])
def test_without_a_prior_it_maximises_the_restricted_likelihood(by):
    panel = connected_simulated_panel(60, 4, 3, seed=1)
    levels = np.where(np.arange(panel.n_assessments) % 3 == 0, 4.0, 1.0)
    panel = panel.with_confidences(levels)
    found = calibrate_confidences(panel, by=by, prior_assessments=0)
    group = panel.assessor_index if by == "assessor" else np.unique(levels, return_inverse=True)[1]

    def deviance(logs):
        return _restricted_deviance(panel, np.exp(logs)[group] / panel.confidences)

    at = np.log(found.factors * found.calibration.w_unbiased)
    best = optimize.minimize(deviance, at + 0.2, method="BFGS", options={"gtol": 1e-7})
    assert best.x == pytest.approx(at, abs=1e-4)


def test_the_deviance_is_that_of_dense_matrices_up_to_a_constant():
    panel = simulated_panel(20, 6, 3, seed=2)
    equal = panel.with_confidences(np.ones(panel.n_assessments))
    one, two = calibrate(panel), calibrate(equal)
    dense = _restricted_deviance(panel, one.w_unbiased / panel.confidences) - _restricted_deviance(
        equal, np.full(panel.n_assessments, two.w_unbiased)
    )
    assert restricted_deviance(one) - restricted_deviance(two) == pytest.approx(dense, abs=1e-8)


def test_assessors_who_are_noisier_than_they_say_are_found_and_the_refit_is_better():
    off_before, off_after, ratios = [], [], []
    noise = np.array([2.0, 2, 2, 2, 2, 8, 8, 8])
    for seed in range(8):
        random = np.random.default_rng(seed)
        objects = np.repeat(np.arange(80), 4)
        assessors = np.concatenate([random.choice(8, 4, replace=False) for _ in range(80)])
        values = random.normal(60, 9, 80)
        scores = values[objects] + random.normal(0, 5, 8)[assessors] + noise[assessors] * random.standard_normal(320)
        panel = Panel.from_records(objects, assessors, scores)
        found = calibrate_confidences(panel)
        assert found.converged
        assert found.p_value < 1e-6
        factors = found.factors[[found.groups.index(str(a)) for a in range(8)]]
        ratios.append(np.log(factors[5:].mean() / factors[:5].mean()))
        off_before.append(np.std(calibrate(panel).values - values))
        off_after.append(np.std(found.calibration.values - values))
    assert np.exp(np.mean(ratios)) == pytest.approx(16, rel=0.5)
    assert np.mean(off_after) < 0.85 * np.mean(off_before)


def test_confidences_that_are_right_get_factors_near_one():
    found = calibrate_confidences(simulated_panel(120, 6, 4, seed=3), by="level")
    assert found.p_value > 0.01
    assert found.factors == pytest.approx(np.ones(5), abs=0.5)
    assert found.groups == ("6", "7.5", "12", "15", "18")


@pytest.mark.slow
def test_skewed_noise_does_not_pass_for_wrong_confidences():
    """A likelihood ratio that takes log-normal noise for normal rejects right confidences in two panels of three."""
    random = np.random.default_rng(5)
    rejected = []
    for seed in range(12):
        panel = simulated_panel(60, 10, 4, seed=seed)
        noise = 7 * np.sqrt(15 / panel.confidences) * (np.exp(random.standard_normal(240)) - np.exp(0.5)) / 2.16
        scores = random.normal(60, 9, 60)[panel.object_index] + noise
        skewed = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        rejected.append(calibrate_confidences(skewed, by="level", prior_assessments=0.0).p_value < 0.05)
    assert sum(rejected) <= 3


def test_an_assessor_without_room_stays_where_the_prior_is():
    panel = simulated_panel(40, 6, 4, seed=4)
    labels = [panel.assessors[k] for k in panel.assessor_index]
    extended = Panel.from_records([*panel.object_index, 0], [*labels, "guest"], [*panel.scores, 95.0])
    found = calibrate_confidences(extended)
    assert found.room[-1] == pytest.approx(0, abs=1e-9)
    assert 0.5 < found.factors[-1] < 2


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(MethodNotApplicable, match="only one group"):
        calibrate_confidences(load_case("one_assessor").panel)
    with pytest.raises(MethodNotApplicable, match="no residuals"):
        calibrate_confidences(Panel.from_matrix([[60.0, 62.0], [50.0, 52.0], [40.0, 42.0]]))
    panel = simulated_panel(20, 5, 3, seed=5)
    with pytest.raises(MethodNotApplicable, match="different confidences"):
        calibrate_confidences(panel.with_confidences(np.linspace(1, 2, panel.n_assessments)), by="level")
    with pytest.raises(DisconnectedPanel):
        calibrate_confidences(load_case("disconnected_two").panel)
