"""Calibration on another scale: bounded scores, eqs. (24) and (25), and logarithms of scores.

A score x becomes s = T(x), its confidence c / (dT/dx)^2; the basic model is fitted to that and the values are taken
back through the inverse of T. The bounded transformations live on an open interval (a, b) a little wider than the
scale. (25) as printed, log((b - x)/(x - a)), decreases; here it is log((x - a)/(b - x)).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel

USUAL_SCALES = ((0.0, 1.0), (0.0, 5.0), (0.0, 10.0), (0.0, 20.0), (0.0, 100.0))
_LEAST_MARGIN = 0.005


@dataclass(frozen=True, slots=True)
class Transformation:
    """An increasing transformation of scores.

    Attributes
    ----------
    name
        "logit" (25), "rational" (24) or "log".
    forward, slope, inverse, inverse_slope
        T, dT/dx, the inverse of T, and dx/ds; arrays in, arrays out.
    low, high
        Ends of the open interval on which T is defined.
    """

    name: str
    forward: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    inverse: Callable[[Array], Array]
    inverse_slope: Callable[[Array], Array]
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class TransformedFit:
    """Calibration of transformed scores.

    Attributes
    ----------
    panel
        The panel in its own units.
    transformation
        What was applied.
    scale
        (low, high) of the scale of scores; infinite for logarithms.
    values
        (n_objects,) in score units.
    value_errors
        (n_objects,) standard errors in score units: those of the transformed values times dx/ds there.
    biases
        (n_assessors,) on the transformed scale.
    calibration
        The fit on the transformed scale.
    """

    panel: Panel
    transformation: Transformation
    scale: tuple[float, float]
    values: Array
    value_errors: Array
    biases: Array
    calibration: Calibration

    @property
    def ratios(self) -> Array:
        """(n_assessors,) exp(bias): for logarithms the factor by which an assessor's scores exceed the values."""
        return np.exp(self.biases)

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends, within the scale and not symmetric about the value."""
        return self.transformation.inverse(uncertainty(self.calibration).value_interval(level))

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary: 1 or 0 outside the scale."""
        if not self.transformation.low < boundary < self.transformation.high:
            return np.full(len(self.values), float(boundary <= self.transformation.low))
        return uncertainty(self.calibration).exceeds(float(self.transformation.forward(np.array(boundary))))

    def predict(self, objects: Indices, assessors: Indices) -> Array:
        """Return the scores (k,) that these assessors are expected to give these objects."""
        return self.transformation.inverse(self.calibration.values[objects] + self.biases[assessors])


def bounded(
    panel: Panel, *, scale: tuple[float, float] | None = None, form: str = "logit", margin: float | None = None
) -> TransformedFit:
    """Calibrate scores of a bounded scale so that no value can leave it.

    Parameters
    ----------
    panel
        The assessments.
    scale
        Lowest and highest possible score; None = the smallest of 0-1, 0-5, 0-10, 0-20 and 0-100 that holds all scores.
    form
        "logit", eq. (25) with its sign put right, or "rational", eq. (24).
    margin
        How far the open interval reaches beyond the scale; None = half the smallest step between scores, at least half
        a percent of the scale.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If scores lie outside the scale, or no usual scale holds them.
    """
    low, high = scale_of(panel, scale)
    if margin is None:
        steps = np.diff(np.unique(panel.scores))
        step = float(steps.min()) if steps.size else 0.0
        margin = max(step / 2, _LEAST_MARGIN * (high - low))
    if not margin > 0:
        raise MethodNotApplicable("The open interval must reach beyond the scale: give a margin above 0.")
    makers = {"logit": logit, "rational": rational}
    if form not in makers:
        raise MethodNotApplicable(f'There is no bounded form "{form}": choose logit or rational.')
    return _fit(panel, makers[form](low - margin, high + margin), (low, high))


def log_scores(panel: Panel) -> TransformedFit:
    """Calibrate the logarithms of the scores: biases become ratios, like rates of exchange.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If a score is zero or negative.
    """
    wrong = np.flatnonzero(panel.scores <= 0)
    if wrong.size:
        k = wrong[0]
        raise MethodNotApplicable(
            f"Logarithms need scores above 0, but {panel.assessors[panel.assessor_index[k]]} gave "
            f"{panel.objects[panel.object_index[k]]} a score of {panel.scores[k]:g}."
        )
    return _fit(panel, _LOG, (0.0, float("inf")))


def logit(low: float, high: float) -> Transformation:
    """Return (25), increasing: log((x - low)/(high - x)) on (low, high)."""
    width = high - low
    return Transformation(
        name="logit",
        forward=lambda x: np.log((x - low) / (high - x)),
        slope=lambda x: width / ((x - low) * (high - x)),
        inverse=lambda s: low + width * expit(s),
        inverse_slope=lambda s: width * expit(s) * expit(-s),
        low=low,
        high=high,
    )


def rational(low: float, high: float) -> Transformation:
    """Return (24): (x - middle)/((high - x)(x - low)) on (low, high), in 1/score units."""
    middle, half = (low + high) / 2, (high - low) / 2

    def slope(x: Array) -> Array:
        apart = x - middle
        room = (high - x) * (x - low)
        return (room + 2 * apart**2) / room**2

    def inverse(s: Array) -> Array:
        # The root of s (half^2 - y^2) = y between the ends, in a form that is exact at s = 0.
        return middle + 2 * s * half**2 / (1 + np.sqrt(1 + (2 * s * half) ** 2))

    return Transformation(
        name="rational",
        forward=lambda x: (x - middle) / ((high - x) * (x - low)),
        slope=slope,
        inverse=inverse,
        inverse_slope=lambda s: 1 / slope(inverse(s)),
        low=low,
        high=high,
    )


_LOG = Transformation(
    name="log", forward=np.log, slope=lambda x: 1 / x, inverse=np.exp, inverse_slope=np.exp, low=0.0, high=float("inf")
)


def scale_of(panel: Panel, scale: tuple[float, float] | None) -> tuple[float, float]:
    """Return the given ends of the scale, or for None the smallest usual scale that holds all scores.

    Raises
    ------
    MethodNotApplicable
        If scores lie outside the scale, or no usual scale holds them.
    """
    lowest, highest = float(panel.scores.min()), float(panel.scores.max())
    if scale is None:
        for low, high in USUAL_SCALES:
            if low <= lowest and highest <= high:
                return low, high
        raise MethodNotApplicable(
            f"The scores run from {lowest:g} to {highest:g}, which is none of the usual scales: give the lowest and "
            "highest possible score."
        )
    low, high = scale
    if not low < high or lowest < low or highest > high:
        raise MethodNotApplicable(f"The scores run from {lowest:g} to {highest:g}, outside the scale {low:g}-{high:g}.")
    return low, high


def _fit(panel: Panel, transformation: Transformation, scale: tuple[float, float]) -> TransformedFit:
    moved = Panel(
        panel.objects,
        panel.assessors,
        panel.object_index,
        panel.assessor_index,
        transformation.forward(panel.scores),
        panel.confidences / transformation.slope(panel.scores) ** 2,
    )
    fit = calibrate(moved)
    return TransformedFit(
        panel=panel,
        transformation=transformation,
        scale=scale,
        values=transformation.inverse(fit.values),
        value_errors=uncertainty(fit).value_errors * transformation.inverse_slope(fit.values),
        biases=fit.biases,
        calibration=fit,
    )
