"""Which method predicts scores best on this very panel: assessments are left out and predicted from the rest.

What is left out never disconnects the panel: a random spanning forest of its graph always stays, and so does the
assessment that each node hangs on. A score is predicted by the method's own formula where it has one, otherwise as the
object's value plus the assessor's mean residual from the values; so plain averages are not blamed for biases that they
do not claim to know, only for what those biases do to the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import MethodNotApplicable, PanelcalError
from panelcal.frozen import dataclass
from panelcal.network import component_labels
from panelcal.panel import Panel
from panelcal.spanning_forest import spanning_forest

Predictor = Callable[[Panel, Indices, Indices], Array]

_LEAST_TESTED = 8


@dataclass(frozen=True, slots=True)
class PredictiveError:
    """How well one method predicts scores that were left out.

    Attributes
    ----------
    method
        Its name.
    error
        Confidence-weighted root mean square error, in score units; NaN where the method refused.
    worse_than_best
        By how much the mean square exceeds that of the best method, as a share of the best.
    standard_error
        Of `worse_than_best`, from the differences score by score: below twice this, there is nothing to choose.
    refused
        Why the method could not be used, or "".
    """

    method: str
    error: float
    worse_than_best: float
    standard_error: float
    refused: str


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation:
    """Predictive errors of several methods on the same scores.

    Attributes
    ----------
    errors
        One entry per method, best first, refusals last.
    tested
        (N,) how often each assessment was left out.
    rounds
        In how many rounds.
    sentence
        The finding in words.
    """

    errors: tuple[PredictiveError, ...]
    tested: Indices
    rounds: int
    sentence: str


def held_out_folds(panel: Panel, *, folds: int = 5, seed: int = 0) -> tuple[Indices, ...]:
    """Split what can be left out into folds; each fold (k,) of assessments may go without changing the groups.

    Assessments of a random spanning forest are in no fold, so different seeds test different assessments.
    """
    random = np.random.default_rng(seed)
    n, size = panel.n_objects, panel.n_objects + panel.n_assessors
    order = random.permutation(panel.n_assessments)
    forest = spanning_forest(panel.object_index[order], n + panel.assessor_index[order], size)[0]
    needed = np.zeros(panel.n_assessments, dtype=np.bool_)
    needed[order[forest]] = True
    free = order[~needed[order]]
    return tuple(np.sort(free[k::folds]) for k in range(folds) if len(free[k::folds]))


def cross_validate(
    panel: Panel, predictors: Mapping[str, Predictor], *, folds: int = 5, repeats: int = 2, seed: int = 0
) -> CrossValidation:
    """Measure predictive errors.

    Parameters
    ----------
    panel
        The assessments.
    predictors
        By name, functions (training panel, objects (k,), assessors (k,)) -> predicted scores (k,), with indices into
        the training panel. They may raise a `PanelcalError` to say that they cannot be used.
    folds, repeats
        Every repeat draws a new spanning forest and splits the rest into so many folds.
    seed
        The same seed gives the same folds.

    Raises
    ------
    MethodNotApplicable
        If hardly any assessment can be left out without disconnecting the panel.
    """
    if component_labels(panel)[0] > 1:
        raise MethodNotApplicable("The panel is not connected, so methods cannot be compared on it.")
    squares: dict[str, Array] = {name: np.zeros(panel.n_assessments) for name in predictors}
    refused = dict.fromkeys(predictors, "")
    tested = np.zeros(panel.n_assessments, dtype=np.intp)
    rounds = 0
    for repeat in range(repeats):
        for fold in held_out_folds(panel, folds=folds, seed=seed + repeat):
            keep = np.ones(panel.n_assessments, dtype=np.bool_)
            keep[fold] = False
            training = _without(panel, keep)
            rounds += 1
            tested[fold] += 1
            for name, predict in predictors.items():
                if refused[name]:
                    continue
                try:
                    predicted = predict(training, panel.object_index[fold], panel.assessor_index[fold])
                except PanelcalError as problem:
                    refused[name] = str(problem)
                    continue
                squares[name][fold] += (panel.scores[fold] - predicted) ** 2
    seen = tested > 0
    if int(seen.sum()) < _LEAST_TESTED:
        raise MethodNotApplicable("Hardly any score can be left out without disconnecting the panel.")
    weight = panel.confidences[seen] / panel.confidences[seen].sum()
    losses = {name: squares[name][seen] / tested[seen] for name in predictors if not refused[name]}
    errors = _ranked(losses, weight, refused)
    return CrossValidation(errors, tested, rounds, _sentence(errors, int(seen.sum())))


def with_mean_residuals(training: Panel, values: Array, objects: Indices, assessors: Indices) -> Array:
    """Predict scores (k,) as value plus the assessor's confidence-weighted mean residual from the values."""
    left = training.confidences * (training.scores - values[training.object_index])
    offsets = training.assessor_totals(left) / training.assessor_totals(training.confidences)
    return values[objects] + offsets[assessors]


def _without(panel: Panel, keep: Mask) -> Panel:
    """The panel of the assessments kept, with all its labels: every node keeps at least one."""
    return Panel(
        panel.objects,
        panel.assessors,
        panel.object_index[keep],
        panel.assessor_index[keep],
        panel.scores[keep],
        panel.confidences[keep],
    )


def _ranked(losses: Mapping[str, Array], weight: Array, refused: Mapping[str, str]) -> tuple[PredictiveError, ...]:
    nan = float("nan")
    means = {name: float(weight @ loss) for name, loss in losses.items()}
    ranked = sorted(means, key=lambda name: means[name])
    found = []
    for name in ranked:
        best = losses[ranked[0]]
        apart = losses[name] - best
        excess = float(weight @ apart)
        error = float(np.sqrt((weight**2) @ (apart - excess) ** 2))
        scale = means[ranked[0]]
        share, share_error = (excess / scale, error / scale) if scale > 0 else (nan, nan)
        found.append(PredictiveError(name, float(np.sqrt(means[name])), share, share_error, ""))
    found += [PredictiveError(name, nan, nan, nan, why) for name, why in refused.items() if why]
    return tuple(found)


def _sentence(errors: tuple[PredictiveError, ...], count: int) -> str:
    used = [entry for entry in errors if not entry.refused]
    if not used:
        return "None of the methods can be used on this panel."
    close = [entry.method for entry in used[1:] if not entry.worse_than_best > 2 * entry.standard_error]
    said = f"Of {count} scores left out in turn, {used[0].method} predicts best (typical error {used[0].error:.2f})"
    return f"{said}; {', '.join(close)} cannot be told from it." if close else f"{said}, and clearly so."


AS_WELL = 0.02
"""Share by which a typical predictive error may exceed the best and count as about as good."""


def predict_about_as_well(errors: Sequence[PredictiveError]) -> tuple[str, ...]:
    """Return the names of methods whose predictive error is within 2% of the lowest, or within its standard error."""
    return tuple(
        entry.method
        for entry in errors
        if not entry.refused and entry.worse_than_best <= max((1 + AS_WELL) ** 2 - 1, entry.standard_error)
    )


def surviving(places: Indices) -> Mask:
    """Return (n_objects,) whether all methods agree on the class, from (n_methods, n_objects) places of classes."""
    return np.asarray((places == places[0]).all(axis=0))
