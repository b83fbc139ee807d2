"""Has an agent changed since its curve was fitted? The same anchors, scored then and now (ASC 2026, sections 3 and 5).

Each anchor is its own control: d_a = phi(score now) - phi(score then). Its mean is the shift; its slope on the mean of
the two is the tilt, a change of spread (the test of Pitman 1939 and Morgan 1939). With earlier scorings as well, the
level is compared with all of them, which also shows slow drift: see `drift_alarms`. Several dates: `drift_history`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from panelcal.anchors.columns import as_floats, as_pair
from panelcal.anchors.curves import FEWEST_ANCHORS, AnchorCurve, fit_anchor_curve
from panelcal.anchors.drift_alarms import FLEET, RecursiveChecks, jump_level, recursive_checks, slow_limit, tilt_level
from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Tabled

Alarm = Literal["none", "amber", "red"]

AMBER, RED = 1.5, 3.0  # points on the scale of the consensus
REFIT_MATTERS = 5.0  # points
_SEVERITY: tuple[Alarm, ...] = ("none", "amber", "red")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Drift(Tabled):
    """What has changed in one agent between two scorings of the anchors, in points of the consensus.

    Source: ASC (2026), sections 3 and 5; the tilt is the test of Pitman (1939) and Morgan (1939).

    Attributes
    ----------
    n_anchors
        Anchors scored both times.
    differences
        (n,) d_a = phi(new score) - phi(last score); NaN where one of them is missing.
    shift, shift_error
        Mean of d_a and its standard error.
    tilt, tilt_error
        Slope of d_a on the mean of the two calibrated scores: -0.1 = high and low scores have moved a tenth closer
        together. Taken on the mean and not on the last score, it is 0 for an agent that only scatters.
    tilt_points
        How far the tilt moves an anchor one standard deviation from the middle.
    change
        Mean of phi(new score) less the mean over all earlier scorings; without a history, the shift.
    slow_change
        How far the mean has moved since before the cumulative sum of such changes began to grow.
    slow_share
        That sum over its limit: 1 = alarm.
    shift_alarm, tilt_alarm, slow_alarm
        "red" where the change, the change of spread or the slow change is above 3 points, "amber" above 1.5, and chance
        is ruled out so far that at most 5% of fleets of so many agents see any alarm in a year of 52 checks.
    alarm
        The worst of the three.
    refitted
        The curve fitted to the new scores; None if that cannot be done or there is no consensus to fit to.
    changed_by_refit, changed_share
        How many, and which share, of the new scores it would move by more than 5 points; None without it.
    sentence
        The finding in words.

    Examples
    --------
    >>> curve = fit_anchor_curve([10, 30, 50, 70, 90], [20, 35, 50, 65, 80], kind='linear')
    >>> check_drift(curve, [10, 30, 50, 70, 90], [10, 30, 50, 70, 90]).alarm
    'none'
    """

    n_anchors: int
    differences: Array
    shift: float
    shift_error: float
    tilt: float
    tilt_error: float
    tilt_points: float
    change: float
    slow_change: float
    slow_share: float
    shift_alarm: Alarm
    tilt_alarm: Alarm
    slow_alarm: Alarm
    alarm: Alarm
    refitted: AnchorCurve | None
    changed_by_refit: int | None
    changed_share: float | None
    sentence: str


def check_drift(
    curve: AnchorCurve,
    last_scores: ArrayLike,
    new_scores: ArrayLike,
    consensus: ArrayLike | None = None,
    history: ArrayLike | None = None,
    *,
    agents: int = FLEET,
) -> Drift:
    """Compare an agent's new scores of the anchors with those its curve was fitted to.

    Source: ASC (2026), sections 3 and 5; the tilt is the test of Pitman (1939) and Morgan (1939).

    Parameters
    ----------
    curve
        The agent's curve as it is in use.
    last_scores, new_scores
        (n,) the agent's scores of the same anchors in the same order, at the last fit and now; NaN = not scored.
    consensus
        (n,) to refit to. None = that of the curve, if as many anchors are given here as there.
    history
        (n_scorings, n) its scores of the same anchors at all scorings since it was fitted for the first time or last
        changed, oldest first, such as the rows of a sheet on which they are kept; NaN = not scored. The last scores may
        be among them or not. None = there is nothing but the last scores.
    agents
        How many agents are watched: they share the chance of a false alarm.

    Returns
    -------
    Drift
        What has changed, with an alarm.

    Raises
    ------
    MethodNotApplicable
        If fewer than three anchors have both scores, lengths differ or a number is infinite.

    Examples
    --------
    >>> curve = fit_anchor_curve([10, 30, 50, 70, 90], [20, 35, 50, 65, 80], kind='linear')
    >>> check_drift(curve, [10, 30, 50, 70, 90], [10, 30, 50, 70, 90]).shift
    0.0
    """
    last, new = as_pair(last_scores, new_scores, ("last scores", "new scores"))
    before, after = np.asarray(curve(last)), np.asarray(curve(new))
    differences = after - before
    both = ~np.isnan(differences)
    n = int(both.sum())
    if n < FEWEST_ANCHORS:
        raise MethodNotApplicable(
            f"Only {n} anchors were scored both times: drift needs at least {FEWEST_ANCHORS}; score more of them again."
        )
    d = differences[both]
    shift, shift_error = float(d.mean()), float(d.std(ddof=1) / np.sqrt(n))
    tilt, tilt_error, spread = _tilt(d, (before[both] + after[both]) / 2)
    checks = _against_all(curve, last, new, history)
    change, slow_change = float(checks.changes[-1]), float(checks.slow_changes[-1])
    slow_share = float(checks.sums[-1]) / slow_limit(agents)
    shift_alarm = _colour(change) if checks.p_values[-1] <= jump_level(agents) else "none"
    slow_alarm = _colour(slow_change) if slow_share > 1 else "none"
    tilt_alarm = _colour(tilt * spread) if _by_chance(tilt, tilt_error, n - 2) <= tilt_level(agents) else "none"
    refitted, obstacle = _refit(curve, new, consensus)
    changed = share = None
    if refitted is not None:
        moved = np.abs(np.asarray(refitted(new)) - after)[~np.isnan(new)] > REFIT_MATTERS
        changed, share = int(moved.sum()), float(moved.mean())
    return Drift(
        n_anchors=n,
        differences=differences,
        shift=shift,
        shift_error=shift_error,
        tilt=tilt,
        tilt_error=tilt_error,
        tilt_points=tilt * spread,
        change=change,
        slow_change=slow_change,
        slow_share=slow_share,
        shift_alarm=shift_alarm,
        tilt_alarm=tilt_alarm,
        slow_alarm=slow_alarm,
        alarm=max(shift_alarm, tilt_alarm, slow_alarm, key=_SEVERITY.index),
        refitted=refitted,
        changed_by_refit=changed,
        changed_share=share,
        sentence=_sentence(
            n,
            (shift, shift_error),
            _findings((shift_alarm, change), (slow_alarm, slow_change, checks), (tilt_alarm, tilt)),
            changed,
            obstacle,
        ),
    )


def _tilt(d: Array, middle: Array) -> tuple[float, float, float]:
    """Slope of d on the middle of both scores, its standard error, and the standard deviation of the middles."""
    away = middle - middle.mean()
    squares = float(away @ away)
    spread = float(np.sqrt(squares / (len(d) - 1)))
    if squares == 0:
        return 0.0, 0.0, spread
    slope = float(away @ d) / squares
    left = d - d.mean() - slope * away
    return slope, float(np.sqrt(left @ left / (len(d) - 2) / squares)), spread


def _against_all(curve: AnchorCurve, last: Array, new: Array, history: ArrayLike | None) -> RecursiveChecks:
    """Compare the new scores with all earlier ones, the last among them."""
    earlier = last[None, :]
    if history is not None:
        earlier = as_floats(history, 2)
        if earlier.shape[1:] != last.shape:
            raise MethodNotApplicable(
                f"The history has {earlier.shape[1]} anchors, the last scores {len(last)}: give one for each."
            )
        if not any(np.array_equal(row, last, equal_nan=True) for row in earlier):
            earlier = np.vstack([earlier, last])
    return recursive_checks(np.asarray(curve(np.vstack([earlier, new]))))


def _by_chance(size: float, error: float, degrees_of_freedom: int) -> float:
    if error > 0:
        return 2 * float(stdtr(degrees_of_freedom, -abs(size) / error))
    return 0.0 if size else 1.0


def _colour(size: float) -> Alarm:
    return "red" if abs(size) > RED else "amber" if abs(size) > AMBER else "none"


def _refit(curve: AnchorCurve, new: Array, consensus: ArrayLike | None) -> tuple[AnchorCurve | None, str]:
    """Return the refitted curve, or None and why there is none."""
    if consensus is None:
        if new.shape != curve.used.shape:
            return None, ""
        known = np.full(new.shape, np.nan)
        known[curve.used] = curve.consensus
    else:
        known = as_pair(consensus, new, ("consensus values", "new scores"))[0]
    try:
        return fit_anchor_curve(new, known, kind=curve.kind, bounds=curve.bounds), ""
    except MethodNotApplicable as problem:
        return None, f" The curve cannot be refitted: {problem}"


def _findings(
    jump: tuple[Alarm, float], slow: tuple[Alarm, float, RecursiveChecks], tilt: tuple[Alarm, float]
) -> list[str]:
    """Say what has changed, for every alarm."""
    found = []
    if jump[0] != "none":
        found.append(f"calibrated scores of the anchors have {_way(jump[1])} by {abs(jump[1]):.1f} points ({jump[0]})")
    elif slow[0] != "none":
        checks = int(slow[2].slow_checks[-1])
        found.append(
            f"calibrated scores of the anchors have slowly {_way(slow[1])} by {abs(slow[1]):.1f} points within "
            f"{checks} check{'s' if checks > 1 else ''} ({slow[0]})"
        )
    if tilt[0] != "none":
        found.append(f"their spread has {'grown' if tilt[1] > 0 else 'shrunk'} by about {abs(tilt[1]):.0%} ({tilt[0]})")
    return found


def _way(change: float) -> str:
    return "risen" if change > 0 else "fallen"


def _sentence(n: int, shift: tuple[float, float], found: list[str], changed: int | None, obstacle: str) -> str:
    if found:
        text = f"The agent has changed: {' and '.join(found)}."
    else:
        text = f"No sign of drift: {n} anchors have moved by {shift[0]:+.1f} points (standard error {shift[1]:.1f})."
    if changed is not None:
        text += f" A refit would change {changed} of its new scores of anchors by more than {REFIT_MATTERS:.0f} points."
    return text + obstacle
