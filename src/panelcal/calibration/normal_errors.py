"""How sure values are where only their standard errors are known: intervals and boundaries, normal or Student's t."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.tails import ndtr, ndtri, stdtr, stdtrit

_SPREADS, _FEWEST = 30, 3


@dataclass(frozen=True, slots=True, eq=False)
class NormalErrors:
    """Values with normal errors, or with Student's t.

    Attributes
    ----------
    values, value_errors
        (n_objects,) and their standard errors, in score units.
    freedom
        Degrees of freedom that the errors were estimated with; None = so many that they count as known.
    drawn
        Whether the values are drawn towards their mean already, as predictions of random values are.
    """

    values: Array
    value_errors: Array
    freedom: int | None = None
    drawn: bool = False

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends of the central interval.

        Raises
        ------
        MethodNotApplicable
            If the level is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise MethodNotApplicable(f"A confidence level lies between 0 and 1, not at {level}.")
        share = (1 + level) / 2
        half = float(ndtri(share) if self.freedom is None else stdtrit(self.freedom, share)) * self.value_errors
        return np.column_stack([self.values - half, self.values + half])

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each true value is at the boundary or above it.

        Values that are not drawn towards their mean yet are so for this: true values are taken as normal, with a flat
        mean and a half-Cauchy prior on their spread, which is averaged over.
        """
        known = self.value_errors[np.isfinite(self.value_errors) & (self.value_errors > 0)]
        if self.drawn or len(self.values) < _FEWEST or len(known) < len(self.values):
            return self._tails(self.values - boundary, self.value_errors)
        spreads = float(np.median(known)) * np.tan(np.pi / 2 * (np.arange(_SPREADS) + 0.5) / _SPREADS)[:, None]
        precision = 1 / (spreads**2 + self.value_errors**2)
        information = precision.sum(axis=1, keepdims=True)
        off = self.values - self.values.mean()
        mean = (precision @ off)[:, None] / information
        logs = 0.5 * (np.log(precision) - precision * (off - mean) ** 2).sum(axis=1) - 0.5 * np.log(information[:, 0])
        weights = np.exp(logs - logs.max())
        kept = spreads**2 * precision
        centres = mean + kept * (off - mean)
        errors = np.sqrt(kept * self.value_errors**2 + (1 - kept) ** 2 / information)
        return np.asarray(weights @ self._tails(centres - (boundary - self.values.mean()), errors) / weights.sum())

    def _tails(self, gap: Array, errors: Array) -> Array:
        # A value without error is certain; one on the boundary itself is a toss-up.
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(gap == 0, 0.0, gap / errors)
        return np.asarray(ndtr(ratio) if self.freedom is None else stdtr(self.freedom, ratio))
