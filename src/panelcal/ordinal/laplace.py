"""A Gaussian approximation of the ordinal model at its marginal mode: the sampler's start and the quick preview.

Expectation-maximisation over the scales (tau, s and the correlations): Newton's method finds the mode of scores,
log-increments and their centre given the scales, the Gaussian there (Laplace) stands in for their posterior, and the
scales follow from its second moments. Joint maximisation over scores *and* scales is not used: it stretches the scores.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy import linalg
from scipy.special import expit

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.ordinal.likelihood import Observations
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.ordinal.time_limit import no_limit

_MOST_STEPS = 40  # of Newton's method, each time
_NEWTON_TOLERANCE = 1e-3  # in units of log density
_MOST_IMPROVEMENTS, _SCALE_TOLERANCE = 25, 0.02  # of log scales
_FIRST_SPREAD = 0.5
_LOG_SCALE_LIMITS = (-4.0, 2.5)
_LARGEST_ETA = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """Scales of the population.

    Attributes
    ----------
    tau, feature_correlation
        (Q,), (Q, Q) of objects.
    spread, cutpoint_correlation
        (P,), (P, P) of assessors, P = Q L.
    """

    tau: Array
    feature_correlation: Array
    spread: Array
    cutpoint_correlation: Array


@dataclass(frozen=True, slots=True, eq=False)
class GaussianDraws:
    """Draws of what the model is made of.

    Attributes
    ----------
    scores
        (draws, Q, n).
    eta
        (draws, P, M): first cut-point and log increments; M = 1 where they are shared.
    centre
        (draws, P).
    """

    scores: Array
    eta: Array
    centre: Array


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """Newton's point, with the parts of the negative Hessian there; `rest` is eta and centre (eta where shared).

    Attributes
    ----------
    scores, rest
        (Q n,) and (R,), R = P M + P (P where the cut-points are shared).
    blocks
        (n, Q, Q) inverse of the scores' own blocks A.
    pull
        (Q n, R) A^-1 X: how the scores answer to the rest.
    factor
        (R, R) lower Cholesky factor of the Schur complement that is left for the rest.
    """

    scores: Array
    rest: Array
    blocks: Array
    pull: sp.csr_array
    factor: Array


class LaplaceModel:
    """The model with scales held fixed, and the steps that improve them."""

    def __init__(
        self,
        ratings: Ratings,
        *,
        shared_cutpoints: bool,
        correlated_cutpoints: bool,
        priors: OrdinalPriors = USUAL_PRIORS,
    ) -> None:
        self.n, self.Q, self.L = ratings.n_objects, ratings.n_features, ratings.n_cutpoints
        self.P, self.shared = self.Q * self.L, shared_cutpoints
        self.M = 1 if shared_cutpoints else ratings.n_assessors
        self._correlated = correlated_cutpoints and not shared_cutpoints
        observations = Observations.of(ratings)
        self._between, cut_index = observations.between, observations.cut_index
        if shared_cutpoints:
            self._between, cut_index = self._between.sum(axis=2, keepdims=True), cut_index // ratings.n_assessors
        self._score_index, self._cut_index, self._above = observations.score_index, cut_index, observations.above
        self._priors = priors
        mean, spread = priors.centre(self.Q, self.L)
        self._centre_mean, self._centre_precision = mean.ravel(), spread.ravel() ** -2.0
        self.size = self.P * self.M + (0 if shared_cutpoints else self.P)
        # A comparison with cut l depends on eta_0..eta_l of its assessor and feature.
        cut = self._cut_index // self.M % self.L
        self._touching = np.repeat(np.arange(len(cut)), cut + 1)
        down = np.arange(len(self._touching)) - np.repeat(np.cumsum(cut + 1) - (cut + 1), cut + 1)
        self._touched = self._cut_index[self._touching] - down * self.M

    def first_scales(self) -> Scales:
        """Where the expectation-maximisation starts."""
        return Scales(np.ones(self.Q), np.eye(self.Q), np.full(self.P, _FIRST_SPREAD), np.eye(self.P))

    def first_point(self) -> tuple[Array, Array]:
        """Where Newton's method starts: all scores 0, all assessors at the prior's centre."""
        eta = np.repeat(self._centre_mean, self.M)
        return np.zeros(self.n * self.Q), eta if self.shared else np.concatenate([eta, self._centre_mean])

    def find_mode(self, scales: Scales, scores: Array, rest: Array) -> Mode:
        """Climb to the mode of scores and rest given the scales, from the given point."""
        object_precision, assessor_precision = _precisions(scales)
        value = self._value(scores, rest, object_precision, assessor_precision)
        for _ in range(_MOST_STEPS):
            slope_scores, slope_rest, mode = self._expand(scores, rest, object_precision, assessor_precision)
            by_scores = slope_scores.reshape(self.Q, self.n)
            own = np.einsum("iqr,ri->qi", mode.blocks, by_scores).ravel()
            step_rest = linalg.cho_solve((mode.factor, True), slope_rest - mode.pull.T @ slope_scores)
            step_scores = own - mode.pull @ step_rest
            gain = float(slope_scores @ step_scores + slope_rest @ step_rest)
            if not gain > _NEWTON_TOLERANCE:
                break
            length = 1.0
            while length > 1e-4:
                trial = scores + length * step_scores, rest + length * step_rest
                trial_value = self._value(*trial, object_precision, assessor_precision)
                if trial_value >= value + 1e-4 * length * gain:
                    (scores, rest), value = trial, trial_value
                    break
                length /= 2
            else:
                break
        return self._expand(scores, rest, object_precision, assessor_precision)[2]

    def improve(self, scales: Scales, mode: Mode) -> Scales:
        """One step of expectation-maximisation: scales from the second moments of the Gaussian at the mode."""
        inverse = linalg.cho_solve((mode.factor, True), np.eye(self.size))
        carried = (mode.pull @ inverse).reshape(self.Q, self.n, self.size)
        pull = mode.pull.toarray().reshape(self.Q, self.n, self.size)
        scores = mode.scores.reshape(self.Q, self.n)
        moments = scores @ scores.T + mode.blocks.sum(axis=0) + np.einsum("qis,ris->qr", carried, pull, optimize=True)
        tau = _scale_from_squares(np.diag(moments), self.n, self._priors.object_spread)
        features = _shrunken_correlation(moments, self.n, self._priors.feature_correlation)
        if self.shared:
            return Scales(tau, features, scales.spread, scales.cutpoint_correlation)
        eta = self.P * self.M
        own = mode.rest[:eta].reshape(self.P, self.M) - mode.rest[eta:, None]
        within = np.einsum("pjqj->pq", inverse[:eta, :eta].reshape(self.P, self.M, self.P, self.M))
        across = inverse[:eta, eta:].reshape(self.P, self.M, self.P).sum(axis=1)
        moments = own @ own.T + within - across - across.T + self.M * inverse[eta:, eta:]
        spread = _scale_from_squares(np.diag(moments), self.M, self._priors.assessor_spread)
        if not self._correlated:
            return Scales(tau, features, spread, scales.cutpoint_correlation)
        correlation = _shrunken_correlation(moments, self.M, self._priors.cutpoint_correlation)
        return Scales(tau, features, spread, correlation)

    def draw(self, mode: Mode, draws: int, random: np.random.Generator) -> GaussianDraws:
        """Draw from the Gaussian at the mode."""
        noise = random.standard_normal((self.size, draws))
        off = linalg.solve_triangular(mode.factor, noise, lower=True, trans="T")
        halves = np.linalg.cholesky(mode.blocks)
        own = np.einsum("iqr,rid->qid", halves, random.standard_normal((self.Q, self.n, draws)))
        scores = mode.scores[:, None] - mode.pull @ off + own.reshape(-1, draws)
        rest = (mode.rest[:, None] + off).T
        eta = rest[:, : self.P * self.M].reshape(draws, self.P, self.M)
        centre = eta[:, :, 0] if self.shared else rest[:, self.P * self.M :]
        return GaussianDraws(scores.T.reshape(draws, self.Q, self.n), eta, centre)

    def _cuts(self, rest: Array) -> tuple[Array, Array]:
        """Cut-points (Q, L, M) and exp(eta) with 1 for the first: the derivatives of cuts by eta."""
        eta = rest[: self.P * self.M].reshape(self.Q, self.L, self.M)
        by_eta = np.exp(np.clip(eta, -_LARGEST_ETA, _LARGEST_ETA))
        steps = by_eta.copy()
        steps[:, 0] = eta[:, 0]
        by_eta[:, 0] = 1
        return np.cumsum(steps, axis=1), by_eta

    def _prior_terms(self, rest: Array, assessor_precision: Array) -> tuple[float, Array]:
        """Log prior of eta and centre, and its gradient."""
        if self.shared:
            off = rest - self._centre_mean
            return -float(self._centre_precision @ off**2) / 2, -self._centre_precision * off
        eta, centre = rest[: self.P * self.M].reshape(self.P, self.M), rest[self.P * self.M :]
        own = eta - centre[:, None]
        pulled = assessor_precision @ own
        off = centre - self._centre_mean
        value = -float((own * pulled).sum() + self._centre_precision @ off**2) / 2
        return value, np.concatenate([-pulled.ravel(), pulled.sum(axis=1) - self._centre_precision * off])

    def _value(self, scores: Array, rest: Array, object_precision: Array, assessor_precision: Array) -> float:
        cuts, by_eta = self._cuts(rest)
        distance = cuts.ravel()[self._cut_index] - scores[self._score_index]
        signed = np.where(self._above, -distance, distance)
        likelihood = -np.logaddexp(0, -signed).sum()
        likelihood += (self._between[:, 1:] * np.log(-np.expm1(-by_eta[:, 1:]))).sum()
        table = scores.reshape(self.Q, self.n)
        return float(
            likelihood - (table * (object_precision @ table)).sum() / 2
            + self._prior_terms(rest, assessor_precision)[0]
        )  # fmt: skip

    def _expand(
        self, scores: Array, rest: Array, object_precision: Array, assessor_precision: Array
    ) -> tuple[Array, Array, Mode]:
        """Gradient by scores and by the rest, and the negative Hessian with the scores eliminated."""
        cuts, by_eta = self._cuts(rest)
        shape, n_cuts = by_eta.shape, by_eta.size
        below = expit(scores[self._score_index] - cuts.ravel()[self._cut_index])  # sigma(score - cut)
        slope = below - self._above
        weight = below * (1 - below)
        table = scores.reshape(self.Q, self.n)
        slope_scores = -np.bincount(self._score_index, slope, len(scores)) - (object_precision @ table).ravel()
        by_cut = np.bincount(self._cut_index, slope, n_cuts).reshape(shape)
        weight_of_cut = np.bincount(self._cut_index, weight, n_cuts).reshape(shape)
        onwards = np.cumsum(by_cut[:, ::-1], axis=1)[:, ::-1] * by_eta
        steps = by_eta[:, 1:]
        grown = np.expm1(steps)
        slope_eta = onwards.copy()
        slope_eta[:, 1:] += self._between[:, 1:] * steps / grown
        slope_rest = self._prior_terms(rest, assessor_precision)[1]
        slope_rest[:n_cuts] += slope_eta.ravel()

        inverse_blocks, inverse = self._inverse_of_scores(weight, object_precision)
        cross = sp.csr_array(
            (-weight[self._touching] * by_eta.ravel()[self._touched],
             (self._score_index[self._touching], self._touched)),
            shape=(len(scores), self.size),
        )  # fmt: skip
        pull = sp.csr_array(inverse @ cross)
        # eta of one assessor and feature: by_eta_l by_eta_l' (weights of all cuts from the higher of l, l' on).
        hessian = self._prior_hessian(assessor_precision) - (cross.T @ pull).toarray()
        same_assessor = np.einsum("pjrj->prj", hessian[:n_cuts, :n_cuts].reshape(self.P, self.M, self.P, self.M))
        reached = np.cumsum(weight_of_cut[:, ::-1], axis=1)[:, ::-1]
        cut = np.arange(self.L)
        higher = np.maximum(cut[:, None], cut)
        for q in range(self.Q):
            own = slice(q * self.L, (q + 1) * self.L)
            same_assessor[own, own] += by_eta[q][:, None] * by_eta[q] * reached[q][higher]
        bend = np.zeros(shape)
        # -d/d eta of n e/(e^e - 1), positive; as e -> 0 it tends to n e/2
        bend[:, 1:] = self._between[:, 1:] * steps * (steps * np.exp(steps) - grown) / grown**2
        diagonal = np.arange(n_cuts)
        curvature = -onwards
        curvature[:, 0] = 0
        for allowed in (curvature, np.maximum(curvature, 0)):  # the second always gives a descent direction
            trial = hessian.copy()
            trial[diagonal, diagonal] += (bend + allowed).ravel()
            try:
                factor = linalg.cholesky(trial, lower=True)
                break
            except linalg.LinAlgError:
                continue
        return slope_scores, slope_rest, Mode(scores, rest, inverse_blocks, pull, factor)

    def _inverse_of_scores(self, weight: Array, object_precision: Array) -> tuple[Array, sp.csr_array]:
        """Invert the part of the Hessian on the scores, one Q x Q block per object, as blocks and as a whole."""
        block = np.zeros((self.n, self.Q, self.Q))
        each = np.arange(self.Q)
        block[:, each, each] = np.bincount(self._score_index, weight, self.Q * self.n).reshape(self.Q, self.n).T
        inverse_blocks: Array = np.asarray(np.linalg.inv(block + object_precision))
        rows, columns = np.divmod(np.arange(self.Q**2), self.Q)
        places = np.arange(self.n)
        inverse = sp.csr_array(
            (
                inverse_blocks[:, rows, columns].T.ravel(),
                ((rows[:, None] * self.n + places).ravel(), (columns[:, None] * self.n + places).ravel()),
            ),
            shape=(self.Q * self.n, self.Q * self.n),
        )
        return inverse_blocks, inverse

    def _prior_hessian(self, assessor_precision: Array) -> Array:
        if self.shared:
            return np.diag(self._centre_precision)
        M, eta = self.M, self.P * self.M
        hessian = np.zeros((self.size, self.size))
        hessian[:eta, :eta] = np.kron(assessor_precision, np.eye(M))
        hessian[:eta, eta:] = -np.repeat(assessor_precision, M, axis=0)
        hessian[eta:, :eta] = hessian[:eta, eta:].T
        hessian[eta:, eta:] = M * assessor_precision + np.diag(self._centre_precision)
        return hessian


def fit_laplace(model: LaplaceModel, *, check: Callable[[], None] = no_limit) -> tuple[Scales, Mode]:
    """Repeat expectation-maximisation until no log scale moves by more than 0.02.

    `check` is called after every step, and may raise to end it all.
    """
    scales = model.first_scales()
    scores, rest = model.first_point()
    mode = model.find_mode(scales, scores, rest)
    for _ in range(_MOST_IMPROVEMENTS):
        better = model.improve(scales, mode)
        moved = max(np.abs(np.log(better.tau / scales.tau)).max(), np.abs(np.log(better.spread / scales.spread)).max())
        scales = better
        mode = model.find_mode(scales, mode.scores, mode.rest)
        check()
        if moved < _SCALE_TOLERANCE:
            break
    return scales, mode


def _precisions(scales: Scales) -> tuple[Array, Array]:
    objects = scales.feature_correlation * np.outer(scales.tau, scales.tau)
    assessors = scales.cutpoint_correlation * np.outer(scales.spread, scales.spread)
    return np.asarray(np.linalg.inv(objects)), np.asarray(np.linalg.inv(assessors))


def _scale_from_squares(squares: Array, count: int, mean: float) -> Array:
    """Mode of log s for `count` normal deviates with this expected sum of squares, under s exponential with this mean.

    It solves s^3 / mean + (count - 1) s^2 = squares.
    """
    scale = np.sqrt(squares / count) + 1e-12
    for _ in range(30):
        scale = scale - (scale**3 / mean + (count - 1) * scale**2 - squares) / (
            3 * scale**2 / mean + 2 * (count - 1) * scale
        )
    return np.asarray(np.exp(np.clip(np.log(np.maximum(scale, 1e-12)), *_LOG_SCALE_LIMITS)))


def _shrunken_correlation(moments: Array, count: int, shape: float) -> Array:
    """Correlation of the moments, drawn towards none as LKJ(shape) would: by count / (count + 2 shape + size - 1)."""
    spread = np.sqrt(np.diag(moments))
    size = len(moments)
    shrink = count / (count + 2 * shape + size - 1)
    return np.asarray(shrink * moments / np.outer(spread, spread) + (1 - shrink) * np.eye(size))
