"""`Cal criteria` of ratings: criteria calibrated together, as the figures that the sheet shows, in points."""

from __future__ import annotations

import numpy as np

from panelcal.facets.rated_posterior import OrdinalFacets
from panelcal.reporting.criteria_figures import CriteriaFigures
from panelcal.reporting.criteria_sheet import criteria_sheet
from panelcal.reporting.criteria_words import leanings_in_words, slips_in_words
from panelcal.reporting.model import Sheet
from panelcal.reporting.run_facts import RunContext
from panelcal.systems.ratings.results import OrdinalResults


def ordinal_criteria_sheets(context: RunContext[OrdinalResults]) -> tuple[Sheet, ...]:
    """Build the sheet; none where criteria are not calibrated together."""
    results = context.results
    if results.facets is None:
        return ()
    figures = criteria_figures(results, results.facets)
    return (criteria_sheet(context.sheet("Cal criteria"), results, figures, results.order),)


def criteria_sentences(results: OrdinalResults) -> tuple[str, ...]:
    """Say who leans on which criterion; nothing where criteria are not calibrated together."""
    if results.facets is None:
        return ()
    return (leanings_in_words(results, criteria_figures(results, results.facets)),)


def criteria_figures(results: OrdinalResults, facets: OrdinalFacets) -> CriteriaFigures:
    """Return what the sheet shows."""
    weights = facets.posterior.feature_weights
    objects = facets.totals / weights.sum()
    middle = float(objects.mean())
    # Levels are measured from the mean that the totals have: weighted as criteria count.
    levels = facets.levels - float(weights @ facets.levels / weights.sum())
    return CriteriaFigures(
        objects=facets.panel.objects,
        assessors=facets.panel.assessors,
        criteria=facets.panel.criteria,
        weights=weights,
        raw_averages=np.nanmean(facets.panel.scores, axis=0),
        values=facets.values,
        value_errors=facets.value_errors,
        totals=facets.totals,
        total_errors=facets.total_errors,
        levels=facets.levels,
        level_errors=facets.level_errors,
        noise=facets.noise,
        biases=facets.biases,
        bias_errors=facets.bias_errors,
        differences=facets.differences,
        adjusted_p=facets.adjusted_p,
        leanings=facets.leanings,
        leaning_errors=facets.leaning_errors,
        adjusted_leaning_p=facets.adjusted_leaning_p,
        object_places=objects,
        assessor_places=middle + facets.severities,
        criterion_places=middle + levels,
        explanation=(
            f"Fair averages in points: what all {results.assessors_noun} together would give on average. Total: the "
            "weighted sum."
        ),
        slips=_slips(facets),
        fair=f"Fair average: what it would get on average if every {results.assessor_noun} had rated it.",
        beyond="",
        scatter=f"Standard deviation of what neither {results.object_noun} nor {results.assessor_noun} explains.",
        generous_up=results.reading.settings.higher_is_better,
        too_few=False,
    )


def _slips(facets: OrdinalFacets) -> str:
    return f"{slips_in_words(facets.correlation)}; errors allow for it."
