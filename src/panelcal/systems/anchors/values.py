"""`Cal values` by anchors: one row per item, with the value, its error, every calibrated score, and the reason."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.cell_content import numbers, ranks
from panelcal.reporting.decisions import DECISION, decision_column
from panelcal.reporting.model import CellValue, Column, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import compact
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.why import explain_items

_SCREEN_ONLY = frozenset({"Assessments", "Lower", "Upper", "Disagreement before", "Disagreement after"})


def anchor_values_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `anchor_values_table`."""
    results = context.results
    better = "highest" if results.reading.settings.higher_is_better else "lowest"
    lines = (
        f"Standard error: how far a value is typically off, as a statement about the consensus. Rank 1: the {better} "
        "value. Rank before: by raw averages.",
        f"The {results.agents_noun}' own calibrated scores, Lower, Upper and the disagreement between them stand "
        "further right on the sheet; not printed.",
    )
    return Sheet(
        name=context.sheet("Cal values"),
        title="Calibrated values",
        explanation=(
            f"Each {results.item_noun}'s value on the scale of the anchors' consensus; Lower to Upper holds that "
            f"consensus with {results.reading.settings.level:.0%} confidence."
        ),
        tables=(table,),
        frozen=(5, 2),
        notes=legend(table, lines),
        printed=(printed_block(table, last_heading=DECISION, below=1 + len(lines)),),
    )


def anchor_values_table(context: RunContext[AnchorResults]) -> Table:
    """Build the table."""
    results = context.results
    reading, settings = results.reading, results.reading.settings
    links = [f"#{reading.sheet}!{cell}" for cell in reading.item_cells] if context.linked else []
    level = f"{settings.level:.0%}"
    limit = settings.alert_threshold
    columns = [
        Column(
            reading.nouns.object,
            reading.items,
            "text",
            14,
            links=links,
            explanation=f"As in the input; click to go to the {results.item_noun}'s row." if links else "",
        ),
        Column(
            "Assessments",
            np.isfinite(reading.scores).sum(axis=0).tolist(),
            "integer",
            12,
            explanation=f"How many {results.agents_noun} scored it.",
        ),
        Column("Raw average", numbers(results.raw), "score", 10, explanation="Mean of the scores as they were given."),
        Column(
            "Calibrated value",
            numbers(results.values),
            "score",
            11,
            explanation="Calibrated scores put together by calibration with confidence; surer agents count more.",
        ),
        Column(
            "Change",
            numbers(results.change),
            "signed",
            9,
            highlight=Highlight("beyond", limit=limit),
            explanation=f"Calibrated value less raw average; bold from {compact(limit)} up or down.",
        ),
        Column(
            "Standard error",
            numbers(results.errors),
            "score",
            10,
            explanation="Of the value as a statement about the consensus, what all agents get wrong alike included.",
        ),
        Column("Lower", numbers(results.intervals[:, 0]), "score", 8, explanation=f"{level}, Student's t."),
        Column("Upper", numbers(results.intervals[:, 1]), "score", 8, explanation=f"{level}, Student's t."),
        Column("Rank", _ranks(results.values, settings.higher_is_better), "integer", 7),
        Column("Rank before", _ranks(results.raw, settings.higher_is_better), "integer", 8),
    ]
    columns += [
        Column(
            name,
            numbers(results.calibrated[k]),
            "score",
            10,
            explanation=f"Calibrated score of {name}; blank where it has none or does not count.",
        )
        for k, name in enumerate(reading.agents)
    ]
    columns += [
        Column(
            "Disagreement before",
            numbers(results.disagreement_before),
            "score",
            13,
            explanation="Mean absolute difference between the raw scores.",
        ),
        Column(
            "Disagreement after",
            numbers(results.disagreement_after),
            "score",
            13,
            explanation="Mean absolute difference between the calibrated scores.",
        ),
    ]
    if reading.consensus is not None:
        columns.append(
            Column("Known value", numbers(reading.consensus), "score", 9, explanation="As in the input; not used.")
        )
    columns += [
        Column("Why", explain_items(results), "wrapped", 95),
        decision_column(len(reading.items), "Left blank: people decide."),
    ]
    return Table(printed_first(columns, _SCREEN_ONLY.union(reading.agents)), name="values")


def _ranks(values: np.ndarray, higher_is_better: bool) -> list[CellValue]:
    """Rank values, best = 1; blank where there is none."""
    known = np.isfinite(values)
    places: list[CellValue] = [None] * len(values)
    for at, rank in zip(np.flatnonzero(known), ranks(values[known], higher_is_better), strict=True):
        places[at] = rank
    return places
