"""Whether a heading such as Total, Mean or Max names a statistic or somebody called so: only beyond chance is it one.

A column Total whose numbers are the exact sum of all others in every row is a total, also in three rows. One whose
numbers only go with the others, in a few rows, may be a person's.
"""

from __future__ import annotations

import math

import numpy as np

from panelcal.arrays import Array
from panelcal.ranks_of_numbers import better_ranks, dense_ranks
from panelcal.reading.plausibility.lines import half_steps
from panelcal.reading.plausibility.recomputed import Statistic, bases_of

_BY_KIND = {
    "sum": (Statistic.SUM, Statistic.TRIMMED_SUM),
    "mean": (Statistic.MEAN, Statistic.TRIMMED_MEAN),
    "max": (Statistic.HIGHEST,),
    "min": (Statistic.LOWEST,),
    "count": (Statistic.COUNT,),
}
_ANY = (Statistic.SUM, Statistic.MEAN, Statistic.TRIMMED_SUM, Statistic.TRIMMED_MEAN)
_CHANCE = 1e-3  # the word speaks as well
_SHARE_MET = 0.9
_WIDTH = 2.5  # standard deviations over which the marks of a row spread
_FEWEST_OUT = 3


def surely_a_statistic(kind: str, scores: Array, line: int) -> bool:
    """Tell whether the numbers of a line are what its heading says, beyond what an assessor's might be by chance.

    Parameters
    ----------
    kind
        As of `headings.statistic_kind`.
    scores
        (n_cells, n_lines), NaN = no score: the lines that are no statistic by name, and this one in its place.
    line
        Its number.
    """
    own, others = scores[:, line], np.delete(scores, line, axis=1)
    given = others[~np.isnan(others)]
    if not len(given):
        return False
    if kind == "rank":
        return _surely_ranks(own, others)
    step = half_steps(own[:, None])[0] + 1e-9
    wide = max(_WIDTH * float(given.std()), 2 * step)
    rate = min(1.0, 2 * step / wide)
    if kind == "deviation":
        candidates = _deviations(others)
    else:
        found = bases_of(scores)
        candidates = [base[one][:, line] for base in found.values() for one in _BY_KIND.get(kind, _ANY)]
    for values in candidates:
        compared = ~np.isnan(values) & ~np.isnan(own)
        met = np.abs(own - values)[compared] <= step + 1e-9 * np.abs(values[compared])
        n, k = int(compared.sum()), int(met.sum())
        beyond = k * math.log(rate) + math.log(math.comb(n, k)) + math.log(len(candidates)) < math.log(_CHANCE)
        if n and k >= _SHARE_MET * n and (beyond or _out_of_reach(own[compared], given)):
            return True
    return False


def _out_of_reach(own: Array, given: Array) -> bool:
    """Tell whether every number of a line lies above all others' numbers, as no assessor's do: sums, in three rows."""
    return len(own) >= _FEWEST_OUT and bool(own.min() > given.max()) and bool(given.min() >= 0)


def _deviations(others: Array) -> list[Array]:
    """(n_cells,) each: standard deviations and standard errors of the others, by n and by n - 1."""
    counts = (~np.isnan(others)).sum(axis=1)
    centred = np.where(np.isnan(others), 0.0, others - _means(others)[:, None])
    squares = (centred**2).sum(axis=1)
    several = counts >= 2
    found = []
    for freedom in (0, 1):
        spread = np.sqrt(squares / np.maximum(counts - freedom, 1))
        found += [np.where(several, spread, np.nan), np.where(several, spread / np.sqrt(np.maximum(counts, 1)), np.nan)]
    return found


def _means(others: Array) -> Array:
    counts = np.maximum((~np.isnan(others)).sum(axis=1), 1)
    return np.asarray(np.nansum(others, axis=1) / counts)


def _surely_ranks(own: Array, others: Array) -> bool:
    """Tell whether a line ranks the rows by the mean of the others, or holds the ranks 1 to n below all others."""
    rows = ~np.isnan(own) & ~np.isnan(others).all(axis=1)
    own, means = own[rows], _means(others[rows])
    if len(own) < _FEWEST_OUT or not (np.array_equal(own, better_ranks(own)) or np.array_equal(own, dense_ranks(own))):
        return False
    below = own.max() < np.nanmin(others)
    orders = [better_ranks(-means), dense_ranks(-means), better_ranks(means), dense_ranks(means)]
    alike = any(np.array_equal(own, one) for one in orders)
    return bool(below or (alike and math.lgamma(len(np.unique(own)) + 1) > -math.log(_CHANCE / 2)))
