"""What more assessors for each object would buy: simulated panels of the planned size, ranked and compared with truth.

Simulated as in McElreath (2021): objects' features N(0, 1.5^2 R), R ~ LKJ(2); each assessor's cut-points are sorted
N(0, 2^2) draws, all shifted by one N(0, 1); ratings are ordered logistic. Ranked by additive calibration, whose rank
correlation is within 0.01 of the full ordinal model's on such panels at a thousandth of its time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.averages import fisher, simple_average
from panelcal.errors import ImpossiblePlan
from panelcal.frozen import dataclass
from panelcal.network import component_labels
from panelcal.ordinal.correlations import draw_correlation
from panelcal.panel import Panel
from panelcal.planning.loads import balanced_start
from panelcal.ranks_of_numbers import average_ranks

MOST_PER_OBJECT = 8
_OBJECT_SD, _CUT_SD, _SHIFT_SD, _LKJ_SHAPE = 1.5, 2.0, 1.0, 2.0
_PODIUM = 3
_SIMULATIONS, _FEW_SIMULATIONS, _LARGE = 40, 20, 10_000


@dataclass(frozen=True, slots=True)
class ExpectedRanking:
    """What a number of assessors for each object would buy.

    Attributes
    ----------
    per_object
        Assessors for each object, K.
    per_assessor
        Objects that the busiest assessor would have, J = K N / M rounded up.
    correlation
        Mean rank correlation (Spearman) between the ranking found and the true one.
    interval
        The middle share `level` of the simulated rank correlations: how lucky or unlucky one panel may be.
    best_first
        Share of the simulations in which the truly best object came first.
    best_among_three
        Share in which it came among the first three.
    expected_error
        Of an object's true value once what was found is known, in standard deviations of the true values: 1 = nothing
        was learnt, 0 = everything.
    level, simulations
        As asked for.
    """

    per_object: int
    per_assessor: int
    correlation: float
    interval: tuple[float, float]
    best_first: float
    best_among_three: float
    expected_error: float
    level: float
    simulations: int


def objects_per_assessor(n_objects: int, n_assessors: int, per_object: int) -> int:
    """Return J: how many objects the busiest assessor has when each object gets K assessors, K N / M rounded up."""
    return -(-per_object * n_objects // n_assessors)


def expected_rankings(
    n_objects: int,
    n_assessors: int,
    *,
    per_object: Sequence[int] = tuple(range(1, MOST_PER_OBJECT + 1)),
    n_levels: int = 5,
    n_features: int = 1,
    simulations: int = 40,
    level: float = 0.89,
    seed: int = 0,
) -> tuple[ExpectedRanking, ...]:
    """Simulate what each number of assessors per object would buy on a panel of this size.

    Parameters
    ----------
    n_objects, n_assessors
        At least 3 objects.
    per_object
        Numbers to try; those above `n_assessors` are left out.
    n_levels, n_features
        Levels of the rating scale, and features rated with it, which count alike.
    simulations
        Panels simulated for each number.

    Raises
    ------
    ImpossiblePlan
        If there is nothing to rank.
    """
    if n_objects < _PODIUM or n_assessors < 1 or n_levels < 2:
        raise ImpossiblePlan("A ranking needs at least 3 objects, an assessor and two levels of rating.")
    found = []
    for count in (k for k in per_object if k <= n_assessors):
        # The same objects and assessors for every number, so that the numbers differ by what they buy and not by luck.
        draws = [np.random.default_rng([seed, simulation]) for simulation in range(simulations)]
        ranked = np.array([_simulate(n_objects, n_assessors, count, n_levels, n_features, random) for random in draws])
        low, high = np.quantile(ranked[:, 0], [(1 - level) / 2, (1 + level) / 2])
        found.append(
            ExpectedRanking(
                per_object=count,
                per_assessor=objects_per_assessor(n_objects, n_assessors, count),
                correlation=float(ranked[:, 0].mean()),
                interval=(float(low), float(high)),
                best_first=float((ranked[:, 1] == 1).mean()),
                best_among_three=float((ranked[:, 1] <= _PODIUM).mean()),
                expected_error=float(np.sqrt((ranked[:, 2] ** 2).mean())),
                level=level,
                simulations=simulations,
            )
        )
    return tuple(found)


def worth_of_numbers(n_objects: int, n_assessors: int, per_object: int) -> tuple[ExpectedRanking, ...]:
    """Return what 1 to 8 assessors per object, and the planned number, would buy; empty where nothing can be ranked."""
    if n_objects < _PODIUM:
        return ()
    counts = sorted({*range(1, MOST_PER_OBJECT + 1), per_object})
    simulations = _SIMULATIONS if n_objects * n_assessors <= _LARGE else _FEW_SIMULATIONS
    return expected_rankings(n_objects, n_assessors, per_object=counts, simulations=simulations)


def _simulate(
    n_objects: int, n_assessors: int, per_object: int, n_levels: int, n_features: int, random: np.random.Generator
) -> tuple[float, float, float]:
    """Return the rank correlation, the place at which the truly best object was ranked, and the error left."""
    correlations = draw_correlation(n_features, _LKJ_SHAPE, random)
    features = _OBJECT_SD * random.standard_normal((n_objects, n_features)) @ np.linalg.cholesky(correlations).T
    cuts = np.sort(random.normal(0, _CUT_SD, (n_assessors, n_features, n_levels - 1)), axis=2)
    cuts += random.normal(0, _SHIFT_SD, (n_assessors, 1, 1))
    given = balanced_start(np.ones((n_objects, n_assessors), dtype=np.bool_), per_object, random)
    objects, assessors = np.nonzero(given)
    impressions = features[objects] + random.logistic(size=(len(objects), n_features))
    ratings = (impressions[:, :, None] > cuts[assessors]).sum(axis=2)
    panel = Panel.from_records(objects.tolist(), assessors.tolist(), ratings.sum(axis=1))
    linked = component_labels(panel)[0] == 1
    estimate = fisher(panel).values if linked else simple_average(panel)
    true = features.sum(axis=1)
    found, truth = average_ranks(-estimate), average_ranks(-true)
    return _correlation(found, truth), float(found[np.argmin(truth)]), error_left(estimate, true)


def error_left(estimate: Array, true: Array) -> float:
    """Return what scatter about their regression on the estimates is left of the true values, as a share of theirs."""
    return float(np.sqrt(max(1.0 - _correlation(estimate, true) ** 2, 0.0)))


def _correlation(one: Array, other: Array) -> float:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
