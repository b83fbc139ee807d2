"""What the anchors room is given, as arrays of floats: missing is NaN, and nothing else is let through."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable

_LARGEST = 1e90  # beyond, squares and cubes of differences leave the range of floating point


def as_floats(numbers: ArrayLike, dimensions: int) -> Array:
    """Copy numbers into an array of floats; None becomes NaN.

    Raises
    ------
    MethodNotApplicable
        If something is not a number or larger than 1e90, or there is another number of dimensions.
    """
    try:
        found = np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise MethodNotApplicable(
            "Anchor scores and consensus must be numbers, the same count in every row; leave empty what is missing."
        ) from None
    if found.ndim != dimensions:
        shape = "one row of numbers" if dimensions == 1 else "a table of numbers"
        raise MethodNotApplicable(f"Anchor scores must be {shape} here.")
    if (np.abs(found) > _LARGEST).any():
        raise MethodNotApplicable(
            "An anchor's score or consensus is infinite or absurdly large: leave it empty where there is none."
        )
    return found


def as_pair(one: ArrayLike, two: ArrayLike, names: tuple[str, str]) -> tuple[Array, Array]:
    """Return two columns (n,) of the same length.

    Raises
    ------
    MethodNotApplicable
        As for `as_floats`, or if the lengths differ.
    """
    first, second = as_floats(one, 1), as_floats(two, 1)
    if first.shape != second.shape:
        raise MethodNotApplicable(
            f"There are {first.size} {names[0]} and {second.size} {names[1]}: each anchor needs one of each."
        )
    return first, second
