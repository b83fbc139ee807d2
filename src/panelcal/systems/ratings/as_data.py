"""Ratings by the ordinal model as data for programs."""

from __future__ import annotations

from panelcal.reporting.outcome import Outcome
from panelcal.systems.ratings.results import OrdinalResults


def as_data(results: OrdinalResults) -> Outcome:
    """Return the posterior of every object; groups that share nothing are a reason to stop a pipeline."""
    found, groups = results.posterior, results.network.components
    apart = f"The panel falls into {len(groups)} groups with no object and no assessor in common."
    figures = {
        "method": "ordinal",
        "level": results.reading.settings.level,
        "n_objects": len(found.objects),
        "n_assessors": results.panel.n_assessors,
        "n_assessments": results.panel.n_assessments,
        "converged": found.converged,
        "places": results.places,
    }
    values = {
        "object": list(found.objects),
        "total_mean": found.total_mean.tolist(),
        "lower": found.total_interval[:, 0].tolist(),
        "upper": found.total_interval[:, 1].tolist(),
        "rank_mean": found.rank_mean.tolist(),
        "rank_lower": found.rank_interval[:, 0].tolist(),
        "rank_upper": found.rank_interval[:, 1].tolist(),
        "best_probability": found.best_probability.tolist(),
        "top_probability": results.top.tolist(),
        "average": results.naive.tolist(),
    }
    return Outcome("ratings", figures, {"values": values}, {"disconnected": (apart,) if len(groups) > 1 else ()})
