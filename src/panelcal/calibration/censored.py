"""Calibration of scores cut off at the ends of their scale (tobit; Tobin 1958), with a normal prior on values.

A score is v_o + b_a + noise of variance w/c, cut at the lowest and the highest possible score: a top mark says "at
least so much". Values are normal around their mean with variance t, biases are free, so that objects with nothing but
top marks have a value too. The likeliest values and biases come by Newton's method (the problem is concave), w and t by
the EM algorithm, in which a score that was cut off counts with what it may have been.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.special import erfcx, log_ndtr, ndtr, stdtr, stdtrit

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel, as_dense

_MOST_KEPT, _MOST_CELLS = 800, 20_000_000
_MOST_ROUNDS = 200
_SETTLED = 1e-4  # of the logarithm of either variance
_MOST_STEPS = 50
_STILL = 1e-8  # of a typical score's noise
_LEAST_SHARE = 1e-8  # of the scores' variance: below it a variance counts as 0
_QUADRATURE = ((0.0, 2 / 3), (np.sqrt(3.0), 1 / 6), (-np.sqrt(3.0), 1 / 6))


@dataclass(frozen=True, slots=True, eq=False)
class CensoredFit:
    """Values of scores that are cut off at the ends of their scale.

    Attributes
    ----------
    panel
        What was fitted.
    scale
        (low, high), the lowest and highest possible score.
    latent_values, latent_errors
        (n_objects,) and their standard errors in score units, as if the scale had no ends; in gauge (36).
    biases
        (n_assessors,) in score units, sum of C'_a b_a = 0.
    noise_variance, value_variance
        w and t, in score units squared.
    at_least, at_most
        (n_objects,) bool: all its scores are at the top (bottom) of the scale, so the value is a bound.
    freedom
        Degrees of freedom of intervals, N - p.
    calibration
        Calibration with confidence of the same scores, ends of the scale aside.
    """

    panel: Panel
    scale: tuple[float, float]
    latent_values: Array
    latent_errors: Array
    biases: Array
    noise_variance: float
    value_variance: float
    at_least: Mask
    at_most: Mask
    freedom: int
    calibration: Calibration

    @property
    def values(self) -> Array:
        """(n_objects,) in score units, within the scale."""
        return np.clip(self.latent_values, *self.scale)

    @property
    def value_errors(self) -> Array:
        """(n_objects,) standard errors in score units, as if the scale had no ends."""
        return self.latent_errors

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends, within the scale."""
        if not 0 < level < 1:
            raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
        half = float(stdtrit(self.freedom, (1 + level) / 2)) * self.latent_errors
        return np.clip(np.column_stack([self.latent_values - half, self.latent_values + half]), *self.scale)

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary: 1 or 0 outside the scale."""
        low, high = self.scale
        if not low < boundary < high:
            return np.full(len(self.latent_values), float(boundary <= low))
        return stdtr(self.freedom, (self.latent_values - boundary) / self.latent_errors)

    def predict(self, objects: Indices, assessors: Indices) -> Array:
        """Return the scores (k,) to expect of these assessors for these objects, for a typical confidence."""
        deviation = float(np.sqrt(self.noise_variance / np.mean(self.panel.confidences)))
        middle = self.latent_values[objects] + self.biases[assessors]
        low, high = ((end - middle) / deviation for end in self.scale)
        below, above = ndtr(low), ndtr(-high)
        inside = middle * (1 - below - above) + deviation * (_density(low) - _density(high))
        return self.scale[0] * below + self.scale[1] * above + inside


def censored(panel: Panel, scale: tuple[float, float]) -> CensoredFit:
    """Fit values and biases to scores that are cut off at both ends of the scale.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If there are no more scores than unknowns, values and biases fit them exactly, or the panel is too large.
    """
    if min(panel.n_objects, panel.n_assessors) > _MOST_KEPT or panel.n_objects * panel.n_assessors > _MOST_CELLS:
        raise MethodNotApplicable(
            f"Scores cut off at the ends of the scale are not fitted to {panel.n_objects:,} objects and "
            f"{panel.n_assessors:,} assessors: it would take too long."
        )
    start = calibrate(panel)
    variance = float(np.var(panel.scores))
    unit = variance * float(np.mean(panel.confidences))
    if start.degrees_of_freedom < 1 or start.weighted_residual_sum <= _LEAST_SHARE * unit:
        raise MethodNotApplicable("The scores leave no residuals, so nothing says how much noise there is.")
    model = _Model.of(panel, scale)
    noise, spread = start.w_unbiased, max(float(np.var(start.values)), _LEAST_SHARE * variance)
    effects, biases = start.values - start.values.mean(), start.biases + start.values.mean()
    for _ in range(_MOST_ROUNDS):
        effects, biases = model.likeliest(effects, biases, noise, spread)
        moments = model.moments(effects, biases, noise, spread)
        new_noise = model.expected_squares(effects, biases, noise, moments.fitted) / panel.n_assessments
        new_spread = max(float(np.mean(effects**2 + moments.effects)), _LEAST_SHARE * variance)
        moved = max(abs(np.log(new_noise / noise)), abs(np.log(new_spread / spread)))
        noise, spread = new_noise, new_spread
        if moved < _SETTLED:
            break
    effects, biases = model.likeliest(effects, biases, noise, spread)
    moments = model.moments(effects, biases, noise, spread)
    middle = float(model.mean_share @ biases)
    top, bottom = (panel.object_totals(np.where(cut, 0.0, 1.0)) == 0 for cut in (model.top, model.bottom))
    return CensoredFit(
        panel=panel,
        scale=scale,
        latent_values=effects + middle,
        latent_errors=np.sqrt(moments.values),
        biases=biases - middle,
        noise_variance=noise,
        value_variance=spread,
        at_least=top,
        at_most=bottom,
        freedom=start.degrees_of_freedom,
        calibration=start,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Variances of fitted scores (N,), of object effects (n_objects,) and of values in gauge (36) (n_objects,)."""

    fitted: Array
    effects: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """A panel and which of its scores are cut off; biases carry the mean, so effects of objects have mean 0."""

    panel: Panel
    top: Mask
    bottom: Mask
    mean_share: Array

    @classmethod
    def of(cls, panel: Panel, scale: tuple[float, float]) -> _Model:
        totals = panel.assessor_totals(panel.confidences)
        return cls(panel, panel.scores >= scale[1], panel.scores <= scale[0], totals / totals.sum())

    def fitted(self, effects: Array, biases: Array) -> Array:
        return effects[self.panel.object_index] + biases[self.panel.assessor_index]

    def weights(self, fitted: Array, noise: float) -> tuple[Array, Array]:
        """Slope (N,) of the log likelihood by the fitted score, and minus its curvature (N,)."""
        deviation = np.sqrt(noise / self.panel.confidences)
        z = (self.panel.scores - fitted) / deviation
        slope, curvature = z.copy(), np.ones_like(z)
        for cut, sign in ((self.top, 1.0), (self.bottom, -1.0)):
            hazard = _hazard(sign * z[cut])
            slope[cut] = sign * hazard
            curvature[cut] = hazard * (hazard - sign * z[cut])
        return slope / deviation, np.clip(curvature, 1e-12, 1.0) / deviation**2

    def log_posterior(self, effects: Array, biases: Array, noise: float, spread: float) -> float:
        """Of effects and biases, constants aside."""
        z = (self.panel.scores - self.fitted(effects, biases)) * np.sqrt(self.panel.confidences / noise)
        logs = -0.5 * z**2
        logs[self.top] = log_ndtr(-z[self.top])
        logs[self.bottom] = log_ndtr(z[self.bottom])
        return float(logs.sum() - 0.5 * (effects @ effects) / spread)

    def likeliest(self, effects: Array, biases: Array, noise: float, spread: float) -> tuple[Array, Array]:
        """Newton's method from these effects and biases, steps halved until they go up."""
        panel = self.panel
        still = _STILL * np.sqrt(noise / np.mean(panel.confidences))
        height = self.log_posterior(effects, biases, noise, spread)
        for _ in range(_MOST_STEPS):
            slope, weight = self.weights(self.fitted(effects, biases), noise)
            right = panel.object_totals(slope) - effects / spread, panel.assessor_totals(slope)
            up, across = _System.of(panel, weight, spread).solve(*right)
            size = 1.0
            for _ in range(_MOST_STEPS):
                new = effects + size * up, biases + size * across
                there = self.log_posterior(*new, noise, spread)
                if there >= height - 1e-12 * abs(height):
                    break
                size /= 2
            effects, biases, height = *new, there
            if size * max(float(np.abs(up).max()), float(np.abs(across).max())) < still:
                break
        return effects, biases

    def moments(self, effects: Array, biases: Array, noise: float, spread: float) -> _Moments:
        """Variances from the curvature at the likeliest place."""
        _, weight = self.weights(self.fitted(effects, biases), noise)
        return _System.of(self.panel, weight, spread).moments(self.panel, self.mean_share)

    def expected_squares(self, effects: Array, biases: Array, noise: float, variances: Array) -> float:
        """Sum of c (score before it was cut - fitted)^2 to expect, fitted scores having these variances (N,)."""
        deviation = np.sqrt(noise / self.panel.confidences)
        middle, spread = self.fitted(effects, biases), np.sqrt(np.maximum(variances, 0.0))
        total = 0.0
        for step, share in _QUADRATURE:
            z = (self.panel.scores - middle - step * spread) / deviation
            squares = z**2
            for cut, sign in ((self.top, 1.0), (self.bottom, -1.0)):
                squares[cut] = 1 + sign * z[cut] * _hazard(sign * z[cut])
            total += share * float(squares.sum())
        return noise * total


@dataclass(frozen=True, slots=True, eq=False)
class _System:
    """The normal equations with a prior on objects, the larger side eliminated."""

    keeps_assessors: bool
    gone: Array
    passed: Array
    inverse: Array

    @classmethod
    def of(cls, panel: Panel, weight: Array, spread: float) -> _System:
        table = as_dense(panel.table(weight))
        objects, assessors = panel.object_totals(weight) + 1 / spread, panel.assessor_totals(weight)
        keeps = panel.n_assessors <= panel.n_objects
        gone, kept, table = (objects, assessors, table) if keeps else (assessors, objects, table.T)
        passed = table / gone[:, None]
        factor = linalg.cho_factor(np.diag(kept) - table.T @ passed, lower=True, check_finite=False)
        return cls(keeps, gone, passed, linalg.cho_solve(factor, np.eye(len(kept)), check_finite=False))

    def solve(self, objects: Array, assessors: Array) -> tuple[Array, Array]:
        """Effects and biases for right-hand sides by object and by assessor."""
        gone, kept = (objects, assessors) if self.keeps_assessors else (assessors, objects)
        inner = self.inverse @ (kept - self.passed.T @ gone)
        outer = gone / self.gone - self.passed @ inner
        return (outer, inner) if self.keeps_assessors else (inner, outer)

    def moments(self, panel: Panel, mean_share: Array) -> _Moments:
        across = -self.passed @ self.inverse  # covariance of gone with kept
        own_gone = 1 / self.gone - (across * self.passed).sum(axis=1)
        own_kept = self.inverse.diagonal()
        if self.keeps_assessors:
            own, between = (own_gone, own_kept), across[panel.object_index, panel.assessor_index]
            together, mean = across @ mean_share, float(mean_share @ self.inverse @ mean_share)
        else:
            own, between = (own_kept, own_gone), across[panel.assessor_index, panel.object_index]
            reach = mean_share @ self.passed
            together = mean_share @ across
            mean = float(mean_share**2 @ (1 / self.gone) + reach @ self.inverse @ reach)
        fitted = own[0][panel.object_index] + own[1][panel.assessor_index] + 2 * between
        return _Moments(fitted, own[0], np.maximum(own[0] + 2 * together + mean, 0.0))


def _density(z: Array) -> Array:
    return np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)


def _hazard(z: Array) -> Array:
    """Density over the share above z, without overflow far out."""
    return np.sqrt(2 / np.pi) / erfcx(z / np.sqrt(2))
