"""The tables of ratings, anchors, several criteria and plans, each a dict of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from panelcal.errors import MethodNotApplicable

if TYPE_CHECKING:
    from panelcal.anchors.curves import AnchorCurve
    from panelcal.facets.calibrate_facets import FacetCalibration
    from panelcal.facets.facet_panel import FacetPanel
    from panelcal.facets.rated_posterior import OrdinalFacets
    from panelcal.ordinal.posterior import OrdinalPosterior
    from panelcal.ordinal.ratings import Ratings
    from panelcal.panel import Panel
    from panelcal.planning.assignment import Assignment

Columns = dict[str, Any]
Level = float | None


def pairs(panel: Panel | FacetPanel | Ratings) -> Columns:
    """Return the labels of each assessment."""
    return {
        "object": [panel.objects[k] for k in panel.object_index.tolist()],
        "assessor": [panel.assessors[k] for k in panel.assessor_index.tolist()],
    }


def posterior_values(found: OrdinalPosterior, level: Level) -> Columns:
    """Return a row for each object: total, rank, and the chance of being best."""
    require_own_level(found, level)
    return {
        "object": list(found.objects),
        "total_mean": found.total_mean,
        "lower": found.total_interval[:, 0],
        "upper": found.total_interval[:, 1],
        "rank_mean": found.rank_mean,
        "rank_lower": found.rank_interval[:, 0],
        "rank_upper": found.rank_interval[:, 1],
        "best_probability": found.best_probability,
    }


def posterior_assessors(found: OrdinalPosterior, level: Level) -> Columns:
    """Return a row for each assessor: how severe."""
    require_own_level(found, level)
    return {
        "assessor": list(found.assessors),
        "severity": found.severity,
        "lower": found.severity_interval[:, 0],
        "upper": found.severity_interval[:, 1],
    }


def posterior_features(found: OrdinalPosterior, level: Level) -> Columns:
    """Return a row for each object and feature."""
    require_own_level(found, level)
    ends = found.feature_interval.reshape(-1, 2)
    return _crossed("object", found.objects, "feature", found.features) | {
        "mean": found.feature_mean.ravel(),
        "lower": ends[:, 0],
        "upper": ends[:, 1],
    }


def posterior_cutpoints(found: OrdinalPosterior, level: Level) -> Columns:
    """Return a row for each assessor, feature and step between two levels of the scale."""
    require_own_level(found, level)
    steps = [f"{low} | {high}" for low, high in zip(found.levels, found.levels[1:], strict=False)]
    both = _crossed("assessor", found.assessors, "feature", found.features)
    ends = found.cutpoint_interval.reshape(-1, 2)
    return {name: [label for label in column for _ in steps] for name, column in both.items()} | {
        "step": steps * len(both["feature"]),
        "mean": found.cutpoints.ravel(),
        "lower": ends[:, 0],
        "upper": ends[:, 1],
    }


def require_own_level(found: OrdinalPosterior, level: Level) -> None:
    """Refuse another level than that of the posterior's intervals.

    Raises
    ------
    MethodNotApplicable
        If another was asked for.
    """
    if level not in (None, found.level):
        raise MethodNotApplicable(
            f"The intervals of this result hold {found.level:.0%}: give the level to fit_ordinal, not here."
        )


def rated(ratings: Ratings, level: Level) -> Columns:
    """Return a row for each assessment, a column of levels for each feature; None where there is no rating."""
    names = [*ratings.levels, None]  # -1, not rated, is the last of these
    rated = {name: [names[k] for k in ratings.ratings[:, q].tolist()] for q, name in enumerate(ratings.features)}
    return pairs(ratings) | rated


def facet_assessments(panel: FacetPanel, level: Level) -> Columns:
    """Return a row for each assessment, a column of scores for each criterion."""
    scores = {name: panel.scores[:, k] for k, name in enumerate(panel.criteria)}
    return pairs(panel) | scores | {"confidence": panel.confidences}


def facet_totals(found: FacetCalibration | OrdinalFacets, level: Level) -> Columns:
    """Return a row for each object: its total."""
    return {"object": list(found.panel.objects), "total": found.totals, "standard_error": found.total_errors}


def facet_values(found: FacetCalibration | OrdinalFacets, level: Level) -> Columns:
    """Return a row for each object and criterion."""
    panel = found.panel
    return _crossed("object", panel.objects, "criterion", panel.criteria) | {
        "value": found.values.ravel(),
        "standard_error": found.value_errors.ravel(),
    }


def facet_biases(found: FacetCalibration | OrdinalFacets, level: Level) -> Columns:
    """Return a row for each assessor and criterion: bias, and what of it belongs to this criterion alone."""
    panel = found.panel
    return _crossed("assessor", panel.assessors, "criterion", panel.criteria) | {
        "bias": found.biases.ravel(),
        "standard_error": found.bias_errors.ravel(),
        "adjusted_p": found.adjusted_p.ravel(),
        "leaning": found.leanings.ravel(),
        "leaning_error": found.leaning_errors.ravel(),
        "adjusted_leaning_p": found.adjusted_leaning_p.ravel(),
    }


def facet_severities(found: FacetCalibration | OrdinalFacets, level: Level) -> Columns:
    """Return a row for each assessor, over all criteria."""
    assessors = list(found.panel.assessors)
    return {"assessor": assessors, "severity": found.severities, "standard_error": found.severity_errors}


def facet_levels(found: FacetCalibration | OrdinalFacets, level: Level) -> Columns:
    """Return a row for each criterion."""
    return {"criterion": list(found.panel.criteria), "level": found.levels, "standard_error": found.level_errors}


def anchors(curve: AnchorCurve, level: Level) -> Columns:
    """Return a row for each anchor that the curve was fitted to."""
    return {
        "score": curve.anchor_scores,
        "consensus": curve.consensus,
        "calibrated": curve(curve.anchor_scores),
        "residual": curve.residuals,
    }


def assignment(plan: Assignment, level: Level) -> Columns:
    """Return a row for each planned assessment, objects and assessors by their places, counted from 0."""
    return {"object": plan.object_index, "assessor": plan.assessor_index}


def loads(plan: Assignment, level: Level) -> Columns:
    """Return a row for each assessor: how many objects."""
    return {"assessor": np.arange(plan.n_assessors), "objects": plan.loads}


def _crossed(outer: str, labels: tuple[str, ...], inner: str, names: tuple[str, ...]) -> Columns:
    return {outer: [label for label in labels for _ in names], inner: list(names) * len(labels)}
