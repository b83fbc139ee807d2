"""Whether assessors differ in spread along with their bias: Tukey's one degree of freedom for nonadditivity (1949).

One more term, s = v + b + theta v b: an assessor with bias b stretches all values by 1 + theta b. It is tested by the
products of fitted values and biases, freed of values and biases on the panel's own weighted design; the formula for
complete tables would hardly ever find anything here. Under the additive model the products depend on the fit only, not
on the residuals, so F is exact for normal noise.
"""

from __future__ import annotations

import numpy as np

from panelcal.calibration.least_squares import Calibration
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Shown
from panelcal.tails import fdtrc

LEVEL = 0.01
_NOTHING_LEFT = 1e-9
_ROUNDING = 1e-10
_PILED = 0.02  # of all scores on the highest (or lowest) one: a ceiling (or floor) worth looking at


@dataclass(frozen=True, slots=True, repr=False)
class Nonadditivity(Shown):
    """Test of one slope: whether the spread of an assessor's scores goes with its bias.

    Source: Tukey (1949), one degree of freedom for nonadditivity; suggested in the SI of MacKay, Kenna, Low and Parker
    (2015).

    Attributes
    ----------
    slope, slope_error
        theta, by how much the spread grows for each unit of bias (-0.02: an assessor generous by 5 is flatter by 10%),
        and its standard error. Noise in the products draws it towards 0.
    f_statistic, p_value
        F on 1 and `degrees_of_freedom`, and its p-value.
    degrees_of_freedom
        N - p - 1.
    at_top, at_bottom
        Share of scores that are the highest, or the lowest, of all: a ceiling or a floor makes a slope too.
    sentence
        The finding in words.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> nonadditivity(calibration).degrees_of_freedom
    1
    """

    slope: float
    slope_error: float
    f_statistic: float
    p_value: float
    degrees_of_freedom: int
    at_top: float
    at_bottom: float
    sentence: str


def nonadditivity(calibration: Calibration) -> Nonadditivity:
    """Test whether generous assessors are flatter, or steeper, than severe ones.

    Source: Tukey (1949), one degree of freedom for nonadditivity; suggested in the SI of MacKay, Kenna, Low and Parker
    (2015).

    Returns
    -------
    Nonadditivity
        Slope, test and sentence.

    Raises
    ------
    MethodNotApplicable
        If nothing of the products is left beyond values and biases, or too few scores are.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> nonadditivity(calibration).degrees_of_freedom
    1
    """
    panel, equations = calibration.panel, calibration.equations
    freedom = calibration.degrees_of_freedom - 1
    if freedom < 1:
        raise MethodNotApplicable("There are too few scores to tell whether spreads go with biases.")
    products = calibration.centred_values[panel.object_index] * calibration.biases[panel.assessor_index]
    weighted = panel.confidences * products
    values, biases = equations.apply_inverse(panel.object_totals(weighted), panel.assessor_totals(weighted))
    left = products - values[panel.object_index] - biases[panel.assessor_index]
    size = float(panel.confidences @ left**2)
    scale = float(np.abs(calibration.centred_scores[0]).max())
    if size <= _NOTHING_LEFT * float(panel.confidences @ products**2) or size <= (_ROUNDING * scale**2) ** 2:
        raise MethodNotApplicable("Nothing is left beyond values and biases to tell whether spreads go with biases by.")
    slope = float(panel.confidences @ (left * calibration.residuals)) / size
    explained = slope**2 * size
    remainder = max(calibration.weighted_residual_sum - explained, 0.0)
    if calibration.weighted_residual_sum <= float(panel.confidences.sum()) * (_ROUNDING * scale) ** 2:
        f, p, error = 0.0, 1.0, 0.0  # the additive model fits exactly
    else:
        f = explained * freedom / remainder if remainder > 0 else float("inf")
        p = float(fdtrc(1, freedom, f)) if np.isfinite(f) else 0.0
        error = float(np.sqrt(remainder / freedom / size))
    top = float((panel.scores == panel.scores.max()).mean())
    bottom = float((panel.scores == panel.scores.min()).mean())
    sentence = _sentence(slope, p, top, bottom)
    return Nonadditivity(slope, error, f, p, freedom, top, bottom, sentence)


def _sentence(slope: float, p: float, top: float, bottom: float) -> str:
    if p >= LEVEL:
        return f"There is no clear sign that generous assessors are flatter or steeper than severe ones (p = {p:.3f})."
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    text = (
        f"Assessors who are generous are also {'steeper' if slope > 0 else 'flatter'}: for every point of bias their "
        f"spread {'grows' if slope > 0 else 'shrinks'} by {abs(slope):.1%} ({chance})."
    )
    piled = piled_up(top, bottom)
    if piled:
        return f"{text} {piled[:1].upper()}{piled[1:]}, which makes such a slope by itself: look there first."
    return f"{text} The method spread gives each assessor a spread of its own."


def piled_up(top: float, bottom: float) -> str:
    """Say whether scores pile up at an end of the scale; empty where they do not."""
    ends = [
        f"{share:.0%} of the scores are the {name} one"
        for share, name in ((top, "highest"), (bottom, "lowest"))
        if share >= _PILED
    ]
    return " and ".join(ends)
