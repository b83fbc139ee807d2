"""Which kind of curve for an agent: the sensible default, unless cross-validation speaks clearly for another.

Default: the spline; a straight line below 20 anchors. Each anchor is predicted by curves fitted without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from panelcal.anchors.curves import FEW_ANCHORS, AnchorCurve, Kind, can_be_fitted, fit_anchor_curve, fit_shape
from panelcal.arrays import Array
from panelcal.frozen import dataclass

COMPARED: tuple[Kind, ...] = ("spline", "isotonic", "linear")
_FOLDS = 10
_CLEARLY = 0.995  # one-sided; with few anchors cross-validation is easily fooled


@dataclass(frozen=True, slots=True, eq=False)
class CurveChoice:
    """The kind chosen for an agent, and why.

    Attributes
    ----------
    curve
        The curve of the kind chosen, fitted to all anchors.
    default
        The kind that is used unless another is clearly better.
    kinds
        The kinds compared.
    errors
        (n_kinds,) root mean square error of predicting each anchor's consensus without it.
    gains
        (n_kinds,) by how much the mean square error of the default is larger; 0 for the default itself.
    gain_errors
        (n_kinds,) standard errors of the gains.
    predictions
        (n_kinds, n) the predictions, for the anchors used by `curve`.
    sentence
        The choice in words.
    """

    curve: AnchorCurve
    default: Kind
    kinds: tuple[Kind, ...]
    errors: Array
    gains: Array
    gain_errors: Array
    predictions: Array
    sentence: str


def choose_anchor_curve(
    scores: ArrayLike,
    consensus: ArrayLike,
    *,
    kinds: Sequence[Kind] = COMPARED,
    bounds: tuple[float, float] = (0.0, 100.0),
) -> CurveChoice:
    """Choose the kind of curve for an agent and fit it.

    Parameters
    ----------
    scores, consensus, bounds
        As for `fit_anchor_curve`.
    kinds
        The kinds to choose from; the default kind is always among them.

    Raises
    ------
    MethodNotApplicable
        As for `fit_anchor_curve`.
    """
    line = fit_anchor_curve(scores, consensus, kind="linear", bounds=bounds)
    default: Kind = "linear" if line.n_anchors < FEW_ANCHORS else "spline"
    compared = tuple(dict.fromkeys((default, *kinds)))
    predictions = np.array([predict_left_out(line, kind) for kind in compared])
    squares = (predictions - line.consensus) ** 2
    differences = squares[0] - squares
    gains = differences.mean(axis=1)
    gain_errors = differences.std(axis=1, ddof=1) / np.sqrt(line.n_anchors)
    errors = np.sqrt(squares.mean(axis=1))
    clear = gains > stdtrit(line.n_anchors - 1, _CLEARLY) * gain_errors
    best = int(np.argmin(np.where(clear, errors, np.inf))) if clear.any() else 0
    kind = compared[best]
    curve = line if kind == "linear" else fit_anchor_curve(scores, consensus, kind=kind, bounds=bounds)
    return CurveChoice(
        curve=curve,
        default=default,
        kinds=compared,
        errors=errors,
        gains=gains,
        gain_errors=gain_errors,
        predictions=predictions,
        sentence=_sentence(compared, best, errors, line.n_anchors),
    )


def predict_left_out(curve: AnchorCurve, kind: Kind) -> Array:
    """Predict each anchor (n,) of the curve by curves of this kind fitted without it and a tenth of the others.

    Every fold takes each tenth anchor in order of score, so that all see the whole range; nothing is drawn by lot.
    """
    scores, consensus = curve.anchor_scores, curve.consensus
    folds = min(_FOLDS, len(scores))
    fold = np.empty(len(scores), dtype=np.intp)
    fold[np.lexsort((consensus, scores))] = np.arange(len(scores)) % folds
    predictions = np.empty(len(scores))
    for k in range(folds):
        out = fold == k
        kept = ~out
        if can_be_fitted(scores[kept]):
            shape = fit_shape(kind, scores[kept], consensus[kept], np.ones(int(kept.sum())))
            predictions[out] = np.clip(shape.pieces(scores[out]), *curve.bounds)
        else:
            predictions[out] = consensus[kept].mean()
    return predictions


def _sentence(kinds: tuple[Kind, ...], best: int, errors: Array, n_anchors: int) -> str:
    measured = ", ".join(f"{kind} {error:.1f}" for kind, error in zip(kinds, errors, strict=True))
    if best:
        why = f"it predicts anchors left out clearly better than the usual choice ({kinds[0]})"
    elif n_anchors < FEW_ANCHORS:
        why = f"the usual choice below {FEW_ANCHORS} anchors, and no other is clearly better"
    else:
        why = "the usual choice, and no other is clearly better"
    return f"Curve: {kinds[best]}, {why} (error for anchors left out, in points: {measured})."
