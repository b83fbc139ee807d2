"""Fits that gross errors cannot move: against statsmodels, linear programming and the definition of median polish."""

import numpy as np
import pytest
from scipy import optimize

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate, uncertainty
from panelcal.calibration.outliers import _reweighted_absolute, bisquare, least_absolute, median_polish
from panelcal.files.load import load_source
from panelcal.reading.read import read_panel
from panelcal.shipped import templates_folder
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case

# statsmodels 0.14, RLM(TukeyBiweight(4.685)).fit(update_scale=False, tol=1e-13) on the rows times sqrt(confidence).
STATSMODELS_SCALE = 7.612726632898008
STATSMODELS_VALUES = [
    0.0, 15.10680761, 29.38263947, 9.151407, 23.21597884, 5.01509236,
    20.52482345, 34.6621928, 12.85724024, 26.87286102, 10.32403962, 21.71884405,
]  # fmt: skip
STATSMODELS_WEIGHT_SUM = 67.49042089703187
GROSS = [5, 31, 60]


def _made_by_formula() -> Panel:
    o, a = (index.ravel() for index in np.indices((12, 8)))
    seen = (o + 3 * a) % 4 != 0
    o, a = o[seen], a[seen]
    scores = 50 + 3.0 * ((5 * o) % 12) + 2.0 * ((3 * a) % 8) + ((7 * o * o + 11 * o * a + 5 * a * a) % 13 - 6.0)
    scores[GROSS] += [40, -35, 50]
    return Panel.from_records(o, a, scores, 1.0 + (o + 2 * a) % 3)


def test_at_a_fixed_scale_it_is_statsmodels_rlm():
    found = bisquare(_made_by_formula(), scale=STATSMODELS_SCALE)
    assert found.values - found.values[0] == pytest.approx(STATSMODELS_VALUES, abs=1e-6)
    assert found.weights.sum() == pytest.approx(STATSMODELS_WEIGHT_SUM, abs=1e-6)


def test_gross_errors_are_found_and_reported():
    found = bisquare(_made_by_formula())
    assert np.flatnonzero(found.weights < 0.1).tolist() == GROSS
    assert found.scale < STATSMODELS_SCALE


def test_a_gross_error_hardly_moves_the_values_however_gross():
    panel = simulated_panel(40, 8, 5, seed=1)
    scores = panel.scores.copy()
    scores[7] += 1e6
    spoilt = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
    assert np.abs(bisquare(spoilt).values - bisquare(panel).values).max() < 12
    assert np.abs(median_polish(spoilt).values - median_polish(panel).values).max() < 12
    assert np.abs(calibrate(spoilt).values - calibrate(panel).values).max() > 1e3


def test_with_normal_noise_the_errors_are_about_those_of_least_squares():
    """At k = 4.685 the bisquare is 95% efficient, and its standard errors say so."""
    ratios, held = [], []
    for seed in range(10):
        random = np.random.default_rng(seed)
        objects = np.repeat(np.arange(60), 6)
        assessors = np.concatenate([random.choice(10, 6, replace=False) for _ in range(60)])
        values = random.normal(60, 9, 60)
        scores = values[objects] + 4 * random.standard_normal(10)[assessors] + 5 * random.standard_normal(360)
        panel = Panel.from_records(objects, assessors, scores)
        found = bisquare(panel)
        ratios.append(np.mean(found.value_errors / uncertainty(calibrate(panel)).value_errors))
        apart = (found.values - found.values.mean()) - (values - values.mean())
        held.append(np.mean(np.abs(apart) < 1.96 * found.value_errors))
    assert np.mean(ratios) == pytest.approx(1.03, abs=0.06)
    assert np.mean(held) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize("shape", [(15, 5, 3), (5, 14, 8)])
def test_least_absolute_is_the_linear_programme_written_out(shape):
    panel = connected_simulated_panel(*shape, seed=4)
    root, count = np.sqrt(panel.confidences), panel.n_assessments
    design = np.zeros((count, panel.n_objects + panel.n_assessors))
    design[np.arange(count), panel.object_index] = 1
    design[np.arange(count), panel.n_objects + panel.assessor_index] = 1
    unknowns = design.shape[1]
    full = np.hstack([design * root[:, None], np.eye(count), -np.eye(count)])
    cost = np.concatenate([np.zeros(unknowns), np.ones(2 * count)])
    bounds = [(None, None)] * unknowns + [(0, None)] * (2 * count)
    best = optimize.linprog(cost, A_eq=full, b_eq=panel.scores * root, bounds=bounds)
    values, biases = least_absolute(panel)
    reached = root @ np.abs(panel.scores - values[panel.object_index] - biases[panel.assessor_index])
    assert reached == pytest.approx(best.fun, rel=1e-9)
    # The way for panels too large for a linear programme comes close.
    values, biases = _reweighted_absolute(panel, root)
    close = root @ np.abs(panel.scores - values[panel.object_index] - biases[panel.assessor_index])
    assert close == pytest.approx(best.fun, rel=5e-3)


def test_median_polish_leaves_no_median_behind():
    panel = Panel.from_matrix(np.random.default_rng(5).normal(60, 10, (9, 7)))
    found = median_polish(panel)
    table = found.residuals.reshape(9, 7)
    assert np.median(table, axis=0) == pytest.approx(0, abs=1e-6)
    assert np.median(table, axis=1) == pytest.approx(0, abs=1e-6)
    assert np.median(found.biases) == pytest.approx(0, abs=1e-12)
    fitted = found.values[panel.object_index] + found.biases[panel.assessor_index]
    assert fitted + found.residuals == pytest.approx(panel.scores)


def test_equal_values_of_a_median_polish_are_equal_to_the_digits_by_which_ranks_are_told_apart():
    """Sweeps halve what is left, so stopping early would rank one of several equal values above the others."""
    panel = read_panel(load_source(templates_folder() / "job_panel_example.xlsx")).panel
    quarters = 4 * median_polish(panel).values  # of whole and half scores, medians of medians end on such
    assert np.abs(quarters - np.round(quarters)).max() < 1e-9


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(MethodNotApplicable, match="too few to tell"):
        bisquare(load_case("one_assessor").panel)
    with pytest.raises(MethodNotApplicable, match="exactly"):
        bisquare(Panel.from_matrix(np.add.outer([1.0, 5, 2, 8, 3], [0.0, 1, 5, 2])))
    for method in (bisquare, median_polish):
        with pytest.raises(DisconnectedPanel):
            method(load_case("disconnected_two").panel)
