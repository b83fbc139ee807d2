"""Criteria calibrated together where some scores are missing: what stands in their place in the totals, and errors."""

from __future__ import annotations

from dataclasses import replace

from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.normal_errors import NormalErrors
from panelcal.errors import MethodNotApplicable
from panelcal.facets.calibrate_facets import FacetCalibration, calibrate_facets
from panelcal.reading.reading import CriteriaRead, Reading
from panelcal.registry import FittedMethod


def with_expected(reading: Reading) -> Reading:
    """Put what the other scores let expect in the place of missing criteria: calibrating the sums gives the totals.

    Raises
    ------
    InvalidPanel
        If nobody scored an object in some criterion.
    DisconnectedPanel
        If the scores of a criterion fall into groups that share nothing.
    """
    criteria = reading.criteria
    if criteria is None or criteria.panel.is_complete:
        return reading
    found = calibrate_facets(
        criteria.panel, weights=criteria.weights, gauge="equal" if reading.settings.gauge == "equal" else "weighted"
    )
    totals = found.filled_totals
    totals.setflags(write=False)
    return replace(reading, panel=replace(reading.panel, scores=totals))


def together(criteria: CriteriaRead, calibration: Calibration) -> FacetCalibration:
    """Calibrate criteria with the confidences of the calibration of their sums."""
    return calibrate_facets(
        replace(criteria.panel, confidences=calibration.panel.confidences),
        weights=criteria.weights,
        gauge="equal" if calibration.gauge == "equal" else "weighted",
    )


def with_errors_of_missing(criteria: CriteriaRead, chosen: FittedMethod, calibration: Calibration) -> FittedMethod:
    """Return the values with the errors that missing criteria leave: those of the sums take the expected for given.

    Raises
    ------
    MethodNotApplicable
        If another method was chosen, which would take what is expected for real scores.
    """
    if chosen.method != "confidence":
        raise MethodNotApplicable(
            "Where criteria are blank beside others, values are by the method confidence only: choose it, or clear the "
            "rows with blanks."
        )
    errors = together(criteria, calibration).total_errors
    return replace(chosen, uncertainty=NormalErrors(chosen.values, errors, calibration.degrees_of_freedom))
