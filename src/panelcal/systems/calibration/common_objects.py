"""`Cal common`: the objects that fix the zero of the biases, and whether they are fit to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from panelcal.reading.grid import address, sheet_reference
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import Spec, bold_up_to, columns_of
from panelcal.reporting.model import Column, Note, Sheet, Table
from panelcal.reporting.wording import chance, counted, number, signed, words_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

if TYPE_CHECKING:
    from panelcal.calibration.common_subset import CommonSubset

_LEVEL = 0.05
HELD_AT = "Held at"
VALUE = "Calibrated value"


def common_sheets(context: Context, values: Table, heading: str) -> tuple[Sheet, ...]:
    """Build the sheet; none where all objects fix the zero together.

    `values` is the table of `Cal values`, and `heading` that of its column with the calibrated values.
    """
    found = context.results.common
    return () if found is None else (_sheet(context, found, values, heading),)


def held_together(context: Context) -> tuple[str, str, str]:
    """Return the cells of `Cal common` with the weights, the values and what these are held at, for a formula."""
    found = context.results.common
    assert found is not None
    sheet, rows = context.sheet("Cal common"), (5, 4 + len(found.objects))
    weights, values, held = (sheet_reference(sheet, f"${c}${rows[0]}:${c}${rows[1]}") for c in "CDE")
    return weights, values, held


def common_in_words(results: Results, found: CommonSubset) -> str:
    """Say whether the common objects are fit to fix the zero."""
    noun = counted(len(found.objects), results.object_noun)
    known = results.reading.common is not None and results.reading.common.known is not None
    one = len(found.objects) == 1
    what = f"known value{'' if one else 's'}" if known else results.scores_noun
    verb, whose = ("fixes", "its") if one else ("fix", "their")
    sentences = [f"{noun} {verb} the zero of the biases by {whose} {what}."]
    if not results.is_calibration:
        sentences.append(f"That holds for calibration with confidence, not for the method {results.method.title}.")
    if known and np.isfinite(found.p_value):
        test = f"F {number(found.f_statistic)} on {len(found.objects) - 1}, {chance(found.p_value)}"
        if found.p_value < _LEVEL:
            worst = int(np.nanargmin(found.adjusted_p))
            name = results.panel.objects[found.objects[worst]]
            sentences.append(
                f"Warning: the known values do not fit the {results.scores_noun} ({test}), least of all {name} "
                f"({signed(float(found.differences[worst]))}). Check them before using them."
            )
        else:
            sentences.append(f"They fit the {results.scores_noun} ({test}).")
    sentences += [_moved_in_words(results, found)] if len(found.assessors) else []
    return " ".join(sentences)


def _moved_in_words(results: Results, found: CommonSubset) -> str:
    said = chance(found.moved_p_value)
    if not found.moved_p_value < _LEVEL:
        return f"On the rest the {results.assessors_noun} scored as they did on these ({said})."
    who = int(np.nanargmin(found.moved_p))
    name = results.panel.assessors[found.assessors[who]]
    return (
        f"Warning: the {results.assessors_noun} did not score the rest as they scored these ({said}), least of all "
        f"{name} ({signed(float(found.moved[who]))}): what they showed on these may not hold for the rest."
    )


def _sheet(context: Context, found: CommonSubset, values: Table, heading: str) -> Sheet:
    results = context.results
    objects = _objects(context, found, values, heading)
    tables = [objects]
    if len(found.assessors):
        tables.append(_assessors(results, found, column=len(objects.columns) + 2))
    kept = "" if results.ranked.all() else f" They have no rank and no class among the other {results.objects_noun}."
    return Sheet(
        name=context.sheet("Cal common"),
        title="What fixes the zero of the biases",
        explanation=(
            f"The weighted mean of these calibrated values is that of the column {HELD_AT}; everything else is "
            f"measured from there.{kept}"
        ),
        tables=tuple(tables),
        notes=(Note(row=3, text=common_in_words(results, found), style="small"),),
    )


def _objects(context: Context, found: CommonSubset, values: Table, heading: str) -> Table:
    results, at = context.results, found.objects
    known = results.reading.common is not None and results.reading.common.known is not None
    rows = values.row + 1 + np.argsort(context.object_order)[at]
    sheet, column = context.sheet("Cal values"), values.column_number(heading)
    cells: list[str | None] = [f"={sheet_reference(sheet, address(int(row), column))}" for row in rows]
    columns = [
        Column(results.reading.nouns.object, [results.panel.objects[k] for k in at], "text", 24),
        Column("Assessments", numbers(np.bincount(results.panel.object_index)[at]), "integer", 12),
        Column("Confidence", numbers(found.weights), "given", 11, explanation="C_o: how much it counts in the mean."),
        Column(VALUE, numbers(results.calibration.values[at]), "score", 11, formulas=cells),
        Column(
            HELD_AT,
            numbers(found.held_at),
            "score",
            10,
            explanation="Its known value." if known else f"The weighted average of the {results.scores_noun}.",
        ),
    ]
    return Table((*columns, *columns_of(_OFF if known else (), found, {})), name="common objects")


def _assessors(results: Results, found: CommonSubset, *, column: int) -> Table:
    columns = [
        Column(results.reading.nouns.assessor, [results.panel.assessors[k] for k in found.assessors], "text", 20),
        Column("Bias", numbers(results.calibration.biases[found.assessors]), "signed", 9),
    ]
    moved = columns_of(_MOVED, found, words_of(results.reading.nouns))
    return Table((*columns, *moved), column=column, name="moved since")


_OFF: tuple[Spec[CommonSubset], ...] = (
    Spec("Off by", lambda found: found.differences, "signed", 9, f"{VALUE} less known value."),
    Spec("Error", lambda found: found.errors, "score", 8, "Standard error of that difference."),
    Spec(
        "Adjusted p",
        lambda found: found.adjusted_p,
        "p value",
        10,
        "Chance that any would be off so far if all known were right, by Holm; bold up to 0.05.",
        highlight=bold_up_to(_LEVEL),
    ),
)
_MOVED: tuple[Spec[CommonSubset], ...] = (
    Spec(
        "Moved by",
        lambda found: found.moved,
        "signed",
        10,
        "Bias on all other {objects} less bias on these, from the mean of these differences.",
    ),
    Spec("Error of move", lambda found: found.moved_errors, "score", 9, "Standard error."),
    Spec(
        "Adjusted p of move",
        lambda found: found.moved_p,
        "p value",
        11,
        "Chance that any would move so far if none did, by Holm; bold up to 0.05.",
        highlight=bold_up_to(_LEVEL),
    ),
)
