"""Scores unlike what all others suggest: how far each is from its fitted value, in units of its own standard error."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from panelcal.reporting.calibration.results import Results
from panelcal.reporting.wording import compact, number

UNEXPECTED = 3.0
LOOKS_UNEXPECTED = UNEXPECTED - 0.05  # what shows as 3.0 counts as 3.0


def standardised_residuals(results: Results) -> NDArray[np.float64]:
    """Residuals in units of their own standard error (N,); NaN where an assessment is an only link and fits exactly."""
    panel, calibration = results.panel, results.calibration
    room = 1 - results.influence.leverage
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(calibration.w_unbiased * room / panel.confidences)
        return np.where(errors > 0, calibration.residuals / errors, np.nan)


def unexpected_scores(results: Results) -> NDArray[np.bool_]:
    """Which assessments (N,) are worth a second look."""
    return np.asarray(np.nan_to_num(np.abs(standardised_residuals(results))) >= LOOKS_UNEXPECTED)


def unexpected_in_words(results: Results, assessments: Iterable[int]) -> str:
    """Name the assessors of unexpected scores, each with the score and its fitted value."""
    panel, fitted = results.panel, results.calibration.fitted
    return " and ".join(
        f"{panel.assessors[panel.assessor_index[k]]} ({compact(float(panel.scores[k]))}, where "
        f"{number(float(fitted[k]))} would fit)"
        for k in assessments
    )
