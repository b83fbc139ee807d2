"""`Cal values`: the answer, one row per object, with errors, bounds, ranks, classes and the reason.

By a method that is no calibration, columns that only a calibration has stay blank, and one more holds the values of
calibration with confidence, to which `Cal proof` refers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.ranking import ranking
from panelcal.reporting.cell_content import numbers, ranks
from panelcal.reporting.decisions import DECISION, decision_column
from panelcal.reporting.model import Column, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.wording import compact
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.precision import precision_notes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.true_values import probability_lines, zero_point_line
from panelcal.systems.calibration.why import explain_values

Array = NDArray[np.float64]

CERTIFIED = "Calibration with confidence"
IF_WRONG = "If confidences were wrong"
_SCREEN_ONLY = frozenset(
    {
        "Assessments",
        "Confidence",
        "Lower",
        "Upper",
        "Half-width",
        "Bound",
        "Worst case",
        "Sensitivity",
        "Rank before",
        "Rank from",
        "Rank to",
        "P(above next)",
        IF_WRONG,
        "Borderline",
        CERTIFIED,
    }
)
_NOT_SURE = "The method does not say how sure they are."


def values_sheet(context: Context, table: Table) -> Sheet:
    """Build the sheet around the table of `values_table`."""
    results = context.results
    interval = f"Lower to Upper holds the true value with {results.reading.settings.level:.0%} confidence."
    if results.is_calibration:
        explanation = (
            f"Each {results.object_noun}'s value after taking out how generous its {results.assessors_noun} were; "
            f"{interval}"
        )
    else:
        explanation = f"By the method {results.method.title}. {interval if results.chosen.uncertainty else _NOT_SURE}"
    lines = _legend(results)
    return Sheet(
        name=context.sheet("Cal values"),
        title="Calibrated values",
        explanation=explanation,
        tables=(table,),
        frozen=(5, 2),
        notes=(*legend(table, lines), *precision_notes(results)),
        printed=(printed_block(table, last_heading=DECISION, below=1 + len(lines)),),
    )


def values_table(context: Context) -> Table:
    """Build the table; `Cal proof` and `Cal summary` refer to its cells."""
    results = context.results
    settings, panel = results.reading.settings, results.panel
    calibration, bounds = results.calibration, results.robustness
    interval = results.value_interval(settings.level)
    ends = f"{settings.level:.0%}, Student's t." if results.is_calibration else f"{settings.level:.0%}."
    links = [f"#{results.reading.sheet}!{cell}" for cell in results.reading.object_cells] if context.linked else []
    columns = [
        Column(
            results.reading.nouns.object,
            panel.objects,
            "text",
            14,
            links=links,
            explanation=f"As in the input; click to go to the {results.object_noun}'s row." if links else "",
        )
    ]
    if results.reading.object_names:
        columns.append(Column("Name", results.reading.object_names, "text", 20))
    counts = np.bincount(panel.object_index)
    columns += [
        Column(
            "Assessments",
            numbers(counts),
            "integer",
            12,
            explanation=f"How many {results.scores_noun} went into the value.",
        ),
        Column(
            "Confidence",
            numbers(calibration.equations.object_confidence),
            "general",
            11,
            explanation=f"C_o, eq. (8): the sum of the confidences (credits) of its {results.scores_noun}.",
        ),
        Column(
            "Raw average",
            numbers(results.raw),
            "score",
            10,
            explanation=f"Confidence-weighted average of the {results.scores_noun}.",
        ),
        Column(
            "Calibrated value",
            numbers(results.values),
            "score",
            11,
            explanation="v_o, eqs. (6)-(7)." if results.is_calibration else f"By the method {results.method.title}.",
        ),
        Column(
            "Change",
            numbers(results.change),
            "signed",
            9,
            highlight=Highlight("beyond", limit=settings.alert_threshold),
            explanation=f"Calibrated value less raw average; bold from {compact(settings.alert_threshold)} up or down.",
        ),
        Column(
            "Standard error",
            numbers(results.value_errors),
            "score",
            10,
            explanation="With w = R/(N - p)." if results.is_calibration else "By this method; blank where it has none.",
        ),
        Column("Lower", numbers(interval[:, 0]), "score", 8, explanation=ends),
        Column("Upper", numbers(interval[:, 1]), "score", 8, explanation=ends),
        Column(
            "Half-width",
            numbers((interval[:, 1] - interval[:, 0]) / 2),
            "score",
            8,
            explanation="Half the width of the interval, for the charts.",
        ),
        _of_calibration(
            results,
            "Bound",
            bounds.value_bounds,
            9,
            f"{bound_source(results)}: no change of scores of unit ||ds|| moves the value further.",
        ),
        _of_calibration(
            results,
            "Worst case",
            bounds.worst_cases,
            12,
            "The exact largest change per unit of ||ds||, over all ways to change all scores.",
        ),
        _of_calibration(
            results,
            "Sensitivity",
            bounds.value_sensitivities,
            11,
            "The exact largest change of the value when any one score changes by 1.",
        ),
        Column("Rank", ranks(results.values, settings.higher_is_better), "integer", 7),
        Column("Rank before", ranks(results.raw, settings.higher_is_better), "integer", 8),
        *_ranking_columns(results),
        _doubt_column(results),
    ]
    columns += _class_columns(context)
    if not results.is_calibration:
        columns.append(
            Column(
                CERTIFIED,
                numbers(calibration.values),
                "score",
                13,
                explanation="v_o, eqs. (6)-(7): for comparison, and what Cal proof checks.",
            )
        )
    columns += [
        Column("Why", explain_values(results, context.classes), "wrapped", 80),
        decision_column(panel.n_objects, "Left blank: the Board decides."),
    ]
    return Table(printed_first(columns, _SCREEN_ONLY), name="values")


def _ranking_columns(results: Results) -> list[Column]:
    """Say how sure the order is; blank where the values are not those of a calibration, or nothing is known."""
    settings, noun = results.reading.settings, results.object_noun
    nobody = [None] * results.panel.n_objects
    found = None
    if results.is_calibration:
        found = ranking(results.uncertainty, settings.level, higher_is_better=settings.higher_is_better)
    holds = f"From Rank from to Rank to: holds the rank of the true value with {settings.level:.0%}, simulated."
    return [
        Column("Rank from", numbers(found.first) if found else nobody, "integer", 8, explanation=holds),
        Column("Rank to", numbers(found.last) if found else nobody, "integer", 8, explanation=holds),
        Column(
            "P(above next)",
            numbers(found.above_next) if found else nobody,
            "percent",
            10,
            explanation=(
                f"Probability that this {noun} is truly better than the next in rank, by the {results.scores_noun} of "
                "this panel alone: where all values lie is not counted. Near 50% the order of the two is open."
            ),
        ),
    ]


def _doubt_column(results: Results) -> Column:
    doubt = results.confidence_doubt
    if doubt is None:
        return Column(IF_WRONG, [None] * results.panel.n_objects, "precise", 13)
    plural = confidences_noun(results)
    return _of_calibration(
        results,
        IF_WRONG,
        doubt.typical_moves,
        13,
        f"How far the value would typically move if the {plural} of all {results.scores_noun} were wrong, each by "
        f"itself, by a factor of {doubt.factor:g}, up or down.",
    )


def _legend(results: Results) -> tuple[str, ...]:
    """Explain the technical columns, the ones that are printed and the ones that are not."""
    level = f"{results.reading.settings.level:.0%}"
    size = "||ds||, the size of a change of all scores at once (square root of the sum of confidence x change squared)"
    printed = f"Standard error: how far a value is typically off. Lower to Upper, on screen: holds it with {level}."
    if not results.is_calibration:
        return (printed, f"Assessments, Lower, Upper and {CERTIFIED} stand further right on the sheet; not printed.")
    return (
        f"{printed} Half-width: half of Lower to Upper. These and the following stand further right on the sheet.",
        f"Bound and Worst case: how far a value can move, at most and exactly, for each unit of {size}.",
        f"Sensitivity: how far it moves when any one {results.score_noun} changes by 1 point, at most. Rank before: by "
        "raw averages.",
        f"Rank from, Rank to: the ranks that are plausible, with {level}. P(above next): that this "
        f"{results.object_noun} is truly better than the next in rank, by these {results.scores_noun} alone.",
        *_doubt_line(results),
        *([zero] if (zero := zero_point_line(results)) else []),
        *probability_lines(results),
    )


def _doubt_line(results: Results) -> tuple[str, ...]:
    doubt = results.confidence_doubt
    if doubt is None:
        return ()
    plural = confidences_noun(results)
    return (
        f"{IF_WRONG}: how far a value typically moves if the {plural} of all {results.scores_noun} were wrong by a "
        f"factor of {doubt.factor:g}, each by itself.",
    )


def certified_heading(results: Results) -> str:
    """Heading of the column with the values of the calibration that `Cal proof` checks."""
    return "Calibrated value" if results.is_calibration else CERTIFIED


def _of_calibration(results: Results, heading: str, values: Array, width: float, explanation: str) -> Column:
    """Make a column that stays blank where the values are not those of a calibration."""
    if results.is_calibration:
        return Column(heading, numbers(values), "precise", width, explanation=explanation)
    return Column(heading, [None] * len(values), "precise", width, explanation=f"Not known for {results.method.title}.")


def bound_source(results: Results) -> str:
    """Name the equation that the printed bounds come from, which depends on the gauge."""
    return {
        "weighted": "The paper's bound, eq. (22) with its factor sqrt(2)",
        "reference": "The paper's bound, eq. (30)",
        "equal": "The paper's bound carried over to gauge (10)",
    }[results.calibration.gauge]


def _class_columns(context: Context) -> list[Column]:
    classes = context.classes
    if classes is None:
        return []
    better_side = "above" if context.results.reading.settings.higher_is_better else "below"
    return [
        Column("Class before", [classes.name(k) for k in classes.before], "text", 14),
        Column("Class after", [classes.name(k) for k in classes.after], "text", 13),
        Column(
            "P(class after or better)",
            numbers(classes.at_least),
            "percent",
            14,
            explanation=(
                "Probability that the true value is in the class after or a better one; counts where all values lie, "
                "too."
            ),
        ),
        Column(
            f"P(at or {better_side} boundary crossed)",
            numbers(classes.reaches_crossed),
            "percent",
            14,
            explanation=(
                f"Where the class changes: probability that the true value is at the boundary or {better_side} it; "
                f"near 50% the {context.results.scores_noun} do not settle it."
            ),
        ),
        Column("Borderline", classes.borderline, "wrapped", 24),
    ]
