"""Made-up panels whose truth is known: mean and spreads drawn anew, assessors assigned at random or by ability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal import Panel
from panelcal.network import is_connected

Array = NDArray[np.float64]

CREDITS = np.array([6.0, 7.5, 12.0, 15.0, 18.0])


@dataclass(frozen=True, slots=True)
class Design:
    """Who assesses whom: `selection` is the log odds of a generous assessor per deviation of ability."""

    name: str
    n_objects: int
    n_assessors: int
    per_object: int
    credits: bool = False
    selection: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MadeUp:
    """A panel with its truth: values and biases as drawn, before any gauge."""

    panel: Panel
    values: Array
    biases: Array

    @property
    def gauge_values(self) -> Array:
        """True values with biases measured from their confidence-weighted mean, as in gauge (36)."""
        shares = self.panel.assessor_totals(self.panel.confidences) / self.panel.confidences.sum()
        return self.values + shares @ self.biases

    @property
    def correlation(self) -> float:
        """Between a value and the mean bias of its own assessors."""
        totals = self.panel.object_totals(self.panel.confidences)
        own = self.panel.object_totals(self.panel.confidences * self.biases[self.panel.assessor_index]) / totals
        return float(np.corrcoef(self.values, own)[0, 1]) if np.ptp(own) > 0 else 0.0


def draw(
    design: Design,
    random: np.random.Generator,
    *,
    spreads: tuple[float, float, float] | None = None,
) -> MadeUp:
    """Draw a connected panel: mean N(60, 4); deviations of values, biases and noise as given, else drawn.

    Drawn deviations are 8, 4 and 6 on the log scale, each times a factor of deviation 1.4.
    """
    drawn = np.array([8.0, 4.0, 6.0]) * np.exp(np.log(1.4) * random.standard_normal(3))
    of_values, of_biases, of_noise = drawn if spreads is None else spreads
    n, m, r = design.n_objects, design.n_assessors, design.per_object
    while True:
        values = random.normal(60, 4) + of_values * random.standard_normal(n)
        biases = of_biases * random.standard_normal(m)
        ability, generosity = (values - values.mean()) / of_values, biases / of_biases
        odds = design.selection * np.outer(ability, generosity) + random.gumbel(size=(n, m))
        chosen = np.argsort(-odds, axis=1)[:, :r]
        objects, assessors = np.repeat(np.arange(n), r), chosen.ravel()
        met = np.unique(assessors)
        confidences = random.choice(CREDITS, m)[assessors] if design.credits else np.ones(len(objects))
        noise = of_noise * np.sqrt(confidences.mean() / confidences) * random.standard_normal(len(objects))
        panel = Panel.from_records(objects, assessors, values[objects] + biases[assessors] + noise, confidences)
        if is_connected(panel) and len(met) > 1:
            order = [int(label) for label in panel.assessors]
            return MadeUp(panel, values, biases[order])
