"""The order of the rows on `Cal values` and `Cal assessors`: what is to be decided first, then by rank or bias."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Indices, Mask
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import unexpected_scores


def decision_cases(results: Results, classes: Classes | None) -> Mask:
    """Which objects (n_objects,) somebody has to decide on: a boundary crossed, borderline, or an unexpected score."""
    cases = np.zeros(results.panel.n_objects, dtype=bool)
    cases[results.panel.object_index[unexpected_scores(results)]] = True
    if classes is not None:
        cases |= classes.before != classes.after
        cases |= np.array([bool(phrase) for phrase in classes.borderline])
    return cases


def object_order(results: Results, classes: Classes | None) -> Indices:
    """Return (n_objects,) the object in each row: cases to decide by rank, then the others by rank, unranked last."""
    if results.reading.settings.order_of_results != "rank":
        return np.arange(results.panel.n_objects)
    sign = -1.0 if results.reading.settings.higher_is_better else 1.0
    return np.lexsort((sign * results.values, ~decision_cases(results, classes), ~results.ranked))


def assessor_order(results: Results) -> Indices:
    """Return (n_assessors,) the assessor in each row: the most generous first, those nothing is known of last."""
    if results.reading.settings.order_of_results != "rank":
        return np.arange(results.panel.n_assessors)
    return np.lexsort((-results.calibration.biases, results.single_object_assessors))
