"""Conjugate gradients (Hestenes and Stiefel 1952), scaled by a diagonal, for well linked panels of any size.

On a well linked panel a score passes through few hands before it has been compared with all others, and ten or twenty
multiplications with the table of confidences solve the equations. On a weakly linked one the same takes thousands; that
shows in the progress, and is reported instead of waited for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LOOK_BACK = 10


def conjugate_gradients(
    multiply: Callable[[Array], Array], scale: Array, right: Array, *, tolerance: float, most_steps: int
) -> tuple[Array, bool]:
    """Solve a positive semidefinite system whose right-hand side it can reach.

    Parameters
    ----------
    multiply
        Multiplies the matrix with (n,) or (n, k).
    scale
        (n,) positive numbers that level the matrix out, such as its diagonal.
    right
        (n,) or (n, k) right-hand sides; columns are solved side by side.
    tolerance
        Stop when every residual, in the norm that the scale gives, has fallen by this factor.
    most_steps
        Give up when the progress of the last ten steps says that it will take more than this.

    Returns
    -------
    tuple
        The solution (shape of `right`) as far as it got, and whether it reached the tolerance.
    """
    scale = scale if right.ndim == 1 else scale[:, None]
    solution, left = np.zeros_like(right), right.copy()
    scaled = left / scale
    direction = scaled.copy()
    size = np.einsum("i...,i...->...", left, scaled)
    goal = tolerance**2 * size
    sizes = [_worst(size, goal)]
    for step in range(1, most_steps + 1):
        if sizes[-1] <= 1.0:
            return solution, True
        if step > 2 * _LOOK_BACK and step % _LOOK_BACK == 0:
            per_step = (np.log(sizes[-1]) - np.log(sizes[-1 - _LOOK_BACK])) / _LOOK_BACK
            if per_step >= 0 or step - np.log(sizes[-1]) / per_step > most_steps:
                return solution, False
        image = multiply(direction)
        with np.errstate(divide="ignore", invalid="ignore"):
            length = np.where(size > 0, size / np.einsum("i...,i...->...", direction, image), 0.0)
        solution += length * direction
        left -= length * image
        scaled = left / scale
        before, size = size, np.einsum("i...,i...->...", left, scaled)
        with np.errstate(divide="ignore", invalid="ignore"):
            direction *= np.where(before > 0, size / before, 0.0)
        direction += scaled
        sizes.append(_worst(size, goal))
    return solution, sizes[-1] <= 1.0


def _worst(size: Array, goal: Array) -> float:
    """How far the slowest column is from its goal, as a ratio of squares; 0 where there is nothing to solve."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(size > 0, size / goal, 0.0)))
