"""How much noise each criterion has, and how far the slips of one assessment go together in its criteria.

Scores of one assessment share what the assessor thought of the object as a whole (a halo), so their noise is
correlated. Its covariance between criteria is estimated by equating sums of products of residuals with what they are
expected to be; for complete panels that is the usual E'E/(P - p).
"""

from __future__ import annotations

import itertools

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.facets.design import Design

_SINGULAR = 1e-9


def noise_covariance(layout: Design, left_over: Array, residuals: Array, n_criteria: int) -> Array:
    """Return (K, K) the covariance of the noise of one assessment of confidence 1; NaN where it cannot be told.

    Unbiased whatever is missing, so that a small one may come out with a negative eigenvalue. Entries of criteria that
    never stand in the same assessment are 0.

    Parameters
    ----------
    layout
        Which score belongs to which assessment and criterion.
    left_over
        (N, N) I - H, which turns scores into residuals, in units of noise with confidence 1.
    residuals
        (N,) in the same units.
    """
    places = [np.flatnonzero(layout.criterion == k) for k in range(n_criteria)]
    sums: list[float] = []
    terms: list[tuple[int, int, Indices, Indices]] = []
    for k in range(n_criteria):
        for m in range(k, n_criteria):
            _, first, second = np.intersect1d(
                layout.pair[places[k]], layout.pair[places[m]], assume_unique=True, return_indices=True
            )
            if len(first):
                one, two = places[k][first], places[m][second]
                terms.append((k, m, one, two))
                sums.append(float(residuals[one] @ residuals[two]))
    expected = np.zeros((len(terms), len(terms)))
    for row, column in itertools.combinations_with_replacement(range(len(terms)), 2):
        expected[row, column] = _expected(left_over, terms[row], terms[column])
        both_ways = 1 + (terms[column][0] != terms[column][1]), 1 + (terms[row][0] != terms[row][1])
        expected[column, row] = expected[row, column] * both_ways[1] / both_ways[0]
    scale = np.abs(expected).max()
    if scale < _SINGULAR or np.linalg.matrix_rank(expected, tol=_SINGULAR * scale) < len(terms):
        return np.full((n_criteria, n_criteria), np.nan)
    covariance = np.zeros((n_criteria, n_criteria))
    for (k, m, _, _), value in zip(terms, np.linalg.solve(expected, np.array(sums)), strict=True):
        covariance[k, m] = covariance[m, k] = value
    return covariance


def _expected(
    left_over: Array,
    row: tuple[int, int, Indices, Indices],
    column: tuple[int, int, Indices, Indices],
) -> float:
    """How much of one covariance the sum of products for another is expected to hold."""
    _, _, one, two = row
    k, m, third, fourth = column
    straight = np.sum(left_over[np.ix_(one, third)] * left_over[np.ix_(two, fourth)])
    if k == m:
        return float(straight)
    return float(straight + np.sum(left_over[np.ix_(one, fourth)] * left_over[np.ix_(two, third)]))


def nearest_covariance(covariance: Array) -> Array:
    """Return the covariance with negative eigenvalues, which estimates have by chance only, set to 0."""
    if np.isnan(covariance).any():
        return covariance
    values, vectors = np.linalg.eigh(covariance)
    if values.min() >= 0:
        return covariance
    raised: Array = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return raised
