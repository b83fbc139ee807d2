"""The sheets of agents calibrated by anchors."""
