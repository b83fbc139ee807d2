"""From the Gaussian approximation to starting points of the sampler."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.ordinal.density import OrdinalDensity
from panelcal.ordinal.laplace import LaplaceModel, Mode, Scales

_LOG_SCALE_NOISE = 0.25  # crude; the sampler's warm-up corrects it
_PARTIAL_NOISE = 0.3
_FARTHEST = 3.0  # standard deviations
_DRAWS_FOR_SCALES = 128


def starting_points(
    density: OrdinalDensity, model: LaplaceModel, scales: Scales, mode: Mode, chains: int, random: np.random.Generator
) -> tuple[Array, Array]:
    """Return (dimension, chains) starting points and (dimension,) rough posterior standard deviations.

    Drawn from the Gaussian at the mode, with noise on the scales that it holds fixed.
    """
    count = max(chains, _DRAWS_FOR_SCALES)
    gaussian = model.draw(mode, count, random)
    points = np.zeros((density.dimension, count))
    blocks = density.blocks

    def noisy(numbers: Array, noise: float) -> Array:
        return np.asarray(numbers[:, None] + noise * random.standard_normal((len(numbers), count)))

    points[blocks["centre"]] = gaussian.centre.T
    log_tau = points[blocks["log_tau"]] = noisy(np.log(scales.tau), _LOG_SCALE_NOISE)
    free = density.feature_prior.free_numbers(scales.feature_correlation)
    partials = points[blocks["feature_partials"]] = noisy(free, _PARTIAL_NOISE)
    lower = np.exp(log_tau)[:, None] * density.feature_prior.factor(partials).lower
    points[blocks["objects"]] = standardised(lower, gaussian.scores).reshape(-1, count)
    if not density.shared:
        log_spread = points[blocks["log_spread"]] = noisy(np.log(scales.spread), _LOG_SCALE_NOISE)
        lower = np.eye(density.P)[:, :, None] * np.exp(log_spread)
        if density.correlated:
            free = density.cutpoint_prior.free_numbers(scales.cutpoint_correlation)
            partials = points[blocks["cutpoint_partials"]] = noisy(free, _PARTIAL_NOISE)
            lower = np.exp(log_spread)[:, None] * density.cutpoint_prior.factor(partials).lower
        own = gaussian.eta - gaussian.centre[:, :, None]
        points[blocks["assessors"]] = standardised(lower, own).reshape(-1, count)
    return points[:, :chains], points.std(axis=1)


def standardised(lower: Array, drawn: Array) -> Array:
    """Solve lower z = drawn: (K, K, C) and (C, K, n) -> (K, n, C), kept within three standard deviations."""
    z = np.linalg.solve(lower.transpose(2, 0, 1), drawn)
    return np.clip(z, -_FARTHEST, _FARTHEST).transpose(1, 2, 0)
