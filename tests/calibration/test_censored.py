"""Scores cut off at the ends of the scale: against general routines, and against truth where marks crowd at the top."""

import numpy as np
import pytest
from scipy import optimize, stats

from panelcal import MethodNotApplicable, Panel, calibrate, fit
from panelcal.calibration.censored import censored
from panels import connected_simulated_panel


def _crowded(seed: int, mean: float = 88.0) -> tuple[Panel, np.ndarray]:
    """Marks around the mean with noise 7, cut at 100; the truth in gauge (36), cut as well."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(40), 5)
    assessors = np.concatenate([random.choice(10, 5, replace=False) for _ in range(40)])
    values, biases = random.normal(mean, 8, 40), random.normal(0, 4, 10)
    scores = values[objects] + biases[assessors] + 7 * random.standard_normal(200)
    panel = Panel.from_records([f"{o:02}" for o in objects], assessors, np.clip(np.round(scores), 0, 100))
    return panel, np.clip(values + biases[assessors].mean(), 0, 100)


def _designs(panel: Panel):
    objects = np.zeros((panel.n_assessments, panel.n_objects))
    assessors = np.zeros((panel.n_assessments, panel.n_assessors))
    objects[np.arange(panel.n_assessments), panel.object_index] = 1
    assessors[np.arange(panel.n_assessments), panel.assessor_index] = 1
    return objects, assessors


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_far_from_the_ends_it_is_the_mixed_model_with_biases_fixed(shape):
    """Variances against the dense restricted likelihood, values against generalised least squares."""
    panel = connected_simulated_panel(*shape, seed=3)
    found = censored(panel, (-1e4, 1e4))
    objects, assessors = _designs(panel)

    def deviance(logs: np.ndarray) -> float:
        covariance = np.exp(logs[0]) * objects @ objects.T + np.exp(logs[1]) * np.diag(1 / panel.confidences)
        inverse = np.linalg.inv(covariance)
        information = assessors.T @ inverse @ assessors
        left = panel.scores - assessors @ np.linalg.solve(information, assessors.T @ inverse @ panel.scores)
        return np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + left @ inverse @ left

    start = np.log([found.value_variance, found.noise_variance])
    best = optimize.minimize(deviance, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9})
    assert best.x == pytest.approx(start, abs=5e-3)
    covariance = found.value_variance * objects @ objects.T + found.noise_variance * np.diag(1 / panel.confidences)
    inverse = np.linalg.inv(covariance)
    biases = np.linalg.solve(assessors.T @ inverse @ assessors, assessors.T @ inverse @ panel.scores)
    effects = found.value_variance * objects.T @ inverse @ (panel.scores - assessors @ biases)
    share = panel.assessor_totals(panel.confidences) / panel.confidences.sum()
    assert found.values == pytest.approx(effects + share @ biases, abs=1e-5)
    assert found.biases == pytest.approx(biases - share @ biases, abs=1e-5)
    design = np.hstack([objects, assessors])
    matrix = design.T @ (panel.confidences[:, None] / found.noise_variance * design)
    matrix[: panel.n_objects, : panel.n_objects] += np.eye(panel.n_objects) / found.value_variance
    into = np.hstack([np.eye(panel.n_objects), np.tile(share, (panel.n_objects, 1))])
    assert found.value_errors == pytest.approx(np.sqrt((into @ np.linalg.inv(matrix) @ into.T).diagonal()), rel=1e-6)


def test_values_and_biases_are_the_likeliest_given_the_variances():
    panel, _ = _crowded(1)
    found = censored(panel, (0.0, 100.0))
    deviation = np.sqrt(found.noise_variance)

    def depth(x: np.ndarray) -> float:
        effects, biases = x[: panel.n_objects], x[panel.n_objects :]
        z = (panel.scores - effects[panel.object_index] - biases[panel.assessor_index]) / deviation
        logs = np.where(panel.scores >= 100, stats.norm.logsf(z), stats.norm.logpdf(z))
        return -float(logs.sum()) + 0.5 * float(effects @ effects) / found.value_variance

    middle = 85.0
    start = np.concatenate([found.latent_values - middle, found.biases + middle])
    best = optimize.minimize(depth, start, method="BFGS", options={"gtol": 1e-5, "maxiter": 2000})
    assert best.x[: panel.n_objects].mean() == pytest.approx(0, abs=1e-3)
    shift = best.x[panel.n_objects :] @ panel.assessor_totals(panel.confidences) / panel.confidences.sum()
    assert found.latent_values == pytest.approx(best.x[: panel.n_objects] + shift, abs=2e-3)


def test_where_marks_crowd_at_the_top_it_beats_calibration_and_its_intervals_hold():
    off, usual, held = [], [], []
    for seed in range(12):
        panel, truth = _crowded(seed)
        order = [int(label) for label in panel.objects]
        found = fit(panel, "bounded", scale=(0.0, 100.0))
        off.append(np.mean((found.values - truth[order]) ** 2))
        usual.append(np.mean((np.clip(calibrate(panel).values, 0, 100) - truth[order]) ** 2))
        low, high = found.uncertainty.value_interval().T
        held.append(np.mean((low <= truth[order]) & (truth[order] <= high)))
    assert np.mean(off) < np.mean(usual)
    assert np.mean(held) > 0.92


def test_an_object_with_nothing_but_top_marks_is_given_as_at_least():
    panel, _ = _crowded(2, mean=80.0)
    scores = np.where(panel.object_index == 7, 100.0, panel.scores)
    topped = Panel.from_records([panel.objects[k] for k in panel.object_index], panel.assessor_index, scores)
    found = fit(topped, "bounded", scale=(0.0, 100.0))
    assert np.flatnonzero(found.detail.at_least).tolist() == [7]
    assert not found.detail.at_most.any()
    assert found.uncertainty.value_interval()[7, 1] == 100
    assert 95 < found.values[7] <= 100
    assert f"Nothing but top scores for {topped.objects[7]}: read its value as 'at least'." in found.note


def test_turning_the_scale_round_turns_the_values_round():
    panel, _ = _crowded(3)
    turned = Panel.from_records(
        [panel.objects[k] for k in panel.object_index], panel.assessor_index, 100 - panel.scores
    )
    one, two = censored(panel, (0.0, 100.0)), censored(turned, (0.0, 100.0))
    assert two.values == pytest.approx(100 - one.values, abs=1e-5)
    assert two.value_errors == pytest.approx(one.value_errors, rel=1e-5)
    assert two.exceeds(20.0) == pytest.approx(1 - one.exceeds(80.0), abs=1e-5)
    assert one.exceeds(-1.0).tolist() == [1.0] * 40
    assert one.exceeds(100.0).tolist() == [0.0] * 40
    places = np.arange(5), np.arange(5)
    assert two.predict(*places) == pytest.approx(100 - one.predict(*places), abs=1e-4)


def test_scores_without_noise_are_refused():
    with pytest.raises(MethodNotApplicable, match="no residuals"):
        censored(Panel.from_matrix([[60.0, 62.0, 61], [50.0, 52.0, 51], [40.0, 42.0, 41]]), (0.0, 100.0))


def test_a_panel_that_would_take_too_long_is_refused_at_once():
    objects, assessors = np.arange(2000), np.arange(2000) % 1000
    ring = Panel.from_records(
        np.concatenate([objects, objects]), np.concatenate([assessors, (assessors + 1) % 1000]), np.full(4000, 50.0)
    )
    with pytest.raises(MethodNotApplicable, match="2,000 objects and 1,000 assessors"):
        censored(ring, (0.0, 100.0))
