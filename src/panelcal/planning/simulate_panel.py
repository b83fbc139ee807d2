"""Made-up panels with the truth behind them: s_ao = v_o + b_a + noise, on an assignment as a plan would make it."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.planning.assignment import plan_assignment
from panelcal.shown import Shown


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SimulatedPanel(Shown):
    """A panel and the truth behind it.

    Source: the model of MacKay, Kenna, Low and Parker (2015), eqs. (1)-(3).

    Attributes
    ----------
    panel
        Objects and assessors are labelled 1, 2, ...
    values, biases
        (n_objects,) and (n_assessors,) as they were drawn, in score units, in the order of the panel's labels.

    Examples
    --------
    >>> made = simulate_panel(10, 4, 2, seed=1)
    >>> (made.panel.n_assessments, made.values.shape, made.biases.shape)
    (20, (10,), (4,))
    """

    panel: Panel
    values: Array
    biases: Array


def simulate_panel(
    n_objects: int,
    n_assessors: int,
    per_object: int,
    *,
    mean: float = 60.0,
    value_sd: float = 10.0,
    bias_sd: float = 5.0,
    noise_sd: float = 5.0,
    confidence_levels: tuple[float, ...] = (1.0,),
    seed: int = 0,
) -> SimulatedPanel:
    """Simulate a panel: normal values and biases, and normal noise of variance `noise_sd`^2 / confidence.

    Source: the model of MacKay, Kenna, Low and Parker (2015), eqs. (1)-(3).

    Parameters
    ----------
    n_objects, n_assessors, per_object
        How many there are, and how many different assessors each object gets.
    mean, value_sd, bias_sd, noise_sd
        In score units; the spreads may be 0.
    confidence_levels
        Each assessment gets one of these, all as often.
    seed
        The same seed gives the same panel.

    Returns
    -------
    SimulatedPanel
        The panel, and the values and biases that it was drawn from.

    Raises
    ------
    ImpossiblePlan
        If there are fewer assessors than each object needs, or nothing to assess.
    MethodNotApplicable
        If a spread is negative, or a confidence not positive.

    Examples
    --------
    >>> simulate_panel(10, 4, 2, seed=1).panel.n_assessments
    20
    """
    if min(value_sd, bias_sd, noise_sd) < 0 or not np.isfinite([mean, value_sd, bias_sd, noise_sd]).all():
        raise MethodNotApplicable("The spreads of values, biases and noise must be 0 or more, and the mean a number.")
    if not confidence_levels or not all(np.isfinite(one) and one > 0 for one in confidence_levels):
        raise MethodNotApplicable("Confidences must be positive numbers.")
    plan = plan_assignment(n_objects, n_assessors, per_object, seed=seed)
    random = np.random.default_rng(seed)
    values = random.normal(mean, value_sd, n_objects)
    biases = random.normal(0.0, bias_sd, n_assessors)
    confidences = random.choice(np.array(confidence_levels, dtype=np.float64), len(plan.object_index))
    noise = random.normal(0.0, 1.0, len(plan.object_index)) * noise_sd / np.sqrt(confidences)
    scores = values[plan.object_index] + biases[plan.assessor_index] + noise
    panel = Panel.from_records(
        (plan.object_index + 1).tolist(), (plan.assessor_index + 1).tolist(), scores, confidences
    )
    drawn = [int(label) - 1 for label in panel.assessors]
    return SimulatedPanel(panel, values[[int(label) - 1 for label in panel.objects]], biases[drawn])
