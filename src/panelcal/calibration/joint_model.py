"""Values and biases both normal: how likely given spreads are, and values and biases under them.

    s_ao = v_o + b_a + noise of variance w/c_ao,   b_a ~ N(0, beta^2),   v_o = mu + gamma (S b)_o + N(0, t_e)

S holds the shares c_ao/C_o, so (S b)_o is the mean bias of an object's own assessors: gamma is not 0 where able objects
met generous (or severe) assessors. mu is flat and w has the prior 1/w; both are integrated out. A point is

    x = tau/sqrt(w), y = beta/sqrt(w), rho = corr(v_o, (S b)_o),   gamma (S b)_o of standard deviation rho tau

with w that of a score of typical confidence. Given a point and the biases, values are independent, so only a system
between the assessors is dense: that of eq. (15) with two terms more.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from scipy import linalg

from panelcal.arrays import Array
from panelcal.calibration.gauges import Gauge
from panelcal.calibration.least_squares import Calibration
from panelcal.frozen import dataclass
from panelcal.panel import as_dense

_ALIKE = 1e-9  # mean square of differences between shares below which all objects had the same assessors


@dataclass(frozen=True, slots=True, eq=False)
class PointFit:
    """The joint model at one point; everything per unit of w, at confidences of mean 1.

    Attributes
    ----------
    log_density
        Logarithm of the restricted likelihood, w integrated out, up to a constant.
    squares
        Weighted sum of squares at the optimum: w is about squares/(N - 1).
    factor
        (n_assessors + 1, n_assessors + 1) lower Cholesky factor for (b/beta, mu).
    solution
        (n_assessors + 1,) estimates of (b/beta, mu), in score units.
    kept
        (n_objects,) share that an object's own scores have in its value; the rest is the prior mean's.
    bias_spread, pull
        beta, and gamma beta: what one unit of b/beta adds to a score, and to the prior mean.
    """

    log_density: float
    squares: float
    factor: Array
    solution: Array
    kept: Array
    bias_spread: float
    pull: float


class JointModel:
    """The joint model of one calibrated panel.

    Attributes
    ----------
    scale
        Typical 1/confidence; confidences times this have mean 1.
    own
        (n_objects,) 1/C_o at confidences of mean 1.
    shares
        S (n_objects, n_assessors); sparse where large.
    averages
        (n_objects,) confidence-weighted averages, from the calibration's centre.
    can_see_selection
        Whether the mean biases of objects' assessors differ at all, so that rho means something.
    """

    def __init__(self, fit: Calibration) -> None:
        panel, equations = fit.panel, fit.equations
        self.scale = panel.n_assessments / equations.total_confidence
        self.own = 1 / (equations.object_confidence * self.scale)
        self.shares: Array | scipy.sparse.csr_array = panel.table(
            panel.confidences / equations.object_confidence[panel.object_index]
        )
        self.averages = fit.centred_values + self.shares @ fit.biases
        self._count = panel.n_assessments
        self._biases = fit.biases
        self._residual_sum = fit.weighted_residual_sum * self.scale
        weights = panel.table(panel.confidences * self.scale)
        self._system = np.diag(equations.assessor_confidence * self.scale) - as_dense(weights.T @ self.shares)
        self._right = self._system @ fit.biases
        mean_share = equations.assessor_confidence / equations.total_confidence
        squares = np.asarray((self.shares * self.shares).sum(axis=1)).ravel()
        apart = float(np.mean(squares - 2 * (self.shares @ mean_share) + mean_share @ mean_share))
        self.can_see_selection = apart > _ALIKE
        self._reach = np.sqrt(max(apart, _ALIKE))

    def at(self, value_ratio: float, bias_ratio: float, correlation: float) -> PointFit:
        """Solve at tau/sqrt(w), beta/sqrt(w) and rho."""
        n = len(self._biases)
        free = value_ratio**2 * (1 - correlation**2)
        pull = correlation * value_ratio / self._reach
        slope = bias_ratio + pull
        precision = 1 / (free + self.own)
        weighted = _rows_times(precision, self.shares)
        matrix = np.empty((n + 1, n + 1))
        matrix[:n, :n] = as_dense(self.shares.T @ weighted)
        matrix[:n, :n] *= slope**2
        matrix[:n, :n] += bias_ratio**2 * self._system
        matrix[range(n), range(n)] += 1.0
        to_mean = slope * (self.shares.T @ precision)
        matrix[n, :n] = matrix[:n, n] = to_mean
        matrix[n, n] = precision.sum()
        seen = precision * self.averages
        right = np.append(bias_ratio * self._right + slope * (self.shares.T @ seen), seen.sum())
        factor, _ = linalg.lapack.dpotrf(matrix, lower=True, clean=True)
        solution, _ = linalg.lapack.dpotrs(factor, right, lower=True)
        scores, mean = solution[:n], float(solution[n])
        off = bias_ratio * scores - self._biases
        misses = self.averages - mean - slope * (self.shares @ scores)
        squares = float(self._residual_sum + off @ (self._system @ off) + precision @ misses**2 + scores @ scores)
        determinant = 2 * float(np.log(factor.diagonal()).sum()) - float(np.log(precision).sum())
        density = -0.5 * determinant - 0.5 * (self._count - 1) * float(np.log(squares))
        return PointFit(density, squares, factor, solution, free * precision, bias_ratio, pull)

    def values_at(self, point: PointFit, gauge: Gauge | None) -> tuple[Array, Array]:
        """Return means (n_objects,), from the calibration's centre, and unit variances (n_objects,) of the true values.

        With a gauge the true values are those in that gauge; with None those of assessors whose biases have mean 0.
        """
        n = len(self._biases)
        own = point.kept * self.own  # variance given biases and mu
        slope = (1 - point.kept) * point.pull - point.kept * point.bias_spread
        rows = np.empty((len(own), n + 1))
        rows[:, :n] = as_dense(_rows_times(slope, self.shares))
        rows[:, n] = 1 - point.kept
        constant = point.kept * self.averages
        if gauge is not None:
            on_objects, on_assessors = gauge.objects / gauge.along_null, gauge.assessors / gauge.along_null
            common = -on_objects @ rows
            common[:n] -= point.bias_spread * on_assessors
            constant = constant + (gauge.target / gauge.along_null - on_objects @ constant)
            own = own * (1 - 2 * on_objects) + on_objects**2 @ own
            rows += common
        means = constant + rows @ point.solution
        half = linalg.solve_triangular(point.factor, rows.T, lower=True, check_finite=False, overwrite_b=True)
        return means, own + np.einsum("ko,ko->o", half, half)


def _rows_times(factors: Array, matrix: Array | scipy.sparse.csr_array) -> Array | scipy.sparse.csr_array:
    return factors[:, None] * matrix if isinstance(matrix, np.ndarray) else scipy.sparse.diags_array(factors) @ matrix
