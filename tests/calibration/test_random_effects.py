"""Random values and biases: against lme4, against a dense likelihood, and at the size of InstEval."""

import json

import numpy as np
import pytest
from scipy import optimize

from counted_work import at_most
from panelcal import DisconnectedPanel, MethodNotApplicable, Panel
from panelcal.calibration.mixed_model import MixedModel
from panelcal.calibration.random_effects import random_effects
from panels import connected_simulated_panel, simulated_panel
from reference_cases import DATA, load_case


def test_penicillin_is_what_lme4_says():
    """Variance components and predictions of lme4's REML (its own tolerance is about 1e-6)."""
    case = json.loads((DATA / "lme4" / "penicillin.json").read_text())
    panel = Panel.from_matrix(case["diameters"], objects=case["plates"], assessors=case["samples"])
    found = random_effects(panel)
    assert found.value_variance == pytest.approx(case["plate_variance"], rel=1e-5)
    assert found.bias_variance == pytest.approx(case["sample_variance"], rel=1e-5)
    assert found.noise_variance == pytest.approx(case["noise_variance"], rel=1e-5)
    assert found.mean == pytest.approx(case["mean"], abs=1e-8)
    assert found.values - found.mean == pytest.approx(case["plate_effects"], abs=1e-5)
    assert found.biases == pytest.approx(case["sample_effects"], abs=1e-5)
    assert found.log_likelihood == pytest.approx(case["log_likelihood"], abs=1e-7)


@pytest.mark.parametrize("name", ["eight_each", "many_assessors", "small", "thin", "no_bias", "little_noise"])
def test_made_up_panels_are_what_lme4_says(name):
    """To five digits; `make_reference.R` in the same folder made the panels and lme4's figures."""
    case = json.loads((DATA / "lme4" / f"{name}.json").read_text())
    panel = Panel.from_records(case["object"], case["assessor"], case["score"], case["confidence"])
    found = random_effects(panel)
    assert found.log_likelihood == pytest.approx(case["log_likelihood"], abs=1e-6)
    assert found.value_variance == pytest.approx(case["value_variance"], rel=1e-5)
    assert found.bias_variance == pytest.approx(case["bias_variance"], rel=1e-5, abs=1e-9)
    assert found.noise_variance == pytest.approx(case["noise_variance"], rel=1e-5)
    assert found.mean == pytest.approx(case["mean"], abs=1e-5)
    objects, assessors = panel.objects, panel.assessors
    effects = dict(zip(map(str, case["objects"]), case["value_effects"], strict=True))
    assert found.values - found.mean == pytest.approx([effects[str(one)] for one in objects], abs=2e-5)
    biases = dict(zip(map(str, case["assessors"]), case["biases"], strict=True))
    assert found.biases == pytest.approx([biases[str(one)] for one in assessors], abs=2e-5)


@pytest.mark.parametrize("shape", [(54, 18, 8), (25, 60, 20), (60, 6, 2), (8, 5, 3)])
def test_it_never_stops_below_a_grid_of_the_likelihood(shape):
    """Panels on whose plateaus a quasi-Newton search from the middle of the scale came to rest."""
    for seed in range(6):
        random = np.random.default_rng([seed, *shape])
        n, m, each = shape
        objects = np.repeat(np.arange(n), each)
        assessors = np.concatenate([random.choice(m, each, replace=False) for _ in range(n)])
        scores = 5 * random.standard_normal(n)[objects] + 3 * random.standard_normal(m)[assessors]
        panel = Panel.from_records(objects, assessors, scores + 10 * random.standard_normal(len(objects)))
        found = random_effects(panel)
        model = MixedModel.of(panel)
        roots = np.append(0.0, np.exp(np.linspace(-5, 4, 40)))
        deviance = min(float(model.at(root**2).solve(roots**2)[0].min()) for root in roots)
        grid = -0.5 * (deviance + (panel.n_assessments - 1) * (1 + np.log(2 * np.pi)))
        assert found.log_likelihood >= grid - 1e-9
        assert found.log_likelihood <= grid + 0.5


def _designs(panel: Panel):
    count = panel.n_assessments
    objects, assessors = np.zeros((count, panel.n_objects)), np.zeros((count, panel.n_assessors))
    objects[np.arange(count), panel.object_index] = 1
    assessors[np.arange(count), panel.assessor_index] = 1
    return objects, assessors


def _deviance(panel: Panel, of_value: float, of_bias: float, w: float) -> float:
    """-2 x restricted log likelihood, from the covariance of all scores."""
    objects, assessors = _designs(panel)
    covariance = of_value * objects @ objects.T + of_bias * assessors @ assessors.T + w * np.diag(1 / panel.confidences)
    one = np.ones(panel.n_assessments)
    solved = np.linalg.solve(covariance, np.column_stack([one, panel.scores]))
    information = one @ solved[:, 0]
    mean = one @ solved[:, 1] / information
    left = panel.scores - mean
    quadratic = left @ (solved[:, 1] - mean * solved[:, 0])
    free = panel.n_assessments - 1
    return np.linalg.slogdet(covariance)[1] + np.log(information) + quadratic + free * np.log(2 * np.pi)


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12), (40, 6, 2)])
def test_it_maximises_the_dense_restricted_likelihood(shape):
    panel = connected_simulated_panel(*shape, seed=7)
    found = random_effects(panel)
    at = np.log([found.value_variance, found.bias_variance, found.noise_variance])
    assert -2 * found.log_likelihood == pytest.approx(_deviance(panel, *np.exp(at)), abs=1e-6)
    best = optimize.minimize(
        lambda logs: _deviance(panel, *np.exp(logs)), at + 0.3, method="BFGS", options={"gtol": 1e-6}
    )
    assert best.x == pytest.approx(at, abs=1e-4)


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_predictions_and_errors_solve_hendersons_equations(shape):
    panel = connected_simulated_panel(*shape, seed=8)
    found = random_effects(panel)
    n, m = panel.n_objects, panel.n_assessors
    design = np.hstack([np.ones((panel.n_assessments, 1)), *_designs(panel)])
    weight = panel.confidences / found.noise_variance
    matrix = design.T @ (weight[:, None] * design)
    matrix += np.diag(np.concatenate([[0], np.full(n, 1 / found.value_variance), np.full(m, 1 / found.bias_variance)]))
    solution = np.linalg.solve(matrix, design.T @ (weight * panel.scores))
    assert found.values == pytest.approx(solution[0] + solution[1 : n + 1], abs=1e-7)
    assert found.biases == pytest.approx(solution[n + 1 :], abs=1e-7)
    covariance = np.linalg.inv(matrix)
    into = np.hstack([np.ones((n, 1)), np.eye(n), np.zeros((n, m))])
    assert found.value_errors == pytest.approx(np.sqrt((into @ covariance @ into.T).diagonal()), rel=1e-7)
    assert found.mean_error == pytest.approx(np.sqrt(covariance[0, 0]), rel=1e-7)


def test_no_bias_at_all_ends_on_the_boundary():
    """Scores whose assessors differ less than noise would make them: the variance of biases is exactly 0."""
    panel = simulated_panel(60, 8, 4, seed=9, bias_sd=0.0)
    means = panel.assessor_totals(panel.confidences * panel.scores) / panel.assessor_totals(panel.confidences)
    level = Panel.from_records(
        panel.object_index, panel.assessor_index, panel.scores - means[panel.assessor_index], panel.confidences
    )
    found = random_effects(level)
    assert found.bias_variance == 0
    assert (found.biases == 0).all()
    objects = found.value_variance, 0.0, found.noise_variance
    for more in (0.01, 0.1):
        assert _deviance(level, objects[0], more, objects[2]) > _deviance(level, *objects)


@pytest.mark.slow
def test_a_panel_the_size_of_insteval_takes_seconds():
    """2,972 students rate 1,128 lecturers 73,421 times; components as lme4 finds them in the real data."""
    random = np.random.default_rng(0)
    objects = np.concatenate([np.arange(2972), random.integers(0, 2972, 73_421 - 2972)])
    assessors = np.concatenate([random.permutation(np.arange(2972) % 1128), random.integers(0, 1128, 73_421 - 2972)])
    truth = np.sqrt([0.106, 0.274, 1.387])
    scores = (
        3.25
        + truth[0] * random.standard_normal(2972)[objects]
        + truth[1] * random.standard_normal(1128)[assessors]
        + truth[2] * random.standard_normal(len(objects))
    )
    panel = Panel.from_records(objects, assessors, scores)
    with at_most(1_000_000):
        found = random_effects(panel)
    assert found.value_variance == pytest.approx(truth[0] ** 2, rel=0.1)
    assert found.bias_variance == pytest.approx(truth[1] ** 2, rel=0.15)
    assert found.noise_variance == pytest.approx(truth[2] ** 2, rel=0.02)


def test_a_huge_offset_costs_nothing():
    panel = simulated_panel(30, 8, 3, seed=10)
    moved = Panel.from_records(panel.object_index, panel.assessor_index, panel.scores + 1e7, panel.confidences)
    assert random_effects(moved).values - 1e7 == pytest.approx(random_effects(panel).values, abs=1e-5)


def test_too_small_a_panel_is_refused():
    with pytest.raises(MethodNotApplicable, match="at least 4 and 3"):
        random_effects(load_case("one_object").panel)
    with pytest.raises(MethodNotApplicable, match="exactly"):
        random_effects(Panel.from_matrix(np.add.outer([1.0, 5, 2, 8, 3], [0.0, 1, 5, 2])))
    with pytest.raises(DisconnectedPanel):
        random_effects(load_case("disconnected_two").panel)
