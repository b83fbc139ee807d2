"""Noise and bias variances with the objects fixed, so that streamed assignment does no harm: by REML, or by moments."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from scipy import linalg

from panelcal.arrays import Array
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.line_search import lowest_on_line
from panelcal.panel import as_dense

_SMALLEST, _LARGEST = 1e-10, 1e30  # bias variance over noise variance, in units of the system's mean


def object_shares(fit: Calibration) -> Array | scipy.sparse.csr_array:
    """Shares c_ao/C_o (n_objects, n_assessors): rows sum to 1."""
    equations, panel = fit.equations, fit.panel
    if equations.keeps_assessors:
        return equations.shares
    return panel.table(panel.confidences / equations.object_confidence[panel.object_index])


def assessor_system(fit: Calibration, shares: Array | scipy.sparse.csr_array) -> tuple[Array, Array]:
    """Eigenvalues (n_assessors,) and eigenvectors of the system (15) between assessors; the null one comes first."""
    panel, equations = fit.panel, fit.equations
    weights = panel.table(panel.confidences)
    system = np.diag(equations.assessor_confidence) - as_dense(weights.T @ shares)
    powers, directions = linalg.eigh(system, check_finite=False, driver="evd")
    # A connected panel has exactly one null direction, all biases alike.
    powers[0] = 0.0
    directions[:, 0] = 1 / np.sqrt(len(powers))
    return np.maximum(powers, 0.0), directions


def components_by_likelihood(
    biases: Array, residual_sum: float, n: int, powers: Array, directions: Array
) -> tuple[float, float]:
    """Noise variance w and the ratio (bias variance)/w by REML, objects fixed; n is assessments less objects.

    In the eigenvectors of (15) the estimated biases' projections t_i are independent, N(0, w s_i (1 + ratio s_i)) after
    scaling by s_i, and R is independent of them, so the restricted likelihood needs nothing else.
    """
    s = np.maximum(powers, np.finfo(np.float64).tiny)
    t = s * (directions.T @ biases)

    def noise_at(ratios: Array) -> Array:
        return (residual_sum + (t**2 / (s * (1 + ratios[:, None] * s))).sum(axis=1)) / n

    def criterion(ratios: Array) -> Array:
        return n * np.log(noise_at(ratios)) + np.log1p(ratios[:, None] * s).sum(axis=1)

    # The criterion can have two minima.
    ends = np.log(_SMALLEST / s.mean()), np.log(_LARGEST / s.mean())
    place, lowest = lowest_on_line(lambda logs: criterion(np.exp(logs)), *ends)
    none = np.zeros(1)
    ratio = none if lowest >= criterion(none)[0] else np.exp([place])
    return float(noise_at(ratio)[0]), float(ratio[0])


def components_by_moments(noise: float, explained: float, trace: float, n_assessors: int) -> tuple[float, float]:
    """Noise variance w and the ratio (bias variance)/w: what biases explain has mean w (N_A - 1) + variance x trace.

    `trace` is that of the system (15) between assessors.
    """
    surplus = explained - noise * (n_assessors - 1)
    return noise, max(surplus / trace, 0.0) / noise if trace > 0 else 0.0


def system_trace(fit: Calibration, shares: Array | scipy.sparse.csr_array) -> float:
    """Trace of the system (15) between assessors."""
    own = (shares * shares).T @ fit.equations.object_confidence
    return float((fit.equations.assessor_confidence - own).sum())


def object_variance(fit: Calibration) -> float:
    """Variance of the true values: that of the calibrated ones less their estimation error; NaN for one object."""
    n = fit.panel.n_objects
    if n < 2:
        return float("nan")
    diagonal, _ = fit.equations.diagonals()
    together, _ = fit.equations.apply_inverse(np.ones(n), np.zeros(fit.panel.n_assessors))
    added = fit.w_unbiased * float(diagonal.sum() - together.sum() / n) / (n - 1)
    return max(float(np.var(fit.values, ddof=1)) - added, 0.0)
