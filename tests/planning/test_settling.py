"""The assessment that would settle an open case, against adding its score and calibrating again."""

import numpy as np
import pytest
from scipy import stats

from panelcal import Panel, calibrate, uncertainty
from panelcal.planning.settling import settling_assessments
from panels import connected_simulated_panel


def with_one_more(panel: Panel, o: int, a: int, score: float) -> Panel:
    return Panel(
        panel.objects,
        panel.assessors,
        np.append(panel.object_index, o),
        np.append(panel.assessor_index, a),
        np.append(panel.scores, score),
        np.append(panel.confidences, np.median(panel.confidences)),
    )


def share_settled(panel: Panel, o: int, a: int, boundary: float, level: float, steps: int) -> float:
    """Share of refits whose interval leaves out the boundary, the new score at even steps of its own distribution."""
    calibration = calibrate(panel, gauge="equal")
    n, m = panel.n_objects, panel.n_assessors
    system = np.zeros((n + m, n + m))
    np.add.at(system, (panel.object_index, panel.object_index), panel.confidences)
    np.add.at(system, (n + panel.assessor_index, n + panel.assessor_index), panel.confidences)
    np.add.at(system, (panel.object_index, n + panel.assessor_index), panel.confidences)
    np.add.at(system, (n + panel.assessor_index, panel.object_index), panel.confidences)
    x = np.zeros(n + m)
    x[o] = x[n + a] = 1
    spread = x @ np.linalg.pinv(system) @ x + 1 / np.median(panel.confidences)
    law = stats.t(
        calibration.degrees_of_freedom,
        calibration.values[o] + calibration.biases[a],
        np.sqrt(calibration.w_unbiased * spread),
    )
    settled = []
    for share in (np.arange(steps) + 0.5) / steps:
        again = calibrate(with_one_more(panel, o, a, float(law.ppf(share))), gauge="equal")
        low, high = uncertainty(again).value_interval(level)[o]
        settled.append(not low <= boundary <= high)
    return float(np.mean(settled))


@pytest.mark.parametrize(("shape", "offset"), [((8, 5, 2), 1.5), ((5, 8, 3), -2.0), ((8, 5, 2), 0.0)])
def test_the_chance_is_the_share_of_refits_that_settle_the_case(shape, offset):
    panel = connected_simulated_panel(*shape, seed=12)
    calibration = calibrate(panel, gauge="equal")
    o = 1
    boundary = float(calibration.values[o]) - offset
    (case,) = settling_assessments(calibration, ((o, boundary),), level=0.8)
    assert case.object == o
    assert case.error_now == pytest.approx(uncertainty(calibration).value_errors[o])
    again = calibrate(with_one_more(panel, o, case.assessor, 60.0), gauge="equal")
    then = uncertainty(again).unit_value_errors[o] * np.sqrt(calibration.w_unbiased)
    assert case.error_then == pytest.approx(then)
    assert share_settled(panel, o, case.assessor, boundary, 0.8, 200) == pytest.approx(case.chance, abs=0.01)


@pytest.mark.slow
def test_no_other_assessor_would_settle_it_more_often():
    panel = connected_simulated_panel(7, 6, 2, seed=5)
    calibration = calibrate(panel, gauge="equal")
    boundary = float(calibration.values[0]) - 2.0
    (case,) = settling_assessments(calibration, ((0, boundary),), level=0.8)
    made = panel.assessor_index[panel.object_index == 0]
    shares = {
        a: share_settled(panel, 0, a, boundary, 0.8, 60) for a in range(panel.n_assessors) if a not in made.tolist()
    }
    assert max(shares.values()) == pytest.approx(case.chance, abs=0.03)
    assert shares[case.assessor] >= max(shares.values()) - 0.03


def test_in_the_usual_gauge_the_error_now_is_that_of_the_value():
    panel = connected_simulated_panel(12, 9, 4, seed=2)
    for gauge, reference in (("weighted", None), ("equal", None), ("reference", 55.0)):
        calibration = calibrate(panel, gauge=gauge, reference=reference)
        cases = tuple((o, float(value)) for o, value in enumerate(calibration.values))
        found = settling_assessments(calibration, cases)
        assert [case.error_now for case in found] == pytest.approx(list(uncertainty(calibration).value_errors))
        assert all(case.error_then < case.error_now for case in found if case.assessor >= 0)


def test_a_settled_case_is_left_out_and_one_that_all_assessed_has_nobody_left():
    panel = connected_simulated_panel(12, 9, 4, seed=2)
    calibration = calibrate(panel)
    far = float(calibration.values[0]) + 100.0
    assert settling_assessments(calibration, ((0, far),)) == ()
    complete = calibrate(Panel.from_matrix([[50.0, 61.0, 70.0], [55.0, 60.0, 72.0], [41.0, 53.0, 60.0]]))
    (case,) = settling_assessments(complete, ((1, float(complete.values[1])),))
    assert case.assessor == -1
    assert np.isnan(case.chance)


def test_who_may_not_is_not_asked_to_settle_a_case():
    panel = connected_simulated_panel(12, 9, 4, seed=2)
    calibration = calibrate(panel)
    case = ((0, float(calibration.values[0])),)
    (best,) = settling_assessments(calibration, case)
    barred = {(panel.objects[0], panel.assessors[best.assessor])}
    (second,) = settling_assessments(calibration, case, barred=barred)
    assert second.assessor not in (-1, best.assessor)
    assert second.chance <= best.chance
    all_of_them = {(panel.objects[0], label) for label in panel.assessors}
    assert [one.assessor for one in settling_assessments(calibration, case, barred=all_of_them)] == [-1]


def test_without_scores_to_spare_nothing_is_said():
    assert settling_assessments(calibrate(Panel.from_matrix([[50.0, 60.0], [55.0, None]])), ((0, 55.0),)) == ()
