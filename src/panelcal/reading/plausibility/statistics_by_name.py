"""Whether the numbers of a line bear out the statistic that its heading names: a total that is one, or somebody Total.

The numbers bear it out when they meet the statistic, or follow the other lines far more closely than these follow each
other; with too few cells to tell, the heading is believed, unless it names a sum or a mean that these few are not.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.ranks_of_numbers import average_ranks, better_ranks, dense_ranks
from panelcal.reading.plausibility.explained import explained_line
from panelcal.reading.plausibility.name_or_statistic import surely_a_statistic
from panelcal.reading.plausibility.recomputed import FEWEST_CELLS, Statistic, bases_of, share_met


class Verdict(Enum):
    """What the numbers say to a heading that names a statistic."""

    BORNE_OUT = "borne out"
    SILENT = "silent"
    AGAINST = "against"
    INDEPENDENT = "independent"


_TESTABLE = frozenset(
    {"sum", "mean", "weighted mean", "trimmed mean", "median", "max", "min", "rank", "count", "deviation"}
)
_SIMPLE = frozenset({"sum", "mean"})
_REFUTED_BY_ONE = frozenset({"max", "min", "count", "deviation"})
_FEWEST_TO_CONTRADICT, _FEWEST_FOR_A_NAME, _ENOUGH_FOR_A_NAME = 6, 12, 40
_HARDLY_BROKEN = 0.02
_COMBINATIONS = (Statistic.SUM, Statistic.MEAN, Statistic.TRIMMED_SUM, Statistic.TRIMMED_MEAN)
_MOSTLY_MET = 0.8
_CLOSER, _MUCH_CLOSER = 0.4, 0.15
_RANKED_ALIKE = 0.7
_LARGER = 1.3
_MOSTLY_APART = 0.5
_MOST_CELLS = 5_000


def verdict_of(kind: str, scores: Array, line: int, *, a_name: bool = False) -> Verdict:
    """Compare the numbers of a line with what its heading says.

    Parameters
    ----------
    kind
        As of `headings.statistic_kind`.
    scores
        (n_cells, n_lines), NaN = no score: the lines that are no statistic by name, and this one in its place.
    line
        Its number.
    a_name
        Whether the heading may be somebody's name: then numbers bear it out beyond chance or not at all, and in few
        cells they are against it.

    Returns
    -------
    verdict
        INDEPENDENT: it differs from the others as they do from each other, and is on their scale.
    """
    if len(scores) > _MOST_CELLS:
        scores = scores[np.linspace(0, len(scores) - 1, _MOST_CELLS).astype(np.intp)]
    own, others = scores[:, line], np.delete(scores, line, axis=1)
    several = (~np.isnan(others)).sum(axis=1) >= (1 if kind in _REFUTED_BY_ONE else 2)
    compared = ~np.isnan(own) & several
    if kind not in _TESTABLE or not compared.any():
        return Verdict.SILENT
    if a_name and surely_a_statistic(kind, scores, line):
        return Verdict.BORNE_OUT
    if kind in _REFUTED_BY_ONE:
        refuted = _refuted(kind, own[compared], others[compared])
        return Verdict.INDEPENDENT if refuted else Verdict.AGAINST if a_name else Verdict.BORNE_OUT
    if a_name and compared.sum() < _FEWEST_FOR_A_NAME:
        return _in_few_cells(kind, own, others, compared)
    if compared.sum() >= FEWEST_CELLS and _met(scores, line):
        return Verdict.BORNE_OUT
    if compared.sum() < _FEWEST_TO_CONTRADICT:
        told = kind in _SIMPLE and compared.sum() > 1
        return Verdict.AGAINST if told and not _met(scores, line, fewest=2) else Verdict.SILENT
    if kind == "rank":
        return _as_rank(own[compared], others[compared])
    if explained_line(scores, line) is not None or _larger(own[compared], others[compared]):
        return Verdict.BORNE_OUT
    return _by_closeness(own, others, a_name=a_name)


def _in_few_cells(kind: str, own: Array, others: Array, compared: Mask) -> Verdict:
    """Say of a line with somebody's name whether it goes its own way; in few cells nothing else is beyond chance."""
    if compared.sum() < _FEWEST_TO_CONTRADICT:
        return Verdict.AGAINST
    verdict = _as_rank(own[compared], others[compared]) if kind == "rank" else _by_closeness(own, others, a_name=True)
    return verdict if verdict is Verdict.INDEPENDENT else Verdict.AGAINST


def _met(scores: Array, line: int, *, fewest: int = FEWEST_CELLS) -> bool:
    """Tell whether most cells of a line meet a sum or a mean of the lines before it, after it or beside it."""
    for base in bases_of(scores).values():
        for statistic in _COMBINATIONS:
            share, cells = share_met(scores[:, line], base[statistic][:, line])
            if share >= _MOSTLY_MET and cells >= fewest:
                return True
    return False


def _as_rank(own: Array, others: Array) -> Verdict:
    whole = np.array_equal(own, np.round(own))
    ranks = np.array_equal(own, better_ranks(own)) or np.array_equal(own, dense_ranks(own))
    if ranks and len(np.unique(own)) >= _MOSTLY_APART * len(own):
        return Verdict.BORNE_OUT
    together = _ranked_together(own, others) if whole and own.min() >= 1 else 0.0
    # The best is first, so that a ranking runs against the marks; with them only where low marks are good.
    like_places = own.min() == 1 and own.max() <= len(own) and len(np.unique(own)) >= _MOSTLY_APART * len(own)
    if together <= -_RANKED_ALIKE or (together >= _RANKED_ALIKE and like_places):
        return Verdict.BORNE_OUT
    on_scale = np.quantile(own, 0.75) <= np.nanmax(others) and np.quantile(own, 0.25) >= np.nanmin(others)
    return Verdict.INDEPENDENT if on_scale else Verdict.AGAINST


def _ranked_together(own: Array, others: Array) -> float:
    """Return how closely a ranking goes with the mean of the others (1), or against it (-1)."""
    filled = (~np.isnan(others)).any(axis=0)
    ranks = average_ranks(own), average_ranks(np.nanmean(_standardised(others[:, filled]), axis=1))
    return float(np.corrcoef(*ranks)[0, 1]) if min(np.std(ranks[0]), np.std(ranks[1])) > 0 else 0.0


def _refuted(kind: str, own: Array, others: Array) -> bool:
    """Tell whether a highest is lower than another number, a spread wider than that of the numbers, and so on."""
    highest, lowest = np.nanmax(others, axis=1), np.nanmin(others, axis=1)
    match kind:
        case "max":
            return bool((own < highest).any())
        case "min":
            return bool((own > lowest).any())
        case "count":
            return bool((own != (~np.isnan(others)).sum(axis=1)).any())
    return bool((own > highest - lowest).any())


def _larger(own: Array, others: Array) -> bool:
    """Tell whether a line is larger than all others in every row, as a sum of them is."""
    highest = np.nanmax(others, axis=1)
    return bool((own >= highest).all() and np.nanmin(others) >= 0 and own.sum() >= _LARGER * highest.sum())


def _standardised(scores: Array) -> Array:
    """Each line less its mean, in units of its standard deviation; a line without spread is left as nothing."""
    spread = np.nanstd(scores, axis=0)
    return np.asarray((scores - np.nanmean(scores, axis=0)) / np.where(spread > 0, spread, np.inf))


def _by_closeness(own: Array, others: Array, *, a_name: bool) -> Verdict:
    """Compare how far the line goes its own way with how far each of the others does."""
    filled = (~np.isnan(others)).any(axis=0)
    others = others[:, filled]
    standardised = _standardised(np.column_stack([others, own]))
    ways = [_own_way(standardised[:, :-1], k) for k in range(min(others.shape[1], 40))]
    usual = float(np.nanmedian(ways)) if np.isfinite(ways).any() else np.nan
    way = _own_way(standardised, others.shape[1])
    if not np.isfinite(way) or not np.isfinite(usual):
        return Verdict.AGAINST
    if way <= _CLOSER * usual and a_name:
        many = (~np.isnan(own)).sum() >= _ENOUGH_FOR_A_NAME or _finer(own, others)
        return Verdict.BORNE_OUT if many or way <= _MUCH_CLOSER * usual else Verdict.AGAINST
    if way <= _CLOSER * usual:
        return Verdict.BORNE_OUT if way <= _MUCH_CLOSER * usual or others.shape[1] > 2 else Verdict.AGAINST
    low, high = np.nanmin(others), np.nanmax(others)
    on_scale = bool(np.nanquantile(own, 0.75) <= high and np.nanquantile(own, 0.25) >= low)
    return Verdict.INDEPENDENT if on_scale else Verdict.AGAINST


def _finer(own: Array, others: Array) -> bool:
    """Tell whether a line has decimals that the others do not have, as means of whole marks do."""
    return _broken(own) > _MOSTLY_APART and _broken(others) < _HARDLY_BROKEN


def _broken(numbers: Array) -> float:
    given = numbers[~np.isnan(numbers)]
    return float((given != np.round(given)).mean()) if len(given) else 0.0


def _own_way(standardised: Array, line: int) -> float:
    """1 - the correlation of a line with the mean of the others."""
    rest = np.delete(standardised, line, axis=1)
    rows = ~np.isnan(standardised[:, line]) & (~np.isnan(rest)).any(axis=1)
    if rows.sum() < FEWEST_CELLS:
        return np.nan
    own, mean = standardised[rows, line], np.nanmean(rest[rows], axis=1)
    if own.std() == 0 or mean.std() == 0:
        return np.nan
    return float(1 - np.corrcoef(own, mean)[0, 1])
