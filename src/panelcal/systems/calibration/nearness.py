"""`Cal nearness`: whether bias depends on how near an object is to its assessor's expertise, and what that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import Spec, bold_up_to, columns_of
from panelcal.reporting.layout import whole_block
from panelcal.reporting.model import CellRange, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.wording import chance, named, number, signed, words_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

if TYPE_CHECKING:
    from panelcal.calibration.nearness import NearnessBias

_LEVEL = 0.05


def nearness_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet; none where the workbook says nothing about nearness, or nothing can be told from it."""
    found = context.results.nearness
    return () if found is None else (_sheet(context, context.results, found),)


def nearness_in_words(results: Results, found: NearnessBias) -> str:
    """Say whether bias depends on nearness, for all and for anybody in particular."""
    said = f"{chance(found.any_p)}; {signed(found.slope)} +/- {number(found.slope_error)} for a step nearer, as a rule"
    if found.any_p < _LEVEL:
        sentences = [f"How {results.assessors_noun} score depends on how near to their expertise it is ({said})."]
    else:
        sentences = [f"How near something is to their expertise makes no clear difference ({said})."]
    if found.differ_p < _LEVEL:
        sentences.append(f"They differ in that ({chance(found.differ_p)}).")
    known = np.where(np.isnan(found.adjusted_p), 1.0, found.adjusted_p)
    clear = np.flatnonzero(known <= _LEVEL)
    if len(clear):
        who = int(clear[np.argmin(known[clear])])
        sentences.append(
            f"Most surely {results.panel.assessors[who]}: {signed(float(found.own_slopes[who]))} a step; "
            f"{len(clear)} in all."
        )
    most = int(np.abs(found.value_changes).argmax())
    sentences.append(
        f"Counted in, it moves {named(results.object_noun, results.panel.objects[most])} most, by "
        f"{signed(float(found.value_changes[most]))}."
    )
    return " ".join(sentences)


def _sheet(context: Context, results: Results, found: NearnessBias) -> Sheet:
    slopes = _slopes(results, found)
    values = _values(results, found, column=len(slopes.columns) + 2)
    tables = [slopes, values]
    if len(set(_topics(results))) > 1:
        tables.append(_by_topic(results, found, column=values.column + len(values.columns) + 1))
    across = len(tables[0].columns)
    return Sheet(
        name=context.sheet("Cal nearness"),
        title="Does bias depend on nearness?",
        explanation=(
            f"How much more {results.assessors_noun} score what is near to their expertise, for one step of nearness. "
            "Cal values stays without it."
        ),
        tables=tuple(tables),
        notes=(Note(row=3, text=nearness_in_words(results, found), style="small", across=across),),
        across=across,
        printed=(CellRange(1, 1, tables[0].last_row, across), *(whole_block(table) for table in tables[1:])),
    )


def _topics(results: Results) -> tuple[str, ...]:
    return () if results.reading.nearness is None else results.reading.nearness.topics


_SLOPES: tuple[Spec[NearnessBias], ...] = (
    Spec("{Assessor}", lambda found: found.calibration.panel.assessors, "text", 20),
    Spec(
        "Own slope",
        lambda found: found.own_slopes,
        "signed",
        9,
        "How much more for one step nearer, by its own scores; blank where they cannot tell.",
    ),
    Spec("Error of own", lambda found: found.own_errors, "score", 9, "Standard error."),
    Spec(
        "Adjusted p",
        lambda found: found.adjusted_p,
        "p value",
        10,
        "Chance that any own slope would be so far from 0 if nearness meant nothing, by Holm; bold up to 0.05.",
        highlight=bold_up_to(_LEVEL, calm=True),
    ),
    Spec(
        "Slope",
        lambda found: found.slopes,
        "signed",
        8,
        "Own slope drawn to that of all, by as much as slopes differ; this is taken off.",
    ),
    Spec("Error of slope", lambda found: found.slope_errors, "score", 9, "Of prediction."),
    Spec("Bias at mean nearness", lambda found: found.biases, "signed", 10),
)
_VALUES: tuple[Spec[NearnessBias], ...] = (
    Spec("Without", lambda found: found.calibration.values, "score", 10, "Calibration with confidence."),
    Spec("With nearness", lambda found: found.values, "score", 10, "What mean nearness would give."),
    Spec("Error with", lambda found: found.value_errors, "score", 10, "Standard error."),
    Spec(
        "Change",
        lambda found: found.value_changes,
        "signed",
        9,
        "With nearness less without.",
        highlight=Highlight("data bar"),
    ),
)


def _slopes(results: Results, found: NearnessBias) -> Table:
    return Table(columns_of(_SLOPES, found, words_of(results.reading.nouns)), name="slopes")


def _values(results: Results, found: NearnessBias, *, column: int) -> Table:
    topics = _topics(results)
    names = [Column(results.reading.nouns.object, results.panel.objects, "text", 20)]
    names += [Column("Topic", list(topics), "text", 16)] if topics else []
    return Table((*names, *columns_of(_VALUES, found, {})), column=column, name="nearness values")


def _by_topic(results: Results, found: NearnessBias, *, column: int) -> Table:
    """Show the jump that calibrating each field by itself would have made between fields."""
    calibration, topics = found.calibration, np.array(_topics(results))
    panel, weights = calibration.panel, calibration.equations.object_confidence
    raw = panel.object_totals(panel.confidences * panel.scores) / weights
    names = sorted(set(topics.tolist()))
    own = [topics == name for name in names]

    def mean(figures: np.ndarray) -> np.ndarray:
        return np.array([weights[k] @ figures[k] / weights[k].sum() for k in own])

    saw = [np.unique(panel.assessor_index[k[panel.object_index]]) for k in own]
    return Table(
        (
            Column("Field", names, "text", 18),
            Column(f"{results.reading.nouns.object} count", [int(k.sum()) for k in own], "integer", 9),
            Column("Assessed by", [len(who) for who in saw], "integer", 9),
            Column(
                "Also elsewhere",
                [int(sum(any(a in other for other in saw if other is not who) for a in who)) for who in saw],
                "integer",
                10,
                explanation=f"How many of these {results.assessors_noun} scored another field, too, and join the two.",
            ),
            Column("Mean raw", numbers(mean(raw)), "score", 9),
            Column("Mean calibrated", numbers(mean(calibration.values)), "score", 10),
            Column(
                "Jump avoided",
                numbers(mean(raw) - mean(calibration.values)),
                "signed",
                9,
                explanation="By how much all values of the field would stand higher, had it been calibrated by itself.",
            ),
        ),
        column=column,
        name="fields",
    )
