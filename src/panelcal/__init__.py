"""Calibrate the scores of a panel in which not every assessor assesses every object.

The heart is calibration with confidence (MacKay, Kenna, Low and Parker 2015): s_ao = v_o + b_a + sigma_ao eta_ao,
weighted least squares on the assessor-object graph.
"""

from panelcal.anchors.curves import AnchorCurve, fit_anchor_curve
from panelcal.anchors.disagreement import disagreement
from panelcal.anchors.drift import Drift, check_drift
from panelcal.calibration.averages import Comparison, compare
from panelcal.calibration.certificate import Certificate, certify
from panelcal.calibration.declared import DeclaredConfidences, declared_confidences
from panelcal.calibration.influence import Influence, influence
from panelcal.calibration.least_squares import Calibration, calibrate, calibrate_components
from panelcal.calibration.robustness import Robustness, robustness
from panelcal.calibration.uncertainty import Uncertainty, uncertainty
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
)
from panelcal.network import Network, WeakLink, network
from panelcal.ordinal.fitting import fit_ordinal
from panelcal.ordinal.posterior import OrdinalPosterior
from panelcal.ordinal.ratings import Ratings
from panelcal.panel import Panel
from panelcal.planning.assignment import Assignment, plan_assignment
from panelcal.registry import FittedMethod, Method, fit, methods, predictive_errors

__version__ = "0.1.0"

__all__ = [
    "AnchorCurve",
    "Assignment",
    "Calibration",
    "Certificate",
    "Comparison",
    "DeclaredConfidences",
    "DisconnectedPanel",
    "Drift",
    "FileProblem",
    "FittedMethod",
    "ImpossiblePlan",
    "Influence",
    "InputRefused",
    "InvalidPanel",
    "Method",
    "MethodNotApplicable",
    "Network",
    "OrdinalPosterior",
    "Panel",
    "PanelcalError",
    "Ratings",
    "Robustness",
    "Uncertainty",
    "Verdict",
    "WeakLink",
    "calibrate",
    "calibrate_components",
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
    "influence",
    "methods",
    "network",
    "plan_assignment",
    "predictive_errors",
    "robustness",
    "uncertainty",
    "verdict",
]
