"""The hierarchical ordered-logistic model of McElreath (2021) as a log density with gradient, for many chains at once.

    rating      y_ijq ~ ordered logistic(score_iq, cuts_jq), level k between cuts a_k > a_{k-1}
    object      score_i = diag(tau) L_t z_i,  z_i ~ N(0, I)
    assessor    eta_j = centre + diag(s) L_R z_j,  z_j ~ N(0, I);  first cut = eta_1, next = previous + exp(eta_l)
    priors      centre_1 ~ N(-1, 1), centre_l ~ N(0, 1/2), tau, s ~ Exponential(1), correlations ~ LKJ(2)

The likelihood is that of `likelihood`. A point is a column of free numbers; arrays hold chains on the last axis.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.ordinal.correlations import CholeskyFactor, CorrelationPrior
from panelcal.ordinal.likelihood import Observations, RatingLikelihood
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings

_LARGEST_ETA = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Everything a point means, chains last.

    Attributes
    ----------
    scores
        (Q, n, C).
    cutpoints
        (Q, L, M, C); M = 1 where they are shared.
    tau
        (Q, C).
    spread
        (Q L, C), s; None where the cut-points are shared.
    feature_factor, cutpoint_factor
        Cholesky factors L_t and L_R; the second is None where there is no correlation.
    increments
        (Q, L, M, C), exp(eta); of the first cut-point, not used.
    """

    scores: Array
    cutpoints: Array
    tau: Array
    spread: Array | None
    feature_factor: CholeskyFactor
    cutpoint_factor: CholeskyFactor | None
    increments: Array


class OrdinalDensity:
    """Log posterior density of the free numbers and its gradient.

    Parameters
    ----------
    ratings
        The data.
    shared_cutpoints
        All assessors share one set of cut-points per feature.
    correlated_cutpoints
        Full correlation matrix R of an assessor's cut-points; False: R = I.
    priors
        Those above unless others are given.
    """

    def __init__(
        self,
        ratings: Ratings,
        *,
        shared_cutpoints: bool,
        correlated_cutpoints: bool,
        priors: OrdinalPriors = USUAL_PRIORS,
    ) -> None:
        self.n, self.Q, self.L = ratings.n_objects, ratings.n_features, ratings.n_cutpoints
        self.P = self.Q * self.L
        self.M = 1 if shared_cutpoints else ratings.n_assessors
        self.shared = shared_cutpoints
        self.correlated = correlated_cutpoints and not shared_cutpoints and self.P > 1
        observations = Observations.of(ratings)
        between, cut_index = observations.between, observations.cut_index
        if shared_cutpoints:
            between, cut_index = between.sum(axis=2, keepdims=True), cut_index // ratings.n_assessors
        self._between = between[:, 1:, :, None]
        scores, cuts = self.n * self.Q, self.P * self.M
        self._likelihood = RatingLikelihood(
            observations.score_index, cut_index, observations.above, n_scores=scores, n_cuts=cuts
        )
        mean, spread = priors.centre(self.Q, self.L)
        self._centre_mean, self._centre_spread = mean.reshape(-1, 1), spread.reshape(-1, 1)
        self.feature_prior = CorrelationPrior(self.Q, priors.feature_correlation)
        self.cutpoint_prior = CorrelationPrior(self.P, priors.cutpoint_correlation)
        self._tau_rate, self._spread_rate = 1 / priors.object_spread, 1 / priors.assessor_spread
        sizes = {
            "centre": self.P,
            "log_tau": self.Q,
            "feature_partials": self.feature_prior.n_free,
            "objects": scores,
        }
        if not shared_cutpoints:
            sizes["log_spread"] = self.P
            if self.correlated:
                sizes["cutpoint_partials"] = self.cutpoint_prior.n_free
            sizes["assessors"] = cuts
        ends = np.cumsum(list(sizes.values()))
        self.blocks = {
            name: slice(int(end) - size, int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        self.dimension = int(ends[-1])

    def state(self, x: Array) -> State:
        """Return what the points `x` (dimension, C) mean."""
        chains = x.shape[1]
        blocks = self.blocks
        tau = np.exp(x[blocks["log_tau"]])
        feature_factor = self.feature_prior.factor(x[blocks["feature_partials"]])
        scale = tau[:, None] * feature_factor.lower
        scores = _mix(scale, x[blocks["objects"]].reshape(self.Q, self.n, chains))
        eta = x[blocks["centre"]][:, None, :]
        spread: Array | None = None
        cutpoint_factor: CholeskyFactor | None = None
        if not self.shared:
            spread = np.exp(x[blocks["log_spread"]])
            own = x[blocks["assessors"]].reshape(self.P, self.M, chains)
            if self.correlated:
                cutpoint_factor = self.cutpoint_prior.factor(x[blocks["cutpoint_partials"]])
                eta = eta + _mix(spread[:, None] * cutpoint_factor.lower, own)
            else:
                eta = eta + spread[:, None] * own
        eta = eta.reshape(self.Q, self.L, self.M, chains)
        increments = np.exp(np.clip(eta, -_LARGEST_ETA, _LARGEST_ETA))
        cutpoints = np.empty_like(increments)
        cutpoints[:, 0] = eta[:, 0]
        for cut in range(1, self.L):
            np.add(cutpoints[:, cut - 1], increments[:, cut], out=cutpoints[:, cut])
        return State(scores, cutpoints, tau, spread, feature_factor, cutpoint_factor, increments)

    def gradient(self, x: Array) -> Array:
        """Return the gradient (dimension, C) of the log density at the points `x`."""
        return self._gradient(x, self.state(x))[0]

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        """Return the log density (C,), up to a constant, and its gradient (dimension, C) at the points `x`."""
        state = self.state(x)
        gradient, distance = self._gradient(x, state)
        return self._value(x, state, distance), gradient

    def _value(self, x: Array, state: State, distance: Array) -> Array:
        blocks = self.blocks
        value = self._likelihood.value(distance)
        value += (self._between * np.log(-np.expm1(-state.increments[:, 1:]))).sum(axis=(0, 1, 2))
        value -= (((x[blocks["centre"]] - self._centre_mean) / self._centre_spread) ** 2).sum(axis=0) / 2
        value += (x[blocks["log_tau"]] - self._tau_rate * state.tau).sum(axis=0)
        value -= (x[blocks["objects"]] ** 2).sum(axis=0) / 2
        value += self.feature_prior.log_density(state.feature_factor)
        if state.spread is not None:
            value += (x[blocks["log_spread"]] - self._spread_rate * state.spread).sum(axis=0)
            value -= (x[blocks["assessors"]] ** 2).sum(axis=0) / 2
        if state.cutpoint_factor is not None:
            value += self.cutpoint_prior.log_density(state.cutpoint_factor)
        return np.asarray(value)

    def _gradient(self, x: Array, state: State) -> tuple[Array, Array]:
        """Gradient, and the distances cut - score of all comparisons (E, C), valid until the next call."""
        chains = x.shape[1]
        blocks = self.blocks
        by_score, by_cut, distance = self._likelihood.slopes(
            state.scores.reshape(-1, chains), state.cutpoints.reshape(-1, chains)
        )
        gradient = np.empty_like(x)
        by_score = by_score.reshape(self.Q, self.n, chains)
        by_cut = by_cut.reshape(self.Q, self.L, self.M, chains)

        own = x[blocks["objects"]].reshape(self.Q, self.n, chains)
        scale = state.tau[:, None] * state.feature_factor.lower
        gradient[blocks["objects"]] = (_mix_back(scale, by_score) - own).reshape(-1, chains)
        by_scale = _outer(by_score, own)
        gradient[blocks["log_tau"]] = 1 - self._tau_rate * state.tau + (by_scale * scale).sum(axis=1)
        gradient[blocks["feature_partials"]] = self.feature_prior.gradient(
            state.feature_factor, by_scale * state.tau[:, None]
        )

        for cut in range(self.L - 2, -1, -1):  # an increment moves its own cut and all above
            by_cut[:, cut] += by_cut[:, cut + 1]
        increments = state.increments[:, 1:]
        by_cut[:, 1:] += self._between / np.expm1(increments)
        by_cut[:, 1:] *= increments
        by_eta = by_cut.reshape(self.P, self.M, chains)
        centre = (x[blocks["centre"]] - self._centre_mean) / self._centre_spread**2
        gradient[blocks["centre"]] = by_eta.sum(axis=1) - centre
        if state.spread is not None:
            spread = state.spread
            own = x[blocks["assessors"]].reshape(self.P, self.M, chains)
            if state.cutpoint_factor is not None:
                scale = spread[:, None] * state.cutpoint_factor.lower
                gradient[blocks["assessors"]] = (_mix_back(scale, by_eta) - own).reshape(-1, chains)
                by_scale = _outer(by_eta, own)
                gradient[blocks["log_spread"]] = 1 - self._spread_rate * spread + (by_scale * scale).sum(axis=1)
                gradient[blocks["cutpoint_partials"]] = self.cutpoint_prior.gradient(
                    state.cutpoint_factor, by_scale * spread[:, None]
                )
            else:
                gradient[blocks["assessors"]] = (spread[:, None] * by_eta - own).reshape(-1, chains)
                gradient[blocks["log_spread"]] = 1 - self._spread_rate * spread + (by_eta * own).sum(axis=1) * spread
        return gradient, distance


def _mix(scale: Array, own: Array) -> Array:
    """Return sum_r scale[p, r] own[r]: (P, P, C) and (P, K, C) -> (P, K, C)."""
    if len(own) == 1:
        return scale[0] * own
    return _chains_last(np.matmul(_chains_first(scale), _chains_first(own)))


def _mix_back(scale: Array, slope: Array) -> Array:
    """Return sum_p scale[p, r] slope[p]: the transpose of `_mix`."""
    if len(slope) == 1:
        return scale[0] * slope
    return _chains_last(np.matmul(_chains_first(scale).transpose(0, 2, 1), _chains_first(slope)))


def _outer(slope: Array, own: Array) -> Array:
    """Return sum_k slope[p, k] own[r, k]: (P, K, C) and (P, K, C) -> (P, P, C)."""
    return _chains_last(np.matmul(_chains_first(slope), _chains_first(own).transpose(0, 2, 1)))


def _chains_first(array: Array) -> Array:
    return np.ascontiguousarray(array.transpose(2, 0, 1))


def _chains_last(array: Array) -> Array:
    return np.ascontiguousarray(array.transpose(1, 2, 0))
