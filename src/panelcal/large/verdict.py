"""Is calibrating a long table worthwhile? The same judgement as on a sheet, from square tables between assessors.

What biases do to averages depends on the objects only through S'S, S being the shares of the assessors in each object:
the sum that the engine has worked out already. So nothing goes through the rows again but a few sums.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from panelcal.arrays import Array
from panelcal.calibration.advice import Advice, Found, Nouns, advice_sentence, advise, selection_sentence
from panelcal.calibration.expected_errors import Averaged, Carried, ExpectedErrors, carried_by_spectrum, put_together
from panelcal.calibration.variance_components import components_by_likelihood, components_by_moments
from panelcal.frozen import dataclass
from panelcal.large.calibration import Fit, Linked
from panelcal.large.pairs import Pairs
from panelcal.large.walk import Walk

_BY_SPECTRUM = 600
"""Assessors up to which the variance of the biases is found by restricted likelihood, as on a sheet."""
_ROUNDING = 1e-24  # of the sum of squares of the scores: below this, scatter is rounding


@dataclass(frozen=True, slots=True, eq=False)
class LargeVerdict:
    """Whether to calibrate, see `panelcal.calibration.verdict.Verdict`.

    Attributes
    ----------
    expected
        Errors to expect of "raw", "calibrated" and "shrunken" values.
    assessor_variance, object_variance
        Variances of the biases and of the true values, in score units squared.
    advice, sentence
        What is advised, and in words.
    """

    expected: ExpectedErrors
    assessor_variance: float
    object_variance: float
    advice: Advice
    sentence: str


def judge(walk: Walk, linked: Linked, fitted: Fit, f_test: tuple[float, float]) -> LargeVerdict | None:
    """Judge whether calibrating is expected to help.

    Returns
    -------
    LargeVerdict or None
        None where there are more assessors than objects, several groups, no square table, nothing that says how large
        the noise is, or no noise.
    """
    pairs, conductance, inverse = walk.pairs, linked.conductance, linked.solver.inverse()
    answerable = pairs.eliminated == "object" and len(fitted.squares) == 1 and pairs.n_assessors > 1
    rounding = _ROUNDING * float(pairs.squares.sum())
    if not answerable or conductance is None or inverse is None or not np.isfinite(f_test[1]):
        return None
    if float(fitted.squares[0]) <= rounding:
        return None
    noise, n_objects = float(fitted.noise[0]), pairs.n_objects
    mean_share = pairs.confidence / pairs.total_confidence
    moved = np.outer(pairs.share, mean_share)
    whole = walk.overlap()
    overlap = (whole - moved - moved.T) / n_objects + np.outer(mean_share, mean_share)
    sums = fitted.members
    total, squares, moves, products = (float(of[0]) for of in (sums.v, sums.vv, sums.moved, sums.together))
    together = (products - total * moves / n_objects) / n_objects / noise  # a shift common to all biases drops out
    biases = fitted.kept / np.sqrt(noise)
    system = np.diag(pairs.confidence) - conductance
    apart = float(np.trace(overlap))
    if pairs.n_assessors <= _BY_SPECTRUM:
        powers, directions = linalg.eigh(system, check_finite=False, driver="evd")
        powers, directions = np.maximum(powers[1:], 0.0), directions[:, 1:]
        of_noise, ratio = components_by_likelihood(
            fitted.kept, float(fitted.squares[0]), pairs.n_assessments - n_objects, powers, directions
        )
        carried = carried_by_spectrum(
            directions.T @ overlap @ directions, directions.T @ biases, powers, ratio, together=together, apart=apart
        )
    else:
        explained = f_test[0] * noise * (pairs.n_assessors - 1)
        of_noise, ratio = components_by_moments(noise, explained, float(np.trace(system)), pairs.n_assessors)
        carried = _carried_by_inverse(overlap, system, inverse, biases, ratio, together)
    of_values = _object_variance(pairs, whole, inverse, noise, (total, squares))
    own = float(pairs.inverse_share.sum()) / n_objects - 1 / pairs.total_confidence
    expected = put_together(carried, Averaged(n_objects, own, of_values / noise), noise, ratio)
    found = Found(f_test[1], expected, float(np.sqrt(ratio * of_noise)), fitted.largest_change)
    advice, nouns = advise(expected, fitted.largest_change), Nouns("assessors", "objects")
    sentence = advice_sentence(advice, found, nouns) + selection_sentence(expected, nouns)
    return LargeVerdict(expected, ratio * of_noise, of_values, advice, sentence)


def _carried_by_inverse(
    overlap: Array, system: Array, inverse: Array, biases: Array, ratio: float, together: float
) -> Carried:
    """As `carried_by_spectrum`, where finding all eigenvectors would take minutes."""
    pushed = overlap @ biases
    through = overlap @ inverse
    left, shrunken = float(biases @ pushed), 0.0
    if ratio > 0:
        factor = linalg.cholesky(system + np.eye(len(system)) / ratio, lower=True, check_finite=False)
        lower, _ = linalg.lapack.dpotri(factor, lower=True)  # half the inverse, the other half being zero
        shrunken = float(2 * np.vdot(lower, overlap) - lower.diagonal() @ overlap.diagonal())
        gone = linalg.cho_solve((factor, True), (biases - biases.mean()) / ratio, check_finite=False)
        left = float(gone @ overlap @ gone)
    return Carried(
        seen=float(biases @ pushed),
        together=together,
        apart=float(np.trace(overlap)),
        estimation=float(np.trace(through)),
        left_by_shrinking=left,
        shrunken_estimation=shrunken,
        through=float(pushed @ inverse @ pushed),
        twice=float((through * through.T).sum()),
    )


def _object_variance(
    pairs: Pairs, overlap: Array, inverse: Array, noise: float, value_sums: tuple[float, float]
) -> float:
    """Variance of the true values: that of the calibrated ones less their estimation error, never below 0."""
    n, (total, squares) = pairs.n_objects, value_sums
    if n < 2:
        return float("nan")
    own = float(pairs.inverse_share.sum())
    diagonal = own + float((overlap * inverse).sum())
    together = own + float(pairs.share @ inverse @ pairs.share)
    added = noise * (diagonal - together / n) / (n - 1)
    return max((squares - total * total / n) / (n - 1) - added, 0.0)
