"""The likelihood of ordered ratings: comparisons of scores with cut-points, for many chains at once.

Log likelihood of a level between cuts a > b at score phi: log sigma(a - phi) + log sigma(phi - b) + log(1 - e^(b - a)).
The last term hangs on the gap between two cut-points alone and is left to the models. Arrays hold chains on the last
axis, so that gathering and adding up by index work on contiguous rows.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass
from panelcal.ordinal.ratings import Ratings


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Ratings taken apart into comparisons of a score with a cut-point.

    A rating at level k lies above cut k - 1 (if k > 0) and below cut k (if k < L): one or two comparisons.

    Attributes
    ----------
    score_index
        (E,) place of the score, q n + i.
    cut_index
        (E,) place of the cut-point, (q L + l) M + j.
    above
        (E,) whether the rating lies above the cut-point.
    between
        (Q, L, M) number of ratings between cut l - 1 and cut l; 0 for l = 0.
    """

    score_index: Indices
    cut_index: Indices
    above: Mask
    between: Array

    @classmethod
    def of(cls, ratings: Ratings) -> Observations:
        """Take the ratings apart."""
        n, M, Q, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
        row, q = np.nonzero(ratings.ratings >= 0)
        level = ratings.ratings[row, q].astype(np.intp)
        i, j = ratings.object_index[row], ratings.assessor_index[row]
        score, first_cut = q * n + i, q * L * M + j
        below, above = level < L, level > 0
        between = np.zeros((Q, L, M))
        inner = below & above
        np.add.at(between, (q[inner], level[inner], j[inner]), 1.0)
        score_index = np.concatenate([score[below], score[above]])
        cut_index = np.concatenate([(first_cut + level * M)[below], (first_cut + (level - 1) * M)[above]])
        is_above = np.repeat([False, True], [below.sum(), above.sum()])
        order = np.lexsort((cut_index, score_index))
        return cls(score_index[order], cut_index[order], is_above[order], between)


class RatingLikelihood:
    """Log likelihood, but for the gaps, and its slopes by scores and by cut-points.

    Parameters
    ----------
    score_index, cut_index
        (E,) places of the score and of the cut-point in each comparison.
    above
        (E,) whether the rating lies above the cut-point.
    n_scores, n_cuts
        How many scores and cut-points there are.
    """

    def __init__(self, score_index: Indices, cut_index: Indices, above: Mask, *, n_scores: int, n_cuts: int) -> None:
        self._score_index, self._cut_index = score_index, cut_index
        self._sign, self._one = np.where(above, -1.0, 1.0), np.ones(len(above))
        count = len(cut_index)
        self._scratch = np.empty((2, count, 0))  # kept: fresh pages would cost more than the arithmetic
        comparisons, ends = np.arange(count), np.concatenate([score_index, n_scores + cut_index])
        # Sums over the comparisons of each score, negative, and of each cut-point, in one product.
        signs = np.repeat([-1.0, 1.0], count)
        self._n_scores = n_scores
        self._to_ends = sp.csr_array((signs, (ends, np.tile(comparisons, 2))), shape=(n_scores + n_cuts, count))
        self._above = (self._to_ends @ above.astype(np.float64))[:, None]

    def slopes(self, scores: Array, cutpoints: Array) -> tuple[Array, Array, Array]:
        """Return slopes by scores (n_scores, C) and by cut-points (n_cuts, C), and the distances of all comparisons.

        The distances cut - score (E, C) are valid until the next call.

        Parameters
        ----------
        scores, cutpoints
            (n_scores, C), (n_cuts, C).
        """
        chains = scores.shape[1]
        if self._scratch.shape[2] != chains:
            self._scratch = np.empty((2, len(self._cut_index), chains))
        distance, slope = self._scratch
        cutpoints.take(self._cut_index, axis=0, out=distance, mode="clip")
        scores.take(self._score_index, axis=0, out=slope, mode="clip")
        distance -= slope
        # d log sigma(+-r)/dr is sigma(-r) below the cut and sigma(-r) - 1 above it: one formula, less a count.
        np.exp(distance, out=slope)
        slope += 1
        np.divide(1.0, slope, out=slope)
        by_end = self._to_ends @ slope
        by_end -= self._above
        return by_end[: self._n_scores], by_end[self._n_scores :], distance

    def value(self, distance: Array) -> Array:
        """Return (C,) the log likelihood but for the gaps, from the distances of all comparisons."""
        size = np.abs(distance)  # log sigma(r) = min(r, 0) - log(1 + e^-|r|), min(r, 0) = (r - |r|)/2
        value = self._sign @ distance
        value -= self._one @ size
        value /= 2
        np.negative(size, out=size)
        np.exp(size, out=size)
        size += 1
        value -= self._one @ np.log(size, out=size)
        return np.asarray(value)
