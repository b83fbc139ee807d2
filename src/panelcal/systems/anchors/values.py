"""`Cal values` by anchors: one row per item, with the value, its error, every calibrated score, and the reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.arrays import Indices
from panelcal.reading.nouns import opening
from panelcal.reporting.cell_content import ranks
from panelcal.reporting.columns import IN_FULL, WHY, Spec, columns_of, in_order
from panelcal.reporting.decisions import DECISION, board_decision
from panelcal.reporting.drawn_intervals import DRAWN, FIRST, LAST, LINE, OTHER, VALUE, drawn_intervals
from panelcal.reporting.model import CellValue, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import compact, words_of
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.why import PERHAPS_CHANGED, explain_cases, explain_items

_SCREEN_ONLY = frozenset(
    {
        "Assessments",
        "Raw average",
        "Standard error",
        "Rank before",
        "Disagreement before",
        "Disagreement after",
        IN_FULL,
    }
)


def anchor_values_sheet(context: RunContext[AnchorResults], table: Table) -> Sheet:
    """Build the sheet around the table of `anchor_values_table`."""
    results = context.results
    better = "highest" if results.reading.settings.higher_is_better else "lowest"
    said = " ".join(str(cell) for cell in table.columns[table.column_number(WHY) - table.column].cells if cell)
    changed = (
        f"{opening(PERHAPS_CHANGED)}: scored after the last check at which this {results.assessor_noun} was as before, "
        "and before the one that found it changed."
    )
    lines = (
        f"Rank 1: the {better} value. {_drawn_in_words(results, DRAWN)}",
        *([changed] if PERHAPS_CHANGED in said else []),
        f"Raw average, Rank before (by raw averages), Standard error, the {results.assessors_noun}' own calibrated "
        f"scores, the disagreement between them and {IN_FULL} stand further right on the sheet; not printed.",
    )
    return Sheet(
        name=context.sheet("Cal values"),
        title="Calibrated values",
        portrait=True,
        across=table.column_number(DECISION),
        explanation=(
            f"Each {results.object_noun}'s value on the scale of the anchors' consensus; Lower to Upper holds that "
            f"consensus with {results.reading.settings.level:.0%} confidence."
        ),
        tables=(table,),
        frozen=(5, 2),
        notes=legend(table, lines, last_heading=DECISION),
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
    columns = printed_first(in_order(columns, _order(results)), _SCREEN_ONLY.union(reading.agents))
    return Table(columns, name="values")


def _order(results: AnchorResults) -> Indices:
    """Return (n_items,) the item in each row: by rank unless the settings keep the order of the sheet."""
    if results.reading.settings.order_of_results != "rank":
        return np.arange(len(results.calibrated.values))
    sign = -1.0 if results.reading.settings.higher_is_better else 1.0
    return np.argsort(sign * results.calibrated.values, kind="stable")


def _drawn(context: RunContext[AnchorResults]) -> list[str | None]:
    results = context.results
    low, high = results.calibrated.intervals.T
    return drawn_intervals(
        results.calibrated.values, low, high, ends=results.reading.bounds, others=results.calibrated.raw
    )


def _drawn_in_words(results: AnchorResults, opening: str) -> str:
    first, last = results.reading.bounds
    return (
        f"{opening} from {compact(first)} to {compact(last)}: {VALUE} calibrated value in its interval "
        f"{FIRST}{LINE}{LAST}, {OTHER} raw average."
    )


def _calibrated_by(agent: int, name: str) -> Spec[RunContext[AnchorResults]]:
    plain = name.replace("{", "{{").replace("}", "}}")
    explanation = f"Calibrated score of {plain}; blank where it has none or does not count."
    return Spec(plain, lambda c: c.results.calibrated.scores[agent], "score", 10, explanation)


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
    Spec("Rank", _ranked(lambda r: r.calibrated.values), "integer", 7),
    Spec(
        "Assessments",
        lambda c: np.isfinite(c.results.reading.scores).sum(axis=0),
        "integer",
        explanation="How many {assessors} scored it.",
    ),
    Spec(
        "Calibrated value",
        lambda c: c.results.calibrated.values,
        "score",
        11,
        "Calibrated scores put together by calibration with confidence; surer agents count more.",
    ),
    Spec(
        "Standard error",
        lambda c: c.results.calibrated.errors,
        "score",
        10,
        "Of the value as a statement about the consensus, what all agents get wrong alike included.",
    ),
    Spec("Lower", lambda c: c.results.calibrated.intervals[:, 0], "score", 8, "{ends}"),
    Spec("Upper", lambda c: c.results.calibrated.intervals[:, 1], "score", 8, "{ends}"),
    Spec(DRAWN, _drawn, "drawing", explanation=lambda c: _drawn_in_words(c.results, "Drawn")),
    Spec("Raw average", lambda c: c.results.calibrated.raw, "score", 10, "Mean of the scores as they were given."),
    Spec(
        "Change",
        lambda c: c.results.change,
        "signed",
        9,
        "Calibrated value less raw average; bold from {alert} up or down.",
        highlight=lambda c: Highlight("beyond", limit=c.results.alert_threshold, calm=True),
    ),
    Spec("Rank before", _ranked(lambda r: r.calibrated.raw), "integer", 8),
)
_AGREEMENT: tuple[Spec[RunContext[AnchorResults]], ...] = (
    Spec(
        "Disagreement before",
        lambda c: c.results.calibrated.disagreement_before,
        "score",
        13,
        "Mean absolute difference between the raw scores.",
    ),
    Spec(
        "Disagreement after",
        lambda c: c.results.calibrated.disagreement_after,
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
    Spec(WHY, lambda c: explain_cases(c.results), "wrapped", 20, "Where something happened; else blank."),
    board_decision("people decide"),
    Spec(IN_FULL, lambda c: explain_items(c.results), "text", 40),
)
