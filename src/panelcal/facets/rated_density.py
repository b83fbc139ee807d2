"""Ordered ratings in several criteria as a log density with gradient, for many chains at once.

An extension of McElreath's (2021) model, with cut-points that a judge takes from criterion to criterion:

    rating      assessment p of object i by assessor j, criterion k: ordered logistic(score_pk, cuts_jk)
    score       tau v_i + omega_k u_ik + eta h_p;          v, u, h ~ N(0, 1)
    cuts        own_j + delta_k + lambda_jk;               delta, and lambda of each assessor, add up to 0 over criteria
    own         as in McElreath's model: first cut eta_1, next = previous + exp(eta_l), correlated
    priors      tau, omega_k, kappa (spread of lambda), eta ~ Exponential(1); delta ~ N(0, 1) within its sum of 0

delta is how hard a criterion is; lambda is how an assessor leans on it beyond general severity, shrunk as far as the
assessors show; omega u is what an object is worth in a criterion beyond its value; h is what the assessor thought of
the object as a whole on that occasion (a halo), so that ratings of one assessment count for less than independent ones.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.ordinal.correlations import CholeskyFactor, CorrelationPrior
from panelcal.ordinal.likelihood import Observations, RatingLikelihood
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings

DIFFICULTY_SPREAD = 1.0
_LARGEST_ETA = 30.0
_MOST_TOGETHER = 400


@dataclass(frozen=True, slots=True, eq=False)
class RatedState:
    """Everything a point means; K criteria, P assessments, chains last.

    Attributes
    ----------
    values
        (K, n, C), tau v + omega u.
    cutpoints
        (L, M, C), own.
    shifts
        (K, M, C), delta + lambda.
    difficulties
        (K, C), delta.
    scales
        (K + 3, C): tau, omega, kappa and eta; eta is 0 where there is no halo.
    spread
        (L, C), s.
    factor
        Cholesky factor of the correlation of an assessor's cut-points; None with a single cut-point.
    halos
        (P, C), eta h.
    increments
        (L, M, C), exp(eta); of the first cut-point, not used.
    """

    values: Array
    cutpoints: Array
    shifts: Array
    difficulties: Array
    scales: Array
    spread: Array
    factor: CholeskyFactor | None
    halos: Array
    increments: Array


class RatedDensity:
    """Log posterior density of the free numbers and its gradient, for two criteria or more.

    Parameters
    ----------
    ratings
        The data; features are the criteria.
    priors
        Of what McElreath's model has, too.
    leaning_spread
        Where given, kappa is this, and its free number only stands there.

    Attributes
    ----------
    dimension
        How many free numbers there are.
    going_together
        How many of them, the first, are worth looking at for what shifts against what.
    """

    def __init__(
        self, ratings: Ratings, *, priors: OrdinalPriors = USUAL_PRIORS, leaning_spread: float | None = None
    ) -> None:
        self.n, self.M, self.L = ratings.n_objects, ratings.n_assessors, ratings.n_cutpoints
        self.K, self.n_assessments = ratings.n_features, len(ratings.ratings)
        each = replace(
            ratings,
            objects=tuple(map(str, range(self.n_assessments))),
            object_index=np.arange(self.n_assessments),
        )
        observations = Observations.of(each)
        self._between = observations.between.sum(axis=0)[1:, :, None]
        self._likelihood = RatingLikelihood(
            observations.score_index,
            observations.cut_index,
            observations.above,
            n_scores=self.K * self.n_assessments,
            n_cuts=self.K * self.L * self.M,
        )
        self._object = ratings.object_index
        self._to_objects = sp.csr_array(
            (np.ones(self.n_assessments), (ratings.object_index, np.arange(self.n_assessments))),
            shape=(self.n, self.n_assessments),
        )
        self.has_halo = bool(((ratings.ratings >= 0).sum(axis=1) > 1).any())
        self.contrasts = _contrasts(self.K)
        self._leaning_spread = leaning_spread
        mean, spread = priors.centre(1, self.L)
        self._centre_mean, self._centre_spread = mean.reshape(-1, 1), spread.reshape(-1, 1)
        self._spread_rate = 1 / priors.assessor_spread
        self._scale_rates = np.full((self.K + 3, 1), 1 / priors.object_spread)
        self.cutpoint_prior = CorrelationPrior((self.L, priors.cutpoint_correlation))
        sizes = {
            "centre": self.L,
            "log_scales": self.K + 3 if self.has_halo else self.K + 2,
            "log_spread": self.L,
            "partials": self.cutpoint_prior.n_free,
            "difficulties": self.K - 1,
            "leanings": (self.K - 1) * self.M,
            "cuts": self.L * self.M,
            "values": self.n,
            "own": self.K * self.n,
            "halos": self.n_assessments if self.has_halo else 0,
        }
        ends = np.cumsum(list(sizes.values()))
        self.blocks = {
            name: slice(int(end) - size, int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        self.dimension = int(ends[-1])
        whole = [self.blocks[name].stop for name in ("partials", "cuts", "values")]
        self.going_together = max(end for end in whole if end <= max(_MOST_TOGETHER, whole[0]))

    def state(self, x: Array) -> RatedState:
        """Return what the points `x` (dimension, C) mean."""
        chains, blocks = x.shape[1], self.blocks
        scales = np.zeros((self.K + 3, chains))
        given = x[blocks["log_scales"]]
        scales[: len(given)] = np.exp(given)
        if self._leaning_spread is not None:
            scales[self.K + 1] = self._leaning_spread
        tau, omega, kappa, eta = scales[0], scales[1 : self.K + 1], scales[self.K + 1], scales[self.K + 2]
        values = tau * x[blocks["values"]] + omega[:, None] * x[blocks["own"]].reshape(self.K, self.n, chains)
        halos = eta * x[blocks["halos"]] if self.has_halo else np.zeros((1, chains))
        difficulties = DIFFICULTY_SPREAD * np.tensordot(self.contrasts, x[blocks["difficulties"]], axes=1)
        leanings = np.tensordot(self.contrasts, x[blocks["leanings"]].reshape(self.K - 1, self.M, chains), axes=1)
        spread = np.exp(x[blocks["log_spread"]])
        own = x[blocks["cuts"]].reshape(self.L, self.M, chains)
        factor = self.cutpoint_prior.factor(x[blocks["partials"]]) if self.L > 1 else None
        mixed = own if factor is None else np.einsum("lrc,rmc->lmc", factor.lower, own)
        steps = x[blocks["centre"]][:, None] + spread[:, None] * mixed
        increments = np.exp(np.clip(steps, -_LARGEST_ETA, _LARGEST_ETA))
        cutpoints = np.concatenate([steps[:1], increments[1:]]).cumsum(axis=0)
        shifts = difficulties[:, None] + kappa * leanings
        return RatedState(values, cutpoints, shifts, difficulties, scales, spread, factor, halos, increments)

    def gradient(self, x: Array) -> Array:
        """Return the gradient (dimension, C) of the log density at the points `x`."""
        return self._gradient(x, self.state(x))[0]

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        """Return the log density (C,), up to a constant, and its gradient (dimension, C) at the points `x`."""
        state = self.state(x)
        gradient, distance = self._gradient(x, state)
        blocks = self.blocks
        value = self._likelihood.value(distance)
        value += (self._between * np.log(-np.expm1(-state.increments[1:]))).sum(axis=(0, 1))
        value -= (((x[blocks["centre"]] - self._centre_mean) / self._centre_spread) ** 2).sum(axis=0) / 2
        value += x[blocks["log_scales"]].sum(axis=0) - (self._scale_rates * state.scales).sum(axis=0)
        if self._leaning_spread is not None:
            value -= x[blocks["log_scales"]][self.K + 1] + x[blocks["log_scales"]][self.K + 1] ** 2 / 2
        value += (x[blocks["log_spread"]] - self._spread_rate * state.spread).sum(axis=0)
        if state.factor is not None:
            value += self.cutpoint_prior.log_density(state.factor)
        value -= (x[blocks["difficulties"].start :] ** 2).sum(axis=0) / 2
        return value, gradient

    def _gradient(self, x: Array, state: RatedState) -> tuple[Array, Array]:
        """Gradient, and the distances cut - score of all comparisons (E, C), valid until the next call."""
        chains, blocks, K = x.shape[1], self.blocks, self.K
        scores = state.values[:, self._object] + state.halos
        cuts = state.cutpoints[None] + state.shifts[:, None]
        by_score, by_cut, distance = self._likelihood.slopes(scores.reshape(-1, chains), cuts.reshape(-1, chains))
        by_score = by_score.reshape(K, self.n_assessments, chains)
        by_cut = by_cut.reshape(K, self.L, self.M, chains)
        gradient = np.empty_like(x)
        gradient[blocks["difficulties"].start :] = -x[blocks["difficulties"].start :]
        self._add_scores(gradient, x, state, by_score)
        self._add_shifts(gradient, x, state, by_cut.sum(axis=1))
        self._add_cuts(gradient, x, state, by_cut.sum(axis=0))
        return gradient, distance

    def _add_scores(self, gradient: Array, x: Array, state: RatedState, by_score: Array) -> None:
        """Add slopes by what makes scores: values, halos and their spreads."""
        chains, blocks, K = x.shape[1], self.blocks, self.K
        tau, omega, eta = state.scales[0], state.scales[1 : K + 1], state.scales[K + 2]
        by_object = np.stack([self._to_objects @ one for one in by_score])
        whole, own = by_object.sum(axis=0), x[blocks["own"]].reshape(K, self.n, chains)
        gradient[blocks["values"]] += tau * whole
        gradient[blocks["own"]] += (omega[:, None] * by_object).reshape(-1, chains)
        by_scale = 1 - self._scale_rates * state.scales
        by_scale[0] += tau * (whole * x[blocks["values"]]).sum(axis=0)
        by_scale[1 : K + 1] += omega * (by_object * own).sum(axis=1)
        if self.has_halo:
            by_halo = by_score.sum(axis=0)
            gradient[blocks["halos"]] += eta * by_halo
            by_scale[K + 2] += eta * (by_halo * x[blocks["halos"]]).sum(axis=0)
        gradient[blocks["log_scales"]] = by_scale[: K + 2 + self.has_halo]

    def _add_shifts(self, gradient: Array, x: Array, state: RatedState, by_shift: Array) -> None:
        """Add slopes by difficulties and leanings (K, M, C)."""
        chains, blocks, K = x.shape[1], self.blocks, self.K
        kappa = state.scales[K + 1]
        gradient[blocks["difficulties"]] += DIFFICULTY_SPREAD * np.tensordot(
            self.contrasts.T, by_shift.sum(axis=1), axes=1
        )
        by_leaning = np.tensordot(self.contrasts.T, by_shift, axes=1).reshape(-1, chains)
        gradient[blocks["leanings"]] += kappa * by_leaning
        log_kappa = blocks["log_scales"].start + K + 1
        if self._leaning_spread is None:
            gradient[log_kappa] += kappa * (by_leaning * x[blocks["leanings"]]).sum(axis=0)
        else:
            gradient[log_kappa] = -x[log_kappa]

    def _add_cuts(self, gradient: Array, x: Array, state: RatedState, by_cut: Array) -> None:
        """Add slopes by the assessors' own cut-points (L, M, C)."""
        chains, blocks = x.shape[1], self.blocks
        for cut in range(self.L - 2, -1, -1):  # an increment moves its own cut and all above
            by_cut[cut] += by_cut[cut + 1]
        increments = state.increments[1:]
        by_cut[1:] += self._between / np.expm1(increments)
        by_cut[1:] *= increments
        centre = (x[blocks["centre"]] - self._centre_mean) / self._centre_spread**2
        gradient[blocks["centre"]] = by_cut.sum(axis=1) - centre
        own, spread = x[blocks["cuts"]].reshape(self.L, self.M, chains), state.spread
        if state.factor is None:
            gradient[blocks["cuts"]] += (spread[:, None] * by_cut).reshape(-1, chains)
            gradient[blocks["log_spread"]] = 1 - self._spread_rate * spread + spread * (by_cut * own).sum(axis=1)
            return
        scale = spread[:, None] * state.factor.lower
        gradient[blocks["cuts"]] += np.einsum("lrc,lmc->rmc", scale, by_cut).reshape(-1, chains)
        by_scale = np.einsum("lmc,rmc->lrc", by_cut, own)
        gradient[blocks["log_spread"]] = 1 - self._spread_rate * spread + (by_scale * scale).sum(axis=1)
        gradient[blocks["partials"]] = self.cutpoint_prior.gradient(state.factor, by_scale * spread[:, None])


def _contrasts(count: int) -> Array:
    """Return (K, K - 1) columns that add up to 0, at right angles: times N(0, I), K numbers of variance 1 each."""
    basis = np.zeros((count, count - 1))
    for k in range(1, count):  # Helmert's
        basis[:k, k - 1], basis[k, k - 1] = 1.0, -k
        basis[:, k - 1] /= np.sqrt(k * (k + 1))
    return basis * np.sqrt(count / (count - 1))
