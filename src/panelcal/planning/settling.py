"""Which single further assessment would settle an open case best: a value whose interval holds a boundary.

Adding an assessment of confidence c, x = e_o + e_a, takes c (Gx)_o^2 / (1 + c x' G x) off the unit variance of v_o
(Sherman and Morrison), G in the gauge as it stands. The score itself is still to come: it lies around v_o + b_a by
Student's t with N - p degrees of freedom, and both the value and the estimate of w follow it. What is left is the
chance that the boundary then lies outside the interval, in closed form. That the zero of the biases in gauge (36) moves
a little with every further assessment is left out.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import student_quantile
from panelcal.frozen import dataclass
from panelcal.planning.further import places_of_pairs
from panelcal.planning.unit_covariance import unit_covariance
from panelcal.tails import stdtr


@dataclass(frozen=True, slots=True)
class OpenCase:
    """The single assessment that would settle one open case best.

    Attributes
    ----------
    object
        Place of the object.
    boundary
        That its interval holds, in score units.
    assessor
        Place of the assessor; -1 where all who may have assessed it.
    error_now, error_then
        Standard error of the value now, and with that assessment at the same w; NaN where nobody is left.
    chance
        Probability, 0 to 1, that its interval then leaves out the boundary; NaN where nobody is left.
    """

    object: int
    boundary: float
    assessor: int
    error_now: float
    error_then: float
    chance: float


def settling_assessments(
    calibration: Calibration,
    cases: tuple[tuple[int, float], ...],
    *,
    level: float = 0.95,
    barred: Collection[tuple[str, str]] = (),
) -> tuple[OpenCase, ...]:
    """Find the best further assessment for each case, a place of an object and a boundary that its interval may hold.

    Cases whose interval does not hold the boundary are settled already and left out. Each assessment is judged by
    itself, at the typical (median) confidence. Empty where there are no scores beyond the unknowns, or too many pairs
    to try. Pairs (object, assessor) that are barred, by name, are not proposed: conflicts of interest.
    """
    if not cases or calibration.degrees_of_freedom == 0:
        return ()
    blocks = unit_covariance(calibration.equations)
    if blocks is None:
        return ()
    panel = calibration.panel
    made = np.zeros((panel.n_objects, panel.n_assessors), dtype=np.bool_)
    made[panel.object_index, panel.assessor_index] = True
    made[places_of_pairs(panel, barred)] = True
    equations, gauge = calibration.equations, calibration.centred_gauge()
    shift, _ = gauge.correction(equations)
    on_objects, on_assessors = (
        side / gauge.along_null for side in equations.apply_inverse(gauge.objects, gauge.assessors)
    )
    found = []
    for o, boundary in cases:
        own = float(blocks.values[o, o] - 2 * shift[o])
        moved = blocks.values[o, o] + blocks.cross[o] - on_objects[o] - on_assessors
        now, then = _errors(calibration, own, moved, blocks.along_row(o))
        apart = float(calibration.values[o]) - boundary
        if abs(apart) > student_quantile(calibration.degrees_of_freedom, level) * now:
            continue
        chances = _chances(apart, now, then, calibration.degrees_of_freedom, level)
        chances[made[o]] = -1.0
        best = int(np.argmax(chances))
        if made[o].all():
            found.append(OpenCase(o, boundary, -1, now, float("nan"), float("nan")))
        else:
            found.append(OpenCase(o, boundary, best, now, float(then[best]), float(chances[best])))
    return tuple(found)


def _errors(calibration: Calibration, own: float, moved: Array, along: Array) -> tuple[float, Array]:
    """Standard error of one value now, and (n_assessors,) with one more assessment by each assessor."""
    confidence = float(np.median(calibration.panel.confidences))
    now = max(own, 0.0)
    then = np.maximum(now - confidence * moved**2 / (1 + confidence * along), 0.0)
    return float(np.sqrt(calibration.w_unbiased * now)), np.sqrt(calibration.w_unbiased * then)


def _chances(apart: float, now: float, then: Array, freedom: int, level: float) -> Array:
    """(n_assessors,) probability that the interval after one more score leaves out the boundary.

    In units t of the score's own predictive error, which follows Student's t, the value moves by d t with
    d^2 = now^2 - then^2, and w is multiplied by (freedom + t^2)/(freedom + 1): the boundary is outside where
    (apart + d t)^2 > (quantile x then)^2 (freedom + t^2)/(freedom + 1), a quadratic in t.
    """
    step = np.sqrt(np.maximum(now**2 - then**2, 0.0))
    reach = (student_quantile(freedom + 1, level) * then) ** 2 / (freedom + 1)
    square, slope, constant = step**2 - reach, step * apart, apart**2 - reach * freedom
    root = np.sqrt(np.maximum(slope**2 - square * constant, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort(np.stack([(-slope - root) / square, (-slope + root) / square]), axis=0)
    between = stdtr(freedom, ends[1]) - stdtr(freedom, ends[0])
    # Above zero outside the roots where the parabola opens upwards, between them where it opens downwards.
    chance = np.where(square > 0, 1 - between, between)
    none = slope**2 - square * constant <= 0
    return np.where(none, np.where(square > 0, 1.0, 0.0), np.clip(chance, 0.0, 1.0))
