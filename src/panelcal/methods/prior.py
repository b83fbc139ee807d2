"""Calibration that also knows what the assessors' biases were before."""

from __future__ import annotations

from collections.abc import Mapping

from panelcal.calibration.prior import calibrate_with_prior
from panelcal.errors import MethodNotApplicable
from panelcal.methods.method import FittedMethod, Method, additive, normal_errors
from panelcal.panel import Panel

_LEVEL = 0.05


def _prior(panel: Panel, *, earlier: Mapping[str, tuple[float, float]] | None = None) -> FittedMethod:
    if earlier is None:
        raise MethodNotApplicable(
            "The method prior needs earlier biases with their standard errors: add a sheet Prior, which panelcal prior "
            "RESULT makes from an earlier result."
        )
    found = calibrate_with_prior(panel, earlier)
    note = PRIOR.note
    if found.p_value < _LEVEL:
        note += " The biases do not agree with the earlier ones beyond their errors: better leave the prior out."
    return FittedMethod(
        "prior",
        found.values,
        normal_errors(found),
        note,
        biases=found.biases,
        detail=found,
        predict=additive(found.values, found.biases),
    )


PRIOR = Method(
    "prior",
    "With earlier biases",
    "Calibration with confidence that also knows the biases on the sheet Prior, such as last year's. When links are "
    "thin and the same people assess again in the same way; not where they have changed.",
    _prior,
)
