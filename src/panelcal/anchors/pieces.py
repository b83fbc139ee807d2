"""A curve as cubic pieces with straight ends: the one form in which every kind of anchor curve is kept.

Being a table of numbers, it can be evaluated quickly, drawn, compared and written down, whatever made it.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass

_FAR = 1e100  # infinite scores are taken from here, where a flat end is still flat and not 0 x infinity
_ROUNDING = 1e-12
_AT_ONCE = 65_536  # scores evaluated together, so that intermediate results stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A function of the score, in pieces.

    Attributes
    ----------
    breaks
        (k,) increasing scores at which one piece ends and the next begins, k >= 1.
    coefficients
        (4, k + 1), constant term first. Column 0 holds below breaks[0], column i from breaks[i - 1] on; each is a cubic
        in (score - breaks[i - 1]), the first one in (score - breaks[0]). The first and the last are straight.
    """

    breaks: Array
    coefficients: Array

    def __call__(self, scores: Array) -> Array:
        """Evaluate at `scores` (any shape); NaN stays NaN."""
        flat = np.ravel(scores)
        out = np.empty(flat.shape)
        origins = np.concatenate([self.breaks[:1], self.breaks])
        constant, slope, square, cube = self.coefficients
        straight = not (square.any() or cube.any())
        for start in range(0, flat.size, _AT_ONCE):
            x = np.clip(flat[start : start + _AT_ONCE], -_FAR, _FAR)
            piece = np.searchsorted(self.breaks, x, side="right")
            t = x - origins[piece]
            if straight:
                part = slope[piece] * t
            else:
                part = ((cube[piece] * t + square[piece]) * t + slope[piece]) * t
            out[start : start + _AT_ONCE] = part + constant[piece]
        return out.reshape(np.shape(scores))

    @property
    def is_flat(self) -> bool:
        """Whether the curve has the same value everywhere, to rounding."""
        span = max(float(np.ptp(self.breaks)), 1.0)
        rise = np.abs(self.coefficients[1:]) * span ** np.arange(1.0, len(self.coefficients))[:, None]
        return bool((rise <= _ROUNDING * np.abs(self.coefficients[0]).max()).all())


def straight_line(intercept_at: float, value: float, slope: float) -> Pieces:
    """Return the line through (intercept_at, value)."""
    coefficients = np.zeros((4, 2))
    coefficients[0], coefficients[1] = value, slope
    return Pieces(np.array([intercept_at]), coefficients)


def broken_line(scores: Array, values: Array) -> Pieces:
    """Return straight lines between the points (k,) in increasing order of score, flat outside them.

    Points closer together than rounding can tell are a step: a slope between them would be infinite or nearly so.
    """
    coefficients = np.zeros((4, len(scores) + 1))
    coefficients[0, 0], coefficients[0, 1:] = values[0], values
    gaps = np.maximum(np.diff(scores), np.finfo(float).eps * np.abs(scores).max())
    coefficients[1, 1:-1] = np.diff(values) / gaps
    return Pieces(scores, coefficients)
