"""The whole inverse of the normal equations by its blocks, for planning that asks about pairs nobody assessed."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.frozen import dataclass
from panelcal.panel import as_dense

_MOST_PAIRS, _MOST_NODES = 4_000_000, 3_000


@dataclass(frozen=True, slots=True, eq=False)
class UnitCovariance:
    """Blocks of G, in 1/confidence; see `NormalEquations` for which of the generalised inverses it is.

    Attributes
    ----------
    values
        (n_objects, n_objects) between objects.
    cross
        (n_objects, n_assessors) between objects and assessors.
    biases
        (n_assessors,) the diagonal between assessors.
    """

    values: Array
    cross: Array
    biases: Array

    @property
    def along(self) -> Array:
        """(n_objects, n_assessors) x' G x for x = e_o + e_a of every pair, in any gauge."""
        return self.values.diagonal()[:, None] + self.biases[None, :] + 2 * self.cross

    def along_row(self, o: int) -> Array:
        """Return (n_assessors,) x' G x for x = e_o + e_a of one object with every assessor."""
        return self.values[o, o] + self.biases + 2 * self.cross[o]


def unit_covariance(equations: NormalEquations) -> UnitCovariance | None:
    """Return the blocks, None where there are too many pairs to try."""
    n, m = len(equations.object_confidence), len(equations.assessor_confidence)
    if n * m > _MOST_PAIRS or n + m > _MOST_NODES:
        return None
    carried = equations.carried
    shares = as_dense(equations.shares)
    if equations.keeps_assessors:
        values = np.diag(1 / equations.object_confidence) + carried @ shares.T
        return UnitCovariance(values, -carried, equations.kept_inverse.diagonal())
    biases = 1 / equations.assessor_confidence + (carried * shares).sum(axis=1)
    return UnitCovariance(equations.kept_inverse, -carried.T, biases)
