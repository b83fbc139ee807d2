"""Standard errors, intervals, differences, ranks and boundaries."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import MethodNotApplicable, Panel, calibrate, probability_at_or_above, uncertainty
from panels import bordered_solution, connected_simulated_panel, panels
from reference_cases import CONNECTED, load_case

CERTIFIED = 1e-10


@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
@pytest.mark.parametrize("name", CONNECTED)
def test_standard_errors_agree_with_the_certified_case(name, gauge):
    case = load_case(name)
    errors = uncertainty(calibrate(case.panel, gauge=gauge))
    assert errors.unit_value_errors == pytest.approx(case.values(gauge, "se_v_w1"), rel=CERTIFIED, abs=1e-9)
    assert errors.unit_bias_errors == pytest.approx(case.biases(gauge, "se_b_w1"), rel=CERTIFIED, abs=1e-9)
    scale = np.sqrt(errors.calibration.w_unbiased)
    assert errors.value_errors == pytest.approx(scale * errors.unit_value_errors, nan_ok=True)


@pytest.mark.parametrize("shape", [(30, 9, 4), (9, 30, 12)])
@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
def test_standard_errors_agree_with_the_plain_inverse_on_either_orientation(shape, gauge):
    panel = connected_simulated_panel(*shape, seed=11)
    on_objects, on_assessors = np.zeros(panel.n_objects), panel.assessor_totals(panel.confidences)
    reference = None
    if gauge == "equal":
        on_assessors = np.ones(panel.n_assessors)
    if gauge == "reference":
        on_objects, on_assessors, reference = panel.object_totals(panel.confidences), -on_assessors, 60.0
    _, _, covariance = bordered_solution(panel, on_objects, on_assessors, 0.0)
    expected = np.sqrt(np.diag(covariance))
    errors = uncertainty(calibrate(panel, gauge=gauge, reference=reference))
    assert errors.unit_value_errors == pytest.approx(expected[: panel.n_objects], rel=1e-9)
    assert errors.unit_bias_errors == pytest.approx(expected[panel.n_objects :], rel=1e-9)


@pytest.mark.parametrize("shape", [(30, 9, 4), (9, 30, 12)])
def test_errors_of_differences_are_those_of_the_covariance(shape):
    panel = connected_simulated_panel(*shape, seed=5)
    _, _, covariance = bordered_solution(panel, np.zeros(panel.n_objects), np.ones(panel.n_assessors), 0.0)
    errors = uncertainty(calibrate(panel))
    i, j = np.triu_indices(panel.n_objects)
    expected = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    squared = errors.difference_errors(i, j) ** 2 / errors.calibration.w_unbiased
    assert squared == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(panels())
def test_differences_have_the_same_error_in_every_gauge(panel):
    if calibrate(panel).degrees_of_freedom == 0:
        return
    ends = [0, panel.n_objects - 1]
    reached = [uncertainty(calibrate(panel, gauge=g)).difference_errors(*ends) for g in ("weighted", "equal")]
    assert reached[0] == pytest.approx(reached[1])


@given(panels())
def test_scaling_all_confidences_leaves_standard_errors_alone(panel):
    one = uncertainty(calibrate(panel)).value_errors
    scaled = uncertainty(calibrate(panel.with_confidences(panel.confidences * 1e4))).value_errors
    assert scaled == pytest.approx(one, rel=1e-8, abs=1e-9, nan_ok=True)


def test_intervals_are_those_of_students_t():
    case = load_case("montgomery_catalyst")
    errors = uncertainty(calibrate(case.panel))
    half = errors.value_interval(0.95)[:, 1] - errors.calibration.values
    assert errors.calibration.degrees_of_freedom == 5
    assert half == pytest.approx(2.570581835636314 * errors.value_errors)  # t(0.975, 5) from printed tables
    narrower = errors.bias_interval(0.5)
    assert (narrower[:, 0] < errors.calibration.biases).all() and (narrower[:, 1] > errors.calibration.biases).all()


def test_the_probability_of_exceeding_a_boundary_is_that_of_the_posterior_not_of_the_tail():
    errors = uncertainty(calibrate(load_case("hml_15x8").panel))
    highest = int(np.argmax(errors.calibration.values))
    at = float(errors.calibration.values[highest])
    assert errors.exceeds(at) == pytest.approx(probability_at_or_above(errors.calibration, at))
    assert errors.exceeds(at)[highest] < 0.5  # the highest of all is likelier a lucky one than an unlucky one
    assert errors.exceeds(at - 1e4)[highest] > 0.999


def test_values_without_any_noise_exceed_boundaries_for_certain():
    exact = Panel.from_matrix([[60.0, 62.0], [50.0, 52.0], [40.0, 42.0]])
    errors = uncertainty(calibrate(exact))
    chances = errors.exceeds(51.0)
    assert chances[0] == pytest.approx(1.0) and chances[2] == pytest.approx(0.0)


def test_rank_intervals_hold_the_rank_and_narrow_with_less_noise():
    noisy = connected_simulated_panel(20, 8, 4, seed=2)
    calm = Panel.from_records(
        noisy.object_index, noisy.assessor_index, calibrate(noisy).fitted + 1e-6 * noisy.scores, noisy.confidences
    )
    wide = uncertainty(calibrate(noisy)).rank_interval(0.9)
    narrow = uncertainty(calibrate(calm)).rank_interval(0.9)
    rank = np.argsort(np.argsort(-calibrate(calm).values)) + 1
    assert ((narrow[:, 0] <= rank) & (rank <= narrow[:, 1])).all()
    assert (narrow[:, 1] - narrow[:, 0]).max() == 0
    assert (wide[:, 1] - wide[:, 0]).mean() > 3


def test_rank_intervals_cover_the_true_ranks():
    """Over 60 simulated panels of 12 objects the 80% intervals hold the true rank about as often as they promise."""
    held = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        truth = random.normal(60, 6, 12)
        objects = np.repeat(np.arange(12), 4)
        assessors = np.concatenate([random.permutation(6)[:4] for _ in range(12)])
        scores = truth[objects] + random.normal(0, 4, 6)[assessors] + random.normal(0, 5, 48)
        interval = uncertainty(calibrate(Panel.from_records(objects, assessors, scores))).rank_interval(0.8)
        rank = np.argsort(np.argsort(-truth)) + 1
        held.append(((interval[:, 0] <= rank) & (rank <= interval[:, 1])).mean())
    assert 0.76 <= np.mean(held) <= 0.94


def test_with_as_many_unknowns_as_scores_there_are_no_errors_to_give():
    errors = uncertainty(calibrate(load_case("one_assessor").panel))
    assert np.isnan(errors.value_errors).all()
    assert np.isnan(errors.value_interval()).all()
    assert np.isnan(errors.exceeds(3.0)).all()
    with pytest.raises(MethodNotApplicable):
        errors.rank_interval()


def test_a_level_outside_0_to_1_is_refused():
    errors = uncertainty(calibrate(load_case("hml_15x8").panel))
    with pytest.raises(MethodNotApplicable, match="between 0 and 1"):
        errors.value_interval(95)
