"""What is not known about spreads, averaged over: a lattice of points around the most probable one, with weights.

A point of `JointModel` in coordinates from 0 to 1: (2/pi) arctan of the spreads of values and of biases over a typical
score's noise, in which a half-Cauchy prior is flat, and (1 + rho)/2, whose prior is 1 - rho^2.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.joint_model import JointModel, PointFit
from panelcal.frozen import dataclass

_EDGE = 1e-3  # points stay this far from the ends of their range
_FIRST_EDGE = 0.02
_COARSE = ((0.2, 0.4, 0.6, 0.8), (0.1, 0.3, 0.5, 0.75), (0.35, 0.65))  # where small panels start looking
_FIRST_STEP, _LONGEST_STEP, _SHORTEST_STEP = 0.08, 0.35, 1e-3
_ROUNDS = 12
_FARTHEST_MOVE, _SETTLED = 2.5, 0.5  # in steps; the lattice need only lie around the top
_FLATTEST, _STEEPEST = 0.1, 1e3  # of the log density, per step squared
_FINE, _ROUGH = (-2.5, -1.25, 0.0, 1.25, 2.5), (-np.sqrt(3), 0.0, np.sqrt(3))  # deviations from the top
_FARTHEST = 9.5  # square of the distance from the top, in deviations
_LEAST_WEIGHT = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class SpreadLattice:
    """Points of the joint model and how probable each is.

    Attributes
    ----------
    points
        (k, 3) spread of values and of biases over a typical score's noise, and rho.
    weights
        (k,) probabilities.
    fits
        The model solved at each point.
    """

    points: Array
    weights: Array
    fits: tuple[PointFit, ...]

    @property
    def correlation(self) -> tuple[float, float]:
        """Mean and standard deviation of rho."""
        mean = float(self.weights @ self.points[:, 2])
        return mean, float(np.sqrt(self.weights @ (self.points[:, 2] - mean) ** 2))


def spread_lattice(model: JointModel, start: Array, *, fine: bool) -> SpreadLattice:
    """Find the most probable point and put a lattice around it.

    Parameters
    ----------
    model
        The panel.
    start
        (3,) where to look first, as a point.
    fine
        More points, and a search of the whole range before: for small panels, whose spreads are little known and whose
        likelihood may have several tops.
    """
    search = _Search(model)
    first = np.clip(_to_coordinates(start)[: search.count], _FIRST_EDGE, 1 - _FIRST_EDGE)
    if fine:
        coarse = [np.array(place) for place in product(*_COARSE[: search.count])]
        first = max(coarse, key=search.density)
    top, axes = search.climb(first)
    nodes = _FINE if fine else _ROUGH
    steps = np.array(list(product(nodes, repeat=search.count)))
    places = top + steps[(steps**2).sum(axis=1) <= _FARTHEST] @ axes.T
    solved = [(place, *search.solve(place)) for place in places if search.is_inside(place)]
    densities = np.array([density for _, density, _ in solved])
    weights = np.exp(densities - densities.max())
    weights /= weights.sum()
    kept = np.flatnonzero(weights > _LEAST_WEIGHT)
    return SpreadLattice(
        points=np.array([search.point(solved[k][0]) for k in kept]),
        weights=weights[kept] / weights[kept].sum(),
        fits=tuple(solved[k][2] for k in kept),
    )


def one_point(model: JointModel, point: Array) -> SpreadLattice:
    """Take spreads as known: for large panels, whose data fix them."""
    inside = _from_coordinates(np.clip(_to_coordinates(point), _EDGE, 1 - _EDGE))
    return SpreadLattice(inside[None, :], np.ones(1), (model.at(*inside),))


class _Search:
    """The posterior density of the point of one panel, in coordinates (3,); (2,) where rho means nothing."""

    def __init__(self, model: JointModel) -> None:
        self._model = model
        self.count = 3 if model.can_see_selection else 2

    def is_inside(self, place: Array) -> bool:
        return bool((place >= _EDGE).all() and (place <= 1 - _EDGE).all())

    def point(self, place: Array) -> Array:
        return _from_coordinates(place if self.count == 3 else np.append(place, 0.5))

    def solve(self, place: Array) -> tuple[float, PointFit]:
        value_ratio, bias_ratio, correlation = self.point(place)
        fit = self._model.at(value_ratio, bias_ratio, correlation)
        return fit.log_density + float(np.log1p(-(correlation**2))), fit

    def density(self, place: Array) -> float:
        return self.solve(place)[0] if self.is_inside(place) else -np.inf

    def climb(self, first: Array) -> tuple[Array, Array]:
        """Return the top, roughly, and as columns one standard deviation along each principal axis there.

        Newton steps on a parabola laid through places about a standard deviation away, which sees past small dips.
        """
        place, steps = first, np.full(self.count, _FIRST_STEP)
        height = self.density(place)
        for _ in range(_ROUNDS):
            slopes, curvature = self._parabola(place, height, steps)
            powers, directions = np.linalg.eigh(curvature)
            powers = np.clip(powers, _FLATTEST, _STEEPEST)
            move = directions @ ((directions.T @ slopes) / powers)
            move *= min(1.0, _FARTHEST_MOVE / max(float(np.linalg.norm(move)), 1e-9))
            axes = steps[:, None] * directions / np.sqrt(powers)
            new = np.clip(place + steps * move, _EDGE, 1 - _EDGE)
            reached = self.density(new)
            widths = np.sqrt((axes**2).sum(axis=1))
            settled = bool((np.abs(new - place) <= _SETTLED * widths).all() and (steps <= 2 * widths).all())
            better = reached > height
            if better:
                place, height = new, reached
            if settled:
                break
            steps = np.clip(np.minimum(widths, (2 if better else 0.4) * steps), _SHORTEST_STEP, _LONGEST_STEP)
        return place, axes

    def _parabola(self, place: Array, height: float, steps: Array) -> tuple[Array, Array]:
        """Slopes and negative curvature of the log density, per step; from one side at the ends of a range."""
        offsets = np.diag(steps)
        above = np.array([self.density(place + offset) for offset in offsets])
        below = np.array([self.density(place - offset) for offset in offsets])
        one_sided = ~(np.isfinite(above) & np.isfinite(below))
        inner = np.where(np.isfinite(above), above, np.where(np.isfinite(below), below, height))
        mirrored = np.where(one_sided, np.minimum(inner, height), below)
        above = np.where(one_sided, np.minimum(inner, height), above)
        slopes = (above - mirrored) / 2
        rising = one_sided & (inner > height)
        slopes[rising] = ((inner - height) * np.where(np.isfinite(below), -1, 1))[rising]
        curvature = np.diag(np.clip(2 * height - above - mirrored, _FLATTEST, _STEEPEST))
        for i, j in zip(*np.tril_indices(self.count, -1), strict=True):
            if one_sided[i] or one_sided[j]:
                continue
            cross = above[i] + above[j] - height - self.density(place + offsets[i] + offsets[j])
            if np.isfinite(cross):
                curvature[i, j] = curvature[j, i] = cross
        return slopes, curvature


def _to_coordinates(point: Array) -> Array:
    return np.append(2 / np.pi * np.arctan(point[:2]), (1 + point[2]) / 2)


def _from_coordinates(place: Array) -> Array:
    return np.append(np.tan(np.pi / 2 * place[:2]), 2 * place[2] - 1)
