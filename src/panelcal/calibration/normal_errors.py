"""How sure values are where only their standard errors are known: intervals and boundaries, normal or Student's t."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from panelcal.errors import MethodNotApplicable

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class NormalErrors:
    """Values with normal errors, or with Student's t.

    Attributes
    ----------
    values, value_errors
        (n_objects,) and their standard errors, in score units.
    freedom
        Degrees of freedom that the errors were estimated with; None = so many that they count as known.
    """

    values: Array
    value_errors: Array
    freedom: int | None = None

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends of the central interval.

        Raises
        ------
        MethodNotApplicable
            If the level is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
        share = (1 + level) / 2
        half = float(ndtri(share) if self.freedom is None else stdtrit(self.freedom, share)) * self.value_errors
        return np.column_stack([self.values - half, self.values + half])

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary."""
        gap = self.values - boundary
        # A value without error is certain; one on the boundary itself is a toss-up.
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(gap == 0, 0.0, gap / self.value_errors)
        return ndtr(ratio) if self.freedom is None else stdtr(self.freedom, ratio)
