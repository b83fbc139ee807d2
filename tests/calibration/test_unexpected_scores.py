"""Unexpected scores: against fits that leave scores out, in pairs that tie, and where wild scores hide each other."""

import numpy as np
import pytest
from scipy import stats

from panelcal import Panel, calibrate, unexpected_scores
from panels import connected_simulated_panel, simulated_panel


def _changed(panel, changes):
    scores = panel.scores.copy()
    for k, by in changes.items():
        scores[k] += by
    return Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, panel.confidences)


def _by_refits(panel, aside):
    """Studentised residuals of each score against ordinary least squares without it and without `aside`."""
    n, m = panel.n_objects, panel.n_assessors
    root = np.sqrt(panel.confidences)
    design = np.zeros((panel.n_assessments, n + m))
    design[np.arange(len(root)), panel.object_index] = 1
    design[np.arange(len(root)), n + panel.assessor_index] = 1
    found = []
    for k in range(len(root)):
        keep = ~np.isin(np.arange(len(root)), [*aside, k])
        x, y = design[keep] * root[keep, None], (panel.scores * root)[keep]
        inverse = np.linalg.pinv(x.T @ x)
        solution = inverse @ x.T @ y
        freedom = keep.sum() - np.linalg.matrix_rank(x)
        variance = ((y - x @ solution) ** 2).sum() / freedom
        apart = panel.scores[k] - design[k] @ solution
        found.append(apart / np.sqrt(variance * (1 / panel.confidences[k] + design[k] @ inverse @ design[k])))
    return np.array(found)


@pytest.mark.parametrize("wild", [{}, {7: -90.0}, {7: -90.0, 30: 80.0, 41: 80.0}])
def test_statistics_are_those_of_fits_without_the_score_and_without_the_wild_ones(wild):
    panel = _changed(simulated_panel(25, 8, 4, seed=2), wild)
    found = unexpected_scores(calibrate(panel))
    assert set(np.flatnonzero(found.unexpected)) == set(wild)
    assert found.statistics == pytest.approx(_by_refits(panel, list(wild)), rel=1e-6)
    freedom = calibrate(panel).degrees_of_freedom - 1 - len(wild) + np.isin(np.arange(100), list(wild))
    assert found.p_values == pytest.approx(2 * stats.t.sf(np.abs(found.statistics), freedom), rel=1e-6)


def test_without_wild_scores_holm_over_all_that_can_be_tested():
    found = unexpected_scores(calibrate(simulated_panel(25, 8, 4, seed=3)))
    assert found.n_tests == 100
    assert found.adjusted_p_values.min() == pytest.approx(min(100 * found.p_values.min(), 1), rel=1e-9)


def test_the_two_scores_of_an_object_that_has_two_tie():
    panel = connected_simulated_panel(30, 6, 3, seed=4)
    objects = [panel.objects[k] for k in panel.object_index] + ["two", "two"]
    assessors = [panel.assessors[k] for k in panel.assessor_index] + ["0", "1"]
    scores = [*panel.scores, 20.0, 80.0]
    found = unexpected_scores(calibrate(Panel.from_records(objects, assessors, scores)))
    one, two = len(scores) - 2, len(scores) - 1
    assert found.others_alike(one).tolist() == [two]
    assert found.unexpected[[one, two]].all()
    assert found.adjusted_p_values[one] == found.adjusted_p_values[two]
    assert found.statistics[one] == pytest.approx(-found.statistics[two])
    assert found.n_tests == len(scores) - 1
    assert not len(found.others_alike(0))


def test_an_only_link_cannot_be_tested_and_does_not_count():
    panel = connected_simulated_panel(20, 5, 3, seed=6)
    objects = [panel.objects[k] for k in panel.object_index] + ["0"]
    assessors = [panel.assessors[k] for k in panel.assessor_index] + ["guest"]
    found = unexpected_scores(calibrate(Panel.from_records(objects, assessors, [*panel.scores, 1000.0])))
    assert np.isnan(found.adjusted_p_values[-1])
    assert not found.unexpected[-1]
    assert found.n_tests == panel.n_assessments
    assert np.isfinite(found.adjusted_p_values[:-1]).all()


def test_wild_scores_do_not_hide_each_other():
    """25 of 480 are 40 off at a noise of 7: one fit for all shows 59% of them at 3.0, and names the good as well."""
    shares, false = [], 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        wild = random.choice(480, 25, replace=False)
        panel = simulated_panel(60, 40, 8, seed=seed)
        equal = Panel(
            panel.objects, panel.assessors, panel.object_index, panel.assessor_index, panel.scores, np.ones(480)
        )
        rest = calibrate(equal)
        noise = 7 * random.standard_normal(480)
        scores = rest.fitted + noise
        scores[wild] += random.choice([-40, 40], 25)
        found = unexpected_scores(
            calibrate(
                Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, np.ones(480))
            )
        )
        shares.append(found.unexpected[wild].mean())
        false += found.unexpected.sum() - found.unexpected[wild].sum()
    assert np.mean(shares) > 0.8
    assert false <= 3


@pytest.mark.slow
def test_luck_names_a_score_in_one_panel_of_twenty_and_its_share_beyond_three_is_told():
    named, far, by_luck = 0, [], []
    for seed in range(200):
        found = unexpected_scores(calibrate(simulated_panel(20, 6, 4, seed)))
        named += bool(found.unexpected.any())
        far.append(found.n_far)
        by_luck.append(found.n_far_by_luck)
    assert stats.binomtest(named, 200, 0.05, alternative="greater").pvalue > 0.001
    assert np.mean(by_luck) == pytest.approx(np.mean(far), abs=4 * np.std(far) / np.sqrt(200))


def test_one_slip_in_scores_that_fit_exactly_is_named():
    objects, assessors = np.divmod(np.arange(30), 3)
    scores = 5.0 * objects + assessors
    assert not unexpected_scores(calibrate(Panel.from_records(objects, assessors, scores))).unexpected.any()
    scores[4] += 30
    found = unexpected_scores(calibrate(Panel.from_records(objects, assessors, scores)))
    assert np.flatnonzero(found.unexpected).tolist() == [4]


def test_too_few_scores_say_nothing():
    found = unexpected_scores(calibrate(Panel.from_records("aabb", "xyxy", [1.0, 2.0, 4.0, 9.0])))
    assert np.isnan(found.statistics).all()
    assert (found.n_tests, found.n_far_by_luck) == (0, 0.0)
