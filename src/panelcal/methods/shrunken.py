"""Biases, or values and biases, drawn towards their means."""

from __future__ import annotations

from panelcal.calibration.random_effects import random_effects
from panelcal.calibration.shrinkage import shrunken_biases
from panelcal.calibration.student_mixture import AveragedErrors
from panelcal.methods.method import FittedMethod, Method, additive
from panelcal.panel import Panel


def _shrunken(panel: Panel) -> FittedMethod:
    found = shrunken_biases(panel)
    none = "" if found.bias_variance > 0 else " Here the biases shrank to nothing: these are plain weighted averages."
    note = SHRUNKEN_BIASES.note + none
    predict = additive(found.values, found.biases)
    errors = AveragedErrors(found.value_distribution)
    return FittedMethod("shrunken_biases", found.values, errors, note, None, found.biases, found, predict)


def _random(panel: Panel) -> FittedMethod:
    found = random_effects(panel)
    none = "" if found.bias_variance > 0 else " Here no bias was found: these are plain averages, shrunken."
    if not found.value_variance > 0:
        none += " Here no variance of values was found: all are alike."
    note = RANDOM_EFFECTS.note + none
    errors = AveragedErrors(found.value_distribution)
    predict = additive(found.values, found.biases)
    return FittedMethod("random_effects", found.values, errors, note, None, found.biases, found, predict)


SHRUNKEN_BIASES = Method(
    "shrunken_biases",
    "Shrunken biases",
    "Biases drawn towards their mean as far as the noise suggests. When links are thin or biases small; otherwise "
    "much the same as the default.",
    _shrunken,
)
RANDOM_EFFECTS = Method(
    "random_effects",
    "Random effects",
    "Values and biases both drawn towards their means. Smallest errors with one or two scores for each object; it "
    "favours the middle, so not where each object is owed its own score.",
    _random,
)
