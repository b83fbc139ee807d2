"""The ways to calibrate a workbook, each one object: how it is read, checked, computed, reported and told."""
