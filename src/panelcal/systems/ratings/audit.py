"""`Cal audit` for ratings: what was read, how it was sampled, by which program, and every decision with its address."""

from __future__ import annotations

from panelcal.reporting.audit_rows import (
    Row,
    audit_sheet_of,
    link_to,
    program_rows,
    run_rows,
)
from panelcal.reporting.model import Sheet
from panelcal.reporting.run_facts import RunContext
from panelcal.systems.ratings.question_rows import question_rows
from panelcal.systems.ratings.results import SEED, OrdinalResults


def ordinal_audit_sheet(context: RunContext[OrdinalResults]) -> Sheet:
    """Build the sheet."""
    reading = context.results.reading
    rows = [*run_rows(context, reading), *program_rows(context, reading, {})]
    rows += question_rows(context.results) + _sampling(context) + _counts(context)
    return audit_sheet_of(context, rows, reading)


def _sampling(context: RunContext[OrdinalResults]) -> list[Row]:
    posterior = context.results.posterior
    return [
        (
            "Sampling",
            "Converged",
            "yes" if posterior.converged else "NO",
            "R-hat of every total below 1.01 and of every spread below 1.05."
            if posterior.converged
            else "The most draws of the settings came first: do not use the figures.",
            None,
        ),
        (
            "Sampling",
            "R-hat of the totals",
            posterior.rhat,
            "Largest; rank-normalised, split chains; 1 = settled.",
            None,
        ),
        ("Sampling", "R-hat of the spreads", posterior.scale_rhat, "Largest of tau and s.", None),
        (
            "Sampling",
            "Effective sample size",
            posterior.effective_sample_size,
            "Smallest effective number of draws behind a total.",
            None,
        ),
        ("Sampling", "Draws kept", len(posterior.totals), "All probabilities are shares of these.", None),
        (
            "Sampling",
            "Seed",
            SEED,
            "The same cells, program and seed give the same draws on the same machine, however busy it is.",
            None,
        ),
    ]


def _counts(context: RunContext[OrdinalResults]) -> list[Row]:
    reading = context.results.reading
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    return [
        (
            "Count",
            "Filled cells in the block of ratings",
            reading.cells_found,
            f"{reading.n_ratings:,} became ratings, {excluded:,} were left out (listed below).",
            link_to(reading.sheet, reading.score_block, linked=context.linked),
        )
    ]
