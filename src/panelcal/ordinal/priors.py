"""Prior distributions of the hierarchical ordinal model, with McElreath's (2021) as they come."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass

_USUAL_LEVELS = 7  # beyond, increments of exp(0) would stretch the scale over more than the scores can cover
_WIDTH_OF_FINE_SCALES = 4.0


@dataclass(frozen=True, slots=True)
class OrdinalPriors:
    """What is assumed of objects and assessors before any rating is seen; all on the logit scale.

    Source: McElreath (2021), Rating conference presentations when judges vary.

    Attributes
    ----------
    first_cut_mean, first_cut_spread
        Normal prior of the population's first cut-point: mean and standard deviation.
    increment_mean, increment_spread
        Normal prior of the logarithm of each further increment from cut-point to cut-point. A mean of None is 0 up to
        7 levels and log(4 / (L - 1)) for L cut-points beyond, so that a fine scale does not reach too far.
    object_spread
        Mean of the exponential prior of tau, how far objects differ (one standard deviation) on each feature.
    assessor_spread
        Mean of the exponential prior of s, how far assessors differ in the first cut-point and in each log increment.
    feature_correlation, cutpoint_correlation
        Shape of the LKJ priors of the correlation between features, and between cut-points of an assessor: 1 = all
        correlation matrices alike, more = nearer to none.

    Raises
    ------
    MethodNotApplicable
        If a number is not finite, or anything but a mean is not positive.

    Examples
    --------
    >>> OrdinalPriors().object_spread
    1.0
    """

    first_cut_mean: float = -1.0
    first_cut_spread: float = 1.0
    increment_mean: float | None = None
    increment_spread: float = 0.5
    object_spread: float = 1.0
    assessor_spread: float = 1.0
    feature_correlation: float = 2.0
    cutpoint_correlation: float = 2.0

    def __post_init__(self) -> None:
        """Refuse what cannot be a prior."""
        for field in fields(self):
            value = getattr(self, field.name)
            is_mean = field.name in {"first_cut_mean", "increment_mean"}
            if value is None and field.name == "increment_mean":
                continue
            if not math.isfinite(value) or not (is_mean or value > 0):
                kind = "a number" if is_mean else "a positive number"
                raise MethodNotApplicable(f"The prior's {field.name} must be {kind}.")

    def centre(self, n_features: int, n_cutpoints: int) -> tuple[Array, Array]:
        """Prior means and standard deviations (Q, L) of the population's first cut-point and log increments."""
        mean = self.increment_mean
        if mean is None:
            fine = n_cutpoints + 1 > _USUAL_LEVELS
            mean = math.log(_WIDTH_OF_FINE_SCALES / (n_cutpoints - 1)) if fine else 0.0
        means = np.full((n_features, n_cutpoints), mean)
        spreads = np.full((n_features, n_cutpoints), self.increment_spread)
        means[:, 0], spreads[:, 0] = self.first_cut_mean, self.first_cut_spread
        return means, spreads


USUAL_PRIORS = OrdinalPriors()
