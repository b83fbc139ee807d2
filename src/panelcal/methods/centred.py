"""Every assessor moved to the same mean, and to the same spread."""

from __future__ import annotations

from panelcal.calibration.centring import assessor_centred, z_scores
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _centred(panel: Panel) -> FittedMethod:
    found = assessor_centred(panel)
    return FittedMethod(
        "assessor_centred", found.values, None, ASSESSOR_CENTRED.note, None, found.biases, found, found.predict
    )


def _z_scores(panel: Panel) -> FittedMethod:
    found = z_scores(panel)
    return FittedMethod("z_scores", found.values, None, Z_SCORES.note, None, found.biases, found, found.predict)


ASSESSOR_CENTRED = Method(
    "assessor_centred",
    "Centred by assessor",
    "Every assessor's scores moved to the same mean. Only for objects assigned at random; where good ones went to "
    "some assessors and weak ones to others, worse than plain averages.",
    _centred,
)
Z_SCORES = Method(
    "z_scores",
    "z-scores by assessor",
    "Every assessor's scores given the same mean and spread. Only for objects assigned at random and many objects "
    "for each assessor; otherwise the worst of all.",
    _z_scores,
)
