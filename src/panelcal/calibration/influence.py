"""What one assessment does: its leverage, what leaving it out would change, what a change of its confidence would.

Case deletion for weighted least squares (Cook and Weisberg 1982) on the assessor-object graph, with the shift that
gauge (36) adds because it contains the confidences itself.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.bridges import find_bridges, hanging_assessments
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Tabled

_CELLS_AT_ONCE = 2_000_000
_NEAR_ONE = 1e-3  # from here on up, leverages are checked for digits lost in 1 - h
_DIGITS_KEPT = 1e-8
_FEWEST_REFITS, _REFITTED_ASSESSMENTS = 20, 20_000_000  # fresh fits are made until they add up to so many
_MOST_CELLS = 500_000_000
_TOO_FEW_DIGITS = 1e-7


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Influence(Tabled):
    """Influence of every assessment on the values, in the calibration's gauge.

    Source: case deletion for weighted least squares (Cook and Weisberg 1982); changes of confidences are those of the
    SI of MacKay, Kenna, Low and Parker (2015).

    Attributes
    ----------
    calibration
        What it belongs to.
    leverage
        (N,) h between 0 and 1; 1 = the assessment is the only link between two parts of the panel.
    own_shift
        (N,) change of the assessment's own object's value if it is left out, in score units; inf where it is the only
        link.
    largest_shift
        (N,) largest |change| of any value if it is left out; inf where it is the only link, NaN (as `own_shift`) where
        it is so nearly the only link that rounding hides the answer and there are too many such for fresh fits.
    largest_proven
        (N,) whether `largest_shift` is the largest over all objects; where false it is that of the own object.
    confidence_slope
        (N,) change of the own object's value per unit of its confidence, in score units / confidence.
    delicate
        (N,) whether the assessment is so nearly an only link that its figures come from a fresh fit without it.
    stated_error
        0 where exact; else these figures rest on estimates: see `Uncertainty.stated_error`.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> influence(calibration).leverage.round(3).tolist()
    [0.667, 0.667, 0.667, 0.667, 0.667, 0.667]
    """

    calibration: Calibration
    leverage: Array
    own_shift: Array
    largest_shift: Array
    largest_proven: Mask
    confidence_slope: Array
    delicate: Mask
    stated_error: float

    def value_shifts(self, assessment: int) -> Array:
        """Return (n_objects,) the change of every value if that assessment is left out; all inf for an only link."""
        if np.isinf(self.own_shift[assessment]):
            return np.full(len(self.calibration.values), np.inf)
        if self.delicate[assessment]:
            return _refitted(self.calibration, assessment)[0]
        return _left_out(self.calibration, assessment, float(self.leverage[assessment]))

    def value_slopes(self, assessment: int) -> Array:
        """Return (n_objects,) the change of every value per unit of that assessment's confidence."""
        calibration = self.calibration
        values, _ = _column(calibration, assessment)
        shift = common_slopes(calibration)[assessment]
        return values * calibration.residuals[assessment] + shift


def influence(calibration: Calibration) -> Influence:
    """Compute the influence of every assessment.

    Source: case deletion for weighted least squares (Cook and Weisberg 1982); changes of confidences are those of the
    SI of MacKay, Kenna, Low and Parker (2015).

    Returns
    -------
    Influence
        Leverages and shifts.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> influence(calibration).leverage.sum().round(9).item()
    4.0
    """
    panel, equations = calibration.panel, calibration.equations
    own_object, own_assessor = equations.ends()
    leverage = leverages(calibration)
    bridge, delicate, lost = _only_links(panel, leverage, panel.confidences * equations.entries.rounding)
    leverage[bridge] = 1.0

    common = _common(calibration)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = -panel.confidences * calibration.residuals / (1 - leverage)
    step[bridge | delicate] = 0.0
    new_bias = calibration.biases[panel.assessor_index] + step * (own_assessor + common)
    new_value = calibration.values[panel.object_index] + step * (own_object - common)
    shift = _gauge_shift(calibration, new_value, new_bias)
    own = step * (own_object - common) + shift
    elsewhere, proven = _largest_elsewhere(calibration, step, common, shift, np.abs(own))
    largest = np.maximum(np.abs(own), elsewhere)

    for k in np.flatnonzero(delicate):
        shifts, leverage[k] = _refitted(calibration, int(k))
        own[k], largest[k] = shifts[panel.object_index[k]], np.abs(shifts).max()
        proven[k] = True
    own[bridge] = largest[bridge] = np.inf
    own[lost] = largest[lost] = np.nan
    proven[bridge] = True
    slope = (own_object - common) * calibration.residuals + common_slopes(calibration)
    return Influence(calibration, leverage, own, largest, proven, slope, delicate, equations.entries.stated_error)


def leverages(calibration: Calibration) -> Array:
    """Return c x' G x (N,) with x = e_o + e_a: the share of each assessment's noise that the fit takes for signal."""
    return np.clip(calibration.panel.confidences * calibration.equations.entries.along, 0.0, 1.0)


def _only_links(panel: Panel, leverage: Array, rounding: Array) -> tuple[Mask, Mask, Mask]:
    """Which assessments are the only link; where 1 - h lost so many digits that only a fresh fit will do; what is left.

    Each (N,). The last are those for which there are too many fresh fits to make.
    """
    hanging = hanging_assessments(panel)
    digits_lost = 4 * np.finfo(np.float64).eps * rounding
    nearly = (leverage > 1 - _NEAR_ONE) & (digits_lost > _DIGITS_KEPT * (1 - leverage))
    suspect = (nearly | (digits_lost > _TOO_FEW_DIGITS)) & ~hanging
    bridge = find_bridges(panel) if suspect.any() else hanging
    delicate = suspect & ~bridge
    lost = delicate.copy()
    lost[np.flatnonzero(delicate)[: max(_FEWEST_REFITS, _REFITTED_ASSESSMENTS // panel.n_assessments)]] = False
    return bridge, delicate & ~lost, lost


def _common(calibration: Calibration) -> Array:
    """By how much the gauge moves all values together for a unit column of each assessment (N,)."""
    return calibration.centred_gauge().common_shift(calibration.equations)


def _column(calibration: Calibration, assessment: int) -> tuple[Array, Array]:
    """G x in the gauge, x = e_o + e_a of one assessment: values (n_objects,) and biases (n_assessors,)."""
    panel = calibration.panel
    on_objects, on_assessors = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
    on_objects[panel.object_index[assessment]] = 1.0
    on_assessors[panel.assessor_index[assessment]] = 1.0
    values, biases = calibration.equations.apply_inverse(on_objects, on_assessors)
    shift = float(_common(calibration)[assessment])
    return values - shift, biases + shift


def _gauge_shift(calibration: Calibration, new_value: Array, new_bias: Array) -> Array:
    """Move back into the gauge after an assessment with these new values and biases has left it (N,)."""
    confidences = calibration.panel.confidences
    remaining = calibration.equations.total_confidence - confidences
    if calibration.gauge == "equal":
        return np.zeros_like(confidences)
    if (common := calibration.common_objects()) is not None:
        inside = np.where(common.among, confidences, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            off = -new_bias if common.known is None else new_value - common.known[calibration.panel.object_index]
            shift = inside * off / (common.total - inside)
        return np.where(common.total - inside > 0, shift, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if calibration.reference is None:
            shift = -confidences * new_bias / remaining
        else:
            shift = confidences * (new_value - new_bias - calibration.reference) / (2 * remaining)
    return np.where(remaining > 0, shift, 0.0)


def unit_moves(calibration: Calibration, assessments: Indices) -> Array:
    """Return (n_objects, k) the values' part of G x in the gauge, x = e_o + e_a of each of these assessments.

    For systems that are small.
    """
    equations = calibration.equations
    kept, eliminated = equations.kept_index[assessments], equations.eliminated_index[assessments]
    moves = equations.kept_inverse[:, kept] - equations.carried[eliminated].T
    if equations.keeps_assessors:
        moves = -np.asarray(equations.shares @ moves)
        moves[eliminated, np.arange(len(assessments))] += 1 / equations.object_confidence[eliminated]
    return moves - _common(calibration)[assessments]


def common_slopes(calibration: Calibration) -> Array:
    """Derivative with respect to each confidence (N,) of the gauge's shift of the values."""
    panel = calibration.panel
    bias = calibration.biases[panel.assessor_index]
    total = calibration.equations.total_confidence
    if calibration.gauge == "equal":
        return np.zeros_like(panel.confidences)
    if (common := calibration.common_objects()) is not None:
        values = calibration.values[panel.object_index]
        off = bias if common.known is None else common.known[panel.object_index] - values
        return np.where(common.among, off, 0.0) / common.total
    if calibration.reference is None:
        return bias / total
    value = calibration.values[panel.object_index]
    return -(value - bias - calibration.reference) / (2 * total)


def _largest_elsewhere(
    calibration: Calibration, step: Array, common: Array, shift: Array, settled: Array
) -> tuple[Array, Mask]:
    """Largest |dv| (N,) among the other objects, where it may exceed `settled` (0 where it cannot), and whether known.

    With y = what the kept side's unknowns do per unit step, values move by y itself where objects are kept, else by
    minus averages of y over assessors; bounds on y settle most assessments, and only the rest is worked out.
    """
    panel, equations = calibration.panel, calibration.equations
    largest, proven = np.zeros(panel.n_assessments), np.ones(panel.n_assessments, dtype=np.bool_)
    if not equations.system.is_small:
        return largest, np.zeros_like(proven)
    kept, eliminated, inverse = equations.kept_index, equations.eliminated_index, equations.kept_inverse

    def reach(low: Array, high: Array, at: Indices) -> Array:
        """Largest |dv| where a unit step moves values by low to high before the gauge."""
        ends = (step[at] * (end - common[at]) + shift[at] for end in (low, high))
        return np.maximum(*(np.abs(end) for end in ends))

    everything = np.arange(panel.n_assessments)
    low, high = (_averaged_bounds if equations.keeps_assessors else _direct_bounds)(equations)
    unsettled = np.flatnonzero(reach(low, high, everything) > settled)
    at_once = max(1, _CELLS_AT_ONCE // max(panel.n_objects, len(inverse)))
    worked_out = 0
    for start in range(0, len(unsettled), at_once):
        at = unsettled[start : start + at_once]
        if worked_out > _MOST_CELLS:
            proven[unsettled[start:]] = False
            break
        y = inverse[:, kept[at]] - np.asarray(equations.shares[eliminated[at]] @ inverse).T
        worked_out += y.size
        if equations.keeps_assessors:
            still = np.flatnonzero(reach(-y.max(axis=0), -y.min(axis=0), at) > settled[at])
            at, moved = at[still], -np.asarray(equations.shares @ y[:, still])
            worked_out += moved.size
        else:
            moved = y
        moved = step[at] * (moved - common[at]) + shift[at]
        moved[panel.object_index[at], np.arange(len(at))] = 0.0  # own objects are settled
        largest[at] = np.abs(moved).max(axis=0, initial=0.0)
    return largest, proven


def _averaged_bounds(equations: NormalEquations) -> tuple[Array, Array]:
    """Bounds (N,) on the values' moves per unit step where assessors are kept: averages stay within the ends of y."""
    kept, eliminated, inverse = equations.kept_index, equations.eliminated_index, equations.kept_inverse
    if len(equations.eliminated_confidence) * len(inverse) <= _CELLS_AT_ONCE:
        carried = equations.carried
        lowest, highest = carried.min(axis=1), carried.max(axis=1)
    else:
        lowest, highest = equations.shares @ inverse.min(axis=1), equations.shares @ inverse.max(axis=1)
    return lowest[eliminated] - inverse.max(axis=0)[kept], highest[eliminated] - inverse.min(axis=0)[kept]


def _direct_bounds(equations: NormalEquations) -> tuple[Array, Array]:
    """Bounds (N,) on the other values' moves per unit step where objects are kept.

    y = Z_o - sum of shares x Z. Off its diagonal a row of Z stays between `low` and `high`; an average of rows passes
    that at the diagonal of one of them only, by its share.
    """
    kept, eliminated, inverse = equations.kept_index, equations.eliminated_index, equations.kept_inverse
    if len(inverse) == 1:
        return np.zeros(len(kept)), np.zeros(len(kept))
    rest = inverse.copy()
    np.fill_diagonal(rest, -np.inf)
    high, low = rest.max(axis=1), inverse.min(axis=1)
    peak = np.zeros(len(equations.eliminated_confidence))
    pair_share = np.asarray(equations.shares[eliminated, kept]).ravel()
    np.maximum.at(peak, eliminated, pair_share * (inverse.diagonal() - high)[kept])
    return (
        low[kept] - (equations.shares @ high + peak)[eliminated],
        high[kept] - (equations.shares @ low)[eliminated],
    )


def _refitted(calibration: Calibration, assessment: int) -> tuple[Array, float]:
    """Change of every value (n_objects,) by calibrating afresh without one assessment, and that one's leverage."""
    panel = calibration.panel
    keep = np.arange(panel.n_assessments) != assessment
    rest = panel.subset(keep)
    again = calibrate(rest, **calibration.options_for(rest))
    place = {label: k for k, label in enumerate(again.panel.objects)}
    values = again.values[[place[label] for label in panel.objects]]
    bias = again.biases[again.panel.assessors.index(panel.assessors[panel.assessor_index[assessment]])]
    # The residual against the fit without it is residual/(1 - h).
    deleted = panel.scores[assessment] - values[panel.object_index[assessment]] - bias
    leverage = 1 - calibration.residuals[assessment] / deleted if deleted else 1.0
    return values - calibration.values, float(np.clip(leverage, 0.0, 1.0))


def _left_out(calibration: Calibration, assessment: int, leverage: float) -> Array:
    """Change of every value (n_objects,) if one assessment is left out, by the formula."""
    panel = calibration.panel
    values, biases = _column(calibration, assessment)
    step = -panel.confidences[assessment] * calibration.residuals[assessment] / (1 - leverage)
    o, a = panel.object_index[assessment], panel.assessor_index[assessment]
    new_value = np.full(panel.n_assessments, calibration.values[o] + step * values[o])
    new_bias = np.full(panel.n_assessments, calibration.biases[a] + step * biases[a])
    return step * values + _gauge_shift(calibration, new_value, new_bias)[assessment]
