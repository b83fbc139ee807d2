"""Calibrate the scores of a panel in which not every assessor assesses every object."""

__version__ = "0.1.0"
