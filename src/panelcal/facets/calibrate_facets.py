"""Several criteria calibrated together: values and biases in each and in the total, and how sure they are.

The model is s_aok = v_ok + b_ak + noise, or with fewer unknowns s = v_o + b_a + d_k and what lies between. It is fitted
by least squares with the confidences as weights. The noise of one assessment is correlated between its criteria, and
standard errors allow for that.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import InvalidPanel
from panelcal.facets.against_rest import against_rest
from panelcal.facets.comparable import require_each_criterion_comparable
from panelcal.facets.facet_panel import FacetPanel
from panelcal.facets.solution import FacetGauge, Solution, solve_at_once, solve_one_by_one
from panelcal.frozen import dataclass
from panelcal.panel import totals_by
from panelcal.shown import Drawn
from panelcal.tails import holm

LEVEL = 0.05
_OTHER_SCALE = 2.0
_ROUNDING = 1e-10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FacetCalibration(Drawn):
    """Several criteria calibrated together.

    Source: the additive model of MacKay, Kenna, Low and Parker (2015), eq. (1), with one set of values and biases for
    each criterion; the quantities are those of many-facet measurement (Linacre 1989) in score units.

    Attributes
    ----------
    panel
        What was calibrated.
    values_differ, biases_differ
        Whether values, and biases, differ by criterion.
    gauge
        "weighted": biases times the confidence of their assessor add up to 0 in each criterion; "equal": biases do.
    weights
        (K,) how much each criterion counts in the total.
    units
        (K,) what counts as equally severe in each criterion: 1 each where criteria have about the same spread, else the
        standard deviation of the scores in each.
    values, value_errors
        (n_objects, K) what an assessor with bias 0 would give (fair averages), in score units of the criterion.
    totals, total_errors
        (n_objects,) their weighted sum.
    biases, bias_errors
        (n_assessors, K) in score units of the criterion, NaN where an assessor does not use it.
    differences, adjusted_p
        (n_assessors, K) biases measured from the rest of the assessors, and p-values by Holm over all of them.
    severities, severity_errors
        (n_assessors,) bias over all criteria used, in `units`: the bias in the total, where all are used, is this times
        the sum of weights x units.
    leanings, leaning_errors, adjusted_leaning_p
        (n_assessors, K) bias in a criterion beyond `severities` x `units`, measured from the rest of the assessors who
        use these criteria, in score units of the criterion; p-values by Holm over all of them. NaN for assessors with
        one criterion only.
    levels, level_errors
        (K,) how much higher values lie than in the criteria on average: above 0 is easier. In score units.
    noise
        (K, K) covariance of the noise in one assessment of confidence 1; NaN where nothing is left to tell.
    degrees_of_freedom
        (K,) by which each criterion's errors are judged.
    expected
        (P, K) the score to expect of each assessment in each criterion, also where it has none; an assessor who never
        uses a criterion counts as unbiased in it.

    Examples
    --------
    >>> marks = [5, 7, 6, 9, 3, 4, 4, 5]
    >>> panel = FacetPanel.from_records('AAAABBBB', 'xxyyxxyy', ['style', 'proof'] * 4, marks)
    >>> calibrate_facets(panel).values.shape
    (2, 2)
    """

    panel: FacetPanel
    values_differ: bool
    biases_differ: bool
    gauge: FacetGauge
    weights: Array
    units: Array
    values: Array
    value_errors: Array
    totals: Array
    total_errors: Array
    biases: Array
    bias_errors: Array
    differences: Array
    adjusted_p: Array
    severities: Array
    severity_errors: Array
    leanings: Array
    leaning_errors: Array
    adjusted_leaning_p: Array
    levels: Array
    level_errors: Array
    noise: Array
    degrees_of_freedom: Indices
    expected: Array

    @property
    def filled_totals(self) -> Array:
        """(P,) weighted total of each assessment, criteria without a score standing as expected.

        Where values and biases differ by criterion, calibrating these gives `totals`: a score that is as expected moves
        nothing.
        """
        filled = np.where(np.isnan(self.panel.scores), self.expected, self.panel.scores)
        totals: Array = filled @ self.weights
        return totals

    @property
    def correlation(self) -> float:
        """Mean correlation, between criteria, of the noise in one assessment; NaN where it is not known."""
        spread = np.sqrt(np.diag(self.noise))
        if len(spread) == 1 or not np.all(spread > 0):
            return float("nan")
        apart = self.noise / np.outer(spread, spread)
        return float(apart[~np.eye(len(spread), dtype=np.bool_)].mean())


def calibrate_facets(
    panel: FacetPanel,
    *,
    weights: Mapping[str, float] | None = None,
    values_differ: bool = True,
    biases_differ: bool = True,
    gauge: FacetGauge = "weighted",
) -> FacetCalibration:
    """Calibrate several criteria together.

    Source: the additive model of MacKay, Kenna, Low and Parker (2015), eq. (1), with one set of values and biases for
    each criterion; the quantities are those of many-facet measurement (Linacre 1989) in score units.

    Parameters
    ----------
    panel
        The scores; cells may be missing.
    weights
        Criterion -> how much it counts in the total, above 0; those not named count 1.
    values_differ, biases_differ
        Whether objects, and assessors, differ by criterion (v_ok, b_ak) or only as a whole (v_o, b_a). With both, every
        criterion is calibrated by itself; with fewer, criteria lend each other strength.
    gauge
        "weighted" or "equal": what adds up to 0.

    Returns
    -------
    FacetCalibration
        Values, biases and errors in each criterion and in the weighted total.

    Raises
    ------
    InvalidPanel
        If a weight is no positive number or for no criterion, or nobody scored an object in a criterion although values
        differ.
    DisconnectedPanel
        If no common scale exists; the message names the parts.
    MethodNotApplicable
        With more than 4,000 scores where some are missing, or criteria lend each other strength.

    Examples
    --------
    >>> marks = [5, 7, 6, 9, 3, 4, 4, 5]
    >>> panel = FacetPanel.from_records('AAAABBBB', 'xxyyxxyy', ['style', 'proof'] * 4, marks)
    >>> calibrate_facets(panel).totals.shape
    (2,)
    """
    counts = _weights(panel, weights)
    if values_differ:
        require_each_criterion_comparable(panel)
    by_object = np.bincount(panel.object_index, panel.confidences)
    shares = by_object / by_object.sum()
    if panel.is_complete and values_differ and biases_differ:
        solved = solve_one_by_one(panel, gauge, shares)
    else:
        solved = solve_at_once(
            panel,
            values_differ=values_differ,
            biases_differ=biases_differ,
            assessor_weights=_assessor_weights(panel, gauge),
            object_shares=shares,
        )
    return _put_together(panel, solved, counts, shares, (values_differ, biases_differ, gauge))


def _assessor_weights(panel: FacetPanel, gauge: FacetGauge) -> Array:
    if gauge == "equal":
        return np.ones(len(panel.assessors))
    return totals_by(panel.assessor_index, panel.confidences, len(panel.assessors))


def _weights(panel: FacetPanel, weights: Mapping[str, float] | None) -> Array:
    given = dict(weights or {})
    unknown = [name for name in given if name not in panel.criteria]
    if unknown:
        raise InvalidPanel(f"There is no criterion {unknown[0]}; there are {', '.join(panel.criteria)}.")
    counts = np.array([given.get(name, 1.0) for name in panel.criteria], dtype=np.float64)
    if not np.all(np.isfinite(counts) & (counts > 0)):
        raise InvalidPanel("Each criterion must count more than 0 in the total.")
    return counts


def _put_together(
    panel: FacetPanel, solved: Solution, weights: Array, shares: Array, form: tuple[bool, bool, FacetGauge]
) -> FacetCalibration:
    values, biases, errors = solved.values, solved.biases, solved.errors
    count, n_objects = panel.n_criteria, len(panel.objects)
    units, one = _units(panel), np.eye(count)
    used = ~np.isnan(biases)
    known = np.where(used, biases, 0.0)
    # Factors that make one severity of the biases in the criteria used.
    general = np.where(used, weights, 0.0) / np.where(used, weights * units, 0.0).sum(axis=1, keepdims=True)
    severities = (general * known).sum(axis=1)
    plain = [np.where(used, one[k], 0.0) for k in range(count)]
    biases_tested = _tested(panel, solved, plain, used, form[2])
    leanings_tested = _leanings_tested(panel, solved, weights, form[2])
    steps = one - 1 / count
    return FacetCalibration(
        panel,
        *form,
        weights,
        units,
        values,
        np.column_stack([errors.of_values(np.tile(one[k], (n_objects, 1))) for k in range(count)]),
        values @ weights,
        errors.of_values(np.tile(weights, (n_objects, 1))),
        biases,
        np.where(used, np.column_stack([errors.of_biases(factors) for factors in plain]), np.nan),
        biases_tested.estimates,
        biases_tested.adjusted_p,
        severities,
        errors.of_biases(general),
        leanings_tested.estimates,
        leanings_tested.errors,
        leanings_tested.adjusted_p,
        steps @ (shares @ values),
        np.array([errors.of_means(step) for step in steps]),
        solved.noise,
        solved.degrees_of_freedom,
        values[panel.object_index] + known[panel.assessor_index],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """Estimates (n_assessors, K) from the mean of the rest, their errors, and p-values by Holm over all."""

    estimates: Array
    errors: Array
    adjusted_p: Array


def _leanings_tested(panel: FacetPanel, solved: Solution, weights: Array, gauge: FacetGauge) -> _Tested:
    """Test what biases are beyond severity, (n_assessors, K), against others by the same criteria.

    Whoever uses only some of the criteria is compared, in these, with all who use them, too: a severity over all
    criteria would be another thing.
    """
    used, units, one = ~np.isnan(solved.biases), _units(panel), np.eye(panel.n_criteria)
    found = np.full((3, *used.shape), np.nan)
    for pattern in np.unique(used[used.sum(axis=1) > 1], axis=0):
        shares = np.where(pattern, weights, 0.0) / float(weights[pattern] @ units[pattern])
        alike = ~(pattern & ~used).any(axis=1)
        factors = [np.where(alike[:, None], one[k] - units[k] * shares, 0.0) for k in range(panel.n_criteria)]
        tested = _against_rest(panel, solved, factors, alike[:, None] & pattern, gauge)
        own = ~(used ^ pattern).any(axis=1)
        found[:, own] = tested[:, own]
    return _Tested(found[0], found[1], holm(found[2].ravel()).reshape(used.shape))


def _tested(panel: FacetPanel, solved: Solution, factors: list[Array], there: Mask, gauge: FacetGauge) -> _Tested:
    """Test sums of biases with factors [(n_assessors, K)], where there are any, with Holm over all."""
    found = _against_rest(panel, solved, factors, there, gauge)
    return _Tested(found[0], found[1], holm(found[2].ravel()).reshape(there.shape))


def _against_rest(panel: FacetPanel, solved: Solution, factors: list[Array], there: Mask, gauge: FacetGauge) -> Array:
    """Return (3, n_assessors, K): such sums from the mean of the rest, their errors and p-values, not adjusted."""
    weights = _assessor_weights(panel, gauge)
    known = np.where(np.isnan(solved.biases), 0.0, solved.biases)
    negligible = _ROUNDING * float(np.nanmax(np.abs(panel.scores)))
    found = np.full((3, *there.shape), np.nan)
    for k, own in enumerate(factors):
        who = np.flatnonzero(there[:, k])
        if len(who):
            tested = against_rest(
                (own[who] * known[who]).sum(axis=1),
                solved.errors.bias_covariance(own, who),
                weights[who],
                int(solved.degrees_of_freedom[k]),
                level=LEVEL / len(factors),
                negligible=negligible,
            )
            found[:, who, k] = tested.estimates, tested.errors, tested.p_values
    return found


def _units(panel: FacetPanel) -> Array:
    """Return 1 for each criterion, or their spreads where these are clearly not alike."""
    spreads = np.nanstd(panel.scores, axis=0)
    if np.all(spreads > 0) and spreads.max() > _OTHER_SCALE * spreads.min():
        return spreads
    return np.ones(panel.n_criteria)
