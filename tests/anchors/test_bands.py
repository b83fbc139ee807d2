"""Calibrated scores with standard errors: closed forms, redrawn anchors, and coverage in a simulation."""

import numpy as np
import pytest
from scipy.stats import linregress, t

from anchors.simulated_agents import World, simulate
from panelcal import fit_anchor_curve
from panelcal.anchors.bands import calibrate_scores
from panelcal.anchors.curves import KINDS


def anchors_on_a_line(n, seed=0):
    random = np.random.default_rng(seed)
    scores = random.uniform(20, 80, n)
    return scores, 10 + 0.8 * scores + random.normal(0, 6, n)


def test_a_lines_band_is_that_of_simple_regression():
    scores, consensus = anchors_on_a_line(30)
    curve = fit_anchor_curve(scores, consensus, kind="linear")
    found = calibrate_scores(curve, [scores.mean(), 0.0], level=0.9)
    fit = linregress(scores, consensus)
    at_zero = np.hypot(fit.intercept_stderr, 0)
    assert found.curve_errors == pytest.approx([curve.residual_sd / np.sqrt(30), at_zero])
    assert found.errors == pytest.approx(np.hypot(curve.residual_sd, found.curve_errors))
    assert found.upper[1] == pytest.approx(fit.intercept + t.ppf(0.95, 28) * at_zero)
    assert found.outside.tolist() == [False, True]


@pytest.mark.parametrize("kind", KINDS)
def test_bands_hold_their_curve_stay_on_the_scale_and_leave_gaps_empty(kind):
    trial = simulate(World(), 0, 60)
    curve = fit_anchor_curve(trial.anchor_scores[2], trial.consensus, kind=kind)
    at = np.append(np.linspace(-20, 120, 57), np.nan).reshape(2, 29)
    found = calibrate_scores(curve, at, draws=40)
    known = ~np.isnan(at)
    assert found.values.shape == found.lower.shape == found.errors.shape == at.shape
    assert np.array_equal(np.isnan(found.errors), ~known)
    assert (found.lower[known] <= found.values[known] + 1e-9).all()
    assert (found.upper[known] >= found.values[known] - 1e-9).all()
    assert found.lower[known].min() >= 0
    assert found.upper[known].max() <= 100


def test_redrawing_isotonic_anchors_gives_the_same_every_time_and_another_with_another_seed():
    trial = simulate(World(), 0, 60, 1)
    curve = fit_anchor_curve(trial.anchor_scores[0], trial.consensus, kind="isotonic")
    one, two, other = (calibrate_scores(curve, [40.0], draws=30, seed=seed).curve_errors for seed in (1, 1, 2))
    assert one == two != other


def test_rescaling_errors_are_those_theory_gives_for_a_mean():
    scores, consensus = anchors_on_a_line(200)
    curve = fit_anchor_curve(scores, consensus, kind="mean_sd")
    found = calibrate_scores(curve, [scores.mean()], draws=600)
    # At the mean score the curve is mean(consensus) + slope x (score - mean(scores)): the error is that of the mean of
    # consensus - slope x score.
    slope = consensus.std() / scores.std()
    assert found.curve_errors[0] == pytest.approx((consensus - slope * scores).std() / np.sqrt(200), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["spline", "linear"])
def test_bands_hold_a_straight_truth_nineteen_times_in_twenty(kind):
    held = []
    for seed in range(150):
        scores, consensus = anchors_on_a_line(60, seed)
        curve = fit_anchor_curve(scores, consensus, kind=kind)
        at = np.array([25.0, 50.0, 75.0])
        found = calibrate_scores(curve, at)
        held.append((found.lower <= 10 + 0.8 * at) & (10 + 0.8 * at <= found.upper))
    assert 0.92 <= np.mean(held) <= 1.0


@pytest.mark.parametrize("kind", ["spline", "linear", "isotonic"])
def test_standard_errors_say_how_far_new_consensus_lies(kind):
    trial = simulate(World(), 3, 240)
    curve = fit_anchor_curve(trial.anchor_scores[1], trial.consensus, kind=kind)
    found = calibrate_scores(curve, trial.new_scores[1], draws=60)
    held = np.abs(trial.new_consensus - found.values) < 1.96 * found.errors
    assert 0.9 <= held.mean() <= 0.99
