"""A calibrated panel as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.policy import KEPT, policy_rows
from panelcal.systems.calibration.results import Results
from panelcal.systems.system import Outcome

_RULE = "Policy: "


def as_data(results: Results) -> Outcome:
    """Return figures and tables of a calibrated panel, rows in the order in which they were read."""
    rules = list(policy_rows(results, classify(results)))
    alarms: dict[str, tuple[str, ...]] = {"disconnected": ()}
    if rules:
        broken = (f"{rule.removeprefix(_RULE)}, {answer}: {words}" for rule, answer, words in rules if answer != KEPT)
        alarms["policy"] = tuple(broken)
    policy = {
        "rule": [rule.removeprefix(_RULE) for rule, _, _ in rules],
        "answer": [answer for _, answer, _ in rules],
        "words": [words for _, _, words in rules],
    }
    tables = {"values": _values(results), "biases": _biases(results), "residuals": _residuals(results)}
    return Outcome("calibration", _figures(results), tables | {"policy": policy}, alarms)


def _figures(results: Results) -> dict[str, Any]:
    calibration, verdict, panel = results.calibration, results.verdict, results.panel
    return {
        "method": results.method.name,
        "gauge": calibration.gauge,
        "reference": calibration.reference,
        "level": results.reading.settings.level,
        "n_assessments": panel.n_assessments,
        "n_objects": panel.n_objects,
        "n_assessors": panel.n_assessors,
        "degrees_of_freedom": calibration.degrees_of_freedom,
        "weighted_residual_sum": calibration.weighted_residual_sum,
        "w_ml": calibration.w_ml,
        "w_unbiased": calibration.w_unbiased,
        "lambda2": results.robustness.lambda2,
        "mu2": results.robustness.mu2,
        "f_statistic": verdict.f_statistic,
        "p_value": verdict.p_value,
        "noise_variance": verdict.noise_variance,
        "assessor_variance": verdict.assessor_variance,
        "object_variance": verdict.object_variance,
        "expected_error": dict(verdict.expected_error),
        "largest_change": verdict.largest_change,
        "advice": verdict.advice,
        "solution_error": results.certificate.solution_error,
    }


def _values(results: Results) -> dict[str, Sequence[Any]]:
    panel, classes = results.panel, classify(results)
    lower, upper = results.value_interval(results.reading.settings.level).T
    columns: dict[str, Sequence[Any]] = {
        "object": panel.objects,
        "value": results.values.tolist(),
        "standard_error": results.value_errors.tolist(),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
        "assessments": np.bincount(panel.object_index, minlength=panel.n_objects).tolist(),
        "average": results.raw.tolist(),
        "change": results.change.tolist(),
    }
    if classes is not None:
        columns["class_before"] = [classes.name(place) for place in classes.before.tolist()]
        columns["class_after"] = [classes.name(place) for place in classes.after.tolist()]
    return columns


def _biases(results: Results) -> dict[str, Sequence[Any]]:
    panel, tested = results.panel, results.differences
    lower, upper = results.uncertainty.bias_interval(results.reading.settings.level).T
    return {
        "assessor": panel.assessors,
        "bias": results.calibration.biases.tolist(),
        "standard_error": results.uncertainty.bias_errors.tolist(),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
        "assessments": np.bincount(panel.assessor_index, minlength=panel.n_assessors).tolist(),
        "average": results.assessor_raw.tolist(),
        "p_value": tested.p_values.tolist(),
        "adjusted_p_value": tested.adjusted_p_values.tolist(),
        "clearly_off": tested.clearly_off.tolist(),
    }


def _residuals(results: Results) -> dict[str, Sequence[Any]]:
    panel, found = results.panel, results.unexpected
    return {
        "object": [panel.objects[k] for k in panel.object_index.tolist()],
        "assessor": [panel.assessors[k] for k in panel.assessor_index.tolist()],
        "score": panel.scores.tolist(),
        "confidence": panel.confidences.tolist(),
        "fitted": results.calibration.fitted.tolist(),
        "residual": results.calibration.residuals.tolist(),
        "statistic": found.statistics.tolist(),
        "p_value": found.p_values.tolist(),
        "adjusted_p_value": found.adjusted_p_values.tolist(),
        "unexpected": found.unexpected.tolist(),
        "cell": list(results.reading.score_cells),
    }
