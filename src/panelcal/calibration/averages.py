"""The four approaches of the paper's Table 1: with and without confidences, with and without calibration."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.gauges import Common
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Drawn


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Drawn):
    """Table 1 by object, each (n_objects,) in score units.

    Source: MacKay, Kenna, Low and Parker (2015), Table 1.

    Attributes
    ----------
    panel
        What was compared.
    simple_average
        Plain mean of the scores (S_1 in Figure 4).
    weighted_average
        Confidence-weighted mean (S_c).
    fisher
        Fisher's additive incomplete block analysis: calibration with all confidences equal (V_1).
    confidence
        Calibration with confidence (V_c).

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> compare(panel).simple_average.tolist()
    [55.0, 60.0, 76.0]
    """

    panel: Panel
    simple_average: Array
    weighted_average: Array
    fisher: Array
    confidence: Array


def simple_average(panel: Panel) -> Array:
    """Return the plain mean of each object's scores (n_objects,)."""
    return _mean_of(panel, np.ones(panel.n_assessments))


def weighted_average(panel: Panel) -> Array:
    """Return the confidence-weighted mean of each object's scores (n_objects,), V_o/C_o."""
    return _mean_of(panel, panel.confidences)


def assessor_average(panel: Panel) -> Array:
    """Return the confidence-weighted mean of each assessor's scores (n_assessors,), B_a/C'_a."""
    centre = panel.scores[0]
    sums = panel.assessor_totals(panel.confidences * (panel.scores - centre))
    return centre + sums / panel.assessor_totals(panel.confidences)


def fisher(
    panel: Panel, *, gauge: str = "weighted", reference: float | None = None, common: Common | None = None
) -> Calibration:
    """Calibrate with all confidences equal to 1; gauge, reference and common as for `calibrate`.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    """
    alike = panel.with_confidences(np.ones(panel.n_assessments))
    return calibrate(alike, gauge=gauge, reference=reference, common=common)


def compare(
    panel: Panel,
    *,
    gauge: str = "weighted",
    calibration: Calibration | None = None,
    equal: Calibration | None = None,
) -> Comparison:
    """Compute the four approaches of Table 1; both calibrations in the same gauge.

    Source: MacKay, Kenna, Low and Parker (2015), Table 1.

    Parameters
    ----------
    panel
        The assessments.
    gauge
        As for `calibrate`.
    calibration, equal
        The calibrations of this panel in this gauge, with its confidences and with equal ones, to save the work.

    Returns
    -------
    Comparison
        Table 1 by object.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> compare(panel).fisher.round(3).tolist()
    [55.0, 60.0, 76.0]
    """
    return Comparison(
        panel=panel,
        simple_average=simple_average(panel),
        weighted_average=weighted_average(panel),
        fisher=(fisher(panel, gauge=gauge) if equal is None else equal).values,
        confidence=(calibrate(panel, gauge=gauge) if calibration is None else calibration).values,
    )


def _mean_of(panel: Panel, weights: Array) -> Array:
    centre = panel.scores[0]
    return centre + panel.object_totals(weights * (panel.scores - centre)) / panel.object_totals(weights)
