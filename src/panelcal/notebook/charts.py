"""Charts by matplotlib (`pip install "panelcal[plot]"`), in the colours of the sheets: which there are of what.

Nothing is shown or saved here: each returns its axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from panelcal.errors import MethodNotApplicable
from panelcal.notebook import charts_of_panels as panels
from panelcal.notebook import charts_of_systems as systems
from panelcal.notebook.drawing import GRID, INK, MOST_NAMED

Draw = Callable[[Any, Any, float | None], int]

_ROW_INCHES, _WIDTH_INCHES, _SHORTEST = 0.2, 7.0, 4.0

# By the name of the class, so that a chart of one result loads nothing that belongs to another.
_CHARTS: Mapping[str, Mapping[str, Draw]] = {
    "AnchorCurve": {"curve": systems.curve, "residuals": systems.curve_residuals},
    "Assignment": {"assignment": systems.assignment, "loads": systems.loads},
    "AssessorDifferences": {"biases": panels.differences},
    "Calibration": {
        "values": panels.values,
        "biases": panels.biases,
        "changes": panels.changes,
        "residuals": panels.residuals,
    },
    "Comparison": {"values": panels.approaches},
    "FacetCalibration": {
        "totals": systems.facet_totals,
        "severities": systems.facet_severities,
        "leanings": systems.facet_leanings,
    },
    "FittedMethod": {"values": panels.fitted},
    "UnexpectedScores": {"scores": panels.unexpected},
    "ValuePosterior": {"values": panels.posterior},
    "OrdinalFacets": {
        "totals": systems.facet_totals,
        "severities": systems.facet_severities,
        "leanings": systems.facet_leanings,
    },
    "OrdinalPosterior": {
        "values": systems.posterior_totals,
        "ranks": systems.posterior_ranks,
        "best": systems.posterior_best,
        "severities": systems.posterior_severities,
    },
}


def plot(result: object, kind: str, axes: Any, level: float | None) -> Any:
    """Draw one chart and return its axes; "" = the main one.

    Raises
    ------
    MethodNotApplicable
        If there is no such chart, or matplotlib is not installed.
    """
    charts = _CHARTS[type(result).__name__]
    kind = kind or next(iter(charts))
    if kind not in charts:
        raise MethodNotApplicable(f"There is no chart {kind!r}: choose one of {', '.join(charts)}.")
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MethodNotApplicable('Charts need matplotlib: pip install "panelcal[plot]".') from None
    made = axes is None
    if made:
        axes = pyplot.subplots(figsize=(_WIDTH_INCHES, _SHORTEST), layout="constrained")[1]
    rows = charts[kind](result, axes, level)
    if made:
        axes.figure.set_figheight(max(_SHORTEST, _ROW_INCHES * min(rows, MOST_NAMED)))
    axes.set_axisbelow(True)
    axes.grid(color=GRID)
    axes.tick_params(colors=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes
