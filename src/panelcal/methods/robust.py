"""Gross errors made harmless."""

from __future__ import annotations

from panelcal.calibration.normal_errors import NormalErrors
from panelcal.calibration.outliers import bisquare, median_polish
from panelcal.methods.method import FittedMethod, Method, additive
from panelcal.panel import Panel


def _median_polish(panel: Panel) -> FittedMethod:
    found = median_polish(panel)
    predict = additive(found.values, found.biases)
    return FittedMethod("median_polish", found.values, None, MEDIAN_POLISH.note, None, found.biases, found, predict)


def _bisquare(panel: Panel) -> FittedMethod:
    found = bisquare(panel)
    aside = int((found.weights == 0).sum())
    were = "was" if aside == 1 else "were"
    said = (
        f" Here {aside} of {panel.n_assessments} scores {were} set aside." if aside else " Here no score was set aside."
    )
    note = BISQUARE.note + said
    predict = additive(found.values, found.biases)
    errors = NormalErrors(found.values, found.value_errors, found.calibration.degrees_of_freedom)
    return FittedMethod("bisquare", found.values, errors, note, None, found.biases, found, predict)


MEDIAN_POLISH = Method(
    "median_polish",
    "Median polish",
    "Medians in place of means, confidences aside. A quick look for gross errors; the bisquare does better.",
    _median_polish,
)
BISQUARE = Method(
    "bisquare",
    "Bisquare",
    "Calibration that sets gross errors aside and says which. When slips of the pen are likely; needs some scores "
    "to spare, or good scores go too.",
    _bisquare,
)
