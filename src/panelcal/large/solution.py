"""The system (15) between kept members, solved: as a square table, or by conjugate gradients over a stream of pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from panelcal.arrays import Array, Indices
from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.dense_factor import DenseFactor, dense_factor
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

if TYPE_CHECKING:
    from panelcal.large.pair_stream import PairStream


_TIGHT, _MANY_STEPS = 1e-12, 2_000
_TIGHTER, _FEW_STEPS = 1e-14, 100
_WHOLE_SPECTRUM = 400
_LANCZOS_VECTORS, _LANCZOS_PRECISION = 24, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Solver:
    """How right-hand sides are turned into solutions, each group's ground held at zero.

    Attributes
    ----------
    name
        "square table" or "conjugate gradients".
    quick
        (n_kept,) to the same, or to None where links are too weak for a quick way.
    solve
        (n_kept,) or (n_kept, m) to the same shape, whatever the links.
    inverse
        Works out the generalised inverse Z (n_kept, n_kept), once; None where it is too large.
    mu2
        Works out 1 - sqrt(lambda_2), eq. (32), of each group, the largest group first; NaN where it has one member a
        side.
    """

    name: str
    quick: Callable[[Array], Array | None]
    solve: Callable[[Array], Array]
    inverse: Callable[[], Array | None]
    mu2: Callable[[], tuple[float, ...]]


def square_solver(conductance: Array, group: Indices, confidence: Array) -> Solver:
    """Solve by conjugate gradients where links are strong, else by factoring each group of the table by itself."""
    members = _members(group)
    grounded = _Grounded(confidence, group, np.array([own[np.argmax(confidence[own])] for own in members]))

    @cache
    def factors() -> list[DenseFactor]:
        if len(members) == 1:
            return [dense_factor(conductance, int(grounded.grounds[0]))]
        return [dense_factor(conductance[np.ix_(own, own)], int(np.argmax(confidence[own]))) for own in members]

    @cache
    def inverse() -> Array:
        if len(members) == 1:
            return factors()[0].inverse
        whole = np.zeros_like(conductance)
        for own, factor in zip(members, factors(), strict=True):
            whole[np.ix_(own, own)] = factor.inverse
        return whole

    def quick(right: Array) -> Array | None:
        return grounded.solve(
            lambda x: confidence * x - conductance @ x, right, tolerance=_TIGHTER, most_steps=_FEW_STEPS
        )

    def solve(right: Array) -> Array:
        solution = np.zeros_like(right)
        for own, factor in zip(members, factors(), strict=True):
            solution[own] = factor.solve(right[own])
        return solution

    def mu2() -> tuple[float, ...]:
        both = zip(factors(), members, strict=True)
        return tuple(_mu2_of_inverse(factor.inverse, confidence[own]) for factor, own in both)

    return Solver("square table", quick, solve, inverse, mu2)


def streaming_solver(stream: PairStream, group: Indices, confidence: Array) -> Solver:
    """Multiply with the system piece by piece, as often as conjugate gradients take.

    Raises
    ------
    MethodNotApplicable
        When solving, if the members hang together by links so weak that it would take thousands of passes.
    """
    grounds = np.array([own[np.argmax(confidence[own])] for own in _members(group)])
    grounded = _Grounded(confidence, group, grounds)

    def solve(right: Array) -> Array:
        found = grounded.solve(
            lambda x: stream.multiply(confidence, x), right, tolerance=_TIGHT, most_steps=_MANY_STEPS
        )
        if found is None:
            raise MethodNotApplicable(
                "The panel hangs together by links so weak, for its size, that it cannot be calibrated as a whole: "
                "calibrate parts of it by themselves."
            )
        return found

    def mu2() -> tuple[float, ...]:
        return (_mu2_by_streaming(stream, group, confidence),)

    return Solver("conjugate gradients", lambda right: None, solve, lambda: None, mu2)


@dataclass(frozen=True, slots=True, eq=False)
class _Grounded:
    """Conjugate gradients with the ground of each group held at zero.

    Attributes
    ----------
    confidence, group
        (n_kept,) total confidence and connected group of each.
    grounds
        (n_groups,) the member of each group that is held at zero.
    """

    confidence: Array
    group: Indices
    grounds: Indices

    def solve(
        self, multiply: Callable[[Array], Array], right: Array, *, tolerance: float, most_steps: int
    ) -> Array | None:
        """Solve; None if it would take more steps."""
        balanced = right.copy()
        for k, ground in enumerate(self.grounds):
            balanced[ground] -= balanced[self.group == k].sum(axis=0)
        found = conjugate_gradients(multiply, self.confidence, balanced, tolerance=tolerance, most_steps=most_steps)
        return found.solution - found.solution[self.grounds[self.group]] if found.reached else None


def _members(group: Indices) -> list[Indices]:
    return [np.flatnonzero(group == k) for k in range(int(group.max()) + 1)]


def _mu2_of_inverse(inverse: Array, weights: Array) -> float:
    """1 - lambda_2 is the inverse of the largest eigenvalue of the scaled, centred inverse (see `spectral_gap`)."""
    if len(weights) < 2:
        return float("nan")
    root, total = np.sqrt(weights), weights.sum()
    mean = inverse @ weights / total
    centred = inverse - mean[:, None] - mean[None, :] + mean @ weights / total
    scaled = centred * root[:, None] * root[None, :]
    if len(weights) <= _WHOLE_SPECTRUM:
        largest = float(linalg.eigvalsh(scaled, driver="evd", check_finite=False)[-1])
    else:
        start = np.random.default_rng(0).standard_normal(len(weights))
        largest = float(eigsh(scaled, k=1, which="LA", v0=start, return_eigenvectors=False)[0])
    return 1.0 - float(np.sqrt(max(1.0 - 1.0 / largest, 0.0)))


def _mu2_by_streaming(stream: PairStream, group: Indices, confidence: Array) -> float:
    """Find lambda_2 of the largest group by a few Lanczos vectors, to about three digits."""
    root = np.where(group == 0, np.sqrt(confidence), 0.0)
    top = root / np.linalg.norm(root)
    inside = root > 0

    def multiply(x: Array) -> Array:
        vector = x.ravel() - top * (top @ x.ravel())
        scaled = np.where(inside, vector / np.where(inside, root, 1.0), 0.0)
        image = confidence * scaled - stream.multiply(confidence, scaled)
        image = np.where(inside, image / np.where(inside, root, 1.0), 0.0)
        return image - top * (top @ image)

    operator = LinearOperator((len(root), len(root)), matvec=multiply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(len(root))
    try:
        found = eigsh(
            operator, k=1, which="LA", v0=start, ncv=min(_LANCZOS_VECTORS, len(root) - 1), tol=_LANCZOS_PRECISION,
            return_eigenvectors=False,
        )  # fmt: skip
    except ArpackNoConvergence:
        return float("nan")
    return 1.0 - float(np.sqrt(min(max(float(found[0]), 0.0), 1.0)))
