"""The methods by their names: for a panel of scores a file for each or for a few that are akin, or a system.

A new method is a file that defines it under its name in capitals, ``MEDIAN = Method("median", ...)``, and a line here.
"""

from __future__ import annotations

METHODS = {
    "simple_average": "averages",
    "weighted_average": "averages",
    "assessor_centred": "centred",
    "z_scores": "centred",
    "fisher": "calibrations",
    "confidence": "calibrations",
    "spread": "spreads",
    "bounded": "bounded_scales",
    "log": "bounded_scales",
    "shrunken_biases": "shrunken",
    "random_effects": "shrunken",
    "median_polish": "robust",
    "bisquare": "robust",
    "review_thresholds": "thresholds",
    "hodge": "hodge",
    "hodge_signs": "hodge",
    "kemeny": "kemeny",
    "prior": "prior",
}
"""Name -> the file that defines it, in the order of lists; none is loaded before it is asked for."""

SYSTEMS = {"ordinal": "ratings", "anchors": "anchors"}
"""Name of a method that reads, computes and reports in a way of its own -> the folder of its system."""
