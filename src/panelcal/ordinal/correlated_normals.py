"""Numbers that vary from object to object, and from assessor to assessor: normal, with spreads and correlations.

Groups stand side by side. Unit k of N in a group has the numbers diag(s) L z_k: z standard normal, s exponential, L the
lower factor of a correlation matrix with an LKJ prior. A spread is s = unit log(1 + e^x) of a free number x: near 0 it
shrinks as e^x does, so that small spreads do not reach far out, and beyond it grows as x, so that steps suited to the
one suit the other.

Free numbers have chains last, as everywhere; products of small matrices, one for each chain, have them first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.ordinal.correlations import CholeskyFactor, CorrelationPrior

_SHARE = 0.5  # of a spread's prior mean, that is the unit
_SMALLEST_SHARE = 1e-8  # of the unit


@dataclass(frozen=True, slots=True, eq=False)
class Varying:
    """What free numbers mean, of G groups with K numbers each, K' in all.

    Attributes
    ----------
    values
        G times (C, K, N), diag(s) L z, and the centre where there is one.
    spread
        (K', C), s.
    factor
        L of all groups, in blocks.
    scale
        (C, K', K' + 1), diag(s) L of all groups in blocks, and the centre.
    own
        G times (C, K, N), z; (C, K + 1, N), with ones, where there is a centre.
    """

    values: tuple[Array, ...]
    spread: Array
    factor: CholeskyFactor
    scale: Array
    own: tuple[Array, ...]


class CorrelatedNormals:
    """Groups of numbers, K for each of N units, independent of each other; of two groups, the second has a centre.

    Parameters
    ----------
    sizes
        K of each group.
    means
        Of the exponential priors of every group's spreads.
    prior
        Of the correlations, in as many rows as there are numbers in all groups.
    """

    def __init__(self, sizes: Sequence[int], means: Sequence[float], prior: CorrelationPrior) -> None:
        ends = np.cumsum(sizes)
        self._groups = [slice(int(end) - size, int(end)) for size, end in zip(sizes, ends, strict=True)]
        self._centred = len(sizes) - 1 or None  # place of the group with a centre
        self.prior, mean = prior, np.repeat(means, sizes)[:, None]
        self._rate, self._unit = 1 / mean, _SHARE * mean
        self._bend = -1 / self._unit

    def spread(self, free: Array) -> Array:
        """Return the spreads (K', C) of free numbers."""
        return np.asarray(self._unit * np.logaddexp(0, free))

    def free_numbers(self, spread: Array) -> Array:
        """Return the free numbers of spreads (K', C)."""
        units = np.maximum(spread / self._unit, _SMALLEST_SHARE)
        return np.asarray(units + np.log(-np.expm1(-units)))

    def varying(self, free: Array, partials: Array, own: Sequence[Array], centre: Array) -> Varying:
        """Return what free numbers mean.

        Parameters
        ----------
        free, partials
            (K', C) and (n_free, C) free numbers of spreads and correlations.
        own
            G times (K, N, C), z.
        centre
            (K, C) of the second group; not used where there is none.
        """
        count, chains = free.shape
        spread, factor = self.spread(free), self.prior.factor(partials)
        scale = np.empty((chains, count, count + 1))
        scale[:, :, :count] = (factor.lower * spread[:, None]).transpose(2, 0, 1)
        if self._centred:
            scale[:, self._groups[self._centred], count] = centre.T
        drawn, values = [], []
        for place, (group, z) in enumerate(zip(self._groups, own, strict=True)):
            size, units = z.shape[:2]
            with_ones = place == self._centred
            ours = np.empty((chains, size + with_ones, units))
            ours[:, :size] = z.transpose(2, 0, 1)
            if with_ones:
                ours[:, size] = 1.0
            drawn.append(ours)
            values.append(np.matmul(scale[:, group, group.start : group.stop + with_ones], ours))
        return Varying(tuple(values), spread, factor, scale, tuple(drawn))

    def log_density(self, free: Array, varying: Varying) -> Array:
        """Return (C,) the log prior density of all free numbers but the centre's, up to a constant."""
        value = (free + (self._bend - self._rate) * varying.spread).sum(axis=0)  # log ds/dx = x - s/unit
        for group, own in zip(self._groups, varying.own, strict=True):
            z = own[:, : group.stop - group.start]
            value -= np.einsum("crk,crk->c", z, z) / 2
        return np.asarray(value + self.prior.log_density(varying.factor))

    def gradient(self, varying: Varying, slopes: Sequence[Array]) -> tuple[Array, Array, list[Array], Array]:
        """Return slopes by free numbers of spreads, of correlations, by z, G times (C, K, N), and by the centre (K, C).

        The priors of all but the centre are in them.

        Parameters
        ----------
        varying
            What free numbers mean.
        slopes
            G times (C, K, N) by values.
        """
        spread, scale = varying.spread, varying.scale
        count = len(spread)
        by_scale, by_own = np.zeros_like(scale), []
        for place, (group, slope, own) in enumerate(zip(self._groups, slopes, varying.own, strict=True)):
            back = np.matmul(scale[:, group, group].transpose(0, 2, 1), slope)
            back -= own[:, : back.shape[1]]
            by_own.append(back)
            columns = slice(group.start, group.stop + (place == self._centred))
            by_scale[:, group, columns] = np.matmul(slope, own.transpose(0, 2, 1))
        by_last = np.ascontiguousarray(by_scale.transpose(1, 2, 0))
        by_lower = by_last[:, :count]
        by_free = np.einsum("prc,prc->pc", by_lower, varying.factor.lower)
        by_free -= self._rate
        below_one = np.exp(spread * self._bend)  # ds/dx = unit (1 - this); d log(ds/dx)/dx = this
        by_free *= self._unit * (1 - below_one)
        by_free += below_one
        by_partials = self.prior.gradient(varying.factor, by_lower * spread[:, None])
        return by_free, by_partials, by_own, by_last[self._groups[-1], count]
