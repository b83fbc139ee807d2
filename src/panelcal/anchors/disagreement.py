"""How far agents are apart, before and after calibration (ASC 2026, section 4).

The mean disagreement D can be lowered by shrinking all scores towards one value, so it is always reported with the
spread of the scores, their error to the consensus and their correlation with it; each with a bootstrap interval over
items.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.anchors.columns import as_floats
from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its bootstrap interval (percentiles)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How well agents agree with each other and with the consensus, in units of their scores.

    Attributes
    ----------
    disagreement
        D, the mean absolute difference over pairs of agents.
    pairs
        (n_agents, n_agents) mean absolute difference of each pair; NaN for pairs without a common item.
    pair_sd
        Standard deviation over pairs; NaN with fewer than two.
    spread
        Standard deviation of an agent's scores, mean over agents.
    relative
        D / spread: what is left when shrinking is taken out.
    error
        Root mean square difference from the consensus, mean over agents; None without a consensus.
    mean_error
        The same of the mean of all agents.
    correlation
        Correlation with the consensus, mean over agents.
    best_agent
        Index of the agent with the highest correlation; None without a consensus.
    best_correlation
        Its correlation (the same agent in every draw).
    mean_correlation
        Correlation of the mean of all agents with the consensus.
    """

    disagreement: Estimate
    pairs: Array
    pair_sd: float
    spread: Estimate
    relative: Estimate
    error: Estimate | None
    mean_error: Estimate | None
    correlation: Estimate | None
    best_agent: int | None
    best_correlation: Estimate | None
    mean_correlation: Estimate | None


@dataclass(frozen=True, slots=True, eq=False)
class AgreementChange:
    """Agreement before and after calibration, from the same bootstrap draws.

    Attributes
    ----------
    before, after
        Of the raw and of the calibrated scores.
    reduction
        1 - D after / D before.
    relative_reduction
        The same for D / spread: positive = agents agree better, beyond any shrinking.
    """

    before: Agreement
    after: Agreement
    reduction: Estimate
    relative_reduction: Estimate


def disagreement(scores: ArrayLike) -> float:
    """Return D, the mean over pairs of agents of their mean absolute difference.

    Source: ASC (2026), section 4.

    Parameters
    ----------
    scores
        (n_agents, n_items); NaN = not scored. A pair of agents is compared on the items both scored.

    Returns
    -------
    float
        In score units.

    Raises
    ------
    MethodNotApplicable
        If there are fewer than two agents, or no two agents share an item.

    Examples
    --------
    >>> disagreement([[50, 60], [54, 58]])
    3.0
    """
    table = _table(scores)
    pairs = _pair_means(*_pair_differences(table), np.ones((1, table.shape[1])))
    return float(np.nanmean(pairs[0]))


def agreement(
    scores: ArrayLike, consensus: ArrayLike | None = None, *, level: float = 0.95, draws: int = 1000, seed: int = 0
) -> Agreement:
    """Describe how well agents agree.

    Parameters
    ----------
    scores
        (n_agents, n_items); NaN = not scored.
    consensus
        (n_items,) or None; NaN = not known.
    level, draws, seed
        Of the bootstrap intervals.

    Raises
    ------
    MethodNotApplicable
        As for `disagreement`, or if the consensus has another length.
    """
    table = _table(scores)
    return _describe(table, _known(consensus, table), _weights(table.shape[1], draws, seed), level)[0]


def agreement_change(
    before: ArrayLike,
    after: ArrayLike,
    consensus: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> AgreementChange:
    """Compare agreement before and after calibration on the same items.

    Parameters
    ----------
    before, after
        (n_agents, n_items) raw and calibrated scores.
    consensus, level, draws, seed
        As for `agreement`.

    Raises
    ------
    MethodNotApplicable
        As for `agreement`, or if the two tables differ in shape.
    """
    first, second = _table(before), _table(after)
    if first.shape != second.shape:
        raise MethodNotApplicable("The scores before and after calibration must be of the same agents and items.")
    weights = _weights(first.shape[1], draws, seed)
    known = _known(consensus, first)
    one, d_one, relative_one = _describe(first, known, weights, level)
    two, d_two, relative_two = _describe(second, known, weights, level)
    with np.errstate(invalid="ignore", divide="ignore"):
        return AgreementChange(
            before=one,
            after=two,
            reduction=_estimate(1 - d_two / d_one, level),
            relative_reduction=_estimate(1 - relative_two / relative_one, level),
        )


def _describe(table: Array, known: Array | None, weights: Array, level: float) -> tuple[Agreement, Array, Array]:
    """Agreement, and D and D / spread in the data (first entry) and in every draw."""
    n_agents = len(table)
    by_pair = _pair_means(*_pair_differences(table), weights)
    d = _mean_known(by_pair)
    spreads = np.sqrt(np.maximum(_moments(table, table, weights), 0.0))  # alike scores leave minus zero by rounding
    spread = _mean_known(spreads)
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = d / spread
    pairs = np.zeros((n_agents, n_agents))
    pairs[np.triu_indices(n_agents, 1)] = by_pair[0]
    pairs += pairs.T
    found = by_pair[0][~np.isnan(by_pair[0])]
    error = mean_error = correlation = best = mean_correlation = None
    best_agent = None
    if known is not None:
        seen = ~np.isnan(table)
        counts = seen.sum(axis=0)
        mean = np.where(counts > 0, np.where(seen, table, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan)
        error = _estimate(_mean_known(_distance(table, known, weights)), level)
        mean_error = _estimate(_distance(mean[None], known, weights)[:, 0], level)
        by_agent = _correlation(table, known, weights)
        correlation = _estimate(_mean_known(by_agent), level)
        if not np.isnan(by_agent[0]).all():
            best_agent = int(np.nanargmax(by_agent[0]))
            best = _estimate(by_agent[:, best_agent], level)
        mean_correlation = _estimate(_correlation(mean[None], known, weights)[:, 0], level)
    result = Agreement(
        disagreement=_estimate(d, level),
        pairs=pairs,
        pair_sd=float(found.std(ddof=1)) if len(found) > 1 else float("nan"),
        spread=_estimate(spread, level),
        relative=_estimate(relative, level),
        error=error,
        mean_error=mean_error,
        correlation=correlation,
        best_agent=best_agent,
        best_correlation=best,
        mean_correlation=mean_correlation,
    )
    return result, d, relative


def _table(scores: ArrayLike) -> Array:
    table = as_floats(scores, 2)
    if len(table) < 2:
        raise MethodNotApplicable("Disagreement needs the scores of at least two agents, one row each.")
    seen = (~np.isnan(table)).astype(np.float64)
    if not np.triu(seen @ seen.T, 1).any():
        raise MethodNotApplicable("No two agents have scored the same item, so there is nothing to compare.")
    return table


def _known(consensus: ArrayLike | None, table: Array) -> Array | None:
    if consensus is None:
        return None
    known = as_floats(consensus, 1)
    if known.shape != table.shape[1:]:
        raise MethodNotApplicable(f"There are {table.shape[1]} items but {known.size} consensus values.")
    return known


def _weights(n_items: int, draws: int, seed: int) -> Array:
    """How often each item counts (1 + draws, n_items): once in the data, then as drawn with replacement."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(n_items, np.full(n_items, 1 / n_items), size=draws).astype(np.float64)
    return np.vstack([np.ones(n_items), drawn])


def _pair_differences(table: Array) -> tuple[Array, Array]:
    """|difference| of every pair of agents (n_pairs, n_items), 0 where not both scored, and where both did."""
    one, two = np.triu_indices(len(table), 1)
    difference = np.abs(table[one] - table[two])
    both = ~np.isnan(difference)
    return np.where(both, difference, 0.0), both.astype(np.float64)


def _pair_means(differences: Array, both: Array, weights: Array) -> Array:
    """Mean difference of every pair in every draw (1 + draws, n_pairs); NaN where a pair shares no item."""
    return _ratio(weights @ differences.T, weights @ both.T)


def _moments(one: Array, two: Array, weights: Array) -> Array:
    """Covariances (1 + draws, n_rows) of the rows of `one` with the same rows of `two` (or its only row)."""
    both = (~np.isnan(one) & ~np.isnan(two)).astype(np.float64)
    total = weights @ both.T
    # From the middle of the whole table, so that products of large numbers do not cancel.
    x = np.where(both > 0, one - np.nanmean(one), 0.0)
    y = np.where(both > 0, two - np.nanmean(two), 0.0)
    product = _ratio(weights @ (x * y).T, total)
    return product - _ratio(weights @ x.T, total) * _ratio(weights @ y.T, total)


def _correlation(table: Array, known: Array, weights: Array) -> Array:
    beside = np.where(np.isnan(table), np.nan, known)
    within = np.where(np.isnan(known), np.nan, table)
    if np.isnan(within).all():
        return np.full((len(weights), len(table)), np.nan)
    variances = _moments(within, within, weights) * _moments(beside, beside, weights)
    usable = variances > 0
    return np.where(usable, _moments(within, beside, weights) / np.sqrt(np.where(usable, variances, 1.0)), np.nan)


def _distance(table: Array, known: Array, weights: Array) -> Array:
    squares = (table - known) ** 2
    seen = ~np.isnan(squares)
    return np.sqrt(_ratio(weights @ np.where(seen, squares, 0.0).T, weights @ seen.T.astype(np.float64)))


def _ratio(sums: Array, counts: Array) -> Array:
    return np.where(counts > 0, sums / np.where(counts > 0, counts, 1.0), np.nan)


def _mean_known(columns: Array) -> Array:
    """Mean over the columns that are known (1 + draws,)."""
    known = ~np.isnan(columns)
    return _ratio(np.where(known, columns, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64))


def _estimate(values: Array, level: float) -> Estimate:
    drawn = values[1:][np.isfinite(values[1:])]
    if drawn.size == 0:
        return Estimate(float(values[0]), float("nan"), float("nan"))
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(values[0]), float(low), float(high))
