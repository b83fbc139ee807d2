"""Charts of ratings, anchors, several criteria and plans; each returns how many rows it has, 0 = no rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from panelcal.notebook.drawing import BLUE, INK, ORANGE, name_rows, sorted_points
from panelcal.notebook.tables_of_systems import require_own_level

if TYPE_CHECKING:
    from panelcal.anchors.curves import AnchorCurve
    from panelcal.arrays import Array
    from panelcal.facets.calibrate_facets import FacetCalibration
    from panelcal.facets.rated_posterior import OrdinalFacets
    from panelcal.ordinal.posterior import OrdinalPosterior
    from panelcal.planning.assignment import Assignment

Level = float | None
_CURVE_POINTS = 200
_ALPHA = 0.05  # leanings with an adjusted p-value below it are marked


def posterior_totals(found: OrdinalPosterior, axes: Any, level: Level) -> int:
    """Draw the totals in order with their intervals."""
    require_own_level(found, level)
    sorted_points(axes, found.total_mean, found.total_interval, found.objects)
    axes.set(xlabel="total, logits", title=f"Totals with {found.level:.0%} intervals")
    return len(found.objects)


def posterior_ranks(found: OrdinalPosterior, axes: Any, level: Level) -> int:
    """Draw the mean ranks, best at the top, with their intervals."""
    require_own_level(found, level)
    sorted_points(axes, -found.rank_mean, -found.rank_interval[:, ::-1].astype(np.float64), found.objects)
    axes.xaxis.set_major_formatter(lambda place, _: f"{-place:g}")
    axes.set(xlabel="rank, 1 = best", title=f"Ranks with {found.level:.0%} intervals")
    return len(found.objects)


def posterior_best(found: OrdinalPosterior, axes: Any, level: Level) -> int:
    """Draw each object's chance of being the best; those of the winner set stand out."""
    require_own_level(found, level)
    order = np.argsort(found.best_probability, kind="stable")
    labels = [found.objects[k] for k in order.tolist()]
    colours = [ORANGE if label in found.winner_set else BLUE for label in labels]
    axes.barh(np.arange(len(labels)), found.best_probability[order], color=colours)
    name_rows(axes, labels)
    axes.set(
        xlabel="chance of being the best", title=f"Orange: holds the best with {found.level:.0%}, no smaller set does"
    )
    return len(labels)


def posterior_severities(found: OrdinalPosterior, axes: Any, level: Level) -> int:
    """Draw how severe the assessors are, with intervals."""
    require_own_level(found, level)
    sorted_points(axes, found.severity, found.severity_interval, found.assessors)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set(xlabel="levels; right = severe", title=f"Severity with {found.level:.0%} intervals")
    return len(found.assessors)


def facet_totals(found: FacetCalibration | OrdinalFacets, axes: Any, level: Level) -> int:
    """Draw the totals in order, with one standard error to either side."""
    sorted_points(axes, found.totals, _one_error(found.totals, found.total_errors), found.panel.objects)
    axes.set(xlabel="weighted sum of the criteria", title="Totals with their standard errors")
    return len(found.totals)


def facet_severities(found: FacetCalibration | OrdinalFacets, axes: Any, level: Level) -> int:
    """Draw the biases over all criteria, with one standard error to either side."""
    ends = _one_error(found.severities, found.severity_errors)
    sorted_points(axes, found.severities, ends, found.panel.assessors)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    axes.set(xlabel="right = generous", title="Biases over all criteria with their standard errors")
    return len(found.severities)


def facet_leanings(found: FacetCalibration | OrdinalFacets, axes: Any, level: Level) -> int:
    """Draw who leans on which criterion as a table in colours; a ring marks what is more than luck."""
    panel, leanings = found.panel, found.leanings
    reach = float(np.nanmax(np.abs(leanings), initial=0.0)) or 1.0
    drawn = axes.imshow(leanings, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto", zorder=1)
    rows, columns = np.nonzero(found.adjusted_leaning_p < _ALPHA)
    axes.plot(columns, rows, "o", color=INK, markerfacecolor="none", markersize=9)
    axes.set_xticks(range(len(panel.criteria)), panel.criteria)
    name_rows(axes, panel.assessors)
    axes.figure.colorbar(drawn, ax=axes, label="score units; positive = generous here")
    axes.set(title="Leanings beyond the general bias; ring: more than luck")
    return len(panel.assessors)


def _one_error(centres: Array, errors: Array) -> Array:
    return centres[:, None] + np.outer(errors, [-1.0, 1.0])


def curve(found: AnchorCurve, axes: Any, level: Level) -> int:
    """Draw the curve with the anchors it was fitted to."""
    scores = found.anchor_scores
    along = np.linspace(scores.min(), scores.max(), _CURVE_POINTS)
    axes.plot(along, along, color=INK, linewidth=0.8, linestyle=":", label="score as it is")
    axes.plot(along, found(along), color=BLUE, label=found.kind)
    axes.plot(scores, found.consensus, "o", color=ORANGE, markersize=4, label="anchors")
    axes.set(xlabel="score of the agent", ylabel="consensus", title="From the agent's scale to the consensus")
    axes.legend(loc="upper left", frameon=False)
    return 0


def curve_residuals(found: AnchorCurve, axes: Any, level: Level) -> int:
    """Draw what the curve leaves over at the anchors."""
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.plot(found(found.anchor_scores), found.residuals, "o", color=BLUE, markersize=4)
    axes.set(xlabel="calibrated score", ylabel="consensus - calibrated", title="What the curve leaves over")
    return 0


def assignment(plan: Assignment, axes: Any, level: Level) -> int:
    """Draw a dot where somebody assesses something, a cross where a conflict was kept apart."""
    axes.plot(plan.assessor_index, plan.object_index, "s", color=BLUE, markersize=4)
    if plan.conflicts:
        objects, assessors = np.array(plan.conflicts).T
        axes.plot(assessors, objects, "x", color=ORANGE, markersize=5, label="conflict")
        axes.legend(loc="upper right")
    axes.set(xlabel="assessor", ylabel="object", title=f"Who assesses what, {plan.per_object} each")
    axes.invert_yaxis()
    return plan.n_objects


def loads(plan: Assignment, axes: Any, level: Level) -> int:
    """Draw how many objects each assessor has."""
    axes.bar(np.arange(plan.n_assessors), plan.loads, color=BLUE)
    axes.set(xlabel="assessor", ylabel="objects", title="How many each assessor takes")
    return 0
