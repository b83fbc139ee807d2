"""Values, biases, R and w against certified cases, and the properties they must have."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate, calibrate_components
from panelcal.calibration import kept_system
from panels import bordered_solution, connected_simulated_panel, panels
from reference_cases import CONNECTED, load_case
from scale_panels import well_linked

CERTIFIED = 1e-10  # of the spread of the scores
EXACT_ROUNDING = 1e-9


@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
@pytest.mark.parametrize("name", CONNECTED)
def test_values_and_biases_agree_with_the_certified_case(name, gauge):
    case = load_case(name)
    result = calibrate(case.panel, gauge=gauge)
    assert np.abs(result.values - case.values(gauge)).max() <= CERTIFIED * case.size
    assert np.abs(result.biases - case.biases(gauge)).max() <= CERTIFIED * case.size


@pytest.mark.parametrize("name", CONNECTED)
def test_r_and_both_w_agree_with_the_certified_case(name):
    case = load_case(name)
    result = calibrate(case.panel)
    slack = CERTIFIED * max(case.expected["R"], case.size**2 * 1e-12)
    assert abs(result.weighted_residual_sum - case.expected["R"]) <= slack
    assert result.degrees_of_freedom == case.expected["df"]
    # The exact R wins over the w of the floating-point case, which has lost digits to the offset of 1e9.
    exact = case.expected["R"]
    assert result.w_ml == pytest.approx(exact / case.expected["N"], rel=1e-10, abs=1e-12)
    if case.expected["df"] == 0:
        assert np.isnan(result.w_unbiased)
    else:
        assert result.w_unbiased == pytest.approx(exact / case.expected["df"], rel=1e-10)


def test_a_disconnected_panel_is_refused_with_its_groups_named():
    case = load_case("disconnected_two")
    with pytest.raises(DisconnectedPanel) as refused:
        calibrate(case.panel)
    expected = {(tuple(sorted(c["objects"])), tuple(sorted(c["assessors"]))) for c in case.expected["components"]}
    assert {(tuple(sorted(o)), tuple(sorted(a))) for o, a in refused.value.components} == expected
    assert "2 groups" in str(refused.value)


def test_every_group_of_a_disconnected_panel_can_be_calibrated_by_itself():
    case = load_case("disconnected_two")
    results = calibrate_components(case.panel, gauge="equal")
    assert len(results) == 2
    for result in results:
        expected = next(c for c in case.expected["components"] if result.panel.objects[0] in c["objects"])
        assert result.values == pytest.approx([expected["v"][o] for o in result.panel.objects], abs=1e-10)
        assert result.biases == pytest.approx([expected["b"][a] for a in result.panel.assessors], abs=1e-10)


def test_a_reference_value_fixes_the_zero_as_equation_29_says():
    panel = load_case("hml_15x8").panel
    on_objects = panel.object_totals(panel.confidences)
    on_assessors = panel.assessor_totals(panel.confidences)
    values, biases, _ = bordered_solution(panel, on_objects, -on_assessors, on_objects.sum() * 55.0)
    result = calibrate(panel, gauge="reference", reference=55.0)
    assert result.values == pytest.approx(values, abs=1e-9)
    assert result.biases == pytest.approx(biases, abs=1e-9)


def test_more_assessors_than_objects_gives_the_same_as_the_plain_solve():
    panel = connected_simulated_panel(9, 30, 7, seed=3)
    assert panel.n_assessors > panel.n_objects
    weights = panel.assessor_totals(panel.confidences)
    values, biases, _ = bordered_solution(panel, np.zeros(panel.n_objects), weights, 0.0)
    result = calibrate(panel)
    assert result.values == pytest.approx(values, abs=1e-9)
    assert result.biases == pytest.approx(biases, abs=1e-9)


@pytest.mark.parametrize("exponent", [4, 8])
def test_confidences_over_16_decades_keep_every_digit(exponent):
    """Two firm blocks tied by links 10^16 weaker: within a block nothing may change, across it the links decide."""
    firm, weak = 10.0**exponent, 10.0**-exponent
    objects = ["a", "a", "b", "b", "b", "c", "c", "d"]
    assessors = ["1", "2", "1", "2", "3", "3", "4", "4"]
    scores = [50, 54, 60, 66, 70, 40, 46, 80]
    confidences = [firm, firm, firm, firm, weak, firm, firm, firm]
    result = calibrate(Panel.from_records(objects, assessors, scores, confidences), gauge="equal")
    v, b = dict(zip("abcd", result.values, strict=True)), dict(zip("1234", result.biases, strict=True))
    assert v["b"] - v["a"] == pytest.approx(11, abs=1e-9)
    assert b["2"] - b["1"] == pytest.approx(5, abs=1e-9)
    assert b["3"] + v["b"] == pytest.approx(70, abs=1e-9)
    assert b["4"] - b["3"] == pytest.approx(6, abs=1e-9)
    assert v["d"] + b["4"] == pytest.approx(80, abs=1e-9)


def test_an_unknown_gauge_or_a_reference_without_its_gauge_is_refused():
    panel = load_case("one_object").panel
    with pytest.raises(MethodNotApplicable, match="not a gauge"):
        calibrate(panel, gauge="sideways")
    with pytest.raises(MethodNotApplicable, match="goes with"):
        calibrate(panel, reference=50.0)
    with pytest.raises(MethodNotApplicable, match="finite"):
        calibrate(panel, gauge="reference", reference=float("nan"))


@given(panels())
def test_the_normal_equations_hold(panel):
    result = calibrate(panel)
    products = panel.confidences * result.residuals
    assert np.abs(panel.object_totals(products)).max() < EXACT_ROUNDING
    assert np.abs(panel.assessor_totals(products)).max() < EXACT_ROUNDING
    assert abs(panel.assessor_totals(panel.confidences) @ result.biases) < EXACT_ROUNDING


@given(panels())
def test_scaling_all_confidences_changes_only_w(panel):
    one, scaled = calibrate(panel), calibrate(panel.with_confidences(panel.confidences * 40))
    assert scaled.values == pytest.approx(one.values, abs=1e-9)
    assert scaled.biases == pytest.approx(one.biases, abs=1e-9)
    assert scaled.w_ml == pytest.approx(40 * one.w_ml, rel=1e-9, abs=1e-9)


@given(panels())
def test_the_order_of_the_rows_does_not_matter(panel):
    order = np.random.default_rng(0).permutation(panel.n_assessments)
    shuffled = Panel.from_records(
        [panel.objects[k] for k in panel.object_index[order]],
        [panel.assessors[k] for k in panel.assessor_index[order]],
        panel.scores[order],
        panel.confidences[order],
    )
    one, two = calibrate(panel), calibrate(shuffled)
    by_label = dict(zip(shuffled.objects, two.values, strict=True))
    assert [by_label[label] for label in panel.objects] == pytest.approx(list(one.values), abs=1e-9)


@given(panels())
def test_a_constant_added_to_all_scores_is_added_to_all_values(panel):
    raised = Panel.from_records(panel.object_index, panel.assessor_index, panel.scores + 1000.0, panel.confidences)
    one, two = calibrate(panel), calibrate(raised)
    assert two.values == pytest.approx(one.values + 1000.0, abs=1e-9)
    assert two.biases == pytest.approx(one.biases, abs=1e-9)


@given(panels())
def test_a_constant_added_to_one_assessor_moves_only_its_bias_up_to_the_gauge(panel):
    raised = Panel.from_records(
        panel.object_index,
        panel.assessor_index,
        panel.scores + 10.0 * (panel.assessor_index == 0),
        panel.confidences,
    )
    one, two = calibrate(panel, gauge="equal"), calibrate(raised, gauge="equal")
    shift = 10.0 / panel.n_assessors
    assert two.values == pytest.approx(one.values + shift, abs=1e-9)
    moved = two.biases - one.biases + shift
    assert moved[0] == pytest.approx(10.0, abs=1e-9)
    assert moved[1:] == pytest.approx(np.zeros(panel.n_assessors - 1), abs=1e-9)


@given(panels())
def test_no_other_values_and_biases_fit_better(panel):
    result = calibrate(panel)
    random = np.random.default_rng(1)
    for scale in (1e-3, 1.0):
        v = result.values + scale * random.standard_normal(panel.n_objects)
        b = result.biases + scale * random.standard_normal(panel.n_assessors)
        left = panel.scores - v[panel.object_index] - b[panel.assessor_index]
        assert panel.confidences @ left**2 >= result.weighted_residual_sum * (1 - 1e-12) - 1e-12


@pytest.mark.parametrize("wrong", ["60", [60.0], float("inf"), 1j])
def test_a_reference_that_is_no_finite_number_is_refused_in_a_sentence(wrong):
    with pytest.raises(MethodNotApplicable, match="must be a finite number"):
        calibrate(Panel.from_matrix([[1.0, 2.0], [3.0, 5.0]]), gauge="reference", reference=wrong)


@pytest.mark.parametrize("reference", [1e9, -1e15, 1e17])
def test_a_reference_far_away_costs_the_residuals_no_digits(reference):
    panel = connected_simulated_panel(20, 6, 4, seed=2)
    near, far = calibrate(panel), calibrate(panel, gauge="reference", reference=reference)
    assert far.residuals == pytest.approx(near.residuals, abs=1e-11)
    assert far.weighted_residual_sum == pytest.approx(near.weighted_residual_sum, rel=1e-12)
    assert far.values == pytest.approx(near.values + (far.values - near.values).mean(), rel=1e-15, abs=1e-6)


def test_the_arrays_of_a_calibration_cannot_be_changed():
    fit = calibrate(connected_simulated_panel(20, 6, 4, seed=2))
    for array in (fit.values, fit.biases, fit.residuals, fit.centred_values, *fit.centred_scores):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 99.0


def test_a_large_panel_gives_the_same_however_it_is_solved(monkeypatch):
    """6,000 scores by 800 assessors, by conjugate gradients and by a dense factor."""
    panel = well_linked(2000, 800, 3)
    quick = calibrate(panel)
    monkeypatch.setattr(kept_system, "_MOST_TRIED", 0)
    plain = calibrate(panel)
    assert (quick.equations.system.solver, plain.equations.system.solver) == ("conjugate gradients", "dense")
    assert quick.values == pytest.approx(plain.values, abs=1e-11)
    assert quick.residuals == pytest.approx(plain.residuals, abs=1e-11)
