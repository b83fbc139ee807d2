"""What draws say of criteria: fair averages in the scale's own points, difficulties, and who leans on which criterion.

A fair average is what an object would get, on average, if every assessor of the panel had rated it: the mean over
assessors of the expected rating, slips included. A bias is how far an assessor's expected ratings lie above those of
all, over the objects. Nothing here samples.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from panelcal.arrays import Array, Mask
from panelcal.facets.against_rest import against_rest
from panelcal.facets.calibrate_facets import LEVEL
from panelcal.facets.facet_panel import FacetPanel
from panelcal.frozen import dataclass
from panelcal.ordinal.posterior import Draws, OrdinalPosterior
from panelcal.ordinal.ratings import Ratings
from panelcal.shown import Drawn
from panelcal.tails import holm

_NODES = 5  # of Gauss and Hermite, over the halo
_MOST_NUMBERS, _FEWEST_DRAWS = 20_000_000, 200
_AT_ONCE = 2_000_000
_MANY = 1_000_000  # degrees of freedom of a posterior: as good as normal
_LOGISTIC_VARIANCE = np.pi**2 / 3


@dataclass(frozen=True, slots=True, eq=False)
class RatedDraws:
    """Draws of what criteria are about; n objects, M assessors, K criteria, L cut-points; logit scale.

    Attributes
    ----------
    values
        (draws, n, K).
    cutpoints
        (draws, M, L), each assessor's own.
    difficulties, leanings
        (draws, K) and (draws, M, K): what is added to the cut-points in a criterion.
    own_spread, leaning_spread, halo
        (draws, K), (draws,), (draws,): how far objects differ in a criterion beyond their values, how far assessors
        lean, and how far slips of one assessment go together; one standard deviation each.
    """

    values: Array
    cutpoints: Array
    difficulties: Array
    leanings: Array
    own_spread: Array
    leaning_spread: Array
    halo: Array

    @classmethod
    def of_one_criterion(cls, draws: Draws) -> RatedDraws:
        """Take over the draws of a single criterion, which is neither hard nor leant on."""
        count, M = draws.cutpoints.shape[:2]
        every = max(len(draws.scores) // (count * draws.chains), 1)
        scores = draws.scores.reshape(-1, draws.chains, *draws.scores.shape[1:])[::every][: count // draws.chains]
        return cls(
            values=scores.reshape(-1, *draws.scores.shape[1:]),
            cutpoints=draws.cutpoints[:, :, 0],
            difficulties=np.zeros((count, 1)),
            leanings=np.zeros((count, M, 1)),
            own_spread=np.zeros((count, 1)),
            leaning_spread=np.zeros(count),
            halo=np.zeros(count),
        )

    def thinned(self, every: int) -> RatedDraws:
        """Return every so many-th draw."""
        return RatedDraws(*(getattr(self, name)[::every] for name in self.__slots__))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OrdinalFacets(Drawn):
    """Ordered ratings in several criteria, fitted together; n objects, M assessors, K criteria.

    Errors are posterior standard deviations. Points are those of the scale.

    Source: McElreath (2021), Rating conference presentations when judges vary, with the criteria of many-facet
    measurement (Linacre 1989).

    Attributes
    ----------
    panel
        The ratings in points; NaN where there is none.
    posterior
        Totals (weighted sums over criteria, logit scale), ranks, chances and cut-points, as of `fit_ordinal`.
    points
        (L + 1,) what each level counts, lowest level first.
    values, value_errors
        (n, K) fair averages: what an object would get on average if all assessors had rated it. Points.
    totals, total_errors
        (n,) their weighted sum.
    levels, level_errors
        (K,) how much higher fair averages lie than in the criteria on average: above 0 is easier. Points.
    difficulties, difficulty_interval
        (K,), (K, 2) logit scale, sum 0: above 0 is harder.
    biases, bias_errors
        (M, K) how many points more than all on average an assessor gives to the same objects; NaN where a criterion is
        not used.
    differences, adjusted_p
        (M, K) biases measured from the rest of the assessors, and their p-values, by Holm over all of them.
    severities, severity_errors
        (M,) biases over all criteria used, weighted as criteria count.
    leanings, leaning_errors, adjusted_leaning_p
        (M, K) the part of a bias that comes from leaning on the criterion beyond general severity, points; p-values by
        Holm over all, of leanings hardly drawn to 0 (logit scale, from the rest). NaN with one criterion only.
    noise
        (K,) standard deviation of single ratings around what is expected, points.
    correlation
        How far slips of one assessment go together between criteria, logit scale; 0 where nothing tells.
    leaning_spread, own_spread
        Posterior means: how far assessors lean, and (K,) how far objects differ in a criterion beyond their values, one
        standard deviation, logit scale.

    Examples
    --------
    >>> ratings = Ratings.from_records('AABB', 'xyxy', [[2, 3], [3, 3], [1, 2], [1, 1]], levels=[1, 2, 3])
    >>> fit_ordinal_facets(ratings, draws=1600).totals.shape
    (2,)
    """

    panel: FacetPanel
    posterior: OrdinalPosterior
    points: Array
    values: Array
    value_errors: Array
    totals: Array
    total_errors: Array
    levels: Array
    level_errors: Array
    difficulties: Array
    difficulty_interval: Array
    biases: Array
    bias_errors: Array
    differences: Array
    adjusted_p: Array
    severities: Array
    severity_errors: Array
    leanings: Array
    leaning_errors: Array
    adjusted_leaning_p: Array
    noise: Array
    correlation: float
    leaning_spread: float
    own_spread: Array


@dataclass(frozen=True, slots=True, eq=False)
class _InPoints:
    """Draws in the scale's points: fair averages (draws, n, K), biases and leanings (draws, M, K), noise (K,)."""

    fair: Array
    biases: Array
    leanings: Array
    noise: Array


def summarise_facets(posterior: OrdinalPosterior, draws: RatedDraws, points: Array, told: Array) -> OrdinalFacets:
    """Turn draws into figures in the scale's points, with their errors; `told` are leanings hardly drawn to 0."""
    ratings, weights = posterior.ratings, posterior.feature_weights
    used = np.zeros((ratings.n_assessors, ratings.n_features), dtype=np.bool_)
    for k in range(ratings.n_features):
        used[ratings.assessor_index[ratings.ratings[:, k] >= 0], k] = True
    shares = np.where(used, weights, 0.0) / np.where(used, weights, 0.0).sum(axis=1, keepdims=True)
    found = _in_points(draws, points, shares)
    totals, levels = found.fair @ weights, found.fair.mean(axis=1)
    levels = levels - levels.mean(axis=1, keepdims=True)
    severities = np.einsum("dmk,mk->dm", found.biases, shares)
    differences, adjusted_p = _tested(found.biases, used)
    adjusted_leaning_p = _leanings_tested(told, used, weights)
    tail = (1 - posterior.level) / 2
    leant = used & (used.sum(axis=1, keepdims=True) > 1)
    correlation = draws.halo**2 / (draws.halo**2 + _LOGISTIC_VARIANCE)
    return OrdinalFacets(
        panel=_panel(ratings, points),
        posterior=posterior,
        points=points,
        values=found.fair.mean(axis=0),
        value_errors=found.fair.std(axis=0),
        totals=totals.mean(axis=0),
        total_errors=totals.std(axis=0),
        levels=levels.mean(axis=0),
        level_errors=levels.std(axis=0),
        difficulties=draws.difficulties.mean(axis=0),
        difficulty_interval=np.quantile(draws.difficulties, [tail, 1 - tail], axis=0).T,
        biases=np.where(used, found.biases.mean(axis=0), np.nan),
        bias_errors=np.where(used, found.biases.std(axis=0), np.nan),
        differences=differences,
        adjusted_p=adjusted_p,
        severities=severities.mean(axis=0),
        severity_errors=severities.std(axis=0),
        leanings=np.where(leant, found.leanings.mean(axis=0), np.nan),
        leaning_errors=np.where(leant, found.leanings.std(axis=0), np.nan),
        adjusted_leaning_p=adjusted_leaning_p,
        noise=found.noise,
        correlation=float(correlation.mean()),
        leaning_spread=float(draws.leaning_spread.mean()),
        own_spread=draws.own_spread.mean(axis=0),
    )


def _panel(ratings: Ratings, points: Array) -> FacetPanel:
    scores = np.where(ratings.ratings >= 0, points[ratings.ratings], np.nan)
    confidences = np.ones(len(scores))
    for array in (scores, confidences):
        array.setflags(write=False)
    return FacetPanel(
        ratings.objects,
        ratings.assessors,
        ratings.features,
        ratings.object_index,
        ratings.assessor_index,
        scores,
        confidences,
    )


def _in_points(draws: RatedDraws, points: Array, shares: Array) -> _InPoints:
    """Carry draws over to the scale's points; `shares` (M, K) weigh the criteria that each assessor uses."""
    count, n, K = draws.values.shape
    numbers = n * K * draws.cutpoints[0].size * _NODES
    draws = draws.thinned(max(1, min(count * numbers // _MOST_NUMBERS, count // _FEWEST_DRAWS)))
    general = np.einsum("dmk,mk->dm", draws.leanings, shares)
    parts: tuple[list[Array], ...] = ([], [], [], [])
    for first in range(0, len(draws.values), size := max(1, _AT_ONCE // numbers)):
        part = slice(first, first + size)
        alike = np.broadcast_to(general[part, :, None], draws.leanings[part].shape)
        expected, squares = _expected(draws, part, draws.leanings[part], points)
        without, _ = _expected(draws, part, alike, points)
        fair = expected.mean(axis=2)
        biases = (expected - fair[:, :, None]).mean(axis=1)
        unleant = (without - without.mean(axis=2, keepdims=True)).mean(axis=1)
        variance = np.maximum(squares - expected**2, 0.0).mean(axis=(1, 2))
        for kept, one in zip(parts, (fair, biases, biases - unleant, variance), strict=True):
            kept.append(one)
    fair, biases, leanings, variance = (np.concatenate(one) for one in parts)
    return _InPoints(fair, biases, leanings, np.sqrt(variance.mean(axis=0)))


def _expected(draws: RatedDraws, part: slice, leanings: Array, points: Array) -> tuple[Array, Array]:
    """Return (draws, n, M, K) expected ratings in points, and expected squares, over the halo."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(_NODES)
    shifts = draws.difficulties[part][:, None] + leanings
    cuts = draws.cutpoints[part][:, :, None] + shifts[..., None]  # (draws, M, K, L)
    distance = cuts[:, None] - draws.values[part][:, :, None, :, None]
    halo = draws.halo[part][:, None, None, None, None]
    if not draws.halo.any():
        nodes, masses = np.zeros(1), np.ones(1)
    above = sum(mass * expit(halo * node - distance) for node, mass in zip(nodes, masses / masses.sum(), strict=True))
    expected = points[0] + above @ np.diff(points)
    squares = points[0] ** 2 + above @ np.diff(points**2)
    return expected, squares


def _tested(draws: Array, there: Mask) -> tuple[Array, Array]:
    """Measure draws (draws, M, K) from the rest of those who are there, column by column, with Holm over all."""
    found = _against_rest(draws, there)
    return found[0], holm(found[1].ravel()).reshape(there.shape)


def _leanings_tested(leanings: Array, used: Mask, weights: Array) -> Array:
    """Return (M, K) adjusted p-values of leanings; who uses only some criteria is compared in these with all who do."""
    p = np.full(used.shape, np.nan)
    for pattern in np.unique(used[used.sum(axis=1) > 1], axis=0):
        shares = np.where(pattern, weights, 0.0) / weights[pattern].sum()
        alike = ~(pattern & ~used).any(axis=1)
        centred = leanings - (leanings @ shares)[..., None]
        own = ~(used ^ pattern).any(axis=1)
        p[own] = _against_rest(centred, alike[:, None] & pattern)[1][own]
    return holm(p.ravel()).reshape(used.shape)


def _against_rest(draws: Array, there: Mask) -> Array:
    """Return (2, M, K): posterior means from the mean of the rest, and two-sided p-values, not adjusted."""
    found = np.full((2, *there.shape), np.nan)
    for k in range(there.shape[1]):
        who = np.flatnonzero(there[:, k])
        if len(who) < 2:
            continue
        own = draws[:, who, k]
        tested = against_rest(
            own.mean(axis=0),
            np.cov(own, rowvar=False),
            np.ones(len(who)),
            _MANY,
            level=LEVEL / there.shape[1],
            negligible=1e-9,
        )
        found[:, who, k] = tested.estimates, tested.p_values
    return found
