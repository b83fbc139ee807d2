"""Which assessors are clearly off the rest: every bias tested, allowing for how many are tested.

Each bias is measured from the mean of the rest. One assessor far off drags that mean and would make the innocent look
off, so names come by steps: free the largest, centre on those that are left, go on (Holm 1979 over assessors).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.least_squares import Calibration
from panelcal.frozen import dataclass
from panelcal.shown import Drawn
from panelcal.tails import holm, stdtr

LEVEL = 0.05
_NEARLY_AS_FAR = 0.8  # of the largest: freed together with it
_ROUNDING = 1e-10
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AssessorDifferences(Drawn):
    """Every assessor against the rest of the panel.

    Source: Student's t on biases of eq. (36) of MacKay, Kenna, Low and Parker (2015), adjusted by Holm (1979).

    Attributes
    ----------
    assessors
        (n_assessors,) labels.
    biases
        (n_assessors,) in score units, measured from the mean bias of the rest: of all assessors but those in `freed`,
        by confidence (all alike in gauge `equal`). With none freed these are the biases of the calibration in gauges
        `weighted` and `equal`.
    standard_errors
        (n_assessors,) their standard errors, in score units; NaN when N = p.
    p_values
        (n_assessors,) two-sided, Student's t with N - p degrees of freedom; NaN when N = p.
    adjusted_p_values
        (n_assessors,) the same by Holm: where no assessor is off, any of them falls to 0.05 or below in at most 5% of
        panels.
    clearly_off
        (n_assessors,) whether the adjusted p-value is at most `level`.
    freed
        Indices of the assessors that the rest is taken without.
    centre
        Mean bias of the rest in the calibration: its biases are `biases` + `centre`.
    level
        Chance of naming anybody when none is off.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> assessor_differences(calibration).clearly_off.tolist()
    [True, True]
    """

    assessors: tuple[str, ...]
    biases: Array
    standard_errors: Array
    p_values: Array
    adjusted_p_values: Array
    clearly_off: Mask
    freed: tuple[int, ...]
    centre: float
    level: float


def assessor_differences(calibration: Calibration, *, level: float = LEVEL) -> AssessorDifferences:
    """Test every assessor's bias against the rest.

    Source: Student's t on biases of eq. (36) of MacKay, Kenna, Low and Parker (2015), adjusted by Holm (1979).

    Parameters
    ----------
    calibration
        The fit whose biases are judged.
    level
        Chance of naming anybody when none is off.

    Returns
    -------
    AssessorDifferences
        Every bias against the rest, tested.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> assessor_differences(calibration).biases.round(3).tolist()
    [-5.333, 5.333]
    """
    rest = _everybody(calibration)
    tests = rest.tests()
    while calibration.degrees_of_freedom > 0:
        left = np.flatnonzero(rest.weights)
        sizes = np.abs(tests.biases[left]) / np.maximum(tests.errors[left], _TINY)
        off = (tests.p_values[left] * len(left) <= level) & (sizes >= _NEARLY_AS_FAR * sizes.max())
        if not off.any() or off.all():  # if all are off, nobody is left to compare with
            break
        rest = rest.without(left[off])
        tests = rest.tests()
    adjusted = holm(tests.p_values)
    # Somebody freed early, while others still dragged the mean, may prove to be no different from the final rest.
    while (innocent := (rest.weights == 0) & (adjusted > level)).any():
        rest = rest.with_again(np.flatnonzero(innocent))
        tests = rest.tests()
        adjusted = holm(tests.p_values)
    return AssessorDifferences(
        assessors=calibration.panel.assessors,
        biases=tests.biases,
        standard_errors=tests.errors,
        p_values=tests.p_values,
        adjusted_p_values=adjusted,
        clearly_off=adjusted <= level,
        freed=tuple(np.flatnonzero(rest.weights == 0).tolist()),
        centre=tests.centre,
        level=level,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Tests:
    """Biases from the mean of a rest, their standard errors and p-values, each (n_assessors,), and that mean."""

    biases: Array
    errors: Array
    p_values: Array
    centre: float


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """Those whose mean bias is the zero: their weights (n_assessors,), 0 for the others, and G times the weights.

    Biases up to `negligible` are rounding.
    """

    calibration: Calibration
    diagonal: Array
    weights: Array
    carried: Array
    negligible: float

    def tests(self) -> _Tests:
        """Test every bias against the mean of these."""
        calibration, total = self.calibration, self.weights.sum()
        centre = float(self.weights @ calibration.biases / total)
        biases = calibration.biases - centre
        carried = self.carried / total
        unit = np.maximum(self.diagonal - 2 * carried + self.weights @ carried / total, 0.0)
        errors = np.sqrt(calibration.w_unbiased * unit)
        if calibration.degrees_of_freedom == 0:
            return _Tests(biases, errors, np.full_like(biases, np.nan), centre)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * stdtr(calibration.degrees_of_freedom, -np.abs(biases) / errors)
        return _Tests(biases, errors, np.where(np.abs(biases) <= self.negligible, 1.0, p), centre)

    def without(self, assessors: Indices) -> _Rest:
        """Leave some out."""
        return self._changed(assessors, -_full_weights(self.calibration)[assessors])

    def with_again(self, assessors: Indices) -> _Rest:
        """Take some in again."""
        return self._changed(assessors, _full_weights(self.calibration)[assessors])

    def _changed(self, assessors: Indices, by: Array) -> _Rest:
        change = np.zeros_like(self.weights)
        change[assessors] = by
        moved = self.calibration.equations.biases_alone(change)
        weights = self.weights + change
        weights[assessors[by < 0]] = 0.0
        return replace(self, weights=weights, carried=self.carried + moved)


def _full_weights(calibration: Calibration) -> Array:
    if calibration.gauge == "equal":
        return np.ones(calibration.panel.n_assessors)
    return calibration.equations.assessor_confidence


def _everybody(calibration: Calibration) -> _Rest:
    equations, weights = calibration.equations, _full_weights(calibration)
    negligible = _ROUNDING * max(float(np.abs(calibration.centred_scores[0]).max()), _TINY)
    return _Rest(calibration, equations.diagonals()[1], weights, equations.biases_alone(weights), negligible)
