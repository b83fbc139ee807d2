"""From a reading to the whole Report: the eight `Cal ...` sheets, and more for criteria and earlier biases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from panelcal.reading.grid import Grid, corners_of
from panelcal.reading.nouns import deciders
from panelcal.reading.problems import listed
from panelcal.reading.reading import Reading
from panelcal.reading.scale import borderline_zone
from panelcal.reading.setting_texts import texts_about_reading
from panelcal.reporting.model import Report, Sheet
from panelcal.reporting.run_facts import RunFacts, run_identifier_of
from panelcal.reporting.up_to_date import watched_block
from panelcal.systems.calibration.assessors import assessors_sheet, assessors_table
from panelcal.systems.calibration.audit import audit_sheet
from panelcal.systems.calibration.cases import assessor_order, object_order
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.common_objects import common_sheets
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.filed_run import options_of_choice
from panelcal.systems.calibration.links import links_sheet
from panelcal.systems.calibration.method_results import compared_methods
from panelcal.systems.calibration.methods import methods_sheet
from panelcal.systems.calibration.nearness import nearness_sheets
from panelcal.systems.calibration.prior import prior_sheets
from panelcal.systems.calibration.proof import proof_sheet
from panelcal.systems.calibration.residuals import residuals_sheet, residuals_table
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.summary import summary_sheet
from panelcal.systems.calibration.values import certified_heading, values_sheet, values_table

FOOTER = "Confidential: for"


def build_report(results: Results, run: RunFacts) -> Report:
    """Build the report of one run from what was computed and the facts about the run."""
    reading = results.reading
    classes = classify(results)
    context = Context(
        run=run,
        results=results,
        classes=classes,
        object_order=object_order(results, classes),
        assessor_order=assessor_order(results),
        compared=compared_methods(results),
        numbers_in_block=None if run.input_grid is None else _numbers_in(run.input_grid, reading.score_block),
        confidences=(
            watched_block(run.input_grid, reading.confidence_block)
            if run.input_grid is not None and reading.confidence_block
            else None
        ),
        options=_options(reading),
    )
    values, assessors, residuals = values_table(context), assessors_table(context), residuals_table(context)
    return Report(
        sheets=(
            summary_sheet(context, values),
            values_sheet(context, values),
            assessors_sheet(context, assessors),
            *_criteria_sheets(context),
            *common_sheets(context, values, certified_heading(results)),
            *nearness_sheets(context),
            *prior_sheets(context),
            residuals_sheet(context, residuals),
            links_sheet(context),
            methods_sheet(context),
            proof_sheet(context, values, assessors),
            audit_sheet(context),
        ),
        run_id=context.run_id,
        footer=f"{FOOTER} {deciders(reading.nouns)}",
        created=run.created,
    )


def _options(reading: Reading) -> dict[str, str]:
    settings = reading.settings
    options = options_of_choice(settings)
    if settings.compare:
        options["Methods compared"] = ", ".join(settings.compare)
    if settings.scale_low is not None and settings.scale_high is not None:
        options["Scale"] = f"{settings.scale_low:g} to {settings.scale_high:g}"
    options |= texts_about_reading(settings)
    if reading.common is not None and reading.common.known is not None:
        options["Known values"] = listed(
            [f"{name} {value:g}" for name, value in zip(reading.common.labels, reading.common.known, strict=True)]
        )
    options["Level of intervals"] = f"{settings.level:.0%}"
    options["Better is"] = "higher" if settings.higher_is_better else "lower"
    if reading.nouns.confidence:
        options["Confidences"] = (
            f"{reading.nouns.confidence} ({settings.confidence_form}), p = {settings.confidence_p:g}"
        )
    if settings.bands:
        zone = borderline_zone(settings, float(reading.panel.scores.min()), float(reading.panel.scores.max()))
        options["Classes"] = ", ".join(f"{band.name} from {band.lowest:g}" for band in settings.bands)
        options["Borderline"] = f"within {zone:g}, with at least {settings.borderline_credit_share:.0%} at or above"
    return options


def run_identifier(reading: Reading, versions: Mapping[str, str]) -> str:
    """Return the identifier that the report of a run on this reading carries."""
    return run_identifier_of(reading.fingerprint, _options(reading), versions)


def _numbers_in(grid: Grid, block: str) -> int:
    """How many numbers the block holds, as the spreadsheet's COUNT sees it."""
    top, left, bottom, right = corners_of(block)
    rows = grid.rows[top - 1 : bottom]
    types = Counter(type(row[j]) for j in range(left - 1, min(right, grid.n_columns)) for row in rows)
    return sum(count for kind, count in types.items() if issubclass(kind, int | float) and kind is not bool)


def _criteria_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet of criteria calibrated together; none without."""
    if context.results.facets is None:
        return ()
    from panelcal.systems.calibration.criteria import criteria_sheets

    return criteria_sheets(context)
