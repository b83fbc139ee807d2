"""The verdict: F test, variance components and expected errors, each against an independent way to the same number."""

import tracemalloc

import numpy as np
import pytest
from scipy import optimize, stats

from panelcal import Panel, calibrate, verdict
from panelcal.calibration import advice
from panelcal.calibration import expected_errors as errors_module
from panelcal.calibration import verdict as module
from panelcal.calibration.expected_errors import ExpectedErrors, expected_errors, expected_errors_at_scale
from panelcal.calibration.variance_components import assessor_system, object_shares
from panelcal.panel import as_dense
from panels import connected_simulated_panel, simulated_panel
from reference_cases import load_case
from scale_panels import well_linked


def _design(panel: Panel) -> tuple[np.ndarray, np.ndarray]:
    n = panel.n_assessments
    objects, assessors = np.zeros((n, panel.n_objects)), np.zeros((n, panel.n_assessors))
    objects[np.arange(n), panel.object_index] = 1
    assessors[np.arange(n), panel.assessor_index] = 1
    return objects, assessors


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_the_f_test_compares_the_models_with_and_without_biases(shape):
    panel = connected_simulated_panel(*shape, seed=2)
    objects, assessors = _design(panel)
    root = np.sqrt(panel.confidences)

    def left_over(design: np.ndarray) -> float:
        fitted = design @ np.linalg.lstsq(design * root[:, None], panel.scores * root, rcond=None)[0]
        return float(panel.confidences @ (panel.scores - fitted) ** 2)

    without, full = left_over(objects), left_over(np.hstack([objects, assessors]))
    df1, df2 = panel.n_assessors - 1, panel.n_assessments - panel.n_objects - panel.n_assessors + 1
    expected = (without - full) / df1 / (full / df2)
    result = verdict(panel)
    assert result.f_statistic == pytest.approx(expected, rel=1e-9)
    assert result.p_value == pytest.approx(stats.f.sf(expected, df1, df2), rel=1e-7)


@pytest.mark.parametrize("shape", [(25, 8, 4), (8, 25, 12)])
def test_the_variance_components_maximise_the_restricted_likelihood(shape):
    """Dense restricted likelihood with objects fixed and biases random, maximised by a general optimiser."""
    panel = connected_simulated_panel(*shape, seed=7)
    objects, assessors = _design(panel)

    def deviance(logs: np.ndarray) -> float:
        w, of_bias = np.exp(logs)
        covariance = w * np.diag(1 / panel.confidences) + of_bias * assessors @ assessors.T
        inverse = np.linalg.inv(covariance)
        information = objects.T @ inverse @ objects
        projected = inverse - inverse @ objects @ np.linalg.solve(information, objects.T @ inverse)
        return float(
            np.linalg.slogdet(covariance)[1]
            + np.linalg.slogdet(information)[1]
            + panel.scores @ projected @ panel.scores
        )

    start = np.log([calibrate(panel).w_unbiased, 20.0])
    best = optimize.minimize(
        deviance, start, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000}
    )
    result = verdict(panel)
    assert result.noise_variance == pytest.approx(np.exp(best.x[0]), rel=1e-4)
    assert result.assessor_variance == pytest.approx(np.exp(best.x[1]), rel=1e-4)


@pytest.mark.slow
def test_expected_errors_are_those_of_simulated_panels_on_the_same_graph():
    panel = connected_simulated_panel(30, 10, 4, seed=3)
    result = verdict(panel)
    random = np.random.default_rng(0)
    objects, assessors = _design(panel)
    weights = panel.object_totals(panel.confidences) / panel.confidences.sum()
    squares = {"raw": [], "calibrated": []}
    for _ in range(1500):
        truth = random.normal(60, 9, panel.n_objects)
        biases = random.normal(0, np.sqrt(result.assessor_variance), panel.n_assessors)
        noise = np.sqrt(result.noise_variance / panel.confidences) * random.standard_normal(panel.n_assessments)
        scores = objects @ truth + assessors @ biases + noise
        again = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        raw = again.object_totals(again.confidences * scores) / again.object_totals(again.confidences)
        for name, values in (("raw", raw), ("calibrated", calibrate(again).values)):
            off = values - truth
            squares[name].append(np.mean((off - weights @ off) ** 2))
    for name, found in squares.items():
        assert result.expected_error[name] == pytest.approx(np.sqrt(np.mean(found)), rel=0.03)
    assert result.expected_error["shrunken"] <= min(result.expected_error["raw"], result.expected_error["calibrated"])


def test_small_biases_under_much_noise_are_better_left_alone():
    """Random assignment, bias SD 2 against noise SD 7: plain averages do better in most runs (METHODS)."""
    advice = [verdict(simulated_panel(80, 60, 9, seed, bias_sd=1.0, noise_sd=9.0)).advice for seed in range(12)]
    assert advice.count("calibrate") <= 2


def test_large_biases_are_worth_correcting():
    advice = [verdict(simulated_panel(80, 40, 9, seed, bias_sd=8.0, noise_sd=5.0)).advice for seed in range(6)]
    assert advice == ["calibrate"] * 6


def test_the_variance_of_the_true_values_is_recovered_on_average():
    found = [verdict(simulated_panel(120, 15, 5, seed)).object_variance for seed in range(20)]
    assert np.mean(found) == pytest.approx(81.0, rel=0.1)


@pytest.mark.parametrize("name", ["one_assessor", "one_by_one", "one_object"])
def test_a_panel_with_nothing_to_judge_by_gets_no_verdict(name):
    result = verdict(load_case(name).panel)
    assert result.advice == "cannot tell"
    assert np.isnan(result.p_value)


def test_a_panel_without_any_noise_is_calibrated():
    """Values 60, 50, 40 and biases 0 and 2, but not everybody saw everything, so averages are off."""
    result = verdict(Panel.from_matrix([[60.0, 62.0], [50.0, 52.0], [40.0, np.nan]]))
    assert result.advice == "calibrate"
    assert result.expected_error["calibrated"] == 0.0 < result.expected_error["raw"]


@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_where_all_see_all_alike_averages_and_calibrated_values_coincide_and_it_says_so(noise):
    """It used to advise calibrating: "0.34 against 0.34, largest change 0.0"."""
    random = np.random.default_rng(0)
    scores = np.linspace(40, 70, 9)[:, None] + np.array([-6.0, -1.0, 2.0, 5.0])
    result = verdict(Panel.from_matrix(scores + noise * random.standard_normal(scores.shape)))
    assert result.advice == "no difference"
    assert result.largest_change == pytest.approx(0.0, abs=1e-9)
    assert result.sentence.startswith("It makes no difference")


def test_one_missing_score_of_many_makes_hardly_a_difference():
    random = np.random.default_rng(1)
    scores = random.normal(60, 9, (200, 1)) + random.standard_normal((200, 6))
    scores[0, 0] = np.nan
    assert verdict(Panel.from_matrix(scores)).advice == "no difference"


def test_a_panel_in_full_agreement_has_nothing_to_calibrate():
    for scores in ([[60.1, 60.1], [50.3, 50.3], [40.7, 40.7]], [[5.0, 5.0], [5.0, 5.0]]):
        result = verdict(Panel.from_matrix(scores, [1.0, 3.0]))
        assert result.advice == "average"
        assert "agree" in result.sentence and "nan" not in result.sentence


def test_the_better_of_two_minima_of_the_likelihood_is_found():
    """A panel whose restricted likelihood has one minimum at zero bias variance and a deeper one elsewhere."""
    objects, assessors = [0, 1, 0, 1, 0, 2, 1, 3, 4, 0, 3, 2, 3], [0, 1, 2, 2, 1, 2, 3, 1, 2, 1, 2, 1, 3]
    scores = [64.5, 56.8, 53.6, 52.5, 52.8, 55.1, 47.9, 68.8, 61.5, 62.4, 68.3, 49.4, 49.7]
    confidences = [8.371, 0.3618, 0.1375, 0.1616, 0.1029, 0.2674, 0.3835, 2.8851, 2.9731, 1.1424, 0.2044, 1.4336, 0.348]
    result = verdict(Panel.from_records(objects, assessors, scores, confidences))
    assert result.noise_variance == pytest.approx(9.03, abs=0.01)
    assert result.assessor_variance == pytest.approx(43.5, abs=0.1)


@pytest.mark.parametrize("noise", [1e-3, 1e-5])
def test_very_small_noise_does_not_hide_the_biases(noise):
    random = np.random.default_rng(1)
    biases = np.array([-6.0, -3.0, 0.0, 3.0, 6.0])
    scores = random.normal(60, 9, (12, 1)) + biases + noise * random.standard_normal((12, 5))
    assert verdict(Panel.from_matrix(scores)).assessor_variance == pytest.approx(22.5, rel=0.01)


def test_expected_errors_of_few_assessors_an_object_need_no_table_of_all_of_them():
    """The same as from the table of shares, which is not made where hardly any of its cells would be filled."""
    fit = calibrate(well_linked(9_000, 120, 3, seed=4))
    shares = object_shares(fit)
    powers, directions = assessor_system(fit, shares)
    fit.equations.diagonals()
    table = expected_errors(fit, as_dense(shares), powers, directions, 49.0, 0.2)
    tracemalloc.start()
    gathered = expected_errors(fit, shares, powers, directions, 49.0, 0.2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.75 * shares.shape[0] * shares.shape[1] * 8
    assert gathered.squares == pytest.approx(table.squares, rel=1e-10)
    assert gathered.by_chance == pytest.approx(table.by_chance, rel=1e-10)
    assert gathered.difference_error == pytest.approx(table.difference_error, rel=1e-10)
    assert gathered.correlation == pytest.approx(table.correlation, rel=1e-10)


@pytest.mark.parametrize("shape", [(60, 12, 4), (12, 60, 20)])
def test_expected_errors_at_scale_are_those_with_eigenvectors(monkeypatch, shape):
    """Calibrated and raw exactly, shrunken to the error of the random probes."""
    fit = calibrate(connected_simulated_panel(*shape, seed=5))
    shares = object_shares(fit)
    monkeypatch.setattr(errors_module, "_FEWEST_PROBES", 400)
    for ratio in (0.0, 0.05, 3.0):
        exact = expected_errors(fit, shares, *assessor_system(fit, shares), 49.0, ratio)
        found = expected_errors_at_scale(fit, shares, 49.0, ratio)
        assert found.correlation == pytest.approx(exact.correlation, rel=1e-6, nan_ok=True)
        for one, two in ((found.squares, exact.squares), (found.by_chance, exact.by_chance)):
            assert one["raw"] == pytest.approx(two["raw"], rel=1e-9)
            assert one["calibrated"] == pytest.approx(two["calibrated"], rel=1e-9)
            assert one["shrunken"] == pytest.approx(two["shrunken"], rel=0.03)


def _able_meet_generous(seed: int, selection: float) -> tuple[Panel, np.ndarray]:
    """54 objects, 18 assessors, 4 scores each; the abler, the likelier a generous assessor. And the true values."""
    random = np.random.default_rng(seed)
    ability, generosity = random.standard_normal(54), random.standard_normal(18)
    odds = selection * np.outer(ability, generosity) + random.gumbel(size=(54, 18))
    objects, assessors = np.repeat(np.arange(54), 4), np.argsort(-odds, axis=1)[:, :4].ravel()
    scores = 60 + 8 * ability[objects] + 5 * generosity[assessors] + 6 * random.standard_normal(len(objects))
    return Panel.from_records(objects, assessors, scores), 60 + 8 * ability


@pytest.mark.parametrize("selection", [0.0, 0.8])
def test_expected_errors_hold_on_average_whoever_met_whom(selection):
    """Averages of able objects with generous assessors are further off than chance assignment would have it."""
    expected, true = [], []
    for seed in range(60):
        panel, values = _able_meet_generous(seed, selection)
        fit = calibrate(panel)
        found = verdict(panel, calibration=fit)
        raw = panel.object_totals(panel.scores) / panel.object_totals(np.ones(panel.n_assessments))
        expected.append([found.expected_square[name] for name in ("raw", "calibrated")])
        true.append([np.var(estimate - values) for estimate in (raw, fit.values)])
    assert np.sqrt(np.mean(expected, axis=0)) == pytest.approx(np.sqrt(np.mean(true, axis=0)), rel=0.05)


def test_who_met_whom_is_told_in_words():
    """Estimated values and biases err in opposite directions, so their plain correlation would be too low."""
    found = [verdict(_able_meet_generous(seed, 0.8)[0], objects="students", assessors="modules") for seed in range(20)]
    assert np.mean([one.correlation for one in found]) == pytest.approx(0.79, abs=0.08)
    told = [one for one in found if "Stronger students had more generous modules (correlation 0." in one.sentence]
    assert len(told) >= 15
    by_chance = [verdict(_able_meet_generous(seed, 0.0)[0]) for seed in range(20)]
    assert sum("Stronger" in one.sentence for one in by_chance) <= 2


def test_calibrating_without_a_clear_sign_of_biases_is_not_called_worth_correcting():
    squares = {"raw": 8.0, "calibrated": 6.0, "shrunken": 5.9}
    expected = ExpectedErrors(squares, squares, 1.0, float("nan"), float("nan"))
    nouns = advice.Nouns("modules", "students")
    for p_value, words in ((0.2, "but averages are likely further off"), (0.01, "and it is worth correcting")):
        said = advice.advice_sentence("calibrate", advice.Found(p_value, expected, 1.0, 2.0), nouns)
        assert words in said and said.startswith("Calibrate: ")


def test_a_near_tie_is_not_decided():
    """Either may be better: the verdict says that it cannot tell, and one shade clearer that it can."""

    def judged(raw: float, error: float) -> str:
        squares = {"raw": raw, "calibrated": 6.0, "shrunken": 5.9}
        return advice.advise(ExpectedErrors(squares, {**squares, "raw": 6.2}, error, 0.0, 1.0), largest_change=2.0)

    assert judged(6.2, 0.5) == judged(5.8, 0.5) == "cannot tell"
    assert judged(6.2, 0.1) == "calibrate"
    assert judged(5.8, 0.1) == "average"


def test_moments_find_the_variances_that_made_the_scores(monkeypatch):
    """1,500 objects, 300 assessors, biases of deviation 5, noise of variance 49 x 15 per unit of confidence."""
    monkeypatch.setattr(module, "_MOST_BY_LIKELIHOOD", 100)
    result = verdict(simulated_panel(1500, 300, 6, seed=3))
    assert result.method == "moments"
    assert result.assessor_variance == pytest.approx(25, rel=0.25)
    assert result.noise_variance == pytest.approx(49 * 15, rel=0.05)
    monkeypatch.undo()
    assert verdict(simulated_panel(1500, 300, 6, seed=3)).method == "restricted likelihood"
