"""Thresholds by judge."""

from __future__ import annotations

from panelcal.methods.method import FittedMethod, Method, normal_errors
from panelcal.ordinal.review_thresholds import review_thresholds
from panelcal.panel import Panel


def _review(panel: Panel, *, levels: int | None = None, seed: int = 0) -> FittedMethod:
    found = review_thresholds(panel, levels=levels, seed=seed)
    doubt = "" if found.converged else " The sampler has not converged: do not use these values."
    note = REVIEW_THRESHOLDS.note + doubt
    return FittedMethod(
        "review_thresholds", found.values, normal_errors(found, drawn=True), note, None, found.biases, found
    )


REVIEW_THRESHOLDS = Method(
    "review_thresholds",
    "Review thresholds",
    "Thresholds by judge, as for the SIGKDD'09 reviews. For ratings on few levels that judges use differently; not "
    "for marks.",
    _review,
)
