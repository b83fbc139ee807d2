"""What would happen if an assessor were left out altogether: every assessor, by calibrating again without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.network import component_labels

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AssessorsLeftOut:
    """One entry per assessor (n_assessors,).

    Attributes
    ----------
    largest_shift
        Largest |change| of any remaining object's value, in score units; NaN where leaving the assessor out splits the
        panel or leaves nothing.
    moved_most
        Index of the object that moves by it; -1 where there is none.
    objects_lost
        How many objects would be left without any assessor.
    splits
        Whether the rest of the panel would fall into groups that cannot be compared.
    """

    largest_shift: Array
    moved_most: NDArray[np.intp]
    objects_lost: NDArray[np.intp]
    splits: NDArray[np.bool_]


def assessors_left_out(calibration: Calibration) -> AssessorsLeftOut:
    """Calibrate again without each assessor in turn, in the same gauge."""
    panel = calibration.panel
    count = panel.n_assessors
    shift, moved = np.full(count, np.nan), np.full(count, -1, dtype=np.intp)
    lost, splits = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.bool_)
    for a in range(count):
        keep = panel.assessor_index != a
        remaining = np.bincount(panel.object_index[keep], minlength=panel.n_objects) > 0
        lost[a] = panel.n_objects - int(remaining.sum())
        if not keep.any():
            continue
        rest = panel.subset(keep)
        splits[a] = component_labels(rest)[0] > 1
        if splits[a]:
            continue
        again = calibrate(rest, gauge=calibration.gauge, reference=calibration.reference)
        # `subset` orders objects by first appearance among the assessments that are left.
        order = _first_appearance(panel.object_index[keep])
        changes = np.abs(again.values - calibration.values[order])
        shift[a], moved[a] = changes.max(), order[int(np.argmax(changes))]
    return AssessorsLeftOut(shift, moved, lost, splits)


def _first_appearance(index: NDArray[np.intp]) -> NDArray[np.intp]:
    labels, first = np.unique(index, return_index=True)
    return labels[np.argsort(first)]
