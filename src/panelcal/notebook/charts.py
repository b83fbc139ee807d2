"""Four charts of a calibration by matplotlib (`pip install "panelcal[plot]"`), in the colours of the sheets.

Nothing is shown or saved here: each returns its axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.averages import weighted_average
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable

_BLUE, _ORANGE, _INK, _GRID = "#0072B2", "#D55E00", "#404040", "#E3E3E3"  # of the palette of the sheets
_MOST_NAMED = 40
_ROW_INCHES, _WIDTH_INCHES, _SHORTEST = 0.2, 7.0, 4.0


def plot(calibration: Calibration, kind: str, axes: Any, level: float) -> Any:
    """Draw one chart and return its axes.

    Raises
    ------
    MethodNotApplicable
        If there is no such chart, or matplotlib is not installed.
    """
    if kind not in _CHARTS:
        raise MethodNotApplicable(f"There is no chart {kind!r}: choose one of {', '.join(_CHARTS)}.")
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MethodNotApplicable('Charts need matplotlib: pip install "panelcal[plot]".') from None
    if axes is None:
        rows = {"values": calibration.panel.n_objects, "biases": calibration.panel.n_assessors}.get(kind, 0)
        height = max(_SHORTEST, _ROW_INCHES * min(rows, _MOST_NAMED))
        axes = pyplot.subplots(figsize=(_WIDTH_INCHES, height), layout="constrained")[1]
    _CHARTS[kind](calibration, axes, level)
    axes.set_axisbelow(True)
    axes.grid(color=_GRID)
    axes.tick_params(colors=_INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _values(calibration: Calibration, axes: Any, level: float) -> None:
    ends = uncertainty(calibration).value_interval(level)
    _sorted_points(axes, calibration.values, ends, calibration.panel.objects)
    raw = weighted_average(calibration.panel)[np.argsort(calibration.values, kind="stable")]
    axes.plot(raw, np.arange(len(raw)), "x", color=_ORANGE, markersize=5, label="average")
    axes.set(xlabel="score units", title=f"Calibrated values with {level:.0%} intervals")
    axes.legend(loc="lower right", frameon=False)


def _biases(calibration: Calibration, axes: Any, level: float) -> None:
    ends = uncertainty(calibration).bias_interval(level)
    _sorted_points(axes, calibration.biases, ends, calibration.panel.assessors)
    axes.axvline(0.0, color=_INK, linewidth=0.8)
    axes.set(xlabel="score units; right = generous", title=f"Biases with {level:.0%} intervals")


def _sorted_points(axes: Any, centres: NDArray[np.float64], ends: NDArray[np.float64], labels: tuple[str, ...]) -> None:
    order = np.argsort(centres, kind="stable")
    rows = np.arange(len(order))
    axes.hlines(rows, ends[order, 0], ends[order, 1], color=_BLUE, alpha=0.45)
    axes.plot(centres[order], rows, "o", color=_BLUE, markersize=4, label="calibrated")
    if len(order) <= _MOST_NAMED:
        axes.set_yticks(rows, [labels[k] for k in order.tolist()])
    else:
        axes.set_yticks([])


def _changes(calibration: Calibration, axes: Any, level: float) -> None:
    raw = weighted_average(calibration.panel)
    both = [float(min(raw.min(), calibration.values.min())), float(max(raw.max(), calibration.values.max()))]
    axes.plot(both, both, color=_INK, linewidth=0.8)
    axes.plot(raw, calibration.values, "o", color=_BLUE, markersize=4)
    axes.set(xlabel="weighted average", ylabel="calibrated value", title="Above the line: gains by calibrating")


def _residuals(calibration: Calibration, axes: Any, level: float) -> None:
    axes.axhline(0.0, color=_INK, linewidth=0.8)
    axes.plot(calibration.fitted, calibration.residuals, "o", color=_BLUE, markersize=3, alpha=0.7)
    axes.set(xlabel="fitted score", ylabel="residual, score units", title="What value and bias leave over")


_CHARTS: Mapping[str, Callable[[Calibration, Any, float], None]] = {
    "values": _values,
    "biases": _biases,
    "changes": _changes,
    "residuals": _residuals,
}
