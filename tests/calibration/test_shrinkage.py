"""Shrunken biases: against a dense mixed model, and between its two extremes."""

import numpy as np
import pytest

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate, uncertainty, verdict
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.shrinkage import shrunken_biases
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case


def _dense(panel: Panel, w: float, t: float):
    """Generalised least squares with objects fixed, biases random; values moved to gauge (36) with their errors."""
    n, m, count = panel.n_objects, panel.n_assessors, panel.n_assessments
    objects, assessors = np.zeros((count, n)), np.zeros((count, m))
    objects[np.arange(count), panel.object_index] = 1
    assessors[np.arange(count), panel.assessor_index] = 1
    inverse = np.linalg.inv(w * np.diag(1 / panel.confidences) + t * assessors @ assessors.T)
    values = np.linalg.solve(objects.T @ inverse @ objects, objects.T @ inverse @ panel.scores)
    biases = t * assessors.T @ inverse @ (panel.scores - objects @ values)
    # Henderson's equations give the joint covariance of the errors of both.
    design = np.hstack([objects, assessors])
    matrix = design.T @ (panel.confidences[:, None] / w * design)
    matrix[n:, n:] += np.eye(m) / t
    covariance = np.linalg.inv(matrix)
    shares = panel.assessor_totals(panel.confidences) / panel.confidences.sum()
    into = np.hstack([np.eye(n), np.tile(shares, (n, 1))])
    shift = shares @ biases
    return values + shift, biases - shift, np.sqrt((into @ covariance @ into.T).diagonal())


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_it_is_the_mixed_model_with_objects_fixed(shape):
    panel = connected_simulated_panel(*shape, seed=2)
    found = shrunken_biases(panel)
    judged = verdict(panel)
    assert (found.noise_variance, found.bias_variance) == (judged.noise_variance, judged.assessor_variance)
    values, biases, errors = _dense(panel, found.noise_variance, found.bias_variance)
    assert found.values == pytest.approx(values, abs=1e-8)
    assert found.biases == pytest.approx(biases, abs=1e-8)
    assert found.value_errors == pytest.approx(errors, rel=1e-8)


def test_without_shrinkage_it_is_calibration_with_confidence():
    panel = simulated_panel(30, 8, 4, seed=3)
    fit = calibrate(panel)
    found = shrunken_biases(panel, noise_variance=fit.w_unbiased, bias_variance=1e12)
    assert found.values == pytest.approx(fit.values, abs=1e-6)
    assert found.value_errors == pytest.approx(uncertainty(fit).value_errors, rel=1e-6)


def test_with_no_bias_variance_it_is_the_weighted_average():
    panel = simulated_panel(30, 8, 4, seed=4)
    found = shrunken_biases(panel, noise_variance=1.0, bias_variance=0.0)
    assert found.values == pytest.approx(weighted_average(panel))
    assert (found.biases == 0).all()


def test_an_assessor_with_one_object_is_shrunk_most():
    panel = simulated_panel(40, 6, 4, seed=5)
    labels = [panel.assessors[k] for k in panel.assessor_index]
    extended = Panel.from_records([*panel.object_index, 0], [*labels, "guest"], [*panel.scores, 95.0])
    found = shrunken_biases(extended)
    assert np.argmin(found.kept_share) == extended.assessors.index("guest")


def test_it_refuses_what_it_cannot_judge():
    with pytest.raises(MethodNotApplicable, match="at least 3"):
        shrunken_biases(load_case("one_assessor").panel)
    with pytest.raises(MethodNotApplicable, match="no residuals"):
        shrunken_biases(Panel.from_matrix([[60.0, 62.0, 61], [50.0, 52.0, 51], [40.0, 42.0, 41]]))
    with pytest.raises(DisconnectedPanel):
        shrunken_biases(load_case("disconnected_two").panel)
