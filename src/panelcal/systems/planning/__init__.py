"""The sheets of a plan of who assesses what."""
