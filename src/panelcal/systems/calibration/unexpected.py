"""Scores unlike what all others suggest, named with what would fit and with those that might be the fault instead."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.reporting.wording import compact, number
from panelcal.systems.calibration.results import Results


def standardised_residuals(results: Results) -> Array:
    """Residuals (N,) in units of their own standard error, each by a fit without it; NaN where nothing can be told."""
    return results.unexpected.statistics


def unexpected_scores(results: Results) -> Mask:
    """Which assessments (N,) are worth a second look."""
    return results.unexpected.unexpected


def count_unexpected(results: Results) -> int:
    """Count them, those that cannot be told apart as one."""
    found = results.unexpected
    return len(np.unique(found.alike[found.unexpected]))


def unexpected_in_words(results: Results, assessments: Iterable[int]) -> str:
    """Name the assessors of unexpected scores, each with the score and its fitted value."""
    panel, fitted = results.panel, results.calibration.fitted
    left, phrases = list(assessments), []
    while left:
        k = left.pop(0)
        alike = [k, *results.unexpected.others_alike(k).tolist()]
        here = [other for other in alike if other == k or other in left]
        left = [other for other in left if other not in here]
        named = [
            f"{panel.assessors[panel.assessor_index[j]]} ({compact(float(panel.scores[j]))}, where "
            f"{number(float(fitted[j]))} would fit)"
            for j in here
        ]
        elsewhere = [_elsewhere(results, j) for j in alike if j not in here]
        phrase = f"one of {' and '.join(named)}" if len(named) > 1 else named[0]
        phrases.append(f"{phrase}{''.join(f', or else {other}' for other in elsewhere)}")
    return " and ".join(phrases)


def instead_in_words(results: Results, assessment: int) -> str:
    """Say which other scores might be the unexpected one; empty where there are none."""
    others = results.unexpected.others_alike(assessment).tolist()
    if not others:
        return ""
    count = "two" if len(others) == 1 else str(len(others) + 1)
    named = " or ".join(_elsewhere(results, k) for k in others)
    return f"One of these {count}: this, or {named}."


def _elsewhere(results: Results, assessment: int) -> str:
    panel = results.panel
    return (
        f"{panel.assessors[panel.assessor_index[assessment]]} for {panel.objects[panel.object_index[assessment]]} "
        f"({results.reading.score_cells[assessment]})"
    )
