"""Where the sampler of rated criteria starts: all criteria pooled as one, with little known of what sets them apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.arrays import Array
from panelcal.facets.rated_density import RatedDensity
from panelcal.ordinal.laplace import LaplaceModel, Mode, Scales, fit_laplace
from panelcal.ordinal.priors import OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.ordinal.start import standardised
from panelcal.ordinal.time_limit import TimeLimit

_LOG_SCALE_NOISE, _PARTIAL_NOISE = 0.25, 0.3
_FIRST_SCALE = 0.4
_DRAWS_FOR_SCALES = 128


def starting_points(
    density: RatedDensity,
    ratings: Ratings,
    priors: OrdinalPriors,
    chains: int,
    random: np.random.Generator,
    limit: TimeLimit,
) -> tuple[Array, Array]:
    """Return (dimension, chains) starting points and (dimension,) rough posterior standard deviations.

    Values and cut-points come from the Gaussian approximation for the ratings of all criteria taken as one.
    """
    model = LaplaceModel(_pooled(ratings), shared_cutpoints=False, correlated_cutpoints=ratings.n_cutpoints > 1,
                         priors=priors)  # fmt: skip
    scales, mode = fit_laplace(model, check=limit.check)
    count = max(chains, _DRAWS_FOR_SCALES)
    points = random.standard_normal((density.dimension, count))
    for name in ("difficulties", "leanings", "own", "halos"):
        points[density.blocks[name]] *= _FIRST_SCALE
    logs = density.blocks["log_scales"]
    points[logs] = np.log(_FIRST_SCALE) + _LOG_SCALE_NOISE * points[logs]
    _put_pooled(points, density, model, scales, mode, random)
    return points[:, :chains], points.std(axis=1)


def _pooled(ratings: Ratings) -> Ratings:
    row, criterion = np.nonzero(ratings.ratings >= 0)
    return replace(
        ratings,
        features=("Rating",),
        object_index=ratings.object_index[row],
        assessor_index=ratings.assessor_index[row],
        ratings=ratings.ratings[row, criterion][:, None],
    )


def _put_pooled(
    points: Array, density: RatedDensity, model: LaplaceModel, scales: Scales, mode: Mode, random: np.random.Generator
) -> None:
    """Put draws from the pooled Gaussian into points (dimension, count), which hold standard normal noise there."""
    blocks, count = density.blocks, points.shape[1]
    gaussian = model.draw(mode, count, random)
    points[blocks["centre"]] = gaussian.centre.T
    log_tau = blocks["log_scales"].start
    points[log_tau] += np.log(scales.tau[0]) - np.log(_FIRST_SCALE)
    points[blocks["values"]] = gaussian.scores[:, 0].T / np.exp(points[log_tau])
    log_spread = points[blocks["log_spread"]] = (
        np.log(scales.spread)[:, None] + _LOG_SCALE_NOISE * points[blocks["log_spread"]]
    )
    if density.L > 1:
        free = density.cutpoint_prior.free_numbers(scales.cutpoint_correlation)
        partials = points[blocks["partials"]] = free[:, None] + _PARTIAL_NOISE * points[blocks["partials"]]
        lower = np.exp(log_spread)[:, None] * density.cutpoint_prior.factor(partials).lower
    else:
        lower = np.exp(log_spread)[:, None]
    own = gaussian.eta - gaussian.centre[:, :, None]
    points[blocks["cuts"]] = standardised(lower, own).reshape(-1, count)
