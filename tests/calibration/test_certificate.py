"""The proven error against exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from panelcal import Panel, calibrate, certify
from panels import connected_simulated_panel
from reference_cases import EXACT, load_case
from scale_panels import longdouble_values

TIGHT = 64  # the bound may be this many units in the last place wide


def _exact_values(panel: Panel) -> list[Fraction]:
    """Values in gauge (36) by rational elimination of the bordered normal equations."""
    n, m = panel.n_objects, panel.n_assessors
    size = n + m + 1
    rows = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for o, a, s, c in zip(panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True):
        score, weight = Fraction(float(s)), Fraction(float(c))
        for i, j in ((o, o), (n + a, n + a), (o, n + a), (n + a, o)):
            rows[i][j] += weight
        rows[o][size] += weight * score
        rows[n + a][size] += weight * score
        rows[size - 1][n + a] += weight
        rows[n + a][size - 1] += weight
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [rows[k][size] for k in range(n)]


@pytest.mark.parametrize("name", EXACT)
def test_the_certificate_holds_against_exact_rationals_and_is_tight(name):
    case = load_case(name)
    result = calibrate(case.panel)
    proven = certify(result)
    exact = _exact_values(case.panel)
    off = max(abs(Fraction(float(v)) - x) for v, x in zip(result.values, exact, strict=True))
    assert off <= Fraction(proven.solution_error)
    assert proven.solution_error <= TIGHT * np.spacing(max(1.0, np.abs(result.values).max()))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("gauge", ["weighted", "equal"])
def test_the_certificate_holds_against_the_certified_files(name, gauge):
    case = load_case(name)
    result = calibrate(case.panel, gauge=gauge)
    assert np.abs(result.values - case.values(gauge)).max() <= certify(result).solution_error


def test_the_certificate_notices_a_wrong_answer():
    """Spoil the stored solution by one part in a million: the proven error must say at least that."""
    from dataclasses import replace

    result = calibrate(connected_simulated_panel(30, 9, 4, seed=1))
    wrong = result.centred_values.copy()
    wrong[7] += 1e-6
    spoiled = replace(result, centred_values=wrong, values=result.centre + wrong)
    assert certify(spoiled).solution_error >= 1e-6
    assert certify(result).solution_error < 1e-12


def test_a_shift_out_of_the_gauge_is_an_error_too():
    from dataclasses import replace

    result = calibrate(connected_simulated_panel(30, 9, 4, seed=1))
    spoiled = replace(
        result,
        centred_values=result.centred_values + 1e-3,
        values=result.values + 1e-3,
        biases=result.biases - 1e-3,
    )
    assert certify(spoiled).solution_error >= 0.999e-3


@pytest.mark.parametrize("size", [1.0, 1e7])
def test_rounding_of_the_gauge_is_counted(size):
    """Large biases of either sign over values near zero, where the rounded sums of confidences matter most."""
    random = np.random.default_rng(5)
    for _ in range(10):
        biases = size * 100 * np.array([-1.0, 0.01, 1.0, -0.4, 0.7])
        panel = Panel.from_matrix(random.normal(0, 1, (5, 5)) + biases, random.uniform(0.5, 1.0, 5))
        fit = calibrate(panel)
        off = max(abs(Fraction(float(v)) - x) for v, x in zip(fit.values, _exact_values(panel), strict=True))
        assert off <= Fraction(certify(fit).solution_error)


def test_large_scores_and_wild_confidences_are_certified_too():
    random = np.random.default_rng(3)
    objects, assessors = np.repeat(np.arange(12), 4), np.tile(np.arange(4), 12)
    scores = 1e12 + random.integers(0, 100, 48)
    panel = Panel.from_records(objects, assessors, scores, 10.0 ** random.uniform(-8, 8, 48))
    result = calibrate(panel)
    exact = _exact_values(panel)
    off = max(abs(Fraction(float(v)) - x) for v, x in zip(result.values, exact, strict=True))
    assert off <= Fraction(certify(result).solution_error) <= Fraction(1, 1000)


@pytest.mark.parametrize("seed", [72, 75, 87])
def test_parts_that_hang_together_by_links_of_17_decades_less_keep_their_digits(seed):
    """A step that leaves a thousandth of the error says little of what is left: 2e-10 marks were."""
    random = np.random.default_rng(seed)
    n, m = int(random.integers(2, 8)), int(random.integers(2, 7))
    count = int(random.integers(n + m - 1, 2 * (n + m)))
    objects = np.r_[np.arange(n), random.integers(0, n, max(0, count - n))]
    assessors = random.integers(0, m, len(objects))
    confidences, scores = 10.0 ** random.uniform(-9, 9, len(objects)), random.uniform(0, 100, len(objects))
    panel = Panel.from_records(objects, assessors, scores, confidences)
    exact = _exact_values(panel)
    off = max(abs(Fraction(float(v)) - x) for v, x in zip(calibrate(panel).values, exact, strict=True))
    assert off <= Fraction(5e-13)


@pytest.mark.slow
def test_the_bound_on_a_long_chain_is_within_ten_thousand_times_the_truth():
    """Every object is seen by two neighbours, so that mu_2 is some 1e-8 and errors could hide in slow modes."""
    n = 20_000
    random = np.random.default_rng(1)
    objects = np.repeat(np.arange(n), 2)
    assessors = objects + np.arange(2 * n) % 2
    panel = Panel.from_records(objects, assessors, random.normal(60, 15, 2 * n), random.choice([0.01, 0.04], 2 * n))
    fit = calibrate(panel)
    off = float(np.abs(fit.values - longdouble_values(panel)).max())
    assert off <= certify(fit).solution_error <= 1e4 * max(off, 1e-14)
