"""Per-assessor centring and z-scores, the rivals the paper names ("shift the scores for each assessor").

With m_a the confidence-weighted mean of assessor a's scores and d_a their standard deviation, a score becomes
s - m_a + m (centring) or m + d (s - m_a)/d_a (z-scores), m and d being those of the whole panel; an object's value is
the confidence-weighted average of what its scores became. Both take every assessor's set of objects to be equally
good: right when objects were assigned at random, worse than nothing when they were streamed.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.averages import assessor_average
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel

FEWEST_FOR_SPREAD = 3
_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class CentredScores:
    """Values after moving every assessor's scores to a common mean, and for z-scores to a common spread.

    Attributes
    ----------
    panel
        What was centred.
    values
        (n_objects,) in score units.
    biases
        (n_assessors,) m_a - m, in score units.
    spreads
        (n_assessors,) d_a/d; all 1 for mere centring.
    centre
        m, the confidence-weighted mean score.
    """

    panel: Panel
    values: Array
    biases: Array
    spreads: Array
    centre: float

    def predict(self, objects: Indices, assessors: Indices) -> Array:
        """Return the scores (k,) that these assessors would give these objects, undoing the transformation."""
        return self.centre + self.biases[assessors] + self.spreads[assessors] * (self.values[objects] - self.centre)


def assessor_centred(panel: Panel) -> CentredScores:
    """Move every assessor's mean score to the mean of all; any panel will do."""
    return _transform(panel, np.ones(panel.n_assessors))


def z_scores(panel: Panel) -> CentredScores:
    """Give every assessor's scores the same mean and the same standard deviation.

    Raises
    ------
    MethodNotApplicable
        If an assessor has fewer than three scores, or scores that are all alike.
    """
    counts = np.bincount(panel.assessor_index, minlength=panel.n_assessors)
    few = np.flatnonzero(counts < FEWEST_FOR_SPREAD)
    if few.size:
        raise MethodNotApplicable(
            f"z-scores need at least {FEWEST_FOR_SPREAD} scores from every assessor to judge their spread, but "
            f"{panel.assessors[few[0]]} gave {counts[few[0]]}."
        )
    left = panel.scores - assessor_average(panel)[panel.assessor_index]
    totals = panel.assessor_totals(panel.confidences)
    deviations = np.sqrt(panel.assessor_totals(panel.confidences * left**2) / totals)
    alike = np.flatnonzero(deviations <= _NO_SPREAD * np.abs(panel.scores).max())
    if alike.size:
        raise MethodNotApplicable(
            f"z-scores divide by the spread of each assessor's scores, but {panel.assessors[alike[0]]} gave every "
            "object the same score."
        )
    pooled = float(np.sqrt(deviations**2 @ totals / totals.sum()))
    return _transform(panel, deviations / pooled)


def _transform(panel: Panel, spreads: Array) -> CentredScores:
    means = assessor_average(panel)
    totals = panel.assessor_totals(panel.confidences)
    # Measured from one of the means, so that a large common offset costs no digits.
    centre = float(means[0] + (means - means[0]) @ totals / totals.sum())
    moved = (panel.scores - means[panel.assessor_index]) / spreads[panel.assessor_index]
    values = centre + panel.object_totals(panel.confidences * moved) / panel.object_totals(panel.confidences)
    return CentredScores(panel, values, means - centre, spreads, centre)
