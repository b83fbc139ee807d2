"""Judges with their own cut-points: ordinal models of ratings, one module per model."""
