"""From a reading of ratings to the whole Report: six `Cal ...` sheets of the method ordinal, seven with criteria."""

from __future__ import annotations

from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reporting.model import Report
from panelcal.reporting.run_facts import RunContext, RunFacts
from panelcal.systems.ratings.assessors import ordinal_assessors_sheet, ordinal_assessors_table
from panelcal.systems.ratings.audit import ordinal_audit_sheet
from panelcal.systems.ratings.criteria import ordinal_criteria_sheets
from panelcal.systems.ratings.links import ordinal_links_sheet
from panelcal.systems.ratings.methods import ordinal_methods_sheet
from panelcal.systems.ratings.results import SEED, OrdinalResults
from panelcal.systems.ratings.summary import ordinal_summary_sheet
from panelcal.systems.ratings.values import ordinal_values_sheet, ordinal_values_table

FOOTER = "Confidential: for the jury"


def build_ordinal_report(results: OrdinalResults, run: RunFacts) -> Report:
    """Build the report of one run from what was computed and the facts about the run."""
    context = RunContext(results, run, _options(results.reading))
    values, assessors = ordinal_values_table(context), ordinal_assessors_table(context)
    return Report(
        sheets=(
            ordinal_summary_sheet(context, values),
            ordinal_values_sheet(context, values),
            ordinal_assessors_sheet(context, assessors),
            *ordinal_criteria_sheets(context),
            ordinal_links_sheet(context),
            ordinal_methods_sheet(context),
            ordinal_audit_sheet(context),
        ),
        run_id=context.run_id,
        footer=FOOTER,
        created=run.created,
    )


def _options(reading: RatingsReading) -> dict[str, str]:
    settings, ratings = reading.settings, reading.ratings
    weights = [f"{name} {weight:g}" for name, weight in zip(ratings.features, reading.feature_weights, strict=True)]
    own = "every assessor's own cut-points, with correlations"
    together = f"criteria together: {own}, shifted by how hard a criterion is and by who leans on it"
    return {
        "Method": f"ordinal, {together}" if settings.criteria_together else f"ordinal: {own}",
        "Criteria and weights" if settings.criteria_together else "Features and weights": ", ".join(weights),
        "Levels, worst first": ", ".join(f"{value:g}" for value in reading.level_values),
        "Level of intervals": f"{settings.ordinal_level:.0%}",
        "Places to award": f"{settings.prizes:g}",
        "Better is": "higher" if settings.higher_is_better else "lower",
        "Seed": str(SEED),
        "Most draws": f"{settings.draws:,.0f}",
        "Time limit": f"{settings.time_limit:g} seconds, then nothing is reported",
    }
