"""The registry of methods: one name, one function, one line on when to use it and when not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.averages import fisher, simple_average, weighted_average
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.panel import Panel

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FittedMethod:
    """Values by one method.

    Attributes
    ----------
    method
        Its name.
    values
        (n_objects,) in score units.
    value_errors
        (n_objects,) standard errors, or None where the method has none.
    note
        When to use it and when not.
    calibration
        The calibration behind it, or None for plain averages.
    """

    method: str
    values: Array
    value_errors: Array | None
    note: str
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """An entry of the registry.

    Attributes
    ----------
    name
        As given to `fit` and `--method`.
    title
        As written in headings.
    note
        When to use it and when not.
    run
        The function behind it.
    """

    name: str
    title: str
    note: str
    run: Callable[..., FittedMethod]


def methods() -> tuple[Method, ...]:
    """Return every method there is."""
    return _REGISTRY


def fit(panel: Panel, method: str = "confidence", **options: Any) -> FittedMethod:
    """Fit a panel by the named method.

    Raises
    ------
    MethodNotApplicable
        If there is no such method, or it cannot be used on this panel.
    DisconnectedPanel
        If the method needs a connected panel and this one is not.
    """
    for entry in _REGISTRY:
        if entry.name == method:
            return entry.run(panel, **options)
    known = ", ".join(entry.name for entry in _REGISTRY)
    raise MethodNotApplicable(f'There is no method "{method}": choose one of {known}.')


_NOTES = {
    "simple_average": "Plain mean of each object's scores. Right when every assessor saw every object.",
    "weighted_average": (
        "Confidence-weighted mean. What most boards use; it rewards those who were given generous assessors."
    ),
    "fisher": "Calibration with all confidences equal (Fisher's incomplete blocks). When confidences mean nothing.",
    "confidence": "Calibration with confidence. The default; needs a connected panel.",
}


def _simple(panel: Panel) -> FittedMethod:
    return FittedMethod("simple_average", simple_average(panel), None, _NOTES["simple_average"])


def _weighted(panel: Panel) -> FittedMethod:
    return FittedMethod("weighted_average", weighted_average(panel), None, _NOTES["weighted_average"])


def _fisher(panel: Panel, *, gauge: str = "weighted") -> FittedMethod:
    calibration = fisher(panel, gauge=gauge)
    errors = uncertainty(calibration).value_errors
    return FittedMethod("fisher", calibration.values, errors, _NOTES["fisher"], calibration)


def _confidence(panel: Panel, *, gauge: str = "weighted", reference: float | None = None) -> FittedMethod:
    calibration = calibrate(panel, gauge=gauge, reference=reference)
    errors = uncertainty(calibration).value_errors
    return FittedMethod("confidence", calibration.values, errors, _NOTES["confidence"], calibration)


_REGISTRY = (
    Method("simple_average", "Simple average", _NOTES["simple_average"], _simple),
    Method("weighted_average", "Weighted average", _NOTES["weighted_average"], _weighted),
    Method("fisher", "Fisher calibration", _NOTES["fisher"], _fisher),
    Method("confidence", "Calibration with confidence", _NOTES["confidence"], _confidence),
)
