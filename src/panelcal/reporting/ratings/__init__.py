"""The sheets of ratings by judges with their own cut-points."""
