"""Anchor curves: how one agent's scores map onto the scale of the anchors' consensus (ASC 2026, section 3).

Here anchors are checked and the fitting is handed to the kind of curve asked for. Which kind to ask for is in `choice`,
how sure a curve is in `bands`.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from panelcal.anchors.columns import as_pair
from panelcal.anchors.lines_and_steps import fit_isotonic, fit_line, match_mean_and_sd, match_range
from panelcal.anchors.monotone_spline import fit_spline
from panelcal.anchors.pieces import Pieces
from panelcal.anchors.rank_correlation import kendall_tau
from panelcal.arrays import Array, Mask
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Drawn

Kind = Literal["spline", "isotonic", "linear", "min_max", "mean_sd"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FEWEST_ANCHORS = 3
FEW_ANCHORS = 20  # below this a straight line is as good as anything (docs/anchors.md)
_SAME = 1e-9  # scores that differ by less than this share of their size are the same score
_NOTHING = 1e-90  # and so are scores this close: their cubes would be 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnchorCurve(Drawn):
    """One agent's curve: call it with new scores to get them on the scale of the consensus.

    Source: ASC (2026), section 3; the choice between the kinds is measured in docs/anchors.md.

    Attributes
    ----------
    kind
        "spline", "isotonic", "linear", "min_max" or "mean_sd".
    bounds
        Lowest and highest value on the scale of the consensus; calibrated scores never leave it.
    anchor_scores, consensus
        (n,) the anchors it was fitted to, those with both numbers, in the order given.
    used
        (n_given,) which of the anchors given those are.
    pieces
        The curve before it is cut off at the bounds.
    degrees_of_freedom
        What the curve spends on its shape: 2 for a line, the number of levels for isotonic.
    smoothing
        lambda of a spline, None for other kinds.
    residuals
        (n,) consensus - calibrated score at the anchors.
    residual_sd
        Standard deviation of the consensus about the curve, sqrt(sum of residuals^2 / (n - degrees of freedom)), in
        units of the consensus; n - degrees of freedom is taken as 1 where it is less.
    notes
        Sentences for the user about what is unusual; empty if nothing is.

    Examples
    --------
    >>> curve = fit_anchor_curve([10, 30, 50, 70, 90], [20, 35, 50, 65, 80], kind='linear')
    >>> float(curve(60.0))
    57.5
    """

    kind: Kind
    bounds: tuple[float, float]
    anchor_scores: Array
    consensus: Array
    used: Mask
    pieces: Pieces
    degrees_of_freedom: float
    smoothing: float | None
    residuals: Array
    residual_sd: float
    notes: tuple[str, ...]

    def __call__(self, scores: ArrayLike) -> Any:
        """Return the calibrated scores, of the same shape; NaN (not scored) stays NaN."""
        given = np.asarray(scores, dtype=np.float64)
        values = np.clip(self.pieces(given), *self.bounds)
        return float(values) if given.ndim == 0 else values

    @property
    def n_anchors(self) -> int:
        """Number of anchors it was fitted to."""
        return len(self.consensus)

    @property
    def is_flat(self) -> bool:
        """Whether every score is mapped to the same value: then the agent says nothing."""
        return self.pieces.is_flat

    def is_outside(self, scores: ArrayLike) -> Mask:
        """Return which scores lie outside those of the anchors, where the curve is carried on and not measured."""
        given = np.asarray(scores, dtype=np.float64)
        return np.asarray((given < self.anchor_scores.min()) | (given > self.anchor_scores.max()))


@dataclass(frozen=True, slots=True)
class _Shape:
    pieces: Pieces
    degrees_of_freedom: float
    smoothing: float | None


def fit_anchor_curve(
    scores: ArrayLike,
    consensus: ArrayLike,
    *,
    kind: Kind = "spline",
    bounds: tuple[float, float] = (0.0, 100.0),
) -> AnchorCurve:
    """Fit the curve that takes an agent's scores of the anchors to their consensus.

    Source: ASC (2026), section 3; splines on the basis of Ramsay (1988); isotonic regression by pooling violators.

    Parameters
    ----------
    scores
        (n,) the agent's score for each anchor, on any scale; NaN or None = not scored.
    consensus
        (n,) the known value of each anchor, within the bounds; NaN or None = not known.
    kind
        "spline": monotone penalised spline, for 20 anchors and more. "isotonic": non-decreasing steps. "linear": least
        squares. "min_max" and "mean_sd": rescalings to compare with.
    bounds
        Lowest and highest value on the scale of the consensus.

    Returns
    -------
    AnchorCurve
        Callable: new scores to the scale of the consensus.

    Raises
    ------
    MethodNotApplicable
        If fewer than three anchors have both numbers, all of them have the same score or the same consensus, a number
        is infinite, a consensus lies outside the bounds, or there is no such kind.

    Examples
    --------
    >>> curve = fit_anchor_curve([10, 30, 50, 70, 90], [20, 35, 50, 65, 80], kind='linear')
    >>> curve([10, 90]).round(6).tolist()
    [20.0, 80.0]
    """
    if kind not in KINDS:
        raise MethodNotApplicable(f'There is no anchor curve "{kind}": choose one of {", ".join(KINDS)}.')
    low, high = _checked_bounds(bounds)
    given, known = as_pair(scores, consensus, ("anchor scores", "consensus values"))
    used = ~(np.isnan(given) | np.isnan(known))
    x, y = given[used], known[used]
    _check_anchors(x, y, low, high)
    shape = fit_shape(kind, x, y, np.ones(len(x)))
    residuals = y - np.clip(shape.pieces(x), low, high)
    spare = max(len(x) - shape.degrees_of_freedom, 1.0)
    for array in (x, y, used, residuals):
        array.setflags(write=False)
    return AnchorCurve(
        kind=kind,
        bounds=(low, high),
        anchor_scores=x,
        consensus=y,
        used=used,
        pieces=shape.pieces,
        degrees_of_freedom=shape.degrees_of_freedom,
        smoothing=shape.smoothing,
        residuals=residuals,
        residual_sd=float(np.sqrt(residuals @ residuals / spare)),
        notes=_notes(kind, x, y, shape.pieces, len(given)),
    )


def fit_shape(kind: Kind, scores: Array, consensus: Array, weights: Array) -> _Shape:
    """Fit a curve of this kind to anchors that have been checked, each counted `weights` (n,) times."""
    if kind == "spline":
        spline = fit_spline(scores, consensus, weights)
        return _Shape(spline.pieces, spline.degrees_of_freedom, spline.smoothing)
    if kind == "isotonic":
        return _Shape(*fit_isotonic(scores, consensus, weights), None)
    line = {"linear": fit_line, "min_max": match_range, "mean_sd": match_mean_and_sd}[kind]
    return _Shape(line(scores, consensus, weights), 2.0, None)


def can_be_fitted(scores: Array) -> bool:
    """Whether scores (n,) without gaps are enough to fit a curve to: three, and not all the same."""
    return len(scores) >= FEWEST_ANCHORS and bool(np.ptp(scores) > max(_SAME * np.abs(scores).max(), _NOTHING))


def _checked_bounds(bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds as numbers.

    Raises
    ------
    MethodNotApplicable
        If they are not two finite numbers, the lower first.
    """
    low, high = (float(bound) for bound in bounds)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise MethodNotApplicable(f"The range of the scale must be two numbers, the lower first, not {low} and {high}.")
    return low, high


def _check_anchors(x: Array, y: Array, low: float, high: float) -> None:
    if len(x) < FEWEST_ANCHORS:
        raise MethodNotApplicable(
            f"Only {len(x)} anchors have both a score and a consensus: a curve needs at least {FEWEST_ANCHORS}."
        )
    outside = (y < low) | (y > high)
    if outside.any():
        raise MethodNotApplicable(
            f"The consensus {y[outside][0]:g} lies outside the scale from {low:g} to {high:g}: correct it or the scale."
        )
    if not can_be_fitted(x):
        raise MethodNotApplicable(
            f"The agent gave all {len(x)} anchors the same score ({x[0]:g}), so its scores say nothing about them."
        )
    if np.ptp(y) == 0:
        raise MethodNotApplicable(
            f"All {len(y)} anchors have the same consensus ({y[0]:g}): anchors must span the scale they are to define."
        )


def _notes(kind: Kind, x: Array, y: Array, pieces: Pieces, n_given: int) -> tuple[str, ...]:
    notes = []
    if len(x) < n_given:
        notes.append(f"{n_given - len(x)} of {n_given} anchors have no score or no consensus and were left out.")
    if len(x) < FEW_ANCHORS and kind in {"spline", "isotonic"}:
        notes.append(f"With {len(x)} anchors (fewer than {FEW_ANCHORS}) a straight line is the safer choice.")
    tau = kendall_tau(x, y)
    if tau.value <= 0 or pieces.is_flat:
        consequence = (
            "every score is mapped to the same value, which says nothing"
            if pieces.is_flat
            else "calibrated scores from this curve should not be used"
        )
        notes.append(
            f"The agent's scores do not rise with the consensus (Kendall's tau = {tau.value:.2f}): {consequence}."
        )
    return tuple(notes)
