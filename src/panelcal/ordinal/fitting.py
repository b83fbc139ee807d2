"""fit_ordinal: from ratings to the posterior of objects and judges, never silently unconverged.

Draws come in rounds until the chains agree or the budget of draws is spent; what is returned says which of the two it
was. Nothing here looks at the clock, but for a limit that ends the run without a result; and linear algebra keeps to
one thread, so that the same ratings give the same figures whatever else the machine does.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.one_thread import one_blas_thread
from panelcal.ordinal.cautions import cautions
from panelcal.ordinal.convergence import split_rhat, split_rhat_and_effective_size
from panelcal.ordinal.density import OrdinalDensity
from panelcal.ordinal.laplace import LaplaceModel, Mode, Scales, fit_laplace
from panelcal.ordinal.posterior import Diagnosis, Draws, OrdinalPosterior, summarise
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.ordinal.rounds import (
    CHAINS,
    Agreement,
    Progress,
    diagnosis_of,
    draw_until_agreed,
    iterations,
    window,
)
from panelcal.ordinal.sampler import HamiltonianSampler
from panelcal.ordinal.start import starting_points
from panelcal.ordinal.time_limit import TimeLimit

_WARM_UP = 80
_THINNING = 4  # of cut-points: their summaries need fewer draws than ranks do
_PREVIEW_DRAWS = 4000
_PREVIEW_WARNING = "A quick approximation: intervals are about 11% too narrow."


def fit_ordinal(
    ratings: Ratings,
    *,
    feature_weights: ArrayLike | None = None,
    shared_cutpoints: bool = False,
    correlated_cutpoints: bool = True,
    level: float = 0.89,
    seed: int = 0,
    priors: OrdinalPriors | None = None,
    draws: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> OrdinalPosterior:
    """Fit judges with their own cut-points (McElreath 2021) by Hamiltonian Monte Carlo.

    Source: McElreath (2021), Rating conference presentations when judges vary; convergence by Vehtari and others
    (2021).

    Parameters
    ----------
    ratings
        Who rated what, and how.
    feature_weights
        (Q,) weights of the features in an object's total; None = 1 each, so the total is the sum.
    shared_cutpoints
        All assessors use the scale alike: for comparison.
    correlated_cutpoints
        An assessor's cut-points may correlate, with a full LKJ prior; False is quicker and a little less exact.
    level
        Probability that intervals and the winner set hold.
    seed
        The same seed gives the same answer on the same machine, whatever its load and number of threads.
    priors
        What is assumed before any rating is seen; None = those of McElreath.
    draws
        The budget: how many draws, of all 16 chains together, there may be until the chains agree. None = 64,000; it
        takes a tenth of that as a rule.
    time_limit
        Seconds after which the run ends without a result; None = none.
    progress
        Called now and then with the share done so far, from 0 to 1, and a sentence.

    Returns
    -------
    OrdinalPosterior
        Totals, ranks and chances with their intervals.

    Raises
    ------
    MethodNotApplicable
        If the weights, the level, the number of draws or the time limit make no sense.
    TimeLimitReached
        If the time limit came first. Nothing is reported then, so no figure depends on the clock.

    Examples
    --------
    >>> ratings = Ratings.from_records(['A', 'A', 'B', 'B'], ['x', 'y', 'x', 'y'], [2, 3, 1, 1], levels=[1, 2, 3])
    >>> bool(fit_ordinal(ratings, draws=2000).best_probability[0] > 0.5)
    True
    """
    return fit_with_draws(
        ratings,
        feature_weights=feature_weights,
        shared_cutpoints=shared_cutpoints,
        correlated_cutpoints=correlated_cutpoints,
        level=level,
        seed=seed,
        priors=priors,
        draws=draws,
        time_limit=time_limit,
        progress=progress,
    )[0]


def fit_with_draws(
    ratings: Ratings,
    *,
    feature_weights: ArrayLike | None,
    shared_cutpoints: bool,
    correlated_cutpoints: bool,
    level: float,
    seed: int,
    priors: OrdinalPriors | None,
    draws: int | None,
    time_limit: float | None,
    progress: Progress | None,
) -> tuple[OrdinalPosterior, Draws]:
    """Fit as `fit_ordinal` does, and return the draws as well."""
    limit = TimeLimit(time_limit)
    weights = checked_weights(ratings, feature_weights)
    check_level(level)
    most = iterations(draws)
    priors = priors or USUAL_PRIORS
    report = progress or (lambda _share, _sentence: None)
    with one_blas_thread():
        groups = ratings.components()
        report(0.0, "Looking for a starting point.")
        density = OrdinalDensity(
            ratings, shared_cutpoints=shared_cutpoints, correlated_cutpoints=correlated_cutpoints, priors=priors
        )
        record, agreement = _sample(ratings, density, priors, np.random.default_rng(seed), weights, most, limit, report)
        kept = record.draws()
        posterior = summarise(
            ratings,
            kept,
            diagnosis_of(agreement, record.taken, limit, cautions(ratings, groups, shared_cutpoints=shared_cutpoints)),
            feature_weights=weights,
            correlated_cutpoints=correlated_cutpoints,
            priors=priors,
            seed=seed,
            level=level,
            components=groups,
        )
        limit.check()
    report(1.0, f"Done: {len(posterior.totals)} draws.")
    return posterior, kept


def preview_ordinal(
    ratings: Ratings,
    *,
    feature_weights: ArrayLike | None = None,
    shared_cutpoints: bool = False,
    level: float = 0.89,
    seed: int = 0,
    priors: OrdinalPriors | None = None,
) -> OrdinalPosterior:
    """Approximate the posterior quickly, without sampling: scales at their mode, the rest Gaussian (Laplace).

    Intervals come out about 11% too narrow; the result says that it is approximate.

    Parameters
    ----------
    ratings, feature_weights, shared_cutpoints, level, seed, priors
        As for `fit_ordinal`.

    Raises
    ------
    MethodNotApplicable
        As for `fit_ordinal`.
    """
    limit = TimeLimit(None)
    weights = checked_weights(ratings, feature_weights)
    check_level(level)
    priors = priors or USUAL_PRIORS
    with one_blas_thread():
        groups = ratings.components()
        model = LaplaceModel(ratings, shared_cutpoints=shared_cutpoints, correlated_cutpoints=False, priors=priors)
        draws = _gaussian_draws(model, *fit_laplace(model), np.random.default_rng(seed))
        return summarise(
            ratings,
            draws,
            Diagnosis(
                converged=False,
                rhat=math.nan,
                scale_rhat=math.nan,
                effective_sample_size=math.nan,
                seconds=limit.spent,
                approximate=True,
                warnings=(_PREVIEW_WARNING, *cautions(ratings, groups, shared_cutpoints=shared_cutpoints)),
            ),
            feature_weights=weights,
            correlated_cutpoints=False,
            priors=priors,
            seed=seed,
            level=level,
            components=groups,
        )


def _sample(
    ratings: Ratings,
    density: OrdinalDensity,
    priors: OrdinalPriors,
    random: np.random.Generator,
    weights: Array,
    most: int,
    limit: TimeLimit,
    report: Progress,
) -> tuple[_Record, Agreement]:
    """Draw in rounds until the chains agree, or `most` iterations are done."""
    model = LaplaceModel(
        ratings, shared_cutpoints=density.shared, correlated_cutpoints=density.correlated, priors=priors
    )
    scales, mode = fit_laplace(model, check=limit.check)
    sampler = HamiltonianSampler(density, *starting_points(density, model, scales, mode, CHAINS, random), random)
    sampler.warm_up(_WARM_UP, check=limit.check)
    record = _Record(density, window(density.n * density.Q), weights)
    return record, draw_until_agreed(sampler, record, most=most, limit=limit, report=report)


class _Record:
    """The chains' latest draws of what the summaries need: the last `longest` iterations; `weights` make totals."""

    def __init__(self, density: OrdinalDensity, longest: int, weights: Array) -> None:
        self._density, self.longest, self._weights = density, longest, weights
        self._scores: list[Array] = []
        self._scales: list[Array] = []
        self._correlations: list[Array] = []
        self._cutpoints: list[Array] = []
        self.taken = 0

    @property
    def length(self) -> int:
        """Iterations at hand."""
        return len(self._scores)

    def add(self, points: Array) -> None:
        """Add one iteration of all chains (dimension, C)."""
        state = self._density.state(points)
        self._scores.append(state.scores.transpose(2, 1, 0))
        self._scales.append(state.varying.spread.T)
        lower = state.varying.factor.lower[: self._density.Q, : self._density.Q]
        self._correlations.append(np.einsum("qrc,src->cqs", lower, lower))
        if self.taken % _THINNING == 0:
            self._cutpoints.append(state.cutpoints.transpose(3, 2, 0, 1))
        self.taken += 1
        if self.length > self.longest:
            del self._scores[0], self._scales[0], self._correlations[0]
            if len(self._cutpoints) * _THINNING > self.longest:
                del self._cutpoints[0]

    def agreement(self) -> Agreement:
        """How far the chains agree."""
        rhat, effective = split_rhat_and_effective_size(np.stack(self._scores) @ self._weights)
        scales = split_rhat(np.stack(self._scales))
        return Agreement(float(rhat.max()), float(scales.max()), float(effective.min()))

    def draws(self) -> Draws:
        """Return all chains' draws as one."""
        density = self._density
        scales = np.concatenate(self._scales)
        return Draws(
            scores=np.concatenate(self._scores),
            cutpoints=np.concatenate(self._cutpoints),
            tau=scales[:, : density.Q],
            spread=None if density.shared else scales[:, density.Q :].reshape(-1, density.Q, density.L),
            correlation=np.concatenate(self._correlations),
            chains=CHAINS,
        )


def _gaussian_draws(model: LaplaceModel, scales: Scales, mode: Mode, random: np.random.Generator) -> Draws:
    gaussian = model.draw(mode, _PREVIEW_DRAWS, random)
    eta = gaussian.eta.reshape(-1, model.Q, model.L, model.M)
    cutpoints = np.cumsum(np.concatenate([eta[:, :, :1], np.exp(eta[:, :, 1:])], axis=2), axis=2)
    return Draws(
        scores=gaussian.scores.transpose(0, 2, 1),
        cutpoints=cutpoints[::_THINNING].transpose(0, 3, 1, 2),
        tau=scales.tau[None],
        spread=None if model.shared else scales.spread.reshape(1, model.Q, model.L),
        correlation=scales.feature_correlation[None],
        chains=1,
    )


def checked_weights(ratings: Ratings, feature_weights: ArrayLike | None) -> Array:
    """Return the weights (Q,) of the features.

    Raises
    ------
    MethodNotApplicable
        If they are no numbers, one for each feature, or all are 0.
    """
    if feature_weights is None:
        return np.ones(ratings.n_features)
    try:
        weights = np.array(feature_weights, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError):
        raise MethodNotApplicable("The weights of the features must be numbers.") from None
    if weights.shape != (ratings.n_features,):
        raise MethodNotApplicable(
            f"There are {weights.size} weights for {ratings.n_features} features: give one weight per feature."
        )
    if not np.isfinite(weights).all() or not weights.any():
        raise MethodNotApplicable("The weights of the features must be numbers, and not all of them 0.")
    return weights


def check_level(level: float) -> None:
    """Do nothing for a level between 0 and 1.

    Raises
    ------
    MethodNotApplicable
        Otherwise.
    """
    if not 0 < level < 1:
        raise MethodNotApplicable("The level of the intervals must lie between 0 and 1, for example 0.89.")
