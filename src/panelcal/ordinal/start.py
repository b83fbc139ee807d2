"""From the Gaussian approximation to starting points of the sampler."""

from __future__ import annotations

import numpy as np
from scipy import linalg

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
    blocks, normals = density.blocks, density.normals
    points[blocks["centre"]] = gaussian.centre.T
    spreads = scales.tau if density.shared else np.concatenate([scales.tau, scales.spread])
    logs = np.log(spreads)[:, None] + _LOG_SCALE_NOISE * random.standard_normal((len(spreads), count))
    points[blocks["spreads"]] = normals.free_numbers(np.exp(logs))
    correlation = scales.feature_correlation
    if not density.shared:
        correlation = linalg.block_diag(correlation, scales.cutpoint_correlation)
    free = normals.prior.free_numbers(correlation)[:, None]
    points[blocks["partials"]] = free + _PARTIAL_NOISE * random.standard_normal((len(free), count))
    lower = np.exp(logs)[:, None] * normals.prior.factor(points[blocks["partials"]]).lower
    Q = density.Q
    points[blocks["objects"]] = standardised(lower[:Q, :Q], gaussian.scores).reshape(-1, count)
    if not density.shared:
        own = gaussian.eta - gaussian.centre[:, :, None]
        points[blocks["assessors"]] = standardised(lower[Q:, Q:], own).reshape(-1, count)
    return points[:, :chains], points.std(axis=1)


def standardised(lower: Array, drawn: Array) -> Array:
    """Solve lower z = drawn: (K, K, C) and (C, K, n) -> (K, n, C), kept within three standard deviations."""
    z = np.linalg.solve(lower.transpose(2, 0, 1), drawn)
    return np.clip(z, -_FARTHEST, _FARTHEST).transpose(1, 2, 0)
