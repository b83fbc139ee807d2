"""Ratings by judges with thresholds of their own: the review model of SIGKDD'09 (Flach et al. 2010).

    quality        q_o ~ N(T/2 + 1, 1)                      T thresholds, so T + 1 levels
    impression     x_jo ~ N(q_o, 1/e), one precision e ~ Gamma(10, 10) for every declared level of confidence
    thresholds     theta_jt ~ N(t + 1.5, 1/a_j), t = 0..T-1, a_j ~ Gamma(10, 10)
    rating         the level whose thresholds enclose x_jo: above every lower one, below every higher one

Sampled by Gibbs, several chains at once as the rows of every array. Level k stands for the score of that level, so that
values come out in score units; the priors above are for levels one apart, whatever the step of the scale.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, ndtri

from panelcal.arrays import Array, Indices
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import require_connected
from panelcal.panel import Panel

MOST_LEVELS = 20
_MOST_EXPERTISES = 6
_PRIOR_SHAPE = _PRIOR_RATE = 10.0
_NEARLY = 1e-6
_MOST_NUMBERS = 40_000_000  # draws x chains x objects kept; beyond that, every so many sweeps only
_EDGE = 37.0  # beyond so many standard deviations the distribution function is 0


@dataclass(frozen=True, slots=True, eq=False)
class ReviewThresholds:
    """Posterior of the review model.

    Attributes
    ----------
    panel
        What was fitted.
    values, value_errors
        (n_objects,) posterior means and standard deviations of the qualities, in score units.
    thresholds
        (n_assessors, T) posterior means, in score units.
    biases
        (n_assessors,) mean threshold of everybody less the assessor's own, in score units: positive = generous.
    expertises
        (n_levels,) posterior means of e, the precision of an impression at each declared confidence, in 1/level^2.
    confidence_levels
        (n_levels,) the declared confidences these belong to (their mean, where more than six had to be grouped).
    scores_of_levels
        (T + 1,) the score each level stands for.
    rhat
        Largest potential scale reduction of any quality (split chains): below 1.05, the chains agree.
    effective_sample_size
        Smallest effective number of draws behind any quality's mean.
    draws
        (n_draws, n_objects) of the qualities, in score units.
    """

    panel: Panel
    values: Array
    value_errors: Array
    thresholds: Array
    biases: Array
    expertises: Array
    confidence_levels: Array
    scores_of_levels: Array
    rhat: float
    effective_sample_size: float
    draws: Array

    @property
    def converged(self) -> bool:
        """Whether the chains agree."""
        return self.rhat < 1.05


def review_thresholds(
    panel: Panel,
    *,
    levels: int | None = None,
    chains: int = 16,
    sweeps: int = 1200,
    burn_in: int = 200,
    seed: int = 0,
) -> ReviewThresholds:
    """Sample the review model.

    Parameters
    ----------
    panel
        Ratings on a scale of few, evenly spaced levels.
    levels
        None = the levels are those of the scores; a number = the range of the scores is cut into so many levels first.
    chains, sweeps, burn_in
        Number of chains, sweeps of each, and how many of these are dropped.
    seed
        The same seed gives the same answer.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected: the priors would join its groups by assumption alone.
    MethodNotApplicable
        If the scores are not ratings on a few levels.
    """
    require_connected(panel)
    if not 0 <= burn_in < sweeps - 4 or chains < 2:
        raise MethodNotApplicable("Sampling needs at least two chains and some sweeps after the burn-in.")
    ratings, scores_of_levels = _ratings(panel, levels)
    expertise_of, confidence_levels = _expertise_levels(panel.confidences)
    sampler = _Sampler(panel, ratings, len(scores_of_levels) - 1, expertise_of, len(confidence_levels), chains, seed)
    kept = sweeps - burn_in
    thin = max(1, math.ceil(kept * chains * panel.n_objects / _MOST_NUMBERS))
    qualities = np.empty((len(range(0, kept, thin)), chains, panel.n_objects))
    thresholds = np.zeros((panel.n_assessors, len(scores_of_levels) - 1))
    expertises = np.zeros(len(confidence_levels))
    for sweep in range(sweeps):
        sampler.sweep()
        if sweep >= burn_in:
            if (sweep - burn_in) % thin == 0:
                qualities[(sweep - burn_in) // thin] = sampler.quality
            thresholds += sampler.threshold.mean(axis=0)
            expertises += sampler.expertise.mean(axis=0)
    rhat, effective = _convergence(qualities)
    low, step = float(scores_of_levels[0]), float(scores_of_levels[1] - scores_of_levels[0])
    draws = low + step * (qualities.reshape(-1, panel.n_objects) - 1)
    in_scores = low + step * (thresholds / kept - 1)
    own = in_scores.mean(axis=1)
    return ReviewThresholds(
        panel=panel,
        values=draws.mean(axis=0),
        value_errors=draws.std(axis=0),
        thresholds=in_scores,
        biases=own.mean() - own,
        expertises=expertises / kept,
        confidence_levels=confidence_levels,
        scores_of_levels=scores_of_levels,
        rhat=rhat,
        effective_sample_size=effective,
        draws=draws,
    )


def _ratings(panel: Panel, levels: int | None) -> tuple[Indices, Array]:
    """Level (N,) of every score, lowest = 1, and the score of every level."""
    distinct = np.unique(panel.scores)
    if len(distinct) < 2:
        raise MethodNotApplicable("All ratings are alike, so there is nothing to tell objects apart by.")
    low, high = float(distinct[0]), float(distinct[-1])
    if levels is not None:
        if not 2 <= levels <= MOST_LEVELS:
            raise MethodNotApplicable(f"The number of levels must lie between 2 and {MOST_LEVELS}.")
        scale = np.linspace(low, high, levels)
        return np.rint((panel.scores - low) / (scale[1] - low)).astype(np.intp) + 1, scale
    step = float(np.diff(distinct).min())
    count = round((high - low) / step) + 1
    places = (panel.scores - low) / step
    if count > MOST_LEVELS or np.abs(places - np.rint(places)).max() > _NEARLY:
        raise MethodNotApplicable(
            f"This model is for ratings on at most {MOST_LEVELS} evenly spaced levels, but there are {len(distinct)} "
            f"different scores from {low:g} to {high:g}."
        )
    return np.rint(places).astype(np.intp) + 1, low + step * np.arange(count, dtype=np.float64)


def _expertise_levels(confidences: Array) -> tuple[Indices, Array]:
    distinct, level = np.unique(confidences, return_inverse=True)
    if len(distinct) > _MOST_EXPERTISES:
        edges = np.quantile(confidences, np.linspace(0, 1, _MOST_EXPERTISES + 1)[1:-1])
        _, level = np.unique(np.searchsorted(np.unique(edges), confidences, side="right"), return_inverse=True)
    means = np.bincount(level, confidences) / np.bincount(level)
    return level.astype(np.intp), np.asarray(means, dtype=np.float64)


class _Sampler:
    """State of all chains; every array's first axis is the chain."""

    def __init__(
        self, panel: Panel, ratings: Indices, n_thresholds: int, expertise_of: Indices, n_expertises: int,
        chains: int, seed: int,
    ) -> None:  # fmt: skip
        self._random = np.random.default_rng(seed)
        self._chains, self._T = chains, n_thresholds
        # Sorted by assessor and level, so that each cell (assessor, level) is a run.
        order = np.lexsort((ratings, panel.assessor_index))
        self._object, self._assessor = panel.object_index[order], panel.assessor_index[order]
        self._level, self._expertise_of = ratings[order] - 1, expertise_of[order]
        cell = self._assessor * (n_thresholds + 1) + self._level
        self._run_start = np.flatnonzero(np.concatenate([[True], np.diff(cell) != 0]))
        self._run_cell = cell[self._run_start]
        self._n_assessors = panel.n_assessors
        self._by_object = np.argsort(self._object, kind="stable")
        self._object_start = np.flatnonzero(np.concatenate([[True], np.diff(self._object[self._by_object]) != 0]))
        self._by_expertise = np.argsort(self._expertise_of, kind="stable")
        counts = np.bincount(self._expertise_of, minlength=n_expertises)
        self._expertise_start = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._expertise_counts = counts

        self._prior_quality = n_thresholds / 2 + 1
        self._nominal: Array = np.arange(n_thresholds, dtype=np.float64) + 1.5
        self.threshold = np.broadcast_to(self._nominal, (chains, panel.n_assessors, n_thresholds)).copy()
        self.expertise = np.ones((chains, n_expertises))
        self.accuracy = np.ones((chains, panel.n_assessors))
        self.quality = self._prior_quality + self._random.standard_normal((chains, panel.n_objects))
        self.impression = np.broadcast_to(self._level + 1.0, (chains, len(order))).copy()

    def sweep(self) -> None:
        """Draw everything once, each part given all the others."""
        self._draw_impressions()
        self._draw_thresholds()
        self._draw_qualities()
        self._draw_precisions()

    def _draw_impressions(self) -> None:
        # Thresholds are not ordered beforehand: an impression lies above all lower and below all higher ones.
        infinite = np.full((self._chains, self._n_assessors, 1), np.inf)
        above = np.concatenate([-infinite, np.maximum.accumulate(self.threshold, axis=2)], axis=2)
        reverse = np.minimum.accumulate(self.threshold[:, :, ::-1], axis=2)[:, :, ::-1]
        below = np.concatenate([reverse, infinite], axis=2)
        spread = 1 / np.sqrt(self.expertise)[:, self._expertise_of]
        self.impression = _truncated_normal(
            self._random,
            self.quality[:, self._object],
            spread,
            above[:, self._assessor, self._level],
            below[:, self._assessor, self._level],
        )

    def _draw_thresholds(self) -> None:
        cells = self._n_assessors * (self._T + 1)
        highest = np.full((self._chains, cells), -np.inf)
        lowest = np.full((self._chains, cells), np.inf)
        highest[:, self._run_cell] = np.maximum.reduceat(self.impression, self._run_start, axis=1)
        lowest[:, self._run_cell] = np.minimum.reduceat(self.impression, self._run_start, axis=1)
        shape = (self._chains, self._n_assessors, self._T + 1)
        floor = np.maximum.accumulate(highest.reshape(shape), axis=2)[:, :, :-1]
        ceiling = np.minimum.accumulate(lowest.reshape(shape)[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]
        spread = 1 / np.sqrt(self.accuracy)[:, :, None]
        self.threshold = _truncated_normal(self._random, self._nominal, spread, floor, ceiling)

    def _draw_qualities(self) -> None:
        precision = self.expertise[:, self._expertise_of]
        order, start = self._by_object, self._object_start
        total = 1 + np.add.reduceat(precision[:, order], start, axis=1)
        sums = self._prior_quality + np.add.reduceat((precision * self.impression)[:, order], start, axis=1)
        noise = self._random.standard_normal(total.shape)
        self.quality = sums / total + noise / np.sqrt(total)

    def _draw_precisions(self) -> None:
        squares = (self.impression - self.quality[:, self._object]) ** 2
        sums = np.add.reduceat(squares[:, self._by_expertise], self._expertise_start, axis=1)
        shape = _PRIOR_SHAPE + self._expertise_counts / 2
        self.expertise = self._random.gamma(np.broadcast_to(shape, sums.shape)) / (_PRIOR_RATE + sums / 2)
        apart = ((self.threshold - self._nominal) ** 2).sum(axis=2)
        self.accuracy = self._random.gamma(_PRIOR_SHAPE + self._T / 2, size=apart.shape) / (_PRIOR_RATE + apart / 2)


def _truncated_normal(random: np.random.Generator, mean: Array, spread: Array, low: Array, high: Array) -> Array:
    """Draw from normals cut to (low, high), through the distribution function of the nearer tail."""
    below = np.clip((low - mean) / spread, -_EDGE, _EDGE)
    above = np.clip((high - mean) / spread, -_EDGE, _EDGE)
    flip = below > 0  # in the upper tail 1 - F has lost its digits: mirror it
    start, stop = np.where(flip, -above, below), np.where(flip, -below, above)
    bottom, top = ndtr(start), ndtr(stop)
    drawn = ndtri(bottom + random.random(bottom.shape) * (top - bottom))
    drawn = np.clip(drawn, start, stop)
    return np.asarray(np.clip(mean + spread * np.where(flip, -drawn, drawn), low, high))


def _convergence(draws: Array) -> tuple[float, float]:
    """Largest split R-hat and smallest effective number of draws over the last axis of (draws, chains, n)."""
    half = len(draws) // 2
    split = np.concatenate([draws[:half], draws[half : 2 * half]], axis=1)
    within = split.var(axis=0, ddof=1).mean(axis=0)
    between = split.mean(axis=0).var(axis=0, ddof=1)
    pooled = (half - 1) / half * within + between
    rhat = float(np.sqrt(pooled / within).max())
    # Autocorrelations by Fourier transform, summed as Geyer's initial positive pairs.
    centred = split - split.mean(axis=0)
    size = 1 << (2 * half - 1).bit_length()
    power = np.abs(np.fft.rfft(centred, size, axis=0)) ** 2
    covariance = np.fft.irfft(power, size, axis=0)[:half].mean(axis=1) / half
    correlation = 1 - (within - covariance) / pooled
    pairs = correlation[: half // 2 * 2].reshape(-1, 2, correlation.shape[1]).sum(axis=1)
    positive = np.minimum.accumulate(np.where(np.cumsum(pairs <= 0, axis=0) == 0, pairs, 0.0), axis=0)
    time = np.maximum(2 * positive.sum(axis=0) - 1, 1e-3)
    return rhat, float(np.min(split.shape[0] * split.shape[1] / time))
