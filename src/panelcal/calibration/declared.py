"""Whether the declared confidences mean anything (the paper, SI: "their confidences may need calibrating as well").

If a confidence c promises a noise variance w/c, the weighted mean square of residuals is about w at every confidence
level and for every assessor. Here the variance is let to be w c^-g instead: g = 1 says the confidences mean what they
declare, g = 0 that they say nothing.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.averages import fisher
from panelcal.calibration.influence import leverages
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.line_search import lowest_on_line
from panelcal.frozen import dataclass
from panelcal.panel import totals_by
from panelcal.shown import Shown
from panelcal.tails import chdtrc, fdtrc

Finding = Literal["as declared", "too weak to tell", "say nothing", "exaggerate", "understate"]

_MOST_LEVELS = 6
_DOUBT = 0.05
_NO_ROOM = 1e-9
_REFITS = 3
_ROUNDING = 1e-13
_TOO_LITTLE = 1e-9
_EXPONENTS = (-4.0, 6.0)
_PLACES = 11  # the criterion has a single dip: the logarithm of a sum of exponentials


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DeclaredConfidences(Shown):
    """Test of the declared confidences against the residuals.

    Source: MacKay, Kenna, Low and Parker (2015), SI, "their confidences may need calibrating as well".

    Attributes
    ----------
    levels
        (k,) confidence of each level (the mean, where more than six different ones had to be grouped).
    level_counts
        (k,) assessments at each level.
    level_factors
        (k,) weighted mean square of residuals at the level / w: 1 = as declared, 2 = twice the promised variance.
    level_p_values
        (k,) two-sided approximate p-value that the factor differs from 1 by chance: variance ratios whose degrees of
        freedom allow for noise that is not normal (Box and Andersen 1955, who approximate the permutation test).
    assessor_factors
        (n_assessors,) the same by assessor (the misfit); NaN where an assessor's scores leave nothing to judge by.
    exponent
        g, with variance w c^-g, by approximate restricted likelihood; NaN when all confidences are equal.
    exponent_error
        Its standard error.
    p_as_declared, p_say_nothing
        p-values of g = 1 and of g = 0 (likelihood ratio corrected for kurtosis, chi-squared, 1 degree of freedom).
    finding
        "as declared", "exaggerate" (differences declared larger than they are), "understate", "say nothing" or
        "too weak to tell".
    sentence
        The same in words.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> declared_confidences(calibration).finding
    'too weak to tell'
    """

    levels: Array
    level_counts: Indices
    level_factors: Array
    level_p_values: Array
    assessor_factors: Array
    exponent: float
    exponent_error: float
    p_as_declared: float
    p_say_nothing: float
    finding: Finding
    sentence: str


def declared_confidences(calibration: Calibration, *, equal: Calibration | None = None) -> DeclaredConfidences:
    """Test whether residuals shrink with confidence as declared.

    The leverage h of each assessment says how much of its noise the fit has swallowed: residual^2 has expectation
    (1 - h) w/c. Weighting each assessment by 1 - h makes this an approximation to the restricted likelihood, whose
    slope at the g of the fit is exact. Either hypothesis is tested on the residuals of its own fit, and where g = 1 is
    rejected, g is estimated on the residuals of a fit with confidences c^g.

    Source: MacKay, Kenna, Low and Parker (2015), SI, "their confidences may need calibrating as well".

    Parameters
    ----------
    calibration
        The fit whose residuals are judged.
    equal
        The calibration of the same panel with equal confidences, to save the work.

    Returns
    -------
    DeclaredConfidences
        What the scatter of the scores says of them.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> declared_confidences(calibration).finding
    'too weak to tell'
    """
    panel = calibration.panel
    room = _room(calibration)
    squares = panel.confidences * calibration.residuals**2
    w = calibration.w_unbiased
    assessor_room = panel.assessor_totals(room)
    with np.errstate(divide="ignore", invalid="ignore"):
        assessor_factors = np.where(
            assessor_room > 1e-6, panel.assessor_totals(squares) / (assessor_room * w), float("nan")
        )
    distinct = np.unique(panel.confidences, return_inverse=True)
    levels, level_of = _levels(panel.confidences, *distinct)
    counts = np.bincount(level_of, minlength=len(levels))
    level_room = totals_by(level_of, room, len(levels))
    level_squares = totals_by(level_of, squares, len(levels))
    judged = bool(np.isfinite(w) and np.abs(calibration.residuals).max() > _ROUNDING * np.abs(panel.scores).max())
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.where((level_room > 1e-6) & judged, level_squares / (level_room * w), float("nan"))
    p_values = _level_p_values(level_squares, level_room, kurtosis_factor(calibration, room))
    logs = np.log(panel.confidences)
    information = _information(room, logs)
    if not judged or information < _TOO_LITTLE:
        why = (
            "All confidences are equal, so there is nothing to test."
            if np.ptp(logs) < 1e-9
            else "The scores leave nothing to judge the confidences by."
        )
        nan = float("nan")
        return DeclaredConfidences(
            levels, counts, factors, p_values, assessor_factors, nan, nan, nan, nan, "too weak to tell", why
        )

    exponent, declared_surplus, _ = _fit_exponent(calibration, room, *distinct)
    p_declared = float(chdtrc(1, declared_surplus))
    without = fisher(panel) if equal is None else equal
    p_nothing = float(chdtrc(1, _fit_exponent(without, _room(without), *distinct)[2]))
    if p_declared < _DOUBT:
        for _ in range(_REFITS):
            refit = calibrate(panel.with_confidences(np.exp(exponent * (logs - logs.mean()))))
            exponent, _, _ = _fit_exponent(refit, _room(refit), *distinct)
    error = float(np.sqrt(kurtosis_factor(calibration, room) / information))
    finding = _finding(exponent, p_declared, p_nothing)
    return DeclaredConfidences(
        levels=levels,
        level_counts=counts,
        level_factors=factors,
        level_p_values=p_values,
        assessor_factors=assessor_factors,
        exponent=exponent,
        exponent_error=error,
        p_as_declared=p_declared,
        p_say_nothing=p_nothing,
        finding=finding,
        sentence=_sentence(finding, exponent, error, p_declared),
    )


def _levels(confidences: Array, levels: Array, level_of: Indices) -> tuple[Array, Indices]:
    """Distinct confidences, or six groups of about equal size where there are more."""
    if len(levels) <= _MOST_LEVELS:
        return levels, level_of
    edges = np.quantile(confidences, np.linspace(0, 1, _MOST_LEVELS + 1)[1:-1])
    group = np.searchsorted(np.unique(edges), confidences, side="right")
    _, level_of = np.unique(group, return_inverse=True)
    means = np.bincount(level_of, confidences) / np.bincount(level_of)
    return means, level_of


def _level_p_values(squares: Array, room: Array, factor: float) -> Array:
    """Two-sided p-values of each level's mean square against all the others', as a permutation would give them.

    Squares of skewed or long-tailed noise scatter more by `factor` than normal ones: so many scores as would scatter
    like that, were they normal, are what the variance ratio has for degrees of freedom.
    """
    others, room_left = squares.sum() - squares, room.sum() - room
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (squares / room) / (others / room_left)
        above = fdtrc(room / factor, room_left / factor, ratio)
    two_sided = 2 * np.minimum(above, 1 - above)
    return np.where((room > 0.5) & (room_left > 0.5), np.minimum(two_sided, 1.0), float("nan"))


def _room(calibration: Calibration) -> Array:
    """1 - leverage (N,): how much of each assessment's noise its residual still shows; 0 for only links."""
    room = 1 - leverages(calibration)
    return np.where(room < _NO_ROOM, 0.0, room)


def _information(room: Array, logs: Array) -> float:
    """Fisher information on g from normal residuals."""
    if room.sum() < _TOO_LITTLE:
        return 0.0
    return float((room * (logs - np.average(logs, weights=room)) ** 2).sum()) / 2


def kurtosis_factor(calibration: Calibration, room: Array) -> float:
    """How much more squared residuals vary than normal ones would (Koenker 1981); 1 for normal noise, never less.

    Without it a single gross mark would decide whether the confidences mean anything.
    """
    seen = room > 0
    if not seen.any():
        return 1.0
    squares = (calibration.panel.confidences * calibration.residuals**2)[seen] / room[seen]
    mean = np.average(squares, weights=room[seen])
    if mean <= 0:
        return 1.0
    return max(1.0, float(np.average((squares / mean - 1) ** 2, weights=room[seen]) / 2))


def _fit_exponent(calibration: Calibration, room: Array, distinct: Array, place: Indices) -> tuple[float, float, float]:
    """Fit g in variance w c^-g to the residuals: g, and the surplus of -2 log likelihood at g = 1 and at g = 0.

    `distinct` are the different confidences c and `place` (N,) says which of them each assessment has.

    Residuals that are all zero to rounding fit any g.
    """
    squares = calibration.residuals**2
    if squares.max() <= (_ROUNDING * np.abs(calibration.panel.scores).max()) ** 2:
        return 1.0, 0.0, 0.0
    level_squares = totals_by(place, squares, len(distinct))
    centred = np.log(distinct) - np.average(np.log(distinct)[place], weights=room)
    total = room.sum()

    def criterion(g: Array) -> Array:  # -2 log likelihood with w profiled out
        return total * np.log((level_squares * np.exp(g[:, None] * centred)).sum(axis=1) / total)

    exponent, lowest = lowest_on_line(criterion, *_EXPONENTS, points=_PLACES)
    nothing, declared = criterion(np.array([0.0, 1.0]))
    best = min(lowest, float(nothing), float(declared))
    factor = kurtosis_factor(calibration, room)
    return exponent, (float(declared) - best) / factor, (float(nothing) - best) / factor


def _finding(exponent: float, p_declared: float, p_nothing: float) -> Finding:
    if p_declared >= _DOUBT and p_nothing >= _DOUBT:
        return "too weak to tell"
    if p_declared >= _DOUBT:
        return "as declared"
    if exponent > 1:
        return "understate"
    return "say nothing" if p_nothing >= _DOUBT else "exaggerate"


def _sentence(finding: Finding, exponent: float, error: float, p_declared: float) -> str:
    measured = f"measured strength {exponent:.2f} +/- {error:.2f}, where 1 = as declared and 0 = they say nothing"
    return {
        "as declared": f"The declared confidences agree with how well the scores fit ({measured}).",
        "too weak to tell": (
            f"Too few scores to tell whether confident ones scatter less; this is common and harmless ({measured})."
        ),
        "say nothing": (
            f"The declared confidences say nothing about how well the scores fit ({measured}; p = {p_declared:.3f} "
            "against as declared): consider calibrating with equal confidences (method fisher)."
        ),
        "exaggerate": (
            f"The declared confidences mean something, but differences are exaggerated ({measured}; "
            f"p = {p_declared:.3f})."
        ),
        "understate": (
            f"Confident scores fit even better than declared ({measured}; p = {p_declared:.3f} against as declared)."
        ),
    }[finding]
