"""Gauges: where the zero of the biases lies, eqs. (10), (29) and (36), as rank-one projections applied afterwards.

Adding k to every value and taking k off every bias changes no fitted score: n = (1, -1) is the null vector of L. A
gauge u . (v, b) = target picks one solution; the projection along n that enforces it is P = I - n u' / (u . n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.double_double import exact_dot
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.errors import MethodNotApplicable

Array = NDArray[np.float64]
GaugeName = Literal["weighted", "equal", "reference"]


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """The condition objects . v + assessors . b = target.

    Attributes
    ----------
    objects, assessors
        (n_objects,) and (n_assessors,): the vector u.
    target
        Right-hand side, for values measured from the same origin as the target.
    """

    objects: Array
    assessors: Array
    target: float

    @property
    def along_null(self) -> float:
        """Return u . n for the null vector n = (1, -1)."""
        return float(self.objects.sum() - self.assessors.sum())

    def shift(self, values: Array, biases: Array) -> float:
        """Return k such that (values + k, biases - k) satisfies the gauge."""
        sides = [(self.assessors, biases), (np.array([-1.0]), np.array([self.target]))]
        if self.objects.any():
            sides.append((self.objects, values))
        reached = exact_dot(*(np.concatenate(parts) for parts in zip(*sides, strict=True)))
        return -reached / self.along_null

    def correction(self, equations: NormalEquations) -> tuple[Array, Array]:
        """Return t (n_objects,), (n_assessors,) with P G P' = G - n t' - t n': the covariance in this gauge."""
        objects, assessors = equations.apply_inverse(self.objects, self.assessors)
        scale = self.along_null
        half = (self.objects @ objects + self.assessors @ assessors) / (2 * scale**2)
        return objects / scale - half, assessors / scale + half

    def common_shift(self, equations: NormalEquations) -> Array:
        """Return x' t (N,): how far a unit column of each assessment moves all values alike in this gauge."""
        return equations.along_assessments(self.objects, self.assessors) / self.along_null


class Confidences(Protocol):
    """Total confidences of a panel, as its normal equations hold them."""

    @property
    def object_confidence(self) -> Array:
        """(n_objects,) C_o of eq. (8)."""

    @property
    def assessor_confidence(self) -> Array:
        """(n_assessors,) C'_a of eq. (9)."""

    @property
    def total_confidence(self) -> float:
        """C, the sum of all confidences."""


def make_gauge(name: str, totals: Confidences, reference: float | None) -> Gauge:
    """Return the gauge of that name; the target of "reference" is for values measured from the same origin as it.

    "reference" without a number stands for the confidence-weighted mean that follows the scores, which the paper shows
    to be the same as eq. (36).

    Raises
    ------
    MethodNotApplicable
        If the name is unknown or a reference is given to another gauge.
    """
    if name not in get_args(GaugeName):
        raise MethodNotApplicable(f'"{name}" is not a gauge: choose weighted, equal or reference.')
    if reference is not None and name != "reference":
        raise MethodNotApplicable(f'A reference value goes with the gauge "reference", not with "{name}".')
    objects, assessors = totals.object_confidence, totals.assessor_confidence
    if name == "equal":
        return Gauge(np.zeros_like(objects), np.ones_like(assessors), 0.0)
    if reference is None:
        return Gauge(np.zeros_like(objects), assessors, 0.0)
    return Gauge(objects, -assessors, totals.total_confidence * reference)
