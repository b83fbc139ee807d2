"""Bias by nearness against the whole mixed model in dense matrices, and against what was drawn."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from panelcal import MethodNotApplicable, Panel, bias_by_nearness, calibrate, simulate_panel


def _made(seed=1, *, slope=2.0, slope_sd=2.0, n=30, m=8, each=4):
    """Draw a panel whose assessors lean towards near topics; nearness 0, 1 or 2."""
    made = simulate_panel(n, m, each, noise_sd=3.0, confidence_levels=(0.5, 1.0, 2.0), seed=seed)
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, 4, n)
    expertise = rng.integers(0, 3, (m, 4)).astype(float)
    nearness = expertise[made.panel.assessor_index, topic[made.panel.object_index]]
    slopes = slope + slope_sd * rng.standard_normal(m)
    panel = Panel.from_records(
        [made.panel.objects[o] for o in made.panel.object_index],
        [made.panel.assessors[a] for a in made.panel.assessor_index],
        made.panel.scores + slopes[made.panel.assessor_index] * nearness,
        made.panel.confidences,
    )
    return panel, nearness, slopes, made


def _columns(panel, nearness):
    x = nearness - panel.confidences @ nearness / panel.confidences.sum()
    objects, assessors = np.eye(panel.n_objects)[panel.object_index], np.eye(panel.n_assessors)[panel.assessor_index]
    return x, objects, assessors, assessors * x[:, None]


def _dense(panel, nearness):
    """The N x N covariance: its restricted likelihood, and what is averaged over it on a grid of our own."""
    x, objects, assessors, own = _columns(panel, nearness)
    n, m = panel.n_objects, panel.n_assessors
    fixed = np.hstack([objects, assessors[:, 1:], x[:, None]])
    every = np.hstack([objects, assessors, x[:, None], own])
    gauge = np.zeros(n + 2 * m + 1)
    gauge[n : n + m] = np.bincount(panel.assessor_index, panel.confidences)
    wanted = np.zeros((n + 2 * m + 1, n + 2 * m + 1))  # values, biases, beta, and every beta + g
    wanted[: n + m + 1, : n + m + 1] = np.eye(n + m + 1)
    wanted[n + m + 1 :, n + m] = 1
    wanted[n + m + 1 :, n + m + 1 :] = np.eye(m)

    def deviance(ratio):
        covariance = np.diag(1 / panel.confidences) + ratio * own @ own.T
        inverse = np.linalg.inv(covariance)
        inner = fixed.T @ inverse @ fixed
        rest = panel.scores - fixed @ np.linalg.solve(inner, fixed.T @ inverse @ panel.scores)
        w = rest @ inverse @ rest / (len(rest) - fixed.shape[1])
        logs = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(inner)[1]
        return logs + (len(rest) - fixed.shape[1]) * np.log(w), w

    def henderson(ratio):
        normal = every.T @ (panel.confidences[:, None] * every)
        normal[-m:, -m:] += np.eye(m) / ratio
        inverse = np.linalg.inv(np.block([[normal, gauge[:, None]], [gauge[None, :], np.zeros((1, 1))]]))
        solved = (inverse @ np.append(every.T @ (panel.confidences * panel.scores), 0.0))[:-1]
        return wanted @ solved, np.diag(wanted @ inverse[:-1, :-1] @ wanted.T)

    best = minimize_scalar(lambda log: deviance(np.exp(log))[0], bounds=(-12, 5), method="bounded")
    ratio, w = float(np.exp(best.x)), deviance(np.exp(best.x))[1]
    roots = np.linspace(0.004, max(6 * np.sqrt(ratio), 4.0), 240)
    weights = np.array([np.exp((best.fun - deviance(root**2)[0]) / 2) for root in roots])
    weights /= weights.sum()
    parts = [henderson(root**2) for root in roots]
    noises = np.array([deviance(root**2)[1] for root in roots])
    mean = sum(share * part[0] for share, part in zip(weights, parts, strict=True))
    variance = sum(
        share * (noise * part[1] + (part[0] - mean) ** 2)
        for share, noise, part in zip(weights, noises, parts, strict=True)
    )
    return ratio, w, mean, np.sqrt(variance)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_the_mixed_model_written_out(seed):
    panel, nearness, _, _ = _made(seed)
    found = bias_by_nearness(panel, nearness)
    ratio, w, mean, errors = _dense(panel, nearness)
    n, m = panel.n_objects, panel.n_assessors
    assert np.isclose(found.noise_variance, w, rtol=1e-4)
    assert np.isclose(found.slope_sd, np.sqrt(ratio * w), rtol=1e-3)
    assert np.allclose(found.values, mean[:n], atol=2e-3)
    assert np.allclose(found.biases, mean[n : n + m], atol=5e-3)
    assert np.isclose(found.slope, mean[n + m], atol=5e-3)
    assert np.allclose(found.slopes, mean[-m:], atol=5e-3)
    assert np.isclose(found.slope_error, errors[n + m], rtol=0.02)
    assert np.allclose(found.slope_errors, errors[-m:], rtol=0.02)
    assert np.allclose(found.value_errors, errors[:n], rtol=0.02)


def test_the_tests_are_those_of_regressions_written_out():
    panel, nearness, _, _ = _made()
    found = bias_by_nearness(panel, nearness)
    x, objects, assessors, own = _columns(panel, nearness)
    root = np.sqrt(panel.confidences)[:, None]

    def left(*columns):
        design = root * np.hstack(columns)
        rest = root[:, 0] * panel.scores - design @ np.linalg.lstsq(design, root[:, 0] * panel.scores, rcond=None)[0]
        return rest @ rest, panel.n_assessments - np.linalg.matrix_rank(design)

    (none, none_free), (one, one_free), (all_, all_free) = (
        left(objects, assessors),
        left(objects, assessors, x[:, None]),
        left(objects, assessors, own),
    )
    assert np.isclose(found.any_f, (none - all_) / (none_free - all_free) / (all_ / all_free))
    assert np.isclose(found.differ_f, (one - all_) / (one_free - all_free) / (all_ / all_free))
    design = np.hstack([objects, assessors, own])
    covariance = np.linalg.pinv(design.T @ (panel.confidences[:, None] * design))
    slopes = (covariance @ design.T @ (panel.confidences * panel.scores))[-panel.n_assessors :]
    assert np.allclose(found.own_slopes, slopes)
    assert np.allclose(found.own_errors, np.sqrt(np.diag(covariance)[-panel.n_assessors :] * all_ / all_free))


def test_without_differences_between_assessors_only_the_common_slope_is_left():
    panel, nearness, _, _ = _made(3, slope_sd=0.0)
    found = bias_by_nearness(panel, nearness)
    again = bias_by_nearness(panel, 10 * nearness + 5)
    assert np.allclose(again.values, found.values, atol=1e-7)
    assert np.isclose(again.slope * 10, found.slope) and np.isclose(again.slope_sd * 10, found.slope_sd, atol=1e-6)
    assert found.any_p < 0.01
    swapped = bias_by_nearness(panel, np.zeros(panel.n_assessments) + (np.arange(panel.n_assessments) % 2))
    assert np.isclose(swapped.calibration.values, calibrate(panel).values).all()


@pytest.mark.parametrize(
    ("nearness", "message"),
    [
        (lambda panel: np.ones(3), "for each of"),
        (lambda panel: panel.object_index * 1.0, "cannot be told"),
        (lambda panel: panel.assessor_index * 1.0, "cannot be told"),
        (lambda panel: np.full(panel.n_assessments, np.nan), "finite"),
    ],
)
def test_what_cannot_be_told_is_refused(nearness, message):
    panel = _made()[0]
    with pytest.raises(MethodNotApplicable, match=message):
        bias_by_nearness(panel, nearness(panel))


@pytest.mark.slow
def test_levels_coverage_and_gain_are_as_stated():
    none, coverage, slope_coverage, better, runs = [], [], [], [], 24
    for seed in range(runs):
        panel, nearness, _, _ = _made(1000 + seed, slope=0.0, slope_sd=0.0)
        found = bias_by_nearness(panel, nearness)
        none.append([found.slope_p < 0.05, found.differ_p < 0.05, np.nanmin(found.adjusted_p) < 0.05])
        panel, nearness, _, _ = _made(3000 + seed, slope=0.0)
        none[-1].append(bias_by_nearness(panel, nearness).slope_p < 0.05)
        panel, nearness, slopes, made = _made(2000 + seed)
        found = bias_by_nearness(panel, nearness)
        slope_coverage.append(np.abs(found.slopes - slopes) <= 1.99 * found.slope_errors)
        # Values of somebody with bias 0 at mean nearness: compared up to the common zero.
        truth = made.values - made.values.mean()
        off, plain = (v - v.mean() - truth for v in (found.values, found.calibration.values))
        coverage.append(np.abs(off) <= 1.99 * found.value_errors)
        better.append(np.sqrt((off**2).mean()) < np.sqrt((plain**2).mean()))
    levels = np.mean(none, axis=0)
    assert (levels <= 0.15).all(), levels
    assert 0.92 <= np.mean(coverage) <= 0.99, np.mean(coverage)
    assert 0.88 <= np.mean(slope_coverage) <= 0.99, np.mean(slope_coverage)
    assert np.mean(better) >= 0.75, np.mean(better)
