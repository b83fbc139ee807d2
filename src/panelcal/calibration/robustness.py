"""How far wrong scores can move the results: lambda_2 and mu_2, the paper's bounds and the exact worst cases.

Bounds: eqs. (19)-(22), (30) and the SI's proposition for gauge (36). Exact worst case over all score changes of unit
norm: the unit standard error. Exact worst case over single scores: by columns of the solution operator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.calibration.uncertainty import uncertainty
from panelcal.panel import as_dense

Array = NDArray[np.float64]

_CELLS_AT_ONCE = 2_000_000
_NEARLY_COMPLETE = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Robustness:
    """Robustness of a calibration, in its gauge.

    Attributes
    ----------
    lambda2
        Second largest eigenvalue of D'D; NaN with a single assessor.
    mu2
        1 - sqrt(lambda_2), eq. (32): 1 = every assessor is compared with every other as well as can be, 0 = some are
        not compared at all.
    value_bounds, bias_bounds
        (n_objects,), (n_assessors,): the paper's bound on |dv_o|, |db_a| per unit of ||ds||_scores, k/sqrt(C mu_2).
        k = sqrt(2) in gauge "weighted" (22), 1 in "reference" (30), sqrt(2 C sum of 1/C'_a)/N_A in "equal".
    sharp_value_bounds
        (n_objects,) the same with k = 1, which holds in gauge "weighted" as well (proof in docs/proofs.md; with one
        object and one assessor, where mu_2 = 2, k is sqrt(2)); equal to `value_bounds` in the other gauges.
    worst_cases
        (n_objects,) the exact maximum of |dv_o| over all score changes with ||ds||_scores = 1.
    value_sensitivities
        (n_objects,) the exact largest |dv_o| per unit change of any one score, dimensionless.
    """

    lambda2: float
    mu2: float
    value_bounds: Array
    bias_bounds: Array
    sharp_value_bounds: Array
    worst_cases: Array
    value_sensitivities: Array


def robustness(calibration: Calibration) -> Robustness:
    """Compute how far changes of scores can move the calibrated values."""
    equations = calibration.equations
    lambda2, mu2 = second_eigenvalues(equations)
    object_confidence, assessor_confidence = equations.object_confidence, equations.assessor_confidence
    if calibration.gauge == "equal":
        total = equations.total_confidence
        factor = sharp = float(np.sqrt(2 * total * (1 / assessor_confidence).sum()) / len(assessor_confidence))
    else:
        # Gauge (36) doubles the part with eigenvalue 2, which is then bounded by 1: see docs/proofs.md.
        follows_mean = calibration.reference is None
        sharp = float(np.sqrt(max(mu2, 1.0))) if follows_mean else 1.0
        factor = sharp if calibration.gauge == "reference" else float(np.sqrt(2.0))
    unit_value = 1 / np.sqrt(object_confidence * mu2)
    return Robustness(
        lambda2=lambda2,
        mu2=mu2,
        value_bounds=factor * unit_value,
        bias_bounds=factor / np.sqrt(assessor_confidence * mu2),
        sharp_value_bounds=sharp * unit_value,
        worst_cases=uncertainty(calibration).unit_value_errors,
        value_sensitivities=_sensitivities(calibration),
    )


def second_eigenvalues(equations: NormalEquations) -> tuple[float, float]:
    """Return lambda_2 of D'D and mu_2 = 1 - sqrt(lambda_2), eq. (32), mu_2 to about 12 digits.

    1 - lambda_2 is the inverse of the largest eigenvalue of the scaled inverse, which is accurate however weak the
    links are. Near lambda_2 = 0 (complete designs) the square root would lose half of the digits, so there
    sqrt(lambda_2) is taken as a singular value of D itself with the known top pair removed.
    """
    n_objects, n_assessors = len(equations.object_confidence), len(equations.assessor_confidence)
    if n_assessors == 1:
        return float("nan"), 1.0 if n_objects > 1 else 2.0
    if n_objects == 1:
        return 0.0, 1.0
    weights = equations.kept_confidence
    root = np.sqrt(weights)
    mean = equations.kept_inverse @ weights / weights.sum()
    centred = equations.kept_inverse - mean[:, None] - mean[None, :] + mean @ weights / weights.sum()
    scaled = centred * root[:, None] * root[None, :]
    # LAPACK's driver for selected eigenvalues fails on complete designs, where all of them coincide.
    top = float(linalg.eigvalsh(scaled, driver="evd", check_finite=False)[-1])
    gap = min(1.0 / top, 1.0)  # 1 - lambda_2
    singular = np.sqrt(1.0 - gap)
    if singular < _NEARLY_COMPLETE:
        left = np.sqrt(equations.eliminated_confidence)
        d = as_dense(equations.shares) * left[:, None] / root[None, :]
        d -= np.multiply.outer(left, root) / equations.total_confidence
        singular = float(linalg.svdvals(d, check_finite=False)[0])
        return singular**2, 1.0 - singular
    return float(1.0 - gap), float(gap / (1.0 + singular))


def _sensitivities(calibration: Calibration) -> Array:
    """Largest |dv_o| per unit change of any single score, exactly."""
    panel, equations = calibration.panel, calibration.equations
    object_shift, assessor_shift = calibration.centred_gauge().correction(equations)
    # A score change moves all values together by this much when the gauge lets it.
    common = object_shift[panel.object_index] + assessor_shift[panel.assessor_index]
    if not equations.keeps_assessors:
        return _all_scores(calibration, common)
    object_diagonal, _ = equations.diagonals()
    own = panel.confidences * (object_diagonal[panel.object_index] + equations.link_entries() - common)
    largest = np.zeros(panel.n_objects)
    np.maximum.at(largest, panel.object_index, np.abs(own))
    # Another object's score moves v_o by c (z_o . shares - z_o[a]) beside what the gauge adds to all, with z_o below
    # and shares as weights that add to 1, so the range of z_o bounds all of those at once. Only the rest is worked out.
    z = equations.carried + assessor_shift
    added = object_shift + equations.shares @ assessor_shift
    others = panel.confidences.max() * (np.ptp(z, axis=1) + np.abs(added).max())
    open_objects = np.flatnonzero(others > largest)
    step = max(1, _CELLS_AT_ONCE // panel.n_assessments)
    for start in range(0, len(open_objects), step):
        rows = open_objects[start : start + step]
        through = (equations.shares @ z[rows].T).T - added  # z_o . shares, for every object
        moved = panel.confidences * (through[:, panel.object_index] - z[rows][:, panel.assessor_index])
        moved[panel.object_index[None, :] == rows[:, None]] = 0.0  # own scores are settled above
        largest[rows] = np.maximum(largest[rows], np.abs(moved).max(axis=1))
    return largest


def _all_scores(calibration: Calibration, common: Array) -> Array:
    """Work out every pair of score and object; meant for panels with fewer objects than assessors."""
    panel, equations = calibration.panel, calibration.equations
    largest = np.zeros(panel.n_objects)
    step = max(1, _CELLS_AT_ONCE // panel.n_objects)
    for start in range(0, panel.n_assessments, step):
        part = slice(start, start + step)
        column = equations.kept_inverse[panel.object_index[part]] - equations.carried[panel.assessor_index[part]]
        moved = np.abs(panel.confidences[part, None] * (column - common[part, None]))
        largest = np.maximum(largest, moved.max(axis=0))
    return largest
