"""`Cal values` by anchors: one row per item, with the value, its error, every calibrated score, and the reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.reporting.cell_content import ranks
from panelcal.reporting.columns import Spec, columns_of
from panelcal.reporting.decisions import DECISION, board_decision
from panelcal.reporting.model import CellValue, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import compact, words_of
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.why import explain_items

_SCREEN_ONLY = frozenset({"Assessments", "Lower", "Upper", "Disagreement before", "Disagreement after", "Why"})


def anchor_values_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `anchor_values_table`."""
    results = context.results
    better = "highest" if results.reading.settings.higher_is_better else "lowest"
    lines = (
        f"Standard error: how far a value is typically off, as a statement about the consensus. Rank 1: the {better} "
        "value. Rank before: by raw averages.",
        f"The {results.assessors_noun}' own calibrated scores, Lower, Upper, the disagreement between them and Why "
        "stand further right on the sheet; not printed.",
    )
    return Sheet(
        name=context.sheet("Cal values"),
        title="Calibrated values",
        portrait=True,
        explanation=(
            f"Each {results.object_noun}'s value on the scale of the anchors' consensus; Lower to Upper holds that "
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
    words = words_of(
        reading.nouns,
        ends=f"{settings.level:.0%}, Student's t.",
        alert=compact(results.alert_threshold),
        click=f"As in the input; click to go to the {results.object_noun}'s row." if context.linked else "",
    )
    own = [_calibrated_by(k, name) for k, name in enumerate(reading.agents)]
    columns = columns_of((*_VALUES, *own, *_AGREEMENT), context, words)
    return Table(printed_first(columns, _SCREEN_ONLY.union(reading.agents)), name="values")


def _calibrated_by(agent: int, name: str) -> Spec[RunContext[AnchorResults]]:
    plain = name.replace("{", "{{").replace("}", "}}")
    explanation = f"Calibrated score of {plain}; blank where it has none or does not count."
    return Spec(plain, lambda c: c.results.calibrated[agent], "score", 10, explanation)


def _item_links(context: RunContext[AnchorResults]) -> list[str]:
    reading = context.results.reading
    return [f"#{reading.sheet}!{cell}" for cell in reading.item_cells] if context.linked else []


def _ranks(values: np.ndarray, higher_is_better: bool) -> list[CellValue]:
    """Rank values, best = 1; blank where there is none."""
    known = np.isfinite(values)
    places: list[CellValue] = [None] * len(values)
    for at, rank in zip(np.flatnonzero(known), ranks(values[known], higher_is_better), strict=True):
        places[at] = rank
    return places


def _ranked(values: Callable[[AnchorResults], np.ndarray]) -> Callable[[RunContext[AnchorResults]], list[CellValue]]:
    return lambda c: _ranks(values(c.results), c.results.reading.settings.higher_is_better)


_VALUES: tuple[Spec[RunContext[AnchorResults]], ...] = (
    Spec("{Object}", lambda c: c.results.reading.items, "text", 14, "{click}", links=_item_links),
    Spec(
        "Assessments",
        lambda c: np.isfinite(c.results.reading.scores).sum(axis=0),
        "integer",
        explanation="How many {assessors} scored it.",
    ),
    Spec("Raw average", lambda c: c.results.raw, "score", 10, "Mean of the scores as they were given."),
    Spec(
        "Calibrated value",
        lambda c: c.results.values,
        "score",
        11,
        "Calibrated scores put together by calibration with confidence; surer agents count more.",
    ),
    Spec(
        "Change",
        lambda c: c.results.change,
        "signed",
        9,
        "Calibrated value less raw average; bold from {alert} up or down.",
        highlight=lambda c: Highlight("beyond", limit=c.results.alert_threshold),
    ),
    Spec(
        "Standard error",
        lambda c: c.results.errors,
        "score",
        10,
        "Of the value as a statement about the consensus, what all agents get wrong alike included.",
    ),
    Spec("Lower", lambda c: c.results.intervals[:, 0], "score", 8, "{ends}"),
    Spec("Upper", lambda c: c.results.intervals[:, 1], "score", 8, "{ends}"),
    Spec("Rank", _ranked(lambda r: r.values), "integer", 7),
    Spec("Rank before", _ranked(lambda r: r.raw), "integer", 8),
)
_AGREEMENT: tuple[Spec[RunContext[AnchorResults]], ...] = (
    Spec(
        "Disagreement before",
        lambda c: c.results.disagreement_before,
        "score",
        13,
        "Mean absolute difference between the raw scores.",
    ),
    Spec(
        "Disagreement after",
        lambda c: c.results.disagreement_after,
        "score",
        13,
        "Mean absolute difference between the calibrated scores.",
    ),
    Spec(
        "Known value",
        lambda c: c.results.reading.consensus,
        "score",
        9,
        "As in the input; not used.",
        when=lambda c: c.results.reading.consensus is not None,
    ),
    Spec("Why", lambda c: explain_items(c.results), "wrapped", 95),
    board_decision("people decide"),
)
