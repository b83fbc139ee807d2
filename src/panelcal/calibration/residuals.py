"""What a solution leaves of every score, computed when it is first asked for: values alone do without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration import double_double as dd
from panelcal.panel import Panel


@dataclass(frozen=True, eq=False)
class Residuals:
    """Scores less values and biases.

    Attributes
    ----------
    panel
        The assessments.
    centre
        The number that `values` are measured from.
    values, biases
        (n_objects,) and (n_assessors,), in score units.
    exactly
        Whether each residual is rounded only once, as weak links ask for; else three times.
    """

    panel: Panel
    centre: float
    values: Array
    biases: Array
    exactly: bool

    @cached_property
    def each(self) -> Array:
        """(N,) score - value - bias, in score units; read-only."""
        panel = self.panel
        if self.exactly:
            scores = dd.shifted(panel.scores, -self.centre)
            left = dd.indexed_residuals(scores, self.values, self.biases, panel.object_index, panel.assessor_index)[0]
        else:
            left = dd.plain_residuals(panel, self.centre, self.values, self.biases)
        left.setflags(write=False)
        return left

    @cached_property
    def weighted_squares(self) -> float:
        """Sum of confidence x residual^2."""
        return float(np.einsum("i,i,i->", self.panel.confidences, self.each, self.each))
