"""What `Cal criteria` shows, whichever system it comes from: figures by criterion, and where all stand on one scale."""

from __future__ import annotations

from panelcal.arrays import Array
from panelcal.frozen import dataclass

LEVEL = 0.05
"""Adjusted p up to which an assessor is said to lean."""


@dataclass(frozen=True, slots=True, eq=False)
class CriteriaFigures:
    """Criteria calibrated together; n objects, M assessors, K criteria; in score units of each criterion.

    Attributes
    ----------
    objects, assessors, criteria
        Their names.
    weights, raw_averages
        (K,) how much each counts in the total, and plain averages of its scores.
    values, value_errors, totals, total_errors
        (n, K) and (n,): fair averages and their weighted sums, with standard errors.
    levels, level_errors, noise
        (K,): how much higher values lie than in all criteria on average, and how far single scores scatter.
    biases, bias_errors
        (M, K); NaN where a criterion is not used.
    differences, adjusted_p
        (M, K): biases against the rest of the assessors.
    leanings, leaning_errors, adjusted_leaning_p
        (M, K): what is left of a bias beyond general severity, against the rest.
    object_places, assessor_places, criterion_places
        (n,), (M,), (K,): where each stands on the common scale.
    explanation, slips, fair, beyond, scatter
        What the sheet is, how far slips go together, what a value is, what a leaning is measured in, what noise is.
    generous_up
        Whether a higher score is the better one, so that a positive bias is generous.
    too_few
        Whether there are too few scores to tell who leans.
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    criteria: tuple[str, ...]
    weights: Array
    raw_averages: Array
    values: Array
    value_errors: Array
    totals: Array
    total_errors: Array
    levels: Array
    level_errors: Array
    noise: Array
    biases: Array
    bias_errors: Array
    differences: Array
    adjusted_p: Array
    leanings: Array
    leaning_errors: Array
    adjusted_leaning_p: Array
    object_places: Array
    assessor_places: Array
    criterion_places: Array
    explanation: str
    slips: str
    fair: str
    beyond: str
    scatter: str
    generous_up: bool
    too_few: bool

    @property
    def places(self) -> tuple[Array, Array, Array]:
        """Places of objects, assessors and criteria."""
        return self.object_places, self.assessor_places, self.criterion_places
