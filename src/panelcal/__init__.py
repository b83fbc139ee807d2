"""Calibrate the scores of a panel in which not every assessor assesses every object.

The heart is calibration with confidence (MacKay, Kenna, Low and Parker 2015): s_ao = v_o + b_a + sigma_ao eta_ao,
weighted least squares on the assessor-object graph.

A name is loaded from its room when it is first asked for, so that nobody waits for what is not used.
"""

import importlib
import sys
from types import ModuleType

TYPE_CHECKING = False  # as type checkers know it: typing itself takes a while to load, and may not be needed
if TYPE_CHECKING:
    from panelcal.anchors.curves import AnchorCurve, fit_anchor_curve
    from panelcal.anchors.disagreement import disagreement
    from panelcal.anchors.drift import Drift, check_drift
    from panelcal.anchors.simulation import SimulatedAnchors, simulate_anchors
    from panelcal.calibration.assessor_differences import AssessorDifferences, assessor_differences
    from panelcal.calibration.averages import Comparison, compare
    from panelcal.calibration.certificate import Certificate, certify
    from panelcal.calibration.declared import DeclaredConfidences, declared_confidences
    from panelcal.calibration.influence import Influence, influence
    from panelcal.calibration.least_squares import Calibration, calibrate, calibrate_components
    from panelcal.calibration.nearness import NearnessBias, bias_by_nearness
    from panelcal.calibration.nonadditivity import Nonadditivity, nonadditivity
    from panelcal.calibration.prior import PriorCalibration, calibrate_with_prior
    from panelcal.calibration.robustness import Robustness, robustness
    from panelcal.calibration.uncertainty import Uncertainty, uncertainty
    from panelcal.calibration.unexpected_scores import UnexpectedScores, unexpected_scores
    from panelcal.calibration.value_posterior import ValuePosterior, probability_at_or_above, value_posterior
    from panelcal.calibration.verdict import Verdict, verdict
    from panelcal.confidence import confidence_from_deviation, confidence_from_range, confidence_from_word
    from panelcal.errors import (
        DisconnectedPanel,
        FileProblem,
        ImpossiblePlan,
        InputRefused,
        InvalidPanel,
        MethodNotApplicable,
        PanelcalError,
        TimeLimitReached,
    )
    from panelcal.facets.calibrate_facets import FacetCalibration, calibrate_facets
    from panelcal.facets.facet_panel import FacetPanel
    from panelcal.facets.rated_fitting import fit_ordinal_facets
    from panelcal.facets.rated_posterior import OrdinalFacets
    from panelcal.files.run_bytes import BytesRun, run_bytes
    from panelcal.large.calibrate_relation import calibrate_relation
    from panelcal.large.result import LargeCalibration
    from panelcal.network import Network, WeakLink, network
    from panelcal.ordinal.fitting import fit_ordinal
    from panelcal.ordinal.posterior import OrdinalPosterior
    from panelcal.ordinal.priors import OrdinalPriors
    from panelcal.ordinal.ratings import Ratings
    from panelcal.ordinal.simulation import SimulatedRatings, prior_predictive, simulate_ratings
    from panelcal.panel import Panel
    from panelcal.planning.assignment import Assignment, plan_assignment
    from panelcal.planning.simulate_panel import SimulatedPanel, simulate_panel
    from panelcal.registry import FittedMethod, Method, fit, methods, predictive_errors

    __version__: str

__all__ = [
    "AnchorCurve",
    "AssessorDifferences",
    "Assignment",
    "BytesRun",
    "Calibration",
    "Certificate",
    "Comparison",
    "DeclaredConfidences",
    "DisconnectedPanel",
    "Drift",
    "FacetCalibration",
    "FacetPanel",
    "FileProblem",
    "FittedMethod",
    "ImpossiblePlan",
    "Influence",
    "InputRefused",
    "InvalidPanel",
    "LargeCalibration",
    "Method",
    "MethodNotApplicable",
    "NearnessBias",
    "Network",
    "Nonadditivity",
    "OrdinalFacets",
    "OrdinalPosterior",
    "OrdinalPriors",
    "Panel",
    "PanelcalError",
    "PriorCalibration",
    "Ratings",
    "Robustness",
    "SimulatedAnchors",
    "SimulatedPanel",
    "SimulatedRatings",
    "TimeLimitReached",
    "Uncertainty",
    "UnexpectedScores",
    "ValuePosterior",
    "Verdict",
    "WeakLink",
    "assessor_differences",
    "bias_by_nearness",
    "calibrate",
    "calibrate_components",
    "calibrate_facets",
    "calibrate_relation",
    "calibrate_with_prior",
    "certify",
    "check_drift",
    "compare",
    "confidence_from_deviation",
    "confidence_from_range",
    "confidence_from_word",
    "declared_confidences",
    "disagreement",
    "fit",
    "fit_anchor_curve",
    "fit_ordinal",
    "fit_ordinal_facets",
    "influence",
    "methods",
    "network",
    "nonadditivity",
    "plan_assignment",
    "predictive_errors",
    "prior_predictive",
    "probability_at_or_above",
    "robustness",
    "run_bytes",
    "simulate_anchors",
    "simulate_panel",
    "simulate_ratings",
    "uncertainty",
    "unexpected_scores",
    "value_posterior",
    "verdict",
]

_NAMES_BY_HOME = {
    "panelcal.anchors.curves": ("AnchorCurve", "fit_anchor_curve"),
    "panelcal.anchors.disagreement": ("disagreement",),
    "panelcal.anchors.drift": ("Drift", "check_drift"),
    "panelcal.anchors.simulation": ("SimulatedAnchors", "simulate_anchors"),
    "panelcal.calibration.assessor_differences": ("AssessorDifferences", "assessor_differences"),
    "panelcal.calibration.averages": ("Comparison", "compare"),
    "panelcal.calibration.certificate": ("Certificate", "certify"),
    "panelcal.calibration.declared": ("DeclaredConfidences", "declared_confidences"),
    "panelcal.calibration.influence": ("Influence", "influence"),
    "panelcal.calibration.least_squares": ("Calibration", "calibrate", "calibrate_components"),
    "panelcal.calibration.nonadditivity": ("Nonadditivity", "nonadditivity"),
    "panelcal.calibration.nearness": ("NearnessBias", "bias_by_nearness"),
    "panelcal.calibration.prior": ("PriorCalibration", "calibrate_with_prior"),
    "panelcal.calibration.robustness": ("Robustness", "robustness"),
    "panelcal.calibration.uncertainty": ("Uncertainty", "uncertainty"),
    "panelcal.calibration.unexpected_scores": ("UnexpectedScores", "unexpected_scores"),
    "panelcal.calibration.value_posterior": ("ValuePosterior", "probability_at_or_above", "value_posterior"),
    "panelcal.calibration.verdict": ("Verdict", "verdict"),
    "panelcal.confidence": ("confidence_from_deviation", "confidence_from_range", "confidence_from_word"),
    "panelcal.errors": (
        "DisconnectedPanel",
        "FileProblem",
        "ImpossiblePlan",
        "InputRefused",
        "InvalidPanel",
        "MethodNotApplicable",
        "PanelcalError",
        "TimeLimitReached",
    ),
    "panelcal.facets.calibrate_facets": ("FacetCalibration", "calibrate_facets"),
    "panelcal.facets.facet_panel": ("FacetPanel",),
    "panelcal.facets.rated_fitting": ("fit_ordinal_facets",),
    "panelcal.facets.rated_posterior": ("OrdinalFacets",),
    "panelcal.files.run_bytes": ("BytesRun", "run_bytes"),
    "panelcal.large.calibrate_relation": ("calibrate_relation",),
    "panelcal.large.result": ("LargeCalibration",),
    "panelcal.network": ("Network", "WeakLink", "network"),
    "panelcal.ordinal.fitting": ("fit_ordinal",),
    "panelcal.ordinal.posterior": ("OrdinalPosterior",),
    "panelcal.ordinal.priors": ("OrdinalPriors",),
    "panelcal.ordinal.ratings": ("Ratings",),
    "panelcal.ordinal.simulation": ("SimulatedRatings", "prior_predictive", "simulate_ratings"),
    "panelcal.panel": ("Panel",),
    "panelcal.planning.assignment": ("Assignment", "plan_assignment"),
    "panelcal.planning.simulate_panel": ("SimulatedPanel", "simulate_panel"),
    "panelcal.registry": ("FittedMethod", "Method", "fit", "methods", "predictive_errors"),
    "panelcal.version": ("__version__",),
}
_HOMES = {name: home for home, names in _NAMES_BY_HOME.items() for name in names}

if not TYPE_CHECKING:  # which would take any misspelled name for one that is loaded later

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return vars(sys.modules[__name__]).setdefault(name, getattr(importlib.import_module(_HOMES[name]), name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """A package whose public names stay what they are when a module of the same name is loaded (`network`)."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
