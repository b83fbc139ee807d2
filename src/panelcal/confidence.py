"""Confidence forms: words, standard deviations, ranges, weights as c = 1/sigma^2 (eq. 5, "Scale for confidences").

Turning cell text into these numbers is the reading room's business; this module holds the arithmetic.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array
from panelcal.errors import InvalidPanel


def confidence_from_deviation(sigma: ArrayLike) -> Array:
    """Turn standard deviations (score units) into confidences c = 1/sigma^2, eq. (5).

    Source: MacKay, Kenna, Low and Parker (2015), eq. (5).

    Returns
    -------
    numpy.ndarray
        1/sigma^2.

    Raises
    ------
    InvalidPanel
        If one is not a positive finite number.

    Examples
    --------
    >>> confidence_from_deviation([1, 2]).tolist()
    [1.0, 0.25]
    """
    deviation = np.asarray(sigma, dtype=np.float64)
    if not (np.isfinite(deviation) & (deviation > 0)).all():
        raise InvalidPanel("A standard deviation must be a positive number.")
    return 1.0 / deviation**2


def confidence_from_range(low: ArrayLike, high: ArrayLike, halfwidth_sds: float = 1.0) -> Array:
    """Turn ranges such as 60-70 into confidences; the half-width stands for `halfwidth_sds` standard deviations.

    Source: MacKay, Kenna, Low and Parker (2015), eq. (5) and SI, "Scale for confidences".

    Returns
    -------
    numpy.ndarray
        1/sigma^2, sigma being half the range over `halfwidth_sds`.

    Raises
    ------
    InvalidPanel
        If a range has no width.

    Examples
    --------
    >>> confidence_from_range([60, 50], [64, 70]).tolist()
    [0.25, 0.01]
    """
    half_width = (np.asarray(high, dtype=np.float64) - np.asarray(low, dtype=np.float64)) / 2
    return confidence_from_deviation(half_width / halfwidth_sds)


def confidence_from_word(word: str, p: float = 2.0) -> float:
    """Turn high / medium / low into p^2, 1, p^-2 (the paper's "Scale for confidences"; p near 2).

    `p` is the ratio of the standard deviations of neighbouring words. H, M, L and med are understood as well.

    Source: MacKay, Kenna, Low and Parker (2015), SI, "Scale for confidences".

    Returns
    -------
    float
        The confidence.

    Raises
    ------
    InvalidPanel
        If the word is another one or p is not above 1.

    Examples
    --------
    >>> confidence_from_word('high') > confidence_from_word('low')
    True
    """
    if not p > 1:
        raise InvalidPanel(f"The ratio p between confidence words must be above 1, not {p}.")
    power = {"high": 2, "h": 2, "medium": 0, "med": 0, "m": 0, "low": -2, "l": -2}.get(word.strip().casefold())
    if power is None:
        raise InvalidPanel(f'"{word}" is not a confidence word: write high, medium or low.')
    return float(p) ** power
