"""Which class decisions survive every method that predicts about as well as the best.

Predictions of single scores hardly tell methods apart. Where methods that nothing tells apart put an object into
different classes, its class is the choice of a method, not a finding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Indices, Mask
from panelcal.calibration.cross_validation import PredictiveError

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
