"""What a method did to a value, in words, where no amounts by assessor add up to the change."""

from __future__ import annotations

import numpy as np

from panelcal.calibration.outliers import BisquareFit
from panelcal.reporting.wording import number, some_of
from panelcal.systems.calibration.results import Results

_WHAT_IT_DID = {
    "z_scores": "the {assessors}' {scores} were stretched as well as moved",
    "spread": "the {assessors}' {scores} were stretched as well as moved",
    "bounded": "{scores} at an end of the scale stood for at least, or at most, so much",
    "log": "the biases were divided out, not taken off",
    "random_effects": "the value was also drawn towards the mean of all",
    "median_polish": "medians stood in for means",
    "bisquare": "{scores} that fit badly counted less",
    "review_thresholds": "the value comes from a model with thresholds for each {assessor}",
    "hodge": "the value comes from differences between {objects}",
    "hodge_signs": "only the order in each {assessor} was used",
    "kemeny": "only the order in each {assessor} was used",
}


def explain_by_method(results: Results, at: int, own: np.ndarray) -> list[str]:
    """Explain one object's value in sentences.

    Parameters
    ----------
    results
        By a method without biases that add up.
    at
        Place of the object.
    own
        (k,) its assessments.
    """
    value, raw, certified = results.values[at], results.raw[at], results.calibration.values[at]
    error = results.value_errors[at]
    plus_minus = f" +/- {number(error)}" if np.isfinite(error) else ""
    moved = value - raw
    size = number(abs(moved))
    change = "as before" if float(size) == 0 else f"{size} {'higher' if moved > 0 else 'lower'}"
    did = _WHAT_IT_DID.get(results.method.name, "the method knows no amounts by {assessor}").format(
        assessor=results.assessor_noun,
        assessors=results.assessors_noun,
        objects=results.objects_noun,
        scores=results.scores_noun,
    )
    return [
        f"Raw average {number(raw)}.",
        f"{results.method.title}: {number(value)}{plus_minus}, {change}.",
        f"No amounts add up to the change: {did}.",
        *_set_aside(results, own),
        f"Calibration with confidence: {number(certified)}.",
    ]


def _set_aside(results: Results, own: np.ndarray) -> list[str]:
    found = results.chosen.detail
    if not isinstance(found, BisquareFit):
        return []
    panel = results.panel
    aside = [panel.assessors[panel.assessor_index[k]] for k in own if found.weights[k] == 0]
    return [f"Set aside as a gross error: the {results.score_noun} of {some_of(aside)}."] if aside else []
