"""Monotone penalised spline: the curve phi that minimises mean (phi(score) - consensus)^2 + lambda x curvature.

phi is a constant plus a non-negative combination of cumulative cubic B-splines on the range of the anchors' scores (so
it cannot fall), with five interior knots at quantiles of those scores; curvature is the exact integral of phi''^2 with
the range scaled to 1. One small non-negative least-squares problem per lambda; lambda by generalised cross-validation
on the active set. Beyond the anchors' scores phi goes on straight. (ASC 2026, section 3; Ramsay 1988 for the basis.)
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: scipy.stats alone takes as long as all the rest
from scipy.optimize import nnls

from panelcal.anchors.pieces import Pieces
from panelcal.arrays import Array
from panelcal.frozen import dataclass

INTERIOR_KNOTS = 5
SMOOTHINGS = 10.0 ** np.arange(-8.0, 1.01, 0.5)
_DEGREE = 3
# A degree of freedom counts as 2.5. Plain GCV now and then follows the noise (Kim and Gu 2004 advise 1.4): with 20
# anchors and an agent on a straight scale that costs 0.66 points of RMSE against a line, at 2.5 it costs 0.17, for at
# most 0.1 where the agent's scale is bent (docs/anchors.md).
_PRICE = 2.5
_FOR_ERRORS = 0.01
_ROUNDING = 1e-13
_EXACT = 1e-16  # share of the consensus' variance left over


@dataclass(frozen=True, slots=True, eq=False)
class SplineFit:
    """A fitted spline.

    Attributes
    ----------
    pieces
        The curve.
    degrees_of_freedom
        Trace of the smoother on the active set, with 1 for the constant.
    smoothing
        lambda, as used; on scores scaled to a range of 1.
    """

    pieces: Pieces
    degrees_of_freedom: float
    smoothing: float


def fit_spline(scores: Array, consensus: Array, weights: Array) -> SplineFit:
    """Fit the monotone spline.

    Parameters
    ----------
    scores, consensus
        (n,) finite, with at least two different scores.
    weights
        (n,) not negative: how often each anchor counts.
    """
    seen = weights > 0
    scores, consensus, weights = scores[seen], consensus[seen], weights[seen]
    low, span, knots, bends = _basis_on(scores, weights)
    rises = _rises((scores - low) / span, knots)

    # The constant is free and unpenalised, so it is removed by centring. What is left enters the criterion only
    # through its triangular factor: nine rows in place of one per anchor.
    share = np.sqrt(weights / weights.sum())
    level, mean_rises = share**2 @ consensus, share**2 @ rises
    data = np.column_stack([rises - mean_rises, consensus - level]) * share[:, None]
    factor = np.asarray(np.linalg.qr(data, mode="r"))
    # The solver's tolerances do not know the unit of the consensus.
    unit = float(np.linalg.norm(factor[:, -1])) or 1.0
    design, target = factor[:, :-1], factor[:, -1] / unit

    steps, freedom = _solve(design, target, bends)
    left = np.sum((steps @ design.T - target) ** 2, axis=1)
    room = 1 - _PRICE * freedom / weights.sum()
    criterion = np.full(len(SMOOTHINGS), np.inf)
    # Below _EXACT there are only rounding errors, which must not choose.
    criterion[room > 0] = np.maximum(left[room > 0], _EXACT) / room[room > 0] ** 2
    # The last of equals is the smoothest.
    best = len(SMOOTHINGS) - 1 - int(np.argmin(criterion[::-1]))
    heights = level + unit * (np.concatenate([[0.0], np.cumsum(steps[best])]) - mean_rises @ steps[best])
    return SplineFit(
        pieces=_pieces(knots, heights, low, span),
        degrees_of_freedom=float(freedom[best]),
        smoothing=float(SMOOTHINGS[best]),
    )


def spline_errors(scores: Array, residual_sd: float, smoothing: float, at: Array) -> Array:
    """Return the standard error (k,) of a fitted spline at the scores `at` (k,).

    The posterior standard deviation of a smoothing spline (Wahba 1983), which on average over the scores makes up for
    the bias that smoothing brings (Nychka 1988). It is taken at lambda/100, since lambda is chosen on the smooth side,
    and without the constraints, which can only make it narrower.

    Parameters
    ----------
    scores
        (n,) the anchors' scores.
    residual_sd
        SD of the consensus about the curve.
    smoothing
        lambda of the curve.
    at
        (k,) finite.
    """
    low, span, knots, bends = _basis_on(scores, np.ones(len(scores)))
    rises = _rises((scores - low) / span, knots)
    mean_rises = rises.mean(axis=0)
    stacked = np.vstack([(rises - mean_rises) / np.sqrt(len(scores)), np.sqrt(_FOR_ERRORS * smoothing) * bends])
    _, singular, right = np.linalg.svd(stacked, full_matrices=False)
    scaled = (at - low) / span
    there = _rises(np.clip(scaled, 0.0, 1.0), knots)
    # Beyond the anchors the curve goes on straight, and so does each of its parts.
    ends = np.array([0.0, 1.0])
    slopes = _cumulative(scipy.interpolate.BSpline(knots, np.eye(len(knots) - _DEGREE - 1), _DEGREE).derivative()(ends))
    there += np.minimum(scaled, 0.0)[:, None] * slopes[0] + np.maximum(scaled - 1.0, 0.0)[:, None] * slopes[1]
    parts = (there - mean_rises) @ (right.T / singular)
    return np.asarray(residual_sd * np.sqrt((1.0 + (parts**2).sum(axis=1)) / len(scores)))


def _basis_on(scores: Array, weights: Array) -> tuple[float, float, Array, Array]:
    """Lowest score and range, the knots on the range scaled to 1, and the root of the curvature penalty."""
    low, span = float(scores.min()), float(np.ptp(scores))
    knots = _knots((scores - low) / span, weights)
    return low, span, knots, _cumulative(_curvature_root(knots))


def _rises(scaled: Array, knots: Array) -> Array:
    """Values of the cumulative B-splines (n, n_steps)."""
    return _cumulative(scipy.interpolate.BSpline.design_matrix(scaled, knots, _DEGREE).toarray())


def _knots(scaled: Array, weights: Array) -> Array:
    """Ends repeated, and the quantiles of the scores between them that are different from each other and the ends."""
    at = np.arange(1, INTERIOR_KNOTS + 1) / (INTERIOR_KNOTS + 1)
    counted = np.repeat(scaled, np.maximum(np.rint(weights), 1).astype(np.intp))
    interior = np.unique(np.quantile(counted, at))
    # A knot closer to another than this would divide by its distance and add nothing.
    interior = interior[(interior > 1e-3) & (interior < 1 - 1e-3)]
    apart = np.concatenate([[True], np.diff(interior) > 1e-3]) if interior.size else np.zeros(0, dtype=bool)
    return np.concatenate([np.zeros(_DEGREE + 1), interior[apart], np.ones(_DEGREE + 1)])


def _cumulative(columns: Array) -> Array:
    """Turn columns for B-spline heights into columns for the steps between them, the constant left out."""
    return np.cumsum(columns[:, ::-1], axis=1)[:, -2::-1]


def _curvature_root(knots: Array) -> Array:
    """Return a matrix K with |K c|^2 = the integral of phi''^2 for B-spline heights c.

    phi'' is straight between knots, so two Gauss points in each interval are exact.
    """
    count = len(knots) - _DEGREE - 1
    breaks = np.unique(knots)
    half = np.diff(breaks) / 2
    middle = breaks[:-1] + half
    points = np.concatenate([middle - half / np.sqrt(3), middle + half / np.sqrt(3)])
    second = scipy.interpolate.BSpline(knots, np.eye(count), _DEGREE).derivative(2)(points)
    return second * np.sqrt(np.tile(half, 2))[:, None]


def _solve(design: Array, target: Array, bends: Array) -> tuple[Array, Array]:
    """Steps (n_smoothings, n_steps) >= 0 and degrees of freedom (n_smoothings,) for every lambda."""
    stacked = np.array([np.vstack([design, root * bends]) for root in np.sqrt(SMOOTHINGS)])
    right = np.concatenate([target, np.zeros(len(bends))])
    steps = np.array([nnls(system, right)[0] for system in stacked])
    # trace of X (X'X + lambda K'K)^-1 X' on the active set, through orthonormal columns, which keep their digits for
    # tiny lambda; columns put to 0 have singular value 0.
    left, singular, _ = np.linalg.svd(stacked * (steps > 0)[:, None], full_matrices=False)
    spanned = singular > _ROUNDING * singular[:, :1]
    return steps, 1.0 + np.sum((left[:, : len(design)] ** 2).sum(axis=1), axis=1, where=spanned)


def _pieces(knots: Array, heights: Array, low: float, span: float) -> Pieces:
    """B-spline heights as cubic pieces in score units, with straight ends."""
    spline = scipy.interpolate.BSpline(knots, heights, _DEGREE)
    inside = scipy.interpolate.PPoly.from_spline(spline)
    use = np.diff(inside.x) > 0
    breaks = np.concatenate([inside.x[:-1][use], [1.0]])
    coefficients = np.zeros((4, len(breaks) + 1))
    coefficients[:, 1:-1] = inside.c[::-1, use]
    coefficients[0, 0], coefficients[0, -1] = heights[0], heights[-1]
    # Written as rises of the heights, the end slopes cannot be negative by rounding.
    coefficients[1, 0] = _DEGREE * (heights[1] - heights[0]) / (knots[_DEGREE + 1] - knots[_DEGREE])
    coefficients[1, -1] = _DEGREE * (heights[-1] - heights[-2]) / (knots[-_DEGREE - 1] - knots[-_DEGREE - 2])
    coefficients[1:] /= span ** np.arange(1, 4)[:, None]
    return Pieces(low + span * breaks, coefficients)
