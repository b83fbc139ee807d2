"""The gauge "common": some objects fix the zero, checked by dense algebra and by calibrating again."""

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate, certify, influence, robustness, simulate_panel, uncertainty
from panelcal.calibration.assessor_left_out import assessors_left_out
from panelcal.calibration.averages import fisher
from panelcal.calibration.common_subset import common_subset
from panelcal.calibration.influence import common_slopes

KNOWN = {"2": 61.0, "5": 48.5, "9": 55.0}


def _panel(seed=3):
    return simulate_panel(14, 6, 3, confidence_levels=(0.5, 1.0, 2.0), seed=seed).panel


def _dense(panel, common):
    """Solve the least squares with the zero as one more equation, and return values, biases and their covariance/w."""
    n, m, weight = panel.n_objects, panel.n_assessors, panel.confidences
    x = np.zeros((panel.n_assessments, n + m))
    x[np.arange(len(x)), panel.object_index] = 1
    x[np.arange(len(x)), n + panel.assessor_index] = 1
    zero, target = np.zeros(n + m), 0.0
    for score, c, row, o in zip(panel.scores, weight, x, panel.object_index, strict=True):
        if panel.objects[o] not in common:
            continue
        if isinstance(common, dict):
            zero[o] += c
            target += c * common[panel.objects[o]]
        else:  # sum of confidence x bias over the assessments of the common objects
            zero[n:] += c * row[n:]
        assert np.isfinite(score)
    bordered = np.zeros((n + m + 1, n + m + 1))
    bordered[:-1, :-1] = x.T @ (weight[:, None] * x)
    bordered[:-1, -1] = bordered[-1, :-1] = zero
    inverse = np.linalg.inv(bordered)
    solved = inverse @ np.append(x.T @ (weight * panel.scores), target)
    return solved[:n], solved[n : n + m], inverse[:-1, :-1]


@pytest.mark.parametrize("common", [("2", "5", "9"), KNOWN], ids=["scores", "known values"])
def test_values_biases_and_errors_are_those_of_dense_algebra(common):
    panel = _panel()
    found = calibrate(panel, gauge="common", common=common)
    values, biases, covariance = _dense(panel, common)
    assert np.allclose(found.values, values, atol=1e-9)
    assert np.allclose(found.biases, biases, atol=1e-9)
    errors = np.sqrt(np.diag(covariance) * found.w_unbiased)
    known = uncertainty(found)
    assert np.allclose(np.concatenate([known.value_errors, known.bias_errors]), errors, rtol=1e-9)
    assert certify(found).certified
    assert np.abs(found.values - values).max() <= certify(found).solution_error + 1e-9
    equal = fisher(panel, gauge="common", common=common)
    assert np.allclose(equal.values, _dense(panel.with_confidences(np.ones(panel.n_assessments)), common)[0])


@pytest.mark.slow
@pytest.mark.parametrize("common", [("2", "5", "9"), KNOWN], ids=["scores", "known values"])
def test_what_an_assessment_an_assessor_and_a_confidence_do_is_what_calibrating_again_says(common):
    panel = _panel()
    found = calibrate(panel, gauge="common", common=common)
    effects = influence(found)
    without = assessors_left_out(found)
    every = np.arange(panel.n_assessments)
    for k in range(0, panel.n_assessments, 5):
        rest = panel.subset(every != k)
        values, _, _ = _dense(rest, common)
        again = dict(zip(rest.objects, values, strict=True))
        moved = np.array([again[label] for label in panel.objects]) - found.values
        assert np.allclose(effects.value_shifts(k), moved, atol=1e-8)
        assert np.isclose(effects.largest_shift[k], np.abs(moved).max())
        more = panel.confidences + 1e-5 * (every == k)
        less = panel.confidences - 1e-5 * (every == k)
        slope = [_dense(panel.with_confidences(one), common)[0] for one in (more, less)]
        assert np.allclose(effects.value_slopes(k), (slope[0] - slope[1]) / 2e-5, atol=1e-5)
    assert (common_slopes(found)[~np.isin(np.array(panel.objects)[panel.object_index], list(common))] == 0).all()
    for a in range(panel.n_assessors):
        rest = panel.subset(panel.assessor_index != a)
        values, _, _ = _dense(rest, common)
        again = dict(zip(rest.objects, values, strict=True))
        moved = [abs(again[label] - found.values[o]) for o, label in enumerate(panel.objects) if label in again]
        assert np.isclose(without.largest_shift[a], max(moved))


@pytest.mark.parametrize("common", [("2", "5", "9"), KNOWN], ids=["scores", "known values"])
def test_no_change_of_scores_moves_a_value_beyond_the_bound(common):
    panel = _panel()
    found = calibrate(panel, gauge="common", common=common)
    bounds = robustness(found)
    n = panel.n_objects
    _, _, covariance = _dense(panel, common)
    worst = np.sqrt(np.diag(covariance))
    assert np.allclose(bounds.worst_cases, worst[:n])
    assert (worst[:n] <= bounds.value_bounds).all() and (worst[n:] <= bounds.bias_bounds).all()
    solve = covariance @ np.vstack([np.eye(n)[panel.object_index].T, np.eye(6)[panel.assessor_index].T])
    assert np.allclose(bounds.value_sensitivities, np.abs(solve[:n] * panel.confidences).max(axis=1))


def test_known_values_far_away_are_a_shift_and_cost_no_digits():
    panel = _panel()
    near, far = (
        calibrate(panel, gauge="common", common={name: value + by for name, value in KNOWN.items()})
        for by in (0.0, 1e9)
    )
    assert np.allclose(far.values - 1e9, near.values, atol=1e-6)
    assert np.allclose(far.residuals, near.residuals, atol=1e-9)


def test_where_everybody_saw_the_common_objects_their_biases_add_up_to_nothing():
    panel = simulate_panel(6, 4, 4, seed=2).panel
    found, equal = calibrate(panel, gauge="common", common=["1", "4"]), calibrate(panel, gauge="equal")
    assert np.allclose(found.biases, equal.biases)
    assert np.isclose(found.values[[0, 3]].mean(), panel.scores[np.isin(panel.object_index, [0, 3])].mean())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gauge": "common"}, "go with the gauge"),
        ({"gauge": "equal", "common": ["1"]}, "go with the gauge"),
        ({"gauge": "common", "common": []}, "None is named"),
        ({"gauge": "common", "common": ["Z"]}, "Z is not among the objects"),
        ({"gauge": "common", "common": {"1": float("nan")}}, "finite number"),
    ],
)
def test_common_objects_that_cannot_fix_the_zero_are_refused(options, message):
    with pytest.raises(MethodNotApplicable, match=message):
        calibrate(_panel(), **options)


def _fit(panel, columns, target):
    """Return coefficients, unit covariance (Moore-Penrose) and weighted residual sum of squares."""
    root = np.sqrt(panel.confidences)
    covariance = np.linalg.pinv(columns.T @ (panel.confidences[:, None] * columns))
    found = covariance @ columns.T @ (panel.confidences * target)
    return found, covariance, float(((root * (target - columns @ found)) ** 2).sum())


def _indicators(index, count):
    return np.eye(count)[index]


@pytest.mark.slow
def test_whether_known_values_agree_is_the_f_test_of_fixing_them():
    panel = _panel()
    found = common_subset(calibrate(panel, gauge="common", common=KNOWN))
    objects, assessors = _indicators(panel.object_index, 14), _indicators(panel.assessor_index, 6)
    _, _, free = _fit(panel, np.hstack([objects, assessors]), panel.scores)
    # With the known values fixed but for a common shift, which the biases take up.
    places = [panel.objects.index(label) for label in KNOWN]
    offset = np.zeros(14)
    offset[places] = list(KNOWN.values())
    fixed = np.delete(objects, places, axis=1)
    _, _, held = _fit(panel, np.hstack([fixed, assessors]), panel.scores - offset[panel.object_index])
    freedom = panel.n_assessments - 14 - 6 + 1
    assert np.isclose(found.f_statistic, (held - free) / 2 / (free / freedom))
    values, _, covariance = _dense(panel, KNOWN)
    assert np.allclose(found.differences, values[found.objects] - found.held_at)
    assert np.allclose(found.errors, np.sqrt(np.diag(covariance)[found.objects] * free / freedom))


@pytest.mark.slow
def test_assessors_who_moved_are_found_by_the_interaction_written_out():
    made = simulate_panel(30, 6, 6, seed=5)
    common = [str(k) for k in range(1, 9)]
    late = made.panel.object_index >= 8
    third = made.panel.assessor_index == 2
    panel = Panel.from_records(
        [made.panel.objects[o] for o in made.panel.object_index],
        [made.panel.assessors[a] for a in made.panel.assessor_index],
        made.panel.scores + 20.0 * (late & third),
        made.panel.confidences,
    )
    found = common_subset(calibrate(panel, gauge="common", common=common))
    objects, assessors = _indicators(panel.object_index, 30), _indicators(panel.assessor_index, 6)
    columns = np.hstack([objects, assessors, assessors * late[:, None]])
    solved, covariance, left = _fit(panel, columns, panel.scores)
    freedom = panel.n_assessments - np.linalg.matrix_rank(columns)
    share = np.bincount(panel.assessor_index, panel.confidences)
    keep = np.eye(6) - share / share.sum()
    assert np.allclose(found.moved, keep @ solved[-6:])
    spread = keep @ covariance[-6:, -6:] @ keep.T
    assert np.allclose(found.moved_errors, np.sqrt(np.diag(spread) * left / freedom))
    assert found.moved_p[2] < 1e-4 and found.moved_p_value < 1e-4
    assert list(found.assessors) == list(range(6))
