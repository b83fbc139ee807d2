"""The posterior with unknown w: Student's t in closed form, conjugate and custom priors by integration."""

import numpy as np
import pytest
from scipy import integrate, stats

from panelcal import MethodNotApplicable, calibrate, uncertainty
from panelcal.calibration.posterior import posterior, prior_around
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case


@pytest.mark.parametrize("seed", [1, 2])
def test_with_the_scale_free_prior_it_is_students_t(seed):
    fit = calibrate(simulated_panel(15, 6, 3, seed))
    found, errors = posterior(fit), uncertainty(fit)
    assert found.value_interval(0.9) == pytest.approx(errors.value_interval(0.9), rel=1e-7)
    n = fit.degrees_of_freedom
    assert found.exceeds(60.0) == pytest.approx(stats.t.sf((60.0 - fit.values) / errors.value_errors, n), abs=1e-8)
    assert found.value_errors == pytest.approx(errors.value_errors * np.sqrt(n / (n - 2)))
    # 1/w follows a gamma distribution.
    ends = fit.weighted_residual_sum / stats.chi2.ppf([0.975, 0.025], n)
    assert found.w_interval(0.95) == pytest.approx(ends, rel=1e-4)


def test_the_joint_mode_solves_the_papers_equation():
    fit = calibrate(simulated_panel(15, 6, 3, seed=3))
    count, squares = fit.panel.n_assessments, fit.weighted_residual_sum
    assert posterior(fit).w_mode == pytest.approx(squares / (count + 2), rel=1e-5)
    flat = posterior(fit, log_prior=np.zeros_like)
    assert flat.w_mode == pytest.approx(fit.w_ml, rel=1e-5)


def test_an_inverse_gamma_prior_adds_its_own_evidence():
    """With rho = w^(-k-1) exp(-m/w) it stays a Student t, with N - p + 2k degrees of freedom."""
    fit = calibrate(connected_simulated_panel(12, 5, 3, seed=4))
    k, m = 3.0, 500.0
    found = posterior(fit, log_prior=lambda w: -(k + 1) * np.log(w) - m / w)
    freedom = fit.degrees_of_freedom + 2 * k
    scale = (fit.weighted_residual_sum + 2 * m) / freedom
    expected = stats.t.ppf(0.975, freedom) * np.sqrt(scale)
    assert found.quantile(0.95) == pytest.approx(expected, rel=1e-8)
    assert found.w_mean == pytest.approx((fit.weighted_residual_sum / 2 + m) / (freedom / 2 - 1), rel=1e-8)


def test_a_prior_without_closed_form_is_integrated():
    fit = calibrate(simulated_panel(15, 6, 3, seed=5))
    prior = prior_around(400.0, 1.5)

    def density(w, power=0.0):
        logs = prior(np.array(w)) - fit.degrees_of_freedom / 2 * np.log(w) - fit.weighted_residual_sum / (2 * w)
        return np.exp(logs + fit.degrees_of_freedom / 2 * (1 + np.log(fit.w_unbiased))) * w**power

    whole = integrate.quad(density, 1, 5e4, points=[400, fit.w_unbiased], limit=400)[0]
    mean = integrate.quad(lambda w: density(w, 1.0), 1, 5e4, points=[400, fit.w_unbiased], limit=400)[0] / whole
    found = posterior(fit, log_prior=prior)
    assert found.w_mean == pytest.approx(mean, rel=1e-6)
    assert found.w_weights.sum() == pytest.approx(1)


def test_a_strong_prior_decides_and_without_residuals_it_is_needed():
    fit = calibrate(load_case("one_assessor").panel)
    with pytest.raises(MethodNotApplicable, match="prior of its own"):
        posterior(fit)
    found = posterior(fit, log_prior=prior_around(4.0, 1.0001))
    assert found.w_mean == pytest.approx(4.0, rel=1e-3)
    assert found.value_errors == pytest.approx(2.0 * found.unit_value_errors, rel=1e-3)


def test_impossible_priors_are_refused():
    fit = calibrate(simulated_panel(15, 6, 3, seed=6))
    with pytest.raises(MethodNotApplicable, match="normalised"):
        posterior(fit, log_prior=lambda w: 1e3 * np.log(w))
    with pytest.raises(MethodNotApplicable, match="centre above 0"):
        prior_around(-1.0)
    with pytest.raises(MethodNotApplicable, match="between 0 and 1"):
        posterior(fit).quantile(1.5)
