"""Calibration with and without confidence."""

from __future__ import annotations

from panelcal.calibration.averages import fisher
from panelcal.calibration.gauges import Common
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.methods.method import FittedMethod, Method, additive
from panelcal.panel import Panel


def _calibrated(method: Method, found: Calibration) -> FittedMethod:
    predict = additive(found.values, found.biases)
    return FittedMethod(method.name, found.values, uncertainty(found), method.note, found, found.biases, found, predict)


def _fisher(
    panel: Panel, *, gauge: str = "weighted", reference: float | None = None, common: Common | None = None
) -> FittedMethod:
    return _calibrated(FISHER, fisher(panel, gauge=gauge, reference=reference, common=common))


def _confidence(
    panel: Panel, *, gauge: str = "weighted", reference: float | None = None, common: Common | None = None
) -> FittedMethod:
    return _calibrated(CONFIDENCE, calibrate(panel, gauge=gauge, reference=reference, common=common))


FISHER = Method(
    "fisher",
    "Fisher calibration",
    "Biases taken out, all scores counting alike (Fisher's incomplete blocks). When confidences mean nothing; "
    "otherwise it trusts doubtful scores too much.",
    _fisher,
)
CONFIDENCE = Method(
    "confidence",
    "Calibration with confidence",
    "Biases taken out, scores counting by confidence. The default; not where links are so thin that correcting "
    "adds noise, nor where the panel falls apart.",
    _confidence,
)
