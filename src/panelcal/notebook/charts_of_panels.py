"""Charts of calibrations and of other methods on the same panel; each returns how many rows it has, 0 = no rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from panelcal.calibration.averages import weighted_average
from panelcal.calibration.uncertainty import uncertainty
from panelcal.notebook.drawing import BLUE, GREEN, INK, ORANGE, sorted_points
from panelcal.notebook.tables import LEVEL, table_of

if TYPE_CHECKING:
    from panelcal.calibration.assessor_differences import AssessorDifferences
    from panelcal.calibration.averages import Comparison
    from panelcal.calibration.least_squares import Calibration
    from panelcal.calibration.unexpected_scores import UnexpectedScores
    from panelcal.calibration.value_posterior import ValuePosterior
    from panelcal.methods.method import FittedMethod

Level = float | None
_APPROACHES = {
    "simple_average": "simple\naverage",
    "weighted_average": "weighted\naverage",
    "fisher": "Fisher",
    "confidence": "calibrated with\nconfidence",
}


def values(calibration: Calibration, axes: Any, level: Level) -> int:
    """Draw the values in order with their intervals, and the averages beside them."""
    level = LEVEL if level is None else level
    ends = uncertainty(calibration).value_interval(level)
    order = sorted_points(axes, calibration.values, ends, calibration.panel.objects)
    raw = weighted_average(calibration.panel)[order]
    axes.plot(raw, np.arange(len(raw)), "x", color=ORANGE, markersize=5, label="average")
    axes.set(xlabel="score units", title=f"Calibrated values with {level:.0%} intervals")
    axes.legend(loc="lower right", frameon=False)
    return len(raw)


def biases(calibration: Calibration, axes: Any, level: Level) -> int:
    """Draw the biases in order with their intervals."""
    level = LEVEL if level is None else level
    ends = uncertainty(calibration).bias_interval(level)
    sorted_points(axes, calibration.biases, ends, calibration.panel.assessors)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set(xlabel="score units; right = generous", title=f"Biases with {level:.0%} intervals")
    return calibration.panel.n_assessors


def changes(calibration: Calibration, axes: Any, level: Level) -> int:
    """Draw each value against the average it replaces."""
    raw = weighted_average(calibration.panel)
    both = [float(min(raw.min(), calibration.values.min())), float(max(raw.max(), calibration.values.max()))]
    axes.plot(both, both, color=INK, linewidth=0.8)
    axes.plot(raw, calibration.values, "o", color=BLUE, markersize=4)
    axes.set(xlabel="weighted average", ylabel="calibrated value", title="Above the line: gains by calibrating")
    return 0


def residuals(calibration: Calibration, axes: Any, level: Level) -> int:
    """Draw what value and bias leave over of each score."""
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.plot(calibration.fitted, calibration.residuals, "o", color=BLUE, markersize=3, alpha=0.7)
    axes.set(xlabel="fitted score", ylabel="residual, score units", title="What value and bias leave over")
    return 0


def differences(found: AssessorDifferences, axes: Any, level: Level) -> int:
    """Draw every bias from the rest, with twice its standard error; those clearly off stand out."""
    reach = 2 * np.outer(found.standard_errors, [-1.0, 1.0])
    colours = [ORANGE if off else BLUE for off in found.clearly_off.tolist()]
    sorted_points(axes, found.biases, found.biases[:, None] + reach, found.assessors, colours)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set(xlabel="score units; right = generous", title="Against the rest: orange = clearly off (p by Holm)")
    return len(found.assessors)


def approaches(comparison: Comparison, axes: Any, level: Level) -> int:
    """Draw a line for each object through the four approaches; green ones gain by calibrating, orange ones lose."""
    heights = np.array([getattr(comparison, name) for name in _APPROACHES])
    for line in heights.T:
        axes.plot(range(4), line, "-o", color=GREEN if line[3] >= line[0] else ORANGE, alpha=0.5, markersize=3)
    axes.set_xticks(range(4), list(_APPROACHES.values()))
    axes.set(ylabel="score units", title="One line for each object: green gains, orange loses")
    return 0


def unexpected(found: UnexpectedScores, axes: Any, level: Level) -> int:
    """Draw how far each score is from what the others suggest; those that are unexpected stand out."""
    axes.axhline(0.0, color=INK, linewidth=0.8)
    for colour, mine in ((BLUE, ~found.unexpected), (ORANGE, found.unexpected)):
        axes.plot(found.panel.scores[mine], found.statistics[mine], "o", color=colour, markersize=3, alpha=0.7)
    axes.set(xlabel="score", ylabel="standard errors", title="Against the others: orange = unexpected (p by Holm)")
    return 0


def posterior(found: ValuePosterior, axes: Any, level: Level) -> int:
    """Draw the posterior means in order with their intervals."""
    level = LEVEL if level is None else level
    sorted_points(axes, found.mean, found.interval(level), found.calibration.panel.objects)
    axes.set(xlabel="score units", title=f"True values, {level:.0%} of the chance in each interval")
    return len(found.mean)


def fitted(found: FittedMethod, axes: Any, level: Level) -> int:
    """Draw the values in order, with their intervals where the method has errors."""
    level = LEVEL if level is None else level
    table = table_of(found, "values", level)
    ends = np.column_stack([table["lower"], table["upper"]]) if "lower" in table else None
    sorted_points(axes, found.values, ends, table["object"])
    told = "" if ends is None else f" with {level:.0%} intervals"
    axes.set(xlabel="score units", title=f"Values by {found.method}{told}")
    return len(found.values)
