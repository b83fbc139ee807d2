"""The supremum and sum norms of score changes beside the paper's ("Supremum or sum-norms could also be considered").

The values depend linearly on the scores, dv_o = sum of K_o,ao ds_ao. With every change counted in units of the declared
standard deviation, sqrt(c) |ds|, the largest |dv_o| over changes of size 1 is

    sum norm        max of |K_o,ao| / sqrt(c_ao)            one score is off
    paper (26)      sqrt(sum of K_o,ao^2 / c_ao)            the unit standard error
    supremum norm   sum of |K_o,ao| / sqrt(c_ao)            every score is off, all in the worst direction

each at most the next. Columns of K are those of the inverse of L in the gauge, times the confidence.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import as_dense

_CELLS_AT_ONCE = 2_000_000
_MOST_CELLS = 2_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class WorstCases:
    """Largest change of every value over all score changes of size 1, in the calibration's gauge.

    Attributes
    ----------
    calibration
        What they belong to.
    sum_norm, paper_norm, supremum_norm
        (n_objects,) per unit of the norm, changes counted in declared standard deviations; in 1/sqrt(confidence).
    every_score
        (n_objects,) largest |dv_o| if every score may be off by one score unit, whatever its confidence; dimensionless.
    """

    calibration: Calibration
    sum_norm: Array
    paper_norm: Array
    supremum_norm: Array
    every_score: Array


def worst_cases(calibration: Calibration) -> WorstCases:
    """Compute all of them exactly.

    Raises
    ------
    MethodNotApplicable
        If there are too many pairs of object and score to try.
    """
    panel = calibration.panel
    n, count = panel.n_objects, panel.n_assessments
    if n * count > _MOST_CELLS:
        raise MethodNotApplicable(f"There are {n * count} pairs of object and score: too many to find worst cases.")
    one, paper, supremum, every = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    step = max(1, _CELLS_AT_ONCE // count)
    root = np.sqrt(panel.confidences)
    operator = _Rows(calibration)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        effect = np.abs(operator.rows(rows))
        every[rows] = effect.sum(axis=1)
        effect /= root
        one[rows] = effect.max(axis=1)
        paper[rows] = np.sqrt((effect**2).sum(axis=1))
        supremum[rows] = effect.sum(axis=1)
    return WorstCases(calibration, one, paper, supremum, every)


def solution_rows(calibration: Calibration, objects: Indices) -> Array:
    """Return (k, N): by how much each score moves the values of these objects, per score unit."""
    return _Rows(calibration).rows(objects)


class _Rows:
    """Rows of K, from the gauge-free inverse and the gauge's correction."""

    def __init__(self, calibration: Calibration) -> None:
        self._panel = calibration.panel
        self._equations = calibration.equations
        self._shares = as_dense(calibration.equations.shares)
        on_objects, on_assessors = calibration.centred_gauge().correction(calibration.equations)
        self._common = on_objects[self._panel.object_index] + on_assessors[self._panel.assessor_index]

    def rows(self, objects: Indices) -> Array:
        panel, equations = self._panel, self._equations
        if equations.keeps_assessors:
            values = equations.carried[objects] @ self._shares.T
            values[np.arange(len(objects)), objects] += 1 / equations.object_confidence[objects]
            biases = -equations.carried[objects]
        else:
            values = equations.kept_inverse[objects]
            biases = -equations.carried[:, objects].T
        effect = values[:, panel.object_index] + biases[:, panel.assessor_index]
        # P G P' = G - n t' - t n': for an object the null vector n has 1, and n . (e_o + e_a) = 0.
        return np.asarray(panel.confidences * (effect - self._common))
