"""Ratings by the ordinal model as data for programs."""

from __future__ import annotations

from typing import Any

from panelcal.systems.ratings.results import OrdinalResults
from panelcal.systems.system import Outcome


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
    return Outcome(
        "ratings",
        figures,
        {"values": values} | _criteria(results),
        {"disconnected": (apart,) if len(groups) > 1 else ()},
    )


def _criteria(results: OrdinalResults) -> dict[str, dict[str, list[Any]]]:
    """Return what there is by criterion, where criteria are calibrated together; NaN where a criterion is not used."""
    facets = results.facets
    if facets is None:
        return {}
    panel, K = facets.panel, facets.panel.n_criteria
    return {
        "fair_averages": {
            "object": [label for label in panel.objects for _ in range(K)],
            "criterion": list(panel.criteria) * len(panel.objects),
            "value": facets.values.ravel().tolist(),
            "standard_error": facets.value_errors.ravel().tolist(),
        },
        "criteria": {
            "criterion": list(panel.criteria),
            "weight": facets.posterior.feature_weights.tolist(),
            "level": facets.levels.tolist(),
            "standard_error": facets.level_errors.tolist(),
            "difficulty": facets.difficulties.tolist(),
        },
        "leanings": {
            "assessor": [label for label in panel.assessors for _ in range(K)],
            "criterion": list(panel.criteria) * len(panel.assessors),
            "bias": facets.biases.ravel().tolist(),
            "leaning": facets.leanings.ravel().tolist(),
            "standard_error": facets.leaning_errors.ravel().tolist(),
            "adjusted_p": facets.adjusted_leaning_p.ravel().tolist(),
        },
    }
