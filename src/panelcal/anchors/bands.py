"""How sure an anchor curve is, and with it each calibrated score.

Splines: posterior standard deviation. Lines: least-squares theory. Isotonic curves and rescalings, for which there is
no such theory: the anchors are drawn again with replacement and the curve refitted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from panelcal.anchors.curves import AnchorCurve, can_be_fitted, fit_shape
from panelcal.anchors.monotone_spline import spline_errors
from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass

_DRAWS = 200


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedScores:
    """New scores on the scale of the consensus, and how sure they are; every array has the shape of the scores given.

    Attributes
    ----------
    values
        The calibrated scores; NaN where there was no score.
    errors
        Standard error of each as a statement about the consensus: the consensus scatters about the curve and the curve
        itself is uncertain.
    curve_errors
        Standard error of the curve alone: how far another draw of anchors would move it.
    lower, upper
        Uncertainty band of the curve at this level, within the bounds.
    outside
        Whether the score lies outside those of the anchors, so that the curve is carried on there and not measured.
    level
        Probability of the band, for each score by itself.
    """

    values: Array
    errors: Array
    curve_errors: Array
    lower: Array
    upper: Array
    outside: Mask
    level: float


def calibrate_scores(
    curve: AnchorCurve, scores: ArrayLike, *, level: float = 0.95, seed: int = 0, draws: int = _DRAWS
) -> CalibratedScores:
    """Map new scores by the curve, with standard errors and the curve's uncertainty band.

    Parameters
    ----------
    curve
        A fitted curve.
    scores
        New scores of the same agent, any shape; NaN = not scored.
    level
        Probability of the band.
    seed, draws
        For kinds whose curve is refitted to redrawn anchors ("isotonic", "min_max", "mean_sd").
    """
    given = np.asarray(scores, dtype=np.float64)
    distinct, place = np.unique(np.ravel(given), return_inverse=True)  # scores are often whole numbers
    known = np.isfinite(distinct)
    errors, lower, upper = (np.full(len(distinct), np.nan) for _ in range(3))
    at = distinct[known]
    if curve.kind in {"spline", "linear"}:
        errors[known] = _spline_or_line_errors(curve, at)
        factor = stdtrit(max(curve.n_anchors - curve.degrees_of_freedom, 1.0), (1 + level) / 2)
        centre = curve.pieces(distinct)
        lower, upper = centre - factor * errors, centre + factor * errors
    else:
        curves = _refitted(curve, at, seed, draws)
        errors[known] = curves.std(axis=0, ddof=1)
        lower[known], upper[known] = np.quantile(curves, [(1 - level) / 2, (1 + level) / 2], axis=0)
        # Redrawn isotonic curves lean to one side; the curve itself always belongs to its band.
        lower, upper = np.minimum(lower, curve.pieces(distinct)), np.maximum(upper, curve.pieces(distinct))
    lower, upper = np.clip(lower, *curve.bounds), np.clip(upper, *curve.bounds)

    def spread_out(column: Array) -> Array:
        return column[place].reshape(given.shape)

    return CalibratedScores(
        values=np.asarray(curve(given)),
        errors=spread_out(np.hypot(curve.residual_sd, errors)),
        curve_errors=spread_out(errors),
        lower=spread_out(lower),
        upper=spread_out(upper),
        outside=curve.is_outside(given),
        level=level,
    )


def _spline_or_line_errors(curve: AnchorCurve, at: Array) -> Array:
    if curve.smoothing is not None:
        return spline_errors(curve.anchor_scores, curve.residual_sd, curve.smoothing, at)
    away = curve.anchor_scores - curve.anchor_scores.mean()
    return curve.residual_sd * np.sqrt(1 / len(away) + (at - curve.anchor_scores.mean()) ** 2 / (away @ away))


def _refitted(curve: AnchorCurve, at: Array, seed: int, draws: int) -> Array:
    """Curves (draws, k) fitted to anchors drawn with replacement, at the scores `at` (k,)."""
    random = np.random.default_rng(seed)
    n = curve.n_anchors
    rows: list[Array] = []
    while len(rows) < draws:
        times = np.bincount(random.integers(0, n, n), minlength=n)
        # A draw of anchors that all have one score says nothing; with few anchors it happens.
        if can_be_fitted(np.repeat(curve.anchor_scores, times)):
            shape = fit_shape(curve.kind, curve.anchor_scores, curve.consensus, times.astype(np.float64))
            rows.append(np.clip(shape.pieces(at), *curve.bounds))
    return np.array(rows).reshape(draws, len(at))
