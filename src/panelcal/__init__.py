"""Calibrate the scores of a panel in which not every assessor assesses every object.

The heart is calibration with confidence (MacKay, Kenna, Low and Parker 2015): s_ao = v_o + b_a + sigma_ao eta_ao,
weighted least squares on the assessor-object graph.
"""

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
    InputRefused,
    InvalidPanel,
    MethodNotApplicable,
    PanelcalError,
)
from panelcal.network import Network, WeakLink, network
from panelcal.panel import Panel
from panelcal.registry import FittedMethod, Method, fit, methods, predictive_errors

__version__ = "0.1.0"

__all__ = [
    "Calibration",
    "Certificate",
    "Comparison",
    "DeclaredConfidences",
    "DisconnectedPanel",
    "FileProblem",
    "FittedMethod",
    "Influence",
    "InputRefused",
    "InvalidPanel",
    "Method",
    "MethodNotApplicable",
    "Network",
    "Panel",
    "PanelcalError",
    "Robustness",
    "Uncertainty",
    "Verdict",
    "WeakLink",
    "calibrate",
    "calibrate_components",
    "certify",
    "compare",
    "confidence_from_deviation",
    "confidence_from_range",
    "confidence_from_word",
    "declared_confidences",
    "fit",
    "influence",
    "methods",
    "network",
    "predictive_errors",
    "robustness",
    "uncertainty",
    "verdict",
]
