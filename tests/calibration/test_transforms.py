"""Bounded scales and logarithms: the transformations themselves, and what calibrating on them means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from panelcal import MethodNotApplicable, Panel, calibrate, probability_at_or_above
from panelcal.calibration.transforms import bounded, log_scores, logit, rational
from panels import connected_simulated_panel

FORMS = [logit(-0.5, 100.5), rational(-0.5, 100.5)]
INSIDE = np.linspace(0, 100, 401)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_forward_and_inverse_undo_each_other_and_increase(form):
    s = form.forward(INSIDE)
    assert form.inverse(s) == pytest.approx(INSIDE, abs=1e-10)
    assert (np.diff(s) > 0).all()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_slopes_are_the_derivatives(form):
    step = 1e-5
    measured = (form.forward(INSIDE + step) - form.forward(INSIDE - step)) / (2 * step)
    assert form.slope(INSIDE) == pytest.approx(measured, rel=1e-6)
    assert form.inverse_slope(form.forward(INSIDE)) == pytest.approx(1 / form.slope(INSIDE), rel=1e-9)


def test_the_inverse_of_24_is_the_root_between_the_ends():
    for s in (-3.0, -0.01, 0.0, 0.002, 1.7):
        root = optimize.brentq(lambda x, s=s: FORMS[1].forward(np.array(x)) - s, -0.5 + 1e-9, 100.5 - 1e-9, xtol=1e-13)
        assert FORMS[1].inverse(np.array(s)) == pytest.approx(root, abs=1e-9)


def _within(seed: int) -> Panel:
    panel = connected_simulated_panel(20, 6, 3, seed)
    return Panel.from_records(panel.object_index, panel.assessor_index, np.clip(panel.scores, 2, 98), panel.confidences)


@pytest.mark.parametrize("form", ["logit", "rational"])
def test_values_never_leave_the_scale_and_solve_the_transformed_equations(form):
    panel = _within(1)
    found = bounded(panel, scale=(0, 100), form=form)
    t = found.transformation
    assert ((found.values > t.low) & (found.values < t.high)).all()
    moved = panel.with_confidences(panel.confidences / t.slope(panel.scores) ** 2)
    left = t.forward(panel.scores) - t.forward(found.values)[panel.object_index] - found.biases[panel.assessor_index]
    assert moved.object_totals(moved.confidences * left) == pytest.approx(0, abs=1e-6 * moved.confidences.max())
    interval = found.value_interval()
    assert ((interval[:, 0] < found.values) & (found.values < interval[:, 1])).all()
    assert ((interval > t.low) & (interval < t.high)).all()


def test_turning_the_scale_round_turns_the_values_round():
    panel = _within(2)
    turned = Panel.from_records(panel.object_index, panel.assessor_index, 100 - panel.scores, panel.confidences)
    for form in ("logit", "rational"):
        one, two = bounded(panel, scale=(0, 100), form=form), bounded(turned, scale=(0, 100), form=form)
        assert two.values == pytest.approx(100 - one.values, abs=1e-8)
        assert two.value_errors == pytest.approx(one.value_errors, rel=1e-8)


def test_a_very_wide_interval_changes_nothing():
    panel = _within(3)
    found = bounded(panel, scale=(0, 100), margin=1e6)
    assert found.values == pytest.approx(calibrate(panel).values, abs=1e-2)


def test_the_interval_is_half_a_step_wider_than_the_scale():
    panel = Panel.from_matrix([[1.0, 10.0, 4.0], [7.0, 8.0, 5.0], [3.0, 2.0, 6.0]])
    found = bounded(panel)
    assert found.scale == (0.0, 10.0)
    assert (found.transformation.low, found.transformation.high) == (-0.5, 10.5)


@given(st.floats(0.01, 100), st.integers(0, 20))
def test_logarithms_follow_a_change_of_currency(rate, seed):
    panel = _within(seed)
    other = Panel.from_records(
        panel.object_index, panel.assessor_index, rate * panel.scores, panel.confidences / rate**2
    )
    one, two = log_scores(panel), log_scores(other)
    assert two.values == pytest.approx(rate * one.values, rel=1e-9)
    assert two.ratios == pytest.approx(one.ratios, rel=1e-9)
    assert two.value_errors == pytest.approx(rate * one.value_errors, rel=1e-8)


def test_assessors_who_use_other_currencies_are_put_right():
    values, rates = np.array([10.0, 20.0, 35.0, 80.0]), np.array([1.0, 1.3, 0.6])
    found = log_scores(Panel.from_matrix(values[:, None] * rates))
    assert found.values / found.values[0] == pytest.approx(values / values[0])
    assert found.ratios / found.ratios[0] == pytest.approx(rates)
    assert found.predict(np.array([1]), np.array([2])) == pytest.approx([12.0])


def test_what_does_not_fit_the_scale_is_refused():
    with pytest.raises(MethodNotApplicable, match="above 0, but 2 gave 1 a score of 0"):
        log_scores(Panel.from_matrix([[1.0, 0.0], [2.0, 3.0]]))
    with pytest.raises(MethodNotApplicable, match="outside the scale"):
        bounded(Panel.from_matrix([[1.0, 11.0], [2.0, 3.0]]), scale=(0, 10))
    with pytest.raises(MethodNotApplicable, match="none of the usual scales"):
        bounded(Panel.from_matrix([[-1.0, 11.0], [2.0, 3.0]]))
    with pytest.raises(MethodNotApplicable, match="no bounded form"):
        bounded(Panel.from_matrix([[1.0, 3.0], [2.0, 3.0]]), form="probit")


def test_the_chance_to_exceed_a_boundary_is_that_on_the_transformed_scale():
    panel = _within(3)
    found = bounded(panel, scale=(0, 100))
    for boundary in (45.0, 60.0):
        there = float(found.transformation.forward(np.array(boundary)))
        assert found.exceeds(boundary) == pytest.approx(probability_at_or_above(found.calibration, there))
    assert found.exceeds(-1.0).tolist() == [1.0] * panel.n_objects
    assert found.exceeds(101.0).tolist() == [0.0] * panel.n_objects
