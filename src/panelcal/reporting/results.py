"""Everything a report is made from, computed once: the reading, the calibration and all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.averages import Comparison, assessor_average, compare, fisher
from panelcal.calibration.certificate import Certificate, certify
from panelcal.calibration.declared import DeclaredConfidences, declared_confidences
from panelcal.calibration.influence import Influence, influence
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.robustness import Robustness, robustness
from panelcal.calibration.uncertainty import Uncertainty, uncertainty
from panelcal.calibration.verdict import Verdict, verdict
from panelcal.errors import MethodNotApplicable
from panelcal.network import Network, network
from panelcal.panel import Panel
from panelcal.reading.reading import Reading
from panelcal.registry import fit
from panelcal.reporting.wording import plural_of

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """A reading and everything computed from it.

    `raw` (n_objects,) and `assessor_raw` (n_assessors,) are the confidence-weighted averages with the confidences of
    the calibration shown. The rest is named after the functions it comes from.
    """

    reading: Reading
    calibration: Calibration
    uncertainty: Uncertainty
    robustness: Robustness
    influence: Influence
    certificate: Certificate
    comparison: Comparison
    network: Network
    verdict: Verdict
    declared: DeclaredConfidences
    raw: Array
    assessor_raw: Array
    method: str

    @property
    def panel(self) -> Panel:
        """The panel that was calibrated (confidences as the method uses them)."""
        return self.calibration.panel

    @property
    def change(self) -> Array:
        """(n_objects,) calibrated value less raw average."""
        return self.calibration.values - self.raw

    @property
    def object_noun(self) -> str:
        """Word for one object within a sentence, such as student."""
        return in_sentence(self.reading.nouns.object)

    @property
    def assessor_noun(self) -> str:
        """Word for one assessor within a sentence, such as module."""
        return in_sentence(self.reading.nouns.assessor)

    @property
    def objects_noun(self) -> str:
        """Word for several objects within a sentence."""
        return plural_of(self.object_noun)

    @property
    def assessors_noun(self) -> str:
        """Word for several assessors within a sentence."""
        return plural_of(self.assessor_noun)

    @property
    def score_noun(self) -> str:
        """Word for one score within a sentence, such as mark."""
        return in_sentence(self.reading.nouns.score)

    @property
    def scores_noun(self) -> str:
        """Word for several scores within a sentence."""
        return plural_of(self.score_noun)

    @property
    def single_object_assessors(self) -> NDArray[np.bool_]:
        """(n_assessors,) whether an assessor has one object only."""
        return np.isin(np.array(self.panel.assessors), self.network.single_object_assessors)


def compute_results(reading: Reading) -> Results:
    """Calibrate what was read, by the method and gauge its settings ask for, and compute all that is reported.

    Raises
    ------
    DisconnectedPanel
        If the panel falls into groups that share nothing.
    MethodNotApplicable
        If the settings ask for a method that yields no calibration.
    """
    settings = reading.settings
    options: dict[str, object] = {"gauge": settings.gauge}
    if settings.method == "confidence":
        options["reference"] = settings.reference
    if settings.method in {"simple_average", "weighted_average"}:
        raise MethodNotApplicable(
            f"The method {settings.method} does not calibrate; its averages stand on Cal methods in every report. "
            "Choose confidence or fisher."
        )
    if settings.method not in {"confidence", "fisher"}:
        raise MethodNotApplicable(
            f"The method {settings.method} is for comparison: the report is made of a calibration. Choose confidence "
            "or fisher."
        )
    calibration = fit(reading.panel, settings.method, **options).calibration
    if calibration is None:
        raise MethodNotApplicable(f"The method {settings.method} gives no calibration to report on.")
    panel = calibration.panel
    is_default = settings.method == "confidence"
    equal = fisher(panel, gauge=settings.gauge)
    centre = panel.scores[0]
    return Results(
        reading=reading,
        calibration=calibration,
        uncertainty=uncertainty(calibration),
        robustness=robustness(calibration),
        influence=influence(calibration),
        certificate=certify(calibration),
        comparison=compare(
            reading.panel, gauge=settings.gauge, calibration=calibration if is_default else None, equal=equal
        ),
        network=network(panel),
        verdict=verdict(panel, calibration=calibration, assessors=plural_of(in_sentence(reading.nouns.assessor))),
        declared=declared_confidences(calibration, equal=equal),
        raw=centre
        + panel.object_totals(panel.confidences * (panel.scores - centre)) / calibration.equations.object_confidence,
        assessor_raw=assessor_average(panel),
        method=settings.method,
    )


def in_sentence(noun: str) -> str:
    """Lower the first letter of a heading's noun unless it is an abbreviation: "Student" -> "student", "AI" stays."""
    return noun if len(noun) > 1 and noun[1].isupper() else noun[:1].lower() + noun[1:]
