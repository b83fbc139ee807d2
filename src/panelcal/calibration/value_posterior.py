"""How probable it is that a true value reaches a boundary: the posterior with normal values and normal biases.

A tail around the calibrated value is not that probability: where many values lie below a boundary and few above, one
seen just above it is more often a lucky one. So values and biases get normal distributions (`joint_model`) whose mean
and spreads come from the panel itself, and what is not known about these is averaged over (`spread_lattice`).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.expected_errors import expected_errors_at_scale
from panelcal.calibration.joint_model import JointModel
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.spread_lattice import SpreadLattice, one_point, spread_lattice
from panelcal.calibration.student_mixture import StudentMixture
from panelcal.calibration.variance_components import components_by_moments, object_shares, object_variance, system_trace
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Drawn
from panelcal.tails import ndtr, stdtr

Truth = Literal["gauge", "raw"]
Method = Literal["averaged over spreads", "at estimated spreads", "values only", "no noise", "none"]

_FINE_ASSESSORS, _FINE_OBJECTS = 40, 500  # up to here, more points cost next to nothing
_MOST_WORK_A_LATTICE, _MOST_WORK_ONE_POINT = 1e8, 5e9  # operations for one point
_MOST_CELLS = 20_000_000
_ROUNDING = 1e-12  # of the largest score: residuals below this are rounding
_NORMAL_FROM = 200  # degrees of freedom
_STRONG, _CLEAR = 0.85, 2.5  # correlation, and how many times its standard error


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ValuePosterior(Drawn):
    """Posterior of the true values: a mixture of Student distributions.

    Source: normal values and biases, suggested in the SI of MacKay, Kenna, Low and Parker (2015); docs/benchmarks.md
    shows that the probabilities hold.

    Attributes
    ----------
    calibration
        The fit it belongs to.
    truth
        "gauge": true values with biases measured in the calibration's gauge, as its intervals have them. "raw": true
        values with biases whose mean is 0 over all assessors that might have been.
    weights
        (k,) probability of each component.
    means, errors
        (k, n_objects) centres, from the calibration's centre, and scales of the components, in score units.
    degrees_of_freedom
        N - 1.
    correlation, correlation_error
        Posterior mean and standard deviation of the correlation of a value with the mean bias of its own assessors.
    bias_variance
        Posterior mean of the variance of the biases, in score units squared.
    method
        "averaged over spreads"; on large panels "at estimated spreads" or, on the largest, "values only" (each value by
        itself, its standard error taken as known); "no noise" where residuals are 0; "none" where N = p and nothing
        says how large the noise is: probabilities are NaN.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> value_posterior(calibration).at_or_above(0).round(6).tolist()
    [1.0, 1.0, 1.0]
    """

    calibration: Calibration
    truth: Truth
    weights: Array
    means: Array
    errors: Array
    degrees_of_freedom: int
    correlation: float
    correlation_error: float
    bias_variance: float
    method: Method

    @property
    def strong_selection(self) -> bool:
        """Whether able objects met generous (or severe) assessors so strongly that probabilities may be off by 0.1.

        Judged by the verdict's `correlation`, which assumes no straight line between the two.
        """
        if self.method in ("no noise", "none"):
            return False
        found = expected_errors_at_scale(
            self.calibration, object_shares(self.calibration), self.calibration.w_unbiased, 0.0
        )
        return abs(found.correlation) >= max(_STRONG, _CLEAR * found.correlation_error)

    @property
    def mean(self) -> Array:
        """(n_objects,) posterior means, in score units."""
        return np.asarray(self.calibration.centre + self.weights @ self.means)

    @property
    def zero_point_error(self) -> float:
        """Standard deviation of the gauge's own zero, in score units.

        How far all values together may be off because the assessors of this panel are, on the whole, more generous or
        severe than those that might have been; NaN where the zero was fixed by a reference or by known values.
        """
        gauge = self.calibration.centred_gauge()
        if self.calibration.reference is not None or gauge.objects.any():
            return float("nan")
        shares = gauge.assessors / gauge.assessors.sum()
        return float(np.sqrt(self.bias_variance * (shares @ shares)))

    def interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) the ends of the intervals that hold each true value with this probability.

        Half of the rest lies below, half above; NaN where nothing says how large the errors are.

        Raises
        ------
        MethodNotApplicable
            If the level is not between 0 and 1.
        """
        centres = self.calibration.centre + self.means
        mixture = StudentMixture(self.mean, centres.T, self.errors.T, self.weights, self.degrees_of_freedom)
        return mixture.value_interval(level)

    def at_or_above(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each true value is at the boundary or above it."""
        gap = self.means - (boundary - self.calibration.centre)
        # A value without error is certain; one on the boundary itself is a toss-up.
        with np.errstate(divide="ignore", invalid="ignore"):
            standardised = np.where((gap == 0) & (self.errors == 0), 0.0, gap / self.errors)
        normal = self.degrees_of_freedom >= _NORMAL_FROM
        tails = ndtr(standardised) if normal else stdtr(self.degrees_of_freedom, standardised)
        return np.asarray(self.weights @ tails)


def probability_at_or_above(calibration: Calibration, boundary: float, *, truth: Truth = "gauge") -> Array:
    """Return (n_objects,) the probability that each object's true value is at the boundary or above it.

    Source: normal values and biases, suggested in the SI of MacKay, Kenna, Low and Parker (2015); docs/benchmarks.md
    shows that the probabilities hold.

    Parameters
    ----------
    calibration
        The fit.
    boundary
        In score units.
    truth
        "gauge": true values as this panel's assessors together would give them, with biases in the calibration's
        gauge. "raw": as all assessors that might have been would, whose biases have mean 0. The two differ by the
        gauge's own zero: near a boundary by 0.05 as a rule, by 0.2 or more where biases are large beside the errors.

    Returns
    -------
    numpy.ndarray
        (n_objects,), NaN when N = p. `value_posterior` says more: how it was found, and whether able objects met
        generous assessors so strongly that the probabilities may be off.

    Raises
    ------
    MethodNotApplicable
        If the boundary is not a finite number or there is no such truth.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> probability_at_or_above(calibration, 0).round(6).tolist()
    [1.0, 1.0, 1.0]
    """
    if not np.isfinite(boundary):
        raise MethodNotApplicable(f"A boundary must be a finite number, not {boundary}.")
    return value_posterior(calibration, truth=truth).at_or_above(boundary)


def value_posterior(calibration: Calibration, *, truth: Truth = "gauge") -> ValuePosterior:
    """Work out the posterior of the true values; `truth` as for `probability_at_or_above`.

    Source: normal values and biases, suggested in the SI of MacKay, Kenna, Low and Parker (2015); docs/benchmarks.md
    shows that the probabilities hold.

    Returns
    -------
    ValuePosterior
        Chances that true values reach a boundary.

    Raises
    ------
    MethodNotApplicable
        If there is no such truth.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> value_posterior(calibration).at_or_above(60).argmax().item()
    2
    """
    if truth not in get_args(Truth):
        raise MethodNotApplicable(f'True values are meant in the "gauge" or "raw", not "{truth}".')
    panel, nan = calibration.panel, float("nan")
    nothing_left = (_ROUNDING * float(np.abs(panel.scores).max())) ** 2 * calibration.equations.total_confidence
    if calibration.degrees_of_freedom == 0 or calibration.weighted_residual_sum <= nothing_left:
        known = calibration.degrees_of_freedom > 0
        errors = np.zeros_like(calibration.values) if known else np.full_like(calibration.values, nan)
        variance = float(np.var(calibration.biases, ddof=1)) if known and panel.n_assessors > 1 else nan
        return _single(
            calibration, truth, calibration.centred_values, errors, variance, "no noise" if known else "none"
        )
    work = (panel.n_objects + panel.n_assessors) * float(panel.n_assessors) ** 2
    if work > _MOST_WORK_ONE_POINT or panel.n_objects * panel.n_assessors > _MOST_CELLS:
        return _values_only(calibration, truth)
    model = JointModel(calibration)
    if work > _MOST_WORK_A_LATTICE:
        return _mixture(calibration, truth, model, one_point(model, _estimates(calibration, model)))
    fine = panel.n_assessors <= _FINE_ASSESSORS and panel.n_objects <= _FINE_OBJECTS
    return _mixture(calibration, truth, model, spread_lattice(model, _first_look(calibration, model), fine=fine))


def _mixture(calibration: Calibration, truth: Truth, model: JointModel, lattice: SpreadLattice) -> ValuePosterior:
    freedom = calibration.panel.n_assessments - 1
    gauge = calibration.centred_gauge() if truth == "gauge" else None
    found = [model.values_at(fit, gauge) for fit in lattice.fits]
    squares = np.array([fit.squares for fit in lattice.fits])
    bias_variances = np.array([fit.bias_spread**2 for fit in lattice.fits]) * squares / max(freedom - 2, 1)
    correlation, correlation_error = lattice.correlation
    return ValuePosterior(
        calibration=calibration,
        truth=truth,
        weights=lattice.weights,
        means=np.array([means for means, _ in found]),
        errors=np.sqrt(np.array([variances for _, variances in found]) * squares[:, None] / freedom),
        degrees_of_freedom=freedom,
        correlation=correlation,
        correlation_error=correlation_error,
        bias_variance=float(lattice.weights @ bias_variances),
        method="averaged over spreads" if len(lattice.fits) > 1 else "at estimated spreads",
    )


def _values_only(calibration: Calibration, truth: Truth) -> ValuePosterior:
    """Draw each value towards the mean of all by itself: on the largest panels, where biases are known well."""
    equations = calibration.equations
    diagonal, _ = equations.diagonals()
    shift, _ = calibration.centred_gauge().correction(equations)
    own = calibration.w_unbiased * np.maximum(diagonal - 2 * shift, 0.0)
    between = object_variance(calibration)
    kept = between / (between + own)
    precision = 1 / (between + own)
    mean = float(precision @ calibration.centred_values / precision.sum())
    means = mean + kept * (calibration.centred_values - mean)
    _, ratio = _moments(calibration)
    return _single(calibration, truth, means, np.sqrt(kept * own), ratio * calibration.w_unbiased, "values only")


def _single(
    calibration: Calibration, truth: Truth, means: Array, errors: Array, bias_variance: float, method: Method
) -> ValuePosterior:
    freedom = calibration.panel.n_assessments - 1
    return ValuePosterior(
        calibration,
        truth,
        np.ones(1),
        means[None, :],
        errors[None, :],
        freedom,
        0.0,
        float("nan"),
        bias_variance,
        method,
    )


def _first_look(calibration: Calibration, model: JointModel) -> Array:
    """Guess a point (3,) from the scatter of values and biases, without correlation."""
    noise = np.sqrt(calibration.w_unbiased * model.scale)
    return np.array([np.std(calibration.values) / noise, np.std(calibration.biases) / noise, 0.0])


def _estimates(calibration: Calibration, model: JointModel) -> Array:
    """Estimate the point (3,) by moments; large panels leave little doubt about it."""
    noise, ratio = _moments(calibration)
    found = expected_errors_at_scale(calibration, object_shares(calibration), noise, 0.0)
    correlation = found.correlation if abs(found.correlation) > 2 * found.correlation_error else 0.0
    values = np.sqrt(object_variance(calibration) / (noise * model.scale))
    return np.array([values, np.sqrt(ratio / model.scale), correlation])


def _moments(calibration: Calibration) -> tuple[float, float]:
    panel = calibration.panel
    off = panel.scores - weighted_average(panel)[panel.object_index]
    explained = max(float(panel.confidences @ off**2) - calibration.weighted_residual_sum, 0.0)
    trace = system_trace(calibration, object_shares(calibration))
    return components_by_moments(calibration.w_unbiased, explained, trace, calibration.panel.n_assessors)
