"""Calibration that also knows what the assessors' biases were before, such as last year's with their standard errors.

Minimise sum of c (s - v_o - b_a)^2 / w + sum of (b_a - m_a - z)^2 / e_a^2 over values, biases and z: the posterior mean
with m_a and e_a as normal prior on the biases, flat on values. The zero z of the earlier biases is free, for it hangs
on who else assessed then; so a prior says how assessors differ, not how generous they are as a whole. It works like one
more object that everybody known scored m_a, with confidence w/e_a^2, and is solved so.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.special import chdtrc, ndtr

from panelcal.arrays import Array, Indices
from panelcal.calibration.gauges import Gauge
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Tabled
from panelcal.tails import holm

_FEWEST = 2
_EARLIER = "\x00 earlier biases"  # the label of the further object, which no sheet can hold


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PriorCalibration(Tabled):
    """A calibration with earlier biases.

    Source: a normal prior on the biases, suggested in the SI of MacKay, Kenna, Low and Parker (2015).

    Attributes
    ----------
    plain
        The calibration without them, whose w is used throughout, and in whose gauge ("weighted") everything is.
    values, value_errors
        (n_objects,) in score units, with the earlier biases.
    biases, bias_errors
        (n_assessors,) likewise.
    earlier, earlier_errors
        (n_assessors,) the earlier biases, moved to this panel's zero, and their standard errors as given; NaN for
        assessors who have none.
    zero
        By how much they were moved.
    changes
        (n_assessors,) bias in this panel by itself less the earlier one, from the mean of these differences; NaN for
        assessors who have none.
    adjusted_p
        (n_assessors,) chance, by Holm over all, of a difference so far from that mean if no bias had changed.
    chi_square, degrees_of_freedom, p_value
        Whether the two sets of biases disagree beyond their errors, all together.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> earlier = {'1': (-5.0, 1.0), '2': (5.0, 1.0)}
    >>> calibrate_with_prior(panel, earlier).values.shape
    (3,)
    """

    plain: Calibration
    values: Array
    value_errors: Array
    biases: Array
    bias_errors: Array
    earlier: Array
    earlier_errors: Array
    zero: float
    changes: Array
    adjusted_p: Array
    chi_square: float
    degrees_of_freedom: int
    p_value: float

    @property
    def value_changes(self) -> Array:
        """(n_objects,) by how much the earlier biases move each value."""
        moved: Array = self.values - self.plain.values
        return moved


def calibrate_with_prior(panel: Panel, earlier: Mapping[str, tuple[float, float]]) -> PriorCalibration:
    """Calibrate with earlier biases of some assessors as a prior.

    Source: a normal prior on the biases, suggested in the SI of MacKay, Kenna, Low and Parker (2015).

    Parameters
    ----------
    panel
        The assessments, connected and with more scores than unknowns: the noise is judged by them alone.
    earlier
        Label of an assessor -> (bias, standard error) in score units; those who are not in the panel are passed over.
        Where biases may have drifted since, the standard error should say so.

    Returns
    -------
    PriorCalibration
        Values and biases with the earlier biases counted in.

    Raises
    ------
    DisconnectedPanel
        If the panel falls into groups that share nothing.
    MethodNotApplicable
        If fewer than two assessors have an earlier bias, one is not a number or its error not positive, or the panel
        leaves nothing to judge the noise by.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> earlier = {'1': (-5.0, 1.0), '2': (5.0, 1.0)}
    >>> calibrate_with_prior(panel, earlier).biases.shape
    (2,)
    """
    plain = calibrate(panel)
    if not plain.w_unbiased > 0:
        raise MethodNotApplicable(
            "Earlier biases are weighed against the noise of the scores, which this panel gives no way to judge."
        )
    known = [
        (a, float(earlier[name][0]), float(earlier[name][1]))
        for a, name in enumerate(panel.assessors)
        if name in earlier
    ]
    if len(known) < _FEWEST:
        raise MethodNotApplicable(
            "Fewer than two of the assessors have an earlier bias: how they differ is what it tells, so nothing would "
            "change."
        )
    wrong = [panel.assessors[a] for a, bias, error in known if not (np.isfinite([bias, error]).all() and error > 0)]
    if wrong:
        raise MethodNotApplicable(f"The earlier bias of {wrong[0]} needs to be a number with a standard error above 0.")
    who = np.array([a for a, _, _ in known], dtype=np.intp)
    means, errors = (np.array([one[k] for one in known]) for k in (1, 2))
    joined = calibrate(_with_earlier(panel, who, means, plain.w_unbiased / errors**2))
    weights = plain.equations.assessor_confidence
    shift = float(weights @ joined.biases / weights.sum())
    gauge = Gauge(np.zeros(panel.n_objects + 1), weights, 0.0)
    on_values, on_biases = gauge.correction(joined.equations)
    unit_values, unit_biases = joined.equations.diagonals()
    scale = np.sqrt(plain.w_unbiased)
    values = joined.values + shift
    zero = -float(values[-1])
    changes, adjusted, chi_square = _disagreement(plain, who, means, errors)
    everybody = np.full((4, panel.n_assessors), np.nan)
    everybody[:, who] = means + zero, errors, changes, adjusted
    return PriorCalibration(
        plain=plain,
        values=values[:-1],
        value_errors=scale * np.sqrt(np.maximum(unit_values - 2 * on_values, 0.0))[:-1],
        biases=joined.biases - shift,
        bias_errors=scale * np.sqrt(np.maximum(unit_biases + 2 * on_biases, 0.0)),
        earlier=everybody[0],
        earlier_errors=everybody[1],
        zero=zero,
        changes=everybody[2],
        adjusted_p=everybody[3],
        chi_square=chi_square,
        degrees_of_freedom=len(who) - 1,
        p_value=float(chdtrc(len(who) - 1, chi_square)),
    )


def _with_earlier(panel: Panel, who: Indices, means: Array, confidences: Array) -> Panel:
    """Add the object that stands for the earlier biases, last; all others keep their places."""
    return Panel(
        (*panel.objects, _EARLIER),
        panel.assessors,
        np.concatenate([panel.object_index, np.full(len(who), panel.n_objects)]),
        np.concatenate([panel.assessor_index, who]),
        np.concatenate([panel.scores, means]),
        np.concatenate([panel.confidences, confidences]),
    )


def _disagreement(plain: Calibration, who: Indices, means: Array, errors: Array) -> tuple[Array, Array, float]:
    """Compare the biases of this panel alone with the earlier ones: changes, their p-values and chi-square."""
    nothing = np.zeros(plain.panel.n_objects)
    unit = np.eye(plain.panel.n_assessors)[who]
    inverse = np.column_stack([plain.equations.apply_inverse(nothing, one)[1][who] for one in unit])
    covariance = plain.w_unbiased * inverse + np.diag(errors**2)
    differences = plain.biases[who] - means
    precision = np.linalg.inv(covariance)
    by = precision.sum(axis=1) / precision.sum()
    changes = differences - by @ differences
    keep = np.eye(len(who)) - by[None, :]
    spread = np.sqrt(np.maximum(np.diag(keep @ covariance @ keep.T), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * ndtr(-np.abs(changes) / spread)
    return changes, holm(p), float(changes @ precision @ changes)
