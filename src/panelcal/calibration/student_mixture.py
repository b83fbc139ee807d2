"""How sure values are where variances are uncertain too: a mixture of Student's t over places in a grid of variances.

At given ratios of the variances a value has a t distribution (the noise variance integrated out with prior 1/w); the
places are weighed by likelihood times prior. Intervals that take the variances for known are too short on small panels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import scipy  # its parts are loaded when they are used: most panels do without

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_DEPTH = 18.0  # places whose -2 log density is this much above the lowest are left out
_PLACES, _CLOSER, _ENOUGH = 29, 17, 9
_LOWEST, _HIGHEST = -12.0, 16.0  # logarithms of a variance ratio, in the panel's unit
_NORMAL_FROM = 200  # degrees of freedom beyond which t is taken for normal
_MOST_STEPS = 60
_FAR = 1e300
_NEAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class StudentMixture:
    """Values and where they may lie.

    Attributes
    ----------
    values
        (n_objects,) as shown, in score units.
    centres, scales
        (n_objects, k) of the t distributions at each place of the grid, in score units.
    weights
        (k,) probability of each place.
    freedom
        Degrees of freedom.
    """

    values: Array
    centres: Array
    scales: Array
    weights: Array
    freedom: int

    @property
    def value_errors(self) -> Array:
        """(n_objects,) root mean square distance from the value shown; inf with fewer than three degrees of freedom."""
        if self.freedom < 3:
            return np.full(len(self.values), np.inf)
        own = self.scales**2 * (self.freedom / (self.freedom - 2))
        return np.sqrt((own + (self.centres - self.values[:, None]) ** 2) @ self.weights)

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends of the central interval."""
        if not 0 < level < 1:
            raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
        return np.column_stack([self._quantile((1 - level) / 2), self._quantile((1 + level) / 2)])

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary."""
        return 1 - self._below(np.full(len(self.values), boundary))

    def _below(self, places: Array) -> Array:
        apart = places[:, None] - self.centres
        with np.errstate(divide="ignore", invalid="ignore"):
            gaps = apart / self.scales
        # A value without error is certain; one on the boundary itself is a toss-up.
        gaps = np.where(self.scales > 0, gaps, np.sign(apart) * _FAR)
        return (
            scipy.special.ndtr(gaps) if self.freedom >= _NORMAL_FROM else scipy.special.stdtr(self.freedom, gaps)
        ) @ self.weights

    def _quantile(self, level: float) -> Array:
        """Newton's steps, kept between the places' own quantiles, until the share below is `level`."""
        special = scipy.special
        step = float(special.ndtri(level) if self.freedom >= _NORMAL_FROM else special.stdtrit(self.freedom, level))
        own = self.centres + step * self.scales
        low, high = own.min(axis=1), own.max(axis=1)
        at = own @ self.weights
        near = _NEAR * float(self.scales.max())
        for _ in range(_MOST_STEPS):
            share = self._below(at)
            low, high = np.where(share <= level, at, low), np.where(share >= level, at, high)
            with np.errstate(divide="ignore", invalid="ignore"):
                newer = at - (share - level) / self._density(at)
            newer = np.where((newer > low) & (newer < high), newer, (low + high) / 2)
            moved, at = float(np.abs(newer - at).max()), newer
            if moved <= near:
                break
        return at

    def _density(self, places: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            gaps = (places[:, None] - self.centres) / self.scales
            if self.freedom >= _NORMAL_FROM:
                heights = np.exp(-0.5 * gaps**2) / np.sqrt(2 * np.pi)
            else:
                nu = self.freedom
                constant = np.exp(scipy.special.gammaln((nu + 1) / 2) - scipy.special.gammaln(nu / 2)) / np.sqrt(
                    nu * np.pi
                )
                heights = constant * (1 + gaps**2 / nu) ** (-(nu + 1) / 2)
            return (heights / self.scales) @ self.weights


class AveragedErrors:
    """A mixture that is worked out when it is first asked for; predicting left-out scores never asks."""

    def __init__(self, mixture: Callable[[], StudentMixture]) -> None:
        self._work_out = mixture

    @cached_property
    def _mixture(self) -> StudentMixture:
        return self._work_out()

    @property
    def value_errors(self) -> Array:
        """(n_objects,) root mean square distance from the value, in score units."""
        return self._mixture.value_errors

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends."""
        return self._mixture.value_interval(level)

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each value lies above the boundary."""
        return self._mixture.exceeds(boundary)


def ratio_places(deviance: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Return evenly spaced logarithms of a variance ratio that hold its posterior, and -2 log density there.

    Parameters
    ----------
    deviance
        -2 log likelihood at logarithms (k,) of the ratio in the panel's unit.

    Notes
    -----
    Nine places or more within reach of the posterior make the sum over them as good as the integral.
    """
    logs = np.linspace(_LOWEST, _HIGHEST, _PLACES)
    while True:
        heights = deviance(logs) + prior_depth(logs)
        inside = np.flatnonzero(heights < heights.min() + _DEPTH)
        if len(inside) >= _ENOUGH or logs[1] - logs[0] < 1e-6:
            return logs[inside], heights[inside]
        first, last = max(inside[0] - 1, 0), min(inside[-1] + 1, len(logs) - 1)
        logs = np.linspace(logs[first], logs[last], _CLOSER)


def prior_depth(logs: Array) -> Array:
    """Return -2 log prior density at logarithms of a variance ratio in the panel's unit.

    Its root, a spread over the noise of a typical score, is half-Cauchy of scale 1: hardly any spread is favoured.
    """
    return 2 * np.logaddexp(0.0, logs) - logs
