"""The error to expect of averages, calibrated values and values with shrunken biases, on this very graph.

What biases do to averages is read off the estimated biases, less what their own estimation adds. So nothing is assumed
about who was assigned to whom: able objects may have met generous assessors. Every error is that of a value less the
confidence-weighted mean error, which moves all values alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array
from panelcal.calibration.conjugate_gradient import conjugate_gradients
from panelcal.calibration.gauges import Gauge
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.variance_components import object_variance
from panelcal.frozen import dataclass
from panelcal.panel import as_dense

_FEWEST_PROBES, _PROBED_ASSESSORS = 4, 20_000
_PROBE_TOLERANCE, _PROBE_STEPS = 1e-5, 1000
_OF_A_PAIR = 16  # products of ordinary arrays that take as long as one of sparse ones


@dataclass(frozen=True, slots=True)
class ExpectedErrors:
    """Estimated mean square errors, in score units squared.

    Attributes
    ----------
    squares
        By "raw", "calibrated" and "shrunken". Right on average over panels, so one panel's may even be below 0.
    by_chance
        The same as they would be had assignment been by chance: with the variance of the biases for the biases
        themselves. Steadier, and too small for averages and shrunken biases where generous assessors met able objects.
    difference_error
        Standard error of the square of "raw" less that of "calibrated".
    correlation, correlation_error
        Of an object's value with the mean bias of its own assessors, estimation errors taken out, and its standard
        error if there were none; NaN where either does not vary.
    """

    squares: dict[str, float]
    by_chance: dict[str, float]
    difference_error: float
    correlation: float
    correlation_error: float

    @property
    def roots(self) -> dict[str, float]:
        """Typical errors in score units, at least 0."""
        return {name: float(np.sqrt(max(square, 0.0))) for name, square in self.squares.items()}


@dataclass(frozen=True, slots=True)
class Carried:
    """What estimated biases b do to averages, in units of sqrt(w), S the shares and m the mean shares.

    Attributes
    ----------
    seen
        mean square of (S - m) b.
    together
        mean product of (S - m) b with the values less their mean.
    apart
        mean |row of S - m|^2: what biases of variance 1 would do, were assignment by chance.
    estimation
        mean diag[(S - m) G (S - m)'].
    left_by_shrinking
        mean square of (S - m)(b - shrunken b).
    shrunken_estimation
        mean diag[(S - m) (M + 1/ratio)^-1 (S - m)'], M the system (15).
    through, twice
        |G A b| weighted by A, and tr(A G A G), A = (S - m)'(S - m)/n_objects.
    """

    seen: float
    together: float
    apart: float
    estimation: float
    left_by_shrinking: float
    shrunken_estimation: float
    through: float
    twice: float


@dataclass(frozen=True, slots=True)
class Averaged:
    """What averages are about: how many objects, the noise left in them, and the variance of the true values.

    Attributes
    ----------
    count
        Number of objects.
    own
        mean(1/C_o) - 1/C: square error of averages by noise alone, for w = 1.
    variance
        Variance of the true values over w; NaN for one object.
    """

    count: int
    own: float
    variance: float


def expected_errors(
    fit: Calibration,
    shares: Array | scipy.sparse.csr_array,
    powers: Array,
    directions: Array,
    noise: float,
    ratio: float,
) -> ExpectedErrors:
    """Estimate the errors from the eigenvalues (n_assessors,) and eigenvectors of the system (15).

    Parameters
    ----------
    fit
        The calibration.
    shares
        (n_objects, n_assessors) c_ao/C_o.
    powers, directions
        As from `assessor_system`.
    noise
        w, unbiased.
    ratio
        Variance of the biases over w, by which they would be shrunken.
    """
    mean_share = fit.equations.assessor_confidence / fit.equations.total_confidence
    bent = directions[:, 1:]
    along = bent.T @ (fit.biases / np.sqrt(noise))
    by_object = np.asarray(shares @ (bent @ along)) - mean_share @ (bent @ along)
    carried = carried_by_spectrum(
        _overlap(fit, shares, mean_share, bent),
        along,
        powers[1:],
        ratio,
        together=_with_values(fit, by_object, noise),
        apart=_mean_square_apart(shares, mean_share),
    )
    return put_together(carried, _averaged(fit, noise), noise, ratio)


def _overlap(fit: Calibration, shares: Array | scipy.sparse.csr_array, mean_share: Array, directions: Array) -> Array:
    """Work out (S - m)'(S - m)/n_objects in these directions (n_assessors, k)."""
    count = fit.panel.n_objects
    pairs = int((np.bincount(fit.panel.object_index) ** 2).sum())
    if isinstance(shares, np.ndarray) or _OF_A_PAIR * pairs > count * directions.size:
        reach = np.asarray(shares @ directions) - mean_share @ directions
        return np.asarray(reach.T @ reach / count)
    # Few assessors meet in an object: all products of their shares are quicker than (n_objects, k) numbers.
    together = as_dense(shares.T @ shares) / count
    across = np.outer(np.asarray(shares.sum(axis=0)) / count - mean_share / 2, mean_share)
    return np.asarray(directions.T @ ((together - across - across.T) @ directions))


def carried_by_spectrum(
    overlap: Array, along: Array, powers: Array, ratio: float, *, together: float, apart: float
) -> Carried:
    """Work out what biases do from (S - m)'(S - m)/n_objects in the eigenvectors of (15) but the null one.

    Parameters
    ----------
    overlap
        (n_assessors - 1, n_assessors - 1) that product.
    along, powers
        (n_assessors - 1,) the biases over sqrt(w) and the eigenvalues.
    ratio
        Variance of the biases over w.
    together, apart
        As in `Carried`.
    """
    kept = ratio * powers / (1 + ratio * powers)
    squares, pushed, gone = overlap.diagonal(), overlap @ along, (1 - kept) * along
    return Carried(
        seen=float(along @ pushed),
        together=together,
        apart=apart,
        estimation=float((squares / powers).sum()),
        left_by_shrinking=float(gone @ overlap @ gone),
        shrunken_estimation=float((squares * kept / powers).sum()),
        through=float(pushed @ (pushed / powers)),
        twice=float((overlap**2 / np.outer(powers, powers)).sum()),
    )


def expected_errors_at_scale(
    fit: Calibration, shares: Array | scipy.sparse.csr_array, noise: float, ratio: float
) -> ExpectedErrors:
    """As `expected_errors`, without eigenvectors: estimation errors from G, shrinking by random probes (Hutchinson)."""
    equations, panel = fit.equations, fit.panel
    mean_share = equations.assessor_confidence / equations.total_confidence
    biases = fit.biases / np.sqrt(noise)
    by_object = np.asarray(shares @ biases) - float(mean_share @ biases)
    diagonal, _ = equations.diagonals()
    weighted = Gauge(np.zeros(panel.n_objects), equations.assessor_confidence, 0.0)
    own = 1 / equations.object_confidence
    estimation = float(np.mean(diagonal - 2 * weighted.correction(equations)[0] - own))
    pushed = (shares.T @ by_object - mean_share * by_object.sum()) / panel.n_objects
    _, back = equations.apply_inverse(np.zeros(panel.n_objects), pushed)
    left, shrunken = float((by_object**2).mean()), 0.0
    if ratio > 0:
        solve = _shrinking_system(fit, shares, ratio)
        probes = max(_FEWEST_PROBES, _PROBED_ASSESSORS // panel.n_assessors)
        signs = np.random.default_rng(0).choice([-1.0, 1.0], (panel.n_objects, probes))
        right = shares.T @ signs - np.outer(mean_share, signs.sum(axis=0))
        shrunken = float(np.einsum("ak,ak->", right, solve(right))) / probes / panel.n_objects
        gone = solve((biases - biases.mean())[:, None] / ratio)[:, 0]
        left = float(((shares @ gone - mean_share @ gone) ** 2).mean())
    # The part of tr(A G A G) is left out: it is smaller by the number of assessors.
    carried = Carried(
        seen=float((by_object**2).mean()),
        together=_with_values(fit, by_object, noise),
        apart=_mean_square_apart(shares, mean_share),
        estimation=estimation,
        left_by_shrinking=left,
        shrunken_estimation=shrunken,
        through=max(float(pushed @ back), 0.0),
        twice=0.0,
    )
    return put_together(carried, _averaged(fit, noise), noise, ratio)


def _mean_square_apart(shares: Array | scipy.sparse.csr_array, mean_share: Array) -> float:
    squares = np.asarray((shares * shares).sum(axis=1)).ravel()
    return float(np.mean(squares - 2 * (shares @ mean_share) + mean_share @ mean_share))


def _shrinking_system(
    fit: Calibration, shares: Array | scipy.sparse.csr_array, ratio: float
) -> Callable[[Array], Array]:
    """Return the solution of (M + 1/ratio) x = right (n_assessors, k) as a function."""
    equations = fit.equations

    def multiply(x: Array) -> Array:
        through = equations.object_confidence[:, None] * (shares @ x)
        return x / ratio + equations.assessor_confidence[:, None] * x - shares.T @ through

    def solve(right: Array) -> Array:
        scale = 1 / ratio + equations.assessor_confidence
        return conjugate_gradients(multiply, scale, right, tolerance=_PROBE_TOLERANCE, most_steps=_PROBE_STEPS).solution

    return solve


def _with_values(fit: Calibration, by_object: Array, noise: float) -> float:
    values = (fit.values - fit.values.mean()) / np.sqrt(noise)
    return float(values @ by_object) / fit.panel.n_objects


def _averaged(fit: Calibration, noise: float) -> Averaged:
    equations = fit.equations
    own = float(np.mean(1 / equations.object_confidence)) - 1 / equations.total_confidence
    return Averaged(fit.panel.n_objects, own, object_variance(fit) / noise)


def put_together(carried: Carried, averaged: Averaged, noise: float, ratio: float) -> ExpectedErrors:
    """Put the errors together; `noise` is w, unbiased, and `ratio` the variance of the biases over it."""
    count, own, variance = averaged.count, averaged.own, averaged.variance
    seen, added = carried.seen, carried.estimation
    spread = max(4 * carried.through - 2 * carried.twice, 2 * carried.twice)
    of_means = seen - added
    correlation = correlation_error = float("nan")
    if count > 1 and variance > 0 and of_means > 0:
        size = np.sqrt(variance * of_means)
        correlation = float(np.clip((carried.together + added) / size, -1.0, 1.0))
        correlation_error = float(np.sqrt(variance * seen / count + 2 * carried.twice) / size)
    squares = {
        "raw": own + seen - added,
        "calibrated": own + added,
        "shrunken": own + carried.left_by_shrinking - added + 2 * carried.shrunken_estimation,
    }
    by_chance = {
        "raw": own + ratio * carried.apart,
        "calibrated": own + added,
        "shrunken": own + carried.shrunken_estimation,
    }
    return ExpectedErrors(
        squares={name: noise * square for name, square in squares.items()},
        by_chance={name: noise * square for name, square in by_chance.items()},
        difference_error=noise * float(np.sqrt(spread)),
        correlation=correlation,
        correlation_error=correlation_error,
    )
