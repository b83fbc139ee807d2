"""The line "Up to date" of `Cal summary`: which cells it watches by formula, and which it does not.

Scores are watched one by one on `Cal proof`, confidences on the sheet of the scores as one block.
"""

from __future__ import annotations

import re

from panelcal.reading.grid import sheet_reference
from panelcal.reporting.model import Highlight, Note
from panelcal.reporting.wording import counted
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.proof import CHANGED, status_range, watched_scores
from panelcal.systems.calibration.watched import unchanged

STALE = "OUT OF DATE"
_LONGEST_LITERAL = 200  # a spreadsheet takes 255 characters


def up_to_date_note(context: Context) -> Note:
    """Say whether what is watched is still what was calibrated, and what is not watched."""
    if not context.linked:
        return Note(
            row=3,
            text="Results only: kept apart from the input, so these sheets cannot tell whether it changed since.",
            style="small",
        )
    good = _good(context)
    changed = f'COUNTIF({status_range(context)},"{CHANGED}")'
    formula = _literal(good)
    if context.confidences is not None:
        stale = _literal(f"{STALE}: the {confidences_noun(context.results)} changed since; calibrate again.")
        formula = f"IF({unchanged(context.results.reading.sheet, context.confidences)},{formula},{stale})"
    formula = f'IF({changed}=0,{formula},"{STALE}: "&{changed}&" of the cells changed since; calibrate again.")'
    if context.numbers_in_block is not None:
        block = sheet_reference(context.results.reading.sheet, context.results.reading.score_block)
        formula = (
            f'IF(COUNT({block})={context.numbers_in_block},{formula},"{STALE}: cells were filled or emptied since; '
            'calibrate again.")'
        )
    return Note(row=3, text=good, style="good", formula="=" + formula, highlight=Highlight("text", starts=STALE))


def _good(context: Context) -> str:
    results = context.results
    watched, known = watched_scores(results), results.reading.plain_scores
    also = f" and the {confidences_noun(results)}" if context.confidences is not None else ""
    apart = int((~known).sum())
    beyond = int((known & ~watched).sum())
    left = [f"{counted(apart, results.score_noun)} not stored as plain numbers"] if apart else []
    left += [f"{counted(beyond, results.score_noun)} outside the sample on Cal proof"] if beyond else []
    if results.reading.nouns.confidence and context.confidences is None:
        left.append(confidences_noun(results))
    left += ["names", "codes", "Settings"]
    return (
        f"Up to date: the {counted(int(watched.sum()), results.score_noun)} stored as numbers{also} are those "
        f"calibrated on {context.run.created[:10]}. Not watched: {', '.join(left)}."
    )


def _literal(text: str) -> str:
    """Spell a text for a formula, in pieces where it is longer than a formula takes at once."""
    pieces = re.findall(f".{{1,{_LONGEST_LITERAL}}}", text)
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)
