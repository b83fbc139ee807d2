"""The tables of a result, each a dict of columns under the names that the API uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from panelcal.calibration.averages import Comparison, weighted_average
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.panel import Panel

Columns = dict[str, Any]


def values_table(calibration: Calibration, level: float = 0.95) -> Columns:
    """Return a row for each object: value with its error, how many scores it has and their weighted average."""
    panel, errors = calibration.panel, uncertainty(calibration)
    lower, upper = errors.value_interval(level).T
    return {
        "object": list(panel.objects),
        "value": calibration.values,
        "standard_error": errors.value_errors,
        "lower": lower,
        "upper": upper,
        "assessments": np.bincount(panel.object_index, minlength=panel.n_objects),
        "average": weighted_average(panel),
    }


def biases_table(calibration: Calibration, level: float = 0.95) -> Columns:
    """Return a row for each assessor: bias with its error, and how many scores it is from."""
    panel, errors = calibration.panel, uncertainty(calibration)
    lower, upper = errors.bias_interval(level).T
    return {
        "assessor": list(panel.assessors),
        "bias": calibration.biases,
        "standard_error": errors.bias_errors,
        "lower": lower,
        "upper": upper,
        "assessments": np.bincount(panel.assessor_index, minlength=panel.n_assessors),
    }


def residuals_table(calibration: Calibration, level: float = 0.95) -> Columns:
    """Return a row for each assessment, with what was fitted and what is left over."""
    return assessments_table(calibration.panel) | {"fitted": calibration.fitted, "residual": calibration.residuals}


def assessments_table(panel: Panel, level: float = 0.95) -> Columns:
    """Return a row for each assessment."""
    return {
        "object": [panel.objects[k] for k in panel.object_index.tolist()],
        "assessor": [panel.assessors[k] for k in panel.assessor_index.tolist()],
        "score": panel.scores,
        "confidence": panel.confidences,
    }


def comparison_table(comparison: Comparison, level: float = 0.95) -> Columns:
    """Return a row for each object, a column for each approach."""
    names = ("simple_average", "weighted_average", "fisher", "confidence")
    return {"object": list(comparison.panel.objects)} | {name: getattr(comparison, name) for name in names}


_TABLES: Mapping[type, Mapping[str, Callable[..., Columns]]] = {
    Calibration: {"values": values_table, "biases": biases_table, "residuals": residuals_table},
    Panel: {"assessments": assessments_table},
    Comparison: {"values": comparison_table},
}


def table_of(result: object, name: str, level: float) -> Columns:
    """Return one table of a result.

    Raises
    ------
    MethodNotApplicable
        If it has no table of that name.
    """
    tables = _TABLES[type(result)]
    if name not in tables:
        raise MethodNotApplicable(f"There is no table {name!r}: choose one of {', '.join(tables)}.")
    return tables[name](result, level)
