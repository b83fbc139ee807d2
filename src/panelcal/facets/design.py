"""The equations of a panel with criteria: which unknowns there are, and where their zeros lie.

With both interactions s = v_ok + b_ak: every criterion is a panel of its own. Without biases by criterion
s = v_ok + b_a; without values by criterion s = v_o + b_ak, from which the level of each criterion is taken; without
either s = v_o + b_a + d_k.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.facets.facet_panel import FacetPanel
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Unknowns of one form of the model, and the scores they make up.

    Attributes
    ----------
    pair, criterion
        (N,) which assessment and which criterion each score belongs to, criterion by criterion.
    value_cell, bias_cell
        (n_objects, K) and (n_assessors, K): number of the unknown for the value of each object, and the bias of each
        assessor, in each criterion; -1 where there is none.
    n_unknowns
        How many unknowns there are.
    rows
        (N, n_unknowns) sparse: which unknowns make up each score.
    conditions
        (n_unknowns, n_conditions): the unknowns times each column is 0.
    levels
        (K, n_unknowns) what of the unknowns is the level of each criterion and belongs to every value in it.
    level_in_biases
        Whether that level is part of the biases as they are solved for.
    """

    pair: Indices
    criterion: Indices
    value_cell: Indices
    bias_cell: Indices
    n_unknowns: int
    rows: scipy.sparse.csr_array
    conditions: Array
    levels: Array
    level_in_biases: bool

    @property
    def n_scores(self) -> int:
        """Number of scores, N."""
        return len(self.pair)

    def value_rows(self, k: int) -> Array:
        """Return (n_objects, n_unknowns) what makes up the values in a criterion."""
        return _chosen(self.value_cell[:, k], self.n_unknowns) + self.levels[k]

    def bias_rows(self, k: int) -> Array:
        """Return (n_assessors, n_unknowns) what makes up the biases in a criterion."""
        taken = self.levels[k] if self.level_in_biases else 0.0
        return _chosen(self.bias_cell[:, k], self.n_unknowns) - taken


def design(panel: FacetPanel, *, by_value: bool, by_bias: bool, assessor_weights: Array) -> Design:
    """Lay out the unknowns.

    Parameters
    ----------
    by_value, by_bias
        Whether values, and biases, differ by criterion.
    assessor_weights
        (n_assessors,) with which biases add up to 0.
    """
    criterion, pair = np.nonzero(~np.isnan(panel.scores.T))
    count = panel.n_criteria
    objects, assessors = panel.object_index[pair], panel.assessor_index[pair]
    used = np.zeros((len(panel.assessors), count), dtype=np.bool_)
    used[assessors, criterion] = True
    value_cell = _cells(len(panel.objects), count, objects, criterion, apart=by_value)
    first_bias = int(value_cell.max()) + 1
    bias_cell = _cells(len(panel.assessors), count, assessors, criterion, apart=by_bias)
    bias_cell = np.where(used, bias_cell + first_bias, -1)
    first_level = int(bias_cell.max()) + 1
    own_levels = not (by_value or by_bias)
    n_unknowns = first_level + count * own_levels
    parts = [value_cell[objects, criterion], bias_cell[assessors, criterion]]
    parts += [first_level + criterion] if own_levels else []
    rows = scipy.sparse.csr_array(
        (np.ones(len(parts) * len(pair)), (np.tile(np.arange(len(pair)), len(parts)), np.concatenate(parts))),
        shape=(len(pair), n_unknowns),
    )
    means = np.zeros((count, n_unknowns))  # of the biases in each criterion
    for k in range(count):
        there = bias_cell[:, k] >= 0
        means[k, bias_cell[there, k]] = assessor_weights[there]
    levels = np.zeros_like(means)
    if own_levels:
        levels[:, first_level:] = np.eye(count)
        everybody = np.zeros(n_unknowns)
        everybody[first_bias:first_level] = assessor_weights
        conditions = np.column_stack([everybody, levels.sum(axis=0)])
    elif by_bias and by_value:
        conditions = means.T
    elif by_bias:
        levels = means / means.sum(axis=1, keepdims=True)
        conditions = levels.sum(axis=0)[:, None]
    else:
        conditions = np.zeros((n_unknowns, 1))
        conditions[first_bias:, 0] = assessor_weights
    conditions /= np.linalg.norm(conditions, axis=0)
    level_in_biases = by_bias and not by_value
    return Design(
        pair, criterion, value_cell, bias_cell, n_unknowns, rows, conditions, levels, level_in_biases=level_in_biases
    )


def _cells(count: int, n_criteria: int, index: Indices, criterion: Indices, *, apart: bool) -> Indices:
    """Number the unknowns of objects or assessors: one each, or one for each criterion they have a score in."""
    if not apart:
        return np.repeat(np.arange(count)[:, None], n_criteria, axis=1)
    there = np.zeros((count, n_criteria), dtype=np.bool_)
    there[index, criterion] = True
    numbers = np.full(there.shape, -1, dtype=np.intp)
    numbers[there] = np.arange(int(there.sum()))
    return numbers


def _chosen(cells: Indices, n_unknowns: int) -> Array:
    found = np.zeros((len(cells), n_unknowns))
    there = np.flatnonzero(cells >= 0)
    found[there, cells[there]] = 1.0
    return found
