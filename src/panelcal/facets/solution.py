"""Least squares for a panel with criteria, and standard errors of sums over criteria.

Where no score is missing and every criterion is by itself, each is calibrated as any panel, at any size, and unit
variances are the same in all. Otherwise everything is solved at once, with dense algebra.
"""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import calibrate
from panelcal.calibration.normal_equations import NormalEquations
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.facets.comparable import require_one_scale
from panelcal.facets.design import Design, design
from panelcal.facets.facet_panel import FacetPanel
from panelcal.facets.noise import nearest_covariance, noise_covariance
from panelcal.frozen import dataclass

FacetGauge = Literal["weighted", "equal"]

MOST_SCORES = 4_000


class SumErrors(Protocol):
    """Standard errors of sums over criteria with given factors; NaN where the noise is not known."""

    def of_values(self, factors: Array) -> Array:
        """Return (n_objects,) those of sums of values with factors (n_objects, K)."""

    def of_biases(self, factors: Array) -> Array:
        """Return (n_assessors,) those of sums of biases with factors (n_assessors, K)."""

    def bias_covariance(self, factors: Array, assessors: Indices) -> Array:
        """Return (k, k) the covariance of sums of biases of some assessors, with factors (n_assessors, K)."""

    def of_means(self, factors: Array) -> float:
        """Return that of the sum of mean values with factors (K,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Estimates in each criterion.

    Attributes
    ----------
    values, biases
        (n_objects, K) and (n_assessors, K); NaN where there is no score to know them by.
    noise
        (K, K) covariance of the noise in one assessment of confidence 1.
    degrees_of_freedom
        (K,) by which errors in each criterion are judged.
    errors
        Standard errors.
    """

    values: Array
    biases: Array
    noise: Array
    degrees_of_freedom: Indices
    errors: SumErrors


@dataclass(frozen=True, slots=True, eq=False)
class _SameDesign:
    """Unit variances of values (n_objects,) and of their mean, unit covariance of biases: same in each criterion."""

    values: Array
    biases: Array
    mean: float
    noise: Array

    def of_values(self, factors: Array) -> Array:
        return np.sqrt(self.values * self._spread(factors))

    def of_biases(self, factors: Array) -> Array:
        return np.sqrt(np.diag(self.biases) * self._spread(factors))

    def bias_covariance(self, factors: Array, assessors: Indices) -> Array:
        covariance = np.einsum("nk,km,pm->np", factors[assessors], self.noise, factors[assessors], optimize=True)
        found: Array = self.biases[np.ix_(assessors, assessors)] * covariance
        return found

    def of_means(self, factors: Array) -> float:
        return float(np.sqrt(self.mean * self._spread(factors[None])[0]))

    def _spread(self, factors: Array) -> Array:
        return np.maximum(np.einsum("nk,km,nm->n", factors, self.noise, factors), 0.0)


def solve_one_by_one(panel: FacetPanel, gauge: FacetGauge, object_shares: Array) -> Solution:
    """Calibrate each criterion of a complete panel by itself."""
    each = [
        calibrate(panel.in_criterion(k), gauge="equal" if gauge == "equal" else "weighted")
        for k in range(panel.n_criteria)
    ]
    first = each[0]
    residuals = np.column_stack([one.residuals for one in each])
    freedom = first.degrees_of_freedom
    sums = (residuals * panel.confidences[:, None]).T @ residuals
    noise = sums / freedom if freedom else np.full_like(sums, np.nan)
    on_values, on_biases = first.centred_gauge().correction(first.equations)
    carried, _ = first.equations.apply_inverse(object_shares, np.zeros(len(panel.assessors)))
    mean = float(object_shares @ carried - 2 * on_values @ object_shares)
    unit_biases = _bias_block(first.equations, len(panel.assessors)) + on_biases[:, None] + on_biases
    errors = _SameDesign(uncertainty(first).unit_value_errors ** 2, unit_biases, max(mean, 0.0), noise)
    return Solution(
        np.column_stack([one.values for one in each]),
        np.column_stack([one.biases for one in each]),
        noise,
        np.full(panel.n_criteria, freedom),
        errors,
    )


def _bias_block(equations: NormalEquations, count: int) -> Array:
    """Return the entries of G between all assessors, (n_assessors, n_assessors)."""
    nothing = np.zeros(len(equations.object_confidence))
    return np.column_stack([equations.apply_inverse(nothing, unit)[1] for unit in np.eye(count)])


@dataclass(frozen=True, slots=True, eq=False)
class _AnyDesign:
    """What turns noise into unknowns, `solving` (n_unknowns, N), and `covariance` (N, N) of that noise."""

    layout: Design
    solving: Array
    covariance: scipy.sparse.csr_array
    object_shares: Array
    n_criteria: int

    def of_values(self, factors: Array) -> Array:
        return self._of(_added([factors[:, [k]] * self.layout.value_rows(k) for k in range(self.n_criteria)]))

    def of_biases(self, factors: Array) -> Array:
        return self._of(self._bias_rows(factors))

    def bias_covariance(self, factors: Array, assessors: Indices) -> Array:
        carried = self._bias_rows(factors)[assessors] @ self.solving
        return np.asarray(carried @ self.covariance) @ carried.T

    def _bias_rows(self, factors: Array) -> Array:
        return _added([factors[:, [k]] * self.layout.bias_rows(k) for k in range(self.n_criteria)])

    def of_means(self, factors: Array) -> float:
        rows = [factors[k] * (self.object_shares @ self.layout.value_rows(k)) for k in range(self.n_criteria)]
        return float(self._of(_added(rows)[None])[0])

    def _of(self, rows: Array) -> Array:
        carried = rows @ self.solving
        spread = np.einsum("ij,ij->i", np.asarray(carried @ self.covariance), carried)
        return np.sqrt(np.maximum(spread, 0.0))


def _added(parts: list[Array]) -> Array:
    total: Array = np.sum(parts, axis=0)
    return total


def solve_at_once(
    panel: FacetPanel, *, values_differ: bool, biases_differ: bool, assessor_weights: Array, object_shares: Array
) -> Solution:
    """Solve for all criteria at once.

    Raises
    ------
    DisconnectedPanel
        If no common scale exists.
    MethodNotApplicable
        With more than 4,000 scores.
    """
    if int((~np.isnan(panel.scores)).sum()) > MOST_SCORES:
        raise MethodNotApplicable(
            f"Criteria with scores missing are calibrated together up to {MOST_SCORES:,} scores: calibrate each "
            "criterion by itself, or leave out the assessments that lack one."
        )
    layout = design(panel, by_value=values_differ, by_bias=biases_differ, assessor_weights=assessor_weights)
    roots = np.sqrt(panel.confidences[layout.pair])
    weighted = layout.rows.multiply(roots[:, None]).toarray()
    normal = weighted.T @ weighted
    require_one_scale(panel, layout, normal)
    scale = float(np.diag(normal).max())
    inverse = np.linalg.inv(normal + scale * layout.conditions @ layout.conditions.T)
    solving = inverse @ weighted.T
    scores = panel.scores[layout.pair, layout.criterion]
    unknowns = solving @ (roots * scores)
    residuals = roots * scores - weighted @ unknowns
    unknowns += solving @ residuals
    left_over = -weighted @ solving
    left_over[np.diag_indices_from(left_over)] += 1.0
    noise = nearest_covariance(noise_covariance(layout, left_over, residuals, panel.n_criteria))
    same = layout.pair[:, None] == layout.pair[None, :]
    covariance = scipy.sparse.csr_array(np.where(same, noise[np.ix_(layout.criterion, layout.criterion)], 0.0))
    count = panel.n_criteria
    values = np.column_stack([layout.value_rows(k) @ unknowns for k in range(count)])
    biases = np.column_stack([layout.bias_rows(k) @ unknowns for k in range(count)])
    biases[layout.bias_cell < 0] = np.nan
    return Solution(
        values,
        biases,
        noise,
        _freedom(panel, layout, apart=values_differ and biases_differ),
        _AnyDesign(layout, solving, covariance, object_shares, count),
    )


def _freedom(panel: FacetPanel, layout: Design, *, apart: bool) -> Indices:
    """Assessments less unknowns: of each criterion where they are apart, else of a panel of all assessments."""
    if not apart:
        free = panel.n_assessments - len(panel.objects) - len(panel.assessors) + 1
        return np.full(panel.n_criteria, max(free, 0))
    scores = np.bincount(layout.criterion, minlength=panel.n_criteria)
    unknowns = (layout.value_cell >= 0).sum(axis=0) + (layout.bias_cell >= 0).sum(axis=0) - 1
    free_each: Indices = (scores - unknowns).astype(np.intp)
    return free_each
