"""Which further assessments would help most, against adding them."""

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.planning.further import further_assessments
from panels import connected_simulated_panel


def _mean_difference_variance(panel: Panel) -> float:
    fit = calibrate(panel)
    i, j = np.triu_indices(panel.n_objects, 1)
    return float(fit.equations.value_differences(i, j).mean())


def _own_error(panel: Panel, label: str) -> float:
    """Unit standard error of one value against the mean of all, from the plain pseudo-inverse."""
    n, m = panel.n_objects, panel.n_assessors
    system = np.zeros((n + m, n + m))
    for o, a, c in zip(panel.object_index, panel.assessor_index, panel.confidences, strict=True):
        x = np.zeros(n + m)
        x[o] = x[n + a] = 1
        system += c * np.outer(x, x)
    contrast = np.zeros(n + m)
    contrast[:n] = -1 / n
    contrast[panel.objects.index(label)] += 1
    return float(np.sqrt(contrast @ np.linalg.pinv(system, rcond=1e-12) @ contrast))


@pytest.mark.parametrize("shape", [(20, 8, 2), (8, 20, 6)])
def test_the_gain_is_what_adding_the_assessment_brings(shape):
    panel = connected_simulated_panel(*shape, seed=9)
    before = _mean_difference_variance(panel)
    suggested = further_assessments(calibrate(panel), most=3)
    assert len(suggested) == 3
    for pair in suggested:
        more = Panel.from_records(
            [*(panel.objects[k] for k in panel.object_index), pair.object],
            [*(panel.assessors[k] for k in panel.assessor_index), pair.assessor],
            [*panel.scores, 60.0],
            [*panel.confidences, np.median(panel.confidences)],
        )
        assert 1 - _mean_difference_variance(more) / before == pytest.approx(pair.gain, rel=1e-8)
        own = 1 - _own_error(more, pair.object) / _own_error(panel, pair.object)
        assert own == pytest.approx(pair.own_gain, rel=1e-8)


def test_each_object_is_named_once_and_each_assessor_at_most_twice():
    suggested = further_assessments(calibrate(connected_simulated_panel(20, 8, 2, seed=9)), most=50)
    assert len({pair.object for pair in suggested}) == len(suggested) > 5
    assessors = [pair.assessor for pair in suggested]
    assert max(assessors.count(label) for label in assessors) == 2


def test_no_other_assessment_would_bring_more():
    panel = connected_simulated_panel(10, 6, 2, seed=4)
    best = further_assessments(calibrate(panel), most=1)[0]
    before = _mean_difference_variance(panel)
    made = set(zip(panel.object_index.tolist(), panel.assessor_index.tolist(), strict=True))
    gains = []
    for o in range(panel.n_objects):
        for a in range(panel.n_assessors):
            if (o, a) not in made:
                more = Panel.from_records(
                    [*panel.object_index, o],
                    [*panel.assessor_index, a],
                    [*panel.scores, 60.0],
                    [*panel.confidences, np.median(panel.confidences)],
                )
                gains.append(1 - _mean_difference_variance(more) / before)
    assert best.gain == pytest.approx(max(gains), rel=1e-8)


def test_barred_pairs_are_not_proposed_and_names_from_elsewhere_bar_nothing():
    calibration = calibrate(connected_simulated_panel(20, 8, 2, seed=9))
    first, *_ = further_assessments(calibration)
    barred = {(first.object, first.assessor), (first.object, "nobody"), ("nothing", first.assessor)}
    now = further_assessments(calibration, barred=barred)
    assert now
    assert (first.object, first.assessor) not in {(pair.object, pair.assessor) for pair in now}
    others = {(label, first.assessor) for label in calibration.panel.objects}
    assert first.assessor not in {pair.assessor for pair in further_assessments(calibration, barred=others)}


def test_a_complete_panel_has_nothing_to_add():
    assert further_assessments(calibrate(Panel.from_matrix(np.arange(12.0).reshape(4, 3)))) == ()
