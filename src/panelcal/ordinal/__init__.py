"""Judges with their own cut-points: ordinal models of ratings.

The hierarchical model of McElreath (2021): ratings, density, laplace, sampler, convergence, posterior, put together in
fitting. The review model of SIGKDD'09: review_thresholds.
"""
