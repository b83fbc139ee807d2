"""Conjugate gradients (Hestenes and Stiefel 1952), scaled by a diagonal, for well linked panels of any size.

On a well linked panel a score passes through few hands before it has been compared with all others, and ten or twenty
multiplications with the table of confidences solve the equations. On a weakly linked one the same takes thousands; that
shows in the progress, and is reported instead of waited for.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass

_FIRST_LOOK = 8  # steps after which progress is judged for the first time
_SETTLED = 0.05  # lengths of steps so near each other tell the next one
_ROUNDING = 1e-13  # below this rounding may keep residuals from falling further


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """How far conjugate gradients came.

    Attributes
    ----------
    solution
        (n,) or (n, k) as far as it got.
    reached
        Whether that is as far as asked for.
    steps
        How many steps it took; each multiplies with the matrix, but for the last one, which may do without.
    """

    solution: Array
    reached: bool
    steps: int


def conjugate_gradients(
    multiply: Callable[[Array], Array],
    scale: Array,
    right: Array,
    *,
    tolerance: float,
    most_steps: int,
) -> Progress:
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
        Give up when progress says that it will take more than this.

    Returns
    -------
    Progress
        The solution as far as it got, whether it reached the tolerance, and the steps.
    """
    return (_one if right.ndim == 1 else _side_by_side)(multiply, scale, right, tolerance, most_steps)


def _one(multiply: Callable[[Array], Array], scale: Array, right: Array, tolerance: float, most_steps: int) -> Progress:
    solution, left = np.zeros_like(right), right.copy()
    direction = scaled = left / scale
    first = size = _dot(left, scaled)
    goal = tolerance**2 * size
    sizes: list[float] = []
    length = math.inf
    for step in range(most_steps + 1):
        if size <= goal:
            return Progress(solution, True, step)
        sizes.append(math.log(size / first))
        if step == most_steps or _too_slow(sizes, 2 * math.log(tolerance), most_steps):
            break
        image = multiply(direction)
        last, length = length, size / _dot(direction, image)
        solution += length * direction
        left -= length * image
        scaled = left / scale
        before, size = size, _dot(left, scaled)
        if before < size <= _ROUNDING**2 * first:
            return Progress(solution, True, step + 1)
        direction = scaled + (size / before) * direction
        # Once lengths of steps have settled, so much is left after another step of this length: no need to multiply.
        apart = abs(length - last)
        if apart < _SETTLED * length and size * (math.sqrt(size / before) + apart / length) ** 2 <= goal:
            return Progress(solution + length * direction, True, step + 2)
    return Progress(solution, size <= _ROUNDING**2 * first, step)


def _dot(one: Array, two: Array) -> float:
    """Scalar product by numpy itself: a linear algebra library would share it out among threads and round otherwise."""
    return float(np.einsum("i,i->", one, two))


def _too_slow(sizes: list[float], goal: float, most_steps: int) -> bool:
    """Whether logarithms of squared sizes, before each step so far, fall too slowly to come down to the goal.

    Judged by the last half of the steps: the first ones may be far quicker than the rest.
    """
    step = len(sizes) - 1
    if step < _FIRST_LOOK or step % (_FIRST_LOOK // 2):
        return False
    back = step // 2
    per_step = (sizes[-1] - sizes[-1 - back]) / back
    return per_step >= 0 or step + (goal - sizes[-1]) / per_step > most_steps


def _side_by_side(
    multiply: Callable[[Array], Array], scale: Array, right: Array, tolerance: float, most_steps: int
) -> Progress:
    scale = scale[:, None]
    solution, left = np.zeros_like(right), right.copy()
    scaled = left / scale
    direction = scaled.copy()
    size = np.einsum("ik,ik->k", left, scaled)
    goal = tolerance**2 * size
    sizes: list[float] = []
    for step in range(most_steps + 1):
        furthest = _worst(size, goal)
        if furthest <= 1.0:
            return Progress(solution, True, step)
        sizes.append(math.log(furthest))
        if step == most_steps or _too_slow(sizes, 0.0, most_steps):
            break
        image = multiply(direction)
        with np.errstate(divide="ignore", invalid="ignore"):
            length = np.where(size > 0, size / np.einsum("ik,ik->k", direction, image), 0.0)
        solution += length * direction
        left -= length * image
        scaled = left / scale
        before, size = size, np.einsum("ik,ik->k", left, scaled)
        with np.errstate(divide="ignore", invalid="ignore"):
            direction *= np.where(before > 0, size / before, 0.0)
        direction += scaled
    return Progress(solution, False, step)


def _worst(size: Array, goal: Array) -> float:
    """How far the slowest column is from its goal, as a ratio of squares; 0 where there is nothing to solve."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(size > 0, size / goal, 0.0)))
