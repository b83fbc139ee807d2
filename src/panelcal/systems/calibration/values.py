"""`Cal values`: the answer, one row per object, with errors, bounds, ranks, classes and the reason.

By a method that is no calibration, columns that only a calibration has stay blank, and one more holds the values of
calibration with confidence, to which `Cal proof` refers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.ranking import Ranking
from panelcal.reading.nouns import deciders
from panelcal.reporting.cell_content import ranks_among
from panelcal.reporting.columns import IN_FULL, WHY, Spec, columns_of, in_order
from panelcal.reporting.decisions import DECISION, board_decision
from panelcal.reporting.drawn_intervals import (
    DRAWN,
    FIRST,
    LAST,
    LINE,
    MARK,
    OTHER,
    VALUE,
    drawn_intervals,
    ends_to_draw,
)
from panelcal.reporting.figures import statistics_style, sums_style
from panelcal.reporting.model import Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first, with_room_for
from panelcal.reporting.wording import compact, number, words_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context, object_links
from panelcal.systems.calibration.precision import precision_notes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.true_values import probability_lines, zero_point_line
from panelcal.systems.calibration.why import explain_cases, explain_values

CERTIFIED = "Calibration with confidence"
IF_WRONG = "If confidences were wrong"
_SCREEN_ONLY = frozenset(
    {
        "Assessments",
        "Confidence",
        "Raw average",
        "Standard error",
        "Half-width",
        "Bound",
        "Worst case",
        "Sensitivity",
        "Rank before",
        "P(above next)",
        IF_WRONG,
        "P(class after or better)",
        "P(at or above boundary crossed)",
        "P(at or below boundary crossed)",
        "Borderline",
        CERTIFIED,
        IN_FULL,
    }
)
_NOT_PRINTED = "not printed: they stand further right on the sheet"
_NO_RANKS = "Rank from and Rank to stay blank:"
_NOT_SURE = "It does not say how sure it is, so Rank from, Rank to, Lower and Upper stay blank."


def values_sheet(context: Context, table: Table) -> Sheet:
    """Build the sheet around the table of `values_table`."""
    results = context.results
    lines = _legend(context)
    printed = next((k for k, line in enumerate(lines) if _NOT_PRINTED in line), len(lines)) + 1
    return Sheet(
        name=context.sheet("Cal values"),
        title="Calibrated values",
        explanation=_explanation(context),
        tables=(table,),
        frozen=(5, 2),
        notes=(*legend(table, lines, last_heading=DECISION), *precision_notes(results)),
        printed=(printed_block(table, last_heading=DECISION, below=1 + min(printed, len(lines))),),
    )


def _explanation(context: Context) -> str:
    """Say what the values are, why intervals or plausible ranks are blank where they are, and what is drawn."""
    results = context.results
    known = results.chosen.uncertainty is not None
    interval = f"Lower to Upper holds the true value with {results.reading.settings.level:.0%} confidence."
    if results.is_calibration:
        words = f"Each {results.object_noun}'s value after taking out how generous the {results.assessors_noun} were; "
        if results.calibration.degrees_of_freedom and np.isnan(results.ranking.first).all():
            interval = f"{interval} {_NO_RANKS} too many {results.objects_noun} to simulate them."
    else:
        words = f"By the method {results.method.title}. "
        interval = f"{interval} {_NO_RANKS} this method does not say how sure a rank is." if known else _NOT_SURE
    marks = f", {MARK} boundaries" if _boundaries(context) else ""
    drawn = f" Drawn: {VALUE} value, {OTHER} raw average{marks}." if known else ""
    return f"{words}{interval}{drawn}"


def values_table(context: Context) -> Table:
    """Build the table; `Cal proof` and `Cal summary` refer to its cells."""
    results, settings = context.results, context.results.reading.settings
    own = results.is_calibration
    doubt = results.confidence_doubt
    words = words_of(
        results.reading.nouns,
        level=f"{settings.level:.0%}",
        ends=f"{settings.level:.0%}, Student's t." if own else f"{settings.level:.0%}.",
        alert=compact(results.alert_threshold),
        deciders=deciders(results.reading.nouns),
        click=f"As in the input; click to go to the {results.object_noun}'s row." if context.linked else "",
        value="v_o, eqs. (6)-(7)." if own else f"By the method {results.method.title}.",
        error="With w = R/(N - p)." if own else "By this method; blank where it has none.",
        bound=bound_source(results),
        better_side="above" if settings.higher_is_better else "below",
        confidences=confidences_noun(results),
        factor="" if doubt is None else f"{doubt.factor:g}",
    )
    columns = in_order(columns_of(_COLUMNS, context, words), context.object_order)
    table = Table(printed_first(columns, _SCREEN_ONLY), name="values")
    return with_room_for(table, WHY, last_heading=DECISION)


def _of_calibration(shown: Callable[[Results], Array | None]) -> Callable[[Context], Array | None]:
    """Return what shows a figure of the calibration, and nothing where the values are of another method."""
    return lambda c: shown(c.results) if c.results.is_calibration else None


def _known(explanation: str) -> Callable[[Context], str]:
    """Return what explains such a figure, or says that the method in use has none."""
    return lambda c: explanation if c.results.is_calibration else f"Not known for {c.results.method.title}."


def _interval(context: Context) -> Array:
    return context.results.value_interval(context.results.reading.settings.level)


def _boundaries(context: Context) -> list[float]:
    return [] if context.classes is None else [band.lowest for band in context.classes.bands[:-1]]


def _drawn(context: Context) -> list[str | None]:
    results, interval = context.results, _interval(context)
    return drawn_intervals(
        results.values,
        interval[:, 0],
        interval[:, 1],
        ends=_drawn_ends(context),
        others=results.raw,
        marks=_boundaries(context),
    )


def _drawn_ends(context: Context) -> tuple[float, float]:
    interval = _interval(context)
    return ends_to_draw(np.stack([context.results.values, context.results.raw]), interval[:, 0], interval[:, 1])


def _drawn_in_words(context: Context, opening: str) -> str:
    """Say what the letters of the drawing mean."""
    first, last = _drawn_ends(context)
    boundaries = [compact(boundary) for boundary in _boundaries(context)][::-1]
    marks = f"; {MARK} class boundaries {', '.join(boundaries)}" if boundaries else ""
    return (
        f"{opening} from {number(first)} to {number(last)}: {VALUE} calibrated value in its interval "
        f"{FIRST}{LINE}{LAST}, {OTHER} raw average{marks}."
    )


def _ranking(shown: Callable[[Ranking], Array]) -> Callable[[Context], Array | None]:
    return _of_calibration(lambda r: shown(r.ranking))


def _ranks(values: Callable[[Results], Array]) -> Callable[[Context], list[int | None]]:
    return lambda c: ranks_among(values(c.results), c.results.reading.settings.higher_is_better, c.results.ranked)


def _class_names(places: Callable[[Classes], Indices]) -> Callable[[Context], list[str]]:
    def names(context: Context) -> list[str]:
        classes, ranked = context.classes, context.results.ranked.tolist()
        if classes is None:
            return []
        return [classes.name(k) if own else "" for k, own in zip(places(classes), ranked, strict=True)]

    return names


def _in_classes(shown: Callable[[Classes], Any]) -> Callable[[Context], Any]:
    return lambda c: None if c.classes is None else shown(c.classes)


def _has_classes(context: Context) -> bool:
    return context.classes is not None


_HOLDS_RANK = "From Rank from to Rank to: holds the rank of the true value with {level}, simulated."
_MOVES_IF_WRONG = (
    "How far the value would typically move if the {confidences} of all {scores} were wrong, each by itself, by a "
    "factor of {factor}, up or down."
)
_WHY_SAYS = (
    "Where something happened; else blank. Borderline: how far short of the boundary, and the share of the "
    "{confidences} with {scores} that reach it."
)
_COLUMNS: tuple[Spec[Context], ...] = (
    Spec("{Object}", lambda c: c.results.panel.objects, "text", 10, "{click}", links=object_links),
    Spec(
        "Name",
        lambda c: c.results.reading.object_names,
        width=20,
        when=lambda c: bool(c.results.reading.object_names),
    ),
    Spec(
        "Assessments",
        lambda c: np.bincount(c.results.panel.object_index),
        "integer",
        explanation="How many {scores} went into the value.",
    ),
    Spec(
        "Confidence",
        lambda c: c.results.calibration.equations.object_confidence,
        sums_style,
        11,
        "C_o, eq. (8): the sum of the confidences (credits) of the {scores}.",
    ),
    Spec("Raw average", lambda c: c.results.raw, "score", 10, "Confidence-weighted average of the {scores}."),
    Spec("Rank", _ranks(lambda r: r.values), "integer", 5),
    Spec("Rank from", _ranking(lambda found: found.first), "integer", 8, _known(_HOLDS_RANK)),
    Spec("Rank to", _ranking(lambda found: found.last), "integer", 8, _known(_HOLDS_RANK)),
    Spec("Calibrated value", lambda c: c.results.values, "score", 11, "{value}"),
    Spec("Lower", lambda c: _interval(c)[:, 0], "score", 8, "{ends}"),
    Spec("Upper", lambda c: _interval(c)[:, 1], "score", 8, "{ends}"),
    Spec(
        DRAWN,
        _drawn,
        "drawing",
        explanation=lambda c: _drawn_in_words(c, "Drawn"),
        when=lambda c: c.results.chosen.uncertainty is not None,
    ),
    Spec(
        "Change",
        lambda c: c.results.change,
        "signed",
        9,
        "Calibrated value less raw average; bold from {alert} up or down.",
        highlight=lambda c: Highlight("beyond", limit=c.results.marked_from, calm=True),
    ),
    Spec("Standard error", lambda c: c.results.value_errors, "score", 10, "{error}"),
    Spec(
        "Half-width",
        lambda c: np.diff(_interval(c))[:, 0] / 2,
        "score",
        8,
        "Half the width of the interval, for the charts.",
    ),
    Spec(
        "Bound",
        _of_calibration(lambda r: r.robustness.value_bounds),
        statistics_style,
        9,
        _known("{bound}: no change of scores of unit ||ds|| moves the value further."),
    ),
    Spec(
        "Worst case",
        _of_calibration(lambda r: r.robustness.worst_cases),
        statistics_style,
        explanation=_known("The exact largest change per unit of ||ds||, over all ways to change all scores."),
    ),
    Spec(
        "Sensitivity",
        _of_calibration(lambda r: r.robustness.value_sensitivities),
        statistics_style,
        11,
        _known("The exact largest change of the value when any one score changes by 1."),
    ),
    Spec("Rank before", _ranks(lambda r: r.raw), "integer", 8),
    Spec(
        "P(above next)",
        _ranking(lambda found: found.above_next),
        "percent",
        10,
        "Probability that this {object} is truly better than the next in rank, by the {scores} of this panel alone: "
        "where all values lie is not counted. Near 50% the order of the two is open.",
    ),
    Spec(
        IF_WRONG,
        _of_calibration(lambda r: None if r.confidence_doubt is None else r.confidence_doubt.typical_moves),
        statistics_style,
        13,
        lambda c: "" if c.results.confidence_doubt is None else _known(_MOVES_IF_WRONG)(c),
    ),
    Spec("Class before", _class_names(lambda found: found.before), "text", 14, when=_has_classes),
    Spec("Class after", _class_names(lambda found: found.after), "text", 13, when=_has_classes),
    Spec(
        "P(class after or better)",
        _in_classes(lambda found: found.at_least),
        "percent",
        14,
        "Probability that the true value is in the class after or a better one. What is far out counts as partly luck.",
        when=_has_classes,
    ),
    Spec(
        "P(at or {better_side} boundary crossed)",
        _in_classes(lambda found: found.reaches_crossed),
        "percent",
        14,
        "Where the class changes: probability that the true value is at the boundary or {better_side} it; near 50% the "
        "{scores} do not settle it.",
        when=_has_classes,
    ),
    Spec("Borderline", _in_classes(lambda found: found.borderline), "text", 56, when=_has_classes),
    Spec(
        CERTIFIED,
        lambda c: c.results.calibration.values,
        "score",
        13,
        "v_o, eqs. (6)-(7): for comparison, and what Cal proof checks.",
        when=lambda c: not c.results.is_calibration,
    ),
    Spec(WHY, lambda c: explain_cases(c.results, c.classes), "wrapped", 28, _WHY_SAYS),
    board_decision("{deciders} decides"),
    Spec(
        IN_FULL,
        lambda c: explain_values(c.results, c.classes),
        "text",
        40,
        "The sum that leads from the raw average to the value, in words.",
    ),
)


def _legend(context: Context) -> tuple[str, ...]:
    """Explain the columns, the ones that are printed and the ones that are not."""
    results = context.results
    level = f"{results.reading.settings.level:.0%}"
    size = "||ds||, the size of a change of all scores at once (square root of the sum of confidence x change squared)"
    drawn = (_drawn_in_words(context, "Interval drawn"),) if results.chosen.uncertainty is not None else ()
    if not results.is_calibration:
        return (*drawn, f"Raw average, Standard error, Assessments, {CERTIFIED} and {IN_FULL} are {_NOT_PRINTED}.")
    return (
        *drawn,
        f"Rank from, Rank to: the ranks that are plausible, with {level}. Lower to Upper: holds the true value, with "
        f"{level}.",
        *([zero] if (zero := zero_point_line(results)) else []),
        f"Raw average, {IN_FULL} (the whole sum) and the figures for the statistician are {_NOT_PRINTED}.",
        "Standard error: how far a value is typically off. Half-width: half of Lower to Upper. Rank before: by raw "
        "averages.",
        f"P(above next): that this {results.object_noun} is truly better than the next in rank, by these "
        f"{results.scores_noun} alone.",
        f"Bound and Worst case: how far a value can move, at most and exactly, for each unit of {size}.",
        f"Sensitivity: how far it moves when any one {results.score_noun} changes by 1 point, at most.",
        *_doubt_line(results),
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


def bound_source(results: Results) -> str:
    """Name the equation that the printed bounds come from, which depends on the gauge."""
    return {
        "weighted": "The paper's bound, eq. (22) with its factor sqrt(2)",
        "reference": "The paper's bound, eq. (30)",
        "equal": "The paper's bound carried over to gauge (10)",
        "common": "The paper's bound carried over to a zero that common objects fix",
    }[results.calibration.gauge]
