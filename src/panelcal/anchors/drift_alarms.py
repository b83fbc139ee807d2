"""When a check for drift raises an alarm: the level that a year of checks of a whole fleet shares.

Each scoring is compared with the mean of all earlier ones, anchor by anchor: the recursive residuals of Brown, Durbin
and Evans (1975), independent of each other where nothing changes. One alone shows a jump, their cumulative sum (Page
1954) slow drift. A sum against one shared baseline would not do: its scatter would look like drift for ever.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri, stdtr

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass

FLEET = 6
CHECKS_A_YEAR = 52
JUMP_SHARE, TILT_SHARE, SLOW_SHARE = 0.02, 0.005, 0.025  # chances that any agent alarms falsely within a year
_SLACK = 0.5  # k of the cumulative sum, in standard deviations
# Of 3 million simulated years of 52 checks, these shares (natural logarithms) reach a sum of 8 and of 10.
_AT_EIGHT, _AT_TEN = -5.439, -7.571
_MOST = 38.0  # standard deviations: beyond, probabilities are 0


@dataclass(frozen=True, slots=True, eq=False)
class RecursiveChecks:
    """Every scoring of an agent's anchors but the first, against all before it.

    Attributes
    ----------
    changes
        (n_checks,) mean over anchors of the calibrated score less the mean of its earlier ones, in points.
    p_values
        (n_checks,) two-sided, Student's t: the scatter of an anchor is judged from all scorings so far.
    sums
        (n_checks,) the larger of the two cumulative sums, up and down, in standard deviations.
    slow_changes
        (n_checks,) change of the mean since before the larger sum began to grow, in points.
    slow_checks
        (n_checks,) for how many checks it has grown.
    """

    changes: Array
    p_values: Array
    sums: Array
    slow_changes: Array
    slow_checks: Indices


def jump_level(agents: int) -> float:
    """Return the p-value below which one check of one of so many agents shows a jump."""
    return JUMP_SHARE / (CHECKS_A_YEAR * agents)


def tilt_level(agents: int) -> float:
    """Return the p-value below which one check of one of so many agents shows a change of spread."""
    return TILT_SHARE / (CHECKS_A_YEAR * agents)


def slow_limit(agents: int) -> float:
    """Return the cumulative sum that shows slow drift of one of so many agents (8.0 for 6, 10.0 for 50)."""
    return 8.0 + 2.0 * (_AT_EIGHT - float(np.log(SLOW_SHARE / agents))) / (_AT_EIGHT - _AT_TEN)


def recursive_checks(levels: Array) -> RecursiveChecks:
    """Compare every scoring with those before it.

    Parameters
    ----------
    levels
        (n_scorings, n_anchors) calibrated scores, oldest first, all by one curve; NaN = not scored.
    """
    scored = ~np.isnan(levels)
    filled = np.where(scored, levels, 0.0)
    counts, sums = np.cumsum(scored, axis=0)[:-1], np.cumsum(filled, axis=0)[:-1]
    known = scored[1:] & (counts > 0)
    apart = np.where(known, filled[1:] - sums / np.maximum(counts, 1), 0.0)
    weights = np.where(known, counts / (counts + 1.0), 0.0)
    total = weights.sum(axis=1)
    changes = (weights * apart).sum(axis=1) / np.maximum(total, 1e-300)
    squares = np.cumsum((weights * (apart - changes[:, None]) ** 2).sum(axis=1))
    freedom = np.cumsum(np.maximum(known.sum(axis=1) - 1, 0)).astype(np.float64)
    scale = np.sqrt(squares / np.maximum(freedom, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        one_sided = stdtr(np.maximum(freedom, 1), -np.abs(changes) * np.sqrt(total) / scale)
    one_sided = np.where((total == 0) | (freedom < 1) | (changes == 0), 0.5, one_sided)
    normal = np.minimum(-ndtri(one_sided), _MOST) * np.sign(changes)
    sums_now, grown = _cumulative(normal)
    # The scorings up to the one before the sum began to grow are what the last one is compared with.
    before = np.arange(len(grown)) - np.maximum(grown, 1) + 1
    then = np.where(counts[before] > 0, sums[before] / np.maximum(counts[before], 1), np.nan)
    slow = np.where(grown > 0, _means(levels[1:] - then), 0.0)
    return RecursiveChecks(changes, 2 * one_sided, sums_now, slow, grown)


def _means(table: Array) -> Array:
    """Return the mean of every row's known entries; 0 where there are none."""
    known = ~np.isnan(table)
    return np.asarray(np.where(known, table, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1))


def _cumulative(normal: Array) -> tuple[Array, Indices]:
    """Return the larger of the sums up and down after each check, and for how many checks it has been above zero."""
    up = down = 0.0
    up_for = down_for = 0
    sums, grown = np.empty(len(normal)), np.empty(len(normal), dtype=np.intp)
    for k, step in enumerate(normal.tolist()):
        up, down = max(0.0, up + step - _SLACK), max(0.0, down - step - _SLACK)
        up_for, down_for = (up_for + 1 if up else 0), (down_for + 1 if down else 0)
        sums[k], grown[k] = (up, up_for) if up >= down else (down, down_for)
    return sums, grown
