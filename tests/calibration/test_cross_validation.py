"""Leaving assessments out without breaking the panel, and what the predictive errors say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panelcal import MethodNotApplicable, Panel, calibrate, predictive_errors
from panelcal.calibration.averages import simple_average
from panelcal.calibration.cross_validation import cross_validate, held_out_folds, with_mean_residuals
from panelcal.network import component_labels
from panels import panels, simulated_panel
from reference_cases import load_case


@given(panels(), st.integers(0, 5), st.integers(1, 4))
def test_no_fold_breaks_the_panel_and_no_assessment_is_in_two(panel, seed, folds):
    found = held_out_folds(panel, folds=folds, seed=seed)
    together = np.concatenate([*found, np.zeros(0, dtype=int)])
    assert len(set(together.tolist())) == len(together)
    # All that can go may go together: the spanning tree that stays has p assessments.
    assert panel.n_assessments - len(together) == panel.n_objects + panel.n_assessors - 1
    for fold in found:
        keep = np.ones(panel.n_assessments, dtype=bool)
        keep[fold] = False
        rest = panel.subset(keep)
        assert (rest.n_objects, rest.n_assessors) == (panel.n_objects, panel.n_assessors)
        assert component_labels(rest)[0] == 1


def test_errors_are_those_of_refitting_without_the_fold():
    panel = simulated_panel(25, 6, 3, seed=1)

    def predict(training, objects, assessors):
        fit = calibrate(training)
        return fit.values[objects] + fit.biases[assessors]

    found = cross_validate(panel, {"confidence": predict}, folds=3, repeats=1, seed=4)
    squares, weights = [], []
    for fold in held_out_folds(panel, folds=3, seed=4):
        keep = np.ones(panel.n_assessments, dtype=bool)
        keep[fold] = False
        fit = calibrate(panel.subset(keep))
        for k in fold:
            o = fit.panel.objects.index(panel.objects[panel.object_index[k]])
            a = fit.panel.assessors.index(panel.assessors[panel.assessor_index[k]])
            squares.append((panel.scores[k] - fit.values[o] - fit.biases[a]) ** 2)
            weights.append(panel.confidences[k])
    assert found.errors[0].error == pytest.approx(np.sqrt(np.average(squares, weights=weights)), rel=1e-9)
    assert found.tested.sum() == len(squares)


def test_mean_residuals_make_calibration_predict_with_its_own_biases():
    panel = simulated_panel(25, 6, 3, seed=2)
    fit = calibrate(panel)
    predicted = with_mean_residuals(panel, fit.values, panel.object_index, panel.assessor_index)
    assert predicted == pytest.approx(fit.fitted)


def test_large_biases_make_calibration_predict_best_and_averages_worst():
    panel = simulated_panel(80, 12, 4, seed=3, bias_sd=12.0, noise_sd=4.0)
    found = predictive_errors(panel, ["simple_average", "weighted_average", "confidence"])
    assert found.errors[0].method == "confidence"
    assert found.errors[-1].worse_than_best > 4 * found.errors[-1].standard_error > 0
    assert "clearly" in found.sentence


def test_different_spreads_make_the_spread_fit_predict_best():
    random = np.random.default_rng(5)
    objects = np.repeat(np.arange(120), 5)
    assessors = np.concatenate([random.choice(10, 5, replace=False) for _ in range(120)])
    spreads, values = np.exp(random.normal(0, 0.4, 10)), random.normal(50, 15, 120)
    scores = 50 + spreads[assessors] * (values[objects] - 50) + 4 * random.standard_normal(600)
    panel = Panel.from_records(objects, assessors, scores)
    found = predictive_errors(panel, ["confidence", "spread", "z_scores"])
    assert found.errors[0].method == "spread"


def test_a_method_that_refuses_is_listed_with_its_reason():
    panel = simulated_panel(30, 15, 4, seed=6)
    shifted = Panel.from_records(panel.object_index, panel.assessor_index, panel.scores - 60)
    found = predictive_errors(shifted, ["confidence", "log"])
    assert [entry.method for entry in found.errors] == ["confidence", "log"]
    assert np.isnan(found.errors[1].error)
    assert "above 0" in found.errors[1].refused


def test_the_same_seed_gives_the_same_answer():
    panel = simulated_panel(30, 8, 3, seed=7)
    one, two = (predictive_errors(panel, ["confidence", "fisher"], seed=1) for _ in range(2))
    assert one.errors == two.errors


def test_what_cannot_be_cross_validated_is_refused():
    with pytest.raises(MethodNotApplicable, match="not connected"):
        predictive_errors(load_case("disconnected_two").panel)
    with pytest.raises(MethodNotApplicable, match="Hardly any"):
        cross_validate(load_case("one_assessor").panel, {"mean": lambda t, o, a: simple_average(t)[o]})
    with pytest.raises(MethodNotApplicable, match="no method"):
        predictive_errors(simulated_panel(10, 4, 2, seed=8), ["magic"])
