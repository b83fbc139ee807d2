"""The tables of a result, each a dict of columns under the names that the API uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from panelcal.calibration.averages import weighted_average
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.notebook import tables_of_checks as tests
from panelcal.notebook import tables_of_systems as systems

if TYPE_CHECKING:
    from panelcal.calibration.assessor_differences import AssessorDifferences
    from panelcal.calibration.averages import Comparison
    from panelcal.calibration.least_squares import Calibration
    from panelcal.calibration.nearness import NearnessBias
    from panelcal.calibration.prior import PriorCalibration
    from panelcal.methods.method import FittedMethod
    from panelcal.panel import Panel

Columns = dict[str, Any]
Level = float | None
LEVEL = 0.95  # of intervals, unless another is asked for


class _Absent(MethodNotApplicable):
    """The result of this method has no such table, though others of its kind have."""


def values_table(calibration: Calibration, level: Level = None) -> Columns:
    """Return a row for each object: value with its error, how many scores it has and their weighted average."""
    panel, errors = calibration.panel, uncertainty(calibration)
    lower, upper = errors.value_interval(LEVEL if level is None else level).T
    return {
        "object": list(panel.objects),
        "value": calibration.values,
        "standard_error": errors.value_errors,
        "lower": lower,
        "upper": upper,
        "assessments": np.bincount(panel.object_index, minlength=panel.n_objects),
        "average": weighted_average(panel),
    }


def biases_table(calibration: Calibration, level: Level = None) -> Columns:
    """Return a row for each assessor: bias with its error, and how many scores it is from."""
    panel, errors = calibration.panel, uncertainty(calibration)
    lower, upper = errors.bias_interval(LEVEL if level is None else level).T
    return {
        "assessor": list(panel.assessors),
        "bias": calibration.biases,
        "standard_error": errors.bias_errors,
        "lower": lower,
        "upper": upper,
        "assessments": np.bincount(panel.assessor_index, minlength=panel.n_assessors),
    }


def _residuals(calibration: Calibration, level: Level) -> Columns:
    fitted = {"fitted": calibration.fitted, "residual": calibration.residuals}
    return _assessments(calibration.panel, level) | fitted


def _assessments(panel: Panel, level: Level) -> Columns:
    return systems.pairs(panel) | {"score": panel.scores, "confidence": panel.confidences}


def _comparison(comparison: Comparison, level: Level) -> Columns:
    names = ("simple_average", "weighted_average", "fisher", "confidence")
    return {"object": list(comparison.panel.objects)} | {name: getattr(comparison, name) for name in names}


def _differences(found: AssessorDifferences, level: Level) -> Columns:
    return {
        "assessor": list(found.assessors),
        "bias": found.biases,
        "standard_error": found.standard_errors,
        "p_value": found.p_values,
        "adjusted_p_value": found.adjusted_p_values,
        "clearly_off": found.clearly_off,
    }


def _fitted(fitted: FittedMethod, level: Level) -> Columns:
    if fitted.panel is None:
        raise _Absent("The names of the objects are not known here: use fit(panel, method).")
    columns: Columns = {"object": list(fitted.panel.objects), "value": fitted.values}
    if fitted.uncertainty is not None:
        lower, upper = fitted.uncertainty.value_interval(LEVEL if level is None else level).T
        columns |= {"standard_error": fitted.value_errors, "lower": lower, "upper": upper}
    return columns


def _fitted_biases(fitted: FittedMethod, level: Level) -> Columns:
    if fitted.panel is None or fitted.biases is None:
        raise _Absent(f"The method {fitted.method} has no biases in score units.")
    return {"assessor": list(fitted.panel.assessors), "bias": fitted.biases}


def _prior_values(found: PriorCalibration, level: Level) -> Columns:
    return {
        "object": list(found.plain.panel.objects),
        "value": found.values,
        "standard_error": found.value_errors,
        "without_prior": found.plain.values,
    }


def _prior_biases(found: PriorCalibration, level: Level) -> Columns:
    return {
        "assessor": list(found.plain.panel.assessors),
        "bias": found.biases,
        "standard_error": found.bias_errors,
        "earlier": found.earlier,
        "earlier_error": found.earlier_errors,
        "change": found.changes,
        "adjusted_p": found.adjusted_p,
    }


def _nearness_values(found: NearnessBias, level: Level) -> Columns:
    return {
        "object": list(found.calibration.panel.objects),
        "value": found.values,
        "standard_error": found.value_errors,
        "without_nearness": found.calibration.values,
    }


def _nearness_slopes(found: NearnessBias, level: Level) -> Columns:
    return {
        "assessor": list(found.calibration.panel.assessors),
        "bias": found.biases,
        "slope": found.slopes,
        "slope_error": found.slope_errors,
        "own_slope": found.own_slopes,
        "own_error": found.own_errors,
        "adjusted_p": found.adjusted_p,
    }


# By the name of the class, so that a table of one result loads nothing that belongs to another.
_TABLES: Mapping[str, Mapping[str, Callable[..., Columns]]] = {
    "AnchorCurve": {"anchors": systems.anchors},
    "Assignment": {"assignment": systems.assignment, "loads": systems.loads},
    "AssessorDifferences": {"biases": _differences},
    "Drift": {"alarms": tests.alarms, "anchors": tests.drift_of_anchors},
    "Calibration": {"values": values_table, "biases": biases_table, "residuals": _residuals},
    "Comparison": {"values": _comparison},
    "FacetCalibration": {
        "totals": systems.facet_totals,
        "values": systems.facet_values,
        "biases": systems.facet_biases,
        "severities": systems.facet_severities,
        "levels": systems.facet_levels,
    },
    "FacetPanel": {"assessments": systems.facet_assessments},
    "FittedMethod": {"values": _fitted, "biases": _fitted_biases},
    "Influence": {"assessments": tests.influence},
    "LargeCalibration": {"assessors": tests.large_assessors, "unexpected": tests.large_unexpected},
    "NearnessBias": {"values": _nearness_values, "slopes": _nearness_slopes},
    "Network": {"links": tests.weakest_links, "groups": tests.groups},
    "OrdinalFacets": {
        "totals": systems.facet_totals,
        "values": systems.facet_values,
        "biases": systems.facet_biases,
        "severities": systems.facet_severities,
        "levels": systems.facet_levels,
    },
    "OrdinalPosterior": {
        "values": systems.posterior_values,
        "assessors": systems.posterior_assessors,
        "features": systems.posterior_features,
        "cutpoints": systems.posterior_cutpoints,
    },
    "Panel": {"assessments": _assessments},
    "PriorCalibration": {"values": _prior_values, "biases": _prior_biases},
    "Ratings": {"assessments": systems.rated},
    "UnexpectedScores": {"scores": tests.unexpected},
    "ValuePosterior": {"values": tests.posterior_of_values},
}


def all_tables(result: object, level: Level = None) -> Iterator[Columns]:
    """Make the result's tables one by one, the main one first; none for a result without tables.

    Raises
    ------
    MethodNotApplicable
        If it cannot have intervals of that level.
    """
    for make in _TABLES.get(type(result).__name__, {}).values():
        with suppress(_Absent):
            yield make(result, level)


def table_of(result: object, name: str, level: Level = None) -> Columns:
    """Return one table of a result; "" = the main one.

    Raises
    ------
    MethodNotApplicable
        If it has no table of that name, or cannot have intervals of that level.
    """
    tables = _TABLES[type(result).__name__]
    name = name or next(iter(tables))
    if name not in tables:
        raise MethodNotApplicable(f"There is no table {name!r}: choose one of {', '.join(tables)}.")
    return tables[name](result, level)
