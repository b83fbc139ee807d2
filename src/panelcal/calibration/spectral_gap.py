"""lambda_2 of D'D and mu_2 = 1 - sqrt(lambda_2), eq. (32): how firmly a panel's scale holds together.

1 - lambda_2 is the inverse of the largest eigenvalue of the scaled inverse, which is accurate however weak the links
are. Near lambda_2 = 0 (complete designs) the square root would lose half of the digits, so there sqrt(lambda_2) is a
singular value of D itself with the known top pair removed. Large panels are left to Lanczos' method: applied to the
inverse where a direct factor is at hand, to D'D where the panel is well linked.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from scipy import linalg

from panelcal.arrays import Array
from panelcal.calibration.kept_system import KeptSystem
from panelcal.panel import as_dense

_NEARLY_COMPLETE = 0.1
_WHOLE_SPECTRUM = 200  # kept nodes: up to here LAPACK's whole spectrum is quicker
_PRECISION = 1e-5  # of the eigenvector; that of the eigenvalue is about its square
_SPREAD_OUT, _CROWDED = 20, 60  # Lanczos vectors: weak links stand out in the inverse, D'D has many eigenvalues alike


def lambda2_and_mu2(system: KeptSystem) -> tuple[float, float]:
    """Return lambda_2 and mu_2, mu_2 to about 12 digits (at least 6 where found by Lanczos' method).

    Needs two nodes or more on either side. NaN where Lanczos' method does not settle, as it may on a large, very weakly
    linked panel that no direct factor fits.
    """
    small = len(system.kept_confidence) <= _WHOLE_SPECTRUM
    if small:
        gap = 1.0 / _largest_of_inverse(system.dense.inverse, system.kept_confidence)
    elif system.solver == "conjugate gradients":
        gap = 1.0 - _largest_by_lanczos(_normal_operator(system))
    else:
        gap = 1.0 / _largest_by_lanczos(_inverse_operator(system), _SPREAD_OUT)
    if np.isnan(gap):
        return gap, gap
    gap = min(gap, 1.0)  # 1 - lambda_2
    singular = np.sqrt(1.0 - gap)
    if singular < _NEARLY_COMPLETE:
        singular = _second_singular_value(system) if small else max(_largest_by_lanczos(_both_sides(system)), 0.0)
        return singular**2, 1.0 - singular
    return float(1.0 - gap), float(gap / (1.0 + singular))


def _largest_of_inverse(inverse: Array, weights: Array) -> float:
    root, total = np.sqrt(weights), weights.sum()
    mean = inverse @ weights / total
    centred = inverse - mean[:, None] - mean[None, :] + mean @ weights / total
    scaled = centred * root[:, None] * root[None, :]
    # LAPACK's driver for selected eigenvalues fails on complete designs, where all of them coincide.
    return float(linalg.eigvalsh(scaled, driver="evd", check_finite=False)[-1])


def _second_singular_value(system: KeptSystem) -> float:
    left, right = np.sqrt(system.eliminated_confidence), np.sqrt(system.kept_confidence)
    d = as_dense(system.shares) * left[:, None] / right[None, :]
    d -= np.multiply.outer(left, right) / system.kept_confidence.sum()
    return float(linalg.svdvals(d, check_finite=False)[0])


def _largest_by_lanczos(operator: scipy.sparse.linalg.LinearOperator, vectors: int = _CROWDED) -> float:
    start = np.random.default_rng(0).standard_normal(operator.shape[0])
    size = min(vectors, len(start) - 1)
    try:
        found = scipy.sparse.linalg.eigsh(
            operator, k=1, which="LA", v0=start, ncv=size, tol=_PRECISION, return_eigenvectors=False
        )
    except scipy.sparse.linalg.ArpackNoConvergence:
        return float("nan")
    return float(found[0])


def _inverse_operator(system: KeptSystem) -> scipy.sparse.linalg.LinearOperator:
    """Moore-Penrose inverse of I - D'D."""
    weights, root = system.kept_confidence, np.sqrt(system.kept_confidence)
    total = weights.sum()

    def multiply(x: Array) -> Array:
        right = root * x.ravel()
        solved = system.solve(right - weights * (right.sum() / total))
        return root * (solved - weights @ solved / total)

    return scipy.sparse.linalg.LinearOperator((len(root), len(root)), matvec=multiply, dtype=np.float64)


def _normal_operator(system: KeptSystem) -> scipy.sparse.linalg.LinearOperator:
    """D'D with the known top pair removed."""
    root = np.sqrt(system.kept_confidence)
    top = root / np.sqrt(system.kept_confidence.sum())
    if system.has_few_pairs:
        table = system.table / np.multiply.outer(root, root)
        np.fill_diagonal(table, 0.0)
        np.fill_diagonal(table, 1.0 - table @ root / root)  # all rows of D'D applied to the top vector give it again
        table -= np.multiply.outer(top, top)
        return scipy.sparse.linalg.aslinearoperator(table)

    def multiply(x: Array) -> Array:
        vector = x.ravel() - top * (top @ x.ravel())
        image = system.links.T @ ((system.links @ (vector / root)) / system.eliminated_confidence) / root
        return image - top * (top @ image)

    return scipy.sparse.linalg.LinearOperator((len(root), len(root)), matvec=multiply, dtype=np.float64)


def _both_sides(system: KeptSystem) -> scipy.sparse.linalg.LinearOperator:
    """D and D' side by side, whose eigenvalues are the singular values of D, with the known top pair removed."""
    left, right = np.sqrt(system.eliminated_confidence), np.sqrt(system.kept_confidence)
    total, n = system.kept_confidence.sum(), len(left)

    def multiply(x: Array) -> Array:
        one, two = x.ravel()[:n], x.ravel()[n:]
        on_one = (system.links @ (two / right)) / left - left * (right @ two / total)
        on_two = (system.links.T @ (one / left)) / right - right * (left @ one / total)
        return np.concatenate([on_one, on_two])

    return scipy.sparse.linalg.LinearOperator((n + len(right), n + len(right)), matvec=multiply, dtype=np.float64)
