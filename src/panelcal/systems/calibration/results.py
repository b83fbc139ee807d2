"""Everything a report is made from, computed once: the reading, the calibration and all that follows from it.

Values come from the method that was chosen. Where that is no calibration, biases, residuals, links, bounds and the
proof are those of calibration with confidence, and the sheets say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.calibration.assessor_differences import AssessorDifferences, assessor_differences
from panelcal.calibration.averages import assessor_average, fisher, weighted_average
from panelcal.calibration.certificate import Certificate, certify
from panelcal.calibration.confidence_doubt import ConfidenceDoubt, confidence_doubt
from panelcal.calibration.declared import DeclaredConfidences, declared_confidences
from panelcal.calibration.influence import Influence, influence
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.ranking import Ranking, ranking
from panelcal.calibration.robustness import Robustness, robustness
from panelcal.calibration.uncertainty import Uncertainty, uncertainty
from panelcal.calibration.unexpected_scores import UnexpectedScores, unexpected_scores
from panelcal.calibration.value_posterior import ValuePosterior, value_posterior
from panelcal.calibration.verdict import Verdict, verdict
from panelcal.errors import MethodNotApplicable
from panelcal.network import Network, network
from panelcal.panel import Panel
from panelcal.reading import scale
from panelcal.reading.nouns import in_sentence, plural_of
from panelcal.reading.reading import Reading
from panelcal.registry import FittedMethod, Method, find_method, fit
from panelcal.reporting.wording import InWords

if TYPE_CHECKING:
    from panelcal.calibration.common_subset import CommonSubset
    from panelcal.calibration.nearness import NearnessBias
    from panelcal.calibration.prior import PriorCalibration
    from panelcal.facets.calibrate_facets import FacetCalibration


AVERAGES = ("simple_average", "weighted_average")
_ADDS_UP = 1e-9
_SAME_MODEL = "shrunken_biases"  # whose posterior, with normal values as well, is that of the calibration


@dataclass(frozen=True, eq=False)
class Results(InWords):
    """A reading and everything computed from it.

    `chosen` is the fit that values are taken from; `calibration` is the same fit where it is a calibration, otherwise
    calibration with confidence. `raw` (n_objects,) and `assessor_raw` (n_assessors,) are the confidence-weighted
    averages with the confidences of the calibration. The rest is named after the functions it comes from.
    """

    reading: Reading
    chosen: FittedMethod
    calibration: Calibration
    uncertainty: Uncertainty
    robustness: Robustness
    influence: Influence
    differences: AssessorDifferences
    unexpected: UnexpectedScores
    certificate: Certificate
    network: Network
    verdict: Verdict
    declared: DeclaredConfidences
    raw: Array
    assessor_raw: Array

    @property
    def panel(self) -> Panel:
        """The panel that was calibrated (confidences as the method uses them)."""
        return self.calibration.panel

    @property
    def method(self) -> Method:
        """The method that was chosen."""
        return find_method(self.chosen.method)

    @property
    def is_calibration(self) -> bool:
        """Whether the values are those of `calibration`."""
        return self.chosen.calibration is not None

    @property
    def values(self) -> Array:
        """(n_objects,) values by the chosen method."""
        return self.chosen.values

    @property
    def value_errors(self) -> Array:
        """(n_objects,) their standard errors, NaN where the method has none."""
        known = self.chosen.value_errors
        return np.full(len(self.values), np.nan) if known is None else known

    def value_interval(self, level: float) -> Array:
        """Return (n_objects, 2) lower and upper ends, NaN where the method has none."""
        known = self.chosen.uncertainty
        return np.full((len(self.values), 2), np.nan) if known is None else known.value_interval(level)

    @cached_property
    def posterior(self) -> ValuePosterior:
        """Posterior of the true values behind `calibration`; worked out when it is first asked for."""
        return value_posterior(self.calibration)

    @cached_property
    def confidence_doubt(self) -> ConfidenceDoubt | None:
        """What confidences wrong by a factor of 2 would do to the values of `calibration`; None for large panels."""
        try:
            return confidence_doubt(self.calibration)
        except MethodNotApplicable:
            return None

    @cached_property
    def ranking(self) -> Ranking:
        """How sure the order of the values of `calibration` is, with the level of the settings."""
        settings = self.reading.settings
        among = None if self.ranked.all() else self.ranked
        return ranking(self.uncertainty, settings.level, higher_is_better=settings.higher_is_better, among=among)

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each true value reaches the boundary, NaN where it is not known."""
        if self.is_calibration or self.method.name == _SAME_MODEL:
            return self.posterior.at_or_above(boundary)
        known = self.chosen.uncertainty
        return np.full(len(self.values), np.nan) if known is None else known.exceeds(boundary)

    @cached_property
    def common(self) -> CommonSubset | None:
        """What the common objects say that fix the zero of the biases; None where all do."""
        if self.reading.common is None:
            return None
        from panelcal.calibration.common_subset import common_subset  # as below, for the few panels with any

        return common_subset(self.calibration)

    @cached_property
    def ranked(self) -> Mask:
        """(n_objects,) whether an object takes part in ranks and classes: all but common ones, where so wished."""
        common = self.reading.common
        if common is None or self.reading.settings.common_ranked or len(common.labels) == self.panel.n_objects:
            return np.ones(self.panel.n_objects, dtype=np.bool_)
        return ~np.isin(np.array(self.panel.objects), common.labels)

    @cached_property
    def facets(self) -> FacetCalibration | None:
        """The criteria calibrated together, with the confidences of the calibration; None unless that was asked for."""
        criteria = self.reading.criteria
        if criteria is None:
            return None
        from panelcal.systems.calibration.missing_criteria import together

        return together(criteria, self.calibration)

    @cached_property
    def alert_threshold(self) -> float:
        """Size of a change that is marked."""
        return scale.alert_threshold(self.reading.settings, *self._score_ends)

    @cached_property
    def marked_from(self) -> float:
        """Change from which one is marked: what is shown as the threshold counts as the threshold."""
        return scale.marked_from(self.alert_threshold)

    @cached_property
    def borderline_zone(self) -> float:
        """How far short of a boundary is borderline."""
        return scale.borderline_zone(self.reading.settings, *self._score_ends)

    @property
    def _score_ends(self) -> tuple[float, float]:
        return float(self.panel.scores.min()), float(self.panel.scores.max())

    @cached_property
    def prior(self) -> PriorCalibration | None:
        """Calibration with confidence that also knows the earlier biases of the workbook; None where it has none."""
        earlier = self.reading.earlier
        if earlier is None:
            return None
        from panelcal.calibration.prior import calibrate_with_prior

        return calibrate_with_prior(self.panel, earlier)

    @cached_property
    def nearness_or_why_not(self) -> NearnessBias | str | None:
        """How bias depends on nearness, or a sentence why that cannot be told; None where nothing is known of it."""
        read = self.reading.nearness
        if read is None:
            return None
        from panelcal.calibration.nearness import bias_by_nearness

        try:
            return bias_by_nearness(self.panel, read.nearness)
        except MethodNotApplicable as problem:
            return str(problem)

    @property
    def nearness(self) -> NearnessBias | None:
        """How bias depends on nearness; None where that is not known."""
        found = self.nearness_or_why_not
        return None if isinstance(found, str) else found

    @property
    def change(self) -> Array:
        """(n_objects,) value less raw average."""
        return self.values - self.raw

    @property
    def by_calibration(self) -> str:
        """A sentence for sheets that are about calibration with confidence although another method was chosen."""
        if self.is_calibration:
            return ""
        return f" These are of calibration with confidence, not of the method {self.method.title}."

    @property
    def biases_taken_off(self) -> Array | None:
        """(n_assessors,) biases whose weighted average is what each value is below its raw average, None if none are.

        Exact for calibrations (docs/proofs.md) and for some other methods; that it holds is checked, not assumed.
        """
        biases = self.chosen.biases
        if biases is None:
            return None
        panel = self.panel
        taken = panel.object_totals(panel.confidences * biases[panel.assessor_index])
        apart = np.abs(self.change + taken / self.calibration.equations.object_confidence).max()
        return biases if apart <= _ADDS_UP * max(1.0, float(np.abs(panel.scores).max())) else None

    @property
    def single_object_assessors(self) -> Mask:
        """(n_assessors,) whether an assessor has one object only."""
        return np.isin(np.array(self.panel.assessors), self.network.single_object_assessors)


def compute_results(reading: Reading) -> Results:
    """Calibrate what was read, by the method and gauge its settings ask for, and compute all that is reported.

    Raises
    ------
    DisconnectedPanel
        If the panel falls into groups that share nothing.
    MethodNotApplicable
        If the settings ask for plain averages, or for a method that cannot be used on this panel.
    """
    settings, incomplete = reading.settings, reading.criteria is not None and not reading.criteria.panel.is_complete
    if incomplete:
        from panelcal.systems.calibration.missing_criteria import with_expected

        reading = with_expected(reading)
    if settings.method in AVERAGES:
        raise MethodNotApplicable(
            f"The method {settings.method} does not calibrate; its averages stand on Cal methods in every report. "
            "Choose another method, such as confidence."
        )
    chosen = fit(reading.panel, settings.method, **options_of(find_method(settings.method), reading))
    calibration = chosen.calibration or calibrate(reading.panel, **zero_of(reading))
    if reading.criteria is not None and incomplete:
        from panelcal.systems.calibration.missing_criteria import with_errors_of_missing

        chosen = with_errors_of_missing(reading.criteria, chosen, calibration)
    panel = calibration.panel
    influences = influence(calibration)
    equal = fisher(panel, **zero_of(reading))
    return Results(
        reading=reading,
        chosen=chosen,
        calibration=calibration,
        uncertainty=uncertainty(calibration),
        robustness=robustness(calibration),
        influence=influences,
        differences=assessor_differences(calibration),
        unexpected=unexpected_scores(calibration, leverage=influences.leverage),
        certificate=certify(calibration),
        network=network(panel),
        verdict=verdict(
            panel,
            calibration=calibration,
            assessors=plural_of(in_sentence(reading.nouns.assessor)),
            objects=plural_of(in_sentence(reading.nouns.object)),
        ),
        declared=declared_confidences(calibration, equal=equal),
        raw=weighted_average(panel),
        assessor_raw=assessor_average(panel),
    )


def zero_of(reading: Reading) -> dict[str, Any]:
    """Return the options of `calibrate` that fix the zero of the biases."""
    settings = reading.settings
    common = None if reading.common is None else reading.common.option
    return {"gauge": settings.gauge, "reference": settings.reference, "common": common}


def options_of(method: Method, reading: Reading) -> dict[str, Any]:
    """Return the options of a method: the zero of the biases, the ends of the scale, and earlier biases."""
    known, settings = zero_of(reading), reading.settings
    if settings.scale_low is not None and settings.scale_high is not None:
        known["scale"] = (settings.scale_low, settings.scale_high)
    if reading.earlier is not None:
        known["earlier"] = reading.earlier
    return {name: value for name, value in known.items() if name in method.options}
