"""`Cal audit`: what was read, how, by which program, and every decision with its address."""

from __future__ import annotations

from panelcal.reading.decisions import Decision
from panelcal.reporting.context import Context
from panelcal.reporting.model import CellValue, Column, Sheet, Style, Table

FINGERPRINT_ITEM = "SHA-256 of the cells read"
"""By which a later run finds the fingerprint of this one."""

_CELLS_LISTED = 500
_SMALL = 1e-3

Row = tuple[str, str, CellValue, str, str | None]


def audit_sheet(context: Context) -> Sheet:
    """Build the sheet."""
    rows = _run(context) + _numbers(context) + _counts(context)
    for decision in context.results.reading.decisions:
        rows += _decision(context, decision)
    table = Table(
        (
            Column("Kind", [row[0] for row in rows], "text", 12),
            Column("Item", [row[1] for row in rows], "wrapped", 30),
            Column(
                "Cell or figure",
                [row[2] for row in rows],
                "general",
                68,
                links=[row[4] for row in rows],
                styles=[_style_of(row[2]) for row in rows],
            ),
            Column("What was done", [row[3] for row in rows], "wrapped", 76),
        ),
        name="audit",
    )
    return Sheet(
        name=context.sheet("Cal audit"),
        title="Audit",
        explanation="Everything needed to repeat this run and to question it: program, input, options, decisions.",
        tables=(table,),
        frozen=(5, 1),
    )


def _style_of(figure: CellValue) -> Style:
    if not isinstance(figure, float):
        return "general"
    return "precise" if abs(figure) >= _SMALL else "scientific"


def _run(context: Context) -> list[Row]:
    reading = context.results.reading
    rows: list[Row] = [
        (
            "Run",
            "Run identifier",
            context.run_id,
            "Of input, options and program version; printed on every page.",
            None,
        ),
        ("Run", "Date", context.created.replace("T", " "), "", None),
        ("Run", "Input file", reading.source_name, "", None),
        ("Run", "Input sheet", reading.sheet, f"Read {reading.summary}.", _link(context, reading.sheet, "A1")),
        ("Run", FINGERPRINT_ITEM, reading.fingerprint, "The same cells give the same fingerprint.", None),
    ]
    rows += [
        (
            "Run",
            "Earlier results",
            name,
            "out of date: its cells had another fingerprint. It is marked so.",
            _link(context, name, "A3"),
        )
        for name in context.outdated
    ]
    rows += [("Program", name, version, "", None) for name, version in context.versions.items()]
    rows += [("Option", name, value, "", None) for name, value in context.options.items()]
    return rows


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
        (
            "Estimate",
            "R",
            calibration.weighted_residual_sum,
            "Sum of confidence x residual squared, eq. (38).",
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
            "Filled cells in the block of scores",
            reading.cells_found,
            f"{reading.panel.n_assessments:,} became assessments, {excluded:,} were left out (listed below).",
            _link(context, reading.sheet, reading.score_block),
        )
    ]


def _decision(context: Context, decision: Decision) -> list[Row]:
    """One row for the decision as a whole, then one per further cell, so that each has its link."""
    sheet = decision.sheet or context.results.reading.sheet
    kind = "Warning" if decision.weight == "warning" else "Decision"
    first = decision.cells[0] if decision.cells else None
    rows: list[Row] = [(kind, decision.kind, first, decision.sentence, _link(context, sheet, first) if first else None)]
    for cell in decision.cells[1:_CELLS_LISTED]:
        rows.append((kind, decision.kind, cell, "as above", _link(context, sheet, cell)))
    if len(decision.cells) > _CELLS_LISTED:
        rest = len(decision.cells) - _CELLS_LISTED
        rows.append((kind, decision.kind, None, f"and {rest:,} more cells of the same kind", None))
    return rows


def _link(context: Context, sheet: str, cell: str) -> str | None:
    return f"#{sheet}!{cell}" if context.linked else None
