"""The sheets of a calibration: summary, values, assessors, residuals, links, methods, proof, audit, extracts."""
