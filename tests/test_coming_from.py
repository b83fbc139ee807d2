"""The page for users of other programs: its lines run, and what it says about them is so."""

import re
from pathlib import Path

import numpy as np
import pytest

from panelcal import calibrate, fit, simulate_panel, uncertainty

PAGE = (Path(__file__).parents[1] / "docs" / "coming_from.md").read_text("utf-8")
PANEL = simulate_panel(16, 5, 3, bias_sd=8.0, seed=3).panel


def dummies(panel):
    students = np.eye(panel.n_objects)[panel.object_index]
    return students, np.eye(panel.n_assessors)[panel.assessor_index]


@pytest.mark.slow
def test_the_python_lines_of_the_page_run():
    frame = {
        "student": [PANEL.objects[k] for k in PANEL.object_index],
        "marker": [PANEL.assessors[k] for k in PANEL.assessor_index],
        "mark": PANEL.scores.tolist(),
    }
    known = {"df": frame}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(block, known)
    assert known["calibration"].gauge == "equal" and known["posterior"].objects == PANEL.objects
    assert np.array_equal(known["panel"].scores, PANEL.scores)


def test_differences_and_their_errors_are_those_of_lm():
    """Ordinary least squares with treatment contrasts, the first marker at 0, as R's lm."""
    students, markers = dummies(PANEL)
    design = np.column_stack([students, markers[:, 1:]])
    inverse = np.linalg.inv(design.T @ design)
    found = inverse @ design.T @ PANEL.scores
    variance = ((PANEL.scores - design @ found) ** 2).sum() / (len(design) - design.shape[1])
    fitted = calibrate(PANEL)
    assert np.ptp(found[:16] - fitted.values) < 1e-9 * np.abs(found).max()
    assert found[16:] == pytest.approx(fitted.biases[1:] - fitted.biases[0], rel=1e-9)
    error = np.sqrt(variance * (inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]))
    assert uncertainty(fitted).difference_errors(0, 1) == pytest.approx(error, rel=1e-9)


def test_shrunken_biases_and_random_effects_are_the_mixed_models():
    """Generalised least squares and best linear unbiased prediction at the variances found, up to a common shift."""
    students, markers = dummies(PANEL)
    found = fit(PANEL, "shrunken_biases").detail
    marginal = found.noise_variance * np.eye(PANEL.n_assessments) + found.bias_variance * markers @ markers.T
    weighted = students.T @ np.linalg.inv(marginal)
    assert np.ptp(found.values - np.linalg.solve(weighted @ students, weighted @ PANEL.scores)) < 1e-7
    both = fit(PANEL, "random_effects").detail
    marginal = both.noise_variance * np.eye(PANEL.n_assessments) + both.bias_variance * markers @ markers.T
    inverse = np.linalg.inv(marginal + both.value_variance * students @ students.T)
    mean = inverse.sum(axis=0) @ PANEL.scores / inverse.sum()
    predicted = mean + both.value_variance * students.T @ inverse @ (PANEL.scores - mean)
    assert np.ptp(both.values - predicted) < 1e-6


def test_the_order_of_z_scores_is_that_of_averaged_standard_marks():
    z = np.zeros(PANEL.n_assessments)
    for k in range(PANEL.n_assessors):
        own = PANEL.assessor_index == k
        z[own] = (PANEL.scores[own] - PANEL.scores[own].mean()) / PANEL.scores[own].std(ddof=1)
    mean = np.bincount(PANEL.object_index, z) / np.bincount(PANEL.object_index)
    assert np.array_equal(np.argsort(mean), np.argsort(fit(PANEL, "z_scores").values))


def deviations_taken_off(panel, steps):
    """Each reviewer's mean deviation from the means of the papers is taken off, so often; means of what is left."""
    scores, papers, reviewers = panel.scores.copy(), panel.object_index, panel.assessor_index
    for _ in range(steps):
        deviations = scores - (np.bincount(papers, scores) / np.bincount(papers))[papers]
        scores -= (np.bincount(reviewers, deviations) / np.bincount(reviewers))[reviewers]
    return np.bincount(papers, scores) / np.bincount(papers)


def test_deviations_from_the_means_of_papers_are_the_first_step_of_calibrating():
    found = calibrate(PANEL, gauge="weighted").values
    assert np.ptp(deviations_taken_off(PANEL, 1) - found) > 0.5
    assert np.ptp(deviations_taken_off(PANEL, 500) - found) < 1e-8
    whole = simulate_panel(6, 4, 4, bias_sd=8.0, seed=5).panel
    assert np.ptp(deviations_taken_off(whole, 1) - calibrate(whole).values) < 1e-10
