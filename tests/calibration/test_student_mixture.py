"""Intervals averaged over variances: against plain sums over a fine grid of dense covariances, and their limits."""

import numpy as np
import pytest
from scipy import stats

from panelcal import MethodNotApplicable, Panel, fit
from panelcal.calibration.random_effects import random_effects
from panelcal.calibration.shrinkage import shrunken_biases
from panelcal.calibration.student_mixture import StudentMixture
from panels import connected_simulated_panel, simulated_panel

PANEL = simulated_panel(8, 5, 3, seed=4)


def _designs(panel: Panel):
    objects = np.zeros((panel.n_assessments, panel.n_objects))
    assessors = np.zeros((panel.n_assessments, panel.n_assessors))
    objects[np.arange(panel.n_assessments), panel.object_index] = 1
    assessors[np.arange(panel.n_assessments), panel.assessor_index] = 1
    return objects, assessors


def _conditional(panel: Panel, fixed: np.ndarray, covariance: np.ndarray, effects: np.ndarray, onto: np.ndarray):
    """-2 log restricted likelihood and the t of onto'fixed + effects, at a covariance over w (dense).

    `effects` is the covariance over w of the random part of what is wanted with the scores; that part's own variance is
    left to the caller.
    """
    inverse = np.linalg.inv(covariance)
    information = fixed.T @ inverse @ fixed
    coefficients = np.linalg.solve(information, fixed.T @ inverse @ panel.scores)
    left = panel.scores - fixed @ coefficients
    freedom = panel.n_assessments - fixed.shape[1]
    noise = left @ inverse @ left / freedom
    deviance = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + freedom * np.log(noise)
    centre = onto @ coefficients + effects @ inverse @ left
    apart = onto - effects @ inverse @ fixed
    variance = np.einsum("ij,jk,ik->i", apart, np.linalg.inv(information), apart)
    variance -= np.einsum("ij,jk,ik->i", effects, inverse, effects)
    return deviance, centre, variance, noise, freedom


def _share_below(places: np.ndarray, parts: list) -> np.ndarray:
    heights = np.array([part[0] for part in parts])
    weights = np.exp(-0.5 * (heights - heights.min()))
    shares = [stats.t.cdf((places - centre) / scale, freedom) for _, centre, scale, freedom in parts]
    return np.tensordot(weights / weights.sum(), np.array(shares), 1)


@pytest.mark.slow
def test_random_effects_are_averaged_over_both_variances():
    """Sums over 40 x 40 spreads, half-Cauchy in units of a typical score's noise, flat in w's logarithm."""
    objects, assessors = _designs(PANEL)
    unit = PANEL.n_assessments / PANEL.confidences.sum()
    roots = np.sinh(np.linspace(0.02, 5.0, 40))
    steps = np.gradient(roots)
    parts = []
    for root, step in zip(roots, steps, strict=True):
        for other, width in zip(roots, steps, strict=True):
            of_value, of_bias = unit * root**2, unit * other**2
            covariance = np.diag(1 / PANEL.confidences)
            covariance += of_value * objects @ objects.T + of_bias * assessors @ assessors.T
            one = np.ones((PANEL.n_assessments, 1))
            onto = np.ones((PANEL.n_objects, 1))
            deviance, centre, variance, noise, freedom = _conditional(
                PANEL, one, covariance, of_value * objects.T, onto
            )
            prior = step * width / ((1 + root**2) * (1 + other**2))
            scale = np.sqrt(noise * (variance + of_value))
            parts.append((deviance - 2 * np.log(prior), centre, scale, freedom))
    found = random_effects(PANEL).value_distribution()
    interval = found.value_interval(0.9)
    assert _share_below(interval[:, 0], parts) == pytest.approx(0.05, abs=2e-3)
    assert _share_below(interval[:, 1], parts) == pytest.approx(0.95, abs=2e-3)
    assert found.exceeds(60.0) == pytest.approx(1 - _share_below(np.full(PANEL.n_objects, 60.0), parts), abs=4e-3)


def test_shrunken_biases_are_averaged_over_their_variance():
    objects, assessors = _designs(PANEL)
    unit = PANEL.n_assessments / PANEL.confidences.sum()
    roots = np.sinh(np.linspace(0.01, 7.0, 400))
    mean_share = PANEL.assessor_totals(PANEL.confidences) / PANEL.confidences.sum()
    parts = []
    for root, step in zip(roots, np.gradient(roots), strict=True):
        of_bias = unit * root**2
        covariance = np.diag(1 / PANEL.confidences) + of_bias * assessors @ assessors.T
        effects = np.tile(of_bias * mean_share @ assessors.T, (PANEL.n_objects, 1))
        deviance, centre, variance, noise, freedom = _conditional(
            PANEL, objects, covariance, effects, np.eye(PANEL.n_objects)
        )
        scale = np.sqrt(noise * (variance + of_bias * mean_share @ mean_share))
        parts.append((deviance - 2 * np.log(step / (1 + root**2)), centre, scale, freedom))
    interval = shrunken_biases(PANEL).value_distribution().value_interval(0.9)
    assert _share_below(interval[:, 0], parts) == pytest.approx(0.05, abs=2e-3)
    assert _share_below(interval[:, 1], parts) == pytest.approx(0.95, abs=2e-3)


@pytest.mark.parametrize("name", ["random_effects", "shrunken_biases", "bisquare"])
def test_on_a_small_panel_intervals_are_longer_than_known_variances_would_make_them(name):
    found = fit(connected_simulated_panel(10, 5, 4, seed=1), name)
    low, high = found.uncertainty.value_interval().T
    assert ((high - low) > 1.03 * 2 * 1.96 * found.detail.value_errors).all()
    assert ((low < found.values) & (found.values < high)).all()


def test_on_a_large_panel_averaging_changes_little():
    found = fit(simulated_panel(300, 40, 8, seed=2), "random_effects")
    assert found.uncertainty.value_errors == pytest.approx(found.detail.value_errors, rel=0.02)


def test_a_single_place_is_students_t():
    values, errors = np.array([3.0, 5.0]), np.array([1.0, 0.0])
    found = StudentMixture(values, values[:, None], errors[:, None], np.ones(1), 7)
    half = stats.t.ppf(0.975, 7)
    assert found.value_interval() == pytest.approx(np.array([[3 - half, 3 + half], [5, 5]]), abs=1e-8)
    assert found.exceeds(5.0) == pytest.approx([stats.t.sf(2, 7), 0.5])
    assert found.value_errors == pytest.approx([np.sqrt(7 / 5), 0.0])
    with pytest.raises(MethodNotApplicable, match="between 0 and 1"):
        found.value_interval(1.5)
