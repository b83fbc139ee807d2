"""`Cal assessors`: how generous each assessor was, how surely, and how well its scores fit."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Mask
from panelcal.calibration.assessor_differences import LEVEL
from panelcal.calibration.assessor_left_out import assessors_left_out
from panelcal.panel import by_number
from panelcal.reporting.columns import Spec, columns_of, in_order
from panelcal.reporting.drawn_intervals import (
    BEYOND_LEFT,
    BEYOND_RIGHT,
    DRAWN,
    FIRST,
    LAST,
    LINE,
    MARK,
    VALUE,
    drawn_intervals,
    ends_to_draw,
)
from panelcal.reporting.figures import statistics_style, sums_style
from panelcal.reporting.model import CellValue, Column, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block
from panelcal.reporting.wording import counted, number, signed, some_of, words_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.values import bound_source

_MISFIT = 2.0
_PRINTED_LINES = 3  # of the legend
_CONSISTENT = 0.4
_ENOUGH = 5
_MOST_REFITTING = 1_000_000
_VISIBLE = 0.05  # smaller moves print as 0.0


def assessors_sheet(context: Context, table: Table) -> Sheet:
    """Build the sheet around the table of `assessors_table`."""
    results = context.results
    against = _against_the_rest(results)
    lines = (
        _drawn_in_words(context, DRAWN),
        *against,
        f"Adjusted p: chance that any {results.assessor_noun} would look so far off if none were; bold up to "
        f"{LEVEL:g}.",
        "Not printed, further right: half-widths, errors, bounds, what is shared, and what would be without it.",
        "Standard error: how far a bias is typically off. Half-width: half of Lower to Upper. Objects shared: how many "
        f"of the {results.objects_noun} were assessed by others too.",
        f"Bound: how far the bias can move, at most, for each unit of a change of all {results.scores_noun} at once.",
        f"Misfit: 1 = the {results.scores_noun} scatter as expected, 2 = with twice the variance; bold from "
        f"{_MISFIT:g} on.",
    )
    return Sheet(
        name=context.sheet("Cal assessors"),
        title=f"{results.reading.nouns.assessor} biases",
        explanation=(
            f"Positive bias = scored higher than the panel for the same {results.objects_noun}{_taken_off(results)}."
            f"{results.by_calibration}"
        ),
        across=table.column_number("Note"),
        tables=(table,),
        notes=legend(table, lines, last_heading="Note"),
        portrait=True,
        printed=(printed_block(table, last_heading="Note", below=1 + len(against) + _PRINTED_LINES),),
    )


def _taken_off(results: Results) -> str:
    """Say what became of a bias; nothing where the values are those of a method that takes none off."""
    severely = "" if results.reading.settings.higher_is_better else ", and so severely"
    if not results.is_calibration:
        return severely
    return f"{severely}. It was taken off; the order of each {results.assessor_noun}'s {results.scores_noun} is kept"


def assessors_table(context: Context) -> Table:
    """Build the table; `Cal proof` and `Cal summary` refer to its cells."""
    results = context.results
    words = words_of(
        results.reading.nouns, ends=f"{results.reading.settings.level:.0%}, Student's t.", bound=bound_source(results)
    )
    without = _left_out_columns(results)
    columns = (*columns_of(_COLUMNS, context, words), *without)
    return Table(in_order(columns, context.assessor_order), name="assessors")


def _interval(context: Context) -> np.ndarray:
    return context.results.uncertainty.bias_interval(context.results.reading.settings.level)


def _drawn(context: Context) -> list[str | None]:
    interval, biases = _interval(context), context.results.calibration.biases
    return drawn_intervals(biases, interval[:, 0], interval[:, 1], ends=_drawn_ends(context), marks=(0.0,))


def _drawn_ends(context: Context) -> tuple[float, float]:
    """End as far to the left as to the right, so that nobody off stands in the middle."""
    interval = _interval(context)
    furthest = max(map(abs, ends_to_draw(context.results.calibration.biases, interval[:, 0], interval[:, 1])))
    return -furthest, furthest


def _drawn_in_words(context: Context, opening: str) -> str:
    first, last = _drawn_ends(context)
    below, above = (side_of_bias(context.results, side) for side in (-1.0, 1.0))
    return (
        f"{opening} from {signed(first)} ({below}) to {signed(last)} ({above}): {VALUE} bias in its interval "
        f"{FIRST}{LINE}{LAST}, {MARK} zero, {BEYOND_LEFT} {BEYOND_RIGHT} beyond."
    )


def _links(context: Context) -> list[str]:
    reading = context.results.reading
    return [f"#{reading.sheet}!{cell}" for cell in reading.assessor_cells] if context.linked else []


_COLUMNS: tuple[Spec[Context], ...] = (
    Spec("{Assessor}", lambda c: c.results.panel.assessors, "text", 16, links=_links),
    Spec(
        "Bias",
        lambda c: c.results.calibration.biases,
        "signed",
        8,
        "b_a, eqs. (6)-(7): how much higher than the panel it scored the same work.",
    ),
    Spec("Lower", lambda c: _interval(c)[:, 0], "signed", 8, "{ends}"),
    Spec("Upper", lambda c: _interval(c)[:, 1], "signed", 8, "{ends}"),
    Spec(
        DRAWN,
        _drawn,
        "drawing",
        explanation=lambda c: _drawn_in_words(c, "Drawn"),
    ),
    Spec(
        "Adjusted p",
        lambda c: c.results.differences.adjusted_p_values,
        "p value",
        10,
        "Chance that any {assessor} would look so far off if none were, by Holm; bold up to 0.05.",
        highlight=Highlight("below", limit=np.nextafter(LEVEL, 1.0), calm=True),
    ),
    Spec("Note", lambda c: _notes(c.results), "wrapped", 45),
    Spec("Assessments", lambda c: np.bincount(c.results.panel.assessor_index), "integer"),
    Spec(
        "Confidence",
        lambda c: c.results.calibration.equations.assessor_confidence,
        sums_style,
        11,
        "C'_a, eq. (9): the sum of the confidences (credits) of its {scores}.",
    ),
    Spec("Raw average", lambda c: c.results.assessor_raw, "score", 10),
    Spec("Standard error", lambda c: c.results.uncertainty.bias_errors, "score", 10),
    Spec("Half-width", lambda c: np.diff(_interval(c))[:, 0] / 2, "score", 8),
    Spec("Bound", lambda c: c.results.robustness.bias_bounds, statistics_style, 9, "{bound}."),
    Spec(
        "Objects shared",
        lambda c: _objects_shared(c.results),
        "integer",
        10,
        "How many of its {objects} others assessed too.",
    ),
    Spec(
        "Misfit",
        lambda c: c.results.declared.assessor_factors,
        "precise",
        9,
        "Weighted mean square of its residuals, 1 = as expected, 2 = twice the expected variance.",
        highlight=Highlight("beyond", limit=_MISFIT),
    ),
)


def _left_out_columns(results: Results) -> tuple[Column, ...]:
    """Say what would happen without each assessor; left away on panels so large that it would take long."""
    panel = results.panel
    if panel.n_assessors * panel.n_assessments > _MOST_REFITTING:
        return ()
    without = assessors_left_out(results.calibration)
    shifts: list[CellValue] = []
    moved = []
    for a in range(panel.n_assessors):
        if without.splits[a]:
            shifts.append("splits the panel")
        else:
            shifts.append(float(without.largest_shift[a]) if np.isfinite(without.largest_shift[a]) else None)
        most = without.moved_most[a] if without.largest_shift[a] >= _VISIBLE else -1
        lost = counted(int(without.objects_lost[a]), results.object_noun)
        parts = [
            panel.objects[most] if most >= 0 else "",
            f"{lost} left without any" if without.objects_lost[a] else "",
        ]
        moved.append("; ".join(part for part in parts if part))
    return (
        Column(
            "Largest move without it",
            shifts,
            "score",
            16,
            explanation=(
                f"Largest change of any {results.object_noun}'s value if this {results.assessor_noun} were left out "
                "and everything calibrated again."
            ),
        ),
        Column("Moves most", moved, "text", 20),
    )


def _objects_shared(results: Results) -> np.ndarray:
    panel = results.panel
    order = by_number(panel.assessor_index, panel.n_assessors)
    order = order[by_number(panel.object_index[order], panel.n_objects)]
    objects, assessors = panel.object_index[order], panel.assessor_index[order]
    once = np.append(True, (np.diff(objects) != 0) | (np.diff(assessors) != 0))  # of each pair
    objects, assessors = objects[once], assessors[once]
    shared = np.bincount(objects)[objects] > 1
    return np.bincount(assessors[shared], minlength=panel.n_assessors)


def clearly_leaning(results: Results) -> Mask:
    """Which assessors (n_assessors,) are clearly off the rest, allowing for how many there are; only those compared."""
    return np.asarray(results.differences.clearly_off & ~results.single_object_assessors)


def leaning_most(results: Results, count: int) -> str:
    """Name the clearly generous and severe assessors, those who lean most first."""
    found = np.flatnonzero(clearly_leaning(results))
    order = found[np.argsort(-np.abs(results.differences.biases[found]), kind="stable")]
    named = [f"{results.panel.assessors[a]} ({_leaning(results, a)})" for a in order]
    return some_of(named, count)


def side_of_bias(results: Results, bias: float) -> str:
    """Say what a bias above or below zero is: where 1 is best, who gives more is severe."""
    return "generous" if (bias > 0) == results.reading.settings.higher_is_better else "severe"


def _leaning(results: Results, assessor: int) -> str:
    """Spell side and size of a bias; from the rest as well where those off the rest have dragged the zero."""
    off = float(results.differences.biases[assessor])
    said = f"{side_of_bias(results, off)} by {number(abs(off))}"
    return f"{said} against the rest" if _is_dragged(results, assessor) else said


def _is_dragged(results: Results, assessor: int) -> bool:
    """Tell whether a bias shows as another figure when it is counted from those who are not off."""
    return number(float(results.calibration.biases[assessor])) != number(float(results.differences.biases[assessor]))


def _against_the_rest(results: Results) -> tuple[str, ...]:
    """Explain why a note may say another figure than Bias, even of another sign; empty where none does."""
    if not any(_is_dragged(results, a) for a in np.flatnonzero(clearly_leaning(results)).tolist()):
        return ()
    return (
        f"Against the rest: counted from {signed(results.differences.centre)}, the mean bias of the "
        f"{results.assessors_noun} that are not clearly off.",
    )


def _notes(results: Results) -> list[str]:
    panel = results.panel
    leaning = clearly_leaning(results)
    counts = np.bincount(panel.assessor_index)
    shared = _objects_shared(results)
    lone = results.single_object_assessors
    notes = []
    for a in range(panel.n_assessors):
        parts = []
        if lone[a] and panel.n_assessors > 1:
            parts.append(f"One {results.object_noun} only: it moves no value.")
        elif leaning[a]:
            parts.append(f"Clearly {_leaning(results, a)}.")
        if 1 < shared[a] <= 2 or (shared[a] == 1 and counts[a] > 1):
            parts.append(f"Tied to the rest by {counted(int(shared[a]), results.object_noun)} only.")
        factor = results.declared.assessor_factors[a]
        if counts[a] >= _ENOUGH and factor > _MISFIT:
            parts.append("Fits the panel badly: see Cal residuals.")
        elif counts[a] >= _ENOUGH and factor < _CONSISTENT:
            parts.append("More consistent than expected.")
        notes.append(" ".join(parts))
    return notes
