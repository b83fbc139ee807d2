"""`Cal criteria` of a panel of scores: criteria calibrated together, as the figures that the sheet shows."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.facets.calibrate_facets import FacetCalibration
from panelcal.reporting.criteria_figures import CriteriaFigures
from panelcal.reporting.criteria_sheet import criteria_sheet
from panelcal.reporting.criteria_words import slips_in_words
from panelcal.reporting.model import Sheet
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results


def criteria_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet; none where criteria are not calibrated together."""
    facets = context.results.facets
    if facets is None:
        return ()
    figures = criteria_figures(context.results, facets)
    return (criteria_sheet(context.sheet("Cal criteria"), context.results, figures, context.object_order),)


def criteria_figures(results: Results, facets: FacetCalibration) -> CriteriaFigures:
    """Return what the sheet shows."""
    panel = facets.panel
    objects, assessors, criteria = _fair_averages(facets)
    same = bool((facets.units == 1).all())
    return CriteriaFigures(
        objects=panel.objects,
        assessors=panel.assessors,
        criteria=panel.criteria,
        weights=facets.weights,
        raw_averages=np.asarray(panel.confidences / panel.confidences.sum() @ panel.scores),
        values=facets.values,
        value_errors=facets.value_errors,
        totals=facets.totals,
        total_errors=facets.total_errors,
        levels=facets.levels,
        level_errors=facets.level_errors,
        noise=np.sqrt(np.diag(facets.noise)),
        biases=facets.biases,
        bias_errors=facets.bias_errors,
        differences=facets.differences,
        adjusted_p=facets.adjusted_p,
        leanings=facets.leanings,
        leaning_errors=facets.leaning_errors,
        adjusted_leaning_p=facets.adjusted_leaning_p,
        object_places=objects,
        assessor_places=assessors,
        criterion_places=criteria,
        explanation=(
            f"What {results.assessors_noun} who lean neither way would give, criterion by criterion, and the total "
            f"that stands on Cal values.{results.by_calibration}"
        ),
        slips=_slips(facets),
        fair=f"Fair average: what it would get from {results.assessors_noun} of bias 0.",
        beyond="" if same else " Criteria have different spreads: equal means in shares of each spread.",
        scatter=(
            f"Standard deviation of what neither {results.object_noun} nor {results.assessor_noun} explains, at "
            "confidence 1."
        ),
        generous_up=results.reading.settings.higher_is_better,
        too_few=bool(np.isnan(facets.noise).any()),
    )


def _slips(facets: FacetCalibration) -> str:
    """Say how far slips go together; standard errors of totals hang on it."""
    if not np.isfinite(facets.correlation):
        return "How far slips go together between criteria is not known here."
    return f"{slips_in_words(facets.correlation)}; errors of totals allow for it."


def _fair_averages(facets: FacetCalibration) -> tuple[Array, Array, Array]:
    """Return the places of objects (n_objects,), assessors (n_assessors,) and criteria (K,) on the common scale."""
    whole = facets.weights.sum()
    objects = facets.totals / whole
    confidence = np.bincount(facets.panel.object_index, facets.panel.confidences)
    middle = float(confidence @ objects / confidence.sum())
    scale = float(facets.weights @ facets.units / whole)
    # Levels are measured from the mean that the totals have: weighted as criteria count.
    levels = facets.levels - float(facets.weights @ facets.levels / whole)
    return objects, middle + scale * facets.severities, middle + levels
