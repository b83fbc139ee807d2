"""Gauges: where the zero of the biases lies, eqs. (10), (29) and (36), as rank-one projections applied afterwards.

And one of our own: some objects, that everybody assessed first or whose values are known, fix the zero by themselves.

Adding k to every value and taking k off every bias changes no fitted score: n = (1, -1) is the null vector of L. A
gauge u . (v, b) = target picks one solution; the projection along n that enforces it is P = I - n u' / (u . n).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, get_args

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.calibration.double_double import exact_dot
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel

GaugeName = Literal["weighted", "equal", "reference", "common"]
Common = Sequence[str] | Mapping[str, float]
"""Labels of the objects that fix the zero of the biases, or such labels with their known values."""


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

    def shift(self, values: Array, biases: Array, *, exactly: bool = True) -> float:
        """Return k such that (values + k, biases - k) satisfies the gauge, with one rounding if `exactly`."""
        if not exactly:
            reached = _dot(self.assessors, biases)
            if self.objects.any():
                reached += _dot(self.objects, values)
            return -(reached - self.target) / self.along_null
        sides = [(self.assessors, biases), (np.array([-1.0]), np.array([self.target]))]
        if self.objects.any():
            sides.append((self.objects, values))
        reached = exact_dot(*(np.concatenate(parts) for parts in zip(*sides, strict=True)))
        return -reached / self.along_null

    def correction(self, equations: NormalEquations, *, of_everything: bool = False) -> tuple[Array, Array]:
        """Return t (n_objects,), (n_assessors,) with P G P' = G - n t' - t n': the covariance in this gauge.

        `of_everything` says that all errors are worked out as well.
        """
        apply = equations.apply_covariance if of_everything else equations.apply_inverse
        objects, assessors = apply(self.objects, self.assessors)
        scale = self.along_null
        half = (_dot(self.objects, objects) + _dot(self.assessors, assessors)) / (2 * scale**2)
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


@dataclass(frozen=True, slots=True, eq=False)
class CommonObjects:
    """The objects that fix the zero of the biases in the gauge "common".

    Attributes
    ----------
    among
        (N,) whether an assessment is of one of them.
    object_confidence
        (n_objects,) C_o of these objects, 0 elsewhere.
    assessor_confidence
        (n_assessors,) each assessor's confidence in them, summed.
    known
        (n_objects,) their known values in score units, 0 elsewhere; None where they are not known.
    """

    among: Mask
    object_confidence: Array
    assessor_confidence: Array
    known: Array | None

    @property
    def total(self) -> float:
        """Sum of the confidences in them."""
        return float(self.object_confidence.sum())

    @property
    def mean_known(self) -> float:
        """Confidence-weighted mean of the known values; NaN where they are not known."""
        return float("nan") if self.known is None else _dot(self.object_confidence, self.known) / self.total


def common_objects(panel: Panel, common: Common) -> CommonObjects:
    """Find the objects that are to fix the zero in a panel.

    Raises
    ------
    MethodNotApplicable
        If there are none, one is not in the panel, or a known value is no finite number.
    """
    labels = list(common)
    place = {label: k for k, label in enumerate(panel.objects)}
    strangers = [label for label in labels if label not in place]
    if strangers or not labels:
        named = f"{strangers[0]} is not among the objects." if strangers else "None is named."
        raise MethodNotApplicable(f'The gauge "common" needs the objects that fix the zero: {named}')
    chosen = np.zeros(panel.n_objects, dtype=np.bool_)
    chosen[[place[label] for label in labels]] = True
    known = None
    if isinstance(common, Mapping):
        known = np.zeros(panel.n_objects)
        known[[place[label] for label in labels]] = [float(value) for value in common.values()]
        if not np.isfinite(known).all():
            raise MethodNotApplicable("The known value of a common object must be a finite number.")
    among = chosen[panel.object_index]
    confidences = np.where(among, panel.confidences, 0.0)
    return CommonObjects(among, panel.object_totals(confidences), panel.assessor_totals(confidences), known)


def make_gauge(
    name: str, totals: Confidences, reference: float | None, common: CommonObjects | None = None, origin: float = 0.0
) -> Gauge:
    """Return the gauge of that name; the target of "reference" is for values measured from the same origin as it.

    "common" needs the common objects; their known values are taken to be measured from 0, the values from `origin`.

    "reference" without a number stands for the confidence-weighted mean that follows the scores, which the paper shows
    to be the same as eq. (36).

    Raises
    ------
    MethodNotApplicable
        If the name is unknown or a reference is given to another gauge.
    """
    if name not in get_args(GaugeName):
        raise MethodNotApplicable(f'"{name}" is not a gauge: choose weighted, equal, reference or common.')
    if reference is not None and name != "reference":
        raise MethodNotApplicable(f'A reference value goes with the gauge "reference", not with "{name}".')
    objects, assessors = totals.object_confidence, totals.assessor_confidence
    if (common is None) == (name == "common"):
        raise MethodNotApplicable('Common objects go with the gauge "common", and it with them.')
    if common is not None:
        if common.known is None:
            return Gauge(np.zeros_like(objects), common.assessor_confidence, 0.0)
        weights = common.object_confidence
        return Gauge(
            weights, np.zeros_like(assessors), _dot(weights, np.where(weights > 0, common.known - origin, 0.0))
        )
    if name == "equal":
        return Gauge(np.zeros_like(objects), np.ones_like(assessors), 0.0)
    if reference is None:
        return Gauge(np.zeros_like(objects), assessors, 0.0)
    return Gauge(objects, -assessors, totals.total_confidence * reference)


def _dot(one: Array, two: Array) -> float:
    """Scalar product by numpy itself: a linear algebra library would share it out among threads and round otherwise."""
    return float(np.einsum("i,i->", one, two))
