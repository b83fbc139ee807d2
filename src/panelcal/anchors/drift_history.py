"""One agent over several dates: each scoring of the anchors is compared with those before and the curve refitted.

Refitting every time keeps the curve right. Alarms look back to the last alarm, or to the first date: a jump belongs to
its own date, slow drift is found once it has added up. After an alarm the agent counts as a new one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.anchors.columns import as_floats
from panelcal.anchors.curves import AnchorCurve, Kind, fit_anchor_curve
from panelcal.anchors.drift import AMBER, RED, Alarm, Drift, check_drift
from panelcal.anchors.drift_alarms import FLEET
from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class DriftHistory:
    """An agent's drift from check to check.

    Attributes
    ----------
    dates
        Indexes of the dates used, in order; the first is where the first curve comes from.
    curves
        The curve in use after each of those dates.
    checks
        One for each date used but the first: against the last date whose scores could be fitted.
    shifts
        (n_checks,) their mean differences.
    since_first
        (n_checks,) mean difference from the first date by the first curve; NaN where no anchor is left of it.
    alarms
        (n_checks,) "none", "amber" or "red".
    first_alarm
        The date of the first alarm, as an index into the dates given; None without one.
    skipped
        Dates left out because too few anchors were scored to be compared.
    sentence
        The finding in words; dates count from 1.
    """

    dates: tuple[int, ...]
    curves: tuple[AnchorCurve, ...]
    checks: tuple[Drift, ...]
    shifts: Array
    since_first: Array
    alarms: tuple[Alarm, ...]
    first_alarm: int | None
    skipped: tuple[int, ...]
    sentence: str


def follow_drift(
    scores: ArrayLike,
    consensus: ArrayLike,
    *,
    kind: Kind = "spline",
    bounds: tuple[float, float] = (0.0, 100.0),
    agents: int = FLEET,
) -> DriftHistory:
    """Check an agent for drift at each date and refit its curve.

    Parameters
    ----------
    scores
        (n_dates, n_anchors) the agent's scores of the anchors, earliest date first; NaN = not scored, as with anchors
        that are rotated in or out.
    consensus
        (n_anchors,) known value of each anchor.
    kind, bounds
        As for `fit_anchor_curve`.
    agents
        How many agents are watched: they share the chance of a false alarm.

    Raises
    ------
    MethodNotApplicable
        If no date has scores a curve can be fitted to, or the numbers of anchors differ.
    """
    table, known = as_floats(scores, 2), as_floats(consensus, 1)
    if table.shape[1:] != known.shape:
        raise MethodNotApplicable(
            f"There are scores for {table.shape[1]} anchors but {known.size} consensus values: each anchor needs one."
        )
    first, curve = _first_fit(table, known, kind, bounds)
    original, last = curve, table[first]
    dates, curves, checks, totals = [first], [curve], [], []
    skipped, since_alarm = list(range(first)), [first]
    for date in range(first + 1, len(table)):
        try:
            drift = check_drift(curve, last, table[date], known, table[since_alarm], agents=agents)
        except MethodNotApplicable:
            skipped.append(date)
            continue
        if drift.refitted is not None:
            curve, last = drift.refitted, table[date]
        since_alarm = [*since_alarm, date] if drift.alarm == "none" else [date]
        dates.append(date)
        curves.append(curve)
        checks.append(drift)
        since = np.asarray(original(table[date])) - np.asarray(original(table[first]))
        totals.append(float(np.nanmean(since)) if not np.isnan(since).all() else float("nan"))
    alarmed = [date for date, drift in zip(dates[1:], checks, strict=True) if drift.alarm != "none"]
    return DriftHistory(
        dates=tuple(dates),
        curves=tuple(curves),
        checks=tuple(checks),
        shifts=np.array([drift.shift for drift in checks]),
        since_first=np.array(totals),
        alarms=tuple(drift.alarm for drift in checks),
        first_alarm=alarmed[0] if alarmed else None,
        skipped=tuple(skipped),
        sentence=_sentence(dates, checks, totals, alarmed),
    )


def _first_fit(table: Array, known: Array, kind: Kind, bounds: tuple[float, float]) -> tuple[int, AnchorCurve]:
    problem = MethodNotApplicable("There are no dates with anchor scores.")
    for date, row in enumerate(table):
        try:
            return date, fit_anchor_curve(row, known, kind=kind, bounds=bounds)
        except MethodNotApplicable as found:
            problem = found
    raise problem


def _sentence(dates: list[int], checks: list[Drift], totals: list[float], alarmed: list[int]) -> str:
    if not checks:
        return "There is only one date with enough anchor scores, so drift cannot be judged yet."
    if alarmed:
        drift = checks[dates.index(alarmed[0]) - 1]
        more = f" {len(alarmed)} of {len(checks)} checks raised an alarm." if len(alarmed) > 1 else ""
        return f"First alarm at date {alarmed[0] + 1}. {drift.sentence}{more}"
    total = totals[-1]
    if abs(total) > AMBER:
        return (
            f"No single check raised an alarm, but in all the anchors have moved by {total:+.1f} points since the "
            f"first date ({'red' if abs(total) > RED else 'amber'} if it had come at once): slow drift, which the "
            "refits have followed."
        )
    return f"No alarm in {len(checks)} checks."
