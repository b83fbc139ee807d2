"""Whether chains agree and how much their draws are worth: rank-normalised split R-hat and bulk effective sample size.

Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021). R-hat is the larger of that of the ranks and that of the ranks
of the distances from the median.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from panelcal.arrays import Array
from panelcal.ranks_of_numbers import average_ranks


def split_rhat(draws: Array) -> Array:
    """Return (n,) rank-normalised split R-hat of draws (iterations, chains, n); 1 where nothing varies."""
    halves = _split(draws)
    return _split_rhat(halves, _normal_scores(halves))


def bulk_effective_size(draws: Array) -> Array:
    """Return (n,) bulk effective number of draws (iterations, chains, n), from rank-normalised split chains."""
    return effective_size(_normal_scores(_split(draws)))


def split_rhat_and_effective_size(draws: Array) -> tuple[Array, Array]:
    """Return both of the above, which rank the same draws."""
    halves = _split(draws)
    scores = _normal_scores(halves)
    return _split_rhat(halves, scores), effective_size(scores)


def _split_rhat(halves: Array, scores: Array) -> Array:
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    return np.asarray(np.maximum(_rhat(scores), _rhat(_normal_scores(folded))))


def effective_size(chains: Array) -> Array:
    """Return (n,) effective number of draws (iterations, chains, n): Geyer's initial monotone sequence."""
    length, count, _ = chains.shape
    within = chains.var(axis=0, ddof=1).mean(axis=0)
    between = chains.mean(axis=0).var(axis=0, ddof=1) if count > 1 else np.zeros_like(within)
    pooled = (length - 1) / length * within + between
    centred = chains - chains.mean(axis=0)
    size = 1 << (2 * length - 1).bit_length()
    power = np.abs(np.fft.rfft(centred, size, axis=0)) ** 2
    covariance = np.fft.irfft(power.mean(axis=1), size, axis=0)[:length] / length
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = 1 - (within - covariance) / pooled
    correlation[0] = 1
    considered = max(2, (length - 1) // 2) * 2  # the longest lags have too few terms
    even, odd = correlation[:considered:2], correlation[1:considered:2]
    counted = np.logical_and.accumulate(even + odd >= 0, axis=0)
    counted[-1] = False
    pairs = np.minimum.accumulate(np.where(counted, even + odd, 0.0), axis=0)
    # The first pair that is not counted still lends its even term, if that is positive.
    rest = np.maximum(np.take_along_axis(even, counted.sum(axis=0)[None], axis=0)[0], 0)
    time = 2 * pairs.sum(axis=0) - 1 + rest
    total = length * count
    return np.asarray(np.where(pooled > 0, total / np.maximum(time, 1 / np.log10(total)), total))


def _split(draws: Array) -> Array:
    half = len(draws) // 2
    return np.concatenate([draws[:half], draws[-half:]], axis=1)


def _normal_scores(draws: Array) -> Array:
    flat = draws.reshape(-1, draws.shape[2])
    ranks = average_ranks(flat)
    return np.asarray(ndtri((ranks - 0.375) / (len(flat) + 0.25)).reshape(draws.shape))


def _rhat(chains: Array) -> Array:
    length = len(chains)
    within = chains.var(axis=0, ddof=1).mean(axis=0)
    between = length * chains.mean(axis=0).var(axis=0, ddof=1)
    varies = within > 0
    safe = np.where(varies, within, 1.0)
    rhat = np.sqrt((between / safe + length - 1) / length)
    return np.asarray(np.where(varies, rhat, np.where(between > 0, np.inf, 1.0)))
