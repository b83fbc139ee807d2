"""`Cal audit`: what was read, how, by which program, and every decision with its address."""

from __future__ import annotations

from panelcal.reading.reading import Reading
from panelcal.reporting.audit_rows import (
    Row,
    audit_sheet_of,
    decision_rows,
    earlier_rows,
    link_to,
    program_rows,
    run_rows,
)
from panelcal.reporting.calibration.confidence_words import confidences_noun
from panelcal.reporting.calibration.context import Context
from panelcal.reporting.calibration.precision import precision_rows
from panelcal.reporting.calibration.run_choices import choices_over_sheet
from panelcal.reporting.model import Sheet


def audit_sheet(context: Context) -> Sheet:
    """Build the sheet."""
    rows = _run(context) + _numbers(context) + _counts(context)
    for decision in context.results.reading.decisions:
        rows += decision_rows(decision, context.results.reading.sheet, linked=context.linked)
    return audit_sheet_of(context.sheet("Cal audit"), rows)


def _run(context: Context) -> list[Row]:
    reading = context.results.reading
    link = link_to(reading.sheet, "A1", linked=context.linked)
    return [
        *run_rows(context.run_id, context.run.created, reading.source_name),
        ("Run", "Input sheet", reading.sheet, f"Read {reading.summary}.", link),
        *_with_choices(program_rows(reading.fingerprint, context.run.versions, context.options), reading),
        *earlier_rows(context.run.outdated, linked=context.linked),
    ]


def _with_choices(rows: list[Row], reading: Reading) -> list[Row]:
    """Say beside each option that was chosen for this run what the sheet Settings says instead."""
    notes = choices_over_sheet(reading)
    return [
        (kind, item, figure, notes.get(item, said) if kind == "Option" else said, link)
        for kind, item, figure, said, link in rows
    ]


def _numbers(context: Context) -> list[Row]:
    results = context.results
    certificate, calibration = results.certificate, results.calibration
    return [
        (
            "Certificate",
            "Proven error of the values",
            certificate.solution_error,
            f"No calibrated value is further than this from the exact solution. {certificate.method}",
            None,
        ),
        ("Certificate", "Last correction", certificate.last_correction, "Size of the next refinement step.", None),
        *precision_rows(results),
        (
            "Estimate",
            "R",
            calibration.weighted_residual_sum,
            f"Sum of {confidences_noun(results)} x residual squared, eq. (38).",
            None,
        ),
        ("Estimate", "w = R/N", calibration.w_ml, "Maximum likelihood, eq. (38); too small on thin panels.", None),
        (
            "Estimate",
            "w = R/(N - p)",
            calibration.w_unbiased if calibration.degrees_of_freedom else None,
            f"Unbiased, on {calibration.degrees_of_freedom} degrees of freedom; used for all standard errors.",
            None,
        ),
    ]


def _counts(context: Context) -> list[Row]:
    reading = context.results.reading
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    return [
        (
            "Count",
            f"Filled cells in the block of {context.results.scores_noun}",
            reading.cells_found,
            f"{reading.panel.n_assessments:,} are used, {excluded:,} were left out (listed below).",
            link_to(reading.sheet, reading.score_block, linked=context.linked),
        )
    ]
