"""Eq. (23): against a general least-squares routine, and on simulated panels with known spreads."""

import numpy as np
import pytest
from scipy import optimize

from panelcal import MethodNotApplicable, Panel, calibrate
from panelcal.calibration.spread import fit_spreads
from panels import connected_simulated_panel, simulated_panel


def _spread_panel(seed: int, n=120, m=10, k=5, deviation=0.3, noise=4.0):
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(n), k)
    assessors = np.concatenate([random.choice(m, k, replace=False) for _ in range(n)])
    logs = random.normal(0, deviation, m)
    logs -= logs.mean()
    values, biases = random.normal(50, 15, n), random.normal(0, 8, m)
    scores = 50 + np.exp(logs)[assessors] * (values[objects] - 50) + biases[assessors]
    scores = scores + noise * random.standard_normal(len(objects))
    panel = Panel.from_records(objects, assessors, scores)
    return panel, values, np.exp(logs)[[int(label) for label in panel.assessors]]


def test_the_fit_is_the_minimum_that_a_general_routine_finds():
    panel = connected_simulated_panel(18, 5, 3, seed=1)
    found = fit_spreads(panel)
    n, m, w = panel.n_objects, panel.n_assessors, found.noise_variance
    root = np.sqrt(panel.confidences / w)

    def left(x):
        values, biases, logs = x[:n], x[n : n + m], x[n + m :]
        model = np.exp(logs)[panel.assessor_index] * values[panel.object_index] + biases[panel.assessor_index]
        share = panel.assessor_totals(panel.confidences) / panel.confidences.sum()
        return np.concatenate(
            [root * (panel.scores - found.centre - model), logs / found.prior_deviation, [share @ biases]]
        )

    start = np.concatenate([calibrate(panel).values - found.centre, calibrate(panel).biases, np.zeros(m)])
    best = optimize.least_squares(left, start, xtol=1e-15, ftol=1e-15, gtol=1e-12)
    assert found.values - found.centre == pytest.approx(best.x[:n], abs=1e-5)
    assert found.biases == pytest.approx(best.x[n : n + m], abs=1e-5)
    assert np.log(found.spreads) == pytest.approx(best.x[n + m :], abs=1e-6)
    # The errors are the curvature's, within both conventions (the Gauss-Newton matrix, bordered).
    jacobian = left_jacobian(left, best.x)[:-1]
    gauge = np.concatenate([np.zeros(n), panel.assessor_totals(panel.confidences), np.zeros(m)])
    fixed = np.column_stack([gauge, np.concatenate([np.zeros(n + m), np.ones(m)])])
    bordered = np.block([[jacobian.T @ jacobian, fixed], [fixed.T, np.zeros((2, 2))]])
    covariance = np.linalg.inv(bordered)[:-2, :-2]
    assert found.value_errors == pytest.approx(np.sqrt(covariance.diagonal()[:n]), rel=1e-4)
    assert found.spread_errors == pytest.approx(np.sqrt(covariance.diagonal()[n + m :]), rel=1e-4)


def left_jacobian(function, at):
    columns = []
    for k in range(len(at)):
        step = np.zeros(len(at))
        step[k] = 1e-5 * max(1.0, abs(at[k]))
        columns.append((function(at + step) - function(at - step)) / (2 * step[k]))
    return np.column_stack(columns)


def test_simulated_spreads_are_recovered():
    panel, values, spreads = _spread_panel(seed=5)
    found = fit_spreads(panel)
    off = (np.log(found.spreads) - np.log(spreads)) / found.spread_errors
    assert np.abs(off).max() < 4
    assert np.sqrt(np.mean(off**2)) == pytest.approx(1.0, abs=0.5)
    assert np.log(found.spreads).sum() == pytest.approx(0, abs=1e-7)
    basic = calibrate(panel).values
    assert np.std(found.values - values) < 0.8 * np.std(basic - values)
    assert found.noise_variance == pytest.approx(16.0, rel=0.2)


def test_intervals_hold_the_truth_as_often_as_they_say():
    held = []
    for seed in range(12):
        panel, values, _ = _spread_panel(seed, n=60, m=8)
        found = fit_spreads(panel)
        apart = (found.values - found.values.mean()) - (values - values.mean())
        held.append(np.mean(np.abs(apart) < 1.96 * found.value_errors))
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


def test_a_tight_prior_gives_the_basic_fit():
    panel = simulated_panel(40, 6, 3, seed=6)
    found = fit_spreads(panel, prior_deviation=1e-5)
    assert found.values == pytest.approx(calibrate(panel).values, abs=1e-5)


def test_a_common_offset_and_scale_only_rescale_the_result():
    panel, _, _ = _spread_panel(seed=7, n=40, m=5)
    moved = Panel.from_records(panel.object_index, panel.assessor_index, 1e4 + 10 * panel.scores)
    one, two = fit_spreads(panel), fit_spreads(moved)
    assert two.values == pytest.approx(1e4 + 10 * one.values, abs=1e-4)
    assert two.spreads == pytest.approx(one.spreads, abs=1e-6)


def test_too_few_objects_for_a_spread_is_said():
    with pytest.raises(MethodNotApplicable, match="at least 6 objects from every assessor"):
        fit_spreads(simulated_panel(12, 12, 3, seed=1))
