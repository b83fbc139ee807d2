"""Plain averages, with and without confidences."""

from __future__ import annotations

from panelcal.calibration.averages import simple_average, weighted_average
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _simple(panel: Panel) -> FittedMethod:
    return FittedMethod("simple_average", simple_average(panel), None, SIMPLE_AVERAGE.note)


def _weighted(panel: Panel) -> FittedMethod:
    return FittedMethod("weighted_average", weighted_average(panel), None, WEIGHTED_AVERAGE.note)


SIMPLE_AVERAGE = Method(
    "simple_average",
    "Simple average",
    "Plain mean of each object's scores. Right when every assessor saw every object; otherwise luck with assessors "
    "stays in it.",
    _simple,
)
WEIGHTED_AVERAGE = Method(
    "weighted_average",
    "Weighted average",
    "Confidence-weighted mean. What most boards use; it rewards those who were given generous assessors.",
    _weighted,
)
