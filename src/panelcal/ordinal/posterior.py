"""What the posterior says about objects, judges and the ranking: summaries of draws of the ordinal model.

Nothing here samples; `summarise` turns draws of scores and cut-points into an `OrdinalPosterior`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from panelcal.arrays import Array, Indices
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.ordinal.priors import OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.ordinal.winners import WinnerSet, winner_set
from panelcal.shown import Drawn

Groups = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OrdinalPosterior(Drawn):
    """Posterior of the hierarchical ordered-logistic model (McElreath 2021), n objects, M assessors, Q features.

    Scores and cut-points are on the logit scale: a score one above a cut-point means a rating above it with probability
    0.73. All intervals hold `level` of the posterior between equal tails.

    Source: McElreath (2021), Rating conference presentations when judges vary; convergence by Vehtari and others
    (2021).

    Attributes
    ----------
    ratings
        What was fitted.
    objects, assessors, features, levels
        Labels of the ratings; (n,), (M,), (Q,), (L + 1,).
    feature_weights
        (Q,): the total of an object is the sum of these times its feature scores.
    shared_cutpoints, correlated_cutpoints
        Whether all assessors share their cut-points; whether an assessor's cut-points may correlate (full R).
    priors, seed, level
        The options that made this result.
    total_mean, total_interval
        (n,), (n, 2).
    feature_mean, feature_interval
        (n, Q), (n, Q, 2).
    best_probability
        (n,) P(this object has the highest total).
    rank_mean, rank_interval
        (n,), (n, 2): 1 = best; the interval's ends are whole ranks.
    beats
        (n, n) P(total of i > total of j); 1/2 on the diagonal.
    winner_set
        Labels of the smallest set that holds the best object with probability `level`, likeliest first.
    winner_set_edge
        Labels, in that set or just outside it, that another run of as many draws (another seed) might place on the
        other side; for all others the set is settled.
    not_reliably_below_leader
        Labels of the leader (the best mean rank) and of all whom it beats with probability less than `level`, by rank.
    clean_cuts
        Places m such that each of the first m (by mean rank) beats each of the others with probability `level` at
        least. Almost never there are any, and that is the message.
    totals
        (draws, n); the `chains` of one iteration stand side by side.
    feature_draws
        (draws, n, Q) scores by feature, for totals with other weights.
    cutpoints, cutpoint_interval
        (M, Q, L) posterior means, (M, Q, L, 2): between level l and l + 1 of the scale.
    severity, severity_interval
        (M,), (M, 2): how many levels lower an assessor rates an object of score 0 than all assessors do on average,
        features weighted. Positive = severe; zero where the cut-points are shared.
    tau, tau_interval
        (Q,), (Q, 2): how far objects differ, one standard deviation.
    cutpoint_spread, cutpoint_spread_interval
        (Q, L), (Q, L, 2): how far assessors differ in the first cut-point and in the logarithm of each further
        increment, one standard deviation (s); 0 where the cut-points are shared.
    feature_correlation
        (Q, Q) posterior mean of the correlation between features across objects.
    converged
        Whether `rhat` < 1.01 and `scale_rhat` < 1.05.
    rhat, scale_rhat
        Largest rank-normalised split R-hat of a total; of a tau or s. NaN where `approximate`.
    effective_sample_size
        Smallest bulk effective number of draws behind a total. NaN where `approximate`.
    seconds
        Time taken.
    approximate
        True for a quick Laplace preview, whose intervals are about 11% too narrow.
    components
        Connected groups as ``(objects, assessors)`` pairs of label tuples, largest first; one where all is well.
    warnings
        Sentences that must be shown beside the result: not converged, approximate, disconnected.

    Examples
    --------
    >>> ratings = Ratings.from_records(['A', 'A', 'B', 'B'], ['x', 'y', 'x', 'y'], [2, 3, 1, 1], levels=[1, 2, 3])
    >>> fit_ordinal(ratings, draws=2000).objects
    ('A', 'B')
    """

    ratings: Ratings
    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    features: tuple[str, ...]
    levels: tuple[str, ...]
    feature_weights: Array
    shared_cutpoints: bool
    correlated_cutpoints: bool
    priors: OrdinalPriors
    seed: int
    level: float
    total_mean: Array
    total_interval: Array
    feature_mean: Array
    feature_interval: Array
    best_probability: Array
    rank_mean: Array
    rank_interval: Indices
    beats: Array
    winner_set: tuple[str, ...]
    winner_set_edge: tuple[str, ...]
    not_reliably_below_leader: tuple[str, ...]
    clean_cuts: tuple[int, ...]
    totals: Array
    chains: int
    feature_draws: Array
    cutpoints: Array
    cutpoint_interval: Array
    severity: Array
    severity_interval: Array
    tau: Array
    tau_interval: Array
    cutpoint_spread: Array
    cutpoint_spread_interval: Array
    feature_correlation: Array
    converged: bool
    rhat: float
    scale_rhat: float
    effective_sample_size: float
    seconds: float
    approximate: bool
    components: Groups
    warnings: tuple[str, ...]

    def top_probability(self, k: int) -> Array:
        """Return (n,) P(this object is among the k highest totals).

        Raises
        ------
        MethodNotApplicable
            If k is not between 1 and the number of objects.
        """
        n = len(self.objects)
        if not 1 <= k <= n:
            raise MethodNotApplicable(f"The number of places must lie between 1 and {n}, the number of objects.")
        kth = np.partition(self.totals, n - k, axis=1)[:, n - k]
        return np.asarray((self.totals >= kth[:, None]).mean(axis=0))

    def winners_among(self, places: Indices) -> WinnerSet:
        """Return who could be the best of some of the objects, given by their places 0..n-1; so are the answers."""
        found = winner_set(self.totals[:, places].argmax(axis=1), len(places), self.level, self.chains)
        return WinnerSet(
            chances=found.chances,
            members=tuple(int(places[k]) for k in found.members),
            edge=tuple(int(places[k]) for k in found.edge),
        )

    def cumulative_probabilities(self, scores: Array) -> Array:
        """Return (M, Q, L, len(scores)) P(rating at level l or lower) for objects of these scores.

        The curves of an assessor, at the posterior means of the cut-points.
        """
        return np.asarray(expit(self.cutpoints[..., None] - np.asarray(scores, dtype=np.float64)))


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Draws of everything the summaries need.

    Attributes
    ----------
    scores
        (draws, n, Q); the chains of one iteration stand side by side.
    cutpoints
        (draws, M, Q, L); M = 1 where they are shared.
    tau
        (draws, Q).
    spread
        (draws, Q, L); None where the cut-points are shared.
    correlation
        (draws, Q, Q) between features.
    chains
        How many chains the draws are from; 1 where they are independent.
    """

    scores: Array
    cutpoints: Array
    tau: Array
    spread: Array | None
    correlation: Array
    chains: int = 1


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How the draws came about: convergence (see `OrdinalPosterior`), time taken and sentences to show."""

    converged: bool
    rhat: float
    scale_rhat: float
    effective_sample_size: float
    seconds: float
    approximate: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What draws of totals say about the order of the objects; see `OrdinalPosterior` for the attributes."""

    best_probability: Array
    rank_mean: Array
    rank_interval: Indices
    beats: Array
    winner_set: tuple[int, ...]
    winner_set_edge: tuple[int, ...]
    not_reliably_below_leader: tuple[int, ...]
    clean_cuts: tuple[int, ...]


def rank_objects(totals: Array, level: float, chains: int = 1) -> Ranking:
    """Summarise the order of objects over draws of their totals (draws, n); sets hold places 0..n-1 here."""
    draws, n = totals.shape
    order_in_draw = np.argsort(-totals, axis=1, kind="stable")
    ranks = np.empty((draws, n), dtype=np.int32)
    np.put_along_axis(ranks, order_in_draw, np.arange(1, n + 1, dtype=np.int32)[None, :], axis=1)
    columns = np.ascontiguousarray(ranks.T)
    beats = np.full((n, n), 0.5)
    for i in range(n - 1):
        beats[i, i + 1 :] = (columns[i] < columns[i + 1 :]).mean(axis=1)
        beats[i + 1 :, i] = 1 - beats[i, i + 1 :]
    winners = winner_set(order_in_draw[:, 0], n, level, chains)
    rank_mean = ranks.mean(axis=0)
    ends = np.quantile(ranks, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    order = np.lexsort((-totals.mean(axis=0), rank_mean))
    sorted_beats = beats[np.ix_(order, order)]
    near = [int(i) for place, i in enumerate(order) if place == 0 or sorted_beats[0, place] < level]
    cuts = tuple(m for m in range(1, n) if sorted_beats[:m, m:].min() >= level)
    return Ranking(
        best_probability=winners.chances,
        rank_mean=rank_mean,
        rank_interval=ends.T.astype(np.intp),
        beats=beats,
        winner_set=winners.members,
        winner_set_edge=winners.edge,
        not_reliably_below_leader=tuple(near),
        clean_cuts=cuts,
    )


def interval(draws: Array, level: float) -> Array:
    """Ends of the interval between equal tails over the first axis, on a new last axis."""
    ends = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return np.moveaxis(ends, 0, -1)


def severities(cutpoints: Array, feature_weights: Array) -> Array:
    """Return (draws, M): how many levels lower than the mean over assessors each rates an object of score 0.

    The expected level is the number of levels less the sum of the chances to be at or below each of them.

    Parameters
    ----------
    cutpoints
        (draws, M, Q, L).
    feature_weights
        (Q,).
    """
    below = np.tensordot(expit(cutpoints).sum(axis=3), feature_weights / feature_weights.sum(), axes=(2, 0))
    return np.asarray(below - below.mean(axis=1, keepdims=True))


def summarise(
    ratings: Ratings,
    draws: Draws,
    diagnosis: Diagnosis,
    *,
    feature_weights: Array,
    correlated_cutpoints: bool,
    priors: OrdinalPriors,
    seed: int,
    level: float,
    components: Groups,
) -> OrdinalPosterior:
    """Turn draws into the posterior's summaries."""
    totals = draws.scores @ feature_weights
    ranking = rank_objects(totals, level, draws.chains)
    shape = (ratings.n_assessors, ratings.n_features, ratings.n_cutpoints)
    spread = np.zeros((1, *shape[1:])) if draws.spread is None else draws.spread
    severity = severities(draws.cutpoints, feature_weights)

    def labels(places: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(ratings.objects[i] for i in places)

    return OrdinalPosterior(
        ratings=ratings,
        objects=ratings.objects,
        assessors=ratings.assessors,
        features=ratings.features,
        levels=ratings.levels,
        feature_weights=feature_weights,
        shared_cutpoints=draws.spread is None,
        correlated_cutpoints=correlated_cutpoints,
        priors=priors,
        seed=seed,
        level=level,
        total_mean=totals.mean(axis=0),
        total_interval=interval(totals, level),
        feature_mean=draws.scores.mean(axis=0),
        feature_interval=interval(draws.scores, level),
        best_probability=ranking.best_probability,
        rank_mean=ranking.rank_mean,
        rank_interval=ranking.rank_interval,
        beats=ranking.beats,
        winner_set=labels(ranking.winner_set),
        winner_set_edge=labels(ranking.winner_set_edge),
        not_reliably_below_leader=labels(ranking.not_reliably_below_leader),
        clean_cuts=ranking.clean_cuts,
        totals=totals,
        chains=draws.chains,
        feature_draws=draws.scores,
        cutpoints=np.broadcast_to(draws.cutpoints.mean(axis=0), shape),
        cutpoint_interval=np.broadcast_to(interval(draws.cutpoints, level), (*shape, 2)),
        severity=np.broadcast_to(severity.mean(axis=0), shape[:1]),
        severity_interval=np.broadcast_to(interval(severity, level), (shape[0], 2)),
        tau=draws.tau.mean(axis=0),
        tau_interval=interval(draws.tau, level),
        cutpoint_spread=spread.mean(axis=0),
        cutpoint_spread_interval=interval(spread, level),
        feature_correlation=draws.correlation.mean(axis=0),
        converged=diagnosis.converged,
        rhat=diagnosis.rhat,
        scale_rhat=diagnosis.scale_rhat,
        effective_sample_size=diagnosis.effective_sample_size,
        seconds=diagnosis.seconds,
        approximate=diagnosis.approximate,
        components=components,
        warnings=diagnosis.warnings,
    )
