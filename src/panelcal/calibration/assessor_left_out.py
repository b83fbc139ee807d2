"""What would happen if an assessor were left out altogether, for every assessor.

With the biases eliminated the values solve K v = g, in which assessor a adds E B E' to K: E picks the objects it shares
with others, B = diag(c) - c c'/sum(c). With V the inverse of K on vectors that sum to zero, r the residuals of a,
B = F F' and H = F' E' V E F, leaving a out therefore moves the values by (Woodbury)

    dv = -V E F (1 - H)^-1 sqrt(c) r

up to a common shift, which the gauge of the remaining panel fixes. H has an eigenvalue 1 where the rest falls apart;
near it digits are lost, and the panel is calibrated again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.gauges import CommonObjects, make_gauge
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.frozen import dataclass
from panelcal.network import component_labels

_MOST_OBJECTS = 500  # shared by an assessor: with more, calibrating again is as quick
_DIGITS_KEPT = 1e-11


@dataclass(frozen=True, slots=True, eq=False)
class AssessorsLeftOut:
    """One entry per assessor (n_assessors,).

    Attributes
    ----------
    largest_shift
        Largest |change| of any remaining object's value, in score units; NaN where leaving the assessor out splits the
        panel or leaves nothing.
    moved_most
        Index of the object that moves by it, the first of several alike; -1 where there is none.
    objects_lost
        How many objects would be left without any assessor.
    splits
        Whether the rest of the panel would fall into groups that cannot be compared.
    """

    largest_shift: Array
    moved_most: Indices
    objects_lost: Indices
    splits: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Totals:
    """Total confidences (n_objects,) and (n_assessors - 1,) of what is left of a panel, 0 for objects lost."""

    object_confidence: Array
    assessor_confidence: Array

    @property
    def total_confidence(self) -> float:
        return float(self.assessor_confidence.sum())


def assessors_left_out(calibration: Calibration) -> AssessorsLeftOut:
    """Return what leaving out each assessor in turn does, in the same gauge."""
    panel, common = calibration.panel, calibration.common_objects()
    count = panel.n_assessors
    shift, moved = np.full(count, np.nan), np.full(count, -1, dtype=np.intp)
    lost, splits = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.bool_)
    by_assessor = np.argsort(panel.assessor_index, kind="stable")
    ends = np.cumsum(np.bincount(panel.assessor_index, minlength=count))
    seen = np.bincount(panel.object_index, minlength=panel.n_objects)
    for a, own in enumerate(np.split(by_assessor, ends[:-1])):
        left = seen > np.bincount(panel.object_index[own], minlength=panel.n_objects)
        lost[a] = panel.n_objects - int(left.sum())
        if len(own) == panel.n_assessments or not _zero_stays(common, own):
            continue
        changes = _downdated(calibration, a, own, left)
        if changes is None:
            changes = _calibrated_again(calibration, a)
        splits[a] = changes is None
        if changes is not None:
            sizes = np.where(left, np.abs(changes), -np.inf)
            moved[a] = int(np.argmax(sizes >= sizes.max() * (1 - _DIGITS_KEPT)))
            shift[a] = sizes.max()
    return AssessorsLeftOut(shift, moved, lost, splits)


def _downdated(calibration: Calibration, a: int, own: Indices, left: Mask) -> Array | None:
    """Change of every value (n_objects,) by the formula above; None where it might lose digits or takes too long.

    `own` are the assessments of a, and `left` says which objects have others.
    """
    panel, equations = calibration.panel, calibration.equations
    own = own[left[panel.object_index[own]]]
    shared, place = np.unique(panel.object_index[own], return_inverse=True)
    if len(shared) > _MOST_OBJECTS or not equations.system.is_small:
        return None
    values = np.zeros(panel.n_objects)
    if len(shared) > 1:
        confidences = np.bincount(place, panel.confidences[own])
        pulls = np.bincount(place, panel.confidences[own] * calibration.residuals[own])
        roots = np.sqrt(confidences)
        # F = diag(roots) (1 - u u'), u of unit length along the roots: an assessor's bias takes up what is common.
        common = roots / np.sqrt(confidences.sum())
        factor = np.diag(roots) - np.outer(roots * common, common)
        kept = np.eye(len(shared)) - factor.T @ equations.value_block(shared) @ factor
        try:
            inverse = np.linalg.inv(kept)
        except np.linalg.LinAlgError:
            return None
        rounding = max(1.0, float(equations.entries.rounding.max()))
        # At most the smallest eigenvalue of 1 - H; where rounding made that negative, it is tiny as well.
        least = 1.0 / float(np.linalg.norm(inverse))
        if 4 * np.finfo(np.float64).eps * rounding > _DIGITS_KEPT * least:
            return None
        step = np.zeros(panel.n_objects)
        step[shared] = -factor @ (inverse @ (pulls / roots))
        values = equations.apply_inverse(step, np.zeros(panel.n_assessors))[0]
    return values + _gauge_shift(calibration, a, values)


def _gauge_shift(calibration: Calibration, a: int, changes: Array) -> float:
    """By how much the gauge moves all values together once a is left out and values have changed by `changes`."""
    panel, equations = calibration.panel, calibration.equations
    confidences = np.where(panel.assessor_index == a, 0.0, panel.confidences)
    totals = _Totals(panel.object_totals(confidences), np.delete(equations.assessor_confidence, a))
    pulled = panel.assessor_totals(confidences * changes[panel.object_index]) / equations.assessor_confidence
    reference = None if calibration.reference is None else calibration.reference - calibration.centre
    subset = _common_without(calibration, a, confidences)
    gauge = make_gauge(calibration.gauge, totals, reference, subset, calibration.centre)
    return gauge.shift(calibration.centred_values + changes, np.delete(calibration.biases - pulled, a), exactly=False)


def _zero_stays(common: CommonObjects | None, own: Indices) -> bool:
    """Tell whether anybody else assessed a common object, so that the zero stays fixed without a."""
    return common is None or int(np.count_nonzero(common.among)) > int(np.count_nonzero(common.among[own]))


def _common_without(calibration: Calibration, a: int, confidences: Array) -> CommonObjects | None:
    """Return the common objects with what is left of them once a is left out."""
    common, panel = calibration.common_objects(), calibration.panel
    if common is None:
        return None
    left = np.where(common.among, confidences, 0.0)
    objects, assessors = panel.object_totals(left), np.delete(panel.assessor_totals(left), a)
    return replace(common, object_confidence=objects, assessor_confidence=assessors)


def _calibrated_again(calibration: Calibration, a: int) -> Array | None:
    """Change of every value (n_objects,) by calibrating without a, 0 for objects lost; None where the rest splits."""
    panel = calibration.panel
    keep = panel.assessor_index != a
    rest = panel.subset(keep)
    if component_labels(rest)[0] > 1:
        return None
    again = calibrate(rest, **calibration.options_for(rest))
    # `subset` orders objects by first appearance among the assessments that are left.
    labels, first = np.unique(panel.object_index[keep], return_index=True)
    order = labels[np.argsort(first)]
    changes = np.zeros(panel.n_objects)
    changes[order] = again.values - calibration.values[order]
    return changes
