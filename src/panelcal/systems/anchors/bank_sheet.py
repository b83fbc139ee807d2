"""`Cal anchors`: which anchors to look at, which to replace this quarter, and what all of them cost."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import Column, Highlight, Note, Sheet, Table
from panelcal.reporting.paper import printed_block
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import number, some_of
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.reviewers import agreement_tables, review_columns

_REPLACE = "replace"
_PRINTED = 50


def bank_sheet(context: RunContext[AnchorResults]) -> Sheet:
    """Build the sheet; the anchors to replace come first, the others follow as they stand in the input."""
    results = context.results
    bank, review, rotation = results.reading.bank, results.review, results.rotation
    reasons = dict(zip(rotation.retire, rotation.reasons, strict=True))
    order = [*rotation.retire, *(k for k in range(bank.n_anchors) if k not in reasons)]
    links = [f"#{bank.sheet}!{bank.cells[k]}" for k in order] if context.linked else []
    known = [f"#{bank.consensus_sheet(k)}!{bank.consensus_cells[k]}" for k in order] if context.linked else []
    columns = [Column("Anchor", [bank.ids[k] for k in order], "text", 14, links=links)]
    for heading, labels in (("Tier", bank.tiers), ("Cluster", bank.clusters)):
        if labels:
            columns.append(Column(heading, [labels[k] or None for k in order], "text", 13))
    scored = np.isfinite(bank.scores).any(axis=0).sum(axis=0)
    columns += [
        Column("Consensus", numbers(bank.consensus[order]), "score", 11, links=known),
        *review_columns(results, order),
        Column("Scored by", scored[order].tolist(), "integer", 9, explanation=f"How many {results.assessors_noun}."),
        Column(
            "Mean miss",
            numbers(review.common_residuals[order]),
            "signed",
            9,
            explanation="Consensus less calibrated score, mean over agents; each anchor predicted without it.",
        ),
        Column(
            "Standardised",
            numbers(review.unlike_scores[order]),
            "signed",
            13,
            explanation="The mean miss in robust standard deviations over all anchors.",
        ),
        Column(
            "This quarter",
            [_REPLACE if k in reasons else None for k in order],
            "text",
            12,
            highlight=Highlight("text", starts=_REPLACE, calm=True),
        ),
        Column("Why", [_why(results, k, reasons.get(k, "")) for k in order], "wrapped", 35),
    ]
    table = Table(tuple(columns), name="anchors")
    cut = f" On paper: the first {_PRINTED} of {table.n_rows:,} rows." if table.n_rows > _PRINTED else ""
    return Sheet(
        name=context.sheet("Cal anchors"),
        title="Anchors",
        explanation=(
            f"A tenth of the anchors is proposed for replacement ({len(rotation.retire)} of {bank.n_anchors}): those "
            "that look doubtful or leaked first, the rest by turn over the whole scale."
        ),
        tables=(table, *agreement_tables(results, len(table.columns) + 2)),
        notes=(Note(row=3, text=f"{results.cost.sentence}{cut}", style="small", across=len(columns)),),
        frozen=(5, 2),
        across=len(columns),
        printed=(printed_block(table, rows=_PRINTED),),
    )


def _why(results: AnchorResults, anchor: int, reason: str) -> str | None:
    """Say what is unusual about an anchor, or why it is due; None where there is nothing to say."""
    review = results.review
    said = []
    if review.unlike[anchor]:
        off = float(review.common_residuals[anchor])
        said.append(
            f"All {results.assessors_noun} score it far off its consensus, {abs(off):.0f} points too "
            f"{'low' if off > 0 else 'high'} on average, unlike any other anchor: check the consensus."
        )
    knowing = [results.agents[k].name for k in np.flatnonzero(review.leaked[:, anchor])]
    if knowing:
        misses = [abs(float(results.agents[k].residuals[anchor])) for k in np.flatnonzero(review.leaked[:, anchor])]
        said.append(
            f"{some_of(knowing)} alone {'misses' if len(knowing) == 1 else 'miss'} it by {number(max(misses))} only, "
            "while the others are far off: perhaps known from training."
        )
    if reason and not said:
        said.append(reason[0].upper() + reason[1:] + ".")
    return " ".join(said) or None
