"""`Cal audit`: what was read, how, by which program, and every decision with its address."""

from __future__ import annotations

from panelcal.reporting.audit_rows import (
    Row,
    audit_sheet_of,
    link_to,
    program_rows,
    run_rows,
)
from panelcal.reporting.model import Sheet
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.filed_run import choices_over_sheet
from panelcal.systems.calibration.precision import precision_rows
from panelcal.systems.calibration.question_rows import question_rows


def audit_sheet(context: Context) -> Sheet:
    """Build the sheet."""
    reading = context.results.reading
    rows = [*run_rows(context, reading), *program_rows(context, reading, choices_over_sheet(reading))]
    rows += question_rows(context) + _numbers(context) + _counts(context)
    return audit_sheet_of(context, rows, reading)


def _numbers(context: Context) -> list[Row]:
    results = context.results
    certificate = results.certificate
    return [
        (
            "Certificate",
            "Proven error of the values",
            certificate.solution_error,
            f"No calibrated value is further than this from the exact solution. {certificate.method}",
            None,
        ),
        (
            "Certificate",
            "Last correction",
            certificate.last_correction,
            f"Size of the next refinement steps. {results.calibration.equations.system.way}",
            None,
        ),
        *precision_rows(results),
    ]


def _counts(context: Context) -> list[Row]:
    reading = context.results.reading
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    left = f"{excluded:,} left out (listed below)" if excluded else "none left out"
    return [
        (
            "Count",
            f"Filled cells in the block of {context.results.scores_noun}",
            reading.cells_found,
            f"{reading.panel.n_assessments:,} used, {left}.",
            link_to(reading.sheet, reading.score_block, linked=context.linked),
        )
    ]
