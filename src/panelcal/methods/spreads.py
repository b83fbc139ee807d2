"""Biases and spreads by assessor."""

from __future__ import annotations

from panelcal.calibration.spread import fit_spreads
from panelcal.methods.method import FittedMethod, Method, normal_errors
from panelcal.panel import Panel


def _spread(panel: Panel, *, prior_deviation: float = 0.25) -> FittedMethod:
    found = fit_spreads(panel, prior_deviation=prior_deviation)
    return FittedMethod(
        "spread", found.values, normal_errors(found), SPREAD.note, None, found.biases, found, found.predict
    )


SPREAD = Method(
    "spread",
    "Spread by assessor",
    "Biases and spreads by assessor. When some use more of the scale than others and each has six objects or more; "
    "with fewer, or alike spreads, it adds noise.",
    _spread,
)
