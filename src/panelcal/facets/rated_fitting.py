"""fit_ordinal_facets: from ratings in several criteria to their posterior, diagnosed as that of one criterion is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.facets.rated_comparable import criteria_cautions
from panelcal.facets.rated_density import RatedDensity
from panelcal.facets.rated_posterior import OrdinalFacets, RatedDraws, summarise_facets
from panelcal.facets.rated_start import starting_points
from panelcal.facets.whitening import Whitened, shrunken_factor
from panelcal.one_thread import one_blas_thread
from panelcal.ordinal.cautions import cautions
from panelcal.ordinal.convergence import split_rhat, split_rhat_and_effective_size
from panelcal.ordinal.fitting import check_level, checked_weights, fit_with_draws
from panelcal.ordinal.posterior import Draws, OrdinalPosterior, summarise
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.ordinal.rounds import CHAINS, Agreement, Progress, diagnosis_of, draw_until_agreed, iterations, window
from panelcal.ordinal.sampler import HamiltonianSampler
from panelcal.ordinal.time_limit import TimeLimit

_FIRST_WARM_UP, _LOOKED_AT, _SECOND_WARM_UP = 60, 40, 100
_WIDE = 2.0  # spread of leanings, logits, that hardly draws them to 0
_TOLD_WARM_UP, _TOLD = 80, 100
_THINNING = 4  # of cut-points, as for one criterion


def fit_ordinal_facets(
    ratings: Ratings,
    *,
    feature_weights: ArrayLike | None = None,
    points: ArrayLike | None = None,
    level: float = 0.89,
    seed: int = 0,
    priors: OrdinalPriors | None = None,
    draws: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> OrdinalFacets:
    """Fit ordered ratings in several criteria together: objects, assessors with their own cut-points, and criteria.

    A judge takes the cut-points from criterion to criterion, shifted by how hard the criterion is and by how the judge
    leans on it; leanings are shrunk as far as the judges show. With one criterion it is `fit_ordinal`, draw by draw.

    Source: McElreath (2021), Rating conference presentations when judges vary, with the criteria of many-facet
    measurement (Linacre 1989).

    Parameters
    ----------
    ratings
        Who rated what, and how; features are the criteria. Ratings may be missing.
    feature_weights
        (K,) how much each criterion counts in the total, above 0; None = 1 each.
    points
        (L + 1,) what each level counts in the scale's own points, lowest level first; None = 1, 2, ...
    level, seed, priors, draws, time_limit, progress
        As for `fit_ordinal`.

    Returns
    -------
    OrdinalFacets
        The posterior of totals and ranks, fair averages, difficulties, and who leans on which criterion.

    Raises
    ------
    MethodNotApplicable
        If a weight is not above 0, the points do not fit the levels or do not ascend or descend, or as for
        `fit_ordinal`.
    TimeLimitReached
        As for `fit_ordinal`.

    Examples
    --------
    >>> ratings = Ratings.from_records('AABB', 'xyxy', [[2, 3], [3, 3], [1, 2], [1, 1]], levels=[1, 2, 3])
    >>> fit_ordinal_facets(ratings, draws=1600).values.shape
    (2, 2)
    """
    limit = TimeLimit(time_limit)
    weights = checked_weights(ratings, feature_weights)
    if not (weights > 0).all():
        raise MethodNotApplicable("Each criterion must count more than 0 in the total: leave out those that do not.")
    worth = _points(ratings, points)
    check_level(level)
    if ratings.n_features == 1:
        posterior, kept = fit_with_draws(
            ratings,
            feature_weights=weights,
            shared_cutpoints=False,
            correlated_cutpoints=True,
            level=level,
            seed=seed,
            priors=priors,
            draws=draws,
            time_limit=time_limit,
            progress=progress,
        )
        one = RatedDraws.of_one_criterion(kept)
        return summarise_facets(posterior, one, worth, one.leanings)
    most, priors = iterations(draws), priors or USUAL_PRIORS
    random = np.random.default_rng(seed)
    with one_blas_thread():
        record, agreement = _sample(
            ratings, priors, random, weights, most, limit, progress or (lambda _share, _said: None)
        )
        posterior = _posterior(ratings, record, agreement, limit, weights, priors, seed, level)
        told = _as_told(ratings, priors, record, random, limit)
        found = summarise_facets(posterior, record.rated(), worth, told)
        limit.check()
    if progress is not None:
        progress(1.0, f"Done: {len(posterior.totals)} draws.")
    return found


def _points(ratings: Ratings, points: ArrayLike | None) -> Array:
    count = len(ratings.levels)
    worth = np.arange(1.0, count + 1) if points is None else np.array(points, dtype=np.float64, ndmin=1)
    steps = np.diff(worth)
    if worth.shape != (count,) or not np.isfinite(worth).all() or not ((steps > 0).all() or (steps < 0).all()):
        raise MethodNotApplicable(
            f"Give one number of points for each of the {count} levels, ascending or descending all the way."
        )
    return worth


def _sample(
    ratings: Ratings,
    priors: OrdinalPriors,
    random: np.random.Generator,
    weights: Array,
    most: int,
    limit: TimeLimit,
    report: Progress,
) -> tuple[_Record, Agreement]:
    report(0.0, "Looking for a starting point.")
    density = RatedDensity(ratings, priors=priors)
    sampler, whitened = _warmed_up(
        density, *starting_points(density, ratings, priors, CHAINS, random, limit), random, limit
    )
    record = _Record(density, whitened, window(density.n * density.K), weights)
    return record, draw_until_agreed(sampler, record, most=most, limit=limit, report=report)


def _warmed_up(
    density: RatedDensity, start: Array, scales: Array, random: np.random.Generator, limit: TimeLimit
) -> tuple[HamiltonianSampler, Whitened]:
    """Learn what goes together among totals, cut-points and criteria, and then how far to step without it."""
    sampler = HamiltonianSampler(density, start, scales, random)
    sampler.warm_up(_FIRST_WARM_UP, check=limit.check)
    seen = [sampler.points]
    for _ in range(_LOOKED_AT):
        sampler.move()
        limit.check()
        seen.append(sampler.points)
    draws = np.concatenate(seen, axis=1)
    whitened = Whitened(density, shrunken_factor(draws[: density.going_together]))
    scales = draws.std(axis=1)
    scales[: density.going_together] = 1.0
    sampler = HamiltonianSampler(whitened, whitened.whitened(sampler.points), scales, random)
    sampler.warm_up(_SECOND_WARM_UP, check=limit.check)
    return sampler, whitened


def _as_told(
    ratings: Ratings, priors: OrdinalPriors, record: _Record, random: np.random.Generator, limit: TimeLimit
) -> Array:
    """Draw leanings (draws, M, K) that are hardly drawn to 0, from where the chains ended: what the ratings say."""
    wide = RatedDensity(ratings, priors=priors, leaning_spread=_WIDE)
    whitened, points = record.ended()
    blocks = wide.blocks
    kappa = np.exp(points[blocks["log_scales"]][wide.K + 1])
    points[blocks["leanings"]] *= kappa / _WIDE
    seen = Whitened(wide, whitened.factor)
    scales = np.ones(wide.dimension)
    sampler = HamiltonianSampler(seen, seen.whitened(points), scales, random)
    sampler.warm_up(_TOLD_WARM_UP, check=limit.check)
    kept = []
    for _ in range(_TOLD):
        sampler.move()
        limit.check()
        state = wide.state(seen.points(sampler.points))
        kept.append((state.shifts - state.difficulties[:, None]).transpose(2, 1, 0))
    return np.concatenate(kept)


def _posterior(
    ratings: Ratings,
    record: _Record,
    agreement: Agreement,
    limit: TimeLimit,
    weights: Array,
    priors: OrdinalPriors,
    seed: int,
    level: float,
) -> OrdinalPosterior:
    groups = ratings.components()
    said = (*cautions(ratings, groups, shared_cutpoints=False), *criteria_cautions(ratings))
    return summarise(
        ratings,
        record.draws(),
        diagnosis_of(agreement, record.taken, limit, said),
        feature_weights=weights,
        correlated_cutpoints=True,
        priors=priors,
        seed=seed,
        level=level,
        components=groups,
    )


class _Record:
    """The chains' latest draws of what the summaries need: the last `longest` iterations; `weights` make totals."""

    def __init__(self, density: RatedDensity, whitened: Whitened, longest: int, weights: Array) -> None:
        self._density, self._whitened, self.longest, self._weights = density, whitened, longest, weights
        self._values: list[Array] = []
        self._scales: list[Array] = []
        self._shifts: list[tuple[Array, Array]] = []
        self._cutpoints: list[Array] = []
        self._last = np.empty(0)
        self.taken = 0

    def add(self, points: Array) -> None:
        """Add one iteration of all chains (dimension, C)."""
        self._last = self._whitened.points(points)
        state = self._density.state(self._last)
        self._values.append(state.values.transpose(2, 1, 0))
        self._scales.append(np.concatenate([state.scales, state.spread]).T)
        self._shifts.append((state.difficulties.T, (state.shifts - state.difficulties[:, None]).transpose(2, 1, 0)))
        self._cutpoints.append(state.cutpoints.transpose(2, 1, 0))
        self.taken += 1
        if len(self._values) > self.longest:
            for kept in (self._values, self._scales, self._shifts, self._cutpoints):
                del kept[0]

    def agreement(self) -> Agreement:
        """How far the chains agree; leanings and difficulties must do so as far as spreads."""
        rhat, effective = split_rhat_and_effective_size(np.stack(self._values) @ self._weights)
        difficulties = np.stack([one for one, _ in self._shifts])
        leanings = np.stack([one.reshape(len(one), -1) for _, one in self._shifts])
        rest = np.concatenate([np.stack(self._scales), difficulties, leanings], axis=2)
        return Agreement(float(rhat.max()), float(split_rhat(rest).max()), float(effective.min()))

    def ended(self) -> tuple[Whitened, Array]:
        """Return how points were seen, and where the chains ended (dimension, C)."""
        return self._whitened, self._last.copy()

    def rated(self) -> RatedDraws:
        """Return every fourth iteration of all chains, as needed for what criteria are about."""
        pick = slice(None, None, _THINNING)
        scales = np.concatenate(self._scales[pick])
        return RatedDraws(
            values=np.concatenate(self._values[pick]),
            cutpoints=np.concatenate(self._cutpoints[pick]),
            difficulties=np.concatenate([one for one, _ in self._shifts[pick]]),
            leanings=np.concatenate([one for _, one in self._shifts[pick]]),
            own_spread=scales[:, 1 : self._density.K + 1],
            leaning_spread=scales[:, self._density.K + 1],
            halo=scales[:, self._density.K + 2],
        )

    def draws(self) -> Draws:
        """Return the draws as those of a model in which every criterion has cut-points by itself."""
        K, rated = self._density.K, self.rated()
        scales = np.concatenate(self._scales)
        tau, omega, spread = scales[:, :1], scales[:, 1 : K + 1], scales[:, K + 3 :]
        whole = np.sqrt(tau**2 + omega**2)
        shared = tau[:, :, None] ** 2 / (whole[:, :, None] * whole[:, None])
        own = np.arange(K)
        shared[:, own, own] = 1.0
        shifts = (rated.difficulties[:, None] + rated.leanings)[..., None]
        return Draws(
            scores=np.concatenate(self._values),
            cutpoints=rated.cutpoints[:, :, None] + shifts,
            tau=whole,
            spread=np.repeat(spread[:, None], K, axis=1),
            correlation=shared,
            chains=CHAINS,
        )
