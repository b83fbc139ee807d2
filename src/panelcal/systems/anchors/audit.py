"""`Cal audit` by anchors: what was read, by which program, the estimates behind the values, and every decision."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.audit_rows import (
    Row,
    audit_sheet_of,
    link_to,
    program_rows,
    run_rows,
)
from panelcal.reporting.model import Sheet
from panelcal.reporting.run_facts import RunContext
from panelcal.systems.anchors.question_rows import question_rows
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.reviewers import agreement_rows


def anchor_audit_sheet(context: RunContext[AnchorResults]) -> Sheet:
    """Build the sheet."""
    reading = context.results.reading
    rows = [
        *run_rows(context, reading),
        (
            "Run",
            "Sheet with the anchors",
            reading.bank.sheet,
            f"{reading.bank.n_anchors} anchors.",
            link_to(reading.bank.sheet, "A1", linked=context.linked),
        ),
        *program_rows(context, reading, {}),
        *question_rows(context.results),
        *_estimates(context),
    ]
    return audit_sheet_of(context, rows, reading)


def _estimates(context: RunContext[AnchorResults]) -> list[Row]:
    results = context.results
    reading = results.reading
    rows: list[Row] = [
        ("Count", "Scores of anchors", int(np.isfinite(reading.bank.scores).sum()), "On all dates.", None),
        (
            "Count",
            f"Scores of {results.objects_noun}",
            int(np.isfinite(reading.scores).sum()),
            f"{int(np.isfinite(results.calibrated.scores).sum()):,} of them are calibrated and count.",
            None,
        ),
        (
            "Estimate",
            "Shared error",
            results.calibrated.shared_sd,
            "Standard deviation of what two agents get wrong alike on anchors predicted without them.",
            None,
        ),
    ]
    for ranking, values in (("calibrated values", results.calibrated.values), ("raw averages", results.calibrated.raw)):
        share = results.reversed_preferences(values)
        explanation = (
            f"Share of all cases in which one of the {results.assessors_noun} scored one of two {results.objects_noun} "
            f"higher, and the {ranking} have the other above it."
        )
        shown = share if np.isfinite(share) else None
        rows.append(("Estimate", f"Preferences reversed by the {ranking}", shown, explanation, None))
    rows += agreement_rows(results.reviewers)
    for agent in results.agents:
        curve = agent.curve
        if curve is None:
            rows.append(("Curve", agent.name, None, agent.obstacle, None))
            continue
        said = f"{curve.kind}, {curve.n_anchors} anchors of {reading.bank.dates[agent.date] or 'the one date'}"
        said += f", {curve.degrees_of_freedom:.1f} degrees of freedom"
        said += "" if curve.smoothing is None else f", smoothing {curve.smoothing:.2g}"
        rows.append(("Curve", agent.name, curve.residual_sd, f"Residual SD; {said}. {agent.obstacle}".strip(), None))
    return rows
