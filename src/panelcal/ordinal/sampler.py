"""Hamiltonian Monte Carlo for many chains side by side, with trajectories of varying length.

All chains take the same number of leapfrog steps, so that one evaluation of the density serves them all. Lengths follow
a Halton sequence around a mean, which keeps any frequency of the posterior from resonating; the step size follows the
chains' mean acceptance (dual averaging, Hoffman and Gelman 2014, on the harmonic mean, which minds the worst chain).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from panelcal.arrays import Array
from panelcal.ordinal.time_limit import no_limit

_MEAN_LENGTH = 1.8  # of a trajectory, in scales
_JITTER = 0.4  # trajectories are between 1 - this and 1 + this times the mean length
_TARGET_ACCEPTANCE = 0.65
_MOST_STEPS = 60
_FIRST_STEP, _LONGEST_STEP = 0.25, 1.5
_SHRINK, _DELAY, _FORGET = 0.25, 10, 0.75  # gamma, t_0 and kappa of dual averaging
_SMALLEST_SCALE = 1e-3
_STIFFNESS = 0.25  # power of the slopes' spread by which scales shrink where the density bends more than a normal one


class Density(Protocol):
    """What can be sampled: a log density of columns of free numbers, with gradient."""

    def gradient(self, x: Array) -> Array:
        """Return the gradient (dimension, C) at the points x (dimension, C)."""

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        """Return the log density (C,) and the gradient (dimension, C)."""


class HamiltonianSampler:
    """Chains and what they have learnt about step size and scales.

    Parameters
    ----------
    density
        What to sample.
    start
        (dimension, C) one starting point per chain.
    scales
        (dimension,) rough posterior standard deviations.
    random
        Source of randomness.

    Attributes
    ----------
    points
        (dimension, C) where the chains are.
    gradients
        Number of evaluations of the gradient (of all chains at once) so far.
    """

    def __init__(self, density: Density, start: Array, scales: Array, random: np.random.Generator) -> None:
        self._density, self._random = density, random
        self.points, self._scales = start.copy(), np.maximum(scales, _SMALLEST_SCALE)[:, None]
        self._value, self._gradient = density.value_and_gradient(self.points)
        self.gradients = 1
        self._trajectories = 0
        self._step = self._anchor = self._averaged_log_step = 0.0
        self._reset_step(_FIRST_STEP)

    @property
    def scales(self) -> Array:
        """Return (dimension,) the lengths in which steps are counted."""
        return self._scales[:, 0]

    def move(self) -> Array:
        """Run one trajectory in every chain; return (C,) the probabilities with which their ends were accepted."""
        density, points = self._density, self.points.copy()
        step = np.broadcast_to(self._step * self._scales, points.shape).copy()
        self._trajectories += 1
        length = _MEAN_LENGTH * (1 - _JITTER + 2 * _JITTER * _halton(self._trajectories))
        steps = int(np.clip(np.ceil(length / self._step), 1, _MOST_STEPS))
        momentum = self._random.standard_normal(points.shape)
        energy = self._value - np.einsum("dc,dc->c", momentum, momentum) / 2
        moved = step * self._gradient
        momentum += np.divide(moved, 2, out=moved)
        points += np.multiply(step, momentum, out=moved)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a trajectory may run off: it is refused
            for _ in range(steps - 1):
                momentum += np.multiply(step, density.gradient(points), out=moved)
                points += np.multiply(step, momentum, out=moved)
            value, gradient = density.value_and_gradient(points)
            np.multiply(step, gradient, out=moved)
            momentum += np.divide(moved, 2, out=moved)
            change = value - np.einsum("dc,dc->c", momentum, momentum) / 2 - energy
        self.gradients += steps
        acceptance = np.exp(np.minimum(np.where(np.isfinite(change), change, -np.inf), 0))
        taken = self._random.random(len(acceptance)) < acceptance
        self.points = np.where(taken, points, self.points)
        self._gradient = np.where(taken, gradient, self._gradient)
        self._value = np.where(taken, value, self._value)
        return np.asarray(acceptance)

    def warm_up(self, iterations: int, *, check: Callable[[], None] = no_limit) -> None:
        """Move while adapting: the step size throughout, the scales from the second quarter of the draws at half-way.

        A scale is the spread of the draws; less where slopes vary more than those of a normal density with that spread
        would, since it is the places where the density bends most that bound the step.

        `check` is called after every move, and may raise to end it all.
        """
        count, total, squares, slopes = 0, *np.zeros((3, len(self.points)))
        for iteration in range(iterations):
            self._adapt_step(self.move())
            check()
            if iterations // 4 <= iteration < iterations // 2:
                count += self.points.shape[1]
                total += self.points.sum(axis=1)
                squares += (self.points**2).sum(axis=1)
                slopes += (self._gradient**2).sum(axis=1)
            if iteration + 1 == iterations // 2 and count:
                spread = np.maximum(np.sqrt(squares / count - (total / count) ** 2), _SMALLEST_SCALE)
                stiffness = np.maximum(spread * np.sqrt(slopes / count), 1)
                self._scales = np.maximum(spread * stiffness**-_STIFFNESS, _SMALLEST_SCALE)[:, None]
                self._reset_step(self._step)
        self._step = math.exp(self._averaged_log_step)

    def _reset_step(self, step: float) -> None:
        self._step, self._anchor, self._averaged_log_step = step, math.log(2 * step), math.log(step)
        self._adaptations, self._shortfall = 0, 0.0

    def _adapt_step(self, acceptance: Array) -> None:
        harmonic = 1 / float(np.mean(1 / np.maximum(acceptance, 1e-3)))
        self._adaptations += 1
        t = self._adaptations
        self._shortfall += (_TARGET_ACCEPTANCE - harmonic - self._shortfall) / (t + _DELAY)
        log_step = min(self._anchor - math.sqrt(t) / _SHRINK * self._shortfall, math.log(_LONGEST_STEP))
        self._averaged_log_step += t**-_FORGET * (log_step - self._averaged_log_step)
        self._step = math.exp(log_step)


def _halton(index: int) -> float:
    """Return the term of van der Corput's sequence in base 2: 1/2, 1/4, 3/4, 1/8, ..."""
    value, digit = 0.0, 0.5
    while index:
        value += digit * (index & 1)
        index >>= 1
        digit /= 2
    return value
