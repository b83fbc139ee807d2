"""How far values move if the declared confidences were wrong, each by itself and by a factor.

The paper's "Robustness to changes in confidences": a small change dc of one confidence moves the values by
dc r L^+ x, r the residual and x = e_o + e_a, and in gauge (36) all alike by dc b_a / C, since the gauge contains the
confidences. Errors of a factor f are errors of log c, so to first order value o moves by the slope
c dv_o/dc times log f.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.influence import common_slopes, unit_moves
from panelcal.calibration.least_squares import Calibration
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_MOST_CELLS = 20_000_000
_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceDoubt:
    """What wrong confidences would do to the values.

    Attributes
    ----------
    factor
        By which every confidence is taken to be wrong, typically: log c is off with a standard deviation of log factor,
        each independently of the others.
    typical_moves
        (n_objects,) how far each value typically moves, in score units: log factor times the root of the sum of squares
        of its slopes. To first order; a common factor on all confidences moves nothing.
    """

    factor: float
    typical_moves: Array


def confidence_doubt(calibration: Calibration, *, factor: float = 2.0) -> ConfidenceDoubt:
    """Compute how far each value typically moves if every confidence were wrong by that factor, independently.

    Raises
    ------
    MethodNotApplicable
        If the factor is not above 1, or there are more than 2e7 pairs of an object and an assessment.
    """
    if not factor > 1:
        raise MethodNotApplicable(f"Confidences are doubted by a factor above 1, not by {factor}.")
    n, count = calibration.panel.n_objects, calibration.panel.n_assessments
    if n * count > _MOST_CELLS or not calibration.equations.system.is_small:
        raise MethodNotApplicable("The panel is too large to doubt every confidence by itself.")
    squares = np.zeros(n)
    step = max(1, _CELLS_AT_ONCE // n)
    for first in range(0, count, step):
        squares += (log_slopes(calibration, np.arange(first, min(first + step, count))) ** 2).sum(axis=1)
    return ConfidenceDoubt(factor, np.log(factor) * np.sqrt(squares))


def log_slopes(calibration: Calibration, assessments: Indices) -> Array:
    """Return (n_objects, k) the change of every value per unit of log confidence of each of these assessments."""
    panel = calibration.panel
    moves = unit_moves(calibration, assessments) * calibration.residuals[assessments]
    return panel.confidences[assessments] * (moves + common_slopes(calibration)[assessments])
