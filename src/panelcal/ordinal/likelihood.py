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
        self._sign = np.where(above, -1.0, 1.0)[:, None]
        count = len(cut_index)
        self._scratch = np.empty((2, count, 0))  # kept: fresh pages would cost more than the arithmetic
        comparisons, ones, counted = np.arange(count), np.ones(count), above.astype(np.float64)
        self._to_scores = sp.csr_array((ones, (score_index, comparisons)), shape=(n_scores, count))
        self._to_cuts = sp.csr_array((ones, (cut_index, comparisons)), shape=(n_cuts, count))
        self._above_of_score = (self._to_scores @ counted)[:, None]
        self._above_of_cut = (self._to_cuts @ counted)[:, None]

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
        np.take(cutpoints, self._cut_index, axis=0, out=distance, mode="clip")
        np.take(scores, self._score_index, axis=0, out=slope, mode="clip")
        distance -= slope
        # d log sigma(+-r)/dr is sigma(-r) below the cut and sigma(-r) - 1 above it: one formula, less a count.
        np.exp(distance, out=slope)
        slope += 1
        np.reciprocal(slope, out=slope)
        return self._above_of_score - self._to_scores @ slope, self._to_cuts @ slope - self._above_of_cut, distance

    def value(self, distance: Array) -> Array:
        """Return (C,) the log likelihood but for the gaps, from the distances of all comparisons."""
        signed = self._sign * distance  # log sigma(r) = min(r, 0) - log(1 + e^-|r|)
        return np.asarray((np.minimum(signed, 0) - np.log1p(np.exp(-np.abs(signed)))).sum(axis=0))
