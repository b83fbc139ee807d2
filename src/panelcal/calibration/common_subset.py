"""Whether common objects are fit to fix the zero: do their known values agree, and did assessors stay as they were.

The known values are one linear restriction on the differences between values, tested by F. Assessors who scored the
common objects first are compared with themselves afterwards: two calibrations that share no score, so that their
errors are independent.
"""

from __future__ import annotations

import numpy as np
from scipy.special import fdtrc, stdtr

from panelcal.arrays import Array, Indices
from panelcal.calibration.gauges import CommonObjects
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import component_labels
from panelcal.panel import Panel
from panelcal.tails import holm

_MOST = 500  # objects or assessors whose covariance is worked out
_FEWEST = 2


@dataclass(frozen=True, slots=True, eq=False)
class CommonSubset:
    """What the common objects say.

    Attributes
    ----------
    objects
        (k,) their places in the panel.
    weights
        (k,) C_o, the confidence in each.
    held_at
        (k,) what their weighted mean is held at: known values, or the confidence-weighted averages of their scores.
    differences, errors
        (k,) calibrated value less known value, and its standard error, in score units; NaN where nothing is known.
    adjusted_p
        (k,) chance of a difference so far from 0 if all known values were right, by Holm.
    f_statistic, p_value
        Whether the known values agree with the scores, all together; NaN where that cannot be told.
    assessors
        (m,) places of the assessors who can be compared with themselves; empty where that cannot be told.
    moved, moved_errors, moved_p
        (m,) bias on all other objects less bias on the common ones, measured from the mean of all these differences
        (weighted by confidence), its standard error, and p-values by Holm.
    moved_p_value
        Whether any of them moved, all together, by F.
    """

    objects: Indices
    weights: Array
    held_at: Array
    differences: Array
    errors: Array
    adjusted_p: Array
    f_statistic: float
    p_value: float
    assessors: Indices
    moved: Array
    moved_errors: Array
    moved_p: Array
    moved_p_value: float


def common_subset(calibration: Calibration) -> CommonSubset:
    """Examine the common objects of a calibration in the gauge "common".

    Raises
    ------
    MethodNotApplicable
        If the calibration is in another gauge.
    """
    common = calibration.common_objects()
    if common is None:
        raise MethodNotApplicable('Common objects fix the zero in the gauge "common" only.')
    objects = np.flatnonzero(common.object_confidence > 0)
    weights = common.object_confidence[objects]
    panel = calibration.panel
    sums = panel.object_totals(panel.confidences * (panel.scores - calibration.centre))
    held_at = calibration.centre + sums[objects] / weights
    tested = np.full((3, len(objects)), np.nan)
    f_statistic = p_value = float("nan")
    if common.known is not None:
        held_at = common.known[objects]
        tested[0] = calibration.values[objects] - held_at
        if calibration.degrees_of_freedom > 0 and _FEWEST <= len(objects) <= _MOST:
            tested[1:], f_statistic, p_value = _known_tested(calibration, objects, tested[0])
    return CommonSubset(
        objects, weights, held_at, tested[0], tested[1], tested[2], f_statistic, p_value, *_moved(calibration, common)
    )


def _known_tested(calibration: Calibration, objects: Indices, differences: Array) -> tuple[Array, float, float]:
    """Return errors and adjusted p-values (2, k) of the differences, and F with its p-value."""
    freedom = calibration.degrees_of_freedom
    shift, _ = calibration.centred_gauge().correction(calibration.equations)
    plain = _block(calibration, objects, on_objects=True)
    covariance = calibration.w_unbiased * (plain - shift[objects, None] - shift[None, objects])
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    f_statistic = float(differences @ np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ differences)
    f_statistic /= len(objects) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(differences) / errors)
    return np.stack([errors, holm(p)]), f_statistic, float(fdtrc(len(objects) - 1, freedom, f_statistic))


def _moved(calibration: Calibration, common: CommonObjects) -> tuple[Indices, Array, Array, Array, float]:
    """Compare biases on the common objects with those on all others; empty where one of the two falls apart."""
    panel = calibration.panel
    nothing = (np.empty(0, dtype=np.intp), np.empty(0), np.empty(0), np.empty(0), float("nan"))
    if common.among.all() or not common.among.any():
        return nothing
    halves = (panel.subset(common.among), panel.subset(~common.among))
    both = [name for name in panel.assessors if all(name in half.assessors for half in halves)]
    if not _FEWEST <= len(both) <= _MOST or any(component_labels(half)[0] > 1 for half in halves):
        return nothing
    first, then = (calibrate(half) for half in halves)
    freedom = first.degrees_of_freedom + then.degrees_of_freedom
    if freedom == 0:
        return nothing
    noise = (first.weighted_residual_sum + then.weighted_residual_sum) / freedom
    places = [_places(half, both) for half in halves]
    apart = _block(first, places[0], on_objects=False) + _block(then, places[1], on_objects=False)
    covariance = noise * apart
    weights = first.equations.assessor_confidence[places[0]] + then.equations.assessor_confidence[places[1]]
    shares = weights / weights.sum()
    keep = np.eye(len(both)) - shares
    moved = keep @ (then.biases[places[1]] - first.biases[places[0]])
    spread = keep @ covariance @ keep.T
    errors = np.sqrt(np.maximum(np.diag(spread), 0.0))
    f_statistic = float(moved @ np.linalg.pinv(spread, rcond=1e-10, hermitian=True) @ moved) / (len(both) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(moved) / errors)
    who = _places(panel, both)
    return who, moved, errors, holm(p), float(fdtrc(len(both) - 1, freedom, f_statistic))


def _block(calibration: Calibration, places: Indices, *, on_objects: bool) -> Array:
    """Return the inverse of the normal equations for these objects or assessors, up to the gauge."""
    panel, columns = calibration.panel, []
    for place in places.tolist():
        objects, assessors = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
        (objects if on_objects else assessors)[place] = 1.0
        columns.append(calibration.equations.apply_inverse(objects, assessors)[0 if on_objects else 1][places])
    return np.column_stack(columns)


def _places(panel: Panel, names: list[str]) -> Indices:
    place = {name: k for k, name in enumerate(panel.assessors)}
    return np.array([place[name] for name in names], dtype=np.intp)
