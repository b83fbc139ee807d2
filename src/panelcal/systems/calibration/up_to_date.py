"""The line "Up to date" of `Cal summary`: which cells it watches by formula, and which it does not.

Scores are watched one by one on `Cal proof`, confidences on the sheet of the scores as one block.
"""

from __future__ import annotations

from panelcal.reading.grid import sheet_reference
from panelcal.reporting.model import Note
from panelcal.reporting.up_to_date import STALE, stale_literal, up_to_date_note
from panelcal.reporting.wording import counted
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.proof import CHANGED, status_range, watched_scores


def panel_up_to_date(context: Context) -> Note:
    """Say whether what is watched is still what was calibrated, and what is not watched."""
    if not context.linked:
        return Note(
            row=3,
            text="Results only: kept apart from the input, so these sheets cannot tell whether it changed since.",
            style="small",
        )
    reading = context.results.reading
    if not watched_scores(context.results).any():
        noun = context.results.score_noun
        return Note(
            row=3,
            text=f"No {noun} is a plain number in a cell of its own, so these sheets cannot tell whether one changed "
            f"since {context.run.created[:10]}: calibrate again after a change.",
            style="small",
        )
    changed = f'COUNTIF({status_range(context)},"{CHANGED}")'
    checks = [(f"{changed}=0", f'"{STALE}: "&{changed}&" of the cells changed since; calibrate again."')]
    if context.numbers_in_block is not None:
        block = sheet_reference(reading.sheet, reading.score_block)
        checks.insert(0, (f"COUNT({block})={context.numbers_in_block}", stale_literal("cells were filled or emptied")))
    if context.confidences is not None:
        noun = confidences_noun(context.results)
        checks.append((context.confidences.unchanged, stale_literal(f"the {noun} changed")))
    return up_to_date_note(_good(context), checks)


def _good(context: Context) -> str:
    results = context.results
    watched, known = watched_scores(results), results.reading.plain_scores
    also = f" and the {confidences_noun(results)}" if context.confidences is not None else ""
    apart = int((~known).sum())
    beyond = int((known & ~watched).sum())
    numbers = "a plain number" if apart == 1 else "plain numbers"
    left = [f"{counted(apart, results.score_noun)} not stored as {numbers}"] if apart else []
    left += [f"{counted(beyond, results.score_noun)} outside the sample on Cal proof"] if beyond else []
    if results.reading.nouns.confidence and context.confidences is None:
        left.append(confidences_noun(results))
    left += ["names", "codes", "Settings"]
    return (
        f"Up to date: the {counted(int(watched.sum()), results.score_noun)} stored as numbers{also} are those "
        f"calibrated on {context.run.created[:10]}. Not watched: {', '.join(left)}."
    )
