"""Calibration with confidence: weighted least squares on the assessor-object graph, eqs. (1)-(15) and (38).

Values, biases, residuals and w. Errors, bounds and influence are explicit functions on the `Calibration` returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration import double_double as dd
from panelcal.calibration.gauges import Common, CommonObjects, Gauge, common_objects, make_gauge
from panelcal.calibration.normal_equations import NormalEquations, normal_equations
from panelcal.calibration.residuals import Residuals
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import component_labels, require_connected
from panelcal.panel import Panel
from panelcal.shown import Shown, notebook

_MOST_STEPS = 8
_SETTLED, _SETTLED_IF_WIDE = 1e-9, 1e-14
_FAR = 1e3
_ENOUGH = 2.0**-51  # of the largest score: what the equations may leave over in an average
STEP_TOLERANCE = 1e-5  # a refinement step need only be this right itself


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibration(Shown):
    """Calibrated values and biases of a connected panel.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (1)-(15) and (36)-(38).

    Attributes
    ----------
    panel, gauge, reference, common
        What was calibrated, and the options used.
    values
        (n_objects,) v_o, in score units.
    biases
        (n_assessors,) b_a, in score units; positive = generous.
    residuals
        (N,) s_ao - v_o - b_a, in score units; these and what follows from them are computed when first asked for.
    weighted_residual_sum
        R = sum of c x residual^2, eq. (38).
    w_ml
        R/N, the maximum-likelihood estimate of w.
    w_unbiased
        R/(N - p); NaN when N = p.
    degrees_of_freedom
        N - p with p = n_objects + n_assessors - 1.
    equations
        The inverted normal equations, for whatever is computed from them next.
    centre, centred_values
        Values are kept relative to this number, so that a large common offset costs no digits: values = centre +
        centred_values.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> calibration.values.tolist()
    [55.0, 60.0, 76.0]
    >>> (round(calibration.weighted_residual_sum, 9), calibration.degrees_of_freedom)
    (1.333333333, 2)
    """

    panel: Panel
    gauge: str
    reference: float | None
    values: Array
    biases: Array
    degrees_of_freedom: int
    equations: NormalEquations
    centre: float
    centred_values: Array
    _left: Residuals
    common: Common | None = None

    @property
    def residuals(self) -> Array:
        """(N,) s_ao - v_o - b_a, in score units."""
        return self._left.each

    @property
    def weighted_residual_sum(self) -> float:
        """R = sum of c x residual^2, eq. (38)."""
        return self._left.weighted_squares

    @property
    def w_ml(self) -> float:
        """R/N, the maximum-likelihood estimate of w."""
        return self.weighted_residual_sum / self.panel.n_assessments

    @property
    def w_unbiased(self) -> float:
        """R/(N - p); NaN when N = p."""
        freedom = self.degrees_of_freedom
        return self.weighted_residual_sum / freedom if freedom > 0 else float("nan")

    @property
    def centred_scores(self) -> tuple[Array, Array]:
        """(N,) scores less `centre`, exactly, as pairs of doubles (high, low)."""
        pair = dd.shifted(self.panel.scores, -self.centre)
        for array in pair:
            array.setflags(write=False)
        return pair

    @property
    def fitted(self) -> Array:
        """(N,) v_o + b_a for every assessment, in score units."""
        return self.values[self.panel.object_index] + self.biases[self.panel.assessor_index]

    def centred_gauge(self) -> Gauge:
        """Return the gauge condition for values measured from `centre`."""
        from_centre = None if self.reference is None else self.reference - self.centre
        return make_gauge(self.gauge, self.equations, from_centre, self.common_objects(), self.centre)

    def common_objects(self) -> CommonObjects | None:
        """Return the objects that fix the zero in gauge "common"; None in the others."""
        return None if self.common is None else common_objects(self.panel, self.common)

    def options_for(self, panel: Panel) -> dict[str, Any]:
        """Return the options that calibrate a part of the panel in the same gauge."""
        common, there = self.common, set(panel.objects)
        if isinstance(common, Mapping):
            common = {label: value for label, value in common.items() if label in there}
        elif common is not None:
            common = [label for label in common if label in there]
        return {"gauge": self.gauge, "reference": self.reference, "common": common}

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "values", self.values
        yield "biases", self.biases
        yield "residuals", self.residuals
        yield "gauge", self.gauge
        yield "R", self.weighted_residual_sum
        yield "w", self.w_unbiased
        yield "N - p", self.degrees_of_freedom

    def summary(self, rows: int = 10, *, level: float = 0.95) -> Any:
        """Return a table to print: the main figures, then values and biases with their errors and intervals.

        Parameters
        ----------
        rows
            How many values and how many biases are listed; the rest is counted.
        level
            Of the intervals.

        Returns
        -------
        TextSummary
            Prints as plain text, also at the end of a cell of a notebook; `str` gives the text.
        """
        return notebook("text_summary").text_summary(self, rows, level)

    def to_frame(self, table: str = "values", *, library: str | None = None, level: float = 0.95) -> Any:
        """Return values, biases or residuals with their errors as a data frame.

        Parameters
        ----------
        table
            "values" (object, value, standard_error, lower, upper, assessments, average), "biases" (assessor, bias,
            standard_error, lower, upper, assessments) or "residuals" (object, assessor, score, confidence, fitted,
            residual).
        library
            "pandas", "polars", "pyarrow", "narwhals", or None for the first of the first three that is installed.
        level
            Of the intervals.

        Raises
        ------
        MethodNotApplicable
            If there is no such table, or the library (or any) is not installed.
        """
        return notebook("frames").to_frame(self, table, library, level)

    def plot(self, kind: str = "values", *, axes: Any = None, level: float = 0.95) -> Any:
        """Draw a chart with matplotlib, which ``pip install "panelcal[plot]"`` brings.

        Parameters
        ----------
        kind
            "values" or "biases" (sorted, with intervals), "changes" (value against average) or "residuals".
        axes
            Axes of matplotlib to draw on; None makes a figure.
        level
            Of the intervals.

        Returns
        -------
        matplotlib.axes.Axes
            Where it was drawn: ``calibration.plot().figure.savefig("values.png")``.

        Raises
        ------
        MethodNotApplicable
            If there is no such chart, or matplotlib is not installed.
        """
        return notebook("charts").plot(self, kind, axes, level)


def calibrate(
    panel: Panel, *, gauge: str = "weighted", reference: float | None = None, common: Common | None = None
) -> Calibration:
    """Calibrate a connected panel.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (1)-(15) and (36)-(38).

    Parameters
    ----------
    panel
        The assessments.
    gauge
        "weighted": sum of C'_a b_a = 0, eq. (36); keeps the confidence-weighted mean score. "equal": sum of b_a = 0,
        eq. (10). "reference": sum of C_o v_o - sum of C'_a b_a = C v_ref, eq. (29). "common": the objects of `common`
        alone fix the zero, so that their confidence-weighted mean value is that of their scores, or of their known
        values.
    reference
        v_ref for gauge "reference"; None = the confidence-weighted mean score, following the scores.
    common
        For gauge "common": labels of the objects that fix the zero, or a mapping of such labels to known values.

    Returns
    -------
    Calibration
        Values, biases, residuals and w.

    Raises
    ------
    DisconnectedPanel
        If the panel falls into groups that share nothing.
    MethodNotApplicable
        If the gauge is unknown or the reference does not go with it.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> calibrate(panel).biases.round(3).tolist()
    [-5.333, 5.333]
    """
    if reference is not None and not _is_finite(reference):
        raise MethodNotApplicable(f"The reference value must be a finite number, not {reference!r}.")
    equations = normal_equations(panel)
    if not equations.system.meets_at_ground:
        require_connected(panel)
    centre = equations.system.centre
    subset = None if common is None else common_objects(panel, common)
    condition = make_gauge(gauge, equations, None if reference is None else reference - centre, subset, centre)

    # A reference far away would cost the residuals their digits: the values go there afterwards.
    held_at = reference if subset is None or subset.known is None else subset.mean_known
    far = held_at is not None and abs(held_at - centre) > _FAR * _largest(panel, centre)
    nearby = make_gauge("weighted", equations, None) if far else condition
    solve = _solve_plainly if equations.system.is_well_linked else _solve_exactly
    left = solve(panel, equations, nearby)
    values, biases = left.values, left.biases
    if far:
        shift = condition.shift(values, biases)
        values, biases = values + shift, biases - shift
    fitted = centre + values
    for array in (fitted, values, biases):
        array.setflags(write=False)
    return Calibration(
        panel=panel,
        gauge=gauge,
        reference=reference,
        values=fitted,
        biases=biases,
        degrees_of_freedom=panel.n_assessments - (panel.n_objects + panel.n_assessors - 1),
        equations=equations,
        centre=centre,
        centred_values=values,
        _left=left,
        common=common,
    )


def _largest(panel: Panel, centre: float) -> float:
    """How far the scores go from their centre."""
    return max(float(panel.scores.max()) - centre, centre - float(panel.scores.min()))


def _solve_plainly(panel: Panel, equations: NormalEquations, condition: Gauge) -> Residuals:
    """Solve where rounding is no matter; a correction only if what the equations leave over asks for it."""
    values, biases = equations.first_solution()
    centre, system = equations.system.centre, equations.system
    if system.first_is_enough:
        shift = condition.shift(values, biases, exactly=False)
        return Residuals(panel, centre, values + shift, biases - shift, exactly=False)
    largest = max(_largest(panel, centre), np.finfo(np.float64).tiny)
    for _ in range(_MOST_STEPS):
        shift = condition.shift(values, biases, exactly=False)
        left = Residuals(panel, centre, values + shift, biases - shift, exactly=False)
        weighted = panel.confidences * left.each
        # What the eliminated nodes' equations leave over is rounding: they were solved one by one.
        over = system.kept.total(weighted)
        beyond = float(np.abs(over / equations.kept_confidence).max()) / (_ENOUGH * largest)
        if beyond <= 1:
            break
        sums = panel.object_totals(weighted), panel.assessor_totals(weighted)
        more_value, more_bias = equations.apply_inverse(*sums, tolerance=max(STEP_TOLERANCE, 0.1 / beyond))
        values, biases = left.values + more_value, left.biases + more_bias
    return left


def _solve_exactly(panel: Panel, equations: NormalEquations, condition: Gauge) -> Residuals:
    """Solve, then take back what rounding did by iterative refinement; one step will do unless links are very weak."""
    centre = equations.system.centre
    scores = dd.shifted(panel.scores, -centre)
    values, biases = equations.first_solution()
    cuts = 1 if equations.system.solver == "conjugate gradients" else 2
    settled = _SETTLED_IF_WIDE if equations.system.is_wide else _SETTLED
    last = np.inf
    for _ in range(_MOST_STEPS):
        left = dd.indexed_residuals(scores, values, biases, panel.object_index, panel.assessor_index)
        more_value, more_bias = equations.apply_inverse(*normal_sums(panel, left, cuts=cuts), tolerance=STEP_TOLERANCE)
        values, biases = values + more_value, biases + more_bias
        shift = condition.shift(values, biases)
        values, biases = values + shift, biases - shift
        step = max(float(np.abs(more_value).max()), float(np.abs(more_bias).max()))
        # Each step multiplies the error by about the same factor: a tiny step is the last where that factor is small.
        if step <= settled * max(float(np.abs(values).max()), float(np.abs(biases).max())) or step >= last:
            break
        last = step
    return Residuals(panel, centre, values, biases, exactly=True)


def _is_finite(number: object) -> bool:
    return isinstance(number, Real) and bool(np.isfinite(float(number)))


def calibrate_components(panel: Panel, **options: Any) -> tuple[Calibration, ...]:
    """Calibrate every connected group by itself, largest first; values of different groups are not comparable.

    Source: MacKay, Kenna, Low and Parker (2015), "Solution of the basic model": a solution for each connected group.

    Returns
    -------
    tuple of Calibration
        One for each connected group, the largest first.

    Raises
    ------
    MethodNotApplicable
        If there is no such gauge, or the reference value does not go with it.

    Examples
    --------
    >>> panel = Panel.from_records('AABBC', 'xyxyz', [1, 2, 3, 5, 4])
    >>> [part.panel.objects for part in calibrate_components(panel)]
    [('A', 'B'), ('C',)]
    """
    count, object_group, _ = component_labels(panel)
    if count == 1:
        return (calibrate(panel, **options),)
    return tuple(calibrate(panel.subset(object_group[panel.object_index] == k), **options) for k in range(count))


def normal_sums(panel: Panel, residuals: tuple[Array, Array], *, cuts: int = 2) -> tuple[Array, Array]:
    """Return the sums of confidence x (high + low) per object and per assessor, see `double_double`."""
    on_objects, on_assessors = dd.sums_by_groupings(
        panel.confidences,
        residuals,
        (panel.object_index, panel.n_objects),
        (panel.assessor_index, panel.n_assessors),
        cuts=cuts,
    )
    return on_objects, on_assessors
