"""The monotone spline against an independent solution of the same problem."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.interpolate import BSpline
from scipy.optimize import lsq_linear

from anchors.simulated_agents import World, simulate
from made_up_input import more_when_thorough, thorough
from panelcal.anchors.monotone_spline import SMOOTHINGS, fit_spline, spline_errors

SAME_CURVE = 1e-6  # points; the independent solver stops at its own tolerance
SLACK = 1e-9


def penalty_by_quadrature(knots):
    """Integrals of products of second derivatives of the B-splines, numerically, piece by piece."""
    count = len(knots) - 4
    bends = [BSpline(knots, np.eye(count)[k], 3).derivative(2) for k in range(count)]
    breaks = np.unique(knots)
    matrix = np.zeros((count, count))
    for i in range(count):
        for j in range(i + 1):
            for low, high in itertools.pairwise(breaks):
                if high > knots[i] and low < knots[j + 4]:  # elsewhere one of the two is nothing
                    matrix[i, j] += quad(lambda t, i=i, j=j: bends[i](t) * bends[j](t), low, high, epsabs=1e-12)[0]
            matrix[j, i] = matrix[i, j]
    return matrix


def knots_as_documented(scores):
    """Five interior knots at quantiles of the scores, on the range scaled to 1."""
    scaled = (scores - scores.min()) / np.ptp(scores)
    inner = np.quantile(scaled, np.arange(1, 6) / 6)
    return scaled, np.concatenate([np.zeros(4), inner, np.ones(4)])


def problem_written_out(scores):
    """Matrix from first height and steps to values, and a root of the penalty."""
    scaled, knots = knots_as_documented(scores)
    count = len(knots) - 4
    values = np.column_stack([BSpline(knots, np.eye(count)[k], 3)(scaled) for k in range(count)])
    eigenvalues, vectors = np.linalg.eigh(penalty_by_quadrature(knots))
    steps_to_heights = np.tril(np.ones((count, count)))
    root = vectors.T * np.sqrt(np.maximum(eigenvalues, 0))[:, None]
    return values @ steps_to_heights, root @ steps_to_heights, knots


def solved_independently(values, root, consensus, smoothing):
    """First height and steps, none negative, at the minimum; by another solver."""
    n, count = values.shape
    stacked = np.vstack([values / np.sqrt(n), np.sqrt(smoothing) * root])
    target = np.concatenate([consensus / np.sqrt(n), np.zeros(count)])
    lower = np.concatenate([[-np.inf], np.zeros(count - 1)])
    return lsq_linear(stacked, target, (lower, np.inf), method="bvls", tol=1e-14).x


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [12, 60, 240])
def test_curve_is_the_minimum_found_by_another_solver_with_the_penalty_integrated_numerically(seed, n):
    random = np.random.default_rng(100 * seed + n)
    scores = random.uniform(20, 80, n)
    consensus = 100 / (1 + np.exp(-(scores - 50) / (3 + 4 * seed))) + random.normal(0, 4 * seed, n)
    fit = fit_spline(scores, consensus, np.ones(n))
    values, root, knots = problem_written_out(scores)
    other = BSpline(knots, np.cumsum(solved_independently(values, root, consensus, fit.smoothing)), 3)
    at = np.linspace(scores.min(), scores.max(), 301)
    assert fit.pieces(at) == pytest.approx(other((at - scores.min()) / np.ptp(scores)), abs=SAME_CURVE)


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "n"), [(0, 20), (0, 60), (1, 30), (2, 240), (4, 25), (5, 40)])
def test_lambda_minimises_cross_validation_with_degrees_of_freedom_written_out(agent, n):
    trial = simulate(World(), agent, n, 1)
    scores = trial.anchor_scores[agent] + np.linspace(0, 0.1, n)
    values, root, _ = problem_written_out(scores)
    criteria, freedoms = [], []
    for smoothing in SMOOTHINGS:
        solution = solved_independently(values, root, trial.consensus, smoothing)
        # Where the active set stays, the fit is linear in the consensus: its trace, column by column, by lstsq.
        free = np.concatenate([[True], solution[1:] > 1e-9])
        stacked = np.vstack([values[:, free] / np.sqrt(n), np.sqrt(smoothing) * root[:, free]])
        changes = np.linalg.lstsq(stacked, np.vstack([np.eye(n) / np.sqrt(n), np.zeros((len(root), n))]), rcond=None)[0]
        freedoms.append(np.trace(values[:, free] @ changes))
        left = np.sum((trial.consensus - values @ solution) ** 2)
        criteria.append(left / (1 - 2.5 * freedoms[-1] / n) ** 2 if 2.5 * freedoms[-1] < n else np.inf)
    fit = fit_spline(scores, trial.consensus, np.ones(n))
    assert fit.smoothing == SMOOTHINGS[np.argmin(criteria)]
    assert fit.degrees_of_freedom == pytest.approx(freedoms[np.argmin(criteria)], abs=1e-4)


def test_a_tenth_of_the_range_in_scores_gives_the_same_curve():
    trial = simulate(World(), 1, 120, 1)
    scores, ones = trial.anchor_scores[0], np.ones(120)
    whole, tenth = fit_spline(scores, trial.consensus, ones), fit_spline(scores / 10 - 7, trial.consensus, ones)
    assert tenth.smoothing == whole.smoothing
    at = np.linspace(-5, 105, 50)
    assert tenth.pieces(at / 10 - 7) == pytest.approx(whole.pieces(at), abs=1e-8)


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e9])
def test_the_unit_of_the_consensus_does_not_matter(unit):
    trial = simulate(World(), 2, 120, 1)
    scores, ones = trial.anchor_scores[3], np.ones(120)
    curve = fit_spline(scores, trial.consensus, ones).pieces
    scaled = fit_spline(scores, unit * trial.consensus, ones).pieces
    at = np.linspace(0, 100, 50)
    assert scaled(at) / unit == pytest.approx(curve(at), abs=1e-7)


def test_weights_count_anchors_as_if_they_were_repeated():
    trial = simulate(World(), 3, 60, 1)
    times = np.random.default_rng(0).integers(0, 4, 60)
    scores = trial.anchor_scores[1]
    weighted = fit_spline(scores, trial.consensus, times.astype(float))
    repeated = fit_spline(np.repeat(scores, times), np.repeat(trial.consensus, times), np.ones(times.sum()))
    at = np.linspace(0, 100, 50)
    assert weighted.smoothing == repeated.smoothing
    assert weighted.pieces(at) == pytest.approx(repeated.pieces(at), abs=1e-7)
    assert weighted.degrees_of_freedom == pytest.approx(repeated.degrees_of_freedom)


def test_points_on_a_line_give_that_line_and_two_degrees_of_freedom_at_most_smoothing():
    scores = np.linspace(10, 70, 30)
    fit = fit_spline(scores, 20 + 0.5 * scores, np.ones(30))
    assert fit.smoothing == SMOOTHINGS[-1]
    assert fit.degrees_of_freedom == pytest.approx(2, abs=0.01)
    assert fit.pieces(np.array([-10.0, 10.0, 33.3, 70.0, 90.0])) == pytest.approx([15, 25, 36.65, 55, 65], abs=1e-6)


@more_when_thorough
@settings(max_examples=thorough(150), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=3, max_size=60).filter(
        lambda pairs: len({score for score, _ in pairs}) > 1
    )
)
def test_it_never_falls_and_has_no_jumps(pairs):
    scores, consensus = np.array(pairs, dtype=float).T
    pieces = fit_spline(scores, consensus, np.ones(len(scores))).pieces
    at = np.union1d(np.linspace(-50, 150, 801), pieces.breaks)
    values = pieces(at)
    assert np.isfinite(values).all()
    assert np.diff(values).min() >= -SLACK
    for each in pieces.breaks:
        below, above = pieces(np.array([np.nextafter(each, -np.inf), each]))
        assert below == pytest.approx(above, abs=1e-6)


def test_errors_without_penalty_or_constraints_are_those_of_least_squares():
    random = np.random.default_rng(5)
    scores = random.uniform(0, 100, 80)
    scaled, knots = knots_as_documented(scores)
    values = BSpline.design_matrix(scaled, knots, 3).toarray()
    at = np.array([scores.min(), 20.0, 50.0, 77.0])
    there = BSpline.design_matrix((at - scores.min()) / np.ptp(scores), knots, 3).toarray()
    expected = 7 * np.sqrt(np.einsum("ij,jk,ik->i", there, np.linalg.inv(values.T @ values), there))
    assert spline_errors(scores, 7.0, 1e-14, at) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("smoothing", [1e-6, 1e-3, 1e-1])
def test_errors_are_the_posterior_of_the_penalty_at_a_hundredth_of_lambda(smoothing):
    scores = np.random.default_rng(5).uniform(0, 100, 80)
    values, root, _ = problem_written_out(scores)
    inverse = np.linalg.inv(values.T @ values / 80 + smoothing / 100 * root.T @ root)
    expected = 7 * np.sqrt(np.einsum("ij,jk,ik->i", values, inverse, values) / 80)
    assert spline_errors(scores, 7.0, smoothing, scores) == pytest.approx(expected, rel=1e-6)


def test_errors_at_strong_smoothing_are_those_of_a_straight_line_also_beyond_the_anchors():
    scores = np.random.default_rng(6).uniform(10, 60, 50)
    at = np.array([0.0, 12.0, 35.0, 60.0, 95.0])
    away = scores - scores.mean()
    expected = 3 * np.sqrt(1 / 50 + (at - scores.mean()) ** 2 / (away @ away))
    assert spline_errors(scores, 3.0, 1e9, at) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("scores", [[0, 0, 1], [3, 3, 3, 4, 5, 5], [0] * 30 + [100], list(range(200))])
def test_errors_are_finite_for_few_scores_and_hardly_any_smoothing(scores):
    found = spline_errors(np.array(scores, dtype=float), 5.0, SMOOTHINGS[0], np.linspace(-50, 250, 100))
    assert np.isfinite(found).all()
    assert found.min() > 0
