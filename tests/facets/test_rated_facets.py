"""Ordered ratings in several criteria: one criterion, missing cells, who leans, figures in points, what is refused."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.criteria_panels import made_up_panel
from panelcal import MethodNotApplicable, Ratings, TimeLimitReached, fit_ordinal, fit_ordinal_facets
from panelcal.facets.rated_comparable import criteria_cautions
from panelcal.facets.rated_posterior import RatedDraws, summarise_facets
from panelcal.facets.whitening import Whitened, shrunken_factor
from panelcal.ordinal.fitting import preview_ordinal


def _known_draws(ratings, random, count=200, *, halo=0.8):
    n, M, K, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    steps = np.exp(random.normal(0, 0.2, (count, M, L)))
    lean = random.normal(0, 0.3, (count, M, K))
    hard = random.normal(0, 0.3, (count, K))
    return RatedDraws(
        values=random.normal(0, 1, (count, n, K)),
        cutpoints=np.cumsum(steps, axis=2) - 2,
        difficulties=hard - hard.mean(axis=1, keepdims=True),
        leanings=lean - lean.mean(axis=2, keepdims=True),
        own_spread=np.ones((count, K)),
        leaning_spread=np.ones(count),
        halo=np.full(count, halo),
    )


@pytest.fixture(scope="module")
def small():
    return made_up_panel(3, objects=6, assessors=3, criteria=2, levels=4, per_object=2).ratings


@pytest.fixture(scope="module")
def posterior(small):
    return preview_ordinal(small, feature_weights=[2, 1])


def test_fair_averages_and_biases_are_expected_ratings_written_out(small, posterior):
    random = np.random.default_rng(1)
    draws, points = _known_draws(small, random), np.array([2.0, 3.0, 5.0, 9.0])
    found = summarise_facets(posterior, draws, points, draws.leanings)
    slips = 0.8 * random.standard_normal(4000)  # the halo by brute force
    d, i, k = 7, 4, 1
    expected = np.zeros((6, 3, 2))
    for i, j, k in np.ndindex(expected.shape):
        cut = draws.cutpoints[d, j] + draws.difficulties[d, k] + draws.leanings[d, j, k]
        below = expit(cut - (draws.values[d, i, k] + slips)[:, None])
        shares = np.diff(np.concatenate([np.zeros((4000, 1)), below, np.ones((4000, 1))], axis=1), axis=1)
        expected[i, j, k] = (shares @ points).mean()
    twice = RatedDraws(*(getattr(draws, name)[[d, d]] for name in RatedDraws.__slots__))
    one = summarise_facets(posterior, twice, points, draws.leanings)
    assert np.allclose(one.values, expected.mean(axis=1), atol=0.06)
    assert np.allclose(one.biases, (expected - expected.mean(axis=1, keepdims=True)).mean(axis=0), atol=0.06)
    assert np.allclose(one.totals, one.values @ [2, 1])
    assert np.allclose(one.severities, one.biases @ [2, 1] / 3)
    assert np.allclose(found.levels.sum(), 0) and (found.value_errors > 0).all()
    assert points[0] < found.values.min() and found.values.max() < points[-1]


def test_without_leanings_nobody_leans_in_points_either(small, posterior):
    draws = _known_draws(small, np.random.default_rng(2))
    none = RatedDraws(draws.values, draws.cutpoints, draws.difficulties, 0 * draws.leanings, draws.own_spread,
                      draws.leaning_spread, draws.halo)  # fmt: skip
    found = summarise_facets(posterior, none, np.arange(1.0, 5), none.leanings)
    assert np.allclose(found.leanings, 0)
    assert (found.adjusted_leaning_p == 1).all()


@pytest.mark.slow
def test_with_one_criterion_it_is_fit_ordinal_draw_by_draw():
    ratings = made_up_panel(2, objects=10, assessors=4, criteria=1, per_object=3, lean_spread=0).ratings
    together, alone = fit_ordinal_facets(ratings, draws=1600), fit_ordinal(ratings, draws=1600)
    assert np.array_equal(together.posterior.totals, alone.totals)
    assert np.array_equal(together.posterior.cutpoints, alone.cutpoints)
    assert np.isnan(together.leanings).all() and together.levels == [0]
    assert np.corrcoef(together.totals, alone.total_mean)[0, 1] > 0.95


@pytest.fixture(scope="module")
def leaning():
    panel = made_up_panel(4, objects=30, assessors=6, per_object=4, lean_spread=0.0, leaning=3.0)
    return panel, fit_ordinal_facets(panel.ratings, draws=6400)


@pytest.mark.slow
def test_measures_go_with_those_of_joint_likelihood(leaning):
    """The usual many-facet rating scale model by other code: other odds, so that only order and proportion agree."""
    from benchmarks.criteria_likelihood import joint_likelihood

    panel, found = leaning
    measures = joint_likelihood(panel.ratings)
    assert np.corrcoef(measures["objects"], found.posterior.total_mean)[0, 1] > 0.97
    assert np.corrcoef(measures["assessors"], -found.severities)[0, 1] > 0.97
    assert np.corrcoef(measures["criteria"], found.difficulties)[0, 1] > 0.95


@pytest.mark.slow
def test_a_judge_severe_on_one_criterion_only_is_found_and_nobody_else(leaning):
    panel, found = leaning
    reed = panel.ratings.assessors.index("0")
    off = np.argwhere(found.adjusted_leaning_p < 0.05).tolist()
    assert [reed, 3] in off and {a for a, _ in off} == {reed}
    assert found.biases[reed, 3] < -0.4 and found.leanings[reed, 3] < -0.3
    assert np.corrcoef(found.posterior.total_mean, panel.values.sum(axis=1))[0, 1] > 0.9
    again = fit_ordinal_facets(panel.ratings, draws=6400)
    assert np.array_equal(found.posterior.totals, again.posterior.totals)
    assert np.array_equal(found.leanings, again.leanings)


def test_a_time_limit_only_ends_the_run(small):
    with pytest.raises(TimeLimitReached):
        fit_ordinal_facets(small, time_limit=1e-9)


_BYTES = """
import hashlib, sys
sys.path.insert(0, "tests")
from benchmarks.criteria_panels import made_up_panel
from panelcal import fit_ordinal_facets
found = fit_ordinal_facets(made_up_panel(6, objects=40, assessors=10).ratings, draws=320)
figures = (found.posterior.totals, found.posterior.cutpoints, found.values, found.leanings, found.adjusted_leaning_p)
print(hashlib.sha256(b"".join(one.tobytes() for one in figures)).hexdigest())
"""


@pytest.mark.slow
def test_one_and_four_threads_give_the_same_bytes():
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _BYTES],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        for threads in ("1", "4")
    ]
    found = {process.communicate()[0].strip() for process in running}
    assert len(found) == 1 and len(found.pop()) == 64


def test_what_ratings_leave_open_is_said_by_name():
    rated = [[1, 2], [2, None], [3, None], [1, None]]
    said = criteria_cautions(Ratings.from_records("ABAB", "xxyy", rated, levels=[1, 2, 3]))
    assert len(said) == 1 and said[0].startswith("Nobody rated B in Feature 2")
    apart = [[1, 2], [2, 1], [3, 2], [1, 3], [2, None], [3, None]]
    said = criteria_cautions(Ratings.from_records("ABCDAC", "xxyyyx", apart, levels=[1, 2, 3]))
    assert "In Feature 2 the ratings fall into 2 groups with nothing in common (A, B by x; C, D by y)" in said[0]
    sides = [[1, None], [2, None], [None, 3], [None, 1]]
    said = criteria_cautions(Ratings.from_records("ABAB", "xxyy", sides, levels=[1, 2, 3]))
    apart = "The criteria fall into 2 groups that nobody uses side by side (Feature 1 by x; Feature 2 by y): "
    assert said == (f"{apart}whether one is harder or its judges more severe cannot be told from these ratings.",)
    assert not criteria_cautions(made_up_panel(1).ratings)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"feature_weights": [1, 0]}, "count more than 0"),
        ({"points": [1, 2]}, "one number of points for each of the 4 levels"),
        ({"points": [1, 3, 2, 4]}, "ascending or descending"),
        ({"draws": 3}, "at least 128"),
        ({"level": 2}, "between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(small, options, said):
    with pytest.raises(MethodNotApplicable, match=said):
        fit_ordinal_facets(small, **options)


def test_a_whitened_density_is_the_same_density():
    class Bowl:
        def gradient(self, x):
            return -x * np.array([[1.0], [4.0], [9.0]])

        def value_and_gradient(self, x):
            return -(x**2 * np.array([[1.0], [4.0], [9.0]])).sum(axis=0) / 2, self.gradient(x)

    draws = np.random.default_rng(0).multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 5000).T
    factor = shrunken_factor(draws)
    assert np.allclose(factor @ factor.T, np.cov(draws), atol=0.05)
    seen, x = Whitened(Bowl(), factor), np.array([[1.0], [2.0], [3.0]])
    y = seen.whitened(x)
    assert np.allclose(seen.points(y), x)
    value, gradient = seen.value_and_gradient(y)
    assert np.isclose(value, Bowl().value_and_gradient(x)[0])
    step = 1e-6 * np.eye(3)
    slopes = [(seen.value_and_gradient(y + one[:, None])[0] - value)[0] / 1e-6 for one in step]
    assert np.allclose(gradient[:, 0], slopes, atol=1e-3)
    assert np.allclose(gradient, seen.gradient(y))
