"""A proven bound on the error of the computed values, from the residual of the normal equations.

If rho is what eqs. (6)-(7) leave over at (v, b) and Delta = diag(C_o, C'_a), then ||error||_results <=
||Delta^-1/2 rho||/mu_2, hence |dv_o| <= that/sqrt(C_o): the argument of the paper's theorem (30) applied to the error
instead of a change of scores. rho is summed as if exactly, so the bound is about rounding and nothing else.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration import double_double as dd
from panelcal.calibration.gauges import Gauge
from panelcal.calibration.least_squares import STEP_TOLERANCE, Calibration, normal_sums
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.calibration.robustness import second_eigenvalues
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Shown

_MU2_SAFETY = 1.0 - 1e-4
_CERTIFIED = 1e-3
_MOST_STEPS, _SMALL = 6, 1e-3
_NOT_CERTIFIED = (
    "The values could not be certified: the panel hangs together by links so weak, for its size, that rounding or an "
    "unfinished solution may have moved them by as much as stated. "
)
_PAIRWISE = 64  # numpy's sums over all nodes round like sums of fewer terms than this


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Shown):
    """What has been proven about the computed values.

    Source: the argument of theorem (30) of MacKay, Kenna, Low and Parker (2015), applied to the error instead of a
    change of scores; docs/proofs.md.

    Attributes
    ----------
    solution_error
        Bound on max |v - v_exact|, in score units; v_exact solves the equations exactly for the scores and
        confidences as stored.
    last_correction
        Size of the next refinement step, max over objects: the error as far as it is known.
    remainder
        Proven bound on what that step would leave, plus the rounding of the values as stored.
    method
        How the bound was obtained, in a sentence; if it proves too little, that too.
    certified
        Whether the bound is below a thousandth of the standard deviation of the scores (or of one, if they are all
        alike).

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> certify(calibration).solution_error < 1e-9
    True
    """

    solution_error: float
    last_correction: float
    remainder: float
    method: str
    certified: bool


def certify(calibration: Calibration) -> Certificate:
    """Prove a bound on the error of the calibration's values.

    The error is what the next refinement steps take away plus what they would leave. The steps are computed; the rest
    is bounded by the residual after them, evaluated in twice double precision.

    Source: the argument of theorem (30) of MacKay, Kenna, Low and Parker (2015), applied to the error instead of a
    change of scores; docs/proofs.md.

    Returns
    -------
    Certificate
        The bound and how it was obtained.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> certify(calibration).solution_error < 1e-9
    True
    """
    panel, equations = calibration.panel, calibration.equations
    condition = calibration.centred_gauge()
    _, mu2 = second_eigenvalues(equations)
    mu2 *= _MU2_SAFETY
    objects, assessors = panel.object_index, panel.assessor_index
    root_object = np.sqrt(equations.object_confidence)

    left = dd.indexed_residuals(
        calibration.centred_scores, calibration.centred_values, calibration.biases, objects, assessors
    )
    parts = (calibration.centred_scores[0], calibration.centred_values[objects], calibration.biases[assessors])
    largest_term = float(np.max(panel.confidences * sum(np.abs(part) for part in parts)))
    (step_value, step_bias), size = _next_steps(panel, equations, left, largest_term, mu2)
    # Both the stored solution and the step may be off the gauge; moving back is part of the correction.
    off_gauge = condition.objects @ step_value + condition.assessors @ step_bias
    gauge_step = condition.shift(calibration.centred_values, calibration.biases) - off_gauge / condition.along_null
    along = np.sqrt(
        float((condition.objects**2 / equations.object_confidence).sum())
        + float((condition.assessors**2 / equations.assessor_confidence).sum())
    )
    rounded = _gauge_rounding(calibration, condition)
    remainder = size / root_object + abs(along * size / condition.along_null) + rounded
    step = np.abs(step_value + gauge_step)
    # Values are stored as doubles, and whoever compares them has rounded the exact answer too.
    stored = np.abs(dd.two_sum(np.full(panel.n_objects, calibration.centre), calibration.centred_values)[1])
    stored = stored + np.spacing(np.abs(calibration.values)) / 2
    total = (step + remainder + stored) * (1 + 1e-9)
    spread = float(np.std(panel.scores)) or 1.0
    error = float(total.max()) if np.isfinite(mu2) else float("inf")
    certified = error < _CERTIFIED * spread
    return Certificate(
        solution_error=error,
        last_correction=float(step.max()),
        remainder=float((remainder + stored).max()) if np.isfinite(mu2) else float("inf"),
        certified=certified,
        method=("" if certified else _NOT_CERTIFIED)
        + (
            "Size of the next refinement steps, plus a bound on what they would leave: ||error|| <= ||residual of "
            "the normal equations|| / mu_2, by the argument of the paper's theorem (30), with the residual summed in "
            "twice double precision."
        ),
    )


def _next_steps(
    panel: Panel, equations: NormalEquations, left: tuple[Array, Array], largest_term: float, mu2: float
) -> tuple[tuple[Array, Array], float]:
    """Return refinement steps added up (values, biases), and the bound on what they would leave."""
    step_value, step_bias = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
    size = np.inf
    objects, assessors = panel.object_index, panel.assessor_index
    for _ in range(_MOST_STEPS):
        more = equations.apply_inverse(*normal_sums(panel, left), tolerance=STEP_TOLERANCE)
        after = dd.indexed_residuals(left, *more, objects, assessors)
        last, size = size, _leftover(panel, equations, after, largest_term) / mu2
        if not size < last:
            size = last
            break
        left, step_value, step_bias = after, step_value + more[0], step_bias + more[1]
        # Where links are very weak a bound says far more than is true until little is left over.
        if size <= _SMALL * np.sqrt(equations.total_confidence) * float(np.abs(step_value).max()):
            break
    return (step_value, step_bias), size


def _gauge_rounding(calibration: Calibration, condition: Gauge) -> float:
    """Return how far the gauge may be off because its own sums C_o and C'_a are rounded; it grows with the biases."""
    panel, equations = calibration.panel, calibration.equations
    objects, assessors = panel.object_index, panel.assessor_index
    eps = float(np.finfo(np.float64).eps)
    on_objects = np.abs(condition.objects * calibration.centred_values)
    on_assessors = np.abs(condition.assessors * calibration.biases)
    counts = np.bincount(objects, minlength=panel.n_objects), np.bincount(assessors, minlength=panel.n_assessors)
    rounded = eps * float((counts[0] + _PAIRWISE) @ on_objects + (counts[1] + _PAIRWISE) @ on_assessors)
    held = abs(condition.target)
    if calibration.reference is not None:
        held += equations.total_confidence * (abs(calibration.reference) + abs(calibration.centre))
    if (common := calibration.common_objects()) is not None and common.known is not None:
        held += float(common.object_confidence @ np.abs(common.known)) + common.total * abs(calibration.centre)
    rounded += (max(counts[0].max(), counts[1].max()) + _PAIRWISE) * eps * held
    return rounded / abs(condition.along_null)


def _leftover(panel: Panel, equations: NormalEquations, left: tuple[Array, Array], largest_term: float) -> float:
    """Size of what the equations leave over, ||Delta^-1/2 rho||, with what summing it may have got wrong added."""
    total = 0.0
    nodes = (panel.object_index, equations.object_confidence), (panel.assessor_index, equations.assessor_confidence)
    for rho, (index, confidence) in zip(normal_sums(panel, left), nodes, strict=True):
        slack = dd.SUM_ERROR * largest_term * np.bincount(index, minlength=len(confidence))
        total += float(((np.abs(rho) + slack) ** 2 / confidence).sum())
    return float(np.sqrt(total))
