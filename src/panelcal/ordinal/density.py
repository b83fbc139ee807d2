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
from panelcal.ordinal.correlated_normals import CorrelatedNormals, Varying
from panelcal.ordinal.correlations import CorrelationPrior
from panelcal.ordinal.likelihood import Observations, RatingLikelihood
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import Ratings

_LARGEST_ETA = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Everything a point means, chains last.

    Attributes
    ----------
    varying
        What varies between objects, with spreads tau, and between assessors, with spreads s (not where the cut-points
        are shared).
    scores
        (Q, n, C).
    cuts
        (L, Q, M, C), cut-points by level; M = 1 where they are shared.
    increments
        (L - 1, Q, M, C), exp(eta) of all cut-points but the first.
    """

    varying: Varying
    scores: Array
    cuts: Array
    increments: Array

    @property
    def cutpoints(self) -> Array:
        """Return the cut-points (Q, L, M, C)."""
        return self.cuts.transpose(1, 0, 2, 3)


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
        self._between = np.ascontiguousarray(between[:, 1:].transpose(1, 0, 2))[..., None]
        feature, cut, assessor = np.unravel_index(cut_index, (self.Q, self.L, self.M))
        # By level first: cut-points of one level stand side by side where they are added up.
        by_level = np.ravel_multi_index((cut, feature, assessor), (self.L, self.Q, self.M))
        scores, cuts = self.n * self.Q, self.P * self.M
        self._likelihood = RatingLikelihood(
            observations.score_index, by_level, observations.above, n_scores=scores, n_cuts=cuts
        )
        mean, spread = priors.centre(self.Q, self.L)
        self._centre_mean, self._centre_spread = mean.reshape(-1, 1), spread.reshape(-1, 1)
        self._centre_precision = self._centre_spread**-2
        groups, means = [(self.Q, priors.feature_correlation)], [priors.object_spread]
        if not shared_cutpoints:
            own = [(self.P, priors.cutpoint_correlation)] if self.correlated else [(1, 1.0)] * self.P
            groups, means = groups + own, [*means, priors.assessor_spread]
        self.normals = CorrelatedNormals(
            [self.Q] if self.shared else [self.Q, self.P], means, CorrelationPrior(*groups)
        )
        sizes = {
            "centre": self.P,
            "spreads": self.Q if self.shared else self.Q + self.P,
            "partials": self.normals.prior.n_free,
            "objects": scores,
            "assessors": 0 if self.shared else cuts,
        }
        ends = np.cumsum(list(sizes.values()))
        self.blocks = {
            name: slice(int(end) - size, int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        self.dimension = int(ends[-1])

    def state(self, x: Array) -> State:
        """Return what the points `x` (dimension, C) mean."""
        chains, blocks = x.shape[1], self.blocks
        own = [x[blocks["objects"]].reshape(self.Q, self.n, chains)]
        if not self.shared:
            own.append(x[blocks["assessors"]].reshape(self.P, self.M, chains))
        centre = x[blocks["centre"]]
        varying = self.normals.varying(x[blocks["spreads"]], x[blocks["partials"]], own, centre)
        scores = np.ascontiguousarray(varying.values[0].transpose(1, 2, 0))
        cuts = np.empty((self.L, self.Q, self.M, chains))
        eta = centre.T[:, :, None] if self.shared else varying.values[1]
        cuts[...] = eta.reshape(chains, self.Q, self.L, self.M).transpose(2, 1, 3, 0)
        increments = cuts[1:].clip(-_LARGEST_ETA, _LARGEST_ETA)
        np.exp(increments, out=increments)
        for cut in range(1, self.L):
            np.add(cuts[cut - 1], increments[cut - 1], out=cuts[cut])
        return State(varying, scores, cuts, increments)

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
        gaps = np.log(-np.expm1(-state.increments))
        value += np.dot(self._between.ravel(), gaps.reshape(self._between.size, x.shape[1]))
        value -= (((x[blocks["centre"]] - self._centre_mean) / self._centre_spread) ** 2).sum(axis=0) / 2
        value += self.normals.log_density(x[blocks["spreads"]], state.varying)
        return np.asarray(value)

    def _gradient(self, x: Array, state: State) -> tuple[Array, Array]:
        """Gradient, and the distances cut - score of all comparisons (E, C), valid until the next call."""
        chains, blocks = x.shape[1], self.blocks
        by_score, by_cut, distance = self._likelihood.slopes(
            state.scores.reshape(-1, chains), state.cuts.reshape(-1, chains)
        )
        by_cut = by_cut.reshape(self.L, self.Q, self.M, chains)
        for cut in range(self.L - 2, -1, -1):  # an increment moves its own cut and all above
            by_cut[cut] += by_cut[cut + 1]
        gaps = np.expm1(state.increments)
        np.divide(self._between, gaps, out=gaps)
        gaps += by_cut[1:]
        np.multiply(gaps, state.increments, out=by_cut[1:])
        slopes = [np.ascontiguousarray(by_score.reshape(self.Q, self.n, chains).transpose(2, 0, 1))]
        by_eta = np.ascontiguousarray(by_cut.transpose(3, 1, 0, 2)).reshape(chains, self.P, self.M)
        if not self.shared:
            slopes.append(by_eta)
        by_spreads, by_partials, by_own, by_centre = self.normals.gradient(state.varying, slopes)
        if self.shared:
            by_centre = by_eta[:, :, 0].T
        gradient = np.empty_like(x)
        off = x[blocks["centre"]] - self._centre_mean
        off *= self._centre_precision
        np.subtract(by_centre, off, out=gradient[blocks["centre"]])
        gradient[blocks["spreads"]], gradient[blocks["partials"]] = by_spreads, by_partials
        for name, by_z in zip(("objects", "assessors"), by_own, strict=False):
            gradient[blocks[name]].reshape(*by_z.shape[1:], chains)[...] = by_z.transpose(1, 2, 0)
        return gradient, distance
