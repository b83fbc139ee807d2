"""Sheets of anchors and of agents' scores."""
