"""The lowest point of a function of one number that may have several dips: a coarse look, then ever closer ones.

Used wherever a variance ratio or an exponent maximises a likelihood; the function takes many places at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.arrays import Array

_POINTS = 61
_CLOSER = 17
_NEAR = 1e-3  # closer than this the function is taken for a parabola: comparing values would be left to rounding


def lowest_on_line(
    function: Callable[[Array], Array], low: float, high: float, *, points: int = _POINTS
) -> tuple[float, float]:
    """Return the place between `low` and `high` where the function is lowest, and its value there.

    Parameters
    ----------
    function
        Takes (k,) places and returns (k,) values; dips narrower than (high - low)/points may be missed.
    low, high
        Ends of the search; either may be the answer.
    points
        How many places are looked at first. Every dip among them is then followed down, to about 1e-8.
    """
    places = np.linspace(low, high, points)
    values = function(places)
    padded = np.concatenate([[np.inf], values, [np.inf]])
    dips = np.flatnonzero((values <= padded[:-2]) & (values < padded[2:]))
    found = [_down(function, places, values, int(k)) for k in dips] or [(float(places[-1]), float(values[-1]))]
    return min(found, key=lambda one: one[1])


def _down(function: Callable[[Array], Array], places: Array, values: Array, k: int) -> tuple[float, float]:
    """Follow the dip around places[k]."""
    best, lowest = float(places[k]), float(values[k])
    vertex = best
    last = len(places) - 1
    low, high = float(places[max(k - 1, 0)]), float(places[min(k + 1, last)])
    while high - low > _NEAR:
        closer = np.linspace(low, high, _CLOSER)
        heights = function(closer)
        k = int(np.argmin(heights))
        best, lowest = float(closer[k]), float(heights[k])
        low, high = float(closer[max(k - 1, 0)]), float(closer[min(k + 1, _CLOSER - 1)])
        if 0 < k < _CLOSER - 1:
            before, after = heights[k - 1] - lowest, heights[k + 1] - lowest
            if before + after > 0:
                vertex = best + 0.5 * (closer[1] - closer[0]) * float((before - after) / (before + after))
    return vertex, float(function(np.array([vertex]))[0])
