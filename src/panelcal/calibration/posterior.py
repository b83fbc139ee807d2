"""The posterior of values, biases and w ("Posterior probability distribution" in the paper's SI), w unknown.

With a flat prior on (v, b) in the gauge and prior rho(w), the posterior is proportional to
rho(w) w^(-N/2) exp(-S/2w). Given w it is Gaussian around the least-squares fit with covariance w G, and w has

    p(w) ~ rho(w) w^(-(N - p)/2) exp(-R/2w)

For rho = 1/w the values are a multivariate Student t with N - p degrees of freedom and scale (R/(N - p)) G; for any
other rho they are the mixture of Gaussians that p(w) makes, integrated here on a grid of log w.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from panelcal.arrays import Array
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

LogPrior = Callable[[Array], Array]

_GRID = 2001
_DEPTH = 45.0  # the grid reaches down to exp(-45) of the largest density
_REACH = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Posterior distribution of a calibration with unknown w.

    Attributes
    ----------
    calibration
        The least-squares fit: mean and mode of (v, b).
    w_grid, w_weights
        (k,) grid of w and the posterior probability of each point.
    w_mean, w_mode
        Posterior mean of w (inf where the tail is too heavy for one) and the w of the joint mode of (w, v, b), where
        rho'/rho - N/2w + R/2w^2 = 0.
    unit_value_errors, unit_bias_errors
        Standard deviations for w = 1, in 1/sqrt(confidence).
    """

    calibration: Calibration
    w_grid: Array
    w_weights: Array
    w_mean: float
    w_mode: float
    unit_value_errors: Array
    unit_bias_errors: Array

    @property
    def value_errors(self) -> Array:
        """(n_objects,) posterior standard deviations, sqrt(E w) x unit errors."""
        return np.sqrt(self.w_mean) * self.unit_value_errors

    @property
    def bias_errors(self) -> Array:
        """(n_assessors,) posterior standard deviations."""
        return np.sqrt(self.w_mean) * self.unit_bias_errors

    def quantile(self, level: float) -> float:
        """Return how many unit errors a two-sided interval of this level reaches to either side."""
        if not 0 < level < 1:
            raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
        top = np.sqrt(self.w_grid[-1]) * 40
        return float(brentq(lambda z: self._below(z) - (1 + level) / 2, 0.0, top, xtol=1e-13 * top, rtol=1e-13))

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends of the central interval."""
        half = self.quantile(level) * self.unit_value_errors
        return np.column_stack([self.calibration.values - half, self.calibration.values + half])

    def w_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the central interval of w."""
        cumulated = np.cumsum(self.w_weights) - self.w_weights / 2
        tail = (1 - level) / 2
        low, high = np.interp([tail, 1 - tail], cumulated, np.log(self.w_grid))
        return float(np.exp(low)), float(np.exp(high))

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary."""
        gap = (self.calibration.values - boundary) / self.unit_value_errors
        return ndtr(gap[:, None] / np.sqrt(self.w_grid)) @ self.w_weights

    def _below(self, z: float) -> float:
        return float(ndtr(z / np.sqrt(self.w_grid)) @ self.w_weights)


def posterior(calibration: Calibration, *, log_prior: LogPrior | None = None) -> Posterior:
    """Work out the posterior with unknown w.

    Parameters
    ----------
    calibration
        The fit, in any gauge.
    log_prior
        Logarithm of rho(w) up to a constant, arrays in and out; None = -log w, "no information about the scale".
        `prior_around` makes one that is peaked.

    Raises
    ------
    MethodNotApplicable
        If with this prior the posterior is not a distribution, as with 1/w when there are no residuals.
    """
    freedom, squares = calibration.degrees_of_freedom, calibration.weighted_residual_sum
    if log_prior is None and (freedom < 1 or not squares > 0):
        raise MethodNotApplicable("The scores leave no residuals, so w needs a prior of its own.")
    prior: LogPrior = (lambda w: -np.log(w)) if log_prior is None else log_prior
    middle = np.log(squares / max(freedom, 1)) if squares > 0 else 0.0

    def log_density(logs: Array) -> Array:  # of log w
        w = np.exp(logs)
        density = prior(w) + logs - freedom / 2 * logs - squares / (2 * w)
        return np.where(np.isfinite(density), density, -np.inf)

    coarse = middle + np.linspace(-_REACH, _REACH, 4 * _GRID)
    density = log_density(coarse)
    inside = np.flatnonzero(density > density.max() - _DEPTH)
    if not np.isfinite(density.max()) or inside[0] == 0 or inside[-1] == len(coarse) - 1:
        raise MethodNotApplicable("With this prior the posterior of w cannot be normalised.")
    logs = np.linspace(coarse[inside[0] - 1], coarse[inside[-1] + 1], _GRID)
    density, grid = log_density(logs), np.exp(logs)
    weights = np.exp(density - density.max())
    weights /= weights.sum()
    errors = uncertainty(calibration)
    mean = float(weights @ grid)
    if log_prior is None:
        mean = squares / (freedom - 2) if freedom > 2 else float("inf")
    joint = prior(grid) - calibration.panel.n_assessments / 2 * np.log(grid) - squares / (2 * grid)
    return Posterior(
        calibration=calibration,
        w_grid=grid,
        w_weights=weights,
        w_mean=mean,
        w_mode=_peak(np.log(grid), joint),
        unit_value_errors=errors.unit_value_errors,
        unit_bias_errors=errors.unit_bias_errors,
    )


def prior_around(centre: float = 1.0, factor: float = 2.0) -> LogPrior:
    """Return a log-normal prior: w within `factor` of `centre`, either way, with probability 0.68.

    For assessors who declare standard deviations, `centre` is 1.
    """
    if not (centre > 0 and factor > 1):
        raise MethodNotApplicable("A prior on w needs a centre above 0 and a factor above 1.")
    width = np.log(factor)
    return lambda w: -np.log(w) - 0.5 * (np.log(w / centre) / width) ** 2


def _peak(logs: Array, density: Array) -> float:
    """Place of the maximum, by a parabola through the three highest points; the grid's end where it lies beyond."""
    k = int(np.argmax(density))
    if k in (0, len(logs) - 1):
        return float(np.exp(logs[k]))
    before, at, after = density[k - 1 : k + 2]
    shift = 0.5 * (before - after) / (before - 2 * at + after)
    return float(np.exp(logs[k] + shift * (logs[1] - logs[0])))
