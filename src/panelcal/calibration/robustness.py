"""How far wrong scores can move the results: lambda_2 and mu_2, the paper's bounds and the exact worst cases.

Bounds: eqs. (19)-(22), (30) and the SI's proposition for gauge (36). Exact worst case over all score changes of unit
norm: the unit standard error. Exact worst case over single scores: by columns of the solution operator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.calibration.inverse_entries import halves
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.calibration.uncertainty import uncertainty
from panelcal.frozen import dataclass
from panelcal.panel import as_dense
from panelcal.shown import Shown

_CELLS_AT_ONCE = 2_000_000
_MOST_CELLS = 1_000_000_000  # a few seconds' work
_MOST_PRODUCTS = 100_000_000_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Robustness(Shown):
    """Robustness of a calibration, in its gauge.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (18)-(22) and (30)-(35), and the SI for gauge (36).

    Attributes
    ----------
    lambda2
        Second largest eigenvalue of D'D; NaN with a single assessor.
    mu2
        1 - sqrt(lambda_2), eq. (32): 1 = every assessor is compared with every other as well as can be, 0 = some are
        not compared at all.
    value_bounds, bias_bounds
        (n_objects,), (n_assessors,): the paper's bound on |dv_o|, |db_a| per unit of ||ds||_scores, k/sqrt(C mu_2).
        k = sqrt(2) in gauge "weighted" (22), 1 in "reference" (30), sqrt(2 C sum of 1/C'_a)/N_A in "equal"; in
        "common" sqrt(2 C sum of c_a^2/C'_a)/C_S, c_a an assessor's and C_S the whole confidence in the common objects,
        and sqrt(2 C/C_S) where their values are known (the norm of the oblique projection, see docs/proofs.md).
    sharp_value_bounds
        (n_objects,) the same with k = 1, which holds in gauge "weighted" as well (proof in docs/proofs.md; with one
        object and one assessor, where mu_2 = 2, k is sqrt(2)); equal to `value_bounds` in the other gauges.
    worst_cases
        (n_objects,) the exact maximum of |dv_o| over all score changes with ||ds||_scores = 1.
    value_sensitivities
        (n_objects,) the largest |dv_o| per unit change of any one score, dimensionless; exact where proven.
    sensitivities_proven
        (n_objects,) whether that is the largest over all scores. Where false, it is the largest over the object's own
        scores, and a score of another object might move it further (never by more than its own change).
    stated_error
        0 where `worst_cases` are exact, else their largest relative standard error: see `Uncertainty.stated_error`.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> round(robustness(calibration).mu2, 9)
    1.0
    """

    lambda2: float
    mu2: float
    value_bounds: Array
    bias_bounds: Array
    sharp_value_bounds: Array
    worst_cases: Array
    value_sensitivities: Array
    sensitivities_proven: Mask
    stated_error: float

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "mu2", self.mu2
        yield "lambda2", self.lambda2
        yield "value_bounds", self.value_bounds
        yield "worst_cases", self.worst_cases
        yield "largest of value_sensitivities", float(self.value_sensitivities.max())


def robustness(calibration: Calibration) -> Robustness:
    """Compute how far changes of scores can move the calibrated values.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (18)-(22) and (30)-(35), and the SI for gauge (36).

    Returns
    -------
    Robustness
        lambda_2, mu_2, the paper's bounds and the exact worst cases.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> robustness(calibration).value_sensitivities.shape
    (3,)
    """
    equations = calibration.equations
    lambda2, mu2 = second_eigenvalues(equations)
    object_confidence, assessor_confidence = equations.object_confidence, equations.assessor_confidence
    if calibration.gauge in ("equal", "common"):
        condition = calibration.centred_gauge()
        squares = (condition.objects**2 / object_confidence).sum() + (
            condition.assessors**2 / assessor_confidence
        ).sum()
        factor = sharp = float(np.sqrt(2 * equations.total_confidence * squares) / abs(condition.along_null))
    else:
        # Gauge (36) doubles the part with eigenvalue 2, which is then bounded by 1: see docs/proofs.md.
        follows_mean = calibration.reference is None
        sharp = float(np.sqrt(max(mu2, 1.0))) if follows_mean else 1.0
        factor = sharp if calibration.gauge == "reference" else float(np.sqrt(2.0))
    unit_value = 1 / np.sqrt(object_confidence * mu2)
    errors = uncertainty(calibration)
    sensitivities, proven = _sensitivities(calibration)
    return Robustness(
        lambda2=lambda2,
        mu2=mu2,
        value_bounds=factor * unit_value,
        bias_bounds=factor / np.sqrt(assessor_confidence * mu2),
        sharp_value_bounds=sharp * unit_value,
        worst_cases=errors.unit_value_errors,
        value_sensitivities=sensitivities,
        sensitivities_proven=proven,
        stated_error=errors.stated_error,
    )


def second_eigenvalues(equations: NormalEquations) -> tuple[float, float]:
    """Return lambda_2 of D'D and mu_2 = 1 - sqrt(lambda_2), eq. (32), mu_2 to about 12 digits."""
    n_objects, n_assessors = len(equations.object_confidence), len(equations.assessor_confidence)
    if n_assessors == 1:
        return float("nan"), 1.0 if n_objects > 1 else 2.0
    if n_objects == 1:
        return 0.0, 1.0
    return equations.lambda2_and_mu2


def _sensitivities(calibration: Calibration) -> tuple[Array, Mask]:
    """Largest |dv_o| per unit change of any single score, and whether that is proven for all scores (n_objects,)."""
    panel, equations = calibration.panel, calibration.equations
    common = calibration.centred_gauge().common_shift(equations)
    at_object, _ = equations.ends()
    own = np.abs(panel.confidences * (at_object - common))
    largest = np.zeros(panel.n_objects)
    np.maximum.at(largest, panel.object_index, own)
    if panel.n_objects == 1:
        return largest, np.ones(1, dtype=np.bool_)
    if not equations.system.is_small:
        # A unit of current enters at o and leaves where the gauge takes it; no link carries more than all of it.
        return largest, largest >= 1.0
    if not equations.system.dense.keeps_differences:
        return _by_halves(calibration, common)
    beyond = _kept_assessors if equations.keeps_assessors else _kept_objects
    return beyond(calibration, common, largest)


def _by_halves(calibration: Calibration, common: Array) -> tuple[Array, Mask]:
    """Work out every pair of score and object as products of halves, which keep their digits over very weak links."""
    panel, equations = calibration.panel, calibration.equations
    half = equations.system.dense.half(np.eye(len(equations.kept_confidence))).T
    sign = 1.0 if equations.keeps_assessors else -1.0
    objects = np.asarray(equations.shares @ half) if equations.keeps_assessors else half
    if panel.n_assessments * objects.size > _MOST_PRODUCTS:
        at_object, _ = equations.ends()
        largest = np.zeros(panel.n_objects)
        np.maximum.at(largest, panel.object_index, np.abs(panel.confidences * (at_object - common)))
        return largest, largest >= 1.0
    largest = np.zeros(panel.n_objects)
    for whole, at_eliminated, at_kept in halves(equations.system):
        step = max(1, _CELLS_AT_ONCE // panel.n_objects)
        for first in range(0, len(at_kept), step):
            some = slice(first, first + step)
            part = np.arange(whole.start, whole.start + len(at_kept))[some]
            moved = sign * (at_eliminated[some] - at_kept[some]) @ objects.T - common[part, None]
            if equations.keeps_assessors:
                own = panel.object_index[part]
                moved[np.arange(len(part)), own] += 1 / equations.object_confidence[own]
            largest = np.maximum(largest, np.abs(panel.confidences[part, None] * moved).max(axis=0))
    return largest, np.ones(panel.n_objects, dtype=np.bool_)


def _kept_assessors(calibration: Calibration, common: Array, largest: Array) -> tuple[Array, Mask]:
    """Look beyond the own scores (largest so far in `largest`) where assessors are kept.

    Another object's score moves v_o by c (z_o . shares - z_o[a]) beside what the gauge adds to all, with z_o the row of
    A Z plus the gauge's part, and shares as weights that add to 1, so the range of z_o bounds all of those at once.
    Only the rest is worked out.
    """
    panel, equations = calibration.panel, calibration.equations
    object_shift, assessor_shift = calibration.centred_gauge().correction(equations)
    added = object_shift + equations.shares @ assessor_shift
    whole = equations.kept_inverse + assessor_shift
    weight, aside = panel.confidences.max(), np.abs(added).max()
    # The range of an average of rows is at most the average of their ranges.
    left = np.flatnonzero(weight * (equations.shares @ np.ptp(whole, axis=1) + aside) > largest)
    proven = np.ones(panel.n_objects, dtype=np.bool_)
    row_step, cell_step = (max(1, _CELLS_AT_ONCE // n) for n in (len(whole), panel.n_assessments))
    worked_out = 0
    for start in range(0, len(left), row_step):
        rows = left[start : start + row_step]
        z = equations.shares[rows] @ whole
        still = weight * (np.ptp(z, axis=1) + aside) > largest[rows]
        rows, z = rows[still], z[still]
        for first in range(0, len(rows), cell_step):
            at, some = rows[first : first + cell_step], z[first : first + cell_step]
            worked_out += len(at) * panel.n_assessments
            if worked_out > _MOST_CELLS:
                proven[at] = False
                continue
            through = (equations.shares @ some.T).T - added  # z_o . shares, for every object
            moved = panel.confidences * (through[:, panel.object_index] - some[:, panel.assessor_index])
            moved[panel.object_index[None, :] == at[:, None]] = 0.0  # own scores are settled above
            largest[at] = np.maximum(largest[at], np.abs(moved).max(axis=1))
    return largest, proven


def _kept_objects(calibration: Calibration, common: Array, largest: Array) -> tuple[Array, Mask]:
    """Look beyond the own scores where objects are kept.

    There v_o moves by c (Z_oo' - sum of shares x Z_o.) beside the gauge's part; of Z_oo only the share that the same
    assessor gave to o takes part in that sum, so the rest of row o and its largest share bound all other scores.
    """
    panel, equations = calibration.panel, calibration.equations
    inverse = equations.kept_inverse
    rest = inverse.copy()
    np.fill_diagonal(rest, -np.inf)
    high, low = rest.max(axis=1), inverse.min(axis=1)
    share = np.asarray(as_dense(equations.shares.max(axis=0))).ravel()
    up_to = share * inverse.diagonal() + (1 - share) * high
    bound = panel.confidences.max() * (np.maximum(high, up_to) - low + np.abs(common).max())
    left = np.flatnonzero(bound > largest)
    proven = np.ones(panel.n_objects, dtype=np.bool_)
    step = max(1, _CELLS_AT_ONCE // panel.n_assessments)
    for start in range(0, len(left), step):
        at = left[start : start + step]
        if start * panel.n_assessments > _MOST_CELLS:
            proven[left[start:]] = False
            break
        rows = inverse[at]
        moved = rows[:, panel.object_index] - (equations.shares @ rows.T).T[:, panel.assessor_index] - common
        largest[at] = np.maximum(largest[at], np.abs(panel.confidences * moved).max(axis=1))
    return largest, proven
