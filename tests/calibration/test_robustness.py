"""lambda_2, mu_2, bounds and worst cases."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import Panel, calibrate, robustness
from panels import connected_simulated_panel, panels
from reference_cases import CONNECTED, load_case

CERTIFIED = 1e-10


@pytest.mark.parametrize("name", CONNECTED)
def test_lambda2_and_mu2_agree_with_the_certified_case(name):
    case = load_case(name)
    result = robustness(calibrate(case.panel))
    assert result.mu2 == pytest.approx(case.expected["mu2"], abs=CERTIFIED)
    if case.expected["lambda2"] is None:
        assert np.isnan(result.lambda2)
    else:
        assert result.lambda2 == pytest.approx(case.expected["lambda2"], abs=CERTIFIED)


def test_a_complete_design_has_lambda2_of_zero_to_all_digits():
    random = np.random.default_rng(0)
    result = robustness(calibrate(Panel.from_matrix(random.normal(60, 10, (40, 12)))))
    assert result.lambda2 < 1e-28
    assert result.mu2 == pytest.approx(1.0, abs=1e-14)


def test_a_complete_board_is_no_trouble_for_the_eigenvalues():
    panel = Panel.from_matrix(np.random.default_rng(0).normal(60, 10, (82, 81)))
    assert robustness(calibrate(panel)).mu2 == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
@pytest.mark.parametrize("shape", [(14, 6, 3), (6, 14, 8)])
def test_worst_cases_and_sensitivities_are_those_of_the_solution_operator(gauge, shape):
    """The operator from scores to values, column by column through calibrate() itself."""
    panel = connected_simulated_panel(*shape, seed=8)
    reference = 60.0 if gauge == "reference" else None

    def values(scores: np.ndarray) -> np.ndarray:
        moved = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        return calibrate(moved, gauge=gauge, reference=reference).values

    base = values(panel.scores)
    unit = np.eye(panel.n_assessments)
    operator = np.column_stack([values(panel.scores + unit[k]) - base for k in range(panel.n_assessments)])
    result = robustness(calibrate(panel, gauge=gauge, reference=reference))
    assert result.value_sensitivities == pytest.approx(np.abs(operator).max(axis=1), abs=1e-10)
    norms = np.sqrt((operator**2 / panel.confidences).sum(axis=1))
    assert result.worst_cases == pytest.approx(norms, abs=1e-10)
    assert (result.worst_cases <= result.sharp_value_bounds * (1 + 1e-9)).all()
    assert (result.sharp_value_bounds <= result.value_bounds * (1 + 1e-12)).all()


def test_the_bounds_are_those_of_the_paper():
    panel = load_case("hml_15x8").panel
    of_objects, of_assessors = panel.object_totals(panel.confidences), panel.assessor_totals(panel.confidences)
    mu2 = load_case("hml_15x8").expected["mu2"]
    weighted = robustness(calibrate(panel))
    assert weighted.value_bounds == pytest.approx(np.sqrt(2 / (of_objects * mu2)))
    assert weighted.bias_bounds == pytest.approx(np.sqrt(2 / (of_assessors * mu2)))
    assert weighted.sharp_value_bounds == pytest.approx(np.sqrt(1 / (of_objects * mu2)))
    reference = robustness(calibrate(panel, gauge="reference", reference=60.0))
    assert reference.value_bounds == pytest.approx(np.sqrt(1 / (of_objects * mu2)))
    equal = robustness(calibrate(panel, gauge="equal"))
    factor = np.sqrt(2 * of_objects.sum() * (1 / of_assessors).sum()) / panel.n_assessors
    assert equal.value_bounds == pytest.approx(factor / np.sqrt(of_objects * mu2))


@given(panels())
def test_no_change_of_scores_moves_a_value_beyond_its_worst_case(panel):
    """Holds in gauge (36) with k = 1, which is sharper than the paper's square root of 2."""
    result = robustness(calibrate(panel))
    change = np.random.default_rng(0).standard_normal(panel.n_assessments)
    moved = Panel.from_records(panel.object_index, panel.assessor_index, panel.scores + change, panel.confidences)
    size = np.sqrt(panel.confidences @ change**2)
    shift = np.abs(calibrate(moved).values - calibrate(panel).values)
    assert (shift <= result.worst_cases * size + 1e-9).all()
    assert (result.worst_cases <= result.sharp_value_bounds + 1e-9).all()


@pytest.mark.slow
def test_large_panels_agree_with_forming_all_pairs():
    """Objects settled by the bound without forming all pairs still get the exact maximum."""
    panel = connected_simulated_panel(400, 12, 3, seed=1)
    result = robustness(calibrate(panel)).value_sensitivities
    fit = calibrate(panel)
    for k in range(0, panel.n_objects, 37):
        largest = 0.0
        for j in range(panel.n_assessments):
            on_objects, on_assessors = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
            on_objects[panel.object_index[j]] = on_assessors[panel.assessor_index[j]] = panel.confidences[j]
            moved, biases = fit.equations.apply_inverse(on_objects, on_assessors)
            common = -(fit.equations.assessor_confidence @ biases) / fit.equations.total_confidence
            largest = max(largest, abs(moved[k] - common))
        assert result[k] == pytest.approx(largest, rel=1e-9)
