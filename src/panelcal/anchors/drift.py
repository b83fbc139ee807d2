"""Has an agent changed since its curve was fitted? The same anchors, scored then and now (ASC 2026, sections 3 and 5).

Each anchor is its own control: d_a = phi(score now) - phi(score then). Its mean is the shift; its slope on the mean of
the two is the tilt, a change of spread (the test of Pitman 1939 and Morgan 1939). Several dates are in `drift_history`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from panelcal.anchors.columns import as_pair
from panelcal.anchors.curves import FEWEST_ANCHORS, AnchorCurve, fit_anchor_curve
from panelcal.errors import MethodNotApplicable

Array = NDArray[np.float64]
Alarm = Literal["none", "amber", "red"]

AMBER, RED = 1.5, 3.0  # points on the scale of the consensus
REFIT_MATTERS = 5.0  # points
# With few anchors the mean of d scatters by more than the limits. Shift and tilt may each cry wolf this often, at most.
_BY_CHANCE = 0.004
_SEVERITY: tuple[Alarm, ...] = ("none", "amber", "red")


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """What has changed in one agent between two scorings of the anchors, in points of the consensus.

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
    shift_alarm, tilt_alarm
        "red" above 3 points, "amber" above 1.5, if chance alone would do that in fewer than 0.4% of checks.
    alarm
        The worse of the two.
    refitted
        The curve fitted to the new scores; None if that cannot be done or there is no consensus to fit to.
    changed_by_refit, changed_share
        How many, and which share, of the new scores it would move by more than 5 points; None without it.
    sentence
        The finding in words.
    """

    n_anchors: int
    differences: Array
    shift: float
    shift_error: float
    tilt: float
    tilt_error: float
    tilt_points: float
    shift_alarm: Alarm
    tilt_alarm: Alarm
    alarm: Alarm
    refitted: AnchorCurve | None
    changed_by_refit: int | None
    changed_share: float | None
    sentence: str


def check_drift(
    curve: AnchorCurve, last_scores: ArrayLike, new_scores: ArrayLike, consensus: ArrayLike | None = None
) -> Drift:
    """Compare an agent's new scores of the anchors with those its curve was fitted to.

    Parameters
    ----------
    curve
        The agent's curve as it is in use.
    last_scores, new_scores
        (n,) the agent's scores of the same anchors in the same order, at the last fit and now; NaN = not scored.
    consensus
        (n,) to refit to. None = that of the curve, if as many anchors are given here as there.

    Raises
    ------
    MethodNotApplicable
        If fewer than three anchors have both scores, lengths differ or a number is infinite.
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
    shift_alarm = _alarm(shift, shift_error, n - 1)
    tilt_alarm = _alarm(tilt * spread, tilt_error * spread, n - 2)
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
        shift_alarm=shift_alarm,
        tilt_alarm=tilt_alarm,
        alarm=max(shift_alarm, tilt_alarm, key=_SEVERITY.index),
        refitted=refitted,
        changed_by_refit=changed,
        changed_share=share,
        sentence=_sentence(n, shift, shift_error, tilt, (shift_alarm, tilt_alarm), changed, obstacle),
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


def _alarm(size: float, error: float, degrees_of_freedom: int) -> Alarm:
    size = abs(size)
    if size <= AMBER:
        return "none"
    by_chance = 2 * float(stdtr(degrees_of_freedom, -size / error)) if error > 0 else 0.0
    if by_chance > _BY_CHANCE:
        return "none"
    return "red" if size > RED else "amber"


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


def _sentence(
    n: int,
    shift: float,
    shift_error: float,
    tilt: float,
    alarms: tuple[Alarm, Alarm],
    changed: int | None,
    obstacle: str,
) -> str:
    found = []
    if alarms[0] != "none":
        found.append(
            f"calibrated scores of the anchors have {'risen' if shift > 0 else 'fallen'} by {abs(shift):.1f} points "
            f"(standard error {shift_error:.1f}; {alarms[0]})"
        )
    if alarms[1] != "none":
        found.append(f"their spread has {'grown' if tilt > 0 else 'shrunk'} by about {abs(tilt):.0%} ({alarms[1]})")
    if found:
        text = f"The agent has changed: {' and '.join(found)}."
    else:
        text = f"No sign of drift: {n} anchors have moved by {shift:+.1f} points (standard error {shift_error:.1f})."
    if changed is not None:
        text += f" A refit would change {changed} of its new scores of anchors by more than {REFIT_MATTERS:.0f} points."
    return text + obstacle
