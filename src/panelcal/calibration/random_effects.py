"""Values and biases both random (Ge, Welling and Ghahramani; the scheme used for NIPS 2013).

s ~ N(mu, t_v Z Z' + t_b W W' + w diag(1/c)), Z and W saying which object and which assessor each score belongs to. The
three variances come from the restricted likelihood (REML), values and biases are the best linear unbiased predictions.

With g_v = sqrt(t_v/w), g_b = sqrt(t_b/w) the predictions are g_v x, g_b y of the mixed-model equations (Henderson 1953)

    [1 + g_v^2 C_o     g_v g_b c_ao ] [x]   [g_v sum of c (s - mu)]
    [g_v g_b c_ao     1 + g_b^2 C'_a] [y] = [g_b sum of c (s - mu)]

whose determinant is that of the likelihood, also where a variance is 0. The larger side is diagonal and is eliminated,
so only the smaller side is dense: a second or two for InstEval's 73,421 ratings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import linalg
from scipy.optimize import minimize

from panelcal.errors import MethodNotApplicable
from panelcal.network import require_connected
from panelcal.panel import Panel, as_dense

Array = NDArray[np.float64]

FEWEST_OBJECTS = 4
FEWEST_ASSESSORS = 3
_FARTHEST = 18.0  # search the logarithm of each variance ratio this far either side of a typical one
_NEGLIGIBLE = 1e-3  # below this share of a score's variance, no variance at all is tried as well
_NO_NOISE = 1e-6  # the search ends at ratios of about 1e8
_NEWTON_STEPS = 6
_DIFFERENCE = 1e-4
_SETTLED = 1e-5  # a Newton step this small leaves an error a thousand times smaller


@dataclass(frozen=True, slots=True, eq=False)
class RandomEffects:
    """Best linear unbiased predictions with variances by REML.

    Attributes
    ----------
    panel
        What was fitted.
    values
        (n_objects,) mu + u_o, in score units; drawn towards mu the more, the less was said about an object.
    value_errors
        (n_objects,) prediction errors, that of mu included, given the variances: a little too small.
    biases
        (n_assessors,) in score units, mean 0 among all assessors that might have been.
    mean, mean_error
        mu and its standard error.
    value_variance, bias_variance, noise_variance
        t_v, t_b and w (of a score of confidence 1), in score units squared. A bias variance of 0 is plain averaging
        with shrinkage.
    log_likelihood
        Restricted log likelihood at the maximum.
    """

    panel: Panel
    values: Array
    value_errors: Array
    biases: Array
    mean: float
    mean_error: float
    value_variance: float
    bias_variance: float
    noise_variance: float
    log_likelihood: float


def random_effects(panel: Panel) -> RandomEffects:
    """Fit values and biases as random.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected: the model would join its groups by assumption alone.
    MethodNotApplicable
        If there are too few objects, assessors or scores to estimate variances from.
    """
    if panel.n_objects < FEWEST_OBJECTS or panel.n_assessors < FEWEST_ASSESSORS:
        raise MethodNotApplicable(
            f"Variances cannot be estimated from {panel.n_objects} objects and {panel.n_assessors} assessors: it takes "
            f"at least {FEWEST_OBJECTS} and {FEWEST_ASSESSORS}."
        )
    if panel.n_assessments < panel.n_objects + panel.n_assessors:
        raise MethodNotApplicable("There are no more scores than unknowns, so variances cannot be estimated.")
    require_connected(panel)
    problem = _Problem.of(panel)
    if not problem.spread > 0:
        raise MethodNotApplicable("All scores are alike, so there are no variances to estimate.")
    best = problem.at(*_maximise(problem))
    if best.noise <= _NO_NOISE * problem.spread:
        raise MethodNotApplicable(
            "Values and biases fit the scores exactly, so there is no noise to compare them with."
        )
    return best.result(panel)


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """What does not change between evaluations; "kept" is the smaller side, "gone" the eliminated one."""

    keeps_assessors: bool
    weights: Array | sp.csr_array  # (n_gone, n_kept) confidences
    totals: tuple[Array, Array]  # confidence per gone and per kept node
    sums: tuple[Array, Array]  # confidence x centred score per gone and per kept node
    squares: float  # sum of c x centred score^2
    total: float  # C
    logs: float  # sum of log c
    count: int
    centre: float

    @classmethod
    def of(cls, panel: Panel) -> _Problem:
        c = panel.confidences
        centre = float(panel.scores[0] + c @ (panel.scores - panel.scores[0]) / c.sum())
        left = panel.scores - centre
        table = panel.table(c)
        totals = (panel.object_totals(c), panel.assessor_totals(c))
        sums = (panel.object_totals(c * left), panel.assessor_totals(c * left))
        keeps_assessors = panel.n_assessors <= panel.n_objects
        if not keeps_assessors:
            table = table.T if isinstance(table, np.ndarray) else table.T.tocsr()
            totals, sums = totals[::-1], sums[::-1]
        return cls(
            keeps_assessors=keeps_assessors,
            weights=table,
            totals=totals,
            sums=sums,
            squares=float(c @ left**2),
            total=float(c.sum()),
            logs=float(np.log(c).sum()),
            count=panel.n_assessments,
            centre=centre,
        )

    @property
    def spread(self) -> float:
        """Weighted sum of squares per score."""
        return self.squares / self.count

    def at(self, gone_ratio: float, kept_ratio: float) -> _Evaluation:
        """Solve the mixed-model equations at these variance ratios, t/w, of the two sides."""
        gone_root, kept_root = np.sqrt(gone_ratio), np.sqrt(kept_ratio)
        gone_total, kept_total = self.totals
        diagonal = 1 + gone_ratio * gone_total
        across = self.weights * (gone_root * kept_root)
        reach = sp.diags_array(1 / diagonal) @ across if sp.issparse(across) else across / diagonal[:, None]
        system = -as_dense(across.T @ reach)
        system[np.diag_indices_from(system)] += 1 + kept_ratio * kept_total
        factor = linalg.cholesky(system, lower=True, check_finite=False)

        def solve(gone: Array, kept: Array) -> tuple[Array, Array]:
            inner = linalg.cho_solve((factor, True), kept - reach.T @ gone, check_finite=False)
            return gone / diagonal - reach @ inner, inner

        # H^-1 y = C y - C U M^-1 U' C y with U = [g_v Z, g_b W], for the scores and for the constant.
        score_side = gone_root * self.sums[0], kept_root * self.sums[1]
        constant_side = gone_root * gone_total, kept_root * kept_total
        score = solve(*score_side)
        constant = solve(*constant_side)
        information = self.total - _dot(constant_side, constant)
        cross = float(self.sums[0].sum()) - _dot(constant_side, score)
        mean = cross / information
        remainder = self.squares - _dot(score_side, score) - mean * cross
        noise = max(remainder, 0.0) / (self.count - 1)
        # log|H| + log|X' H^-1 X|, H the covariance of the scores over w
        determinant = (
            2 * float(np.log(factor.diagonal()).sum()) + float(np.log(diagonal).sum()) - self.logs + np.log(information)
        )
        prediction = score[0] - mean * constant[0], score[1] - mean * constant[1]
        return _Evaluation(
            self, gone_ratio, kept_ratio, diagonal, reach, factor, constant, information, mean, noise, determinant,
            prediction,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Evaluation:
    """The mixed-model equations solved at given ratios."""

    problem: _Problem
    gone_ratio: float
    kept_ratio: float
    diagonal: Array
    reach: Array | sp.csr_array
    factor: Array
    constant: tuple[Array, Array]
    information: float
    mean: float
    noise: float
    determinant: float
    prediction: tuple[Array, Array]

    @property
    def deviance(self) -> float:
        """-2 x restricted log likelihood with mu and w profiled out, without the constant."""
        free = self.problem.count - 1
        return self.determinant + free * float(np.log(max(self.noise, 1e-300)))

    def inverse(self) -> Array:
        """(n_kept, n_kept) inverse of the system on the kept side."""
        full, _ = linalg.lapack.dpotri(self.factor, lower=1)
        return np.tril(full) + np.tril(full, -1).T

    def slopes(self) -> Array:
        """(2,) derivatives of the deviance by the logarithms of the two ratios.

        By log ratio of one side the determinant changes by (number of nodes - trace of that block of the inverse, the
        mean's part included), and the weighted sum of squares by -(sum of squared predictions).
        """
        inverse = self.inverse()
        kept_trace = float(np.trace(inverse))
        gone_trace = float((1 / self.diagonal).sum() + (inverse * as_dense(self.reach.T @ self.reach)).sum())
        traces = np.array([gone_trace, kept_trace])
        for_mean = np.array([part @ part for part in self.constant]) / self.information
        sizes = np.array([len(part) for part in self.prediction])
        squares = np.array([part @ part for part in self.prediction])
        return sizes - traces - for_mean - squares / self.noise

    def result(self, panel: Panel) -> RandomEffects:
        """Turn it into values and errors."""
        problem = self.problem
        roots = np.sqrt([self.gone_ratio, self.kept_ratio])
        inverse = self.inverse()
        through = self.reach @ inverse
        passed = np.asarray((through * self.reach).sum(axis=1)).ravel()
        blocks = 1 / self.diagonal + passed, inverse.diagonal()
        predictions = [root * part for root, part in zip(roots, self.prediction, strict=True)]
        side = 0 if problem.keeps_assessors else 1
        # Of mu + u_o - its truth: the inverse's block, and what not knowing mu adds.
        variances = roots[side] ** 2 * blocks[side]
        variances = variances + (1 - roots[side] * self.constant[side]) ** 2 / self.information
        ratios = (self.gone_ratio, self.kept_ratio)
        free = problem.count - 1
        return RandomEffects(
            panel=panel,
            values=problem.centre + (self.mean + predictions[side]),
            value_errors=np.sqrt(self.noise * variances),
            biases=predictions[1 - side],
            mean=problem.centre + self.mean,
            mean_error=float(np.sqrt(self.noise / self.information)),
            value_variance=ratios[side] * self.noise,
            bias_variance=ratios[1 - side] * self.noise,
            noise_variance=self.noise,
            log_likelihood=-0.5 * (self.deviance + free * (1 + np.log(2 * np.pi))),
        )


def _maximise(problem: _Problem) -> tuple[float, float]:
    """Variance ratios (gone, kept) at the maximum of the restricted likelihood, boundaries included."""
    typical = problem.count / problem.total  # mean of 1/c, roughly: where both variances equal the noise

    def from_logs(logs: Array) -> tuple[float, float]:
        return typical * float(np.exp(logs[0])), typical * float(np.exp(logs[1]))

    def target(logs: Array) -> tuple[float, Array]:
        evaluation = problem.at(*from_logs(logs))
        if evaluation.noise <= 0:
            return evaluation.deviance, np.zeros(2)
        return evaluation.deviance, evaluation.slopes()

    bounds = [(-_FARTHEST, _FARTHEST)] * 2
    found = minimize(target, np.zeros(2), jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-8})
    best, ratios = float(found.fun), from_logs(found.x)
    small = np.array(ratios) < _NEGLIGIBLE * typical
    if not small.any():
        return from_logs(_polished(lambda logs: target(logs)[1], found.x))
    for on_edge in ((0.0, None), (None, 0.0), (0.0, 0.0)):
        if any(edge == 0.0 and not is_small for edge, is_small in zip(on_edge, small, strict=True)):
            continue
        candidate, deviance = _on_edge(problem, on_edge, typical)
        if deviance <= best + 1e-9:
            best, ratios = deviance, candidate
    return ratios


def _polished(slopes_at: Callable[[Array], Array], logs: Array) -> Array:
    """Newton steps to the zero of the slopes; one curvature, by differences, serves them all."""
    slopes = slopes_at(logs)
    curvature = np.column_stack([(slopes_at(logs + step) - slopes) / _DIFFERENCE for step in _DIFFERENCE * np.eye(2)])
    curvature = (curvature + curvature.T) / 2
    if np.linalg.eigvalsh(curvature)[0] <= 0:
        return logs
    for _ in range(_NEWTON_STEPS):
        move = -np.linalg.solve(curvature, slopes)
        if np.abs(move).max() > 1:
            break
        logs = logs + move
        if np.abs(move).max() < _SETTLED:
            break
        slopes = slopes_at(logs)
    return logs


def _on_edge(
    problem: _Problem, on_edge: tuple[float | None, float | None], typical: float
) -> tuple[tuple[float, float], float]:
    """Maximise with one ratio or both held at zero."""
    open_side = [k for k in range(2) if on_edge[k] is None]
    if not open_side:
        return (0.0, 0.0), problem.at(0.0, 0.0).deviance
    side = open_side[0]

    def ratios(log: float) -> tuple[float, float]:
        other = typical * float(np.exp(log))
        return (other, 0.0) if side == 0 else (0.0, other)

    def target(log: Array) -> tuple[float, float]:
        evaluation = problem.at(*ratios(float(log[0])))
        return evaluation.deviance, float(evaluation.slopes()[side])

    found = minimize(
        target, np.zeros(1), jac=True, method="L-BFGS-B", bounds=[(-_FARTHEST, _FARTHEST)],
        options={"ftol": 1e-14, "gtol": 1e-9},
    )  # fmt: skip
    return ratios(float(found.x[0])), float(found.fun)


def _dot(one: tuple[Array, Array], two: tuple[Array, Array]) -> float:
    return float(one[0] @ two[0] + one[1] @ two[1])
