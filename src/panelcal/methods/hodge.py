"""Comparisons within assessors."""

from __future__ import annotations

from panelcal.calibration.hodge import hodge_rank
from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _hodge(panel: Panel) -> FittedMethod:
    found = hodge_rank(panel, flow="differences")
    return FittedMethod("hodge", found.values, uncertainty(calibrate(panel)), HODGE.note, detail=found)


def _hodge_signs(panel: Panel) -> FittedMethod:
    found = hodge_rank(panel, flow="signs")
    return FittedMethod("hodge_signs", found.values, None, HODGE_SIGNS.note, detail=found)


HODGE = Method(
    "hodge",
    "HodgeRank",
    "Score differences within assessors, by HodgeRank. When it matters how consistent the comparisons are; not as "
    "a second opinion, its values are those of calibration with confidence.",
    _hodge,
)
HODGE_SIGNS = Method(
    "hodge_signs",
    "HodgeRank on signs",
    "Only who was placed above whom by each assessor. When scores mean no more than an order; otherwise it throws "
    "away what they say.",
    _hodge_signs,
)
