"""Made-up ratings with the truth behind them, from what a model supposes: forward, as McElreath (2021) begins.

Two accounts of how ratings come about. `simulate_ratings` is the document's: talks that differ by 1.5, judges whose
sorted cut-points are spread by 2 and shifted by 1. `prior_predictive` is what the fitted model believes before it has
seen any rating. In both, judges are drawn for each talk with weight exp(2 x the number of talks they have still to
take), so that loads come out nearly alike.
"""

from __future__ import annotations

import numpy as np
import scipy.special

from panelcal.arrays import Array, Indices
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.one_thread import one_blas_thread
from panelcal.ordinal.correlations import draw_correlation
from panelcal.ordinal.priors import USUAL_PRIORS, OrdinalPriors
from panelcal.ordinal.ratings import FEWEST_LEVELS, MOST_LEVELS, Ratings
from panelcal.shown import Shown

_OBJECT_SPREAD, _CUT_SPREAD, _SHIFT_SPREAD, _CORRELATION = 1.5, 2.0, 1.0, 2.0
_PREFERENCE_FOR_FREE = 2.0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SimulatedRatings(Shown):
    """Ratings and the truth behind them; n objects, M assessors who rated any, Q features, L cut-points.

    Source: the generator of McElreath (2021).

    Attributes
    ----------
    ratings
        Objects and assessors are labelled 1, 2, ...; levels too, the lowest 1.
    scores
        (n, Q) true scores, logit scale, in the order of ``ratings.objects``.
    cutpoints
        (M, Q, L) true cut-points, logit scale, in the order of ``ratings.assessors``.
    feature_correlation
        (Q, Q) correlation between features that the scores were drawn with.

    Examples
    --------
    >>> simulate_ratings(10, 4, 2, seed=1).ratings.n_objects
    10
    """

    ratings: Ratings
    scores: Array
    cutpoints: Array
    feature_correlation: Array

    @property
    def totals(self) -> Array:
        """(n,) true totals, every feature counting 1."""
        return np.asarray(self.scores.sum(axis=1))


def simulate_ratings(
    n_objects: int,
    n_assessors: int,
    per_object: int,
    *,
    n_features: int = 1,
    n_levels: int = 5,
    seed: int = 0,
) -> SimulatedRatings:
    """Simulate a conference by McElreath's (2021) generator.

    Scores are N(0, 1.5^2 R) with R ~ LKJ(2); an assessor's cut-points are sorted N(0, 2^2) draws for each feature, all
    shifted by one N(0, 1); ratings are ordered logistic.

    Source: the generator of McElreath (2021).

    Parameters
    ----------
    n_objects, n_assessors
        How many there are. An assessor who is drawn for no object does not appear in the ratings.
    per_object
        How many different assessors rate each object.
    n_features, n_levels
        Features rated, and levels of the scale (2 to 11).
    seed
        The same seed gives the same ratings.

    Returns
    -------
    SimulatedRatings
        Ratings, and the truth that they were drawn from.

    Raises
    ------
    MethodNotApplicable
        If there is nothing to rate, or there are fewer assessors than each object needs.

    Examples
    --------
    >>> simulate_ratings(10, 4, 2, seed=1).ratings.n_assessors
    4
    """
    _check_sizes(n_objects, n_assessors, per_object, n_features, n_levels)
    random = np.random.default_rng(seed)
    with one_blas_thread():
        features = draw_correlation(n_features, _CORRELATION, random)
        scores = _OBJECT_SPREAD * random.standard_normal((n_objects, n_features)) @ np.linalg.cholesky(features).T
        cutpoints = np.sort(_CUT_SPREAD * random.standard_normal((n_assessors, n_features, n_levels - 1)), axis=2)
        cutpoints += _SHIFT_SPREAD * random.standard_normal((n_assessors, 1, 1))
        return _rated(scores, cutpoints, features, per_object, random)


def prior_predictive(
    n_objects: int,
    n_assessors: int,
    per_object: int,
    *,
    n_features: int = 1,
    n_levels: int = 5,
    priors: OrdinalPriors | None = None,
    seed: int = 0,
) -> SimulatedRatings:
    """Draw everything from the model's prior, down to ratings: what `fit_ordinal` supposes before it sees any.

    One draw a call; look at many seeds to see whether the priors allow what you hold possible.

    Source: McElreath (2021), whose work begins with made-up data.

    Parameters
    ----------
    n_objects, n_assessors, per_object, n_features, n_levels, seed
        As for `simulate_ratings`.
    priors
        As for `fit_ordinal`: None = McElreath's.

    Returns
    -------
    SimulatedRatings
        Ratings, and the truth that they were drawn from.

    Raises
    ------
    MethodNotApplicable
        As for `simulate_ratings`.

    Examples
    --------
    >>> prior_predictive(10, 4, 2, seed=1).ratings.n_objects
    10
    """
    _check_sizes(n_objects, n_assessors, per_object, n_features, n_levels)
    priors = priors or USUAL_PRIORS
    random = np.random.default_rng(seed)
    cuts = n_features * (n_levels - 1)
    with one_blas_thread():
        tau = random.exponential(priors.object_spread, n_features)
        features = draw_correlation(n_features, priors.feature_correlation, random)
        scores = random.standard_normal((n_objects, n_features)) @ (tau[:, None] * np.linalg.cholesky(features)).T
        mean, deviation = priors.centre(n_features, n_levels - 1)
        centre = mean.ravel() + deviation.ravel() * random.standard_normal(cuts)
        spread = random.exponential(priors.assessor_spread, cuts)
        between_cuts = draw_correlation(cuts, priors.cutpoint_correlation, random)
        own = random.standard_normal((n_assessors, cuts)) @ (spread[:, None] * np.linalg.cholesky(between_cuts)).T
        eta = (centre + own).reshape(n_assessors, n_features, n_levels - 1)
        cutpoints = np.cumsum(np.concatenate([eta[..., :1], np.exp(eta[..., 1:])], axis=2), axis=2)
        return _rated(scores, cutpoints, features, per_object, random)


def _check_sizes(n_objects: int, n_assessors: int, per_object: int, n_features: int, n_levels: int) -> None:
    if min(n_objects, n_assessors, per_object, n_features) < 1:
        raise MethodNotApplicable(
            "Simulated ratings need an object, an assessor, a feature and an assessor for each object at least."
        )
    if per_object > n_assessors:
        raise MethodNotApplicable(f"{per_object} assessors for each object cannot be found among {n_assessors}.")
    if not FEWEST_LEVELS <= n_levels <= MOST_LEVELS:
        raise MethodNotApplicable(f"A scale of ratings has {FEWEST_LEVELS} to {MOST_LEVELS} levels.")


def _assigned(n_objects: int, n_assessors: int, per_object: int, random: np.random.Generator) -> Indices:
    """(n_objects, per_object) different assessors for each object."""
    left = np.full(n_assessors, -(-n_objects * per_object // n_assessors))  # objects each has still to take
    chosen = np.empty((n_objects, per_object), dtype=np.intp)
    for k in range(n_objects):
        # The largest of log weights plus Gumbel noise are a draw by weight without replacement.
        keys = _PREFERENCE_FOR_FREE * left + random.gumbel(size=n_assessors)
        chosen[k] = np.argsort(-keys)[:per_object]
        left[chosen[k]] -= 1
    return chosen


def _rated(
    scores: Array, cutpoints: Array, features: Array, per_object: int, random: np.random.Generator
) -> SimulatedRatings:
    n, M, n_levels = len(scores), len(cutpoints), cutpoints.shape[2] + 1
    assessors = _assigned(n, M, per_object, random).ravel()
    objects = np.repeat(np.arange(n), per_object)
    below = scipy.special.expit(cutpoints[assessors] - scores[objects][:, :, None])
    levels = 1 + (random.random((len(objects), scores.shape[1], 1)) > below).sum(axis=2)
    ratings = Ratings.from_records(
        (objects + 1).tolist(), (assessors + 1).tolist(), levels, levels=range(1, n_levels + 1)
    )
    order = [int(label) - 1 for label in ratings.assessors]
    return SimulatedRatings(ratings, scores, cutpoints[order], features)
