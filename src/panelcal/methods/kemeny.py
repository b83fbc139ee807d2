"""The ranking with fewest reversals."""

from __future__ import annotations

import numpy as np

from panelcal.calibration.kemeny import kemeny
from panelcal.calibration.least_squares import calibrate
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _kemeny(panel: Panel) -> FittedMethod:
    """Deal the values of calibration with confidence out in the order with fewest reversals."""
    calibrated = calibrate(panel).values
    found = kemeny(panel, calibrated)
    values = np.empty_like(calibrated)
    values[found.order] = np.sort(calibrated)[::-1]
    proof = (
        "no ranking reverses fewer"
        if found.is_proven
        else f"no ranking reverses fewer than {found.least:,}, and none better was found"
    )
    said = f" It reverses {found.reversals:,} of {found.preferences:,} preferences; {proof}."
    return FittedMethod("kemeny", values, None, KEMENY.note + said, detail=found)


KEMENY = Method(
    "kemeny",
    "Fewest reversals",
    "Kemeny's ranking, which turns round fewest of the preferences that assessors state between two objects. A ranking "
    "only: its values are those of calibration with confidence, dealt out in its order, and it does not say how far "
    "apart two objects are.",
    _kemeny,
)
