"""fit_ordinal as a whole: against weighing draws from the prior, on odd input, and what it says of itself."""

import dataclasses
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from ordinal.ordinal_cases import made_up_ratings
from panelcal import MethodNotApplicable, OrdinalPriors, Ratings, TimeLimitReached, fit_ordinal
from panelcal.ordinal import rounds
from panelcal.ordinal.fitting import preview_ordinal

PRIOR_DRAWS = 200_000
ERRORS = 5  # standard errors allowed
SLACK = 0.02  # of the probability below the end of an interval


def _lkj_two(random, draws):
    """Correlation of two under LKJ(2): 2 Beta(2, 2) - 1."""
    return 2 * random.beta(2, 2, draws) - 1


def _pairs(random, correlation, shape):
    """Two standard normals with the given correlation, on the first axis after the draws."""
    first, second = random.standard_normal((2, *shape))
    rho = correlation.reshape(-1, *[1] * (len(shape) - 1))
    return np.stack([first, rho * first + np.sqrt(1 - rho**2) * second], axis=1)


def _weighed_prior(ratings, correlated):
    """Totals, tau and cut-points drawn from the prior, and their likelihoods as weights: (Q, L) = (1, 2) or (2, 1)."""
    random = np.random.default_rng(0)
    n, M, Q, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    zero = np.zeros(PRIOR_DRAWS)
    tau, spread = random.exponential(size=(2, PRIOR_DRAWS, 2, 1))
    scores = tau * _pairs(random, _lkj_two(random, PRIOR_DRAWS) if Q == 2 else zero, (PRIOR_DRAWS, n))
    eta = spread * _pairs(random, _lkj_two(random, PRIOR_DRAWS) if correlated else zero, (PRIOR_DRAWS, M))
    mean, deviation = ([-1.0, 0.0], [1.0, 0.5]) if L == 2 else ([-1.0, -1.0], [1.0, 1.0])
    eta += (np.array(mean) + np.array(deviation) * random.standard_normal((PRIOR_DRAWS, 2)))[:, :, None]
    eta = eta.reshape(PRIOR_DRAWS, Q, L, M)
    cuts = np.cumsum(np.concatenate([eta[:, :, :1], np.exp(eta[:, :, 1:])], axis=2), axis=2)
    weight = np.ones(PRIOR_DRAWS)
    for row, q in np.argwhere(ratings.ratings >= 0):
        i, j = ratings.object_index[row], ratings.assessor_index[row]
        below = 1 / (1 + np.exp(scores[:, q, i, None] - cuts[:, q, :, j]))
        edges = np.concatenate([np.zeros((PRIOR_DRAWS, 1)), below, np.ones((PRIOR_DRAWS, 1))], axis=1)
        level = ratings.ratings[row, q]
        weight *= edges[:, level + 1] - edges[:, level]
    return scores[:, :Q].sum(axis=1), tau[:, :Q, 0], cuts.transpose(0, 3, 1, 2), weight / weight.sum()


THREE_LEVELS = ([1, 3, 2, 3, 1, 2], 3)
TWO_FEATURES = ([[1, 2], [2, 2], [1, 1], [2, None], [1, 2], [2, 2]], 2)


@pytest.mark.parametrize(
    ("ratings", "levels", "correlated"),
    [
        pytest.param(*THREE_LEVELS, True, marks=pytest.mark.slow),
        (*THREE_LEVELS, False),
        pytest.param(*TWO_FEATURES, True, marks=pytest.mark.slow),
        pytest.param(*TWO_FEATURES, False, marks=pytest.mark.slow),
    ],
)
def test_it_samples_the_posterior_that_weighing_prior_draws_gives(ratings, levels, correlated):
    data = Ratings.from_records("AABBCC", "xyxyxy", ratings, levels=range(1, levels + 1))
    totals, tau, cuts, weight = _weighed_prior(data, correlated)
    fit = fit_ordinal(data, correlated_cutpoints=correlated)
    assert fit.converged

    def close(found, draws):
        mean = np.tensordot(weight, draws, axes=1)
        variance = np.tensordot(weight, (draws - mean) ** 2, axes=1)
        effective = min(1 / (weight**2).sum(), fit.effective_sample_size) / 2
        assert (np.abs(found - mean) < ERRORS * np.sqrt(variance / effective)).all()

    close(fit.total_mean, totals)
    close(fit.tau, tau)
    close(fit.cutpoints, cuts)
    close(fit.best_probability, totals == totals.max(axis=1, keepdims=True))
    for end, expected in zip(fit.total_interval.T, (0.055, 0.945), strict=True):
        assert weight @ (totals < end) == pytest.approx(expected, abs=SLACK)


def _complete(n, M, rate, **options):
    objects, assessors = np.repeat(np.arange(n), M), np.tile(np.arange(M), n)
    return Ratings.from_records(objects, assessors, rate(objects, assessors), **options)


FIVE = range(1, 6)
ODD = {
    "all top marks": (_complete(6, 3, lambda o, j: np.full(len(o), 5), levels=FIVE), "All ratings are alike"),
    "one talk per judge": (Ratings.from_records(range(6), range(6), [1, 2, 5, 4, 3, 3], levels=FIVE), "6 groups"),
    "one judge per talk": (Ratings.from_records(range(9), [0, 1, 2] * 3, [1, 2, 5] * 3, levels=FIVE), "3 groups"),
    "a constant feature": (
        _complete(6, 3, lambda o, j: np.stack([1 + o % 5, np.full(len(o), 3)], axis=1), levels=FIVE),
        "Every rating of Feature 2 is 3",
    ),
    "extremes only": (_complete(6, 3, lambda o, j: np.where(o + j > 4, 5, 1), levels=FIVE), None),
    "disconnected halves": (
        Ratings.from_records([0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [1, 2, 3, 4, 5, 5, 1, 2]),
        "how objects of different groups compare rests only on the assumption",
    ),
    "one judge": (_complete(6, 1, lambda o, j: 1 + o % 5, levels=FIVE), None),
    "one object": (_complete(1, 4, lambda o, j: 1 + j, levels=FIVE), None),
    "one rating": (_complete(1, 1, lambda o, j: 1 + j, levels=FIVE), "All ratings are alike"),
    "two levels": (_complete(6, 3, lambda o, j: (o + j) % 2), None),
    "eleven levels": (_complete(6, 3, lambda o, j: np.minimum(2 * o + j, 10), levels=range(11)), None),
    "perfect agreement": (_complete(5, 4, lambda o, j: 1 + o, levels=FIVE), None),
}


LONG = {"eleven levels", "a constant feature", "all top marks", "perfect agreement"}  # until the chains agree


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in ODD])
def test_odd_ratings_end_in_a_sensible_answer_and_a_sentence_where_needed(name):
    """No number is missing, probabilities add up, and more highly rated objects do not rank lower."""
    ratings, sentence = ODD[name]
    with np.errstate(divide="raise", invalid="raise"):
        fit = fit_ordinal(ratings, correlated_cutpoints=False)
    assert fit.converged
    for field in dataclasses.fields(fit):
        value = getattr(fit, field.name)
        if isinstance(value, np.ndarray):
            assert np.isfinite(value).all(), field.name
    assert fit.best_probability.sum() == pytest.approx(1.0)
    assert fit.beats + fit.beats.T == pytest.approx(1.0)
    assert (fit.total_interval[:, 0] <= fit.total_mean).all()
    if sentence is None:
        assert fit.warnings == ()
    else:
        assert any(sentence in warning for warning in fit.warnings)
    if name in {"one judge", "perfect agreement", "eleven levels"}:
        mean = np.bincount(ratings.object_index, ratings.ratings[:, 0]) / np.bincount(ratings.object_index)
        assert spearmanr(mean, fit.total_mean)[0] > 0.95


@pytest.mark.slow
def test_a_harsh_judge_does_not_decide():
    """A and B are rated 3 by different judges; who rated A gives everybody else 1 or 2, who rated B gives 4 or 5."""
    objects, assessors, ratings = [], [], []
    for k in range(8):
        for judge, rating in (("harsh", 1 + k % 2), ("kind", 4 + k % 2)):
            objects.append(f"other {k}")
            assessors.append(judge)
            ratings.append(rating)
    data = Ratings.from_records([*objects, "A", "B"], [*assessors, "harsh", "kind"], [*ratings, 3, 3], levels=FIVE)
    own, shared = fit_ordinal(data), fit_ordinal(data, shared_cutpoints=True)
    a, b = data.objects.index("A"), data.objects.index("B")
    assert own.beats[a, b] > 0.65
    assert shared.beats[a, b] == pytest.approx(0.5, abs=0.05)
    assert (own.cutpoints[0] > own.cutpoints[1]).all()
    assert np.ptp(shared.cutpoints, axis=0) == pytest.approx(0.0)
    assert shared.cutpoint_spread == pytest.approx(0.0)


@pytest.fixture(scope="module")
def conference():
    ratings = made_up_ratings(8, 12, 6, 3, n_features=2, n_cutpoints=2)
    return ratings, fit_ordinal(ratings, correlated_cutpoints=False)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer(conference):
    ratings, first = conference
    again = fit_ordinal(ratings, correlated_cutpoints=False)
    other = fit_ordinal(ratings, correlated_cutpoints=False, seed=1)
    assert np.array_equal(first.totals, again.totals)
    assert not np.array_equal(first.totals, other.totals)
    spread = first.totals.std(axis=0)
    error = spread * np.sqrt(1 / first.effective_sample_size + 1 / other.effective_sample_size)
    assert (np.abs(first.total_mean - other.total_mean) < ERRORS * error).all()


@pytest.mark.slow
def test_only_the_weights_make_the_total(conference):
    """The scores themselves do not depend on them."""
    ratings, fit = conference
    weighted = fit_ordinal(ratings, correlated_cutpoints=False, feature_weights=[3, 1], level=0.5, draws=1_600)
    both = min(len(fit.totals), len(weighted.totals))
    assert np.array_equal(weighted.feature_draws[:both], fit.feature_draws[:both])
    assert weighted.totals == pytest.approx(weighted.feature_draws @ np.array([3.0, 1.0]))
    assert (np.diff(weighted.feature_interval) < np.diff(fit.feature_interval)).all()


@pytest.mark.slow
def test_the_preview_is_close_and_says_what_it_is(conference):
    ratings, fit = conference
    quick = preview_ordinal(ratings)
    assert quick.approximate
    assert not quick.converged
    assert "quick approximation" in quick.warnings[0]
    assert spearmanr(quick.total_mean, fit.total_mean)[0] > 0.95  # 0.965 or 0.979 by seed: neighbours change places
    widths = np.diff(quick.total_interval, axis=1) / np.diff(fit.total_interval, axis=1)
    assert 0.7 < widths.mean() < 1.05
    shared = preview_ordinal(ratings, shared_cutpoints=True)
    assert shared.shared_cutpoints
    assert np.isfinite(shared.cutpoint_interval).all()


def test_a_time_limit_stops_the_run_and_reports_nothing():
    with pytest.raises(TimeLimitReached, match="nothing is reported"):
        fit_ordinal(made_up_ratings(1, 10, 5, 3), time_limit=1e-9)


@pytest.mark.slow
def test_no_figure_depends_on_the_time_limit():
    """Plenty of time, or no limit at all: the same draws."""
    ratings = made_up_ratings(1, 4, 3, 2, n_cutpoints=1)
    limited, unlimited = fit_ordinal(ratings, time_limit=1e6), fit_ordinal(ratings)
    assert np.array_equal(limited.totals, unlimited.totals)


def test_chains_that_do_not_agree_are_never_passed_off(monkeypatch):
    """With a bound no chains can meet, the answer comes when the budget is spent and says so."""
    monkeypatch.setattr(rounds, "TOTAL_RHAT", 0.5)
    fit = fit_ordinal(made_up_ratings(1, 4, 3, 2, n_cutpoints=1), draws=4005)
    assert not fit.converged
    assert not fit.approximate
    assert len(fit.totals) == 4000
    assert "Not converged after 4,000 draws" in fit.warnings[0]


_BYTES = """
import hashlib, sys
sys.path.insert(0, "tests")
from ordinal.ordinal_cases import made_up_ratings
from panelcal import fit_ordinal
from panelcal.ordinal.fitting import preview_ordinal
print(fit_ordinal.__module__)
digest = hashlib.sha256()
ratings = made_up_ratings(5, 40, 16, 4, n_features=2)
for fit in (fit_ordinal(ratings, draws=320), preview_ordinal(ratings)):
    for figures in (fit.totals, fit.cutpoints, fit.tau, fit.severity_interval, fit.beats):
        digest.update(figures.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_one_two_and_four_threads_give_the_same_bytes():
    """Started side by side, so that each runs while others load the machine."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _BYTES],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        for threads in ("1", "2", "4")
    ]
    found = [process.communicate()[0] for process in running]
    assert found[0].startswith("panelcal.ordinal.fitting")
    assert len(found[0].split()[-1]) == 64
    assert set(found) == {found[0]}


def test_other_priors_move_the_posterior_towards_them():
    """One rating says next to nothing, so tau and the cut-point stay where the prior has them."""
    data = Ratings.from_records("A", "x", [1], levels=[1, 2])
    priors = OrdinalPriors(first_cut_mean=4.0, first_cut_spread=0.3, object_spread=0.2, assessor_spread=0.1)
    fit = fit_ordinal(data, priors=priors)
    assert fit.priors == priors
    assert fit.cutpoints[0, 0, 0] == pytest.approx(4.0, abs=0.1)
    assert fit.tau[0] == pytest.approx(0.2, abs=0.03)
    assert fit.cutpoint_spread[0, 0] == pytest.approx(0.1, abs=0.02)
    assert fit_ordinal(data).priors == OrdinalPriors()


@pytest.mark.parametrize("wrong", [{"object_spread": 0.0}, {"first_cut_mean": float("nan")}, {"increment_spread": -1}])
def test_priors_that_make_no_sense_are_refused(wrong):
    with pytest.raises(MethodNotApplicable, match=f"prior's {next(iter(wrong))} must be"):
        OrdinalPriors(**wrong)


@pytest.mark.slow
def test_ten_seeds_agree_on_the_possible_winners_but_for_those_at_the_edge():
    ratings = made_up_ratings(8, 20, 8, 3)
    _assert_seeds_agree([fit_ordinal(ratings, seed=seed) for seed in range(10)])


@pytest.mark.slow
def test_three_seeds_agree_on_the_possible_winners_but_for_those_at_the_edge():
    ratings = made_up_ratings(8, 12, 6, 3, n_cutpoints=2)
    _assert_seeds_agree([fit_ordinal(ratings, correlated_cutpoints=False, seed=seed) for seed in range(3)])


def _assert_seeds_agree(fits):
    for one, other in itertools.combinations(fits, 2):
        settled = set(one.objects) - set(one.winner_set_edge) - set(other.winner_set_edge)
        assert settled & set(one.winner_set) == settled & set(other.winner_set)
    assert any(settled for settled in (set(fit.winner_set) - set(fit.winner_set_edge) for fit in fits))


def test_progress_rises_to_the_end():
    told = []
    fit_ordinal(
        made_up_ratings(2, 4, 3, 2, n_cutpoints=1), progress=lambda share, sentence: told.append((share, sentence))
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert all(sentence.endswith(".") for _, sentence in told)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"feature_weights": [1, 2]}, "2 weights for 1 features"),
        ({"feature_weights": ["much"]}, "must be numbers"),
        ({"feature_weights": [0]}, "not all of them 0"),
        ({"feature_weights": [float("nan")]}, "must be numbers"),
        ({"level": 1.0}, "between 0 and 1"),
        ({"time_limit": 0}, "positive number of seconds"),
        ({"draws": 100}, "at least 128"),
        ({"draws": 500.5}, "whole number"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(MethodNotApplicable, match=words):
        fit_ordinal(made_up_ratings(1, 4, 3, 2), **options)
