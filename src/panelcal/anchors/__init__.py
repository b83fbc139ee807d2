"""Anchored calibration: agents' scores mapped onto the scale of anchors whose consensus is known."""
