"""The system (15) between kept members, solved: as a square table, or by conjugate gradients over a stream of pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.dense_factor import DenseFactor, dense_factor
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.large.network import Square
from panelcal.large.pair_stream import PairStream

Array = NDArray[np.float64]

_TIGHT, _MANY_STEPS = 1e-12, 2_000
_WHOLE_SPECTRUM = 400
_LANCZOS_VECTORS, _LANCZOS_PRECISION = 24, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Solver:
    """How right-hand sides are turned into solutions, each group's ground held at zero.

    Attributes
    ----------
    name
        "square table" or "conjugate gradients".
    solve
        (n_kept,) or (n_kept, m) to the same shape.
    inverse
        (n_kept, n_kept) the generalised inverse Z; None where it is too large.
    mu2
        Works out 1 - sqrt(lambda_2), eq. (32), of each group, the largest group first; NaN where it has one member a
        side. Nothing else waits for it.
    """

    name: str
    solve: Callable[[Array], Array]
    inverse: Array | None
    mu2: Callable[[], tuple[float, ...]]


def square_solver(square: Square, group: NDArray[np.intp], confidence: Array) -> Solver:
    """Factor each group of the square table by itself."""
    members = [np.flatnonzero(group == k) for k in range(int(group.max()) + 1)]
    factors: list[DenseFactor] = []
    inverse = np.zeros_like(square.conductance)
    for own in members:
        block = np.ix_(own, own)
        factor = dense_factor(square.conductance[block], int(np.argmax(confidence[own])))
        inverse[block] = factor.inverse
        factors.append(factor)

    def solve(right: Array) -> Array:
        solution = np.zeros_like(right)
        for own, factor in zip(members, factors, strict=True):
            solution[own] = factor.solve(right[own])
        return solution

    def mu2() -> tuple[float, ...]:
        both = zip(factors, members, strict=True)
        return tuple(_mu2_of_inverse(factor.inverse, confidence[own]) for factor, own in both)

    return Solver("square table", solve, inverse, mu2)


def streaming_solver(stream: PairStream, group: NDArray[np.intp], confidence: Array) -> Solver:
    """Multiply with the system piece by piece, as often as conjugate gradients take.

    Raises
    ------
    MethodNotApplicable
        When solving, if the members hang together by links so weak that it would take thousands of passes.
    """
    grounds = [own[np.argmax(confidence[own])] for own in (np.flatnonzero(group == k) for k in range(group.max() + 1))]

    def solve(right: Array) -> Array:
        balanced = right.copy()
        for k, ground in enumerate(grounds):
            balanced[ground] -= balanced[group == k].sum(axis=0)
        found = conjugate_gradients(
            lambda x: stream.multiply(confidence, x), confidence, balanced, tolerance=_TIGHT, most_steps=_MANY_STEPS
        )
        if not found.reached:
            raise MethodNotApplicable(
                "The panel hangs together by links so weak, for its size, that it cannot be calibrated as a whole: "
                "calibrate parts of it by themselves."
            )
        return found.solution - found.solution[np.array(grounds)[group]]

    return Solver("conjugate gradients", solve, None, lambda: (_mu2_by_streaming(stream, group, confidence),))


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


def _mu2_by_streaming(stream: PairStream, group: NDArray[np.intp], confidence: Array) -> float:
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
