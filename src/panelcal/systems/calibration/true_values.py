"""In which sense values are true, in words: what intervals take as given and what probabilities of a class count."""

from __future__ import annotations

import math

import numpy as np

from panelcal.reporting.wording import number
from panelcal.systems.calibration.results import Results


def zero_point_line(results: Results) -> str:
    """Say what the intervals take as given, and how wide they are with it; empty where there is nothing to say."""
    error = results.posterior.zero_point_error
    if not results.is_calibration or not math.isfinite(error):
        return ""
    level = results.reading.settings.level
    alone, both = (
        number(float(np.median(np.diff(ends, axis=1))) / 2)
        for ends in (
            results.uncertainty.value_interval(level),
            results.uncertainty.value_interval(level, zero_point_error=error),
        )
    )
    return (
        f"Lower to Upper takes the {results.assessors_noun} of this panel together as neither generous nor severe. "
        f"That zero is itself uncertain, by {number(error)} for all {results.objects_noun} alike; with it the typical "
        f"half-width is {both} instead of {alone}."
    )


def probability_lines(results: Results) -> tuple[str, ...]:
    """Say what the probabilities of a class count, and whether they may be off; nothing where there are none."""
    if not results.reading.settings.bands or not results.is_calibration:
        return ()
    lines = [
        f"P counts more than the value: {partly_luck(results)}. So a value just above a boundary can be more likely "
        "below it."
    ]
    warned = selection_warning(results)
    return (*lines, warned) if warned else tuple(lines)


def partly_luck(results: Results) -> str:
    """Say what the probabilities of a class take into account besides the values and their errors."""
    if results.posterior.method == "values only":
        return "values far from the rest are partly luck"
    return "values and biases far from the rest are partly luck"


def selection_warning(results: Results) -> str:
    """Warn where probabilities of a class may be off because of who met whom; empty where they hold."""
    if not results.posterior.strong_selection:
        return ""
    correlation = results.verdict.correlation
    kind = "generous" if correlation > 0 else "severe"
    return (
        f"P may be off by 10 points or more: stronger {results.objects_noun} had more {kind} {results.assessors_noun} "
        f"(correlation {number(correlation)}), so strongly that the two are hard to tell apart."
    )
